### The line mode. Prompts end with a colon; a space is put behind them.

line-renumbered = 列表刚刚变化。请重新输入编号。
line-no-longer-asked = 该问题已不再提问。
line-none-waits = 没有等待你的问题。
line-none-yet = 没有等待你的问题。有新问题会在这里提示。
line-waiting = { $count } 个问题在等待：
line-put-aside = { $count } 个问题已搁置：
line-late = { $count } 个问题已迟；智能体已停止等待，你的回答会保留到它再次提问：
line-kept = { $count } 个回答保留到智能体来取：
line-sent = { $count } 个回答正在发送：
line-fit = 只显示包含“{ $text }”的；单独的 / 再次显示全部。
line-none-fit = 没有问题包含“{ $text }”；单独的 / 再次显示全部。
line-row = { $number }. { $ask }
line-ask = { $who }，{ $place }，{ $ago }：{ $title }
line-ask-anywhere = { $who }，{ $ago }：{ $title }
line-ask-aside = { $ask } (搁置到 { $time })
line-ask-aside-asked = { $ask } (搁置到再次提问)
line-ask-due = { $ask } ({ $in }到期)
line-new = 新问题：{ $ask }
line-back = 又在等待：{ $ask }
line-which = 要打开的问题编号，? 帮助，q 离开：
line-which-none = ? 帮助，q 离开：
line-unclear-list = { $count ->
    [0] 无法识别。列表中没有问题；? 查看帮助，q 离开。
   *[other] 无法识别。输入 1 到 { $count } 的编号打开问题；? 查看帮助，q 离开。
}
line-aside-which = 输入 s、问题编号，以及时长或时间：s 2 15m。
line-aside-none = 智能体没有在等待：没有可搁置的。
line-past-row = { $number }. { $ask } ({ $how })
line-prompt-past = 要读的编号，m 更多，h 加词语查找，Enter 返回列表：
line-unclear-past = 无法识别。输入 1 到 { $count } 的编号、m、h 加词语，或留空返回。
line-seen = 按 Enter 继续：
line-go-on = 输入 next 并按 Enter 继续，q 离开：
line-not-taken = 未发送：{ $text }
line-words-yes = y yes 是
line-words-no = n no 否 不

line-now = 刚刚
line-minutes-ago = { $count } 分钟前
line-hours-ago = { $count } 小时前
line-days-ago = { $count } 天前
line-at-today = { $time }
line-at-tomorrow = 明天 { $time }
line-at-day = { $date } { $time }
line-in-seconds = { $count } 秒后
line-in-minutes = { $count } 分钟后
line-in-hours = { $count } 小时后
line-in-days = { $count } 天后

line-asked = { $who } 提问，{ $ago }。
line-asked-project = { $who } 为 { $project } 提问，{ $ago }。
line-asked-branch = { $who } 提问，分支 { $branch }，{ $ago }。
line-asked-project-branch = { $who } 为 { $project } 提问，分支 { $branch }，{ $ago }。
line-due = { $in }到期。
line-time-passed = 智能体的时限已过；你的回答会保留到它再次提问。
line-agent-back = 智能体又在等待了。
line-context = 背景：{ $text }
line-context-more = 后面还有；i 查看全部 { $count } 行。
line-context-none = 没有更多内容了。
line-quote = 引用：{ $text }
line-cell = { $name }：{ $text }
line-item-done = { $mark } 已完成：{ $text }
line-item-open = { $mark } 未完成：{ $text }

line-question = 问题 { $number }/{ $count }。
line-question-label = 问题 { $number }/{ $count }，{ $label }。
line-question-optional = 问题 { $number }/{ $count }，可选。
line-question-label-optional = 问题 { $number }/{ $count }，{ $label }，可选。
line-example = 例如：{ $text }
line-option = { $number }. { $label }。
line-option-recommended = { $number }. { $label }，推荐。
line-option-described = { $option } { $description }。
line-option-described-whole = { $option } { $description }
line-option-preview = { $option } 有预览，输入 p{ $number }。
line-option-own = 0. 你自己的回答。
line-options-more = 还有 { $count } 项：m 继续看，/ 加词语可查找。
line-options-no-more = 没有更多选项了。
line-found = { $count } 个选项包含“{ $word }”：
line-found-none = 没有选项包含“{ $word }”。
line-preview-none = 输入 p 加一个有预览的选项编号。
line-so-far = 你目前的回答：{ $answer }
line-note-so-far = 你的备注：{ $note }
line-note-none = 没有备注。
line-note-all-so-far = 你对全部回答的备注：{ $note }
line-note-all-none = 没有对全部回答的备注。

line-prompt-text = 你的回答，以空行结束 (/q 离开，/x 拒绝，/c 加文字 反问，/? 帮助)：
line-prompt-confirm = 你的选择 (y，n，0，q 离开，x 拒绝，? 帮助)：
line-prompt-confirm-several = 你的选择 (y，n，0，b 返回，q 离开，x 拒绝，? 帮助)：
line-prompt-one = 你的选择 (编号，0，q 离开，x 拒绝，? 帮助)：
line-prompt-one-several = 你的选择 (编号，0，b 返回，q 离开，x 拒绝，? 帮助)：
line-prompt-many = 你的选择 (编号如 1 3，0，q 离开，x 拒绝，? 帮助)：
line-prompt-many-several = 你的选择 (编号如 1 3，0，b 返回，q 离开，x 拒绝，? 帮助)：
line-prompt-own = 你自己的回答，以空行结束：
line-prompt-own-again = 你自己的回答，以空行结束；只输入空行则取消：
line-prompt-on = 继续写你的回答，以空行结束：
line-prompt-path = 文件路径，留空返回：
line-prompt-note = 对此回答的备注，一行；留空则不变，- 则删除：
line-prompt-note-all = 对全部回答的备注，一行；留空则不变，- 则删除：
line-prompt-reason = 为什么？一行，留空则不说明理由：
line-prompt-none = 未选择：再按 Enter 表示“都不是”；或现在选择：
line-prompt-none-several = 未选择：再按 Enter 表示“都不是”，s 跳过；或现在选择：
line-prompt-long = 回答较长 ({ $count } 个字符)。仍要继续吗？[Y/n]
line-prompt-decline = 不说明理由就拒绝吗？y/n：
line-prompt-decline-reason = 以“{ $text }”为由拒绝吗？y/n：
line-prompt-ask-back = 用“{ $text }”反问来代替回答吗？y/n：
line-prompt-send = 发送吗？y、n，或要修改的编号 (? 帮助)：
line-prompt-send-late = 保留为迟到的回答吗？y、n，或要修改的编号 (? 帮助)：
line-prompt-send-one = 发送吗？y，b 修改，q 离开，? 帮助：
line-prompt-send-one-late = 保留为迟到的回答吗？y，b 修改，q 离开，? 帮助：
line-prompt-unsent = 未发送。编号修改回答，y 发送，q 离开：
line-prompt-unsent-one = 未发送。b 修改，y 发送，q 离开：

line-unclear-text = 无法识别。请输入你的回答；/? 查看帮助。
line-unclear-command = /{ $word } 不是命令；/? 列出所有命令。要写进回答，请在前面加一个空格。
line-unclear-confirm = 无法识别。请输入 y、n，或用 0 写自己的回答；? 查看帮助。
line-unclear-one = 无法识别。请输入 1 到 { $count } 中的一个编号，或用 0 写自己的回答；? 查看帮助。
line-unclear-many = 无法识别。请输入 1 到 { $count } 的编号，如 1 3，或用 0 写自己的回答；? 查看帮助。
line-unclear-review = 无法识别。输入 y 发送，n 不发送，或要修改的回答编号；? 查看帮助。
line-unclear-review-one = 无法识别。输入 y 发送，b 修改回答，或 q 离开；? 查看帮助。
line-letter-taken = 单独的 { $letter } 在这里是命令。要回答，请输入完整的词，或 y 或 n。
line-ask-back-how = 在一行中输入 { $slash }c 和你的问题。
line-no-own = 没有自己的回答。
line-own-off = 已取消你自己的回答。
line-cut = 终端每行只接收 4,095 字节：超出的输入已丢失。较长的回答请分多行写，或使用编辑器：{ $slash }e。
line-left-out = 回答太长：最后 { $count } 个字符不会包含在内。
line-needed = 此题必须回答；{ $slash }x 拒绝，{ $slash }q 让它继续等待。
line-recommended-none = 这里没有推荐。
line-aside-how = 输入 { $slash }s 加时长或时间：{ $slash }s 15m、{ $slash }s 2h、{ $slash }s 14:30、{ $slash }s tomorrow、{ $slash }s asked-again。
line-aside = { $title }：已搁置到 { $time }。
line-aside-asked = { $title }：已搁置，直到再次提问。
line-deadline-none = 没有期限：它会一直等你。
line-more-time = 时间已延长：{ $in }到期，即 { $at }。
line-more-typing = 因为你在输入，时间已延长：{ $in }到期，即 { $at }。
line-more-none = 无法再延长时间：{ $in }到期，即 { $at }。
line-more-how = 只输入 { $slash }+，或 { $slash }+ 加要延长的时间：{ $slash }+ 10m。
line-editor-none = 编辑器需要终端；请直接输入回答。
line-earlier = o{ $number }. { $answer }
line-earlier-which = 输入 { $slash }o 查看以前的回答，{ $slash }o 加编号再次使用其中一个。
line-earlier-answer-how = 输入 { $slash }u 填入该回答；不会因此发送。
line-attach-where = 文件属于某一个回答：先输入其编号，再添加。
line-attached = 已添加：{ $file }。
line-attached-none = 这里没有附件。
line-detached = 已移除：{ $file }。
line-file = @{ $number }. { $file }
line-files-more = 还有 { $count } 个匹配；请输入更多字母。
line-files-none = 没有匹配的文件。
line-files-how = 在要提到该文件的地方输入 @ 加编号，例如：见 @1。
line-files-named = 含文件：{ $text }
line-files-nowhere = 不知道是在哪个文件夹中提问的，因此没有文件可读。

line-help =
    输入编号选择；0 是你自己的回答。空行保留当前回答或跳过。
    可多选时，用 1 3 这样的编号选择，- 取消选择；0 加上你自己的回答。
    b 返回，q 离开并保留草稿，x 拒绝，x 加文字以此为由拒绝，
    c 加问题向智能体反问，a 重读问题。
    n 加文字为此回答写备注，N 加文字为全部回答写备注。
    r 采用推荐，R 为所有未答问题采用推荐。
    u 填入你刚才对同一问题的回答。
    i 看完整背景，p 加编号看选项的预览，
    m 看更多选项，/ 加词语查找。e 在编辑器中写自己的回答，
    o 看以前的回答。
    s 搁置问题 (s 15m、s 14:30、s tomorrow)，+ 延长时间 (+ 10m)。
    f 加路径添加文件，v 添加你复制的图片或文件，f - 移除最后一个。
    @ 加字母读出项目中的文件；再用 @ 加编号在回答中提到它。
line-help-text =
    你输入的就是回答；空行结束输入，或跳过可选的问题。
    命令以斜杠开头：/b 返回，/q 离开并保留草稿，
    /x 拒绝，/x 加文字以此为由拒绝，/c 加问题向智能体反问，/a 重读问题。
    /n 加文字为此回答写备注，/N 加文字为全部回答写备注。
    /R 为所有未答问题采用推荐。
    /u 填入你刚才对同一问题的回答。
    /i 看完整背景，/e 在编辑器中写回答，/o 看以前的回答。
    /s 搁置问题 (/s 15m、/s 14:30、/s tomorrow)，/+ 延长时间 (/+ 10m)。
    /f 加路径添加文件，/v 添加你复制的图片或文件，/f - 移除最后一个。
    /@ 加字母读出项目中的文件；再用 @ 加编号在回答中提到它。
    回答中以斜杠加词语开头的行，请在斜杠前加一个空格。
line-help-review =
    y 发送，n 不发送。输入回答的编号修改它，b 返回最后一个问题。
    q 离开并保留草稿，x 拒绝，x 加文字以此为由拒绝，
    c 加问题向智能体反问，a 重读你的回答。
    n 加文字为全部回答写备注。R 为所有未答问题采用推荐。
    u 填入你刚才对同一问题的回答。
    i 看完整背景。s 搁置问题 (s 15m、s 14:30、s tomorrow)，
    + 延长时间 (+ 10m)。
line-help-list =
    输入编号打开问题。q 离开。空行重读列表。
    s 加编号和时长搁置问题 (s 2 15m、s 2 tomorrow)，s 加编号恢复它。
    x 加编号拒绝问题，后面的文字作为理由；发送前会先问你。
    u 撤回最后发送的回答，u 加编号撤回该问题的回答，直到智能体收到它。
    / 加词语只留下包含它的问题，单独的 / 再次显示全部。
    h 读已结束的问题，h 加词语在其中查找。S 读统计。
    m 关闭通知，再输入一次则打开。

line-review = 你的回答：
line-review-row = { $number }. { $question }：{ $answer }
line-review-note = 对全部回答的备注：{ $note }
line-noted = { $answer } (备注：{ $note })
line-unanswered = 未回答
line-unanswered-optional = 未回答，可选
line-missing = { $count } 个问题未回答。必答：{ $names }。
line-said = 你的回答：{ $answer }
line-left-waiting = 问题继续等待；草稿已保留。
line-left-unsaved = 问题继续等待；你输入的内容没有保留。
line-nothing-sent = 没有发送任何内容。
line-not-sent = 未发送：{ $problem }.
line-not-sent-try = 未发送：{ $problem }. 答案仍在这里，请重试。
line-unsent = 你写了这些：
