### A card: its tabs, rows, notes, review, dialogs and notices.

## Notes, filter, recommended

card-your-note = tu nota
card-note = Nota: «{ $note }»
card-note-key = Nota: «{ $note }»  ({ $key } la edita)
card-no-note = Nota: ninguna
card-no-note-key = Nota: ninguna  ({ $key } la añade)
card-your-note-for-all = tu nota para todas las respuestas
card-note-for-all = { $key }  Nota para todas las respuestas: «{ $note }»
card-no-note-for-all = { $key }  Nota para todas las respuestas: ninguna
card-filter = Filtro:
card-filter-count = { $shown } de { $offered }
card-none-recommended = Aquí el agente no recomienda nada.
card-none-recommended-at-all = Donde falta respuesta no hay nada recomendado.
card-earlier-answer = Respondiste esto hace { $ago }: { $answer } ({ $key } rellena con ella)
card-earlier-answer-narrow = { $key } rellena con: { $answer }

## Copies

card-copied = Copiado, si tu terminal lo permite.
card-too-long-to-copy = Demasiado largo para copiar.
card-not-answered = sin respuesta
card-note-beside = nota: { $note }

## The review

card-review = Revisa tus respuestas
card-missing = ! sin respuesta
card-left-out = sin respuesta (opcional)
card-gaps = { $count ->
    [one] ! 1 pregunta sin respuesta. Obligatoria: { $names }
   *[other] ! { $count } preguntas sin respuesta. Obligatorias: { $names }
}
card-button-send = { $count ->
    [0] Enviar sin respuestas
    [one] Enviar 1 respuesta
   *[other] Enviar { $count } respuestas
}
card-button-anyway = { $count ->
    [one] Enviar 1 respuesta igualmente
   *[other] Enviar { $count } respuestas igualmente
}
card-button-anyway-short = Enviar { $count } igualmente
card-just-told = Ahora mismo se avisa al agente de que se acabó su tiempo: envía otra vez para guardar tu respuesta.
card-button-late = Guardar como respuesta tardía
card-button-late-anyway = { $count ->
    [one] Guardar 1 respuesta como tardía
   *[other] Guardar { $count } respuestas como tardías
}
card-button-late-anyway-short = { $count ->
    [one] Guardar { $count } tardía
   *[other] Guardar { $count } tardías
}
card-button-go-to = Ir a { $name }

## What agents say

# In an agent's text: an image is not shown, what it is said to show is.
card-image = [imagen: { $alt }]
card-image-unnamed = [imagen]

card-yes-no = Sí / No
card-gone = Ya no está.
# What a window shows of a long text.
card-lines = líneas { $first }-{ $last } de { $total }
# Behind a question, in parentheses.
card-choose-any = { $chosen ->
    [0] (elección múltiple)
    [one] (elección múltiple; { $chosen } elegida)
   *[other] (elección múltiple; { $chosen } elegidas)
}
card-optional = (opcional)

## The rows of a question

card-yes = Sí
card-no = No
# Behind a label.
card-recommended = (Recomendada)
card-recommended-short = (rec.)
card-chosen = ✓ elegida
# Before what was typed and is not part of the answer.
card-kept = (guardada, no elegida) { $text }
card-your-answer = tu respuesta
card-your-own-answer = tu propia respuesta
# At the right end of a field's frame. $chars is a number, written out.
card-field-size = { $lines ->
    [1] { $chars }
   *[other] { $lines } líneas, { $chars }
}
card-more-above = ↑ { $count } más...
card-more-below = ↓ { $count } más...
# On the frame of the list: where the cursor stands.
card-row-of = { $row } de { $rows }

## What a choice would look like

card-preview = Vista previa: { $choice }
# The same where the cursor is on Other, which has none.
card-preview-of-other = Vista previa
card-preview-none = sin vista previa
# Where there is no room for it. $key opens it.
card-preview-line = { $lines ->
    [one] { $key } vista previa ({ $lines } línea)
   *[other] { $key } vista previa ({ $lines } líneas)
}

## A question that is longer than its place

# $down and $up are keys, or "none" where they turn a preview; $read is the key that shows everything.
card-prose-below = ↓ { $below ->
    [one] { $below } línea más
   *[other] { $below } líneas más
} ({ $down ->
    [none] { $read } lo muestra todo
   *[other] { $down }, { $read } lo muestra todo
})
card-prose-above = ↑ { $above ->
    [one] { $above } línea más
   *[other] { $above } líneas más
} ({ $up ->
    [none] { $read }
   *[other] { $up }
})
card-prose-both = ↑ { $above }  ↓ { $below ->
    [one] { $below } línea más
   *[other] { $below } líneas más
}

## What is said above the hints

card-sending = Enviando ...
card-reconnecting = Reconectando; sigue escribiendo, no se pierde nada.

## Who asks, and the tabs

card-asked = hace { $age }
card-waits = te espera
card-waits-no-more = el agente ya no espera
card-due = vencida
card-due-in = vence en { $left }
card-link-down = reconectando
card-draft-saved = borrador guardado { $at }
card-submit = Enviar
card-place = { $at }/{ $all }
card-tabs-given = { $given ->
    [one] { $given } respuesta →
   *[other] { $given } respuestas →
}

## Where nothing fits

card-too-small = terminal demasiado pequeña ({ $columns }x{ $rows }): necesita { $least-columns }x{ $least-rows }; { $enter } para líneas simples

## Before an ask is left. $given of $asked questions have answers.

card-discard-typed = ¿Descartar lo escrito?
card-discard-nothing = ¿Salir de esta pregunta?
card-discard-answers = { $given ->
    [one] ¿Descartar { $given } respuesta?
   *[other] ¿Descartar { $given } respuestas?
}
card-discard-given = { $asked ->
    [one] Has respondido { $given } de { $asked } pregunta.
   *[other] Has respondido { $given } de { $asked } preguntas.
}
card-agent-waits = El agente sigue esperando.
card-agent-stopped = El agente ya no espera.
card-discard-stay = Seguir respondiendo
card-discard-leave = Dejar en espera; guardar borrador
card-discard-leave-list = Dejar en espera; guardar borrador, volver a la lista
card-discard-leave-short = Dejar, guardar borrador
card-discard-cancel = Descartar y cancelar; avisar al agente
card-discard-cancel-short = Descartar y cancelar
card-discard-decline = Rechazar con un motivo ...
card-discard-hand-back = Devolver al diálogo de su cliente
card-handed-back = Devuelta: { $who } pregunta en su propio diálogo.
card-said-held = { $said } { $key } lo deshace.
# $last is the number of the last way: 4, or 5 where the ask can be given back to its client.
card-discard-safe = { $ways ->
    [3] No se envía nada hasta que elijas { $cancel }, { $decline } o { $back }.
   *[other] No se envía nada hasta que elijas { $cancel } o { $decline }.
}

## Declining, and asking back

card-decline = Rechazar
card-decline-why = ¿Por qué? El agente lo lee. Vacío significa sin motivo.
card-decline-hint = tu motivo
card-ask-back = Repreguntar
card-ask-back-what = ¿Qué quieres saber? El agente lo recibe en vez de una respuesta.
card-ask-back-hint = tu pregunta

## A long answer. $chars is a number, written out.

card-long = Una respuesta larga
card-long-sure = La respuesta es larga ({ $chars } caracteres). ¿Continuar? [Y/n]

## Going on, and what became of it

# $why is a sentence without its full stop, in English.
card-not-sent = No enviado: { $why }.
card-filled-in-cut = No enviado: esta pantalla es demasiado pequeña para todo lo que rellenó un programa. Agrándala o usa la página.
card-not-sent-try-again = No enviado: { $why }. Tus respuestas siguen aquí; inténtalo de nuevo.
card-nothing-typed-yet = Aún no hay nada escrito: escribe una respuesta o rechaza.
card-nothing-typed = Nada escrito: { $enter } otra vez no envía respuesta
card-somebody-first = Alguien se adelantó; no se envió nada.
card-closed-elsewhere = Esa pregunta se cerró en otro sitio; no se envió nada.
card-no-longer-asked = YA NO SE PREGUNTA
# $key is a key, as in Alt+Up.
card-words-kept = Tu texto se guarda: en un campo de texto, { $key } lo recupera.
card-words-printed = Tu texto se guarda: se imprime al salir.
card-too-soon = Esa tecla llegó demasiado pronto y no hizo nada; lo escrito se guarda.
card-your-draft = Tu borrador:
# $names are the questions where it differs.
card-draft-differs = Tu borrador aquí era distinto: { $names }
