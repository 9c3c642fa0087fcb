### Words that several surfaces share: who asks, how it ended, what was answered.

## Who asks

shared-an-agent = 智能体
shared-agent-left = 智能体已停止等待；你的回答会被保留。
# $ago is a short time as in "2m" or "1h".
shared-earlier-answer = 你在{ $ago }前回答过：{ $answer }
shared-earlier-answer-none = 这里没有可填入的先前回答。
shared-filled-in-below = 并非由你填写，而是由 { $agent } 之下的程序填写：发送前请检查。
shared-filled-in-by = 并非由你填写，而是由 { $agent } 之下的程序填写。

## What can be chosen

shared-other = 其他 (输入你的回答)
shared-yes = 是
shared-no = 否
shared-none-of-these = 都不是
# Behind what was chosen: the person's own words besides.
shared-own-answer = + 自己的回答：{ $words }
# Between the thousands of a number.
shared-thousands-mark = ,

## While answers are given

shared-field-full = 输入框已满 (256 KiB)：之后的内容会被略去。
shared-not-sent = 你输入的内容均未发送。
shared-nothing-chosen = 未选择：再按 { $enter } 将发送“都不是”
# The same where other questions follow.
shared-nothing-chosen-here = 未选择：再按 { $enter } 表示“都不是”，{ $tab } 跳过继续

## How an ask was closed. $surface is where: terminal, plain, cli, dialog, pending, api, app, bridge, web, rpc, "none", or another that $name names; $at is the time of day.

shared-closed-answered = { $surface ->
    [none] 已回答  { $at }
    [cli] 已通过命令回答  { $at }
    [dialog] 已在其对话框中回答  { $at }
    [pending] 已在文件中回答  { $at }
    [plain] 已在纯文本模式回答  { $at }
    [terminal] 已在终端回答  { $at }
    [api] 已由程序回答  { $at }
    [app] 已在聊天中回答  { $at }
    [bridge] 已在应用中回答  { $at }
    [rpc] 已由程序回答  { $at }
    [web] 已在浏览器回答  { $at }
   *[other] 已在 { $name } 回答  { $at }
}
shared-closed-declined = { $surface ->
    [none] 已拒绝  { $at }
    [cli] 已通过命令拒绝  { $at }
    [dialog] 已在其对话框中拒绝  { $at }
    [pending] 已在文件中拒绝  { $at }
    [plain] 已在纯文本模式拒绝  { $at }
    [terminal] 已在终端拒绝  { $at }
    [api] 已由程序拒绝  { $at }
    [app] 已在聊天中拒绝  { $at }
    [bridge] 已在应用中拒绝  { $at }
    [rpc] 已由程序拒绝  { $at }
    [web] 已在浏览器拒绝  { $at }
   *[other] 已在 { $name } 拒绝  { $at }
}
shared-closed-asked-back = { $surface ->
    [none] 已反问  { $at }
    [cli] 已通过命令反问  { $at }
    [dialog] 已在其对话框中反问  { $at }
    [pending] 已在文件中反问  { $at }
    [plain] 已在纯文本模式反问  { $at }
    [terminal] 已在终端反问  { $at }
    [api] 已由程序反问  { $at }
    [app] 已在聊天中反问  { $at }
    [bridge] 已在应用中反问  { $at }
    [rpc] 已由程序反问  { $at }
    [web] 已在浏览器反问  { $at }
   *[other] 已在 { $name } 反问  { $at }
}
shared-closed-expired = 已过期  { $at }
shared-closed-withdrawn = 智能体已撤回  { $at }
shared-no-reason = 未说明理由。
shared-reason = 理由：{ $reason }
shared-asked-back = 反问：{ $words }
shared-time-passed = 智能体的时限已过；它只收到了这一通知。
shared-taken-back = 智能体撤回了问题。

## What became of what the person just did. $who is who asks.

shared-done-waiting = 仍在等待；草稿已保留。
shared-done-answered = 回答已发送给 { $who }。
shared-done-declined = 已拒绝；会告知 { $who }。
shared-done-asked-back = 你的问题已发给 { $who }。
shared-done-expired = 已过期。
shared-done-withdrawn = 智能体已撤回。
shared-kept-answer = { $who } 已停止等待，你的回答已为其保留。
shared-kept-no = { $who } 已停止等待，你的拒绝已为其保留。
shared-kept-question = { $who } 已停止等待，你的问题已为其保留。

## Lengths of time, as narrow as people write them: they stand in columns. $rest has two digits.

shared-seconds = { $count }秒
shared-minutes = { $count }分
shared-hours = { $count }小时
shared-days = { $count }天
shared-minutes-seconds = { $whole }分{ $rest }秒
shared-hours-minutes = { $whole }小时{ $rest }分
shared-days-hours = { $whole }天{ $rest }小时
shared-day = { $month }月{ $day }日

## Where something was done or shown, where it is named alone.

shared-below-agent = 由 { $agent } 之下启动
shared-surface = { $surface ->
    [api] 程序
    [app] 聊天
    [bridge] 应用
    [cli] 命令
    [dialog] 对话框
    [pending] 文件
    [plain] 纯文本模式
    [rpc] 程序
    [terminal] 终端
    [web] 浏览器
   *[other] { $surface }
}
