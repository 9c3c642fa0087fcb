### What keys do, for the footer and the help page, and how keys are called.
### What depends on the ask comes as an argument:
### $go is "send" where Enter sends, "keep" where nobody waits for it any more, else "on";
### $esc is "cancel" where Esc declines, "discard" where it asks what to do with what was typed, "all" where it ends a filter, else "leave";
### $files is "none" where no file fits what was typed after @, else "some";
### $muted is "yes" while notifications are muted, else "no".

## Keys

keys-enter = Enter
keys-esc = Esc
keys-sessions = who is signed in to the page
keys-sign-out = sign out
keys-tab = Tab
keys-space = Space
keys-backspace = Backspace
keys-delete = Delete
keys-insert = Insert
keys-home = Home
keys-end = End
keys-page-up = PgUp
keys-page-down = PgDn
keys-use-again = use these words again
keys-with-ctrl = Ctrl+{ $key }
keys-with-alt = Alt+{ $key }
keys-with-shift = Shift+{ $key }
# Two keys, one after the other; it stands where the name of a key stands.
keys-after = { $first }, then { $key }
keys-any-other = any other key

## What they do. Most stand behind their key in the footer, so they begin small and are short.

keys-all-recommended = all recommended, then the review
keys-ask-back = ask back
keys-at-once = at once
keys-attach = attach
keys-attach-copied = attach the image or file that you copied
keys-attach-not = back; a pasted path becomes text
keys-attach-path = attach a file by its path
keys-back = back
keys-back-to-text = back to the text
keys-back-unsent = back, nothing is sent
keys-caret = move the caret
keys-choose = choose
keys-clear-filter = show all
keys-close-paths = close, as it is typed
keys-close-paths-short = close
keys-confirm-go = { $go ->
    [send] confirm and send
    [keep] confirm and keep as late answer
   *[on] confirm and go on
}
keys-continue = continue
keys-copy-draft = copy it
keys-copy-question = copy the question as Markdown
keys-decline = decline
keys-decline-reason = decline with a reason
keys-detach = take off the file attached last
keys-discard = discard and cancel
keys-done = done
keys-earlier-answer = fill in your earlier answer
keys-editor = open your editor
keys-editor-short = editor
keys-erase = delete back
keys-erase-line-end = delete to the end of the line
keys-erase-next = delete on
keys-erase-next-word = delete the next word
keys-erase-word = delete the word
keys-escape = { $esc ->
    [cancel] decline
    [discard] discard ...
    [all] show all again
   *[leave] leave (draft is kept)
}
keys-escape-short = { $esc ->
    [cancel] decline
    [discard] discard ...
    [all] all
   *[leave] out
}
keys-filter-asks = filter
keys-export = copy as text
keys-field-rows = row above, row below; from the first row back to the list
keys-filter = filter
keys-first-last-ask = first, last
keys-first-last-button = first row, last button
keys-first-last-row = first row, last row
keys-go = { $go ->
    [send] send
    [keep] keep as late answer
   *[on] go on
}
keys-go-short = { $go ->
    [send] send
    [keep] keep
   *[on] next
}
keys-go-to-question = go to that question
keys-go-to-question-short = go to
keys-hand-back = back to the dialog of its client, where it came from one
keys-help = help
keys-help-short = keys
keys-insert-path = { $files ->
    [none] close
   *[some] insert the file
}
keys-insert-path-short = { $files ->
    [none] close
   *[some] insert
}
keys-interrupt-card = stop here; twice quits (questions stay waiting)
keys-interrupt-dialog = quit (questions stay waiting)
keys-interrupt-field = leave the field
keys-interrupt-notice = twice quits (questions stay waiting)
keys-keep-answering = keep answering
keys-keep-answering-short = keep
keys-leave-waiting = leave it waiting
keys-line-ends = beginning, end of the line
keys-load-other = load what was typed elsewhere, or yours again
keys-load-other-short = load
keys-mark = mark, without going on
keys-marked-button = the marked button
keys-more-time = more time
keys-move = move
keys-mute = { $muted ->
    [yes] unmute notifications
   *[no] mute notifications
}
keys-new-line = new line
keys-next-group = next group
keys-no = no
keys-note = note
keys-note-for-all = note for all
keys-open = open
keys-or-letter = or the letter chooses
keys-other = other
keys-other-asks = other asks
keys-page = page
keys-preview = preview, full screen
keys-preview-short = preview
keys-quick-confirm = yes, no, other
keys-quick-select = { $digit ->
    [sends] send at once
   *[marks] quick select
}
keys-quick-select-short = { $digit ->
    [sends] send
   *[marks] pick
}
keys-quick-toggle = quick toggle
keys-quit = quit (questions stay waiting)
keys-quit-short = quit
keys-read-all = read all
keys-read-all-short = read
keys-recall = earlier answers, back again
keys-recommended = recommended
keys-redraw = redraw the screen
keys-scroll = scroll
keys-select = select
keys-send = send
keys-send-decline = decline and tell the agent
keys-send-question = send your question
keys-show-all = show all again
keys-show-all-short = all
keys-show-draft = show my draft
keys-show-draft-short = my draft
keys-snooze = snooze
keys-stop-typing = { $esc ->
    [cancel] decline
   *[leave] stop typing (text is kept)
}
keys-stop-typing-short = { $esc ->
    [cancel] decline
   *[leave] done
}
keys-suspend = suspend
keys-switch-tab = switch tab
keys-switch-tab-short = next
keys-take-back = take the answer back
keys-to-filtered-asks = to the list
keys-to-filtered = to the list, filtered
keys-to-list = list
keys-toggle = toggle
keys-top-end = top, end
keys-type = type
keys-types = types
keys-undo = undo, redo
keys-web = a link to the web page
keys-words = word back, word on
keys-yes = yes
keys-jump = starts your own answer

## The help page

keys-title = Keys here
# Behind the title: which rows of all are seen.
keys-title-place = { $first }-{ $last } of { $all }
keys-group-moving = Moving
keys-group-answering = Answering
keys-group-typing = Typing
keys-group-replying = In place of an answer
keys-group-looking = Seeing more
keys-group-leaving = Leaving

## History

keys-history = history
keys-search = search
keys-filters = filters
keys-copy-markdown = copy as Markdown
keys-write-json = export JSON
keys-stats = statistics
keys-to-found = to the list
keys-change = change
