### History and statistics.

## The screen of history.

history-title = ask Verlauf
history-looking = sehe nach ...
history-reconnecting = verbindet neu
history-search = Suche:
history-agent = Agent:
history-project = Projekt:
history-state = Stand:
history-undelivered = noch nicht abgeholt
history-period = Zeit:
history-all = alle
history-always = alles
history-days = { $count ->
    [one] letzter Tag
   *[other] letzte { $count } Tage
}
history-today = HEUTE
history-yesterday = GESTERN
history-empty = Noch ist nichts beendet.
history-nothing = Nichts gefunden.
history-asked = { $time } gefragt
history-shown = { $time } gezeigt in { $surface }
history-taken-back = { $time } Antwort zurückgenommen
history-ended = { $time } { $how }
history-note = Notiz
history-reason = Grund
history-not-sent = nicht gesendet
history-asked-back = Rückfrage
history-whole = Eine Frage aus dem Verlauf
history-stats = Statistik
history-head-answers = Was geantwortet wurde
history-head-asked = Was gefragt wurde
history-head-reply = Was der Agent bekam
history-again = In einem Textfeld beginnt { $key } jetzt mit diesen Worten.
history-again-none = Hier wurde nichts mit eigenen Worten gesagt.
history-writing = schreibe ...
history-written = { $count ->
    [one] { $count } Frage in { $path } geschrieben
   *[other] { $count } Fragen in { $path } geschrieben
}

## How an ask ended. The surfaces are terminal, plain, cli, dialog, pending, app, bridge, api, web, rpc and names of programs.

history-end-waiting = wartet
history-end-answered = { $surface ->
    [api] von einem Programm beantwortet
    [cli] per Befehl beantwortet
    [dialog] im Dialog beantwortet
    [pending] in einer Datei beantwortet
    [plain] im einfachen Modus beantwortet
    [terminal] im Terminal beantwortet
    [web] im Browser beantwortet
    [app] im Chat beantwortet
    [bridge] in der App beantwortet
    [rpc] von einem Programm beantwortet
   *[other] über { $surface } beantwortet
}
history-end-declined = { $surface ->
    [api] von einem Programm abgelehnt
    [cli] per Befehl abgelehnt
    [dialog] im Dialog abgelehnt
    [pending] in einer Datei abgelehnt
    [plain] im einfachen Modus abgelehnt
    [terminal] im Terminal abgelehnt
    [web] im Browser abgelehnt
    [app] im Chat abgelehnt
    [bridge] in der App abgelehnt
    [rpc] von einem Programm abgelehnt
   *[other] über { $surface } abgelehnt
}
history-end-declined-because = abgelehnt: „{ $reason }“
history-end-asked-back = { $surface ->
    [api] Rückfrage durch ein Programm
    [cli] Rückfrage per Befehl
    [dialog] Rückfrage im Dialog
    [pending] Rückfrage in einer Datei
    [plain] Rückfrage im einfachen Modus
    [terminal] Rückfrage im Terminal
    [web] Rückfrage im Browser
    [app] Rückfrage im Chat
    [bridge] Rückfrage in der App
    [rpc] Rückfrage durch ein Programm
   *[other] Rückfrage über { $surface }
}
history-end-expired = abgelaufen
history-end-expired-sent-late = abgelaufen, spät gesendet
history-end-expired-kept = abgelaufen, für den Agenten behalten
history-end-withdrawn = vom Agenten zurückgezogen
history-told = { $time } an den Agenten gesendet
history-told-late = { $time } spät gesendet
history-not-told = noch ungesendet

## A history as Markdown.

export-none = Keine davon.
export-unanswered = Nicht beantwortet.
export-note = Notiz: { $note }

## Statistics.

stats-asks = { $count ->
    [one] { $count } Frage
   *[other] { $count } Fragen
}
stats-brief = { $asks } · { $answered } % beantwortet · Median { $median }
stats-row = { $label }: { $value }
stats-waiting = { $count ->
    [one] { $count } wartet jetzt, seit { $longest }
   *[other] { $count } warten jetzt, längstens seit { $longest }
} · heute am längsten { $today }
stats-waiting-none = nichts wartet jetzt
stats-waiting-none-today = nichts wartet jetzt · heute am längsten { $today }
stats-outcomes = Wie sie endeten
stats-end-answered = beantwortet
stats-end-late = spät
stats-end-declined = abgelehnt
stats-end-asked-back = Rückfrage
stats-end-expired = abgelaufen
stats-end-withdrawn = zurückgezogen
stats-days = Fragen pro Tag
stats-by-surface = Antwortzeit nach Oberfläche
stats-by-hour = Antwortzeit nach Tagesstunde
stats-took = { $median }, neun von zehn in { $ninety } ({ $count })
stats-agents = Wie jedem Agenten geantwortet wird
stats-nameless = namenlos
stats-recommended = empfohlen { $part } %
stats-another = andere Option { $part } %
stats-own = eigene Worte { $part } %
stats-notes = { $count ->
    [one] { $count } Notiz
   *[other] { $count } Notizen
}
stats-ask-backs = { $count ->
    [one] { $count } Rückfrage
   *[other] { $count } Rückfragen
}
