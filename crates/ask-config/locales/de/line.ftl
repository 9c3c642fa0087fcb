### The line mode. Prompts end with a colon; a space is put behind them.

line-renumbered = Die Liste hat sich gerade geändert. Gib die Nummer noch einmal ein.
line-no-longer-asked = Das wird nicht mehr gefragt.
line-none-waits = Keine Frage wartet auf dich.
line-none-yet = Keine Frage wartet auf dich. Eine neue wird hier gemeldet.
line-waiting = { $count ->
    [one] { $count } Frage wartet:
   *[other] { $count } Fragen warten:
}
line-put-aside = { $count ->
    [one] { $count } Frage ist zurückgestellt:
   *[other] { $count } Fragen sind zurückgestellt:
}
line-late = { $count ->
    [one] { $count } Frage ist spät dran; ihr Agent wartet nicht mehr, deine Antwort wird behalten, bis er wieder fragt:
   *[other] { $count } Fragen sind spät dran; ihre Agenten warten nicht mehr, deine Antworten werden behalten, bis sie wieder fragen:
}
line-kept = { $count ->
    [one] { $count } Antwort wird behalten, bis ihr Agent sie abholt:
   *[other] { $count } Antworten werden behalten, bis ihre Agenten sie abholen:
}
line-sent = { $count ->
    [one] { $count } Antwort wird gerade gesendet:
   *[other] { $count } Antworten werden gerade gesendet:
}
line-fit = Nur, was „{ $text }“ enthält; / allein zeigt wieder alles.
line-none-fit = Keine Frage enthält „{ $text }“; / allein zeigt wieder alles.
line-row = { $number }. { $ask }
line-ask = { $who }, { $place }, { $ago }: { $title }
line-ask-anywhere = { $who }, { $ago }: { $title }
line-ask-aside = { $ask } (zurückgestellt bis { $time })
line-ask-aside-asked = { $ask } (zurückgestellt, bis wieder gefragt wird)
line-ask-due = { $ask } (fällig { $in })
line-new = Neu: { $ask }
line-back = Wartet wieder: { $ask }
line-which = Nummer der Frage zum Öffnen, ? Hilfe, q verlassen:
line-which-none = ? Hilfe, q verlassen:
line-unclear-list = { $count ->
    [0] Nicht verstanden. Keine Frage ist in der Liste; ? ist die Hilfe, q verlässt.
    [one] Nicht verstanden. Tippe 1, um die Frage zu öffnen; ? ist die Hilfe, q verlässt.
   *[other] Nicht verstanden. Tippe eine Nummer von 1 bis { $count }, um eine Frage zu öffnen; ? ist die Hilfe, q verlässt.
}
line-aside-which = Tippe s, die Nummer einer Frage und wie lange oder bis wann: s 2 15m.
line-aside-none = Ihr Agent wartet nicht: es gibt nichts zurückzustellen.
line-past-row = { $number }. { $ask } ({ $how })
line-prompt-past = Nummer zum Vorlesen, m weitere, h und Worte sucht, Enter geht zurück zur Liste:
line-unclear-past = Nicht verstanden. Tippe eine Nummer von 1 bis { $count }, m, h und Worte, oder nichts, um zurückzugehen.
line-seen = Weiter mit Enter:
line-go-on = Zum Weitergehen next tippen und Enter drücken, zum Verlassen q:
line-not-taken = Nicht gesendet: { $text }
line-words-yes = y yes j ja
line-words-no = n no nein

line-now = gerade eben
line-minutes-ago = { $count ->
    [one] vor { $count } Minute
   *[other] vor { $count } Minuten
}
line-hours-ago = { $count ->
    [one] vor { $count } Stunde
   *[other] vor { $count } Stunden
}
line-days-ago = { $count ->
    [one] vor { $count } Tag
   *[other] vor { $count } Tagen
}
line-at-today = { $time }
line-at-tomorrow = morgen um { $time }
line-at-day = { $date } um { $time }
line-in-seconds = { $count ->
    [one] in { $count } Sekunde
   *[other] in { $count } Sekunden
}
line-in-minutes = { $count ->
    [one] in { $count } Minute
   *[other] in { $count } Minuten
}
line-in-hours = { $count ->
    [one] in { $count } Stunde
   *[other] in { $count } Stunden
}
line-in-days = { $count ->
    [one] in { $count } Tag
   *[other] in { $count } Tagen
}

line-asked = Gefragt hat { $who }, { $ago }.
line-asked-project = Gefragt hat { $who } für { $project }, { $ago }.
line-asked-branch = Gefragt hat { $who }, Branch { $branch }, { $ago }.
line-asked-project-branch = Gefragt hat { $who } für { $project }, Branch { $branch }, { $ago }.
line-due = Fällig { $in }.
line-time-passed = Die Zeit des Agenten ist um; deine Antwort wird behalten, bis er wieder fragt.
line-agent-back = Der Agent wartet wieder.
line-context = Kontext: { $text }
line-context-more = Er geht weiter; i liest alle { $count } Zeilen vor.
line-context-none = Mehr gibt es nicht zu lesen.
line-quote = Zitat: { $text }
line-cell = { $name }: { $text }
line-item-done = { $mark } erledigt: { $text }
line-item-open = { $mark } offen: { $text }

line-question = Frage { $number } von { $count }.
line-question-label = Frage { $number } von { $count }, { $label }.
line-question-optional = Frage { $number } von { $count }, freiwillig.
line-question-label-optional = Frage { $number } von { $count }, { $label }, freiwillig.
line-example = Zum Beispiel: { $text }
line-option = { $number }. { $label }.
line-option-recommended = { $number }. { $label }, empfohlen.
line-option-described = { $option } { $description }.
line-option-described-whole = { $option } { $description }
line-option-preview = { $option } Hat eine Vorschau, tippe p{ $number }.
line-option-own = 0. Deine eigene Antwort.
line-options-more = { $count ->
    [one] Es gibt { $count } weitere: m liest sie vor, / und ein Wort sucht.
   *[other] Es gibt { $count } weitere: m liest weiter, / und ein Wort sucht.
}
line-options-no-more = Mehr gibt es nicht.
line-found = { $count ->
    [one] { $count } Option enthält „{ $word }“:
   *[other] { $count } Optionen enthalten „{ $word }“:
}
line-found-none = Keine Option enthält „{ $word }“.
line-preview-none = Tippe p und die Nummer einer Option mit Vorschau.
line-so-far = Deine Antwort bisher: { $answer }
line-note-so-far = Deine Notiz: { $note }
line-note-none = Es gibt keine Notiz.
line-note-all-so-far = Deine Notiz zu allen Antworten: { $note }
line-note-all-none = Es gibt keine Notiz zu allen Antworten.

line-prompt-text = Deine Antwort, mit einer leeren Zeile am Ende (/q verlassen, /x ablehnen, /c Worte rückfragen, /? Hilfe):
line-prompt-confirm = Deine Wahl (j, n, 0, q verlassen, x ablehnen, ? Hilfe):
line-prompt-confirm-several = Deine Wahl (j, n, 0, b zurück, q verlassen, x ablehnen, ? Hilfe):
line-prompt-one = Deine Wahl (Nummer, 0, q verlassen, x ablehnen, ? Hilfe):
line-prompt-one-several = Deine Wahl (Nummer, 0, b zurück, q verlassen, x ablehnen, ? Hilfe):
line-prompt-many = Deine Wahl (Nummern wie 1 3, 0, q verlassen, x ablehnen, ? Hilfe):
line-prompt-many-several = Deine Wahl (Nummern wie 1 3, 0, b zurück, q verlassen, x ablehnen, ? Hilfe):
line-prompt-own = Deine eigene Antwort, mit einer leeren Zeile am Ende:
line-prompt-own-again = Deine eigene Antwort, mit einer leeren Zeile am Ende; eine leere Zeile allein nimmt sie weg:
line-prompt-on = Schreib deine Antwort weiter, sie endet mit einer leeren Zeile:
line-prompt-path = Pfad der Datei, leer geht zurück:
line-prompt-note = Deine Notiz zu dieser Antwort, in einer Zeile; leer lässt sie, wie sie ist, - löscht sie:
line-prompt-note-all = Deine Notiz zu allen Antworten, in einer Zeile; leer lässt sie, wie sie ist, - löscht sie:
line-prompt-reason = Warum? Eine Zeile, leer heißt ohne Grund:
line-prompt-none = Nichts gewählt: noch einmal Enter heißt „keine davon“; oder wähle jetzt:
line-prompt-none-several = Nichts gewählt: noch einmal Enter heißt „keine davon“, s überspringt; oder wähle jetzt:
line-prompt-long = Die Antwort ist lang ({ $count } Zeichen). Trotzdem weiter? [J/n]
line-prompt-decline = Ohne Begründung ablehnen? j/n:
line-prompt-decline-reason = Mit der Begründung „{ $text }“ ablehnen? j/n:
line-prompt-ask-back = Statt einer Antwort zurückfragen „{ $text }“? j/n:
line-prompt-send = Senden? j, n oder eine Nummer zum Ändern (? Hilfe):
line-prompt-send-late = Als späte Antwort behalten? j, n oder eine Nummer zum Ändern (? Hilfe):
line-prompt-send-one = Senden? j, b ändern, q verlassen, ? Hilfe:
line-prompt-send-one-late = Als späte Antwort behalten? j, b ändern, q verlassen, ? Hilfe:
line-prompt-unsent = Nicht gesendet. Eine Nummer ändert eine Antwort, j sendet, q verlässt:
line-prompt-unsent-one = Nicht gesendet. b ändert sie, j sendet, q verlässt:

line-unclear-text = Nicht verstanden. Tippe deine Antwort; /? ist die Hilfe.
line-unclear-command = /{ $word } ist kein Befehl; /? sagt, welche es gibt. Um es in deine Antwort zu schreiben, setz ein Leerzeichen davor.
line-unclear-confirm = Nicht verstanden. Tippe j, n oder 0 für deine eigene Antwort; ? ist die Hilfe.
line-unclear-one = Nicht verstanden. Tippe eine Nummer von 1 bis { $count } oder 0 für deine eigene Antwort; ? ist die Hilfe.
line-unclear-many = Nicht verstanden. Tippe Nummern von 1 bis { $count } wie in 1 3 oder 0 für deine eigene Antwort; ? ist die Hilfe.
line-unclear-review = Nicht verstanden. Tippe j zum Senden, n für nicht senden oder die Nummer einer Antwort zum Ändern; ? ist die Hilfe.
line-unclear-review-one = Nicht verstanden. Tippe j zum Senden, b zum Ändern deiner Antwort oder q zum Verlassen; ? ist die Hilfe.
line-letter-taken = { $letter } allein ist hier ein Befehl. Zum Antworten tippe das ganze Wort, oder y oder n.
line-ask-back-how = Tippe { $slash }c und deine Frage in eine Zeile.
line-no-own = Keine eigene Antwort.
line-own-off = Deine eigene Antwort ist weggenommen.
line-cut = Ein Terminal nimmt 4.095 Bytes einer Zeile: was du danach getippt hast, ist verloren. Schreib eine lange Antwort in mehreren Zeilen oder in deinem Editor: { $slash }e.
line-left-out = Die Antwort ist zu lang: die letzten { $count } Zeichen fallen weg.
line-needed = Hier muss eine Antwort her; { $slash }x lehnt ab, { $slash }q lässt die Frage warten.
line-recommended-none = Hier ist nichts empfohlen.
line-aside-how = Tippe { $slash }s und wie lange oder bis wann: { $slash }s 15m, { $slash }s 2h, { $slash }s 14:30, { $slash }s tomorrow, { $slash }s asked-again.
line-aside = { $title }: zurückgestellt bis { $time }.
line-aside-asked = { $title }: zurückgestellt, bis wieder gefragt wird.
line-deadline-none = Es gibt keine Frist: die Frage wartet auf dich.
line-more-time = Jetzt ist mehr Zeit: fällig { $in }, Frist bis { $at }.
line-more-typing = Weil du tippst, ist mehr Zeit: fällig { $in }, Frist bis { $at }.
line-more-none = Mehr Zeit ist nicht zu haben: fällig { $in }, Frist bis { $at }.
line-more-how = Tippe { $slash }+ allein, oder { $slash }+ und wie viel Zeit mehr: { $slash }+ 10m.
line-editor-none = Ein Editor braucht ein Terminal; tippe deine Antwort hier.
line-earlier = o{ $number }. { $answer }
line-earlier-which = Tippe { $slash }o, um deine früheren Antworten zu hören, { $slash }o und eine Nummer, um eine noch einmal zu geben.
line-earlier-answer-how = Tippe { $slash }u, um das einzutragen; gesendet wird damit nichts.
line-attach-where = Eine Datei gehört zu einer Antwort: tippe erst deren Nummer, dann häng sie an.
line-attached = Angehängt: { $file }.
line-attached-none = Hier ist keine Datei angehängt.
line-detached = Abgenommen: { $file }.
line-file = @{ $number }. { $file }
line-files-more = { $count ->
    [one] { $count } weitere passt; tippe mehr Buchstaben.
   *[other] { $count } weitere passen; tippe mehr Buchstaben.
}
line-files-none = Keine Datei passt.
line-files-how = Tippe @ und eine Nummer, wo du diese Datei nennst, wie in: siehe @1.
line-files-named = Mit der Datei: { $text }
line-files-nowhere = Niemand weiß, in welchem Ordner gefragt wird, also gibt es keine Dateien vorzulesen.

line-help =
    Eine Nummer wählt; 0 ist deine eigene Antwort. Eine leere Zeile behält oder überspringt eine Antwort.
    Wo mehrere gehen, wählen Nummern wie in 1 3, - nimmt sie weg; 0 fügt deine eigene Antwort hinzu.
    b geht zurück, q verlässt und behält deinen Entwurf, x lehnt ab, x und Worte mit dieser Begründung,
    c und eine Frage fragt beim Agenten zurück, a liest die Frage noch einmal vor.
    n und Worte notiert etwas zu dieser Antwort, N und Worte zu allen.
    r nimmt, was empfohlen ist, R tut das für alle offenen Fragen.
    u trägt ein, was du kurz zuvor auf dieselbe Frage geantwortet hast.
    i liest den ganzen Kontext vor, p und eine Nummer die Vorschau einer Option,
    m weitere Optionen, / und ein Wort sucht welche. e öffnet deinen Editor für deine eigene Antwort,
    o liest deine früheren vor.
    s stellt die Frage zurück (s 15m, s 14:30, s tomorrow), + nimmt mehr Zeit für sie (+ 10m).
    f und ein Pfad hängt eine Datei an, v das Bild oder die Datei, die du kopiert hast, f - nimmt die letzte ab.
    @ und ein paar Buchstaben liest Dateien des Projekts vor; @ und eine Nummer nennt dann eine in einer Antwort.
line-help-text =
    Was du tippst, ist deine Antwort; eine leere Zeile beendet sie oder überspringt die Frage, wo das geht.
    Befehle beginnen mit einem Schrägstrich: /b geht zurück, /q verlässt und behält deinen Entwurf,
    /x lehnt ab, /x und Worte mit dieser Begründung, /c und eine Frage fragt beim Agenten zurück, /a liest die Frage noch einmal vor.
    /n und Worte notiert etwas zu dieser Antwort, /N und Worte zu allen.
    /R nimmt für alle offenen Fragen, was empfohlen ist.
    /u trägt ein, was du kurz zuvor auf dieselbe Frage geantwortet hast.
    /i liest den ganzen Kontext vor, /e öffnet deinen Editor für die Antwort, /o liest deine früheren vor.
    /s stellt die Frage zurück (/s 15m, /s 14:30, /s tomorrow), /+ nimmt mehr Zeit für sie (/+ 10m).
    /f und ein Pfad hängt eine Datei an, /v das Bild oder die Datei, die du kopiert hast, /f - nimmt die letzte ab.
    /@ und ein paar Buchstaben liest Dateien des Projekts vor; @ und eine Nummer nennt dann eine in deiner Antwort.
    Eine Zeile deiner Antwort, die mit Schrägstrich und Wort beginnt, tippst du mit einem Leerzeichen vor dem Schrägstrich.
line-help-review =
    j sendet, n sendet nicht. Die Nummer einer Antwort ändert sie, b geht zur letzten Frage zurück.
    q verlässt und behält deinen Entwurf, x lehnt ab, x und Worte mit dieser Begründung,
    c und eine Frage fragt beim Agenten zurück, a liest deine Antworten noch einmal vor.
    n und Worte notiert etwas zu allen Antworten. R nimmt für alle offenen Fragen, was empfohlen ist.
    u trägt ein, was du kurz zuvor auf dieselbe Frage geantwortet hast.
    i liest den ganzen Kontext vor. s stellt die Frage zurück (s 15m, s 14:30, s tomorrow),
    + nimmt mehr Zeit für sie (+ 10m).
line-help-list =
    Eine Nummer öffnet eine Frage. q verlässt. Eine leere Zeile liest die Liste noch einmal vor.
    s, eine Nummer und eine Dauer stellt eine Frage zurück (s 2 15m, s 2 tomorrow), s und ihre Nummer holt sie wieder her.
    x und eine Nummer lehnt eine Frage ab, mit Worten dahinter als Begründung; du wirst gefragt, bevor das hinausgeht.
    u nimmt die zuletzt gesendete Antwort zurück, u und eine Zahl die dieser Frage, bis ihr Agent sie hat.
    / und Worte lässt nur Fragen mit ihnen übrig, / allein zeigt wieder alles.
    h liest vor, was vorbei ist, h und Worte sucht darin. S liest die Statistik vor.
    m schaltet Meldungen stumm und wieder an.

line-review = Deine Antworten:
line-review-row = { $number }. { $question }: { $answer }
line-review-note = Notiz zu allen: { $note }
line-noted = { $answer } (Notiz: { $note })
line-unanswered = nicht beantwortet
line-unanswered-optional = nicht beantwortet, freiwillig
line-missing = { $count ->
    [one] { $count } Frage hat keine Antwort. Nötig: { $names }.
   *[other] { $count } Fragen haben keine Antwort. Nötig: { $names }.
}
line-said = Deine Antwort: { $answer }
line-left-waiting = Wartet weiter; dein Entwurf bleibt.
line-left-unsaved = Wartet weiter; was du geschrieben hast, ist nicht gespeichert.
line-nothing-sent = Nichts wurde gesendet.
line-not-sent = Nicht gesendet: { $problem }.
line-not-sent-try = Nicht gesendet: { $problem }. Deine Antworten sind noch da; versuch es noch einmal.
line-unsent = Das hattest du:
