### What the page in a browser says. `node build.mjs` in crates/ask-web/web makes dist of it.

web-brand = ask
web-skip = Ir a la pregunta
web-parts = Partes de la página
web-inbox = Bandeja
web-history = Historial
web-stats = Estadísticas
web-settings = Ajustes
web-waiting = en espera
web-close = Cerrar
web-more = Más
web-failed = No funcionó: { $why }.
web-problem-devices-off = el ordenador no admite ahora ningún dispositivo
web-problem-no-credential = este navegador ya no tiene sesión
web-problem-wrong-scope = este navegador solo puede mirar
web-problem-not-found = ya no está
web-problem-closed = la pregunta ya se cerró
web-problem-draft-changed = entretanto se cambió en otro sitio
web-problem-not-waiting = tal como está ahora no se puede
web-problem-still-open = todavía espera una respuesta
web-problem-pairing-unavailable = los dispositivos no pueden llegar por ahí
web-problem-invalid-answer = una respuesta no encaja con su pregunta
web-problem-invalid-ask = así no se puede preguntar
web-problem-invalid-value = un valor no es válido
web-problem-undelivered = su agente aún no lo sabe
web-problem-too-large = es demasiado grande; acórtalo o adjúntalo como archivo
web-problem-too-many = demasiado a la vez, inténtalo en un minuto
web-problem-overloaded = demasiado a la vez, inténtalo en un minuto
web-problem-storage-timeout = el disco de la carpeta del agente no responde
web-problem-storage-failed = el hub no puede escribir en su disco, ask-user doctor dice más
web-problem-hub-unavailable = no se puede llegar al hub
web-problem-not-allowed = desde aquí no se acepta ninguna respuesta, tus ajustes dicen de dónde vienen
web-problem-other = el hub lo rechazó ({ $type })
web-no-connection = sin conexión
web-copied = Copiado.
web-not-copied = El navegador no permite copiar aquí.
web-looking = Buscando …
web-hub-away = No se puede llegar al hub. Esto sigue solo en cuanto se pueda.
web-load-again = Cargar la página de nuevo
web-link-connecting = conectando
web-link-live = conectado
web-link-offline = sin conexión
web-link-pausing = reconexión en { $count } s
web-try-now = ahora
web-signed-out = Abre esta página desde tu terminal
web-signed-out-how = Este navegador no tiene sesión. Ejecuta esto en el ordenador en el que trabajan tus agentes; te abre la página:
web-used-link = Este enlace ya se usó o tiene más de dos minutos. Si no fuiste tú, otra persona ha abierto la página: sus ajustes muestran a quién se deja entrar. Para un enlace nuevo, ejecuta:
web-agents-link = Un agente obtuvo este enlace, así que aquí no deja entrar a nadie. En un terminal propio, ejecuta:
web-signed-out-why = El enlace que abre vale una sola vez y durante dos minutos, para que nadie más responda por ti.
web-signed-out-kept = Lo que escribiste aquí se guarda en este navegador y vuelve entonces.
web-list-head = Preguntas
web-filter = Filtro
web-fit = { $count } de { $all }
web-group-waiting = En espera
web-group-snoozed = Aplazadas
web-group-late = Tardías
web-group-kept = Guardadas
web-group-late-says = El agente ya no espera. La respuesta se guarda hasta que vuelva a preguntar.
web-group-kept-says = Respondidas. El agente aún no las ha recogido.
web-none-waits = Ninguna pregunta te espera.
web-none-yet = Si llega una, aparece aquí sola.
web-none-fit = Nada coincide.
web-answered-today = { $count ->
    [one] Hoy has respondido { $count }.
   *[other] Hoy has respondido { $count }.
}
web-asked-now = { $who } pregunta: { $what }
web-an-agent = un agente
web-surface-terminal = terminal
web-surface-web = navegador
web-below-agent = iniciado bajo { $agent }
web-surface-cli = línea de comandos
web-surface-plain = modo simple
web-surface-dialog = su diálogo
web-surface-pending = archivo
web-surface-app = el chat
web-surface-api = programa
web-surface-rpc = programa
web-surface-bridge = la aplicación
web-untitled = Una pregunta
web-back-at = hasta { $at }
web-back-when-asked = cuando vuelva a preguntar
web-due-in = vence en { $left }
web-due-now = vencida
web-due-soon = Queda menos de un minuto. Se puede pedir más tiempo.
web-mark-answered = respondida
web-mark-declined = rechazada
web-mark-clarify = repregunta
web-mark-expired = caducada
web-mark-dialog = también en su cliente
web-mark-handed = en su cliente
web-mark-answered-of = { $given } de { $all } respondidas
web-mark-draft = borrador
web-mark-asked-again = otra vez
web-questions = { $count ->
    [one] { $count } pregunta
   *[other] { $count } preguntas
}
web-kind-preview = vista previa
web-kind-select = una opción
web-kind-multi-select = elección múltiple
web-kind-confirm = sí o no
web-kind-text = texto
web-undo = Deshacer
web-undone = Deshecho. No se envió nada.
web-asks = { $who } pregunta
web-asked = preguntada
web-asked-ago = preguntada { $time }
web-calls-itself = se llama «{ $agent }»
web-gone = Esta pregunta ya no está.
web-to-inbox = A la bandeja
web-context = Contexto
web-code = Código
web-image = { "[" }imagen: { $text }]
web-table = Tabla
web-question = Pregunta
web-questions-nav = Preguntas de este formulario
web-question-of = Pregunta { $at } de { $all }
web-optional = opcional
web-answered = respondida
web-yes = Sí
web-no = No
web-other = Otra
web-own-words = Tu propia respuesta
web-your-answer = Tu respuesta
web-type-your-answer = Escribe tu respuesta
web-paths-label = Archivos de la carpeta del agente
web-paths-total = { $count ->
    [one] { $count } archivo coincide
   *[other] { $count } archivos coinciden
}
web-paths-total-of-first = { $count } de los primeros { $files } archivos
web-paths-none = Ningún archivo coincide.
web-paths-none-of-first = Ninguno de los primeros { $files } archivos coincide.
web-paths-unreadable = La carpeta del agente no se puede leer en este ordenador.
web-earlier = Respuestas anteriores
web-earlier-says = Tus propias palabras en respuestas anteriores, primero las de este proyecto.
web-earlier-none = No hay respuestas tuyas anteriores.
web-earlier-taken = Tomada.
web-kept-not-chosen = Guardada, pero no forma parte de tu respuesta.
web-none-of-these = Ninguna de estas
web-recommended = Recomendada
web-add-note = Añadir una nota
web-note-label = Nota para esta respuesta
web-note-is = Nota: { $note }
web-see-preview = Ver vista previa
web-preview-of = Vista previa: { $name }
web-full-size = En grande
web-changed-elsewhere = Cambiado en otro sitio ({ $by }), { $at }.
web-load-theirs = Cargar
web-load-mine = Recuperar lo mío
web-stands-waits = te espera
web-stands-left = el agente ya no espera; tu respuesta se guardará
web-stands-expired = se acabó el tiempo; tu respuesta se guarda hasta que vuelva a preguntar
web-asked-again = preguntada otra vez
web-in-dialog = también se muestra en su cliente; cuenta la primera respuesta
web-in-client = se está preguntando en su cliente; una respuesta aquí cuenta cuando vuelva
web-earlier-answer = Respondiste esto { $time }:
web-fill-in = Rellenar con esa respuesta
web-filled-in-below = Rellenado por un programa bajo { $agent }, no por ti: compruébalo antes de enviar.
web-filled-in-by = No lo has rellenado tú, sino un programa bajo { $agent }.
web-attach-file = Adjuntar un archivo
web-attach-hint = o pega o suelta una imagen
web-attached = { $name } está adjunto.
web-remove = Quitar
web-too-many-files = Una respuesta admite { $count } archivos.
web-too-large = { $name } ocupa más de 10 MB.
web-empty-file = { $name } está vacío: no hay nada que adjuntar.
web-not-attached = No se adjuntó { $name }: { $why }.
web-back = Atrás
web-next = Siguiente
web-review = Revisar
web-review-head = Revisa tus respuestas
web-send = Enviar
web-sending = Enviando …
web-send-answers = { $count ->
    [one] Enviar { $count } respuesta
   *[other] Enviar { $count } respuestas
}
web-send-anyway = { $count ->
    [one] Enviar { $count } respuesta igualmente
   *[other] Enviar { $count } respuestas igualmente
}
web-keep-late = Guardar como respuesta tardía
web-send-when-connected = Se envía al conectar
web-needs-answer = Esta pregunta necesita una respuesta.
web-does-not-fit = Esta respuesta no encaja con la pregunta.
web-needs-answer-or-decline = Elige o escribe una respuesta, repregunta o rechaza.
web-gaps = { $count ->
    [one] { $count } pregunta obligatoria sin respuesta.
   *[other] { $count } preguntas obligatorias sin respuesta.
}
web-change = Cambiar
web-go-to-question = Responder la pregunta
web-not-answered = Sin respuesta
web-not-answered-optional = Sin respuesta (opcional)
web-note-for-all = Nota para todas las respuestas
web-saved-at = borrador guardado { $at }
web-saved-here = borrador guardado en este navegador
web-not-saved = Tu borrador no se guardó: { $why }.
web-not-sent = No enviado: { $why }. Tu borrador se guarda.
web-queued = Sin conexión. Tu respuesta se enviará cuando vuelva.
web-queued-says = Tu respuesta espera la conexión. Se envía cuando vuelva el hub.
web-queued-count = { $count ->
    [one] { $count } respuesta espera
   *[other] { $count } respuestas esperan
}
web-queued-sent = Conexión recuperada. Tu respuesta se envió.
web-queued-closed = Esa pregunta se cerró entretanto. No se envió nada.
web-queued-unknown = Este hub no conoce la pregunta. No se envió nada. Tu respuesta se guarda un mes en este navegador.
web-queued-changed = Cambiaste esta respuesta en otro lugar. No se envió nada. Revísala y envíala de nuevo.
web-queued-elsewhere = Una respuesta de otra pestaña de este navegador espera la conexión. Retírala para enviar esta.
web-take-back = Retirarla
web-sent = Enviado.
web-sent-answered = Enviado a { $who }
web-sent-declined = La rechazaste
web-sent-clarify = Repregunta enviada a { $who }
web-sent-expired = Guardada para { $who }
web-sent-withdrawn = { $who } retiró la pregunta
web-closed-answered = Respondida ({ $by }), { $at }
web-closed-declined = Rechazada ({ $by }), { $at }
web-closed-clarify = Repregunta ({ $by }), { $at }
web-closed-expired = Caducada, { $at }
web-closed-withdrawn = Retirada por el agente, { $at }
web-nothing-sent = No se envió nada de lo que escribiste aquí.
web-changed-since = Lo que cambiaste después de enviar no se envió.
web-what-was-answered = Lo que se respondió
web-your-draft = Tu borrador
web-copy-draft = Copiar mi borrador
web-next-ask = Siguiente: { $what }
web-told = El agente la tiene.
web-not-told = Se guarda hasta que el agente la recoja.
web-ask-back = Repreguntar
web-ask-back-says = { $who } recibe tu pregunta en vez de una respuesta, y puede volver a preguntar.
web-ask-back-label = ¿Qué quieres saber?
web-ask-back-missing = Escribe primero tu pregunta.
web-not-later = No se envía más tarde por sí solo: lo que escribiste sigue aquí.
web-ask-back-draft = Lo que has rellenado no se envía.
web-ask-back-send = Enviar mi pregunta
web-asked-back = Tu pregunta se envió a { $who }.
web-decline = Rechazar
web-decline-says = Se avisa a { $who } de que no respondes a esto.
web-decline-label = ¿Por qué? { $who } lo lee. Puede quedar vacío.
web-decline-draft = Lo que has rellenado no se envía.
web-decline-send = Rechazar
web-declined = Rechazada. Se avisa a { $who }.
web-keep-answering = Seguir respondiendo
web-snooze = Aplazar
web-snooze-says = Aplaza la pregunta. Su agente no nota nada.
web-snooze-minutes = { $count } minutos (hasta las { $at })
web-snooze-tomorrow = Mañana a las 9
web-snooze-asked-again = Hasta que este agente vuelva a preguntar
web-snoozed = Aplazada. La encuentras en Aplazadas.
web-snoozed-until = Aplazada hasta { $at }. La encuentras en Aplazadas.
web-wake = Recuperar
web-back-again = Vuelve a estar en espera.
web-more-time = Más tiempo
web-more-time-done = Cinco minutos más: vence { $at }.
web-keys = Teclas
web-keys-says = Funcionan mientras no se escribe texto; donde una pregunta pide texto, letras y signos son texto. Los ajustes desactivan las teclas sueltas.
web-name-ctrl-enter = Ctrl+Intro
web-name-esc = Esc
web-key-digits = marcar una opción, o desmarcarla
web-key-zero = otra: tu propia respuesta
web-key-arrows = pregunta anterior o siguiente
web-key-n = añadir una nota
web-key-r = elegir lo que recomienda el agente; R: en todas, luego revisar
web-none-recommended = Aquí el agente no recomienda nada.
web-key-c = repreguntar
web-key-slash = filtrar la lista
web-key-brackets = formulario anterior o siguiente
web-key-at = donde escribes: nombrar un archivo de la carpeta del agente
web-key-send = seguir; al final, enviar
web-key-esc = salir del campo, o a la lista; no se pierde nada
web-key-help = esta lista
web-search = Buscar
web-filters = Filtros
web-clear-filters = Volver a mostrar todo
web-remove-filter = Quitar el filtro { $what }
web-found-count = { $count ->
    [one] { $count } encontrada
   *[other] { $count } encontradas
}
web-all = Todos
web-always = Todo
web-between = Entre dos días
web-last-days = { $count ->
    [one] Último día
   *[other] Últimos { $count } días
}
web-facet-agent = Agente
web-facet-project = Proyecto
web-facet-branch = Rama
web-facet-outcome = Estado
web-facet-recommended = Lo recomendado
web-recommended-taken = elegido
web-recommended-not-taken = no elegido
web-facet-when = Periodo
web-facet-from = Desde
web-facet-until = Hasta
web-facet-day = Día
web-facet-hour = Hora
web-facet-surface = Interfaz
web-end-answered = respondida
web-end-late = respondida tarde
web-end-declined = rechazada
web-end-ask-back = repregunta
web-end-expired = caducada
web-end-withdrawn = retirada
web-end-undelivered = aún sin recoger
web-export = Exportar lo encontrado:
web-nothing-over = Todavía no ha terminado nada.
web-nothing-found = Nada encontrado.
web-show-more = Mostrar más
web-show-all = Mostrar todo
web-answer-it = Responder
web-choices = { $count ->
    [one] { $count } opción
   *[other] { $count } opciones
}
web-copy-markdown = Copiar como Markdown
web-copy-reply = Copiar esto
web-what-agent-got = Lo que recibió el agente
web-use-again = Usar de nuevo estas palabras
web-used-again = Tus respuestas anteriores empiezan ahora por ellas.
web-delete = Borrar
web-delete-says = La pregunta y sus respuestas se olvidan en esta máquina. No se puede deshacer.
web-delete-unheard = Su agente aún no lo sabe, y no lo sabrá nunca.
web-delete-it = Borrar
web-keep-it = Conservar
web-deleted = Borrada.
web-delete-found = Borrar lo encontrado
web-delete-found-says = { $count ->
    [one] { $count } pregunta y sus respuestas se olvidan en esta máquina. No se puede deshacer.
   *[other] { $count } preguntas y sus respuestas se olvidan en esta máquina. No se puede deshacer.
}
web-delete-found-undelivered = { $count ->
    [one] { $count } más se queda: ningún agente ha recibido su respuesta. Solo se puede borrar por separado.
   *[other] { $count } más se quedan: ningún agente ha recibido sus respuestas. Solo se pueden borrar una a una.
}
web-delete-found-none = No hay nada que borrar.
web-deleted-count = { $count ->
    [one] { $count } borrada.
   *[other] { $count } borradas.
}
web-timeline = Qué pasó y cuándo
web-shown-on = mostrada ({ $by })
web-stats-asks = Preguntas
web-stats-answered = Respondidas
web-stats-median = Mediana hasta responder
web-stats-p90 = Nueve de diez en
web-stats-waiting = Aún abiertas
web-stats-longest = Espera más larga de hoy
web-stats-days = Preguntas al día
web-stats-outcomes = Cómo terminaron
web-stats-surfaces = Dónde respondiste
web-stats-hours = Tiempo de respuesta por hora del día en el ordenador
web-stats-agents = Palabras propias, por agente
web-stats-agents-says = Cuántas veces respondiste con tus propias palabras aunque había opciones. Una parte alta significa malas opciones.
web-stats-another = Otra opción
web-stats-own = Palabras propias
web-stats-notes = Notas
web-stats-ask-backs = Repreguntas
web-as-table = Como tabla
web-notices = Notificaciones
web-notify-me = Avisarme
web-notices-default = El navegador puede avisarte cuando llega una pregunta mientras esta página está en segundo plano.
web-notices-granted = Se te avisa cuando llega una pregunta mientras esta página está en segundo plano.
web-notices-denied = Las notificaciones están bloqueadas para esta página. Permítelas en los ajustes del navegador para esta dirección.
web-notices-none = Este navegador o esta conexión no tiene notificaciones. El propio programa puede avisarte en el escritorio o por ntfy.
web-mute = Silenciar todas las notificaciones de ask-user
web-mute-says = Escritorio, teléfono y sonidos, en todas las interfaces, hasta que las reactives.
web-theme = Aspecto
web-theme-auto = Como el sistema
web-theme-light = Claro
web-theme-dark = Oscuro
web-kept = Historial
web-kept-days = { $count ->
    [one] Una pregunta se borra { $count } día después de terminar.
   *[other] Una pregunta se borra { $count } días después de terminar.
}
web-kept-undelivered = Una respuesta que ningún agente ha recogido se queda el doble de tiempo.
web-kept-for-ever = Las preguntas se quedan hasta que las borres.
web-kept-how = Lo dice history.keep_days en { $file }.
web-language = Idioma
web-language-browser = El que pide el navegador. El ajuste language.use en { $file } elige uno para todas las interfaces.
web-language-set = Elegido con el ajuste language.use en { $file }.
web-shortcuts = Atajos de una sola tecla
web-shortcuts-says = 1–9, 0, n, c y otras, mientras no se escribe texto. Donde una pregunta pide texto, son texto, activadas o no.
web-session = Este navegador
web-session-says = Puede responder a tus agentes hasta que cierres la sesión.
web-sign-out = Cerrar sesión
web-sessions = Navegadores de este ordenador
web-session-this = este navegador
web-session-end-says = La sesión de { $name } se cierra al instante. Lo que respondió se conserva. `ask-user web` vuelve a iniciarla.
web-session-ended = La sesión de { $name } está cerrada.
web-sign-out-all = Cerrar todas las sesiones
web-sign-out-all-says = Se cierra al instante la sesión de todos los navegadores de este ordenador, también la de este, y se desconectan todos los dispositivos. Lo que respondieron se conserva.
web-pair-chip-off = Teléfono: no
web-pair-chip-on = Teléfono: sí
web-pair-chip-count = Teléfono: { $count }
web-pair-plain = sin cifrar
web-pair-plain-why = Quien esté en la misma red puede leerlo todo y actuar en tu lugar.
web-pair-plain-lost = Las notificaciones, la instalación y copiar con un botón necesitan una conexión cifrada. Dos maneras:
web-pair-offer-https = HTTPS, con un certificado propio o un proxy que lo tenga: `docs/how-to/phones.md` dice cómo.
web-pair-offer-tunnel = Un túnel: `tailscale serve { $port }` con su dirección en `http.public_url`, o desde otro ordenador `ssh -L { $port }:127.0.0.1:{ $port } HOST`.
web-pair-title = Dejar entrar este dispositivo
web-pair-where = En el ordenador, abre los ajustes de la página o ejecuta «ask-user pair». Escanea la imagen que muestra, o escribe aquí sus seis cifras.
web-pair-code = Código
web-pair-six-digits = El código tiene seis cifras.
web-pair-name = Nombre de este dispositivo
web-pair-some-device = Un dispositivo
web-pair-ask = Pedir entrar
web-pair-asking = Preguntando …
web-pair-wrong-code = Ese no es el código que muestra ahora el ordenador, o tiene más de tres minutos.
web-pair-wrong-left = { $count ->
    [one] Ese no es el código que muestra ahora el ordenador. Queda { $count } intento; después mostrará otro.
   *[other] Ese no es el código que muestra ahora el ordenador. Quedan { $count } intentos; después mostrará otro.
}
web-pair-wrong-another = Ese era el último intento con este código. El ordenador muestra ahora otro: escribe ese.
web-pair-wrong-link-only = Ese era el último intento: esta invitación ya no acepta códigos. Escanea la imagen del ordenador o crea allí un código nuevo.
web-pair-wrong-link = Este enlace ya se usó o tiene más de tres minutos. Haz un código nuevo en el ordenador, y escanéalo o escríbelo.
web-pair-too-many = Demasiados intentos. Espera un minuto e inténtalo otra vez.
web-pair-shut-out = El ordenador no admite ahora ningún dispositivo. Actívalo allí: con «ask-user pair» o en los ajustes de la página. Los dispositivos ya admitidos no necesitan un código nuevo.
web-pair-unreachable = No se puede llegar al ordenador. ¿Está este dispositivo en la misma red, y allí se siguen dejando entrar teléfonos?
web-pair-confirm = Confirma { $number } en el ordenador
web-pair-confirm-says = El ordenador pregunta ahora si { $name } puede entrar. Permítelo allí si también muestra { $number }.
web-pair-left = quedan { $left }
web-pair-offline = Sin conexión con el ordenador. Esto sigue solo cuando vuelva.
web-pair-allowed = Ya estás dentro
web-pair-refused = El ordenador dijo que no
web-pair-refused-says = No se mostró nada tuyo a este dispositivo. Si fue un error, pídelo otra vez con un código nuevo.
web-pair-over = Tardó demasiado
web-pair-over-says = Nadie confirmó el número a tiempo. Pídelo otra vez con un código nuevo.
web-pair-anew = El ordenador ha empezado de nuevo
web-pair-anew-says = ask-user se reinició en el ordenador mientras este dispositivo esperaba, así que ya nadie puede confirmar este número. Vuelve a pedirlo con un código nuevo.
web-pair-again = Usar un código nuevo
web-pair-not-in = Este dispositivo no está admitido
web-pair-ended = Este dispositivo ya no está admitido
web-pair-ended-says = Se acabó su tiempo, o alguien en el ordenador lo terminó. Lo que escribiste se guarda en este navegador y vuelve en cuanto se le deje entrar.
web-pair-wants = { $name } en { $address } quiere responder tus preguntas.
web-pair-wants-see = { $name } en { $address } quiere ver tus preguntas.
web-pair-shows = ¿Muestra { $number }?
web-pair-shows-this = ¿Muestra este número?
web-pair-allow = Permitir
web-pair-allow-see = Solo mirar
web-pair-refuse = No dejar entrar
web-pair-done-answer = { $name } ya puede responder tus preguntas.
web-pair-done-see = { $name } ya puede ver tus preguntas.
web-pair-done-refused = No se dejó entrar a { $name }.
web-pair-head = Dejar que responda un teléfono
web-pair-says = Un teléfono u otro ordenador de tu red muestra también esta página. Entra con un código, y solo después de que confirmes aquí un número.
web-pair-how = Por cuánto tiempo, y qué puede hacer
web-pair-address = Dirección de este ordenador
web-pair-address-any = La que lleva afuera
web-pair-length = ¿Por cuánto tiempo?
web-pair-hours = { $count ->
    [one] { $count } hora
   *[other] { $count } horas
}
web-pair-until-off = Hasta que yo lo pare
web-pair-scope = ¿Qué puede hacer?
web-pair-scope-answer = responder preguntas
web-pair-scope-see = solo verlas
web-pair-may-answer = puede responder
web-pair-may-see = solo mira
web-pair-will-be-plain = Esta conexión no está cifrada.
web-pair-start = Dejar entrar un teléfono
web-pair-new = Código nuevo
web-pair-stop = No dejar entrar más teléfonos
web-pair-on = Se dejan entrar teléfonos hasta que lo pares, en
web-pair-on-until = Se dejan entrar teléfonos hasta { $at }, en
web-pair-used = Cada código deja entrar un dispositivo, una vez.
web-pair-too-late = El código es demasiado viejo. Haz uno nuevo.
web-pair-qr = Código QR del enlace a { $at }
web-pair-no-code = Se escribieron demasiados códigos falsos. Escanea la imagen o haz un código nuevo.
web-pair-scan = Escanéalo con la cámara del teléfono.
web-pair-copy = Copiar el enlace
web-pair-or-code = O abre allí { $at } y escribe:
web-pair-devices = Dispositivos
web-pair-no-devices = No hay ningún dispositivo admitido.
web-pair-here = aquí ahora
web-pair-last-seen = visto { $time }
web-pair-stranded = no puede entrar: se admitió por otra vía
web-pair-never-seen = aún no ha venido
web-pair-until = hasta { $at }
web-pair-until-revoked = hasta que se revoque
web-pair-revoke = Revocar
web-pair-revoke-says = { $name } queda desconectado al momento. Lo que respondió se queda. Para volver necesita un código nuevo y tu sí.
web-pair-revoked = { $name } ya no está admitido.
web-pair-keep = Conservarlo
web-pair-this = Este dispositivo
web-pair-this-answer = «{ $name }» puede responder a tus agentes.
web-pair-this-see = «{ $name }» puede ver lo que preguntan tus agentes, y no responder nada.
web-pair-this-ends = El ordenador puede terminarlo cuando quiera.
web-pair-only-sees = Este dispositivo solo puede ver preguntas. Responde en el ordenador, o deja entrar allí el dispositivo otra vez para que pueda responder.
web-chat-waiting = Esperando al cliente …
web-chat-nothing = No hay nada que responder en esta tarjeta. Lo que está abierto está en `ask-user inbox`.
web-chat-silent = El cliente no transmite nada ahora. `ask-user inbox` también tiene la pregunta; cuenta la primera respuesta.
web-chat-cancelled = Se detuvo la llamada del agente. Aún puedes responder: se guarda hasta que vuelva a preguntar.
web-chat-passed = El agente la tiene como mensaje tuyo.
web-chat-not-passed = Tu respuesta se guarda, pero el cliente no la transmitió. Di al agente que has respondido.
web-chat-unsaved = borrador aún sin guardar
web-chat-about = Sobre esta tarjeta
web-chat-open = Abrir en el navegador
