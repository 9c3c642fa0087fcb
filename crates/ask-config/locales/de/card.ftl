### A card: its tabs, rows, notes, review, dialogs and notices.

## Notes, filter, recommended

card-your-note = deine Notiz
card-note = Notiz: „{ $note }“
card-note-key = Notiz: „{ $note }“  ({ $key } ändert)
card-no-note = Notiz: keine
card-no-note-key = Notiz: keine  ({ $key } für eine)
card-your-note-for-all = deine Notiz zu allen Antworten
card-note-for-all = { $key }  Notiz zu allen Antworten: „{ $note }“
card-no-note-for-all = { $key }  Notiz zu allen Antworten: keine
card-filter = Filter:
card-filter-count = { $shown } von { $offered }
card-none-recommended = Hier empfiehlt der Agent nichts.
card-none-recommended-at-all = Wo eine Antwort fehlt, ist nichts empfohlen.
card-earlier-answer = Das hast du vor { $ago } beantwortet: { $answer } ({ $key } trägt sie ein)
card-earlier-answer-narrow = { $key } trägt ein: { $answer }

## Copies

card-copied = Kopiert, falls dein Terminal es erlaubt.
card-too-long-to-copy = Zu lang zum Kopieren.
card-not-answered = nicht beantwortet
card-note-beside = Notiz: { $note }

## The review

card-review = Deine Antworten prüfen
card-missing = ! nicht beantwortet
card-left-out = nicht beantwortet (freiwillig)
card-gaps = { $count ->
    [one] ! 1 Frage hat keine Antwort. Nötig: { $names }
   *[other] ! { $count } Fragen haben keine Antwort. Nötig: { $names }
}
card-button-send = { $count ->
    [0] Ohne Antworten senden
    [one] 1 Antwort senden
   *[other] { $count } Antworten senden
}
card-button-anyway = { $count ->
    [one] 1 Antwort trotzdem senden
   *[other] { $count } Antworten trotzdem senden
}
card-button-anyway-short = { $count } trotzdem senden
card-just-told = Der Agent erfährt gerade, dass seine Zeit um ist: noch einmal senden behält deine Antwort.
card-button-late = Als späte Antwort behalten
card-button-late-anyway = { $count ->
    [one] 1 Antwort als spät behalten
   *[other] { $count } Antworten als spät behalten
}
card-button-late-anyway-short = { $count } spät behalten
card-button-go-to = Zu { $name }

## What agents say

# In an agent's text: an image is not shown, what it is said to show is.
card-image = [Bild: { $alt }]
card-image-unnamed = [Bild]

card-yes-no = Ja / Nein
card-gone = Nicht mehr da.
# What a window shows of a long text.
card-lines = Zeilen { $first }-{ $last } von { $total }
# Behind a question, in parentheses.
card-choose-any = { $chosen ->
    [0] (beliebig viele)
   *[other] (beliebig viele; { $chosen } gewählt)
}
card-optional = (freiwillig)

## The rows of a question

card-yes = Ja
card-no = Nein
# Behind a label.
card-recommended = (Empfohlen)
card-recommended-short = (empf.)
card-chosen = ✓ gewählt
# Before what was typed and is not part of the answer.
card-kept = (behalten, nicht gewählt) { $text }
card-your-answer = deine Antwort
card-your-own-answer = deine eigene Antwort
# At the right end of a field's frame. $chars is a number, written out.
card-field-size = { $lines ->
    [1] { $chars }
   *[other] { $lines } Zeilen, { $chars }
}
card-more-above = ↑ { $count } weitere...
card-more-below = ↓ { $count } weitere...
# On the frame of the list: where the cursor stands.
card-row-of = { $row } von { $rows }

## What a choice would look like

card-preview = Vorschau: { $choice }
# The same where the cursor is on Other, which has none.
card-preview-of-other = Vorschau
card-preview-none = keine Vorschau
# Where there is no room for it. $key opens it.
card-preview-line = { $lines ->
    [one] { $key } Vorschau ({ $lines } Zeile)
   *[other] { $key } Vorschau ({ $lines } Zeilen)
}

## A question that is longer than its place

# $down and $up are keys, or "none" where they turn a preview; $read is the key that shows everything.
card-prose-below = ↓ { $below ->
    [one] { $below } weitere Zeile
   *[other] { $below } weitere Zeilen
} ({ $down ->
    [none] { $read } zeigt alles
   *[other] { $down }, { $read } zeigt alles
})
card-prose-above = ↑ { $above ->
    [one] { $above } weitere Zeile
   *[other] { $above } weitere Zeilen
} ({ $up ->
    [none] { $read }
   *[other] { $up }
})
card-prose-both = ↑ { $above }  ↓ { $below ->
    [one] { $below } weitere Zeile
   *[other] { $below } weitere Zeilen
}

## What is said above the hints

card-sending = Wird gesendet ...
card-reconnecting = Neu verbinden; tippe weiter, nichts geht verloren.

## Who asks, and the tabs

card-asked = vor { $age } gefragt
card-waits = wartet auf dich
card-waits-no-more = Agent wartet nicht mehr
card-due = fällig
card-due-in = fällig in { $left }
card-link-down = verbindet neu
card-draft-saved = Entwurf { $at } gesichert
card-submit = Senden
card-place = { $at }/{ $all }
card-tabs-given = { $given ->
    [one] { $given } Antwort →
   *[other] { $given } Antworten →
}

## Where nothing fits

card-too-small = Terminal zu klein ({ $columns }x{ $rows }): braucht { $least-columns }x{ $least-rows }; { $enter } für einfache Zeilen

## Before an ask is left. $given of $asked questions have answers.

card-discard-typed = Getipptes verwerfen?
card-discard-nothing = Diese Frage verlassen?
card-discard-answers = { $given ->
    [one] { $given } Antwort verwerfen?
   *[other] { $given } Antworten verwerfen?
}
card-discard-given = { $asked ->
    [one] Du hast { $given } von { $asked } Frage beantwortet.
   *[other] Du hast { $given } von { $asked } Fragen beantwortet.
}
card-agent-waits = Der Agent wartet noch.
card-agent-stopped = Der Agent wartet nicht mehr.
card-discard-stay = Weiter antworten
card-discard-leave = Warten lassen; Entwurf behalten
card-discard-leave-list = Warten lassen; Entwurf behalten, zurück zur Liste
card-discard-leave-short = Warten, Entwurf bleibt
card-discard-cancel = Verwerfen und abbrechen; der Agent erfährt es
card-discard-cancel-short = Verwerfen, abbrechen
card-discard-decline = Mit Begründung ablehnen ...
card-discard-hand-back = Zurück an den Dialog des Clients
card-handed-back = Zurückgegeben: { $who } fragt im eigenen Dialog.
card-said-held = { $said } { $key } nimmt es zurück.
# $last is the number of the last way: 4, or 5 where the ask can be given back to its client.
card-discard-safe = { $ways ->
    [3] Nichts wird gesendet, bis du { $cancel }, { $decline } oder { $back } wählst.
   *[other] Nichts wird gesendet, bis du { $cancel } oder { $decline } wählst.
}

## Declining, and asking back

card-decline = Ablehnen
card-decline-why = Warum? Der Agent liest es. Leer heißt: kein Grund.
card-decline-hint = dein Grund
card-ask-back = Rückfrage
card-ask-back-what = Was willst du wissen? Der Agent bekommt das statt einer Antwort.
card-ask-back-hint = deine Frage

## A long answer. $chars is a number, written out.

card-long = Eine lange Antwort
card-long-sure = Die Antwort ist lang ({ $chars } Zeichen). Trotzdem weiter? [Y/n]

## Going on, and what became of it

# $why is a sentence without its full stop, in English.
card-not-sent = Nicht gesendet: { $why }.
card-filled-in-cut = Nicht gesendet: Dieser Bildschirm ist zu klein für alles, was ein Programm ausgefüllt hat. Vergrößere ihn oder nimm die Seite.
card-not-sent-try-again = Nicht gesendet: { $why }. Deine Antworten sind noch da; versuch es noch einmal.
card-nothing-typed-yet = Noch nichts getippt: tippe eine Antwort oder lehne ab.
card-nothing-typed = Nichts getippt: noch einmal { $enter } sendet keine Antwort
card-somebody-first = Jemand war schneller; nichts wurde gesendet.
card-closed-elsewhere = Die Frage wurde anderswo beendet; nichts wurde gesendet.
card-no-longer-asked = NICHT MEHR GEFRAGT
# $key is a key, as in Alt+Up.
card-words-kept = Dein Text ist nicht weg: { $key } in einem Textfeld holt ihn zurück.
card-words-printed = Dein Text ist nicht weg: er steht da, wenn du gehst.
card-too-soon = Die Taste kam zu früh und tat nichts; was du getippt hast, bleibt.
card-your-draft = Dein Entwurf:
# $names are the questions where it differs.
card-draft-differs = Dein Entwurf hier war anders: { $names }
