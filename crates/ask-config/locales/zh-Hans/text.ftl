### Fields that are typed in, the editor, paths, attached files.

## Attached files

text-attach = 附加文件
text-attach-how = 图片会展示给智能体；其他文件由它按路径读取。每个最多 10 MB。
text-attach-hint = 在此输入、粘贴路径，或拖入文件
text-attaching = 正在附加 ...
text-attach-wait = 未发送：仍有文件正在附加。
text-attach-too-many = 一个回答最多附加 10 个文件，现已满。
text-attached-image = 图片：{ $name }，{ $measures }
text-attached-file = 文件：{ $name }，{ $measures }
text-attached-removes = { $file }  ({ $key } 移除)
text-attached-more = 还有 { $count } 个文件
text-attach-nothing = 请指定要附加的文件：输入路径，或拖到这里。
text-attach-missing = 没有文件 { $name }。
text-attach-no-file = { $name } 不是可附加的文件。
text-attach-no-image = { $name } 已作为文件附加：它不是可读取的图片。
text-attach-unreadable = 无法读取 { $name }：{ $why }.
text-attach-empty = { $name } 是空的。
text-attach-too-large = { $name } 大小为 { $size }，最多可附加 { $most }。请缩小文件，或用文字写出路径。
text-attach-nothing-copied = 剪贴板中没有图片或文件。
text-attach-no-program = 无法读取剪贴板：请安装 wl-paste (Wayland) 或 xclip (X11)，或按路径附加。
text-attach-not-kept = 无法保存：{ $why }

## Your own editor

text-editor-answer = 请在线上方写你的回答，问题是：
text-editor-ask-back = 请在线上方写你的反问，原问题是：
text-editor-note = 请在线上方写你的备注，内容针对：
text-editor-reason = 请在线上方写拒绝的理由，原问题是：
text-editor-below = 这条线及其下方的内容都会被略去。
text-editor-other = 你自己的回答
text-editor-refused = 编辑器出错退出：你的文本保持原样。
text-editor-missing = 无法运行 { $editor }：请将 VISUAL 或 EDITOR 设为你的编辑器。你的文本保持原样。
text-editor-failed = 无法使用编辑器 ({ $reason })。你的文本保持原样。

## Files, after @

text-paths-looking = 正在查找文件 ...
text-paths-total = { $total } 个文件匹配
text-paths-total-of-first = 前 { $files } 个文件中有 { $total } 个匹配
text-paths-none = 没有匹配的文件
text-paths-none-of-first = 前 { $files } 个文件中没有匹配项

## Earlier answers

text-recall-none = 没有你以前的回答。
