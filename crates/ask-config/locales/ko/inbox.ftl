### The list of asks.

## Its head. Counts stand side by side, with dots between them.

inbox-looking = 찾는 중 ...
inbox-reconnecting = 재연결 중
inbox-muted = 알림 끔
# $address is where the page is, as 127.0.0.1:4127.
inbox-web = 웹 { $address }
inbox-count-waiting = 대기 { $count }개
inbox-count-snoozed = 미룸 { $count }개
inbox-count-late = 늦음 { $count }개
inbox-count-answered = 오늘 답변 { $count }개
inbox-fit = { $count }/{ $all }개

## Its groups

inbox-group-waiting = 대기
inbox-group-snoozed = 미룸
inbox-group-late = 늦음  에이전트 대기 종료, 답변은 다시 질문할 때까지 보관
inbox-group-kept = 보관  답변됨, 에이전트가 아직 가져가지 않음
inbox-group-sent = 보냄  곧 에이전트가 받습니다
# The same in at most 40 columns.
inbox-group-late-short = 늦음  대기 종료, 답변은 보관
inbox-group-kept-short = 보관  에이전트가 아직 안 가져감
inbox-sorted = 정렬: 기한순, 다음 오래된 순

## Where it is empty

inbox-none = 기다리는 질문이 없습니다.
inbox-none-yet = 새 질문은 여기에 자동으로 나타납니다.
inbox-none-fit = 일치하는 항목 없음.
inbox-none-fit-yet = { $key } 다시 모두 표시.

## What kind of question it is, in at most ten columns.

inbox-kind-confirm = 확인
inbox-kind-one = 단일 선택
inbox-kind-many = 복수 선택
inbox-kind-text = 주관식
inbox-kind-several = 탭 { $count }개

## What is worth knowing about an ask, in at most eleven columns. $at is a time of day.

inbox-mark-back = 복귀 { $at }
inbox-mark-back-when-asked = 재질문 때
inbox-mark-answered = 답변됨
inbox-mark-declined = 거절됨
inbox-mark-asked-back = 되물음
inbox-mark-expired = 만료됨
inbox-mark-withdrawn = 철회됨
# In place of these: a program that an agent had started closed the ask.
inbox-mark-below-agent = AI 경유
inbox-mark-due = 기한
inbox-mark-due-in = { $time } 남음
inbox-mark-dialog = 다른 곳도
inbox-mark-handed = 넘겨줌
inbox-mark-draft = 초안 { $given }/{ $asked }
inbox-mark-asked-again = 다시 질문
inbox-mark-preview = 미리보기

## The ask under the cursor: who asks, where, and what.

inbox-asked-by = 질문: { $name }
inbox-asked-by-client = 질문: { $name } (클라이언트가 보낸 이름)
inbox-asked-from-shell = 셸에서 보낸 질문
inbox-calls-itself = 자칭 "{ $agent }"
inbox-session = 세션 { $session }
inbox-branch = 브랜치 { $branch }
inbox-this-machine = 이 컴퓨터
inbox-context = 배경
inbox-question = 질문
inbox-asked-again = 에이전트가 다시 질문했습니다.
inbox-in-dialog = { $client }에도 표시됨. 먼저 한 답변이 유효합니다.
inbox-in-client = 지금 { $client }에서 질문 중입니다. 여기서 한 답변은 보관되고, 질문이 돌아오면 유효합니다.
inbox-snoozed-until = { $at }까지 미뤘습니다. { $key } 되돌리기.
inbox-snoozed-until-asked = 에이전트가 다시 질문할 때까지 미뤘습니다. { $key } 되돌리기.
# Under a text that is longer than the room for it.
inbox-read-all = { $key } 모두 읽기 ({ $count }행)

## Putting aside, in a dialog. $at is a time of day.

inbox-snooze-title = 미루기, 에이전트는 알지 못함
inbox-snooze-minutes = { $count }분 ({ $at }까지)
inbox-snooze-hour = 1시간 ({ $at }까지)
# The same where there is no room for the time of day.
inbox-snooze-minutes-short = { $count }분
inbox-snooze-hour-short = 1시간
inbox-snooze-tomorrow = 내일 { $at }
inbox-snooze-asked-again = 이 에이전트가 다시 질문할 때까지
inbox-snooze-says = '미룸'에서 볼 수 있습니다. { $key } 되돌리기.
inbox-sessions = 페이지에 로그인한 브라우저와 기기
inbox-sessions-none = 로그인한 브라우저가 없습니다. { $key } 로그인 링크를 표시합니다.
inbox-sessions-here = 지금 연결됨
inbox-sessions-seen = 마지막 연결 { $at }
inbox-sessions-all = 모든 곳에서 로그아웃
inbox-sessions-sure = { $name } 로그아웃할까요? 연결이 즉시 끊어지고 지금까지의 답변은 남습니다. { $key } 실행.
inbox-sessions-sure-all = 이 컴퓨터의 모든 브라우저를 로그아웃하고 모든 기기의 연결을 끊을까요? 지금까지의 답변은 남습니다. { $key } 실행.

## What became of what was just done

inbox-said-snoozed = { $at }까지 미뤘습니다. { $key } 되돌리기.
inbox-said-snoozed-until-asked = 다시 질문할 때까지 미뤘습니다. { $key } 되돌리기.
inbox-said-back = 다시 대기합니다.
inbox-said-more-time = { $time } 연장: 기한 { $at }.
inbox-said-typing = 입력 중이라 { $time } 연장: 기한 { $at }.
inbox-said-no-more-time = 더 연장할 수 없습니다: 기한 { $at }.
inbox-said-no-deadline = 기한이 없습니다. 답할 때까지 기다립니다.
inbox-said-nothing-to-take-back = 취소할 답변이 없습니다.
inbox-said-taken-back = 취소했습니다. 보내지 않았습니다. 고쳐서 다시 보내세요.
inbox-said-web-none = 웹 페이지가 없습니다. http.enabled가 false입니다.
inbox-said-web-narrow = 링크가 이 터미널보다 넓습니다. `ask-user web`으로 출력합니다.
# $why is a sentence without its full stop, in English.
inbox-said-web-failed = 웹 페이지 링크를 만들 수 없습니다: { $why }
inbox-said-muted = 알림을 껐습니다. { $key } 다시 켜기.
inbox-said-unmuted = 알림을 다시 켰습니다.
inbox-said-failed = 실패했습니다: { $why }.
inbox-said-damage = 저장소가 손상되었거나 사라졌습니다. 그 안의 내용은 여기에 없습니다. 자세한 내용은 `ask-user doctor`.
inbox-said-settings = config.toml: 사용할 수 없는 설정 { $count }개, 자세한 내용은 `ask-user doctor`.

## A card whose ask is filled in elsewhere, too. $surface is where, $at the time of day.

inbox-changed-elsewhere = { $surface }에서 변경됨 { $at }, { $key } 불러오기
inbox-changed-here = { $surface }에서 변경됨 { $at }, { $key } 내 것으로 복원
