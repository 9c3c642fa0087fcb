### A card: its tabs, rows, notes, review, dialogs and notices.

## Notes, filter, recommended

card-your-note = your note
card-note = Note: "{ $note }"
card-note-key = Note: "{ $note }"  ({ $key } edits)
card-no-note = Note: none
card-no-note-key = Note: none  ({ $key } adds one)
card-your-note-for-all = your note for all answers
card-note-for-all = { $key }  Note for all answers: "{ $note }"
card-no-note-for-all = { $key }  Note for all answers: none
card-filter = Filter:
card-filter-count = { $shown } of { $offered }
card-none-recommended = The agent recommends nothing here.
card-none-recommended-at-all = Nothing is recommended where an answer is missing.
card-earlier-answer = You answered this { $ago } ago: { $answer } ({ $key } fills it in)
card-earlier-answer-narrow = { $key } fills in: { $answer }

## Copies

card-copied = Copied, if your terminal allows it.
card-too-long-to-copy = Too long to copy.
card-not-answered = not answered
card-note-beside = note: { $note }

## The review

card-review = Review your answers
card-missing = ! not answered
card-left-out = not answered (optional)
card-gaps = { $count ->
    [one] ! 1 question has no answer. Required: { $names }
   *[other] ! { $count } questions have no answer. Required: { $names }
}
card-button-send = { $count ->
    [0] Send without answers
    [one] Send 1 answer
   *[other] Send { $count } answers
}
card-button-anyway = { $count ->
    [one] Send the 1 answer anyway
   *[other] Send the { $count } answers anyway
}
card-button-anyway-short = Send { $count } anyway
card-just-told = The agent is just being told that its time has passed: send again to keep your answer.
card-button-late = Keep as late answer
card-button-late-anyway = { $count ->
    [one] Keep the 1 answer as late
   *[other] Keep the { $count } answers as late
}
card-button-late-anyway-short = Keep { $count } as late
card-button-go-to = Go to { $name }

## What agents say

# In an agent's text: an image is not shown, what it is said to show is.
card-image = [image: { $alt }]
card-image-unnamed = [image]

card-yes-no = Yes / No
card-gone = It is gone.
# What a window shows of a long text.
card-lines = lines { $first }-{ $last } of { $total }
# Behind a question, in parentheses.
card-choose-any = { $chosen ->
    [0] (choose any)
   *[other] (choose any; { $chosen } chosen)
}
card-optional = (optional)

## The rows of a question

card-yes = Yes
card-no = No
# Behind a label.
card-recommended = (Recommended)
card-recommended-short = (rec.)
card-chosen = ✓ chosen
# Before what was typed and is not part of the answer.
card-kept = (kept, not chosen) { $text }
card-your-answer = your answer
card-your-own-answer = your own answer
# At the right end of a field's frame. $chars is a number, written out.
card-field-size = { $lines ->
    [1] { $chars }
   *[other] { $lines } lines, { $chars }
}
card-more-above = ↑ { $count } more...
card-more-below = ↓ { $count } more...
# On the frame of the list: where the cursor stands.
card-row-of = { $row } of { $rows }

## What a choice would look like

card-preview = Preview: { $choice }
# The same where the cursor is on Other, which has none.
card-preview-of-other = Preview
card-preview-none = no preview
# Where there is no room for it. $key opens it.
card-preview-line = { $lines ->
    [one] { $key } preview ({ $lines } line)
   *[other] { $key } preview ({ $lines } lines)
}

## A question that is longer than its place

# $down and $up are keys, or "none" where they turn a preview; $read is the key that shows everything.
card-prose-below = ↓ { $below ->
    [one] { $below } more line
   *[other] { $below } more lines
} ({ $down ->
    [none] { $read } reads all
   *[other] { $down }, { $read } reads all
})
card-prose-above = ↑ { $above ->
    [one] { $above } more line
   *[other] { $above } more lines
} ({ $up ->
    [none] { $read }
   *[other] { $up }
})
card-prose-both = ↑ { $above }  ↓ { $below ->
    [one] { $below } more line
   *[other] { $below } more lines
}

## What is said above the hints

card-sending = Sending ...
card-reconnecting = Reconnecting; go on typing, nothing is lost.

## Who asks, and the tabs

card-asked = asked { $age } ago
card-waits = waits for you
card-waits-no-more = agent stopped waiting
card-due = due
card-due-in = due in { $left }
card-link-down = reconnecting
card-draft-saved = draft saved { $at }
card-submit = Submit
card-place = { $at }/{ $all }
card-tabs-given = { $given ->
    [one] { $given } answer →
   *[other] { $given } answers →
}

## Where nothing fits

card-too-small = terminal too small ({ $columns }x{ $rows }): needs { $least-columns }x{ $least-rows }; press { $enter } for plain lines

## Before an ask is left. $given of $asked questions have answers.

card-discard-typed = Discard what you typed?
card-discard-nothing = Leave this question?
card-discard-answers = { $given ->
    [one] Discard { $given } answer?
   *[other] Discard { $given } answers?
}
card-discard-given = { $asked ->
    [one] You have answered { $given } of { $asked } question.
   *[other] You have answered { $given } of { $asked } questions.
}
card-agent-waits = The agent is still waiting.
card-agent-stopped = The agent stopped waiting.
card-discard-stay = Keep answering
card-discard-leave = Leave it waiting; keep my draft
card-discard-leave-list = Leave it waiting; keep my draft, back to the list
card-discard-leave-short = Leave it, keep draft
card-discard-cancel = Discard and cancel; tell the agent I cancelled
card-discard-cancel-short = Discard and cancel
card-discard-decline = Decline with a reason ...
card-discard-hand-back = Back to the dialog of its client
card-handed-back = Given back: { $who } asks in its own dialog.
card-said-held = { $said } { $key } takes it back.
# $last is the number of the last way: 4, or 5 where the ask can be given back to its client.
card-discard-safe = { $ways ->
    [3] Nothing is sent until you choose { $cancel }, { $decline } or { $back }.
   *[other] Nothing is sent until you choose { $cancel } or { $decline }.
}

## Declining, and asking back

card-decline = Decline
card-decline-why = Why? The agent reads it. Empty means: no reason.
card-decline-hint = your reason
card-ask-back = Ask back
card-ask-back-what = What do you want to know? The agent gets this in place of an answer.
card-ask-back-hint = your question

## A long answer. $chars is a number, written out.

card-long = A long answer
card-long-sure = Answer is long ({ $chars } chars). Continue anyway? [Y/n]

## Going on, and what became of it

# $why is a sentence without its full stop, in English.
card-not-sent = Not sent: { $why }.
card-filled-in-cut = Not sent: this screen is too small for all that a program filled in. Enlarge it, or use the page.
card-not-sent-try-again = Not sent: { $why }. Your answers are still here; try again.
card-nothing-typed-yet = Nothing typed yet: type an answer, or decline.
card-nothing-typed = Nothing typed: { $enter } again sends no answer
card-somebody-first = Somebody else was first; nothing was sent.
card-closed-elsewhere = That question was closed elsewhere; nothing was sent.
card-no-longer-asked = NO LONGER ASKED
# $key is a key, as in Alt+Up.
card-words-kept = What you typed is kept: in a text field, { $key } brings it back.
card-words-printed = What you typed is kept: it is printed when you leave.
card-too-soon = That key came too soon and did nothing; what you typed is kept.
card-your-draft = Your draft:
# $names are the questions where it differs.
card-draft-differs = Your draft here was different: { $names }
