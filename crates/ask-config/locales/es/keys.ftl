### What keys do, for the footer and the help page, and how keys are called.
### What depends on the ask comes as an argument:
### $go is "send" where Enter sends, "keep" where nobody waits for it any more, else "on";
### $esc is "cancel" where Esc declines, "discard" where it asks what to do with what was typed, "all" where it ends a filter, else "leave";
### $files is "none" where no file fits what was typed after @, else "some";
### $muted is "yes" while notifications are muted, else "no".

## Keys

keys-enter = Intro
keys-esc = Esc
keys-sessions = quién tiene sesión en la página
keys-sign-out = cerrar sesión
keys-tab = Tab
keys-space = Espacio
keys-backspace = Retroceso
keys-delete = Supr
keys-insert = Insert
keys-home = Inicio
keys-end = Fin
keys-page-up = RePág
keys-page-down = AvPág
keys-use-again = usar de nuevo estas palabras
keys-with-ctrl = Ctrl+{ $key }
keys-with-alt = Alt+{ $key }
keys-with-shift = Mayús+{ $key }
# Two keys, one after the other; it stands where the name of a key stands.
keys-after = { $first } y luego { $key }
keys-any-other = cualquier otra tecla

## What they do. Most stand behind their key in the footer, so they begin small and are short.

keys-all-recommended = todo lo recomendado, luego revisar
keys-ask-back = repreguntar
keys-at-once = directo
keys-attach = adjuntar
keys-attach-copied = adjuntar la imagen o el archivo que copiaste
keys-attach-not = volver; una ruta pegada pasa a ser texto
keys-attach-path = adjuntar un archivo por su ruta
keys-back = volver
keys-back-to-text = volver al texto
keys-back-unsent = volver sin enviar nada
keys-caret = mover el cursor
keys-choose = elegir
keys-clear-filter = mostrar todo
keys-close-paths = cerrar, como está escrito
keys-close-paths-short = cerrar
keys-confirm-go = { $go ->
    [send] confirmar y enviar
    [keep] confirmar y guardar como respuesta tardía
   *[on] confirmar y seguir
}
keys-continue = continuar
keys-copy-draft = copiarlo
keys-copy-question = copiar la pregunta como Markdown
keys-decline = rechazar
keys-decline-reason = rechazar con un motivo
keys-detach = quitar el último archivo adjunto
keys-discard = descartar y cancelar
keys-done = listo
keys-earlier-answer = rellenar con tu respuesta anterior
keys-editor = abrir tu editor
keys-editor-short = editor
keys-erase = borrar hacia atrás
keys-erase-line-end = borrar hasta el final de la línea
keys-erase-next = borrar hacia delante
keys-erase-next-word = borrar la palabra siguiente
keys-erase-word = borrar la palabra
keys-escape = { $esc ->
    [cancel] rechazar
    [discard] descartar ...
    [all] volver a mostrar todo
   *[leave] salir (el borrador queda)
}
keys-escape-short = { $esc ->
    [cancel] rechazar
    [discard] descartar ...
    [all] todo
   *[leave] salir
}
keys-filter-asks = filtrar
keys-export = copiar texto
keys-field-rows = línea de arriba, de abajo; de la primera, a la lista
keys-filter = filtrar
keys-first-last-ask = primera, última
keys-first-last-button = primera fila, último botón
keys-first-last-row = primera fila, última
keys-go = { $go ->
    [send] enviar
    [keep] guardar como respuesta tardía
   *[on] seguir
}
keys-go-short = { $go ->
    [send] enviar
    [keep] guardar
   *[on] seguir
}
keys-go-to-question = ir a esa pregunta
keys-go-to-question-short = ir
keys-hand-back = devolver al diálogo de su cliente, si vino de uno
keys-help = ayuda
keys-help-short = teclas
keys-insert-path = { $files ->
    [none] cerrar
   *[some] insertar el archivo
}
keys-insert-path-short = { $files ->
    [none] cerrar
   *[some] insertar
}
keys-interrupt-card = parar aquí; dos veces sale (las preguntas siguen en espera)
keys-interrupt-dialog = salir (las preguntas siguen en espera)
keys-interrupt-field = salir del campo
keys-interrupt-notice = dos veces sale (las preguntas siguen en espera)
keys-keep-answering = seguir respondiendo
keys-keep-answering-short = seguir
keys-leave-waiting = dejar en espera
keys-line-ends = inicio, fin de la línea
keys-load-other = cargar lo escrito en otro sitio, o lo tuyo de nuevo
keys-load-other-short = cargar
keys-mark = marcar, sin seguir
keys-marked-button = el botón marcado
keys-more-time = más tiempo
keys-move = mover
keys-mute = { $muted ->
    [yes] reactivar avisos
   *[no] silenciar avisos
}
keys-new-line = nueva línea
keys-next-group = otro grupo
keys-no = no
keys-note = nota
keys-note-for-all = nota general
keys-open = abrir
keys-or-letter = o la letra elige
keys-other = otra
keys-other-asks = otra pregunta
keys-page = página
keys-preview = vista previa, pantalla completa
keys-preview-short = vista
keys-quick-confirm = sí, no, otra
keys-quick-select = { $digit ->
    [sends] enviar al momento
   *[marks] elegir directo
}
keys-quick-select-short = { $digit ->
    [sends] enviar
   *[marks] elegir
}
keys-quick-toggle = marcar directo
keys-quit = salir (las preguntas siguen en espera)
keys-quit-short = salir
keys-read-all = leer todo
keys-read-all-short = leer
keys-recall = respuestas anteriores, y de vuelta
keys-recommended = recomendada
keys-redraw = redibujar la pantalla
keys-scroll = desplazar
keys-select = elegir
keys-send = enviar
keys-send-decline = rechazar y avisar al agente
keys-send-question = enviar tu pregunta
keys-show-all = volver a mostrar todo
keys-show-all-short = todo
keys-show-draft = ver mi borrador
keys-show-draft-short = borrador
keys-snooze = aplazar
keys-stop-typing = { $esc ->
    [cancel] rechazar
   *[leave] dejar de escribir (el texto queda)
}
keys-stop-typing-short = { $esc ->
    [cancel] rechazar
   *[leave] listo
}
keys-suspend = suspender
keys-switch-tab = otra pestaña
keys-switch-tab-short = siguiente
keys-take-back = retirar la respuesta
keys-to-filtered-asks = a la lista
keys-to-filtered = a la lista, filtrada
keys-to-list = lista
keys-toggle = marcar
keys-top-end = principio, fin
keys-type = escribir
keys-types = se escribe
keys-undo = deshacer, rehacer
keys-web = un enlace a la página web
keys-words = palabra anterior, siguiente
keys-yes = sí
keys-jump = empieza tu propia respuesta

## The help page

keys-title = Teclas aquí
# Behind the title: which rows of all are seen.
keys-title-place = { $first }-{ $last } de { $all }
keys-group-moving = Moverse
keys-group-answering = Responder
keys-group-typing = Escribir
keys-group-replying = En vez de responder
keys-group-looking = Ver más
keys-group-leaving = Salir

## History

keys-history = historial
keys-search = buscar
keys-filters = filtros
keys-copy-markdown = copiar Markdown
keys-write-json = exportar JSON
keys-stats = estadísticas
keys-to-found = a la lista
keys-change = cambiar
