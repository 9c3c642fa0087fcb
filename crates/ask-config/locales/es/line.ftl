### The line mode. Prompts end with a colon; a space is put behind them.

line-renumbered = La lista acaba de cambiar. Escribe el número otra vez.
line-no-longer-asked = Ya no se pregunta.
line-none-waits = Ninguna pregunta te espera.
line-none-yet = Ninguna pregunta te espera. Si llega una, se anuncia aquí.
line-waiting = { $count ->
    [one] { $count } pregunta espera:
   *[other] { $count } preguntas esperan:
}
line-put-aside = { $count ->
    [one] { $count } pregunta está aplazada:
   *[other] { $count } preguntas están aplazadas:
}
line-late = { $count ->
    [one] { $count } pregunta llega tarde; su agente ya no espera, y tu respuesta se guarda hasta que vuelva a preguntar:
   *[other] { $count } preguntas llegan tarde; sus agentes ya no esperan, y tus respuestas se guardan hasta que vuelvan a preguntar:
}
line-kept = { $count ->
    [one] { $count } respuesta se guarda hasta que su agente la recoja:
   *[other] { $count } respuestas se guardan hasta que sus agentes las recojan:
}
line-sent = { $count ->
    [one] { $count } respuesta se está enviando:
   *[other] { $count } respuestas se están enviando:
}
line-fit = Solo lo que contiene «{ $text }»; / sola muestra todo otra vez.
line-none-fit = Ninguna pregunta contiene «{ $text }»; / sola muestra todo otra vez.
line-row = { $number }. { $ask }
line-ask = { $who }, { $place }, { $ago }: { $title }
line-ask-anywhere = { $who }, { $ago }: { $title }
line-ask-aside = { $ask } (aplazada hasta { $time })
line-ask-aside-asked = { $ask } (aplazada hasta que se vuelva a preguntar)
line-ask-due = { $ask } (vence { $in })
line-new = Nueva: { $ask }
line-back = Vuelve a esperar: { $ask }
line-which = Número de la pregunta que quieres abrir, ? ayuda, q salir:
line-which-none = ? ayuda, q salir:
line-unclear-list = { $count ->
    [0] No se entiende. No hay preguntas en la lista; ? es la ayuda, q sale.
    [one] No se entiende. Escribe 1 para abrir la pregunta; ? es la ayuda, q sale.
   *[other] No se entiende. Escribe un número del 1 al { $count } para abrir una pregunta; ? es la ayuda, q sale.
}
line-aside-which = Escribe s, el número de una pregunta y por cuánto tiempo o hasta cuándo: s 2 15m.
line-aside-none = Su agente no espera: no hay nada que aplazar.
line-past-row = { $number }. { $ask } ({ $how })
line-prompt-past = Número de la que quieres oír, m más, h y palabras buscar, Intro vuelve a la lista:
line-unclear-past = No se entiende. Escribe un número del 1 al { $count }, m, h y palabras, o nada para volver.
line-seen = Pulsa Intro para seguir:
line-go-on = Escribe next y pulsa Intro para seguir, o q para salir:
line-not-taken = No enviado: { $text }
line-words-yes = y yes s si sí
line-words-no = n no

line-now = ahora mismo
line-minutes-ago = { $count ->
    [one] hace { $count } minuto
   *[other] hace { $count } minutos
}
line-hours-ago = { $count ->
    [one] hace { $count } hora
   *[other] hace { $count } horas
}
line-days-ago = { $count ->
    [one] hace { $count } día
   *[other] hace { $count } días
}
line-at-today = las { $time }
line-at-tomorrow = mañana a las { $time }
line-at-day = el { $date } a las { $time }
line-in-seconds = { $count ->
    [one] en { $count } segundo
   *[other] en { $count } segundos
}
line-in-minutes = { $count ->
    [one] en { $count } minuto
   *[other] en { $count } minutos
}
line-in-hours = { $count ->
    [one] en { $count } hora
   *[other] en { $count } horas
}
line-in-days = { $count ->
    [one] en { $count } día
   *[other] en { $count } días
}

line-asked = Pregunta de { $who }, { $ago }.
line-asked-project = Pregunta de { $who } para { $project }, { $ago }.
line-asked-branch = Pregunta de { $who }, rama { $branch }, { $ago }.
line-asked-project-branch = Pregunta de { $who } para { $project }, rama { $branch }, { $ago }.
line-due = Vence { $in }.
line-time-passed = Se acabó el tiempo del agente; tu respuesta se guardará hasta que vuelva a preguntar.
line-agent-back = El agente vuelve a esperar.
line-context = Contexto: { $text }
line-context-more = Continúa; i lee las { $count } líneas.
line-context-none = No hay más que leer.
line-quote = Cita: { $text }
line-cell = { $name }: { $text }
line-item-done = { $mark } hecho: { $text }
line-item-open = { $mark } por hacer: { $text }

line-question = Pregunta { $number } de { $count }.
line-question-label = Pregunta { $number } de { $count }, { $label }.
line-question-optional = Pregunta { $number } de { $count }, opcional.
line-question-label-optional = Pregunta { $number } de { $count }, { $label }, opcional.
line-example = Por ejemplo: { $text }
line-option = { $number }. { $label }.
line-option-recommended = { $number }. { $label }, recomendada.
line-option-described = { $option } { $description }.
line-option-described-whole = { $option } { $description }
line-option-preview = { $option } Tiene vista previa, escribe p{ $number }.
line-option-own = 0. Tu propia respuesta.
line-options-more = { $count ->
    [one] Hay { $count } más: m la lee, / y una palabra busca.
   *[other] Hay { $count } más: m sigue leyendo, / y una palabra busca.
}
line-options-no-more = No hay más.
line-found = { $count ->
    [one] { $count } opción contiene «{ $word }»:
   *[other] { $count } opciones contienen «{ $word }»:
}
line-found-none = Ninguna opción contiene «{ $word }».
line-preview-none = Escribe p y el número de una opción que tenga vista previa.
line-so-far = Tu respuesta hasta ahora: { $answer }
line-note-so-far = Tu nota: { $note }
line-note-none = No hay nota.
line-note-all-so-far = Tu nota para todas las respuestas: { $note }
line-note-all-none = No hay nota para todas las respuestas.

line-prompt-text = Tu respuesta, termina con una línea vacía (/q salir, /x rechazar, /c y palabras repreguntar, /? ayuda):
line-prompt-confirm = Tu elección (sí, no, 0, q salir, x rechazar, ? ayuda):
line-prompt-confirm-several = Tu elección (sí, no, 0, b volver, q salir, x rechazar, ? ayuda):
line-prompt-one = Tu elección (número, 0, q salir, x rechazar, ? ayuda):
line-prompt-one-several = Tu elección (número, 0, b volver, q salir, x rechazar, ? ayuda):
line-prompt-many = Tu elección (números como 1 3, 0, q salir, x rechazar, ? ayuda):
line-prompt-many-several = Tu elección (números como 1 3, 0, b volver, q salir, x rechazar, ? ayuda):
line-prompt-own = Tu propia respuesta, termina con una línea vacía:
line-prompt-own-again = Tu propia respuesta, termina con una línea vacía; una línea vacía sola la quita:
line-prompt-on = Sigue con tu respuesta, termina con una línea vacía:
line-prompt-path = Ruta del archivo, vacía vuelve atrás:
line-prompt-note = Tu nota sobre esta respuesta, en una línea; vacía la deja como está, - la quita:
line-prompt-note-all = Tu nota para todas las respuestas, en una línea; vacía la deja como está, - la quita:
line-prompt-reason = ¿Por qué? Una línea, vacía no da motivo:
line-prompt-none = Nada elegido: Intro otra vez dice «ninguna de estas»; o elige ahora:
line-prompt-none-several = Nada elegido: Intro otra vez dice «ninguna de estas», s omite la pregunta; o elige ahora:
line-prompt-long = La respuesta es larga ({ $count } caracteres). ¿Continuar? [S/n]
line-prompt-decline = ¿Rechazar sin motivo? sí/no:
line-prompt-decline-reason = ¿Rechazar con el motivo «{ $text }»? sí/no:
line-prompt-ask-back = ¿Repreguntar «{ $text }» en vez de responder? sí/no:
line-prompt-send = ¿Enviar? sí, no, o un número para cambiar (? ayuda):
line-prompt-send-late = ¿Guardar como respuesta tardía? sí, no, o un número para cambiar (? ayuda):
line-prompt-send-one = ¿Enviar? sí, b cambiar, q salir, ? ayuda:
line-prompt-send-one-late = ¿Guardar como respuesta tardía? sí, b cambiar, q salir, ? ayuda:
line-prompt-unsent = No enviado. Un número cambia una respuesta, sí envía, q sale:
line-prompt-unsent-one = No enviado. b la cambia, sí envía, q sale:

line-unclear-text = No se entiende. Escribe tu respuesta; /? es la ayuda.
line-unclear-command = /{ $word } no es un comando; /? dice cuáles hay. Para escribirlo en tu respuesta, pon un espacio delante.
line-unclear-confirm = No se entiende. Escribe sí, no, o 0 para tu propia respuesta; ? es la ayuda.
line-unclear-one = No se entiende. Escribe un número del 1 al { $count }, o 0 para tu propia respuesta; ? es la ayuda.
line-unclear-many = No se entiende. Escribe números del 1 al { $count } como 1 3, o 0 para tu propia respuesta; ? es la ayuda.
line-unclear-review = No se entiende. Escribe sí para enviar, no para no enviar, o el número de la respuesta que quieres cambiar; ? es la ayuda.
line-unclear-review-one = No se entiende. Escribe sí para enviar, b para cambiar tu respuesta o q para salir; ? es la ayuda.
line-letter-taken = { $letter } sola es aquí un comando. Para responder, escribe la palabra entera, o y o n.
line-ask-back-how = Escribe { $slash }c y tu pregunta en una línea.
line-no-own = Sin respuesta propia.
line-own-off = Tu propia respuesta se ha quitado.
line-cut = Un terminal acepta 4.095 bytes por línea: lo que escribiste después se ha perdido. Para una respuesta larga, escribe varias líneas o usa tu editor: { $slash }e.
line-left-out = La respuesta es demasiado larga: los últimos { $count } caracteres quedan fuera.
line-needed = Necesita respuesta; { $slash }x la rechaza, { $slash }q la deja en espera.
line-recommended-none = Aquí no hay nada recomendado.
line-aside-how = Escribe { $slash }s y por cuánto tiempo o hasta cuándo: { $slash }s 15m, { $slash }s 2h, { $slash }s 14:30, { $slash }s tomorrow, { $slash }s asked-again.
line-aside = { $title }: aplazada hasta { $time }.
line-aside-asked = { $title }: aplazada hasta que se vuelva a preguntar.
line-deadline-none = No tiene plazo: te espera.
line-more-time = Ahora tiene más tiempo: vence { $in }, plazo hasta { $at }.
line-more-typing = Como estás escribiendo, tiene más tiempo: vence { $in }, plazo hasta { $at }.
line-more-none = No se le puede dar más tiempo: vence { $in }, plazo hasta { $at }.
line-more-how = Escribe { $slash }+ solo, o { $slash }+ y cuánto tiempo más: { $slash }+ 10m.
line-editor-none = Un editor necesita una terminal; escribe tu respuesta aquí.
line-earlier = o{ $number }. { $answer }
line-earlier-which = Escribe { $slash }o para oír tus respuestas anteriores, { $slash }o y un número para dar una de nuevo.
line-earlier-answer-how = Escribe { $slash }u para rellenar con ella; con eso no se envía nada.
line-attach-where = Un archivo pertenece a una respuesta: escribe primero su número y luego adjúntalo.
line-attached = Adjuntado: { $file }.
line-attached-none = Aquí no hay ningún archivo adjunto.
line-detached = Quitado: { $file }.
line-file = @{ $number }. { $file }
line-files-more = { $count ->
    [one] Coincide { $count } más; escribe más letras.
   *[other] Coinciden { $count } más; escribe más letras.
}
line-files-none = Ningún archivo coincide.
line-files-how = Escribe @ y un número donde nombres ese archivo, como en: mira @1.
line-files-named = Con el archivo: { $text }
line-files-nowhere = No se sabe en qué carpeta se pregunta, así que no hay archivos que leer.

line-help =
    Un número elige; 0 es tu propia respuesta. Una línea vacía conserva u omite una respuesta.
    Donde se pueden elegir varias, números como 1 3 eligen, - las quita; 0 añade tu propia respuesta.
    b vuelve atrás, q sale y guarda tu borrador, x rechaza, x y palabras con ese motivo,
    c y una pregunta repregunta al agente, a vuelve a leer la pregunta.
    n y palabras anota algo sobre esta respuesta, N y palabras sobre todas.
    r toma lo recomendado, R lo toma en todas las preguntas abiertas.
    u rellena con lo que respondiste cuando se preguntó lo mismo hace poco.
    i lee todo el contexto, p y un número la vista previa de una opción,
    m más opciones, / y una palabra las busca. e escribe tu propia respuesta en tu editor,
    o lee tus respuestas anteriores.
    s aplaza la pregunta (s 15m, s 14:30, s tomorrow), + le da más tiempo (+ 10m).
    f y una ruta adjunta un archivo, v la imagen o el archivo que copiaste, f - quita el último.
    @ y unas letras lee archivos del proyecto; @ y un número nombra luego uno en una respuesta.
line-help-text =
    Lo que escribes es tu respuesta; una línea vacía la termina, u omite la pregunta donde se puede.
    Los comandos empiezan con una barra: /b vuelve atrás, /q sale y guarda tu borrador,
    /x rechaza, /x y palabras con ese motivo, /c y una pregunta repregunta al agente, /a vuelve a leer la pregunta.
    /n y palabras anota algo sobre esta respuesta, /N y palabras sobre todas.
    /R toma lo recomendado en todas las preguntas abiertas.
    /u rellena con lo que respondiste cuando se preguntó lo mismo hace poco.
    /i lee todo el contexto, /e escribe tu respuesta en tu editor, /o lee las anteriores.
    /s aplaza la pregunta (/s 15m, /s 14:30, /s tomorrow), /+ le da más tiempo (/+ 10m).
    /f y una ruta adjunta un archivo, /v la imagen o el archivo que copiaste, /f - quita el último.
    /@ y unas letras lee archivos del proyecto; @ y un número nombra luego uno en tu respuesta.
    Una línea de tu respuesta que empieza con barra y palabra se escribe con un espacio delante de la barra.
line-help-review =
    sí envía, no no envía. El número de una respuesta la cambia, b vuelve a la última pregunta.
    q sale y guarda tu borrador, x rechaza, x y palabras con ese motivo,
    c y una pregunta repregunta al agente, a vuelve a leer tus respuestas.
    n y palabras anota algo sobre todas las respuestas. R toma lo recomendado en todas las preguntas abiertas.
    u rellena con lo que respondiste cuando se preguntó lo mismo hace poco.
    i lee todo el contexto. s aplaza la pregunta (s 15m, s 14:30, s tomorrow),
    + le da más tiempo (+ 10m).
line-help-list =
    Un número abre una pregunta. q sale. Una línea vacía vuelve a leer la lista.
    s, un número y un tiempo aplaza una pregunta (s 2 15m, s 2 tomorrow), s y su número la devuelve.
    x y un número rechaza una pregunta, con palabras detrás como motivo; se te pregunta antes de enviarlo.
    u retira la última respuesta enviada; u y un número, la de esa pregunta, hasta que su agente la tenga.
    / y palabras deja solo las preguntas que las contienen, / sola muestra todo otra vez.
    h lee lo que ya terminó, h y palabras busca ahí. S lee las estadísticas.
    m silencia los avisos y los vuelve a activar.

line-review = Tus respuestas:
line-review-row = { $number }. { $question }: { $answer }
line-review-note = Nota para todas: { $note }
line-noted = { $answer } (nota: { $note })
line-unanswered = sin respuesta
line-unanswered-optional = sin respuesta, opcional
line-missing = { $count ->
    [one] { $count } pregunta no tiene respuesta. Obligatoria: { $names }.
   *[other] { $count } preguntas no tienen respuesta. Obligatorias: { $names }.
}
line-said = Tu respuesta: { $answer }
line-left-waiting = Queda en espera; tu borrador se guarda.
line-left-unsaved = Queda en espera; lo que has escrito no se ha guardado.
line-nothing-sent = No se envió nada.
line-not-sent = No enviado: { $problem }.
line-not-sent-try = No enviado: { $problem }. Tus respuestas siguen aquí; inténtalo de nuevo.
line-unsent = Tenías esto:
