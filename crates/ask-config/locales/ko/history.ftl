### History and statistics.

## The screen of history.

history-title = 질문 기록
history-looking = 찾는 중 ...
history-reconnecting = 재연결 중
history-search = 검색:
history-agent = 에이전트:
history-project = 프로젝트:
history-state = 상태:
history-undelivered = 에이전트 미수신
history-period = 기간:
history-all = 모두
history-always = 전체
history-days = 최근 { $count }일
history-today = 오늘
history-yesterday = 어제
history-empty = 아직 끝난 질문이 없습니다.
history-nothing = 결과가 없습니다.
history-asked = { $time } 질문
history-shown = { $time } { $surface }에 표시
history-taken-back = { $time } 답변 취소
history-ended = { $time } { $how }
history-note = 메모
history-reason = 이유
history-not-sent = 보내지 않음
history-asked-back = 되물음
history-whole = 기록의 질문
history-stats = 통계
history-head-answers = 답변 내용
history-head-asked = 질문 내용
history-head-reply = 에이전트가 받은 내용
history-again = 이제 입력란에서 { $key } 키를 누르면 이 답이 먼저 나옵니다.
history-again-none = 여기에는 직접 쓴 답이 없습니다.
history-writing = 쓰는 중 ...
history-written = 질문 { $count }개를 { $path }에 저장했습니다

## How an ask ended. The surfaces are terminal, plain, cli, dialog, pending, app, bridge, api, web, rpc and names of programs.

history-end-waiting = 대기 중
history-end-answered = { $surface ->
    [api] 프로그램으로 답변
    [cli] 명령으로 답변
    [dialog] 대화 상자에서 답변
    [pending] 파일로 답변
    [plain] plain 모드에서 답변
    [terminal] 터미널에서 답변
    [web] 브라우저에서 답변
    [app] 채팅에서 답변
    [bridge] 앱에서 답변
    [rpc] 프로그램으로 답변
   *[other] { $surface }에서 답변
}
history-end-declined = { $surface ->
    [api] 프로그램으로 거절
    [cli] 명령으로 거절
    [dialog] 대화 상자에서 거절
    [pending] 파일로 거절
    [plain] plain 모드에서 거절
    [terminal] 터미널에서 거절
    [web] 브라우저에서 거절
    [app] 채팅에서 거절
    [bridge] 앱에서 거절
    [rpc] 프로그램으로 거절
   *[other] { $surface }에서 거절
}
history-end-declined-because = 거절: "{ $reason }"
history-end-asked-back = { $surface ->
    [api] 프로그램으로 되물음
    [cli] 명령으로 되물음
    [dialog] 대화 상자에서 되물음
    [pending] 파일로 되물음
    [plain] plain 모드에서 되물음
    [terminal] 터미널에서 되물음
    [web] 브라우저에서 되물음
    [app] 채팅에서 되물음
    [bridge] 앱에서 되물음
    [rpc] 프로그램으로 되물음
   *[other] { $surface }에서 되물음
}
history-end-expired = 만료
history-end-expired-sent-late = 만료, 늦게 보냄
history-end-expired-kept = 만료, 에이전트용 보관
history-end-withdrawn = 에이전트가 철회
history-told = 에이전트에 보냄 { $time }
history-told-late = 늦게 보냄 { $time }
history-not-told = 아직 안 보냄

## A history as Markdown.

export-none = 해당 없음.
export-unanswered = 답변 없음.
export-note = 메모: { $note }

## Statistics.

stats-asks = 질문 { $count }개
stats-brief = { $asks } · 답변율 { $answered } % · 중앙값 { $median }
stats-row = { $label }: { $value }
stats-waiting = { $count }개 대기 중, 최장 { $longest } · 오늘 최장 { $today }
stats-waiting-none = 대기 없음
stats-waiting-none-today = 대기 없음 · 오늘 최장 { $today }
stats-outcomes = 결과
stats-end-answered = 답변
stats-end-late = 늦음
stats-end-declined = 거절
stats-end-asked-back = 되물음
stats-end-expired = 만료
stats-end-withdrawn = 철회
stats-days = 하루 질문 수
stats-by-surface = 답변 시간 (화면별)
stats-by-hour = 답변 시간 (시간대별)
stats-took = { $median }, 90 %는 { $ninety } 이내 ({ $count })
stats-agents = 에이전트별 답변
stats-nameless = 이름 없음
stats-recommended = 추천 { $part } %
stats-another = 다른 선택지 { $part } %
stats-own = 직접 작성 { $part } %
stats-notes = 메모 { $count }개
stats-ask-backs = 되물음 { $count }번
