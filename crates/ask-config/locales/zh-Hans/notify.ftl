### Notifications, titles and status lines.

# The title of a notification about one ask.
notify-asks = { $agent } 提问
notify-asks-in = { $agent } 在 { $project } 中提问
# Its body, where several questions stand under one headline.
notify-headline = { $headline } · { $count } 个问题
# The title where several asks wait, or where nothing else may be told.
notify-waits = { $count } 个问题等待你回答
notify-questions = { $count } 个问题
notify-an-agent = 智能体
# What a click on a notification does.
notify-open = 打开
# The title of the terminal. The number comes first, because titles are cut.
notify-title-nothing = ask
notify-title = ({ $count }) ask
notify-title-projects = ({ $count }) ask: { $projects }
# A notification that somebody sends to see one.
notify-test-title = ask-user 测试
notify-test-body = 有智能体等待时，你会收到这样的通知。
