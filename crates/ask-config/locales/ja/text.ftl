### Fields that are typed in, the editor, paths, attached files.

## Attached files

text-attach = ファイルを添付
text-attach-how = 画像はエージェントに見え、他のファイルはパスから読まれます。1件 10 MB まで。
text-attach-hint = パスを入力、貼り付け、またはドロップ
text-attaching = 添付中 ...
text-attach-wait = 未送信: ファイルを添付中です。
text-attach-too-many = 添付は10件までで、すでに10件あります。
text-attached-image = 画像: { $name }, { $measures }
text-attached-file = ファイル: { $name }, { $measures }
text-attached-removes = { $file }  ({ $key } で外す)
text-attached-more = 他{ $count }件のファイル
text-attach-nothing = 添付するファイルのパスを入力するか、ここにドロップしてください。
text-attach-missing = ファイル { $name } がありません。
text-attach-no-file = { $name } は添付できるファイルではありません。
text-attach-no-image = { $name } はファイルとして添付しました。画像として読み取れません。
text-attach-unreadable = { $name } を読めません: { $why }.
text-attach-empty = { $name } は空です。
text-attach-too-large = { $name } は { $size } で、上限の { $most } を超えています。小さくするか、パスを文で伝えてください。
text-attach-nothing-copied = クリップボードに画像もファイルもありません。
text-attach-no-program = クリップボードを読めません。wl-paste (Wayland) か xclip (X11) を入れるか、パスで添付してください。
text-attach-not-kept = 保存できませんでした: { $why }

## Your own editor

text-editor-answer = 線の上に回答を書いてください。質問:
text-editor-ask-back = 線の上に聞き返すことを書いてください。元の質問:
text-editor-note = 線の上にメモを書いてください。対象:
text-editor-reason = 線の上に辞退の理由を書いてください。元の質問:
text-editor-below = 線とその下はすべて無視されます。
text-editor-other = 自由回答
text-editor-refused = エディターがエラーで終了しました。文は元のままです。
text-editor-missing = { $editor } を実行できません。VISUAL か EDITOR にエディターを設定してください。文は元のままです。
text-editor-failed = エディターを使えません ({ $reason })。文は元のままです。

## Files, after @

text-paths-looking = ファイルを検索中 ...
text-paths-total = 該当 { $total }件
text-paths-total-of-first = 最初の{ $files }件中 { $total }件
text-paths-none = 該当するファイルはありません
text-paths-none-of-first = 最初の{ $files }件に該当するファイルはありません

## Earlier answers

text-recall-none = 以前の回答はありません。
