### A card: its tabs, rows, notes, review, dialogs and notices.

## Notes, filter, recommended

card-your-note = 你的备注
card-note = 备注：“{ $note }”
card-note-key = 备注：“{ $note }”  ({ $key } 编辑)
card-no-note = 备注：无
card-no-note-key = 备注：无  ({ $key } 添加)
card-your-note-for-all = 对全部回答的备注
card-note-for-all = { $key }  对全部回答的备注：“{ $note }”
card-no-note-for-all = { $key }  对全部回答的备注：无
card-filter = 筛选：
card-filter-count = { $shown }/{ $offered } 项
card-none-recommended = 智能体在这里没有推荐。
card-none-recommended-at-all = 未回答的问题都没有推荐。
card-earlier-answer = 你在{ $ago }前回答过：{ $answer }（{ $key } 填入）
card-earlier-answer-narrow = { $key } 填入：{ $answer }

## Copies

card-copied = 已复制 (若终端允许)。
card-too-long-to-copy = 太长，无法复制。
card-not-answered = 未回答
card-note-beside = 备注：{ $note }

## The review

card-review = 检查你的回答
card-missing = ! 未回答
card-left-out = 未回答 (可选)
card-gaps = ! { $count } 个问题未回答。必答：{ $names }
card-button-send = { $count ->
    [0] 不作答，直接发送
   *[other] 发送 { $count } 个回答
}
card-button-anyway = 仍发送这 { $count } 个回答
card-button-anyway-short = 仍发送 { $count } 个
card-just-told = 正在通知智能体时间已过：再发送一次即可保留你的回答。
card-button-late = 保留为迟到的回答
card-button-late-anyway = 将 { $count } 个回答保留为迟到
card-button-late-anyway-short = 保留 { $count } 个
card-button-go-to = 转到 { $name }

## What agents say

# In an agent's text: an image is not shown, what it is said to show is.
card-image = [图片：{ $alt }]
card-image-unnamed = [图片]

card-yes-no = 是 / 否
card-gone = 已经不在了。
# What a window shows of a long text.
card-lines = 第 { $first }-{ $last } 行，共 { $total } 行
# Behind a question, in parentheses.
card-choose-any = { $chosen ->
    [0] (可多选)
   *[other] (可多选，已选 { $chosen } 项)
}
card-optional = (可选)

## The rows of a question

card-yes = 是
card-no = 否
# Behind a label.
card-recommended = (推荐)
card-recommended-short = (荐)
card-chosen = ✓ 已选
# Before what was typed and is not part of the answer.
card-kept = (已保留，未选) { $text }
card-your-answer = 你的回答
card-your-own-answer = 你自己的回答
# At the right end of a field's frame. $chars is a number, written out.
card-field-size = { $lines ->
    [1] { $chars }
   *[other] { $lines } 行，{ $chars }
}
card-more-above = ↑ 还有 { $count } 项...
card-more-below = ↓ 还有 { $count } 项...
# On the frame of the list: where the cursor stands.
card-row-of = { $row }/{ $rows }

## What a choice would look like

card-preview = 预览：{ $choice }
# The same where the cursor is on Other, which has none.
card-preview-of-other = 预览
card-preview-none = 无预览
# Where there is no room for it. $key opens it.
card-preview-line = { $key } 预览 ({ $lines } 行)

## A question that is longer than its place

# $down and $up are keys, or "none" where they turn a preview; $read is the key that shows everything.
card-prose-below = ↓ 还有 { $below } 行 ({ $down ->
    [none] { $read } 看全文
   *[other] { $down }，{ $read } 看全文
})
card-prose-above = ↑ 还有 { $above } 行 ({ $up ->
    [none] { $read }
   *[other] { $up }
})
card-prose-both = ↑ { $above }  ↓ 还有 { $below } 行

## What is said above the hints

card-sending = 正在发送 ...
card-reconnecting = 正在重连；请继续输入，内容不会丢失。

## Who asks, and the tabs

card-asked = { $age }前提问
card-waits = 等待你回答
card-waits-no-more = 智能体已停止等待
card-due = 到期
card-due-in = 剩余{ $left }
card-link-down = 正在重连
card-draft-saved = 草稿已存 { $at }
card-submit = 提交
card-place = { $at }/{ $all }
card-tabs-given = { $given } 个回答 →

## Where nothing fits

card-too-small = 终端太小 ({ $columns }x{ $rows })：至少需要 { $least-columns }x{ $least-rows }；按 { $enter } 进入逐行模式

## Before an ask is left. $given of $asked questions have answers.

card-discard-typed = 放弃已输入的内容吗？
card-discard-nothing = 离开这个问题吗？
card-discard-answers = 放弃 { $given } 个回答吗？
card-discard-given = 共 { $asked } 个问题，你已回答 { $given } 个。
card-agent-waits = 智能体仍在等待。
card-agent-stopped = 智能体已停止等待。
card-discard-stay = 继续回答
card-discard-leave = 暂时离开，保留草稿
card-discard-leave-list = 暂时离开，保留草稿，返回列表
card-discard-leave-short = 离开，保留草稿
card-discard-cancel = 放弃并取消，告知智能体我已取消
card-discard-cancel-short = 放弃并取消
card-discard-decline = 说明理由并拒绝 ...
card-discard-hand-back = 交还给客户端的对话框
card-handed-back = 已交还：{ $who } 会在自己的对话框中提问。
card-said-held = { $said }按 { $key } 撤回。
# $last is the number of the last way: 4, or 5 where the ask can be given back to its client.
card-discard-safe = { $ways ->
    [3] 选择 { $cancel }、{ $decline } 或 { $back } 之前不会发送任何内容。
   *[other] 选择 { $cancel } 或 { $decline } 之前不会发送任何内容。
}

## Declining, and asking back

card-decline = 拒绝
card-decline-why = 为什么？智能体会看到。留空表示不说明理由。
card-decline-hint = 你的理由
card-ask-back = 反问
card-ask-back-what = 你想知道什么？智能体会收到它，而不是回答。
card-ask-back-hint = 你的问题

## A long answer. $chars is a number, written out.

card-long = 回答较长
card-long-sure = 回答较长 ({ $chars } 个字符)。仍要继续吗？[Y/n]

## Going on, and what became of it

# $why is a sentence without its full stop, in English.
card-not-sent = 未发送：{ $why }.
card-filled-in-cut = 未发送：程序填写的内容超出此屏幕。请放大窗口，或使用页面。
card-not-sent-try-again = 未发送：{ $why }. 答案仍在这里，请重试。
card-nothing-typed-yet = 尚未输入：请输入回答，或拒绝。
card-nothing-typed = 未输入：再按 { $enter } 将不带回答发送
card-somebody-first = 已被他人抢先；没有发送任何内容。
card-closed-elsewhere = 该问题已在别处关闭；没有发送任何内容。
card-no-longer-asked = 不再提问
# $key is a key, as in Alt+Up.
card-words-kept = 你输入的内容已保留：在输入框中按 { $key } 可取回。
card-words-printed = 你输入的内容已保留：离开时会显示出来。
card-too-soon = 按键来得太早，未起作用；你输入的内容已保留。
card-your-draft = 你的草稿：
# $names are the questions where it differs.
card-draft-differs = 你这里的草稿有所不同：{ $names }
