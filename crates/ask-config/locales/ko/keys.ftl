### What keys do, for the footer and the help page, and how keys are called.
### What depends on the ask comes as an argument:
### $go is "send" where Enter sends, "keep" where nobody waits for it any more, else "on";
### $esc is "cancel" where Esc declines, "discard" where it asks what to do with what was typed, "all" where it ends a filter, else "leave";
### $files is "none" where no file fits what was typed after @, else "some";
### $muted is "yes" while notifications are muted, else "no".

## Keys

keys-enter = Enter
keys-esc = Esc
keys-sessions = 페이지에 로그인한 목록
keys-sign-out = 로그아웃
keys-tab = Tab
keys-space = Space
keys-backspace = Backspace
keys-delete = Delete
keys-insert = Insert
keys-home = Home
keys-end = End
keys-page-up = PgUp
keys-page-down = PgDn
keys-use-again = 이 답 다시 쓰기
keys-with-ctrl = Ctrl+{ $key }
keys-with-alt = Alt+{ $key }
keys-with-shift = Shift+{ $key }
# Two keys, one after the other; it stands where the name of a key stands.
keys-after = { $first } 다음 { $key }
keys-any-other = 다른 키

## What they do. Most stand behind their key in the footer, so they begin small and are short.

keys-all-recommended = 모두 추천대로, 이어서 검토
keys-ask-back = 되묻기
keys-at-once = 바로 선택
keys-attach = 첨부
keys-attach-copied = 복사한 이미지나 파일 첨부
keys-attach-not = 뒤로, 붙여 넣은 경로는 글로 남음
keys-attach-path = 경로로 파일 첨부
keys-back = 뒤로
keys-back-to-text = 글로 돌아가기
keys-back-unsent = 보내지 않고 뒤로
keys-caret = 커서 이동
keys-choose = 선택
keys-clear-filter = 모두 표시
keys-close-paths = 입력한 그대로 닫기
keys-close-paths-short = 닫기
keys-confirm-go = { $go ->
    [send] 확인하고 보내기
    [keep] 확인하고 늦은 답변으로 보관
   *[on] 확인하고 계속
}
keys-continue = 계속
keys-copy-draft = 복사
keys-copy-question = 질문을 Markdown으로 복사
keys-decline = 거절
keys-decline-reason = 이유를 적고 거절
keys-detach = 마지막에 첨부한 파일 빼기
keys-discard = 버리고 취소
keys-done = 완료
keys-earlier-answer = 이전 답변 채우기
keys-editor = 편집기 열기
keys-editor-short = 편집기
keys-erase = 앞 글자 지우기
keys-erase-line-end = 행 끝까지 지우기
keys-erase-next = 뒤 글자 지우기
keys-erase-next-word = 다음 단어 지우기
keys-erase-word = 단어 지우기
keys-escape = { $esc ->
    [cancel] 거절
    [discard] 버리기 ...
    [all] 다시 모두 표시
   *[leave] 나가기 (초안 보관)
}
keys-escape-short = { $esc ->
    [cancel] 거절
    [discard] 버리기 ...
    [all] 모두
   *[leave] 나감
}
keys-filter-asks = 필터
keys-export = 글로 복사
keys-field-rows = 윗줄, 아랫줄. 첫 줄에서는 목록으로
keys-filter = 필터
keys-first-last-ask = 처음, 마지막
keys-first-last-button = 첫 행, 마지막 버튼
keys-first-last-row = 첫 행, 마지막 행
keys-go = { $go ->
    [send] 보내기
    [keep] 늦은 답변으로 보관
   *[on] 계속
}
keys-go-short = { $go ->
    [send] 전송
    [keep] 보관
   *[on] 다음
}
keys-go-to-question = 해당 질문으로 이동
keys-go-to-question-short = 이동
keys-hand-back = 원래 클라이언트의 대화 상자로 되돌리기
keys-help = 도움말
keys-help-short = 키
keys-insert-path = { $files ->
    [none] 닫기
   *[some] 파일 삽입
}
keys-insert-path-short = { $files ->
    [none] 닫기
   *[some] 삽입
}
keys-interrupt-card = 여기서 중단, 두 번이면 종료 (질문은 대기로 남음)
keys-interrupt-dialog = 종료 (질문은 대기로 남음)
keys-interrupt-field = 입력란 나가기
keys-interrupt-notice = 두 번이면 종료 (질문은 대기로 남음)
keys-keep-answering = 계속 답변
keys-keep-answering-short = 계속
keys-leave-waiting = 대기로 두기
keys-line-ends = 행 처음, 행 끝
keys-load-other = 다른 곳의 입력 불러오기, 내 것 되돌리기
keys-load-other-short = 로드
keys-mark = 선택만 하고 머무르기
keys-marked-button = 선택된 버튼
keys-more-time = 시간 연장
keys-move = 이동
keys-mute = { $muted ->
    [yes] 알림 켜기
   *[no] 알림 끄기
}
keys-new-line = 줄 바꿈
keys-next-group = 다음 그룹
keys-no = 아니요
keys-note = 메모
keys-note-for-all = 전체 메모
keys-open = 열기
keys-or-letter = 또는 글자로 선택
keys-other = 기타
keys-other-asks = 다른 질문
keys-page = 쪽
keys-preview = 미리보기, 전체 화면
keys-preview-short = 미리보기
keys-quick-confirm = 예, 아니요, 기타
keys-quick-select = { $digit ->
    [sends] 바로 보내기
   *[marks] 바로 선택
}
keys-quick-select-short = { $digit ->
    [sends] 보내기
   *[marks] 선택
}
keys-quick-toggle = 바로 전환
keys-quit = 종료 (질문은 대기로 남음)
keys-quit-short = 종료
keys-read-all = 모두 읽기
keys-read-all-short = 읽기
keys-recall = 이전 답변으로, 다시 돌아오기
keys-recommended = 추천
keys-redraw = 화면 다시 그리기
keys-scroll = 스크롤
keys-select = 선택
keys-send = 전송
keys-send-decline = 거절하고 에이전트에 알림
keys-send-question = 질문 보내기
keys-show-all = 다시 모두 표시
keys-show-all-short = 모두
keys-show-draft = 내 초안 보기
keys-show-draft-short = 내 초안
keys-snooze = 미루기
keys-stop-typing = { $esc ->
    [cancel] 거절
   *[leave] 입력 마치기 (글은 남음)
}
keys-stop-typing-short = { $esc ->
    [cancel] 거절
   *[leave] 완료
}
keys-suspend = 일시 중지
keys-switch-tab = 탭 전환
keys-switch-tab-short = 다음
keys-take-back = 답변 취소
keys-to-filtered-asks = 목록으로
keys-to-filtered = 필터링된 목록으로
keys-to-list = 목록
keys-toggle = 전환
keys-top-end = 처음, 끝
keys-type = 입력
keys-types = 입력
keys-undo = 실행 취소, 다시 실행
keys-web = 웹 페이지 링크
keys-words = 앞 단어, 뒤 단어
keys-yes = 예
keys-jump = 직접 답변을 쓰기 시작

## The help page

keys-title = 키 안내
# Behind the title: which rows of all are seen.
keys-title-place = { $first }-{ $last }/{ $all }
keys-group-moving = 이동
keys-group-answering = 답변
keys-group-typing = 입력
keys-group-replying = 답변 대신
keys-group-looking = 더 보기
keys-group-leaving = 나가기

## History

keys-history = 기록
keys-search = 검색
keys-filters = 조건
keys-copy-markdown = Markdown으로 복사
keys-write-json = JSON 내보내기
keys-stats = 통계
keys-to-found = 목록으로
keys-change = 변경
