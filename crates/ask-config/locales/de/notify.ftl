### Notifications, titles and status lines.

# The title of a notification about one ask.
notify-asks = { $agent } fragt
notify-asks-in = { $agent } fragt in { $project }
# Its body, where several questions stand under one headline.
notify-headline = { $headline } · { $count } Fragen
# The title where several asks wait, or where nothing else may be told.
notify-waits = { $count ->
    [one] Eine Frage wartet auf dich
   *[other] { $count } Fragen warten auf dich
}
notify-questions = { $count ->
    [one] 1 Frage
   *[other] { $count } Fragen
}
notify-an-agent = Ein Agent
# What a click on a notification does.
notify-open = Öffnen
# The title of the terminal. The number comes first, because titles are cut.
notify-title-nothing = ask
notify-title = ({ $count }) ask
notify-title-projects = ({ $count }) ask: { $projects }
# A notification that somebody sends to see one.
notify-test-title = Ein Test von ask-user
notify-test-body = So erfährst du, dass ein Agent wartet.
