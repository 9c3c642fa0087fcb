### Notifications, titles and status lines.

# The title of a notification about one ask.
notify-asks = { $agent }의 질문
notify-asks-in = { $project }: { $agent }의 질문
# Its body, where several questions stand under one headline.
notify-headline = { $headline } · 질문 { $count }개
# The title where several asks wait, or where nothing else may be told.
notify-waits = 질문 { $count }개가 답변을 기다립니다
notify-questions = 질문 { $count }개
notify-an-agent = 에이전트
# What a click on a notification does.
notify-open = 열기
# The title of the terminal. The number comes first, because titles are cut.
notify-title-nothing = ask
notify-title = ({ $count }) ask
notify-title-projects = ({ $count }) ask: { $projects }
# A notification that somebody sends to see one.
notify-test-title = ask-user 테스트
notify-test-body = 에이전트가 기다릴 때 이렇게 알려 드립니다.
