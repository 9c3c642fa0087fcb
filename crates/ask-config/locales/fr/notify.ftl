### Notifications, titles and status lines.

# The title of a notification about one ask.
notify-asks = { $agent } a une question
notify-asks-in = { $agent } a une question dans { $project }
# Its body, where several questions stand under one headline.
notify-headline = { $headline } · { $count } questions
# The title where several asks wait, or where nothing else may be told.
notify-waits = { $count ->
    [one] Une question vous attend
   *[other] { $count } questions vous attendent
}
notify-questions = { $count ->
    [one] { $count } question
   *[other] { $count } questions
}
notify-an-agent = Un agent
# What a click on a notification does.
notify-open = Ouvrir
# The title of the terminal. The number comes first, because titles are cut.
notify-title-nothing = ask
notify-title = ({ $count }) ask
notify-title-projects = ({ $count }) ask : { $projects }
# A notification that somebody sends to see one.
notify-test-title = Un test de ask-user
notify-test-body = Voici comment vous apprenez qu'un agent attend.
