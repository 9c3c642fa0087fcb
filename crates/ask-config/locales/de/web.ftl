### What the page in a browser says. `node build.mjs` in crates/ask-web/web makes dist of it.

web-brand = ask
web-skip = Zur Frage springen
web-parts = Teile der Seite
web-inbox = Eingang
web-history = Verlauf
web-stats = Statistik
web-settings = Einstellungen
web-waiting = wartend
web-close = Schließen
web-more = Mehr
web-failed = Das ging nicht: { $why }.
web-problem-devices-off = der Computer lässt zurzeit kein Gerät zu
web-problem-no-credential = dieser Browser ist abgemeldet
web-problem-wrong-scope = dieser Browser darf nur zusehen
web-problem-not-found = es ist nicht mehr da
web-problem-closed = die Frage wurde schon beendet
web-problem-draft-changed = es wurde inzwischen anderswo geändert
web-problem-not-waiting = so, wie es gerade steht, geht das nicht
web-problem-still-open = es wartet noch auf eine Antwort
web-problem-pairing-unavailable = so können keine Geräte kommen
web-problem-invalid-answer = eine Antwort passt nicht zu ihrer Frage
web-problem-invalid-ask = so kann nicht gefragt werden
web-problem-invalid-value = ein Wert ist nicht zulässig
web-problem-undelivered = ihr Agent hat es noch nicht erfahren
web-problem-too-large = es ist zu groß; kürze es oder hänge es als Datei an
web-problem-too-many = zu viel auf einmal, versuch es in einer Minute noch einmal
web-problem-overloaded = zu viel auf einmal, versuch es in einer Minute noch einmal
web-problem-storage-timeout = der Datenträger mit dem Ordner des Agenten antwortet nicht
web-problem-storage-failed = der Hub kann nicht auf seine Platte schreiben, mehr sagt ask-user doctor
web-problem-hub-unavailable = der Hub ist nicht erreichbar
web-problem-not-allowed = von hier wird keine Antwort angenommen, deine Einstellungen sagen, woher Antworten kommen
web-problem-other = der Hub hat es abgelehnt ({ $type })
web-no-connection = keine Verbindung
web-copied = Kopiert.
web-not-copied = Der Browser erlaubt das Kopieren hier nicht.
web-looking = Sehe nach …
web-hub-away = Der Hub ist nicht erreichbar. Hier geht es von selbst weiter, sobald er es ist.
web-load-again = Seite neu laden
web-link-connecting = verbindet
web-link-live = verbunden
web-link-offline = offline
web-link-pausing = verbindet neu in { $count } s
web-try-now = jetzt
web-signed-out = Öffne diese Seite aus deinem Terminal
web-signed-out-how = Dieser Browser ist nicht angemeldet. Führe das auf dem Rechner aus, auf dem deine Agenten arbeiten; es öffnet die Seite für dich:
web-used-link = Dieser Link wurde schon benutzt oder ist älter als zwei Minuten. Warst du es nicht, hat jemand anders die Seite geöffnet: Dort zeigen die Einstellungen, wer eingelassen ist. Für einen neuen Link führe aus:
web-agents-link = Ein Agent hat diesen Link geholt, deshalb lässt er hier niemanden ein. Führe in einem eigenen Terminal aus:
web-signed-out-why = Der Link, der sich öffnet, gilt einmal und zwei Minuten lang, damit niemand sonst für dich antworten kann.
web-signed-out-kept = Was du hier getippt hast, bleibt in diesem Browser und ist dann wieder da.
web-list-head = Fragen
web-filter = Filter
web-fit = { $count } von { $all }
web-group-waiting = Wartend
web-group-snoozed = Zurückgestellt
web-group-late = Spät
web-group-kept = Behalten
web-group-late-says = Der Agent wartet nicht mehr. Eine Antwort bleibt, bis er wieder fragt.
web-group-kept-says = Beantwortet. Der Agent hat es noch nicht abgeholt.
web-none-waits = Keine Frage wartet auf dich.
web-none-yet = Eine neue erscheint hier von selbst.
web-none-fit = Nichts passt.
web-answered-today = { $count ->
    [one] Du hast heute { $count } beantwortet.
   *[other] Du hast heute { $count } beantwortet.
}
web-asked-now = { $who } fragt: { $what }
web-an-agent = ein Agent
web-surface-terminal = Terminal
web-surface-web = Browser
web-below-agent = unterhalb von { $agent } gestartet
web-surface-cli = Befehlszeile
web-surface-plain = einfacher Modus
web-surface-dialog = Dialog des Clients
web-surface-pending = Datei
web-surface-app = Chat
web-surface-api = Programm
web-surface-rpc = Programm
web-surface-bridge = App
web-untitled = Eine Frage
web-back-at = ab { $at }
web-back-when-asked = wenn wieder gefragt wird
web-due-in = fällig in { $left }
web-due-now = fällig
web-due-soon = Weniger als eine Minute bleibt. Mehr Zeit ist möglich.
web-mark-answered = beantwortet
web-mark-declined = abgelehnt
web-mark-clarify = Rückfrage
web-mark-expired = abgelaufen
web-mark-dialog = auch im Client
web-mark-handed = im Client gefragt
web-mark-answered-of = { $given } von { $all } beantwortet
web-mark-draft = Entwurf
web-mark-asked-again = neu gefragt
web-questions = { $count ->
    [one] { $count } Frage
   *[other] { $count } Fragen
}
web-kind-preview = Vorschau
web-kind-select = eine Auswahl
web-kind-multi-select = beliebig viele
web-kind-confirm = Ja oder Nein
web-kind-text = Text
web-undo = Rückgängig
web-undone = Rückgängig gemacht. Nichts wurde gesendet.
web-asks = { $who } fragt
web-asked = gefragt
web-asked-ago = { $time } gefragt
web-calls-itself = nennt sich „{ $agent }“
web-gone = Diese Frage ist nicht mehr da.
web-to-inbox = Zum Eingang
web-context = Kontext
web-code = Code
web-image = { "[" }Bild: { $text }]
web-table = Tabelle
web-question = Frage
web-questions-nav = Fragen dieses Formulars
web-question-of = Frage { $at } von { $all }
web-optional = freiwillig
web-answered = beantwortet
web-yes = Ja
web-no = Nein
web-other = Anderes
web-own-words = Deine eigene Antwort
web-your-answer = Deine Antwort
web-type-your-answer = Antwort eintippen
web-paths-label = Dateien im Ordner des Agenten
web-paths-total = { $count ->
    [one] { $count } Datei passt
   *[other] { $count } Dateien passen
}
web-paths-total-of-first = { $count } der ersten { $files } Dateien
web-paths-none = Keine Datei passt.
web-paths-none-of-first = Unter den ersten { $files } Dateien passt keine.
web-paths-unreadable = Der Ordner des Agenten lässt sich auf diesem Computer nicht lesen.
web-earlier = Frühere Antworten
web-earlier-says = Deine eigenen Worte aus früheren Antworten, die dieses Projekts zuerst.
web-earlier-none = Es gibt noch keine früheren Antworten von dir.
web-earlier-taken = Übernommen.
web-kept-not-chosen = Behalten, aber nicht Teil deiner Antwort.
web-none-of-these = Keine davon
web-recommended = Empfohlen
web-add-note = Notiz hinzufügen
web-note-label = Notiz zu dieser Antwort
web-note-is = Notiz: { $note }
web-see-preview = Vorschau zeigen
web-preview-of = Vorschau: { $name }
web-full-size = Groß zeigen
web-changed-elsewhere = Anderswo geändert ({ $by }), { $at }.
web-load-theirs = Laden
web-load-mine = Meins zurückholen
web-stands-waits = wartet auf dich
web-stands-left = der Agent wartet nicht mehr; deine Antwort wird behalten
web-stands-expired = die Zeit ist um; deine Antwort bleibt, bis er wieder fragt
web-asked-again = noch einmal gefragt
web-in-dialog = steht auch im Client; die erste Antwort zählt
web-in-client = wird gerade im Client gefragt; eine Antwort hier zählt, wenn die Frage zurückkommt
web-earlier-answer = Du hast das { $time } beantwortet:
web-fill-in = Diese Antwort eintragen
web-filled-in-below = Von einem Programm unterhalb von { $agent } ausgefüllt, nicht von dir: vor dem Senden prüfen.
web-filled-in-by = Nicht von dir ausgefüllt, sondern von einem Programm unterhalb von { $agent }.
web-attach-file = Datei anhängen
web-attach-hint = oder ein Bild einfügen oder hierher ziehen
web-attached = { $name } ist angehängt.
web-remove = Entfernen
web-too-many-files = Eine Antwort fasst { $count } Dateien.
web-too-large = { $name } ist größer als 10 MB.
web-empty-file = { $name } ist leer: Es gibt nichts anzuhängen.
web-not-attached = { $name } wurde nicht angehängt: { $why }.
web-back = Zurück
web-next = Weiter
web-review = Prüfen
web-review-head = Deine Antworten prüfen
web-send = Senden
web-sending = Wird gesendet …
web-send-answers = { $count ->
    [one] { $count } Antwort senden
   *[other] { $count } Antworten senden
}
web-send-anyway = { $count ->
    [one] { $count } Antwort trotzdem senden
   *[other] { $count } Antworten trotzdem senden
}
web-keep-late = Als späte Antwort behalten
web-send-when-connected = Wird gesendet, sobald verbunden
web-needs-answer = Diese Frage braucht eine Antwort.
web-does-not-fit = Diese Antwort passt nicht zur Frage.
web-needs-answer-or-decline = Wähle oder tippe eine Antwort, frag zurück oder lehne ab.
web-gaps = { $count ->
    [one] { $count } nötige Frage hat keine Antwort.
   *[other] { $count } nötige Fragen haben keine Antwort.
}
web-change = Ändern
web-go-to-question = Frage beantworten
web-not-answered = Nicht beantwortet
web-not-answered-optional = Nicht beantwortet (freiwillig)
web-note-for-all = Notiz zu allen Antworten
web-saved-at = Entwurf { $at } gesichert
web-saved-here = Entwurf in diesem Browser behalten
web-not-saved = Dein Entwurf wurde nicht gesichert: { $why }.
web-not-sent = Nicht gesendet: { $why }. Dein Entwurf bleibt.
web-queued = Keine Verbindung. Deine Antwort wird gesendet, sobald sie wieder da ist.
web-queued-says = Deine Antwort wartet auf die Verbindung. Sie wird gesendet, sobald der Hub wieder da ist.
web-queued-count = { $count ->
    [one] { $count } Antwort wartet
   *[other] { $count } Antworten warten
}
web-queued-sent = Wieder verbunden. Deine Antwort wurde gesendet.
web-queued-closed = Die Frage wurde inzwischen beendet. Nichts wurde gesendet.
web-queued-unknown = Dieser Hub kennt die Frage nicht. Nichts wurde gesendet. Deine Antwort bleibt einen Monat in diesem Browser.
web-queued-changed = Du hast diese Antwort anderswo geändert. Nichts wurde gesendet. Sieh sie an und sende sie noch einmal.
web-queued-elsewhere = Eine Antwort aus einem anderen Tab dieses Browsers wartet auf die Verbindung. Nimm sie zurück, um diese zu senden.
web-take-back = Zurücknehmen
web-sent = Gesendet.
web-sent-answered = An { $who } gesendet
web-sent-declined = Du hast abgelehnt
web-sent-clarify = Rückfrage an { $who } gesendet
web-sent-expired = Für { $who } behalten
web-sent-withdrawn = { $who } hat die Frage zurückgezogen
web-closed-answered = Beantwortet ({ $by }), { $at }
web-closed-declined = Abgelehnt ({ $by }), { $at }
web-closed-clarify = Rückfrage ({ $by }), { $at }
web-closed-expired = Abgelaufen, { $at }
web-closed-withdrawn = Vom Agenten zurückgezogen, { $at }
web-nothing-sent = Von deinem Text hier wurde nichts gesendet.
web-changed-since = Was du nach dem Senden geändert hast, wurde nicht gesendet.
web-what-was-answered = Was geantwortet wurde
web-your-draft = Dein Entwurf
web-copy-draft = Meinen Entwurf kopieren
web-next-ask = Nächste: { $what }
web-told = Der Agent hat sie.
web-not-told = Sie bleibt, bis der Agent sie abholt.
web-ask-back = Rückfrage
web-ask-back-says = { $who } bekommt deine Frage statt einer Antwort und kann noch einmal fragen.
web-ask-back-label = Was willst du wissen?
web-ask-back-missing = Schreib zuerst deine Frage.
web-not-later = Es wird nicht später von selbst gesendet: Was du getippt hast, bleibt hier.
web-ask-back-draft = Was du ausgefüllt hast, wird nicht gesendet.
web-ask-back-send = Meine Frage senden
web-asked-back = Deine Frage ging an { $who }.
web-decline = Ablehnen
web-decline-says = { $who } erfährt, dass du das nicht beantwortest.
web-decline-label = Warum? { $who } liest es. Es kann leer bleiben.
web-decline-draft = Was du ausgefüllt hast, wird nicht gesendet.
web-decline-send = Ablehnen
web-declined = Abgelehnt. { $who } erfährt es.
web-keep-answering = Weiter antworten
web-snooze = Später
web-snooze-says = Stell die Frage zurück. Ihr Agent merkt nichts davon.
web-snooze-minutes = { $count } Minuten (bis { $at })
web-snooze-tomorrow = Morgen um 9
web-snooze-asked-again = Bis dieser Agent wieder fragt
web-snoozed = Zurückgestellt. Du findest sie unter „Zurückgestellt“.
web-snoozed-until = Zurückgestellt bis { $at }. Du findest sie unter „Zurückgestellt“.
web-wake = Zurückholen
web-back-again = Sie wartet wieder.
web-more-time = Mehr Zeit
web-more-time-done = Fünf Minuten mehr: fällig { $at }.
web-keys = Tasten
web-keys-says = Sie gelten, solange kein Text getippt wird; wo eine Frage Text will, sind Buchstaben und Zeichen Text. In den Einstellungen lassen sich einzelne Tasten abschalten.
web-name-ctrl-enter = Strg+Enter
web-name-esc = Esc
web-key-digits = eine Auswahl markieren oder nicht mehr
web-key-zero = Anderes: deine eigene Antwort
web-key-arrows = vorige oder nächste Frage
web-key-n = Notiz hinzufügen
web-key-r = nimm, was der Agent empfiehlt; R: überall, dann prüfen
web-none-recommended = Hier empfiehlt der Agent nichts.
web-key-c = rückfragen
web-key-slash = die Liste filtern
web-key-brackets = voriges oder nächstes Formular
web-key-at = wo du tippst: eine Datei im Ordner des Agenten nennen
web-key-send = weiter; am Ende senden
web-key-esc = das Feld verlassen, oder zur Liste; nichts geht verloren
web-key-help = diese Liste
web-search = Suchen
web-filters = Filter
web-clear-filters = Wieder alle zeigen
web-remove-filter = Filter { $what } entfernen
web-found-count = { $count ->
    [one] { $count } gefunden
   *[other] { $count } gefunden
}
web-all = Alle
web-always = Alles
web-between = Zwischen zwei Tagen
web-last-days = { $count ->
    [one] Letzter Tag
   *[other] Letzte { $count } Tage
}
web-facet-agent = Agent
web-facet-project = Projekt
web-facet-branch = Branch
web-facet-outcome = Stand
web-facet-recommended = Empfohlenes
web-recommended-taken = gewählt
web-recommended-not-taken = nicht gewählt
web-facet-when = Zeit
web-facet-from = Von
web-facet-until = Bis
web-facet-day = Tag
web-facet-hour = Stunde
web-facet-surface = Oberfläche
web-end-answered = beantwortet
web-end-late = spät beantwortet
web-end-declined = abgelehnt
web-end-ask-back = Rückfrage
web-end-expired = abgelaufen
web-end-withdrawn = zurückgezogen
web-end-undelivered = noch nicht abgeholt
web-export = Gefundenes exportieren:
web-nothing-over = Noch ist nichts beendet.
web-nothing-found = Nichts gefunden.
web-show-more = Mehr zeigen
web-show-all = Alles zeigen
web-answer-it = Beantworten
web-choices = { $count ->
    [one] { $count } Auswahl
   *[other] { $count } zur Auswahl
}
web-copy-markdown = Als Markdown kopieren
web-copy-reply = Das kopieren
web-what-agent-got = Was der Agent bekam
web-use-again = Diese Worte wieder verwenden
web-used-again = Deine früheren Antworten beginnen jetzt damit.
web-delete = Löschen
web-delete-says = Die Frage und ihre Antworten werden auf diesem Rechner vergessen. Das lässt sich nicht rückgängig machen.
web-delete-unheard = Ihr Agent hat es noch nicht erfahren und wird es nie.
web-delete-it = Löschen
web-keep-it = Behalten
web-deleted = Gelöscht.
web-delete-found = Gefundenes löschen
web-delete-found-says = { $count ->
    [one] { $count } Frage und ihre Antworten werden auf diesem Rechner vergessen. Das lässt sich nicht rückgängig machen.
   *[other] { $count } Fragen und ihre Antworten werden auf diesem Rechner vergessen. Das lässt sich nicht rückgängig machen.
}
web-delete-found-undelivered = { $count ->
    [one] { $count } weitere bleibt: kein Agent hat ihre Antwort bekommen. Sie lässt sich nur einzeln löschen.
   *[other] { $count } weitere bleiben: kein Agent hat ihre Antworten bekommen. Sie lassen sich nur einzeln löschen.
}
web-delete-found-none = Es gibt nichts zu löschen.
web-deleted-count = { $count ->
    [one] { $count } gelöscht.
   *[other] { $count } gelöscht.
}
web-timeline = Was wann geschah
web-shown-on = gezeigt ({ $by })
web-stats-asks = Fragen
web-stats-answered = Beantwortet
web-stats-median = Antwortzeit im Median
web-stats-p90 = Neun von zehn in
web-stats-waiting = Noch offen
web-stats-longest = Längste Wartezeit heute
web-stats-days = Fragen pro Tag
web-stats-outcomes = Wie sie endeten
web-stats-surfaces = Wo du geantwortet hast
web-stats-hours = Antwortzeit nach Tagesstunde am Computer
web-stats-agents = Eigene Worte je Agent
web-stats-agents-says = Wie oft du mit eigenen Worten geantwortet hast, obwohl es eine Auswahl gab. Ein hoher Anteil heißt: die Auswahl war schlecht.
web-stats-another = Andere Option
web-stats-own = Eigene Worte
web-stats-notes = Notizen
web-stats-ask-backs = Rückfragen
web-as-table = Als Tabelle
web-notices = Benachrichtigungen
web-notify-me = Benachrichtige mich
web-notices-default = Der Browser kann dir sagen, wenn eine Frage kommt, während diese Seite im Hintergrund ist.
web-notices-granted = Du erfährst es, wenn eine Frage kommt, während diese Seite im Hintergrund ist.
web-notices-denied = Benachrichtigungen sind für diese Seite gesperrt. Erlaube sie in den Einstellungen des Browsers für diese Adresse.
web-notices-none = Dieser Browser oder diese Verbindung kennt keine Benachrichtigungen. Das Programm selbst kann dich auf dem Desktop oder über ntfy erreichen.
web-mute = Alle Benachrichtigungen von ask-user stumm schalten
web-mute-says = Desktop, Telefon und Töne, auf jeder Oberfläche, bis du sie wieder einschaltest.
web-theme = Aussehen
web-theme-auto = Wie das System
web-theme-light = Hell
web-theme-dark = Dunkel
web-kept = Verlauf
web-kept-days = { $count ->
    [one] Eine Frage wird { $count } Tag nach ihrem Ende entfernt.
   *[other] Eine Frage wird { $count } Tage nach ihrem Ende entfernt.
}
web-kept-undelivered = Eine Antwort, die kein Agent abgeholt hat, bleibt doppelt so lange.
web-kept-for-ever = Fragen bleiben, bis du sie löschst.
web-kept-how = So steht es als history.keep_days in { $file }.
web-language = Sprache
web-language-browser = Die, um die der Browser bittet. Die Einstellung language.use in { $file } wählt eine für alle Oberflächen.
web-language-set = Gewählt mit der Einstellung language.use in { $file }.
web-shortcuts = Einzelne Tasten als Kürzel
web-shortcuts-says = 1–9, 0, n, c und andere, solange kein Text getippt wird. Wo eine Frage Text will, sind sie Text, ob an oder aus.
web-session = Dieser Browser
web-session-says = Er darf deinen Agenten antworten, bis du dich abmeldest.
web-sign-out = Abmelden
web-sessions = Browser dieses Computers
web-session-this = dieser Browser
web-session-end-says = { $name } wird sofort abgemeldet. Was dort beantwortet wurde, bleibt. `ask-user web` meldet ihn wieder an.
web-session-ended = { $name } ist abgemeldet.
web-sign-out-all = Überall abmelden
web-sign-out-all-says = Alle Browser dieses Computers, auch dieser, und alle Geräte werden sofort getrennt. Was sie beantwortet haben, bleibt.
web-pair-chip-off = Telefon: aus
web-pair-chip-on = Telefon: an
web-pair-chip-count = Telefon: { $count }
web-pair-plain = unverschlüsselt
web-pair-plain-why = Wer im selben Netz ist, kann mitlesen und an deiner Stelle handeln.
web-pair-plain-lost = Benachrichtigungen, Installieren und Kopieren per Knopf brauchen eine verschlüsselte Verbindung. Zwei Wege dahin:
web-pair-offer-https = HTTPS, mit eigenem Zertifikat oder einem Proxy, der eines hat: Wie, sagt `docs/how-to/phones.md`.
web-pair-offer-tunnel = Ein Tunnel: `tailscale serve { $port }` mit seiner Adresse in `http.public_url`, oder von einem anderen Rechner `ssh -L { $port }:127.0.0.1:{ $port } HOST`.
web-pair-title = Dieses Gerät einlassen
web-pair-where = Öffne auf dem Rechner die Einstellungen der Seite oder führe „ask-user pair“ aus. Scanne das Bild, das erscheint, oder gib hier die sechs Ziffern ein.
web-pair-code = Code
web-pair-six-digits = Der Code hat sechs Ziffern.
web-pair-name = Name dieses Geräts
web-pair-some-device = Ein Gerät
web-pair-ask = Um Einlass bitten
web-pair-asking = Wird gefragt …
web-pair-wrong-code = Das ist nicht der Code, den der Rechner gerade zeigt, oder er ist älter als drei Minuten.
web-pair-wrong-left = { $count ->
    [one] Das ist nicht der Code, den der Rechner gerade zeigt. Noch { $count } Versuch, dann zeigt er einen anderen.
   *[other] Das ist nicht der Code, den der Rechner gerade zeigt. Noch { $count } Versuche, dann zeigt er einen anderen.
}
web-pair-wrong-another = Das war der letzte Versuch für diesen Code. Der Rechner zeigt jetzt einen anderen: Tipp den ein.
web-pair-wrong-link-only = Das war der letzte Versuch: Diese Einladung nimmt keine Codes mehr. Scanne das Bild am Rechner oder erzeuge dort einen neuen Code.
web-pair-wrong-link = Dieser Link wurde schon benutzt oder ist älter als drei Minuten. Mach am Rechner einen neuen Code und scanne ihn oder gib ihn ein.
web-pair-too-many = Zu viele Versuche. Warte eine Minute und versuch es noch einmal.
web-pair-shut-out = Der Computer lässt zurzeit kein Gerät zu. Schalte es dort ein: mit „ask-user pair“ oder in den Einstellungen der Seite. Geräte, die schon zugelassen waren, brauchen keinen neuen Code.
web-pair-unreachable = Der Rechner ist nicht erreichbar. Ist dieses Gerät im selben Netz, und werden dort noch Telefone eingelassen?
web-pair-confirm = Bestätige { $number } am Rechner
web-pair-confirm-says = Der Rechner fragt jetzt, ob { $name } hereindarf. Erlaube es dort, wenn auch er { $number } zeigt.
web-pair-left = noch { $left }
web-pair-offline = Keine Verbindung zum Rechner. Es geht von selbst weiter, sobald sie wieder da ist.
web-pair-allowed = Du bist eingelassen
web-pair-refused = Der Rechner hat nein gesagt
web-pair-refused-says = Diesem Gerät wurde nichts von dir gezeigt. War es ein Versehen, bitte mit einem neuen Code noch einmal.
web-pair-over = Das hat zu lange gedauert
web-pair-over-says = Niemand hat die Zahl rechtzeitig bestätigt. Bitte mit einem neuen Code noch einmal.
web-pair-anew = Der Computer hat neu begonnen
web-pair-anew-says = Während dieses Gerät wartete, wurde ask-user am Computer neu gestartet; diese Zahl kann niemand mehr bestätigen. Frag mit einem neuen Code noch einmal.
web-pair-again = Neuen Code verwenden
web-pair-not-in = Dieses Gerät ist nicht eingelassen
web-pair-ended = Dieses Gerät ist nicht mehr eingelassen
web-pair-ended-says = Seine Zeit ist um, oder jemand am Rechner hat es beendet. Was du getippt hast, bleibt in diesem Browser und ist wieder da, sobald er eingelassen wird.
web-pair-wants = { $name } unter { $address } möchte deine Fragen beantworten.
web-pair-wants-see = { $name } unter { $address } möchte deine Fragen sehen.
web-pair-shows = Zeigt es { $number }?
web-pair-shows-this = Zeigt es diese Zahl?
web-pair-allow = Erlauben
web-pair-allow-see = Nur zusehen
web-pair-refuse = Abweisen
web-pair-done-answer = { $name } darf jetzt deine Fragen beantworten.
web-pair-done-see = { $name } darf jetzt deine Fragen sehen.
web-pair-done-refused = { $name } wurde abgewiesen.
web-pair-head = Ein Telefon antworten lassen
web-pair-says = Ein Telefon oder ein anderer Rechner in deinem Netz zeigt diese Seite auch. Herein kommt es mit einem Code, und erst, wenn du hier eine Zahl bestätigst.
web-pair-how = Wie lange, und was es darf
web-pair-address = Adresse dieses Rechners
web-pair-address-any = Die, die nach draußen führt
web-pair-length = Wie lange?
web-pair-hours = { $count ->
    [one] { $count } Stunde
   *[other] { $count } Stunden
}
web-pair-until-off = Bis ich es beende
web-pair-scope = Was darf es?
web-pair-scope-answer = Fragen beantworten
web-pair-scope-see = sie nur sehen
web-pair-may-answer = darf antworten
web-pair-may-see = sieht nur zu
web-pair-will-be-plain = Diese Verbindung ist nicht verschlüsselt.
web-pair-start = Telefon einlassen
web-pair-new = Neuer Code
web-pair-stop = Keine Telefone mehr einlassen
web-pair-on = Telefone werden eingelassen, bis du es beendest, unter
web-pair-on-until = Telefone werden bis { $at } eingelassen, unter
web-pair-used = Jeder Code lässt ein Gerät ein, einmal.
web-pair-too-late = Der Code ist zu alt. Mach einen neuen.
web-pair-qr = QR-Code des Links zu { $at }
web-pair-no-code = Es wurden zu viele falsche Codes eingegeben. Scanne das Bild oder mach einen neuen Code.
web-pair-scan = Scanne das mit der Kamera des Telefons.
web-pair-copy = Link kopieren
web-pair-or-code = Oder öffne dort { $at } und gib ein:
web-pair-devices = Geräte
web-pair-no-devices = Kein Gerät ist eingelassen.
web-pair-here = gerade hier
web-pair-last-seen = zuletzt hier { $time }
web-pair-stranded = kann nicht kommen: auf anderem Weg eingelassen
web-pair-never-seen = noch nicht hier
web-pair-until = bis { $at }
web-pair-until-revoked = bis zum Widerruf
web-pair-revoke = Widerrufen
web-pair-revoke-says = { $name } wird sofort getrennt. Was damit beantwortet wurde, bleibt. Um wiederzukommen, braucht es einen neuen Code und dein Ja.
web-pair-revoked = { $name } ist nicht mehr eingelassen.
web-pair-keep = Behalten
web-pair-this = Dieses Gerät
web-pair-this-answer = „{ $name }“ darf deinen Agenten antworten.
web-pair-this-see = „{ $name }“ darf sehen, was deine Agenten fragen, und nichts beantworten.
web-pair-this-ends = Der Rechner kann das jederzeit beenden.
web-pair-only-sees = Dieses Gerät darf Fragen nur sehen. Antworte am Rechner, oder lass das Gerät dort noch einmal ein, sodass es antworten darf.
web-chat-waiting = Warten auf den Client …
web-chat-nothing = In dieser Karte gibt es nichts zu beantworten. Was offen ist, steht in `ask-user inbox`.
web-chat-silent = Der Client gibt gerade nichts weiter. `ask-user inbox` hat die Frage auch; die erste Antwort zählt.
web-chat-cancelled = Der Aufruf des Agenten wurde abgebrochen. Du kannst noch antworten: Die Antwort bleibt, bis er wieder fragt.
web-chat-passed = Der Agent hat sie als deine Nachricht.
web-chat-not-passed = Deine Antwort bleibt, aber der Client hat sie nicht weitergegeben. Sag dem Agenten, dass du geantwortet hast.
web-chat-unsaved = Entwurf noch nicht gesichert
web-chat-about = Zu dieser Karte
web-chat-open = Im Browser öffnen
