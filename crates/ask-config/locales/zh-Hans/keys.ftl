### What keys do, for the footer and the help page, and how keys are called.
### What depends on the ask comes as an argument:
### $go is "send" where Enter sends, "keep" where nobody waits for it any more, else "on";
### $esc is "cancel" where Esc declines, "discard" where it asks what to do with what was typed, "all" where it ends a filter, else "leave";
### $files is "none" where no file fits what was typed after @, else "some";
### $muted is "yes" while notifications are muted, else "no".

## Keys

keys-enter = Enter
keys-esc = Esc
keys-sessions = 已登录网页的列表
keys-sign-out = 退出登录
keys-tab = Tab
keys-space = 空格
keys-backspace = Backspace
keys-delete = Delete
keys-insert = Insert
keys-home = Home
keys-end = End
keys-page-up = PgUp
keys-page-down = PgDn
keys-use-again = 再次使用这些话
keys-with-ctrl = Ctrl+{ $key }
keys-with-alt = Alt+{ $key }
keys-with-shift = Shift+{ $key }
# Two keys, one after the other; it stands where the name of a key stands.
keys-after = 先按 { $first } 再按 { $key }
keys-any-other = 其他任意键

## What they do. Most stand behind their key in the footer, so they begin small and are short.

keys-all-recommended = 全选推荐项，然后检查
keys-ask-back = 反问
keys-at-once = 直接选
keys-attach = 附加
keys-attach-copied = 附加你复制的图片或文件
keys-attach-not = 返回；粘贴的路径变为文本
keys-attach-path = 按路径附加文件
keys-back = 返回
keys-back-to-text = 返回文本
keys-back-unsent = 返回，不发送
keys-caret = 移动光标
keys-choose = 选择
keys-clear-filter = 显示全部
keys-close-paths = 关闭，保持输入原样
keys-close-paths-short = 关闭
keys-confirm-go = { $go ->
    [send] 确认并发送
    [keep] 确认并保留为迟到的回答
   *[on] 确认并继续
}
keys-continue = 继续
keys-copy-draft = 复制
keys-copy-question = 将问题复制为 Markdown
keys-decline = 拒绝
keys-decline-reason = 说明理由并拒绝
keys-detach = 移除最后附加的文件
keys-discard = 放弃并取消
keys-done = 完成
keys-earlier-answer = 填入先前的回答
keys-editor = 打开编辑器
keys-editor-short = 编辑器
keys-erase = 向前删除
keys-erase-line-end = 删除到行尾
keys-erase-next = 向后删除
keys-erase-next-word = 删除后一个词
keys-erase-word = 删除前一个词
keys-escape = { $esc ->
    [cancel] 拒绝
    [discard] 放弃 ...
    [all] 重新显示全部
   *[leave] 离开 (保留草稿)
}
keys-escape-short = { $esc ->
    [cancel] 拒绝
    [discard] 放弃 ...
    [all] 全部
   *[leave] 离开
}
keys-filter-asks = 筛选
keys-export = 复制为文本
keys-field-rows = 上一行、下一行；在首行则返回列表
keys-filter = 筛选
keys-first-last-ask = 最前、最后
keys-first-last-button = 首行、最后的按钮
keys-first-last-row = 首行、末行
keys-go = { $go ->
    [send] 发送
    [keep] 保留为迟到的回答
   *[on] 继续
}
keys-go-short = { $go ->
    [send] 发送
    [keep] 保留
   *[on] 继续
}
keys-go-to-question = 转到该问题
keys-go-to-question-short = 转到
keys-hand-back = 交还给客户端的对话框 (若来自那里)
keys-help = 帮助
keys-help-short = 按键
keys-insert-path = { $files ->
    [none] 关闭
   *[some] 插入文件
}
keys-insert-path-short = { $files ->
    [none] 关闭
   *[some] 插入
}
keys-interrupt-card = 就此停下；按两次退出，问题继续等待
keys-interrupt-dialog = 退出，问题继续等待
keys-interrupt-field = 离开输入框
keys-interrupt-notice = 按两次退出，问题继续等待
keys-keep-answering = 继续回答
keys-keep-answering-short = 继续
keys-leave-waiting = 让它继续等待
keys-line-ends = 行首、行尾
keys-load-other = 载入别处的输入，或恢复你的
keys-load-other-short = 载入
keys-mark = 选中，不前进
keys-marked-button = 选中的按钮
keys-more-time = 延长时间
keys-move = 移动
keys-mute = { $muted ->
    [yes] 取消静音
   *[no] 通知静音
}
keys-new-line = 换行
keys-next-group = 下一组
keys-no = 否
keys-note = 备注
keys-note-for-all = 总备注
keys-open = 打开
keys-or-letter = 或按字母选择
keys-other = 其他
keys-other-asks = 其他问题
keys-page = 翻页
keys-preview = 预览，全屏
keys-preview-short = 预览
keys-quick-confirm = 是、否、其他
keys-quick-select = { $digit ->
    [sends] 立即发送
   *[marks] 快速选择
}
keys-quick-select-short = { $digit ->
    [sends] 发送
   *[marks] 选择
}
keys-quick-toggle = 快速切换
keys-quit = 退出 (问题继续等待)
keys-quit-short = 退出
keys-read-all = 看全文
keys-read-all-short = 全文
keys-recall = 以前的回答，再返回
keys-recommended = 推荐
keys-redraw = 重绘屏幕
keys-scroll = 滚动
keys-select = 选择
keys-send = 发送
keys-send-decline = 拒绝并告知智能体
keys-send-question = 发送你的问题
keys-show-all = 重新显示全部
keys-show-all-short = 全部
keys-show-draft = 显示我的草稿
keys-show-draft-short = 我的草稿
keys-snooze = 搁置
keys-stop-typing = { $esc ->
    [cancel] 拒绝
   *[leave] 停止输入 (保留文本)
}
keys-stop-typing-short = { $esc ->
    [cancel] 拒绝
   *[leave] 完成
}
keys-suspend = 挂起
keys-switch-tab = 切换标签
keys-switch-tab-short = 下一项
keys-take-back = 撤回回答
keys-to-filtered-asks = 到列表
keys-to-filtered = 到筛选后的列表
keys-to-list = 列表
keys-toggle = 切换
keys-top-end = 开头、末尾
keys-type = 输入
keys-types = 输入
keys-undo = 撤销、重做
keys-web = 网页链接
keys-words = 前一词、后一词
keys-yes = 是
keys-jump = 开始写你自己的回答

## The help page

keys-title = 这里的按键
# Behind the title: which rows of all are seen.
keys-title-place = { $first }-{ $last }/{ $all }
keys-group-moving = 移动
keys-group-answering = 回答
keys-group-typing = 输入
keys-group-replying = 代替回答
keys-group-looking = 查看更多
keys-group-leaving = 离开

## History

keys-history = 历史
keys-search = 搜索
keys-filters = 条件
keys-copy-markdown = 复制为 Markdown
keys-write-json = 导出 JSON
keys-stats = 统计
keys-to-found = 到列表
keys-change = 更改
