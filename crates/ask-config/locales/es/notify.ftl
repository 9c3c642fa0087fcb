### Notifications, titles and status lines.

# The title of a notification about one ask.
notify-asks = { $agent } pregunta
notify-asks-in = { $agent } pregunta en { $project }
# Its body, where several questions stand under one headline.
notify-headline = { $headline } · { $count } preguntas
# The title where several asks wait, or where nothing else may be told.
notify-waits = { $count ->
    [one] Te espera una pregunta
   *[other] Te esperan { $count } preguntas
}
notify-questions = { $count ->
    [one] 1 pregunta
   *[other] { $count } preguntas
}
notify-an-agent = Un agente
# What a click on a notification does.
notify-open = Abrir
# The title of the terminal. The number comes first, because titles are cut.
notify-title-nothing = ask
notify-title = ({ $count }) ask
notify-title-projects = ({ $count }) ask: { $projects }
# A notification that somebody sends to see one.
notify-test-title = Una prueba de ask-user
notify-test-body = Así se te avisa de que un agente espera.
