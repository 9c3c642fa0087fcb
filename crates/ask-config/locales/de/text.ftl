### Fields that are typed in, the editor, paths, attached files.

## Attached files

text-attach = Datei anhängen
text-attach-how = Bilder bekommt der Agent zu sehen; andere Dateien liest er unter ihrem Pfad. Je höchstens 10 MB.
text-attach-hint = Ihr Pfad, getippt, eingefügt oder hierher gezogen
text-attaching = Wird angehängt ...
text-attach-wait = Nicht gesendet: eine Datei wird noch angehängt.
text-attach-too-many = Eine Antwort fasst 10 Dateien, und die hat sie.
text-attached-image = Bild: { $name }, { $measures }
text-attached-file = Datei: { $name }, { $measures }
text-attached-removes = { $file }  ({ $key } entfernt)
text-attached-more = { $count ->
    [one] 1 weitere Datei
   *[other] { $count } weitere Dateien
}
text-attach-nothing = Sag, welche Datei angehängt wird: ihr Pfad, oder zieh sie hierher.
text-attach-missing = Es gibt keine Datei { $name }.
text-attach-no-file = { $name } ist keine Datei, die sich anhängen lässt.
text-attach-no-image = { $name } ist als Datei angehängt: Es ist kein lesbares Bild.
text-attach-unreadable = { $name } ist nicht lesbar: { $why }.
text-attach-empty = { $name } ist leer.
text-attach-too-large = { $name } hat { $size }, und höchstens { $most } lassen sich anhängen. Mach sie kleiner oder nenne ihren Pfad im Text.
text-attach-nothing-copied = In der Zwischenablage ist kein Bild und keine Datei.
text-attach-no-program = Die Zwischenablage ist hier nicht lesbar: installiere wl-paste (Wayland) oder xclip (X11), oder hänge über den Pfad an.
text-attach-not-kept = Sie konnte nicht behalten werden: { $why }

## Your own editor

text-editor-answer = Deine Antwort kommt über die Linie, zu dieser Frage:
text-editor-ask-back = Deine Rückfrage kommt über die Linie. Gefragt wurdest du:
text-editor-note = Deine Notiz kommt über die Linie. Es geht um:
text-editor-reason = Warum du ablehnst, kommt über die Linie. Gefragt wurdest du:
text-editor-below = Die Linie und alles darunter zählt nicht.
text-editor-other = Deine eigene Antwort
text-editor-refused = Der Editor endete mit einem Fehler: dein Text ist unverändert.
text-editor-missing = { $editor } lässt sich nicht starten: setze VISUAL oder EDITOR auf deinen Editor. Dein Text ist unverändert.
text-editor-failed = Der Editor geht nicht ({ $reason }). Dein Text ist unverändert.

## Files, after @

text-paths-looking = suche Dateien ...
text-paths-total = { $total } Dateien passen
text-paths-total-of-first = { $total } der ersten { $files } Dateien
text-paths-none = keine Datei passt
text-paths-none-of-first = unter den ersten { $files } Dateien passt keine

## Earlier answers

text-recall-none = Es gibt noch keine früheren Antworten von dir.
