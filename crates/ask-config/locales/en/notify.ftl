### Notifications, titles and status lines.

# The title of a notification about one ask.
notify-asks = { $agent } asks
notify-asks-in = { $agent } asks in { $project }
# Its body, where several questions stand under one headline.
notify-headline = { $headline } · { $count } questions
# The title where several asks wait, or where nothing else may be told.
notify-waits = { $count ->
    [one] A question waits for you
   *[other] { $count } questions wait for you
}
notify-questions = { $count ->
    [one] 1 question
   *[other] { $count } questions
}
notify-an-agent = An agent
# What a click on a notification does.
notify-open = Open
# The title of the terminal. The number comes first, because titles are cut.
notify-title-nothing = ask
notify-title = ({ $count }) ask
notify-title-projects = ({ $count }) ask: { $projects }
# A notification that somebody sends to see one.
notify-test-title = A test of ask-user
notify-test-body = This is how you are told that an agent waits.
