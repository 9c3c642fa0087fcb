### Notifications, titles and status lines.

# The title of a notification about one ask.
notify-asks = { $agent } からの質問
notify-asks-in = { $project } の { $agent } からの質問
# Its body, where several questions stand under one headline.
notify-headline = { $headline } · 質問{ $count }件
# The title where several asks wait, or where nothing else may be told.
notify-waits = { $count ->
    [1] 質問が回答を待っています
   *[other] { $count }件の質問が回答を待っています
}
notify-questions = 質問{ $count }件
notify-an-agent = エージェント
# What a click on a notification does.
notify-open = 開く
# The title of the terminal. The number comes first, because titles are cut.
notify-title-nothing = ask
notify-title = ({ $count }) ask
notify-title-projects = ({ $count }) ask: { $projects }
# A notification that somebody sends to see one.
notify-test-title = ask-user のテスト
notify-test-body = エージェントが待っているときは、このようにお知らせします。
