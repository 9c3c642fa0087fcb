### Words that several surfaces share: who asks, how it ended, what was answered.

## Who asks

shared-an-agent = ein Agent
shared-agent-left = Der Agent wartet nicht mehr; deine Antwort wird behalten.
# $ago is a short time as in "2m" or "1h".
shared-earlier-answer = Das hast du vor { $ago } beantwortet: { $answer }
shared-earlier-answer-none = Hier gibt es keine frühere Antwort einzutragen.
shared-filled-in-below = Nicht von dir ausgefüllt, sondern von einem Programm unterhalb von { $agent }: vor dem Senden prüfen.
shared-filled-in-by = Nicht von dir ausgefüllt, sondern von einem Programm unterhalb von { $agent }.

## What can be chosen

shared-other = Anderes (Antwort eintippen)
shared-yes = Ja
shared-no = Nein
shared-none-of-these = keine davon
# Behind what was chosen: the person's own words besides.
shared-own-answer = + eigene Antwort: { $words }
# Between the thousands of a number.
shared-thousands-mark = .

## While answers are given

shared-field-full = Das Feld ist voll (256 KiB): was danach kommt, fehlt.
shared-not-sent = Von deinem Text wurde nichts gesendet.
shared-nothing-chosen = Nichts gewählt: noch einmal { $enter } sendet „keine davon“
# The same where other questions follow.
shared-nothing-chosen-here = Nichts gewählt: noch einmal { $enter } heißt „keine davon“, { $tab } geht ohne weiter

## How an ask was closed. $surface is where: terminal, plain, cli, dialog, pending, api, app, bridge, web, rpc, "none", or another that $name names; $at is the time of day.

shared-closed-answered = { $surface ->
    [none] BEANTWORTET  { $at }
    [cli] BEANTWORTET PER BEFEHL  { $at }
    [dialog] BEANTWORTET IM DIALOG  { $at }
    [pending] BEANTWORTET IN EINER DATEI  { $at }
    [plain] BEANTWORTET IM EINFACHEN MODUS  { $at }
    [terminal] BEANTWORTET IM TERMINAL  { $at }
    [api] BEANTWORTET VON EINEM PROGRAMM  { $at }
    [app] BEANTWORTET IM CHAT  { $at }
    [bridge] BEANTWORTET IN DER APP  { $at }
    [rpc] BEANTWORTET VON EINEM PROGRAMM  { $at }
    [web] BEANTWORTET IM BROWSER  { $at }
   *[other] BEANTWORTET ÜBER { $name }  { $at }
}
shared-closed-declined = { $surface ->
    [none] ABGELEHNT  { $at }
    [cli] ABGELEHNT PER BEFEHL  { $at }
    [dialog] ABGELEHNT IM DIALOG  { $at }
    [pending] ABGELEHNT IN EINER DATEI  { $at }
    [plain] ABGELEHNT IM EINFACHEN MODUS  { $at }
    [terminal] ABGELEHNT IM TERMINAL  { $at }
    [api] ABGELEHNT ABGELEHNTON EINEM PROGRAMM  { $at }
    [app] ABGELEHNT IM CHAT  { $at }
    [bridge] ABGELEHNT IN DER APP  { $at }
    [rpc] ABGELEHNT ABGELEHNTON EINEM PROGRAMM  { $at }
    [web] ABGELEHNT IM BROWSER  { $at }
   *[other] ABGELEHNT ÜBER { $name }  { $at }
}
shared-closed-asked-back = { $surface ->
    [none] RÜCKFRAGE  { $at }
    [cli] RÜCKFRAGE PER BEFEHL  { $at }
    [dialog] RÜCKFRAGE IM DIALOG  { $at }
    [pending] RÜCKFRAGE IN EINER DATEI  { $at }
    [plain] RÜCKFRAGE IM EINFACHEN MODUS  { $at }
    [terminal] RÜCKFRAGE IM TERMINAL  { $at }
    [api] RÜCKFRAGE DURCH EIN PROGRAMM  { $at }
    [app] RÜCKFRAGE IM CHAT  { $at }
    [bridge] RÜCKFRAGE IN DER APP  { $at }
    [rpc] RÜCKFRAGE DURCH EIN PROGRAMM  { $at }
    [web] RÜCKFRAGE IM BROWSER  { $at }
   *[other] RÜCKFRAGE ÜBER { $name }  { $at }
}
shared-closed-expired = ABGELAUFEN  { $at }
shared-closed-withdrawn = VOM AGENTEN ZURÜCKGEZOGEN  { $at }
shared-no-reason = Ohne Begründung.
shared-reason = Grund: { $reason }
shared-asked-back = Rückfrage: { $words }
shared-time-passed = Die Zeit des Agenten ist um; nur das hat er erfahren.
shared-taken-back = Der Agent hat die Frage zurückgezogen.

## What became of what the person just did. $who is who asks.

shared-done-waiting = Wartet weiter; dein Entwurf bleibt.
shared-done-answered = Antwort gesendet; { $who } bekommt sie.
shared-done-declined = Abgelehnt; { $who } erfährt es.
shared-done-asked-back = Frage gesendet; { $who } bekommt sie.
shared-done-expired = Abgelaufen.
shared-done-withdrawn = Der Agent hat sie zurückgezogen.
shared-kept-answer = Antwort behalten; { $who } wartet nicht mehr.
shared-kept-no = Ablehnung behalten; { $who } wartet nicht mehr.
shared-kept-question = Rückfrage behalten; { $who } wartet nicht mehr.

## Lengths of time, as narrow as people write them: they stand in columns. $rest has two digits.

shared-seconds = { $count } s
shared-minutes = { $count } Min.
shared-hours = { $count } Std.
shared-days = { $count } Tg.
shared-minutes-seconds = { $whole } min { $rest } s
shared-hours-minutes = { $whole } h { $rest } min
shared-days-hours = { $whole } d { $rest } h
shared-day = { $day }.{ $month }.

## Where something was done or shown, where it is named alone.

shared-below-agent = unterhalb von { $agent } gestartet
shared-surface = { $surface ->
    [api] Programm
    [app] Chat
    [bridge] App
    [cli] Befehlszeile
    [dialog] Dialog
    [pending] Datei
    [plain] einfacher Modus
    [rpc] Programm
    [terminal] Terminal
    [web] Browser
   *[other] { $surface }
}
