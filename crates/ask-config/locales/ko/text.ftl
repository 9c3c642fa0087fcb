### Fields that are typed in, the editor, paths, attached files.

## Attached files

text-attach = 파일 첨부
text-attach-how = 이미지는 에이전트에 보여 주고, 다른 파일은 에이전트가 경로에서 읽습니다. 개당 최대 10 MB.
text-attach-hint = 경로를 입력하거나 붙여 넣거나 끌어다 놓기
text-attaching = 첨부하는 중 ...
text-attach-wait = 보내지 않음: 파일을 아직 첨부하는 중입니다.
text-attach-too-many = 답변에는 파일을 10개까지 첨부할 수 있고, 이미 10개입니다.
text-attached-image = 이미지: { $name }, { $measures }
text-attached-file = 파일: { $name }, { $measures }
text-attached-removes = { $file }  ({ $key } 빼기)
text-attached-more = 파일 { $count }개 더
text-attach-nothing = 첨부할 파일의 경로를 입력하거나 여기에 끌어다 놓으세요.
text-attach-missing = 파일이 없습니다: { $name }.
text-attach-no-file = 첨부할 수 있는 파일이 아닙니다: { $name }.
text-attach-no-image = { $name }: 읽을 수 있는 이미지가 아니어서 파일로 첨부했습니다.
text-attach-unreadable = 읽을 수 없습니다: { $name }: { $why }.
text-attach-empty = 빈 파일입니다: { $name }.
text-attach-too-large = { $name }: 크기가 { $size }입니다. 최대 { $most }까지 첨부할 수 있습니다. 크기를 줄이거나 경로를 글로 알려 주세요.
text-attach-nothing-copied = 클립보드에 이미지도 파일도 없습니다.
text-attach-no-program = 클립보드를 읽을 수 없습니다. wl-paste (Wayland)나 xclip (X11)을 설치하거나 경로로 첨부하세요.
text-attach-not-kept = 저장할 수 없습니다: { $why }

## Your own editor

text-editor-answer = 선 위에 답변을 쓰세요. 질문:
text-editor-ask-back = 선 위에 되물을 내용을 쓰세요. 받은 질문:
text-editor-note = 선 위에 메모를 쓰세요. 대상:
text-editor-reason = 선 위에 거절하는 이유를 쓰세요. 받은 질문:
text-editor-below = 선과 그 아래의 내용은 모두 빠집니다.
text-editor-other = 직접 쓴 답변
text-editor-refused = 편집기가 오류로 끝났습니다. 글은 그대로입니다.
text-editor-missing = 편집기를 실행할 수 없습니다: { $editor }. VISUAL이나 EDITOR에 편집기를 설정하세요. 글은 그대로입니다.
text-editor-failed = 편집기를 사용할 수 없습니다 ({ $reason }). 글은 그대로입니다.

## Files, after @

text-paths-looking = 파일을 찾는 중 ...
text-paths-total = 일치하는 파일 { $total }개
text-paths-total-of-first = 처음 { $files }개 파일 중 { $total }개
text-paths-none = 일치하는 파일 없음
text-paths-none-of-first = 처음 { $files }개 중 일치하는 파일 없음

## Earlier answers

text-recall-none = 이전 답변이 없습니다.
