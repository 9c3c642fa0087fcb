### History and statistics.

## The screen of history.

history-title = ask historial
history-looking = buscando ...
history-reconnecting = reconectando
history-search = buscar:
history-agent = agente:
history-project = proyecto:
history-state = estado:
history-undelivered = aún sin recoger
history-period = período:
history-all = todos
history-always = siempre
history-days = { $count ->
    [one] último día
   *[other] últimos { $count } días
}
history-today = HOY
history-yesterday = AYER
history-empty = Aún no ha terminado nada.
history-nothing = No se encontró nada.
history-asked = { $time } preguntada
history-shown = { $time } mostrada en { $surface }
history-taken-back = { $time } respuesta retirada
history-ended = { $time } { $how }
history-note = nota
history-reason = motivo
history-not-sent = no enviado
history-asked-back = repregunta
history-whole = Una pregunta del historial
history-stats = Estadísticas
history-head-answers = Qué se respondió
history-head-asked = Qué se preguntó
history-head-reply = Qué recibió el agente
history-again = En un campo de texto, { $key } empieza ahora por estas palabras.
history-again-none = Aquí no se respondió con palabras propias.
history-writing = escribiendo ...
history-written = { $count ->
    [one] { $count } pregunta escrita en { $path }
   *[other] { $count } preguntas escritas en { $path }
}

## How an ask ended. The surfaces are terminal, plain, cli, dialog, pending, app, bridge, api, web, rpc and names of programs.

history-end-waiting = en espera
history-end-answered = { $surface ->
    [api] respondida por un programa
    [cli] respondida por comando
    [dialog] respondida en su diálogo
    [pending] respondida en un archivo
    [plain] respondida en modo simple
    [terminal] respondida en la terminal
    [web] respondida en el navegador
    [app] respondida en el chat
    [bridge] respondida en la aplicación
    [rpc] respondida por un programa
   *[other] respondida en { $surface }
}
history-end-declined = { $surface ->
    [api] rechazada por un programa
    [cli] rechazada por comando
    [dialog] rechazada en su diálogo
    [pending] rechazada en un archivo
    [plain] rechazada en modo simple
    [terminal] rechazada en la terminal
    [web] rechazada en el navegador
    [app] rechazada en el chat
    [bridge] rechazada en la aplicación
    [rpc] rechazada por un programa
   *[other] rechazada en { $surface }
}
history-end-declined-because = rechazada: «{ $reason }»
history-end-asked-back = { $surface ->
    [api] repregunta por un programa
    [cli] repregunta por comando
    [dialog] repregunta en su diálogo
    [pending] repregunta en un archivo
    [plain] repregunta en modo simple
    [terminal] repregunta en la terminal
    [web] repregunta en el navegador
    [app] repregunta en el chat
    [bridge] repregunta en la aplicación
    [rpc] repregunta por un programa
   *[other] repregunta en { $surface }
}
history-end-expired = caducada
history-end-expired-sent-late = caducada, enviada tarde
history-end-expired-kept = caducada, guardada para el agente
history-end-withdrawn = retirada por el agente
history-told = enviada al agente { $time }
history-told-late = enviada tarde { $time }
history-not-told = aún no enviada

## A history as Markdown.

export-none = Ninguna de estas.
export-unanswered = Sin respuesta.
export-note = Nota: { $note }

## Statistics.

stats-asks = { $count ->
    [one] { $count } pregunta
   *[other] { $count } preguntas
}
stats-brief = { $asks } · { $answered } % respondidas · mediana { $median }
stats-row = { $label }: { $value }
stats-waiting = { $count ->
    [one] { $count } espera ahora, desde hace { $longest }
   *[other] { $count } esperan ahora, la que más, { $longest }
} · máximo de hoy { $today }
stats-waiting-none = ahora no espera ninguna
stats-waiting-none-today = ahora no espera ninguna · máximo de hoy { $today }
stats-outcomes = Cómo terminaron
stats-end-answered = respondidas
stats-end-late = tardías
stats-end-declined = rechazadas
stats-end-asked-back = repreguntas
stats-end-expired = caducadas
stats-end-withdrawn = retiradas
stats-days = Preguntas al día
stats-by-surface = Tiempo de respuesta por interfaz
stats-by-hour = Tiempo de respuesta por hora del día
stats-took = { $median }, nueve de diez en { $ninety } ({ $count })
stats-agents = Cómo se responde a cada agente
stats-nameless = sin nombre
stats-recommended = recomendada { $part } %
stats-another = otra opción { $part } %
stats-own = texto propio { $part } %
stats-notes = { $count ->
    [one] { $count } nota
   *[other] { $count } notas
}
stats-ask-backs = { $count ->
    [one] { $count } repregunta
   *[other] { $count } repreguntas
}
