### Fields that are typed in, the editor, paths, attached files.

## Attached files

text-attach = Adjuntar un archivo
text-attach-how = El agente ve las imágenes; los demás archivos los lee en su ruta. Máximo 10 MB cada uno.
text-attach-hint = Su ruta, escrita, pegada o soltada aquí
text-attaching = Adjuntando ...
text-attach-wait = No enviado: aún se está adjuntando un archivo.
text-attach-too-many = Una respuesta admite 10 archivos, y ya los tiene.
text-attached-image = imagen: { $name }, { $measures }
text-attached-file = archivo: { $name }, { $measures }
text-attached-removes = { $file }  ({ $key } lo quita)
text-attached-more = { $count ->
    [one] 1 archivo más
   *[other] { $count } archivos más
}
text-attach-nothing = Di qué archivo adjuntar: su ruta, o suéltalo aquí.
text-attach-missing = No existe el archivo { $name }.
text-attach-no-file = { $name } no es un archivo que se pueda adjuntar.
text-attach-no-image = { $name } se adjunta como archivo: no es una imagen legible.
text-attach-unreadable = No se puede leer { $name }: { $why }.
text-attach-empty = { $name } está vacío.
text-attach-too-large = { $name } ocupa { $size }, y como máximo se pueden adjuntar { $most }. Redúcelo, o escribe su ruta en el texto.
text-attach-nothing-copied = En el portapapeles no hay ninguna imagen ni archivo.
text-attach-no-program = Aquí no se puede leer el portapapeles: instala wl-paste (Wayland) o xclip (X11), o adjunta por ruta.
text-attach-not-kept = No se pudo guardar: { $why }

## Your own editor

text-editor-answer = Tu respuesta va encima de la línea, a esta pregunta:
text-editor-ask-back = Tu repregunta va encima de la línea. Te preguntaron:
text-editor-note = Tu nota va encima de la línea. Es sobre:
text-editor-reason = Por qué rechazas va encima de la línea. Te preguntaron:
text-editor-below = La línea, y todo lo que hay debajo, no cuenta.
text-editor-other = Tu propia respuesta
text-editor-refused = El editor terminó con un error: tu texto sigue como estaba.
text-editor-missing = No se puede ejecutar { $editor }: pon tu editor en VISUAL o EDITOR. Tu texto sigue como estaba.
text-editor-failed = No se puede usar el editor ({ $reason }). Tu texto sigue como estaba.

## Files, after @

text-paths-looking = buscando archivos ...
text-paths-total = { $total } archivos coinciden
text-paths-total-of-first = { $total } de los primeros { $files } archivos
text-paths-none = ningún archivo coincide
text-paths-none-of-first = ninguno de los primeros { $files } archivos coincide

## Earlier answers

text-recall-none = No hay respuestas tuyas anteriores.
