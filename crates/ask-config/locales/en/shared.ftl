### Words that several surfaces share: who asks, how it ended, what was answered.

## Who asks

shared-an-agent = an agent
shared-agent-left = The agent stopped waiting; your answer will be kept.
# $ago is a short time as in "2m" or "1h".
shared-earlier-answer = You answered this { $ago } ago: { $answer }
shared-earlier-answer-none = There is no earlier answer to fill in here.
shared-filled-in-below = Not filled in by you, but by a program below { $agent }: check it before you send.
shared-filled-in-by = Not filled in by you, but by a program below { $agent }.

## What can be chosen

shared-other = Other (type your answer)
shared-yes = Yes
shared-no = No
shared-none-of-these = none of these
# Behind what was chosen: the person's own words besides.
shared-own-answer = + own answer: { $words }
# Between the thousands of a number.
shared-thousands-mark = ,

## While answers are given

shared-field-full = The field is full (256 KiB): what comes after that is left out.
shared-not-sent = Nothing you typed was sent.
shared-nothing-chosen = Nothing chosen: { $enter } again sends 'none of these'
# The same where other questions follow.
shared-nothing-chosen-here = Nothing chosen: { $enter } again says 'none of these', { $tab } goes on without

## How an ask was closed. $surface is where: terminal, plain, cli, dialog, pending, api, app, bridge, web, rpc, "none", or another that $name names; $at is the time of day.

shared-closed-answered = { $surface ->
    [none] ANSWERED  { $at }
    [cli] ANSWERED BY COMMAND  { $at }
    [dialog] ANSWERED IN ITS DIALOG  { $at }
    [pending] ANSWERED IN A FILE  { $at }
    [plain] ANSWERED IN PLAIN MODE  { $at }
    [terminal] ANSWERED IN A TERMINAL  { $at }
    [api] ANSWERED BY A PROGRAM  { $at }
    [app] ANSWERED IN THE CHAT  { $at }
    [bridge] ANSWERED IN THE APP  { $at }
    [rpc] ANSWERED BY A PROGRAM  { $at }
    [web] ANSWERED IN THE BROWSER  { $at }
   *[other] ANSWERED ON { $name }  { $at }
}
shared-closed-declined = { $surface ->
    [none] DECLINED  { $at }
    [cli] DECLINED BY COMMAND  { $at }
    [dialog] DECLINED IN ITS DIALOG  { $at }
    [pending] DECLINED IN A FILE  { $at }
    [plain] DECLINED IN PLAIN MODE  { $at }
    [terminal] DECLINED IN A TERMINAL  { $at }
    [api] DECLINED BY A PROGRAM  { $at }
    [app] DECLINED IN THE CHAT  { $at }
    [bridge] DECLINED IN THE APP  { $at }
    [rpc] DECLINED BY A PROGRAM  { $at }
    [web] DECLINED IN THE BROWSER  { $at }
   *[other] DECLINED ON { $name }  { $at }
}
shared-closed-asked-back = { $surface ->
    [none] ASKED BACK  { $at }
    [cli] ASKED BACK BY COMMAND  { $at }
    [dialog] ASKED BACK IN ITS DIALOG  { $at }
    [pending] ASKED BACK IN A FILE  { $at }
    [plain] ASKED BACK IN PLAIN MODE  { $at }
    [terminal] ASKED BACK IN A TERMINAL  { $at }
    [api] ASKED BACK BY A PROGRAM  { $at }
    [app] ASKED BACK IN THE CHAT  { $at }
    [bridge] ASKED BACK IN THE APP  { $at }
    [rpc] ASKED BACK BY A PROGRAM  { $at }
    [web] ASKED BACK IN THE BROWSER  { $at }
   *[other] ASKED BACK ON { $name }  { $at }
}
shared-closed-expired = EXPIRED  { $at }
shared-closed-withdrawn = WITHDRAWN BY THE AGENT  { $at }
shared-no-reason = No reason was given.
shared-reason = Reason: { $reason }
shared-asked-back = Asked back: { $words }
shared-time-passed = The agent's time limit passed; it was told only that.
shared-taken-back = The agent took the question back.

## What became of what the person just did. $who is who asks.

shared-done-waiting = Still waiting; your draft is kept.
shared-done-answered = Answer sent to { $who }.
shared-done-declined = Declined; { $who } is notified.
shared-done-asked-back = Your question went to { $who }.
shared-done-expired = It expired.
shared-done-withdrawn = The agent took it back.
shared-kept-answer = Answer kept for { $who }, which stopped waiting.
shared-kept-no = Your no is kept for { $who }, which stopped waiting.
shared-kept-question = Your question is kept for { $who }, which stopped waiting.

## Lengths of time, as narrow as people write them: they stand in columns. $rest has two digits.

shared-seconds = { $count }s
shared-minutes = { $count }m
shared-hours = { $count }h
shared-days = { $count }d
shared-minutes-seconds = { $whole }m { $rest }s
shared-hours-minutes = { $whole }h { $rest }m
shared-days-hours = { $whole }d { $rest }h
shared-day =
    { $month ->
        [1] Jan
        [2] Feb
        [3] Mar
        [4] Apr
        [5] May
        [6] Jun
        [7] Jul
        [8] Aug
        [9] Sep
        [10] Oct
        [11] Nov
       *[12] Dec
    } { $day }

## Where something was done or shown, where it is named alone.

shared-below-agent = started below { $agent }
shared-surface = { $surface ->
    [api] program
    [app] chat
    [bridge] app
    [cli] command line
    [dialog] dialog
    [pending] file
    [plain] plain mode
    [rpc] program
    [terminal] terminal
    [web] browser
   *[other] { $surface }
}
