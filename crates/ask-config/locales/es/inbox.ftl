### The list of asks.

## Its head. Counts stand side by side, with dots between them.

inbox-looking = buscando ...
inbox-reconnecting = reconectando
inbox-muted = en silencio
# $address is where the page is, as 127.0.0.1:4127.
inbox-web = web { $address }
inbox-count-waiting = { $count } en espera
inbox-count-snoozed = { $count ->
    [one] { $count } aplazada
   *[other] { $count } aplazadas
}
inbox-count-late = { $count ->
    [one] { $count } tardía
   *[other] { $count } tardías
}
inbox-count-answered = { $count ->
    [one] { $count } respondida hoy
   *[other] { $count } respondidas hoy
}
inbox-fit = { $count } de { $all }

## Its groups

inbox-group-waiting = EN ESPERA
inbox-group-snoozed = APLAZADAS
inbox-group-late = TARDÍAS  el agente ya no espera; la respuesta se guarda hasta que vuelva a preguntar
inbox-group-kept = GUARDADAS  respondidas; el agente aún no las ha recogido
inbox-group-sent = ENVIADAS  el agente las recibe enseguida
# The same in at most 40 columns.
inbox-group-late-short = TARDÍAS  el agente ya no espera
inbox-group-kept-short = GUARDADAS  aún sin recoger
inbox-sorted = orden: plazo, luego antigüedad

## Where it is empty

inbox-none = Ninguna pregunta te espera.
inbox-none-yet = Si llega una, aparece aquí sola.
inbox-none-fit = Nada coincide.
inbox-none-fit-yet = { $key } vuelve a mostrar todo.

## What kind of question it is, in at most ten columns.

inbox-kind-confirm = sí/no
inbox-kind-one = 1 opción
inbox-kind-many = 1 múltiple
inbox-kind-text = 1 texto
inbox-kind-several = { $count } pestañas

## What is worth knowing about an ask, in at most eleven columns. $at is a time of day.

inbox-mark-back = hasta { $at }
inbox-mark-back-when-asked = si pregunta
inbox-mark-answered = respondida
inbox-mark-declined = rechazada
inbox-mark-asked-back = repregunta
inbox-mark-expired = caducada
inbox-mark-withdrawn = retirada
# In place of these: a program that an agent had started closed the ask.
inbox-mark-below-agent = bajo agente
inbox-mark-due = vencida
inbox-mark-due-in = quedan { $time }
inbox-mark-dialog = también ahí
inbox-mark-handed = en cliente
inbox-mark-draft = borr. { $given }/{ $asked }
inbox-mark-asked-again = otra vez
inbox-mark-preview = vista prev.

## The ask under the cursor: who asks, where, and what.

inbox-asked-by = pregunta de { $name }
inbox-asked-by-client = pregunta de { $name } (nombre enviado por el cliente)
inbox-asked-from-shell = pregunta desde una shell
inbox-calls-itself = se llama «{ $agent }»
inbox-session = sesión { $session }
inbox-branch = rama { $branch }
inbox-this-machine = esta máquina
inbox-context = Contexto
inbox-question = Pregunta
inbox-asked-again = El agente ha vuelto a preguntar esto.
inbox-in-dialog = También se muestra en { $client }; cuenta la primera respuesta.
inbox-in-client = Se está preguntando en { $client }; una respuesta aquí se guarda y cuenta cuando vuelva.
inbox-snoozed-until = La aplazaste hasta { $at }; { $key } la recupera.
inbox-snoozed-until-asked = La aplazaste hasta que su agente vuelva a preguntar; { $key } la recupera.
# Under a text that is longer than the room for it.
inbox-read-all = { $key } leer todo ({ $count } líneas)

## Putting aside, in a dialog. $at is a time of day.

inbox-snooze-title = Aplazar; su agente no nota nada
inbox-snooze-minutes = { $count } minutos (hasta las { $at })
inbox-snooze-hour = 1 hora (hasta las { $at })
# The same where there is no room for the time of day.
inbox-snooze-minutes-short = { $count } minutos
inbox-snooze-hour-short = 1 hora
inbox-snooze-tomorrow = Mañana { $at }
inbox-snooze-asked-again = Hasta que este agente vuelva a preguntar
inbox-snooze-says = La encuentras en APLAZADAS; { $key } la recupera.
inbox-sessions = Quién tiene sesión en la página
inbox-sessions-none = Ningún navegador tiene sesión; { $key } muestra un enlace que la abre.
inbox-sessions-here = aquí ahora
inbox-sessions-seen = visto { $at }
inbox-sessions-all = Cerrar todas las sesiones
inbox-sessions-sure = ¿Cerrar la sesión de { $name }? Se corta al instante; lo que respondió se conserva. { $key } lo hace.
inbox-sessions-sure-all = ¿Cerrar la sesión de todos los navegadores de este ordenador y desconectar todos los dispositivos? Lo que respondieron se conserva. { $key } lo hace.

## What became of what was just done

inbox-said-snoozed = Aplazada hasta { $at }; { $key } la recupera.
inbox-said-snoozed-until-asked = Aplazada hasta que su agente vuelva a preguntar; { $key } la recupera.
inbox-said-back = Vuelve a estar en espera.
inbox-said-more-time = { $time } más: vence { $at }.
inbox-said-typing = { $time } más porque estás escribiendo: vence { $at }.
inbox-said-no-more-time = No se puede pedir más tiempo: vence { $at }.
inbox-said-no-deadline = No tiene plazo: espera hasta que respondas.
inbox-said-nothing-to-take-back = No hay respuesta que retirar.
inbox-said-taken-back = Retirada: no se envió nada. Cámbiala y envíala de nuevo.
inbox-said-web-none = No hay página web: http.enabled es false.
inbox-said-web-narrow = El enlace es más ancho que esta terminal: `ask-user web` lo muestra.
# $why is a sentence without its full stop, in English.
inbox-said-web-failed = No hay enlace a la página web: { $why }
inbox-said-muted = Notificaciones en silencio; { $key } las reactiva.
inbox-said-unmuted = Las notificaciones están activas de nuevo.
inbox-said-failed = No funcionó: { $why }.
inbox-said-damage = Un almacén se dañó o se perdió: lo que había en él no está aquí. `ask-user doctor` dice más.
inbox-said-settings = config.toml: { $count ->
    [one] 1 ajuste no se puede usar
   *[other] { $count } ajustes no se pueden usar
}; `ask-user doctor` dice más.

## A card whose ask is filled in elsewhere, too. $surface is where, $at the time of day.

inbox-changed-elsewhere = cambiado en { $surface } { $at }, { $key } lo carga
inbox-changed-here = cambiado en { $surface } { $at }, { $key } recupera lo tuyo
