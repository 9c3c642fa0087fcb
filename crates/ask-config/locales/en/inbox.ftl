### The list of asks.

## Its head. Counts stand side by side, with dots between them.

inbox-looking = looking ...
inbox-reconnecting = reconnecting
inbox-muted = muted
# $address is where the page is, as 127.0.0.1:4127.
inbox-web = web { $address }
inbox-count-waiting = { $count } waiting
inbox-count-snoozed = { $count } snoozed
inbox-count-late = { $count } late
inbox-count-answered = { $count } answered today
inbox-fit = { $count } of { $all }

## Its groups

inbox-group-waiting = WAITING
inbox-group-snoozed = SNOOZED
inbox-group-late = LATE  the agent stopped waiting; an answer is kept until it asks again
inbox-group-kept = KEPT  answered; the agent hasn't fetched it yet
inbox-group-sent = SENT  the agent gets it in a moment
# The same in at most 40 columns.
inbox-group-late-short = LATE  agent gone, answers are kept
inbox-group-kept-short = KEPT  answered, not fetched yet
inbox-sorted = sort: deadline, then oldest

## Where it is empty

inbox-none = No question waits for you.
inbox-none-yet = A new one appears here by itself.
inbox-none-fit = Nothing fits.
inbox-none-fit-yet = { $key } shows all again.

## What kind of question it is, in at most ten columns.

inbox-kind-confirm = confirm
inbox-kind-one = 1 select
inbox-kind-many = 1 multi
inbox-kind-text = 1 text
inbox-kind-several = { $count } tabs

## What is worth knowing about an ask, in at most eleven columns. $at is a time of day.

inbox-mark-back = back { $at }
inbox-mark-back-when-asked = when asked
inbox-mark-answered = answered
inbox-mark-declined = declined
inbox-mark-asked-back = asked back
inbox-mark-expired = expired
inbox-mark-withdrawn = withdrawn
# In place of these: a program that an agent had started closed the ask.
inbox-mark-below-agent = below agent
inbox-mark-due = due
inbox-mark-due-in = due in { $time }
inbox-mark-dialog = also there
inbox-mark-handed = in client
inbox-mark-draft = draft { $given }/{ $asked }
inbox-mark-asked-again = asked again
inbox-mark-preview = preview

## The ask under the cursor: who asks, where, and what.

inbox-asked-by = asked by { $name }
inbox-asked-by-client = asked by { $name } (name sent by the client)
inbox-asked-from-shell = asked from a shell
inbox-calls-itself = calls itself "{ $agent }"
inbox-session = session { $session }
inbox-branch = branch { $branch }
inbox-this-machine = this machine
inbox-context = Context
inbox-question = Question
inbox-asked-again = The agent has asked this again.
inbox-in-dialog = Also shown in { $client }; the first answer counts.
inbox-in-client = Being asked in { $client } now; an answer here is stored and counts when it comes back.
inbox-snoozed-until = Snoozed until { $at }; { $key } brings it back.
inbox-snoozed-until-asked = Snoozed until its agent asks again; { $key } brings it back.
# Under a text that is longer than the room for it.
inbox-read-all = { $key } read all ({ $count } lines)

## Snoozing, in a dialog. $at is a time of day.

inbox-snooze-title = Snooze it; its agent notices nothing
inbox-snooze-minutes = { $count } minutes (until { $at })
inbox-snooze-hour = 1 hour (until { $at })
# The same where there is no room for the time of day.
inbox-snooze-minutes-short = { $count } minutes
inbox-snooze-hour-short = 1 hour
inbox-snooze-tomorrow = Tomorrow { $at }
inbox-snooze-asked-again = Until this agent asks again
inbox-snooze-says = You find it under SNOOZED; { $key } brings it back.
inbox-sessions = Who is signed in to the page
inbox-sessions-none = No browser is signed in; { $key } gives a link that signs one in.
inbox-sessions-here = here now
inbox-sessions-seen = last here { $at }
inbox-sessions-all = Sign out everywhere
inbox-sessions-sure = Sign out { $name }? It is cut off at once; what it has answered stays. { $key } does it.
inbox-sessions-sure-all = Sign out all browsers of this computer, and cut off all devices? What they have answered stays. { $key } does it.

## What became of what was just done

inbox-said-snoozed = Snoozed until { $at }; { $key } brings it back.
inbox-said-snoozed-until-asked = Snoozed until its agent asks again; { $key } brings it back.
inbox-said-back = It waits again.
inbox-said-more-time = { $time } more: due at { $at }.
inbox-said-typing = { $time } more because you are typing: due at { $at }.
inbox-said-no-more-time = No more time is to be had: due at { $at }.
inbox-said-no-deadline = It has no deadline: it waits until you answer.
inbox-said-nothing-to-take-back = No answer can be taken back.
inbox-said-taken-back = Taken back: nothing was sent. Change it and send it again.
inbox-said-web-none = There is no web page: http.enabled is false.
inbox-said-web-narrow = The link is wider than this terminal: `ask-user web` prints it.
# $why is a sentence without its full stop, in English.
inbox-said-web-failed = No link to the web page: { $why }
inbox-said-muted = Notifications are muted; { $key } turns them on again.
inbox-said-unmuted = Notifications are on again.
inbox-said-failed = That didn't work: { $why }.
inbox-said-damage = A store was damaged or lost: what was in it is not here. `ask-user doctor` tells more.
inbox-said-settings = config.toml: { $count ->
    [one] 1 setting can't be used
   *[other] { $count } settings can't be used
}; `ask-user doctor` tells more.

## A card whose ask is filled in elsewhere, too. $surface is where, $at the time of day.

inbox-changed-elsewhere = changed in { $surface } { $at }, { $key } loads it
inbox-changed-here = changed in { $surface } { $at }, { $key } brings yours back
