### Words that several surfaces share: who asks, how it ended, what was answered.

## Who asks

shared-an-agent = un agente
shared-agent-left = El agente ya no espera; tu respuesta se guardará.
# $ago is a short time as in "2m" or "1h".
shared-earlier-answer = Respondiste esto hace { $ago }: { $answer }
shared-earlier-answer-none = Aquí no hay ninguna respuesta anterior con la que rellenar.
shared-filled-in-below = No lo has rellenado tú, sino un programa bajo { $agent }: compruébalo antes de enviar.
shared-filled-in-by = No lo has rellenado tú, sino un programa bajo { $agent }.

## What can be chosen

shared-other = Otra (escribe tu respuesta)
shared-yes = Sí
shared-no = No
shared-none-of-these = ninguna de estas
# Behind what was chosen: the person's own words besides.
shared-own-answer = + respuesta propia: { $words }
# Between the thousands of a number.
shared-thousands-mark = { "\u00A0" }

## While answers are given

shared-field-full = El campo está lleno (256 KiB): lo que sigue se omite.
shared-not-sent = No se envió nada de lo que escribiste.
shared-nothing-chosen = Nada elegido: { $enter } otra vez envía «ninguna de estas»
# The same where other questions follow.
shared-nothing-chosen-here = Nada elegido: { $enter } otra vez dice «ninguna de estas», { $tab } sigue sin ello

## How an ask was closed. $surface is where: terminal, plain, cli, dialog, pending, api, app, bridge, web, rpc, "none", or another that $name names; $at is the time of day.

shared-closed-answered = { $surface ->
    [none] RESPONDIDA  { $at }
    [cli] RESPONDIDA POR COMANDO  { $at }
    [dialog] RESPONDIDA EN SU DIÁLOGO  { $at }
    [pending] RESPONDIDA EN UN ARCHIVO  { $at }
    [plain] RESPONDIDA EN MODO SIMPLE  { $at }
    [terminal] RESPONDIDA EN LA TERMINAL  { $at }
    [api] RESPONDIDA POR UN PROGRAMA  { $at }
    [app] RESPONDIDA EN EL CHAT  { $at }
    [bridge] RESPONDIDA EN LA APLICACIÓN  { $at }
    [rpc] RESPONDIDA POR UN PROGRAMA  { $at }
    [web] RESPONDIDA EN EL NARESPONDIDAEGADOR  { $at }
   *[other] RESPONDIDA EN { $name }  { $at }
}
shared-closed-declined = { $surface ->
    [none] RECHAZADA  { $at }
    [cli] RECHAZADA POR COMANDO  { $at }
    [dialog] RECHAZADA EN SU DIÁLOGO  { $at }
    [pending] RECHAZADA EN UN ARCHIVO  { $at }
    [plain] RECHAZADA EN MODO SIMPLE  { $at }
    [terminal] RECHAZADA EN LA TERMINAL  { $at }
    [api] RECHAZADA POR UN PROGRAMA  { $at }
    [app] RECHAZADA EN EL CHAT  { $at }
    [bridge] RECHAZADA EN LA APLICACIÓN  { $at }
    [rpc] RECHAZADA POR UN PROGRAMA  { $at }
    [web] RECHAZADA EN EL NARECHAZADAEGADOR  { $at }
   *[other] RECHAZADA EN { $name }  { $at }
}
shared-closed-asked-back = { $surface ->
    [none] REPREGUNTA  { $at }
    [cli] REPREGUNTA POR COMANDO  { $at }
    [dialog] REPREGUNTA EN SU DIÁLOGO  { $at }
    [pending] REPREGUNTA EN UN ARCHIVO  { $at }
    [plain] REPREGUNTA EN MODO SIMPLE  { $at }
    [terminal] REPREGUNTA EN LA TERMINAL  { $at }
    [api] REPREGUNTA POR UN PROGRAMA  { $at }
    [app] REPREGUNTA EN EL CHAT  { $at }
    [bridge] REPREGUNTA EN LA APLICACIÓN  { $at }
    [rpc] REPREGUNTA POR UN PROGRAMA  { $at }
    [web] REPREGUNTA EN EL NAREPREGUNTAEGADOR  { $at }
   *[other] REPREGUNTA EN { $name }  { $at }
}
shared-closed-expired = CADUCADA  { $at }
shared-closed-withdrawn = RETIRADA POR EL AGENTE  { $at }
shared-no-reason = Sin motivo.
shared-reason = Motivo: { $reason }
shared-asked-back = Repregunta: { $words }
shared-time-passed = Se acabó el tiempo del agente; solo se le dijo eso.
shared-taken-back = El agente retiró la pregunta.

## What became of what the person just did. $who is who asks.

shared-done-waiting = Sigue en espera; tu borrador se guarda.
shared-done-answered = Respuesta enviada a { $who }.
shared-done-declined = Rechazada; se avisa a { $who }.
shared-done-asked-back = Tu pregunta se envió a { $who }.
shared-done-expired = Caducó.
shared-done-withdrawn = El agente la retiró.
shared-kept-answer = Respuesta guardada para { $who }, que ya no espera.
shared-kept-no = Tu rechazo se guarda para { $who }, que ya no espera.
shared-kept-question = Tu pregunta se guarda para { $who }, que ya no espera.

## Lengths of time, as narrow as people write them: they stand in columns. $rest has two digits.

shared-seconds = { $count } s
shared-minutes = { $count } min
shared-hours = { $count } h
shared-days = { $count } d
shared-minutes-seconds = { $whole } min { $rest } s
shared-hours-minutes = { $whole } h { $rest } min
shared-days-hours = { $whole } d { $rest } h
shared-day = { $day }/{ $month }

## Where something was done or shown, where it is named alone.

shared-below-agent = iniciado bajo { $agent }
shared-surface = { $surface ->
    [api] programa
    [app] chat
    [bridge] aplicación
    [cli] línea de comandos
    [dialog] diálogo
    [pending] archivo
    [plain] modo simple
    [rpc] programa
    [terminal] terminal
    [web] navegador
   *[other] { $surface }
}
