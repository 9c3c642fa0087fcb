### What the page in a browser says. `node build.mjs` in crates/ask-web/web makes dist of it.

web-brand = ask
web-skip = Skip to the question
web-parts = Parts of the page
web-inbox = Inbox
web-history = History
web-stats = Statistics
web-settings = Settings
web-waiting = waiting
web-close = Close
web-more = More
web-failed = That didn't work: { $why }.
web-problem-devices-off = the computer lets no device in at the moment
web-problem-no-credential = this browser is signed out
web-problem-wrong-scope = this browser may only look
web-problem-not-found = it is no longer there
web-problem-closed = it was closed before
web-problem-draft-changed = it was changed elsewhere meanwhile
web-problem-not-waiting = it can't be done as things stand now
web-problem-still-open = it still waits for an answer
web-problem-pairing-unavailable = devices can't come that way
web-problem-invalid-answer = an answer doesn't fit its question
web-problem-invalid-ask = a question isn't one that can be asked
web-problem-invalid-value = a value can't be used
web-problem-undelivered = its agent has not received it yet
web-problem-too-large = it is too large; shorten it, or attach it as a file
web-problem-too-many = too much at once, try again in a minute
web-problem-overloaded = too much at once, try again in a minute
web-problem-storage-timeout = the disk of the agent's folder doesn't answer
web-problem-storage-failed = the hub can't write to its disk, ask-user doctor tells more
web-problem-hub-unavailable = the hub can't be reached
web-problem-not-allowed = no answer is taken from here, your settings say where answers come from
web-problem-other = the hub refused it ({ $type })
web-no-connection = no connection
web-copied = Copied.
web-not-copied = The browser doesn't allow copying here.
web-looking = Looking …
web-hub-away = The hub can't be reached. This goes on by itself as soon as it can.
web-load-again = Load the page again
web-link-connecting = connecting
web-link-live = live
web-link-offline = offline
web-link-pausing = reconnecting in { $count } s
web-try-now = now
web-signed-out = Open this page from your terminal
web-signed-out-how = This browser has no session. Run this on the computer that your agents work on; it opens the page for you:
web-used-link = This link was used before, or is older than two minutes. If it wasn't you, somebody else has opened the page: Settings there lists who is let in. For a new link, run:
web-agents-link = An agent fetched this link, so it lets nobody in here. In a terminal of your own, run:
web-signed-out-why = The link that it opens works once and for two minutes, so nobody else can answer for you.
web-signed-out-kept = What you typed here is kept in this browser, and is here again then.
web-list-head = Questions
web-filter = Filter
web-fit = { $count } of { $all }
web-group-waiting = Waiting
web-group-snoozed = Snoozed
web-group-late = Late
web-group-kept = Kept
web-group-late-says = The agent stopped waiting. An answer is kept until it asks again.
web-group-kept-says = Answered. The agent hasn't fetched it yet.
web-none-waits = No question waits for you.
web-none-yet = A new one appears here by itself.
web-none-fit = Nothing fits.
web-answered-today = { $count ->
    [one] You answered { $count } today.
   *[other] You answered { $count } today.
}
web-asked-now = { $who } asks: { $what }
web-an-agent = an agent
web-surface-terminal = terminal
web-surface-web = browser
web-below-agent = started below { $agent }
web-surface-cli = command line
web-surface-plain = plain mode
web-surface-dialog = its dialog
web-surface-pending = file
web-surface-app = the chat
web-surface-api = program
web-surface-rpc = program
web-surface-bridge = the app
web-untitled = A question
web-back-at = back { $at }
web-back-when-asked = back when asked
web-due-in = due in { $left }
web-due-now = due
web-due-soon = Less than a minute is left. More time can be taken.
web-mark-answered = answered
web-mark-declined = declined
web-mark-clarify = asked back
web-mark-expired = time passed
web-mark-dialog = also in its client
web-mark-handed = asked in its client
web-mark-answered-of = { $given } of { $all } answered
web-mark-draft = draft
web-mark-asked-again = asked again
web-questions = { $count ->
    [one] { $count } question
   *[other] { $count } questions
}
web-kind-preview = preview
web-kind-select = choose one
web-kind-multi-select = choose any
web-kind-confirm = yes or no
web-kind-text = text
web-undo = Undo
web-undone = Undone. Nothing was sent.
web-asks = { $who } asks
web-asked = asked
web-asked-ago = asked { $time }
web-calls-itself = calls itself “{ $agent }”
web-gone = This question is gone.
web-to-inbox = To the inbox
web-context = Context
web-code = Code
web-image = { "[" }image: { $text }]
web-table = Table
web-question = Question
web-questions-nav = Questions of this form
web-question-of = Question { $at } of { $all }
web-optional = optional
web-answered = answered
web-yes = Yes
web-no = No
web-other = Other
web-own-words = Your own answer
web-your-answer = Your answer
web-type-your-answer = Type your answer
web-paths-label = Files of the agent's folder
web-paths-total = { $count ->
    [one] { $count } file fits
   *[other] { $count } files fit
}
web-paths-total-of-first = { $count } of the first { $files } files
web-paths-none = No file fits.
web-paths-none-of-first = No file fits among the first { $files }.
web-paths-unreadable = The agent's folder can't be read on this computer.
web-earlier = Earlier answers
web-earlier-says = Your own words from answers before, those of this project first.
web-earlier-none = There are no earlier answers of yours.
web-earlier-taken = Taken over.
web-kept-not-chosen = Kept, but not part of your answer.
web-none-of-these = None of these
web-recommended = Recommended
web-add-note = Add a note
web-note-label = Note to this answer
web-note-is = Note: { $note }
web-see-preview = See preview
web-preview-of = Preview: { $name }
web-full-size = Full size
web-changed-elsewhere = Changed in { $by }, { $at }.
web-load-theirs = Load it
web-load-mine = Bring mine back
web-stands-waits = waits for you
web-stands-left = the agent stopped waiting; your answer will be kept
web-stands-expired = its time passed; your answer will be kept until it asks again
web-asked-again = asked again
web-in-dialog = also shown in its client; the first answer counts
web-in-client = asked in its client now; an answer here counts when it comes back
web-earlier-answer = You answered this { $time }:
web-fill-in = Fill in that answer
web-filled-in-below = Filled in by a program below { $agent }, not by you: check it before you send.
web-filled-in-by = Not filled in by you, but by a program below { $agent }.
web-attach-file = Attach a file
web-attach-hint = or paste or drop an image
web-attached = { $name } is attached.
web-remove = Remove
web-too-many-files = An answer can have { $count } files.
web-too-large = { $name } is larger than 10 MB.
web-empty-file = { $name } is empty: nothing to attach.
web-not-attached = { $name } was not attached: { $why }.
web-back = Back
web-next = Next
web-review = Review
web-review-head = Review your answers
web-send = Send
web-sending = Sending …
web-send-answers = { $count ->
    [one] Send { $count } answer
   *[other] Send { $count } answers
}
web-send-anyway = { $count ->
    [one] Send { $count } answer anyway
   *[other] Send { $count } answers anyway
}
web-keep-late = Keep as late answer
web-send-when-connected = Sends when connected
web-needs-answer = This question needs an answer.
web-does-not-fit = This answer doesn't fit the question.
web-needs-answer-or-decline = Choose or type an answer, ask back, or decline.
web-gaps = { $count ->
    [one] { $count } required question has no answer.
   *[other] { $count } required questions have no answer.
}
web-change = Change
web-go-to-question = Answer question
web-not-answered = Not answered
web-not-answered-optional = Not answered (optional)
web-note-for-all = Note for all answers
web-saved-at = draft saved { $at }
web-saved-here = draft kept in this browser
web-not-saved = Your draft was not saved: { $why }.
web-not-sent = Not sent: { $why }. Your draft is kept.
web-queued = No connection. Your answer will be sent when it is back.
web-queued-says = Your answer waits for the connection. It is sent when the hub is back.
web-queued-count = { $count ->
    [one] { $count } answer waits
   *[other] { $count } answers wait
}
web-queued-sent = Connected again. Your answer was sent.
web-queued-closed = That question was closed meanwhile. Nothing was sent.
web-queued-unknown = This hub doesn't know the question. Nothing was sent. Your answer is kept in this browser for a month.
web-queued-changed = You changed this answer elsewhere. Nothing was sent. Look at it, and send it again.
web-queued-elsewhere = An answer from another tab of this browser waits for the connection. Take it back to send this one.
web-take-back = Take it back
web-sent = Sent.
web-sent-answered = Sent to { $who }
web-sent-declined = You declined
web-sent-clarify = You asked { $who } back
web-sent-expired = Kept for { $who }
web-sent-withdrawn = { $who } took the question back
web-closed-answered = Answered in { $by }, { $at }
web-closed-declined = Declined in { $by }, { $at }
web-closed-clarify = Asked back in { $by }, { $at }
web-closed-expired = Its time passed, { $at }
web-closed-withdrawn = The agent took it back, { $at }
web-nothing-sent = Nothing you typed here was sent.
web-changed-since = What you changed after sending was not sent.
web-what-was-answered = What was answered
web-your-draft = Your draft
web-copy-draft = Copy my draft
web-next-ask = Next: { $what }
web-told = The agent has it.
web-not-told = It is kept until the agent fetches it.
web-ask-back = Ask back
web-ask-back-says = { $who } gets your question in place of an answer, and can ask again.
web-ask-back-label = What do you want to know?
web-ask-back-missing = Type your question first.
web-not-later = It isn't sent later by itself: what you typed stays here.
web-ask-back-draft = What you have filled in is not sent.
web-ask-back-send = Send my question
web-asked-back = You asked { $who } back.
web-decline = Decline
web-decline-says = { $who } gets the message that you don't answer this.
web-decline-label = Why? { $who } reads it. It may stay empty.
web-decline-draft = What you have filled in is not sent.
web-decline-send = Decline
web-declined = Declined. { $who } gets the message.
web-keep-answering = Keep answering
web-snooze = Snooze
web-snooze-says = Hide it for a while. Its agent notices nothing.
web-snooze-minutes = { $count } minutes (until { $at })
web-snooze-tomorrow = Tomorrow at 9
web-snooze-asked-again = Until this agent asks again
web-snoozed = Snoozed. You find it under Snoozed.
web-snoozed-until = Snoozed until { $at }. You find it under Snoozed.
web-wake = Bring back
web-back-again = It waits again.
web-more-time = More time
web-more-time-done = Five minutes more: due at { $at }.
web-keys = Keys
web-keys-says = They work while no text is being typed; where a question wants text, letters and signs are text. The settings turn single keys off.
web-name-ctrl-enter = Ctrl+Enter
web-name-esc = Esc
web-key-digits = mark a choice, or unmark it
web-key-zero = other: your own answer
web-key-arrows = previous or next question
web-key-n = add a note
web-key-r = take what the agent recommends; R: everywhere, then the review
web-none-recommended = The agent recommends nothing here.
web-key-c = ask back
web-key-slash = filter the list
web-key-brackets = previous or next ask
web-key-at = where you type: name a file of the agent's folder
web-key-send = go on; at the end, send
web-key-esc = leave the field, or to the list; nothing is lost
web-key-help = this list
web-search = Search
web-filters = Filters
web-clear-filters = Show all again
web-remove-filter = Remove the filter { $what }
web-found-count = { $count ->
    [one] { $count } found
   *[other] { $count } found
}
web-all = All
web-always = Always
web-between = Between two days
web-last-days = { $count ->
    [one] Last day
   *[other] Last { $count } days
}
web-facet-agent = Agent
web-facet-project = Project
web-facet-branch = Branch
web-facet-outcome = Ended
web-facet-recommended = What is recommended
web-recommended-taken = taken
web-recommended-not-taken = not taken
web-facet-when = When
web-facet-from = From
web-facet-until = Until
web-facet-day = Day
web-facet-hour = Hour
web-facet-surface = Surface
web-end-answered = answered
web-end-late = answered late
web-end-declined = declined
web-end-ask-back = asked back
web-end-expired = time passed
web-end-withdrawn = taken back
web-end-undelivered = not fetched yet
web-export = Export what is found:
web-nothing-over = Nothing is over yet.
web-nothing-found = Nothing found.
web-show-more = Show more
web-show-all = Show all
web-answer-it = Answer it
web-choices = { $count ->
    [one] { $count } choice
   *[other] { $count } choices
}
web-copy-markdown = Copy as Markdown
web-copy-reply = Copy this
web-what-agent-got = What the agent was given
web-use-again = Use these words again
web-used-again = They are the first of your earlier answers now.
web-delete = Delete
web-delete-says = The question and its answers are forgotten on this machine. This can't be undone.
web-delete-unheard = Its agent has not received it yet, and then never will.
web-delete-it = Delete it
web-keep-it = Keep it
web-deleted = Deleted.
web-delete-found = Delete what is found
web-delete-found-says = { $count ->
    [one] { $count } question and its answers are forgotten on this machine. This can't be undone.
   *[other] { $count } questions and their answers are forgotten on this machine. This can't be undone.
}
web-delete-found-undelivered = { $count ->
    [one] { $count } more stays: its agent has not received the answer. It can only be deleted by itself.
   *[other] { $count } more stay: their agents have not received the answers. Each can only be deleted by itself.
}
web-delete-found-none = There is nothing to delete.
web-deleted-count = { $count ->
    [one] { $count } deleted.
   *[other] { $count } deleted.
}
web-timeline = What happened when
web-shown-on = shown in { $by }
web-stats-asks = Asks
web-stats-answered = Answered
web-stats-median = Median time to answer
web-stats-p90 = Nine of ten within
web-stats-waiting = Still open
web-stats-longest = Longest wait today
web-stats-days = Asks a day
web-stats-outcomes = How they ended
web-stats-surfaces = Where you answered
web-stats-hours = Time to answer, by hour of the day at the computer
web-stats-agents = Own words, by agent
web-stats-agents-says = How often you answered in your own words where choices were offered. A high share means poor choices.
web-stats-another = Another choice
web-stats-own = Own words
web-stats-notes = Notes
web-stats-ask-backs = Asked back
web-as-table = As a table
web-notices = Notifications
web-notify-me = Notify me
web-notices-default = The browser can tell you when a question comes while this page is in the background.
web-notices-granted = You get a notification when a question comes while this page is in the background.
web-notices-denied = Notifications are blocked for this page. Allow them in the browser's settings for this address.
web-notices-none = This browser or this connection has no notifications. The program itself can tell you on the desktop or by ntfy.
web-mute = Mute all notifications of ask-user
web-mute-says = Desktop, phone and sounds, on every surface, until you turn them on again.
web-theme = Looks
web-theme-auto = As the system
web-theme-light = Light
web-theme-dark = Dark
web-kept = History
web-kept-days = { $count ->
    [one] A question is removed { $count } day after it ended.
   *[other] A question is removed { $count } days after it ended.
}
web-kept-undelivered = An answer that no agent has come for stays twice as long.
web-kept-for-ever = Questions stay until you delete them.
web-kept-how = history.keep_days in { $file } says so.
web-language = Language
web-language-browser = The one that the browser asks for. The setting language.use in { $file } chooses one for every surface.
web-language-set = Chosen by the setting language.use in { $file }.
web-shortcuts = Single-key shortcuts
web-shortcuts-says = 1–9, 0, n, c and others, while no text is being typed. Where a question wants text, they are text, on or off.
web-session = This browser
web-session-says = It may answer your agents until you sign out.
web-sign-out = Sign out
web-sessions = Browsers of this computer
web-session-this = this browser
web-session-end-says = { $name } is signed out at once. What it has answered stays. `ask-user web` signs it in again.
web-session-ended = { $name } is signed out.
web-sign-out-all = Sign out everywhere
web-sign-out-all-says = All browsers of this computer, this one too, and all devices are cut off at once. What they have answered stays.
web-chat-waiting = Waiting for this client …
web-chat-nothing = There is nothing to answer in this card. What is open is in `ask-user inbox`.
web-chat-silent = This client passes nothing on right now. `ask-user inbox` has the question, too; the first answer counts.
web-chat-cancelled = The agent's call was stopped. You can still answer: it is kept until the agent asks again.
web-chat-passed = The agent has it as your message.
web-chat-not-passed = Your answer is kept, but this client didn't pass it on. Tell the agent that you have answered.
web-chat-unsaved = draft not saved yet
web-chat-about = About this card
web-chat-open = Open in the browser
web-pair-chip-off = Phone: off
web-pair-chip-on = Phone: on
web-pair-chip-count = Phone: { $count }
web-pair-plain = not encrypted
web-pair-plain-why = Whoever is on the same network can read along and act in your place.
web-pair-plain-lost = Notifications, installing and copying with a button need an encrypted connection. Two ways to one:
web-pair-offer-https = HTTPS, with a certificate of your own or a proxy that has one: `docs/how-to/phones.md` says how.
web-pair-offer-tunnel = A tunnel: `tailscale serve { $port }` with its address as `http.public_url`; from another computer `ssh -L { $port }:127.0.0.1:{ $port } HOST`.
web-pair-title = Let this device in
web-pair-where = On the computer, open the page's settings or run “ask-user pair”. Scan the picture that it shows, or type its six digits here.
web-pair-code = Code
web-pair-six-digits = The code has six digits.
web-pair-name = Name of this device
web-pair-some-device = A device
web-pair-ask = Ask to be let in
web-pair-asking = Asking …
web-pair-wrong-code = That isn't the code that the computer shows now, or it is older than three minutes.
web-pair-wrong-left = { $count ->
    [one] That isn't the code that the computer shows now. { $count } try is left; then it shows another code.
   *[other] That isn't the code that the computer shows now. { $count } tries are left; then it shows another code.
}
web-pair-wrong-another = That was the last try for this code. The computer shows another one now: type that.
web-pair-wrong-link-only = That was the last try: this invitation takes no more codes. Scan the picture at the computer, or make a new code there.
web-pair-wrong-link = This link was used before or is older than three minutes. Make a new code at the computer, and scan or type it.
web-pair-too-many = Too many tries. Wait a minute, and try again.
web-pair-shut-out = The computer lets no device in at the moment. Turn it on there: run “ask-user pair”, or use the page's settings. Devices that were let in before need no new code.
web-pair-unreachable = The computer can't be reached. Is this device on the same network, and are phones still let in there?
web-pair-confirm = Confirm { $number } on the computer
web-pair-confirm-says = The computer asks now whether { $name } may come in. Allow it there if it shows { $number }, too.
web-pair-left = { $left } left
web-pair-offline = No connection to the computer. This goes on by itself when it is back.
web-pair-allowed = You are in
web-pair-refused = The computer said no
web-pair-refused-says = Nothing of yours was shown to this device. If that was a mistake, ask again with a new code.
web-pair-over = That took too long
web-pair-over-says = Nobody confirmed the number in time. Ask again with a new code.
web-pair-anew = The computer began anew
web-pair-anew-says = ask-user was started anew at the computer while this device waited, so nobody can confirm this number any more. Ask again with a new code.
web-pair-again = Use a new code
web-pair-not-in = This device isn't let in
web-pair-ended = This device is no longer let in
web-pair-ended-says = Its time is over, or somebody at the computer ended it. What you typed is kept in this browser and is here again once it is let in.
web-pair-wants = { $name } at { $address } wants to answer your questions.
web-pair-wants-see = { $name } at { $address } wants to see your questions.
web-pair-shows = Does it show { $number }?
web-pair-shows-this = Does it show this number?
web-pair-allow = Allow
web-pair-allow-see = Only see
web-pair-refuse = Refuse
web-pair-done-answer = { $name } may answer your questions now.
web-pair-done-see = { $name } may see your questions now.
web-pair-done-refused = { $name } was refused.
web-pair-head = Let a phone answer
web-pair-says = A phone or another computer on your network shows this page, too. It gets in with a code, and only after you confirm a number here.
web-pair-how = For how long, and what it may do
web-pair-address = Address of this computer
web-pair-address-any = The one that leads out
web-pair-length = For how long?
web-pair-hours = { $count ->
    [one] { $count } hour
   *[other] { $count } hours
}
web-pair-until-off = Until I stop it
web-pair-scope = What may it do?
web-pair-scope-answer = answer questions
web-pair-scope-see = only see them
web-pair-may-answer = may answer
web-pair-may-see = only sees
web-pair-will-be-plain = This connection isn't encrypted.
web-pair-start = Let a phone in
web-pair-new = New code
web-pair-stop = Stop letting phones in
web-pair-on = Phones are let in until you stop it, at
web-pair-on-until = Phones are let in until { $at }, at
web-pair-used = Each code lets one device in, once.
web-pair-too-late = The code is too old. Make a new one.
web-pair-qr = QR code of the link to { $at }
web-pair-no-code = Too many wrong codes were typed. Scan the picture, or make a new code.
web-pair-scan = Scan this with the phone's camera.
web-pair-copy = Copy the link
web-pair-or-code = Or open { $at } there and type:
web-pair-devices = Devices
web-pair-no-devices = No device was let in.
web-pair-here = here now
web-pair-last-seen = last here { $time }
web-pair-stranded = can't come: let in on another way
web-pair-never-seen = not here yet
web-pair-until = until { $at }
web-pair-until-revoked = until it is taken back
web-pair-revoke = Revoke
web-pair-revoke-says = { $name } is cut off at once. What it has answered stays. To come back it needs a new code and your yes.
web-pair-revoked = { $name } is no longer let in.
web-pair-keep = Keep it
web-pair-this = This device
web-pair-this-answer = “{ $name }” may answer your agents.
web-pair-this-see = “{ $name }” may see what your agents ask, and answer nothing.
web-pair-this-ends = The computer can end that at any time.
web-pair-only-sees = This device may only see questions. Answer at the computer, or let this device in again there so that it may answer.
