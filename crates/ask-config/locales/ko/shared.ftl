### Words that several surfaces share: who asks, how it ended, what was answered.

## Who asks

shared-an-agent = 에이전트
shared-agent-left = 에이전트가 더는 기다리지 않습니다. 답변은 보관됩니다.
# $ago is a short time as in "2m" or "1h".
shared-earlier-answer = { $ago } 전에 이렇게 답했습니다: { $answer }
shared-earlier-answer-none = 여기에 채울 이전 답변이 없습니다.
shared-filled-in-below = 당신이 채운 것이 아닙니다. { $agent } 아래의 프로그램이 채웠으니 보내기 전에 확인하세요.
shared-filled-in-by = 당신이 채운 것이 아닙니다. { $agent } 아래의 프로그램이 채웠습니다.

## What can be chosen

shared-other = 기타 (직접 입력)
shared-yes = 예
shared-no = 아니요
shared-none-of-these = 해당 없음
# Behind what was chosen: the person's own words besides.
shared-own-answer = + 직접 답변: { $words }
# Between the thousands of a number.
shared-thousands-mark = ,

## While answers are given

shared-field-full = 입력란이 가득 찼습니다 (256 KiB). 그 뒤는 빠집니다.
shared-not-sent = 입력한 내용은 보내지 않았습니다.
shared-nothing-chosen = 선택 없음: { $enter } 한 번 더 누르면 '해당 없음' 전송
# The same where other questions follow.
shared-nothing-chosen-here = 선택 없음: { $enter } 한 번 더 누르면 '해당 없음', { $tab } 그냥 계속

## How an ask was closed. $surface is where: terminal, plain, cli, dialog, pending, api, app, bridge, web, rpc, "none", or another that $name names; $at is the time of day.

shared-closed-answered = { $surface ->
    [none] 답변됨  { $at }
    [cli] 명령으로 답변됨  { $at }
    [dialog] 대화 상자에서 답변됨  { $at }
    [pending] 파일로 답변됨  { $at }
    [plain] plain 모드에서 답변됨  { $at }
    [terminal] 터미널에서 답변됨  { $at }
    [api] 프로그램으로 답변됨  { $at }
    [app] 채팅에서 답변됨  { $at }
    [bridge] 앱에서 답변됨  { $at }
    [rpc] 프로그램으로 답변됨  { $at }
    [web] 브라우저에서 답변됨  { $at }
   *[other] { $name }에서 답변됨  { $at }
}
shared-closed-declined = { $surface ->
    [none] 거절됨  { $at }
    [cli] 명령으로 거절됨  { $at }
    [dialog] 대화 상자에서 거절됨  { $at }
    [pending] 파일로 거절됨  { $at }
    [plain] plain 모드에서 거절됨  { $at }
    [terminal] 터미널에서 거절됨  { $at }
    [api] 프로그램으로 거절됨  { $at }
    [app] 채팅에서 거절됨  { $at }
    [bridge] 앱에서 거절됨  { $at }
    [rpc] 프로그램으로 거절됨  { $at }
    [web] 브라우저에서 거절됨  { $at }
   *[other] { $name }에서 거절됨  { $at }
}
shared-closed-asked-back = { $surface ->
    [none] 되물음  { $at }
    [cli] 명령으로 되물음  { $at }
    [dialog] 대화 상자에서 되물음  { $at }
    [pending] 파일로 되물음  { $at }
    [plain] plain 모드에서 되물음  { $at }
    [terminal] 터미널에서 되물음  { $at }
    [api] 프로그램으로 되물음  { $at }
    [app] 채팅에서 되물음  { $at }
    [bridge] 앱에서 되물음  { $at }
    [rpc] 프로그램으로 되물음  { $at }
    [web] 브라우저에서 되물음  { $at }
   *[other] { $name }에서 되물음  { $at }
}
shared-closed-expired = 만료됨  { $at }
shared-closed-withdrawn = 에이전트가 철회함  { $at }
shared-no-reason = 이유는 없습니다.
shared-reason = 이유: { $reason }
shared-asked-back = 되물음: { $words }
shared-time-passed = 에이전트의 제한 시간이 지났고, 그 사실만 전달되었습니다.
shared-taken-back = 에이전트가 질문을 철회했습니다.

## What became of what the person just did. $who is who asks.

shared-done-waiting = 아직 대기 중입니다. 초안은 보관됩니다.
shared-done-answered = { $who }에게 답변을 보냈습니다.
shared-done-declined = 거절했습니다. { $who }에게 알립니다.
shared-done-asked-back = { $who }에게 질문을 보냈습니다.
shared-done-expired = 만료되었습니다.
shared-done-withdrawn = 에이전트가 철회했습니다.
shared-kept-answer = 더는 기다리지 않는 { $who }에게 전할 답변을 보관했습니다.
shared-kept-no = 더는 기다리지 않는 { $who }에게 전할 거절을 보관했습니다.
shared-kept-question = 더는 기다리지 않는 { $who }에게 전할 질문을 보관했습니다.

## Lengths of time, as narrow as people write them: they stand in columns. $rest has two digits.

shared-seconds = { $count }초
shared-minutes = { $count }분
shared-hours = { $count }시간
shared-days = { $count }일
shared-minutes-seconds = { $whole }분 { $rest }초
shared-hours-minutes = { $whole }시간 { $rest }분
shared-days-hours = { $whole }일 { $rest }시간
shared-day = { $month }월 { $day }일

## Where something was done or shown, where it is named alone.

shared-below-agent = { $agent } 아래에서 시작됨
shared-surface = { $surface ->
    [api] 프로그램
    [app] 채팅
    [bridge] 앱
    [cli] 명령
    [dialog] 대화 상자
    [pending] 파일
    [plain] plain 모드
    [rpc] 프로그램
    [terminal] 터미널
    [web] 브라우저
   *[other] { $surface }
}
