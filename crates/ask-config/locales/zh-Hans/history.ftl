### History and statistics.

## The screen of history.

history-title = 提问历史
history-looking = 正在查找 ...
history-reconnecting = 正在重连
history-search = 搜索：
history-agent = 智能体：
history-project = 项目：
history-state = 状态：
history-undelivered = 智能体尚未取走
history-period = 时段：
history-all = 全部
history-always = 不限
history-days = 最近 { $count } 天
history-today = 今天
history-yesterday = 昨天
history-empty = 还没有已结束的问题。
history-nothing = 未找到。
history-asked = { $time } 提问
history-shown = { $time } 在 { $surface } 显示
history-taken-back = { $time } 撤回回答
history-ended = { $time } { $how }
history-note = 备注
history-reason = 理由
history-not-sent = 未发送
history-asked-back = 反问
history-whole = 历史中的问题
history-stats = 统计
history-head-answers = 回答的内容
history-head-asked = 提问的内容
history-head-reply = 智能体收到的内容
history-again = 现在在输入框中按 { $key } 会先出现这些话。
history-again-none = 这里没有自己写的回答。
history-writing = 正在写入 ...
history-written = { $count } 个问题已写入 { $path }

## How an ask ended. The surfaces are terminal, plain, cli, dialog, pending, app, bridge, api, web, rpc and names of programs.

history-end-waiting = 等待中
history-end-answered = { $surface ->
    [api] 由程序回答
    [cli] 通过命令回答
    [dialog] 在其对话框中回答
    [pending] 在文件中回答
    [plain] 在纯文本模式回答
    [terminal] 在终端回答
    [web] 在浏览器回答
    [app] 在聊天中回答
    [bridge] 在应用中回答
    [rpc] 由程序回答
   *[other] 在 { $surface } 回答
}
history-end-declined = { $surface ->
    [api] 由程序拒绝
    [cli] 通过命令拒绝
    [dialog] 在其对话框中拒绝
    [pending] 在文件中拒绝
    [plain] 在纯文本模式拒绝
    [terminal] 在终端拒绝
    [web] 在浏览器拒绝
    [app] 在聊天中拒绝
    [bridge] 在应用中拒绝
    [rpc] 由程序拒绝
   *[other] 在 { $surface } 拒绝
}
history-end-declined-because = 已拒绝：“{ $reason }”
history-end-asked-back = { $surface ->
    [api] 由程序反问
    [cli] 通过命令反问
    [dialog] 在其对话框中反问
    [pending] 在文件中反问
    [plain] 在纯文本模式反问
    [terminal] 在终端反问
    [web] 在浏览器反问
    [app] 在聊天中反问
    [bridge] 在应用中反问
    [rpc] 由程序反问
   *[other] 在 { $surface } 反问
}
history-end-expired = 已过期
history-end-expired-sent-late = 已过期，迟发
history-end-expired-kept = 已过期，为智能体保留
history-end-withdrawn = 智能体已撤回
history-told = 已发给智能体 { $time }
history-told-late = 迟发 { $time }
history-not-told = 尚未发送

## A history as Markdown.

export-none = 都不是。
export-unanswered = 未回答。
export-note = 备注：{ $note }

## Statistics.

stats-asks = { $count } 个问题
stats-brief = { $asks } · 回答率 { $answered } % · 中位数 { $median }
stats-row = { $label }：{ $value }
stats-waiting = { $count } 个等待中，最久 { $longest } · 今日最久 { $today }
stats-waiting-none = 无等待
stats-waiting-none-today = 无等待 · 今日最久 { $today }
stats-outcomes = 结果
stats-end-answered = 已回答
stats-end-late = 迟到
stats-end-declined = 已拒绝
stats-end-asked-back = 反问
stats-end-expired = 已过期
stats-end-withdrawn = 已撤回
stats-days = 每日问题数
stats-by-surface = 回答用时 (按界面)
stats-by-hour = 回答用时 (按时段)
stats-took = { $median }，九成在{ $ninety }内 ({ $count })
stats-agents = 对各智能体的回答
stats-nameless = 未命名
stats-recommended = 推荐 { $part } %
stats-another = 其他选项 { $part } %
stats-own = 自己的话 { $part } %
stats-notes = { $count } 条备注
stats-ask-backs = { $count } 次反问
