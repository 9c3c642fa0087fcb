### Fields that are typed in, the editor, paths, attached files.

## Attached files

text-attach = Attach a file
text-attach-how = The agent is shown images; other files it reads at their path. At most 10 MB each.
text-attach-hint = Its path, typed, pasted or dropped here
text-attaching = Attaching ...
text-attach-wait = Not sent: a file is still being attached.
text-attach-too-many = An answer can carry 10 files, and has them.
text-attached-image = image: { $name }, { $measures }
text-attached-file = file: { $name }, { $measures }
text-attached-removes = { $file }  ({ $key } removes it)
text-attached-more = { $count ->
    [one] 1 more file
   *[other] { $count } more files
}
text-attach-nothing = Say which file to attach: its path, or drop it here.
text-attach-missing = There is no file { $name }.
text-attach-no-file = { $name } is not a file that can be attached.
text-attach-no-image = { $name } is attached as a file: it is no image that can be read.
text-attach-unreadable = { $name } can't be read: { $why }.
text-attach-empty = { $name } is empty.
text-attach-too-large = { $name } has { $size }, and at most { $most } can be attached. Make it smaller, or give its path in words.
text-attach-nothing-copied = The clipboard holds no image and no file.
text-attach-no-program = The clipboard can't be read here: install wl-paste (Wayland) or xclip (X11), or attach by path.
text-attach-not-kept = It could not be kept: { $why }

## Your own editor

text-editor-answer = Your answer goes above the line, to this question:
text-editor-ask-back = What you ask back goes above the line. You were asked:
text-editor-note = Your note goes above the line. It is about:
text-editor-reason = Why you decline goes above the line. You were asked:
text-editor-below = The line, and all that stands below it, is left out.
text-editor-other = Your own answer
text-editor-refused = The editor ended with an error: your text is as it was.
text-editor-missing = { $editor } can't be run: set VISUAL or EDITOR to your editor. Your text is as it was.
text-editor-failed = The editor can't be used ({ $reason }). Your text is as it was.

## Files, after @

text-paths-looking = looking for files ...
text-paths-total = { $total } files fit
text-paths-total-of-first = { $total } of the first { $files } files
text-paths-none = no file fits
text-paths-none-of-first = no file fits among the first { $files }

## Earlier answers

text-recall-none = There are no earlier answers of yours.
