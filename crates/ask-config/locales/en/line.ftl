### The line mode. Prompts end with a colon; a space is put behind them.

line-renumbered = The list has just changed. Type the number again.
line-no-longer-asked = It is no longer asked.
line-none-waits = No question waits for you.
line-none-yet = No question waits for you. A new one is announced here.
line-waiting = { $count ->
    [one] { $count } question waits:
   *[other] { $count } questions wait:
}
line-put-aside = { $count ->
    [one] { $count } question is snoozed:
   *[other] { $count } questions are snoozed:
}
line-late = { $count ->
    [one] { $count } question is late; its agent stopped waiting, and your answer is kept until it asks again:
   *[other] { $count } questions are late; their agents stopped waiting, and your answers are kept until they ask again:
}
line-kept = { $count ->
    [one] { $count } answer is kept until its agent fetches it:
   *[other] { $count } answers are kept until their agents fetch them:
}
line-sent = { $count ->
    [one] { $count } answer is being sent:
   *[other] { $count } answers are being sent:
}
line-fit = Only what has "{ $text }"; / alone shows all again.
line-none-fit = No question has "{ $text }"; / alone shows all again.
line-row = { $number }. { $ask }
line-ask = { $who }, { $place }, { $ago }: { $title }
line-ask-anywhere = { $who }, { $ago }: { $title }
line-ask-aside = { $ask } (snoozed until { $time })
line-ask-aside-asked = { $ask } (snoozed until it is asked again)
line-ask-due = { $ask } (due { $in })
line-new = New: { $ask }
line-back = Waits again: { $ask }
line-which = Number of the question to open, ? help, q leave:
line-which-none = ? help, q leave:
line-unclear-list = { $count ->
    [0] Not understood. No question is listed; ? is help, q leaves.
    [one] Not understood. Type 1 to open the question; ? is help, q leaves.
   *[other] Not understood. Type a number from 1 to { $count } to open a question; ? is help, q leaves.
}
line-aside-which = Type s, the number of a question, and for how long or until when: s 2 15m.
line-aside-none = Its agent is not waiting: there is nothing to snooze.
line-past-row = { $number }. { $ask } ({ $how })
line-prompt-past = Number of an ask to hear, m more, h and words to search, Enter back to the list:
line-unclear-past = Not understood. Type a number from 1 to { $count }, m, h and words, or nothing to go back.
line-seen = Press Enter to go on:
line-go-on = Type next and press Enter to go on, or q to leave:
line-not-taken = Not sent: { $text }
line-words-yes = y yes
line-words-no = n no

line-now = just now
line-minutes-ago = { $count ->
    [one] { $count } minute ago
   *[other] { $count } minutes ago
}
line-hours-ago = { $count ->
    [one] { $count } hour ago
   *[other] { $count } hours ago
}
line-days-ago = { $count ->
    [one] { $count } day ago
   *[other] { $count } days ago
}
line-at-today = { $time }
line-at-tomorrow = tomorrow at { $time }
line-at-day = { $date } at { $time }
line-in-seconds = { $count ->
    [one] in { $count } second
   *[other] in { $count } seconds
}
line-in-minutes = { $count ->
    [one] in { $count } minute
   *[other] in { $count } minutes
}
line-in-hours = { $count ->
    [one] in { $count } hour
   *[other] in { $count } hours
}
line-in-days = { $count ->
    [one] in { $count } day
   *[other] in { $count } days
}

line-asked = Asked by { $who }, { $ago }.
line-asked-project = Asked by { $who } for { $project }, { $ago }.
line-asked-branch = Asked by { $who }, branch { $branch }, { $ago }.
line-asked-project-branch = Asked by { $who } for { $project }, branch { $branch }, { $ago }.
line-due = It is due { $in }.
line-time-passed = The agent's time limit passed; your answer will be kept until it asks again.
line-agent-back = The agent waits again.
line-context = Context: { $text }
line-context-more = It goes on; i reads all { $count } lines.
line-context-none = There is no more to read.
line-quote = Quote: { $text }
line-cell = { $name }: { $text }
line-item-done = { $mark } done: { $text }
line-item-open = { $mark } not done: { $text }

line-question = Question { $number } of { $count }.
line-question-label = Question { $number } of { $count }, { $label }.
line-question-optional = Question { $number } of { $count }, optional.
line-question-label-optional = Question { $number } of { $count }, { $label }, optional.
line-example = For example: { $text }
line-option = { $number }. { $label }.
line-option-recommended = { $number }. { $label }, recommended.
line-option-described = { $option } { $description }.
line-option-described-whole = { $option } { $description }
line-option-preview = { $option } Has a preview, type p{ $number }.
line-option-own = 0. Your own answer.
line-options-more = { $count ->
    [one] There is { $count } more: m reads it, / and a word finds some.
   *[other] There are { $count } more: m reads on, / and a word finds some.
}
line-options-no-more = There are no more.
line-found = { $count ->
    [one] { $count } choice has "{ $word }":
   *[other] { $count } choices have "{ $word }":
}
line-found-none = No choice has "{ $word }".
line-preview-none = Type p and the number of a choice that has a preview.
line-so-far = Your answer so far: { $answer }
line-note-so-far = Your note: { $note }
line-note-none = There is no note.
line-note-all-so-far = Your note for all answers: { $note }
line-note-all-none = There is no note for all answers.

line-prompt-text = Your answer, end with an empty line (/q leave, /x decline, /c words ask back, /? help):
line-prompt-confirm = Your choice (y, n, 0, q leave, x decline, ? help):
line-prompt-confirm-several = Your choice (y, n, 0, b back, q leave, x decline, ? help):
line-prompt-one = Your choice (number, 0, q leave, x decline, ? help):
line-prompt-one-several = Your choice (number, 0, b back, q leave, x decline, ? help):
line-prompt-many = Your choices (numbers as in 1 3, 0, q leave, x decline, ? help):
line-prompt-many-several = Your choices (numbers as in 1 3, 0, b back, q leave, x decline, ? help):
line-prompt-own = Your own answer, end with an empty line:
line-prompt-own-again = Your own answer, end with an empty line; an empty line alone takes it off:
line-prompt-on = Go on with your answer, end with an empty line:
line-prompt-path = Path of the file, empty goes back:
line-prompt-note = Your note on this answer, in one line; empty keeps it as it is, - removes it:
line-prompt-note-all = Your note for all answers, in one line; empty keeps it as it is, - removes it:
line-prompt-reason = Why? One line, empty gives no reason:
line-prompt-none = Nothing chosen: Enter again says 'none of these'; or choose now:
line-prompt-none-several = Nothing chosen: Enter again says 'none of these', s skips; or choose now:
line-prompt-long = Answer is long ({ $count } chars). Continue anyway? [Y/n]
line-prompt-decline = Decline without a reason? y/n:
line-prompt-decline-reason = Decline with the reason "{ $text }"? y/n:
line-prompt-ask-back = Ask back "{ $text }" in place of an answer? y/n:
line-prompt-send = Send? y, n, or a number to change (? help):
line-prompt-send-late = Keep as a late answer? y, n, or a number to change (? help):
line-prompt-send-one = Send? y, b to change, q leave, ? help:
line-prompt-send-one-late = Keep as a late answer? y, b to change, q leave, ? help:
line-prompt-unsent = Not sent. A number changes an answer, y sends, q leaves:
line-prompt-unsent-one = Not sent. b changes it, y sends, q leaves:

line-unclear-text = Not understood. Type your answer; /? is help.
line-unclear-command = /{ $word } is no command; /? says which there are. To write it in your answer, put a space before it.
line-unclear-confirm = Not understood. Type y, n, or 0 for your own answer; ? is help.
line-unclear-one = Not understood. Type one number from 1 to { $count }, or 0 for your own answer; ? is help.
line-unclear-many = Not understood. Type numbers from 1 to { $count } as in 1 3, or 0 for your own answer; ? is help.
line-unclear-review = Not understood. Type y to send, n not to, or the number of an answer to change; ? is help.
line-unclear-review-one = Not understood. Type y to send, b to change your answer, or q to leave; ? is help.
line-letter-taken = { $letter } alone is a command here. To answer, type the whole word, or y or n.
line-ask-back-how = Type { $slash }c and your question on one line.
line-no-own = No own answer.
line-own-off = Your own answer is taken off.
line-cut = A terminal takes 4,095 bytes of a line: what you typed beyond that is lost. For a long answer, write several lines, or use your editor: { $slash }e.
line-left-out = The answer is too long: the last { $count } characters are left out.
line-needed = It needs an answer; { $slash }x declines, { $slash }q leaves it waiting.
line-recommended-none = Nothing is recommended here.
line-aside-how = Type { $slash }s and for how long or until when: { $slash }s 15m, { $slash }s 2h, { $slash }s 14:30, { $slash }s tomorrow, { $slash }s asked-again.
line-aside = { $title }: snoozed until { $time }.
line-aside-asked = { $title }: snoozed until it is asked again.
line-deadline-none = It has no deadline: it waits for you.
line-more-time = It has more time now: it is due { $in }, at { $at }.
line-more-typing = Because you are typing, it has more time: it is due { $in }, at { $at }.
line-more-none = No more time is to be had: it is due { $in }, at { $at }.
line-more-how = Type { $slash }+ alone, or { $slash }+ and how much more time: { $slash }+ 10m.
line-editor-none = An editor needs a terminal; type your answer instead.
line-earlier = o{ $number }. { $answer }
line-earlier-which = Type { $slash }o to hear your earlier answers, { $slash }o and a number to give one again.
line-earlier-answer-how = Type { $slash }u to fill it in; nothing is sent by that.
line-attach-where = A file belongs to one answer: type its number first, then attach.
line-attached = Attached: { $file }.
line-attached-none = No file is attached here.
line-detached = Taken off: { $file }.
line-file = @{ $number }. { $file }
line-files-more = { $count ->
    [one] { $count } more fits; type more letters.
   *[other] { $count } more fit; type more letters.
}
line-files-none = No file fits.
line-files-how = Type @ and a number where you name that file, as in: see @1.
line-files-named = With the file: { $text }
line-files-nowhere = Nobody knows in which folder this is asked, so there are no files to read out.

line-help =
    A number chooses; 0 is your own answer. An empty line keeps or skips an answer.
    Where several can be chosen, numbers as in 1 3 choose, - takes them off; 0 adds your own answer.
    b goes back, q leaves and keeps your draft, x declines, x and words with that reason,
    c and a question asks the agent back, a reads the question again.
    n and words notes something on this answer, N and words on all of them.
    r takes what is recommended, R takes it for all open questions.
    u fills in what you answered when the same was asked shortly before.
    i reads the whole context, p and a number the preview of a choice,
    m more choices, / and a word finds some. e writes your own answer in your editor,
    o reads your earlier ones.
    s snoozes the question (s 15m, s 14:30, s tomorrow), + takes more time for it (+ 10m).
    f and a path attaches a file, v the image or file that you copied, f - takes the last one off.
    @ and some letters reads out files of the project; @ and a number then names one in an answer.
line-help-text =
    What you type is your answer; an empty line ends it, or skips the question where it may be.
    Commands begin with a slash: /b goes back, /q leaves and keeps your draft,
    /x declines, /x and words with that reason, /c and a question asks the agent back, /a reads the question again.
    /n and words notes something on this answer, /N and words on all of them.
    /R takes what is recommended for all open questions.
    /u fills in what you answered when the same was asked shortly before.
    /i reads the whole context, /e writes your answer in your editor, /o reads your earlier ones.
    /s snoozes the question (/s 15m, /s 14:30, /s tomorrow), /+ takes more time for it (/+ 10m).
    /f and a path attaches a file, /v the image or file that you copied, /f - takes the last one off.
    /@ and some letters reads out files of the project; @ and a number then names one in your answer.
    A line of your answer that begins with a slash and a word is typed with a space before the slash.
line-help-review =
    y sends, n does not. The number of an answer changes it, b goes back to the last question.
    q leaves and keeps your draft, x declines, x and words with that reason,
    c and a question asks the agent back, a reads your answers again.
    n and words notes something on all answers. R takes what is recommended for all open questions.
    u fills in what you answered when the same was asked shortly before.
    i reads the whole context. s snoozes the question (s 15m, s 14:30, s tomorrow),
    + takes more time for it (+ 10m).
line-help-list =
    A number opens a question. q leaves. An empty line reads the list again.
    s, a number and a length snoozes a question (s 2 15m, s 2 tomorrow), s and its number brings it back.
    x and a number declines a question, with words behind that for that reason; you are asked before it is sent.
    u takes back the answer that was sent last, u and a number the answer of that question, until its agent has it.
    / and words keeps only the questions with them, / alone shows all again.
    h reads what is over, h and words searches it. S reads the statistics.
    m mutes notifications, and turns them on again.

line-review = Your answers:
line-review-row = { $number }. { $question }: { $answer }
line-review-note = Note for all: { $note }
line-noted = { $answer } (note: { $note })
line-unanswered = not answered
line-unanswered-optional = not answered, optional
line-missing = { $count ->
    [one] { $count } question has no answer. Required: { $names }.
   *[other] { $count } questions have no answer. Required: { $names }.
}
line-said = Your answer: { $answer }
line-left-waiting = Left waiting; your draft is kept.
line-left-unsaved = Left waiting; what you typed is not kept.
line-nothing-sent = Nothing was sent.
line-not-sent = Not sent: { $problem }.
line-not-sent-try = Not sent: { $problem }. Your answers are still here; try again.
line-unsent = You had this:
