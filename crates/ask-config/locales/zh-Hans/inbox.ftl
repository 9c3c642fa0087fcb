### The list of asks.

## Its head. Counts stand side by side, with dots between them.

inbox-looking = 正在查找 ...
inbox-reconnecting = 正在重连
inbox-muted = 已静音
# $address is where the page is, as 127.0.0.1:4127.
inbox-web = 网页 { $address }
inbox-count-waiting = { $count } 个等待
inbox-count-snoozed = { $count } 个搁置
inbox-count-late = { $count } 个迟到
inbox-count-answered = 今日已答 { $count } 个
inbox-fit = { $count }/{ $all } 项

## Its groups

inbox-group-waiting = 等待中
inbox-group-snoozed = 已搁置
inbox-group-late = 迟到  智能体已停止等待；回答会保留到它再次提问
inbox-group-kept = 已保留  已回答；智能体尚未取走
inbox-group-sent = 已发送  智能体马上会收到
# The same in at most 40 columns.
inbox-group-late-short = 迟到  已停止等待，回答会保留
inbox-group-kept-short = 已保留  智能体尚未取走
inbox-sorted = 排序：先按期限，再按最早

## Where it is empty

inbox-none = 没有等待你的问题。
inbox-none-yet = 有新问题会自动出现在这里。
inbox-none-fit = 没有匹配项。
inbox-none-fit-yet = { $key } 重新显示全部。

## What kind of question it is, in at most ten columns.

inbox-kind-confirm = 确认
inbox-kind-one = 单选
inbox-kind-many = 多选
inbox-kind-text = 文本
inbox-kind-several = { $count } 标签

## What is worth knowing about an ask, in at most eleven columns. $at is a time of day.

inbox-mark-back = 恢复 { $at }
inbox-mark-back-when-asked = 再次提问时
inbox-mark-answered = 已回答
inbox-mark-declined = 已拒绝
inbox-mark-asked-back = 已反问
inbox-mark-expired = 已过期
inbox-mark-withdrawn = 已撤回
# In place of these: a program that an agent had started closed the ask.
inbox-mark-below-agent = 智能体之下
inbox-mark-due = 到期
inbox-mark-due-in = 剩余{ $time }
inbox-mark-dialog = 别处也有
inbox-mark-handed = 在客户端
inbox-mark-draft = 草稿 { $given }/{ $asked }
inbox-mark-asked-again = 再次提问
inbox-mark-preview = 预览

## The ask under the cursor: who asks, where, and what.

inbox-asked-by = { $name } 提问
inbox-asked-by-client = { $name } 提问 (名称由客户端提供)
inbox-asked-from-shell = 从 shell 提问
inbox-calls-itself = 自称“{ $agent }”
inbox-session = 会话 { $session }
inbox-branch = 分支 { $branch }
inbox-this-machine = 本机
inbox-context = 背景
inbox-question = 问题
inbox-asked-again = 智能体再次问了这个问题。
inbox-in-dialog = 同时显示在 { $client } 中；以先答的为准。
inbox-in-client = 正在 { $client } 中提问；这里的回答会保存，等问题回来时生效。
inbox-snoozed-until = 你已将它搁置到 { $at }；{ $key } 恢复。
inbox-snoozed-until-asked = 你已将它搁置到智能体再次提问；{ $key } 恢复。
# Under a text that is longer than the room for it.
inbox-read-all = { $key } 看全文 ({ $count } 行)

## Putting aside, in a dialog. $at is a time of day.

inbox-snooze-title = 搁置此问题；智能体不会察觉
inbox-snooze-minutes = { $count } 分钟 (到 { $at })
inbox-snooze-hour = 1 小时 (到 { $at })
# The same where there is no room for the time of day.
inbox-snooze-minutes-short = { $count } 分钟
inbox-snooze-hour-short = 1 小时
inbox-snooze-tomorrow = 明天 { $at }
inbox-snooze-asked-again = 直到该智能体再次提问
inbox-snooze-says = 可在“已搁置”中找到；{ $key } 恢复。
inbox-sessions = 已登录网页的浏览器和设备
inbox-sessions-none = 没有已登录的浏览器；{ $key } 给出登录链接。
inbox-sessions-here = 现在在线
inbox-sessions-seen = 上次在线 { $at }
inbox-sessions-all = 在所有地方退出登录
inbox-sessions-sure = 让 { $name } 退出登录？会立即断开，它作出的回答会保留。{ $key } 执行。
inbox-sessions-sure-all = 让这台电脑上的所有浏览器退出登录并断开所有设备？它们作出的回答会保留。{ $key } 执行。

## What became of what was just done

inbox-said-snoozed = 已搁置到 { $at }；{ $key } 恢复。
inbox-said-snoozed-until-asked = 已搁置到智能体再次提问；{ $key } 恢复。
inbox-said-back = 问题重新等待你。
inbox-said-more-time = 延长 { $time }：{ $at } 到期。
inbox-said-typing = 因你正在输入，延长 { $time }：{ $at } 到期。
inbox-said-no-more-time = 无法再延长：{ $at } 到期。
inbox-said-no-deadline = 没有期限：会一直等到你回答。
inbox-said-nothing-to-take-back = 没有可撤回的回答。
inbox-said-taken-back = 已撤回：没有发送任何内容。修改后可重新发送。
inbox-said-web-none = 没有网页：http.enabled 为 false。
inbox-said-web-narrow = 链接比此终端宽：用 `ask-user web` 打印。
# $why is a sentence without its full stop, in English.
inbox-said-web-failed = 无法生成网页链接：{ $why }
inbox-said-muted = 通知已静音；{ $key } 重新开启。
inbox-said-unmuted = 通知已重新开启。
inbox-said-failed = 操作未成功：{ $why }.
inbox-said-damage = 存储已损坏或丢失，其中的内容不在此处；详情见 `ask-user doctor`。
inbox-said-settings = config.toml：有 { $count } 项设置无法使用；详情见 `ask-user doctor`。

## A card whose ask is filled in elsewhere, too. $surface is where, $at the time of day.

inbox-changed-elsewhere = 已在 { $surface } 更改 { $at }，{ $key } 载入
inbox-changed-here = 已在 { $surface } 更改 { $at }，{ $key } 恢复你的内容
