### History and statistics.

## The screen of history.

history-title = ask history
history-looking = looking ...
history-reconnecting = reconnecting
history-search = search:
history-agent = agent:
history-project = project:
history-state = state:
history-undelivered = not fetched yet
history-period = period:
history-all = all
history-always = always
history-days = { $count ->
    [one] last day
   *[other] last { $count } days
}
history-today = TODAY
history-yesterday = YESTERDAY
history-empty = Nothing is over yet.
history-nothing = Nothing found.
history-asked = { $time } asked
history-shown = { $time } shown in { $surface }
history-taken-back = { $time } answer taken back
history-ended = { $time } { $how }
history-note = note
history-reason = reason
history-not-sent = not sent
history-asked-back = asked back
history-whole = One ask of the history
history-stats = Statistics
history-head-answers = What was answered
history-head-asked = What was asked
history-head-reply = What the agent was given
history-again = In a text field, { $key } begins with these words now.
history-again-none = No own words were given here.
history-writing = writing ...
history-written = { $count ->
    [one] { $count } ask written to { $path }
   *[other] { $count } asks written to { $path }
}

## How an ask ended. The surfaces are terminal, plain, cli, dialog, pending, app, bridge, api, web, rpc and names of programs.

history-end-waiting = waiting
history-end-answered = { $surface ->
    [api] answered by a program
    [cli] answered by command
    [dialog] answered in its dialog
    [pending] answered in a file
    [plain] answered in plain mode
    [terminal] answered in terminal
    [web] answered in the browser
    [app] answered in the chat
    [bridge] answered in the app
    [rpc] answered by a program
   *[other] answered on { $surface }
}
history-end-declined = { $surface ->
    [api] declined by a program
    [cli] declined by command
    [dialog] declined in its dialog
    [pending] declined in a file
    [plain] declined in plain mode
    [terminal] declined in terminal
    [web] declined in the browser
    [app] declined in the chat
    [bridge] declined in the app
    [rpc] declined by a program
   *[other] declined on { $surface }
}
history-end-declined-because = declined: “{ $reason }”
history-end-asked-back = { $surface ->
    [api] asked back by a program
    [cli] asked back by command
    [dialog] asked back in its dialog
    [pending] asked back in a file
    [plain] asked back in plain mode
    [terminal] asked back in terminal
    [web] asked back in the browser
    [app] asked back in the chat
    [bridge] asked back in the app
    [rpc] asked back by a program
   *[other] asked back on { $surface }
}
history-end-expired = expired
history-end-expired-sent-late = expired, sent late
history-end-expired-kept = expired, kept for the agent
history-end-withdrawn = withdrawn by the agent
history-told = sent to the agent { $time }
history-told-late = sent late { $time }
history-not-told = not sent yet

## A history as Markdown.

export-none = None of these.
export-unanswered = Not answered.
export-note = Note: { $note }

## Statistics.

stats-asks = { $count ->
    [one] { $count } ask
   *[other] { $count } asks
}
stats-brief = { $asks } · { $answered } % answered · median { $median }
stats-row = { $label }: { $value }
stats-waiting = { $count ->
    [one] { $count } waits now, for { $longest }
   *[other] { $count } wait now, the longest for { $longest }
} · longest today { $today }
stats-waiting-none = nothing waits now
stats-waiting-none-today = nothing waits now · longest today { $today }
stats-outcomes = How they ended
stats-end-answered = answered
stats-end-late = late
stats-end-declined = declined
stats-end-asked-back = asked back
stats-end-expired = expired
stats-end-withdrawn = withdrawn
stats-days = Asks a day
stats-by-surface = Time to answer, by surface
stats-by-hour = Time to answer, by hour of the day
stats-took = { $median }, nine of ten within { $ninety } ({ $count })
stats-agents = How each agent is answered
stats-nameless = unnamed
stats-recommended = recommended { $part } %
stats-another = another option { $part } %
stats-own = own words { $part } %
stats-notes = { $count ->
    [one] { $count } note
   *[other] { $count } notes
}
stats-ask-backs = { $count ->
    [one] { $count } asked back
   *[other] { $count } asked back
}
