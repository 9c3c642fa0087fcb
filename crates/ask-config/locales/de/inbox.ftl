### The list of asks.

## Its head. Counts stand side by side, with dots between them.

inbox-looking = sehe nach ...
inbox-reconnecting = verbindet neu
inbox-muted = stumm
# $address is where the page is, as 127.0.0.1:4127.
inbox-web = Web { $address }
inbox-count-waiting = { $count } wartend
inbox-count-snoozed = { $count } zurückgestellt
inbox-count-late = { $count } spät
inbox-count-answered = { $count } heute beantwortet
inbox-fit = { $count } von { $all }

## Its groups

inbox-group-waiting = WARTEND
inbox-group-snoozed = ZURÜCKGESTELLT
inbox-group-late = SPÄT  der Agent wartet nicht mehr; Antworten bleiben, bis er wieder fragt
inbox-group-kept = BEHALTEN  beantwortet; der Agent hat es noch nicht abgeholt
inbox-group-sent = GESENDET  der Agent bekommt es gleich
# The same in at most 40 columns.
inbox-group-late-short = SPÄT  Agent weg, Antworten bleiben
inbox-group-kept-short = BEHALTEN  noch nicht abgeholt
inbox-sorted = sortiert: Frist, dann älteste

## Where it is empty

inbox-none = Keine Frage wartet auf dich.
inbox-none-yet = Eine neue erscheint hier von selbst.
inbox-none-fit = Nichts passt.
inbox-none-fit-yet = { $key } zeigt wieder alle.

## What kind of question it is, in at most ten columns.

inbox-kind-confirm = Ja/Nein
inbox-kind-one = 1 Auswahl
inbox-kind-many = 1 mehrfach
inbox-kind-text = 1 Text
inbox-kind-several = { $count } Reiter

## What is worth knowing about an ask, in at most eleven columns. $at is a time of day.

inbox-mark-back = ab { $at }
inbox-mark-back-when-asked = bei Frage
inbox-mark-answered = beantwortet
inbox-mark-declined = abgelehnt
inbox-mark-asked-back = Rückfrage
inbox-mark-expired = abgelaufen
inbox-mark-withdrawn = widerrufen
# In place of these: a program that an agent had started closed the ask.
inbox-mark-below-agent = unter Agent
inbox-mark-due = fällig
inbox-mark-due-in = noch { $time }
inbox-mark-dialog = auch dort
inbox-mark-handed = im Client
inbox-mark-draft = Entwurf { $given }/{ $asked }
inbox-mark-asked-again = neu gefragt
inbox-mark-preview = Vorschau

## The ask under the cursor: who asks, where, and what.

inbox-asked-by = gefragt hat { $name }
inbox-asked-by-client = gefragt hat { $name } (Name vom Client)
inbox-asked-from-shell = aus einer Shell gefragt
inbox-calls-itself = nennt sich „{ $agent }“
inbox-session = Sitzung { $session }
inbox-branch = Branch { $branch }
inbox-this-machine = dieser Rechner
inbox-context = Kontext
inbox-question = Frage
inbox-asked-again = Der Agent hat das noch einmal gefragt.
inbox-in-dialog = Steht auch in { $client }; die erste Antwort zählt.
inbox-in-client = Wird gerade in { $client } gefragt; eine Antwort hier bleibt gespeichert und zählt, wenn die Frage zurückkommt.
inbox-snoozed-until = Von dir zurückgestellt bis { $at }; { $key } holt sie zurück.
inbox-snoozed-until-asked = Von dir zurückgestellt, bis der Agent wieder fragt; { $key } holt sie zurück.
# Under a text that is longer than the room for it.
inbox-read-all = { $key } alles lesen ({ $count } Zeilen)

## Putting aside, in a dialog. $at is a time of day.

inbox-snooze-title = Zurückstellen; der Agent merkt nichts davon
inbox-snooze-minutes = { $count } Minuten (bis { $at })
inbox-snooze-hour = 1 Stunde (bis { $at })
# The same where there is no room for the time of day.
inbox-snooze-minutes-short = { $count } Minuten
inbox-snooze-hour-short = 1 Stunde
inbox-snooze-tomorrow = Morgen { $at }
inbox-snooze-asked-again = Bis dieser Agent wieder fragt
inbox-snooze-says = Du findest sie unter ZURÜCKGESTELLT; { $key } holt sie zurück.
inbox-sessions = Wer auf der Webseite angemeldet ist
inbox-sessions-none = Kein Browser ist angemeldet; { $key } zeigt einen Link, der einen anmeldet.
inbox-sessions-here = gerade hier
inbox-sessions-seen = zuletzt hier { $at }
inbox-sessions-all = Überall abmelden
inbox-sessions-sure = { $name } abmelden? Die Verbindung endet sofort; was dort beantwortet wurde, bleibt. { $key } tut es.
inbox-sessions-sure-all = Alle Browser dieses Computers abmelden und alle Geräte trennen? Was sie beantwortet haben, bleibt. { $key } tut es.

## What became of what was just done

inbox-said-snoozed = Zurückgestellt bis { $at }; { $key } holt sie zurück.
inbox-said-snoozed-until-asked = Zurückgestellt, bis der Agent wieder fragt; { $key } holt sie zurück.
inbox-said-back = Sie wartet wieder.
inbox-said-more-time = { $time } mehr: fällig { $at }.
inbox-said-typing = { $time } mehr, weil du gerade tippst: fällig { $at }.
inbox-said-no-more-time = Mehr Zeit gibt es nicht: fällig { $at }.
inbox-said-no-deadline = Es gibt keine Frist: sie wartet, bis du antwortest.
inbox-said-nothing-to-take-back = Keine Antwort lässt sich zurücknehmen.
inbox-said-taken-back = Zurückgenommen: nichts wurde gesendet. Ändere sie und sende sie neu.
inbox-said-web-none = Es gibt keine Webseite: http.enabled ist false.
inbox-said-web-narrow = Der Link ist breiter als dieses Terminal: `ask-user web` gibt ihn aus.
# $why is a sentence without its full stop, in English.
inbox-said-web-failed = Kein Link zur Webseite: { $why }
inbox-said-muted = Benachrichtigungen sind stumm; { $key } schaltet sie wieder ein.
inbox-said-unmuted = Benachrichtigungen sind wieder an.
inbox-said-failed = Das ging nicht: { $why }.
inbox-said-damage = Ein Speicher war beschädigt oder ging verloren: Was darin war, fehlt hier. Mehr sagt `ask-user doctor`.
inbox-said-settings = config.toml: { $count ->
    [one] 1 Einstellung ist nicht brauchbar
   *[other] { $count } Einstellungen sind nicht brauchbar
}; mehr sagt `ask-user doctor`.

## A card whose ask is filled in elsewhere, too. $surface is where, $at the time of day.

inbox-changed-elsewhere = in { $surface } geändert { $at }, { $key } lädt es
inbox-changed-here = in { $surface } geändert { $at }, { $key } holt deins zurück
