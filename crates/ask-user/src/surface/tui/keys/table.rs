//! The rows of the key table. The first row that fits a key wins, so a letter's
//! row stands above the row that types characters.

use crossterm::event::KeyCode::{
    BackTab, Backspace, Char, Delete, Down, End, Enter, Esc, Home, Left, PageDown, PageUp, Right,
    Tab, Up,
};

use super::Press::{Alt, Any, Ctrl, CtrlKey, Digit, Key, ShiftEnter, Typed};
use super::{Action, Binding, Context, Edit, Move, Only};

const LISTS: &[Context] = &[Context::Pick, Context::Tick, Context::Confirm];
const CARD: &[Context] = &[
    Context::Pick,
    Context::Tick,
    Context::Confirm,
    Context::Rest,
    Context::Review,
];
const FIELDS: &[Context] = &[
    Context::Answering,
    Context::Other,
    Context::Reason,
    Context::AskBack,
];
const ANSWERS: &[Context] = &[Context::Answering, Context::Other];

const fn row(
    contexts: &'static [Context],
    presses: &'static [super::Press],
    action: Action,
    keys: &'static str,
    words: &'static str,
    short: &'static str,
    only: Only,
) -> Binding {
    Binding {
        contexts,
        presses,
        action,
        keys,
        words,
        short,
        only,
    }
}

/// Every key there is.
#[rustfmt::skip]
pub static TABLE: &[Binding] = &[
    // Everywhere.
    row(&[Context::Help], &[Key(Esc), Key(Char('q')), Ctrl('c')], Action::Escape, "Esc", "back", "", Only::Help),
    row(&[Context::Help], &[Any], Action::Close, "any key", "back", "back", Only::Always),
    row(&[Context::Inbox, Context::Pick, Context::Tick, Context::Confirm, Context::Rest, Context::Answering,
        Context::Other, Context::Review, Context::Discard, Context::Reason, Context::AskBack, Context::Long,
        Context::Reader, Context::Notice],
        &[Ctrl('l')], Action::Redraw, "Ctrl+L", "paint the screen anew", "", Only::Help),

    // The list of asks.
    row(&[Context::Inbox], &[Key(Up), Key(Char('k')), Ctrl('p')], Action::Move(Move::Up), "↑ k", "up", "", Only::Help),
    row(&[Context::Inbox], &[Key(Down), Key(Char('j')), Ctrl('n')], Action::Move(Move::Down), "↑↓", "move", "", Only::Listed),
    row(&[Context::Inbox], &[Digit], Action::Number(0), "1-9", "open that ask", "", Only::Help),
    row(&[Context::Inbox], &[Key(Enter)], Action::Enter, "Enter/1-9", "open", "open", Only::Listed),
    row(&[Context::Inbox], &[Key(Home), Key(Char('g'))], Action::Move(Move::First), "Home g", "first", "", Only::Help),
    row(&[Context::Inbox], &[Key(End), Key(Char('G'))], Action::Move(Move::Last), "End G", "last", "", Only::Help),
    row(&[Context::Inbox], &[Key(Char('x'))], Action::Decline, "x", "decline", "decline", Only::Listed),
    row(&[Context::Inbox], &[Key(Char('i'))], Action::Read, "i", "read all", "", Only::Listed),
    row(&[Context::Inbox], &[Key(Char('?'))], Action::Help, "?", "help", "help", Only::Always),
    row(&[Context::Inbox], &[Key(Char('q')), Ctrl('c')], Action::Quit, "q", "quit (questions stay waiting)", "quit", Only::Always),

    // The rows of a question.
    row(LISTS, &[Key(Up), Key(Char('k')), Ctrl('p')], Action::Move(Move::Up), "↑ k", "up", "", Only::Help),
    row(LISTS, &[Key(Down), Key(Char('j')), Ctrl('n')], Action::Move(Move::Down), "↑↓", "select", "", Only::Always),
    row(&[Context::Pick], &[Digit], Action::Number(0), "1-9", "quick select", "", Only::Always),
    row(&[Context::Confirm], &[Key(Char('y'))], Action::Yes, "y", "yes", "yes", Only::Always),
    row(&[Context::Confirm], &[Key(Char('n'))], Action::No, "n", "no", "no", Only::Always),
    row(&[Context::Confirm], &[Digit], Action::Number(0), "1 2", "yes, no", "", Only::Help),
    row(&[Context::Tick], &[Key(Char(' '))], Action::Mark, "Space", "toggle", "toggle", Only::Always),
    row(&[Context::Tick], &[Digit], Action::Number(0), "1-9", "quick toggle", "", Only::Always),
    row(&[Context::Pick, Context::Confirm], &[Key(Char(' '))], Action::Mark, "Space", "mark, without going on", "", Only::Help),
    row(LISTS, &[Key(Char('0'))], Action::Other, "0", "other", "", Only::Always),
    row(&[Context::Pick, Context::Confirm], &[Key(Enter)], Action::Enter, "Enter", "confirm and {go}", "{go}", Only::Always),
    row(&[Context::Tick], &[Key(Enter)], Action::Enter, "Enter", "{go}", "{go}", Only::Always),
    row(LISTS, &[Key(Home), Key(Char('g'))], Action::Move(Move::First), "Home g", "first row", "", Only::Help),
    row(LISTS, &[Key(End), Key(Char('G'))], Action::Move(Move::Last), "End G", "last row", "", Only::Help),

    // A text question whose field was left.
    row(&[Context::Rest], &[Key(Up), Key(Down), Key(Char('k')), Key(Char('j')), Key(Char('0')), Key(Char(' '))],
        Action::Other, "0 ↑↓", "type", "type", Only::Always),
    row(&[Context::Rest], &[Key(Enter)], Action::Enter, "Enter", "{go}", "{go}", Only::Always),

    // The review.
    row(&[Context::Review], &[Key(Up), Key(Char('k')), Ctrl('p')], Action::Move(Move::Up), "↑ k", "up", "", Only::Help),
    row(&[Context::Review], &[Key(Down), Key(Char('j')), Ctrl('n')], Action::Move(Move::Down), "↑↓", "move", "", Only::Always),
    row(&[Context::Review], &[Key(Enter)], Action::Enter, "Enter", "the marked button", "choose", Only::Always),
    row(&[Context::Review], &[Digit], Action::Number(0), "1-9", "go to that question", "go to", Only::Always),
    row(&[Context::Review], &[Key(Home), Key(Char('g'))], Action::Move(Move::First), "Home g", "first row", "", Only::Help),
    row(&[Context::Review], &[Key(End), Key(Char('G'))], Action::Move(Move::Last), "End G", "last button", "", Only::Help),

    // Any tab of a card.
    row(CARD, &[Key(Right), Key(Tab)], Action::TabNext, "Tab/←→", "switch tab", "tab", Only::Tabs),
    row(CARD, &[Key(Left), Key(BackTab)], Action::TabBack, "Shift+Tab ←", "previous tab", "", Only::Help),
    row(CARD, &[Key(PageDown), Ctrl('d')], Action::Move(Move::PageDown), "PgUp/PgDn", "scroll", "", Only::Overflow),
    row(CARD, &[Key(PageUp), Ctrl('u')], Action::Move(Move::PageUp), "PgUp Ctrl+U", "scroll back", "", Only::Help),
    row(CARD, &[Key(Char('i'))], Action::Read, "i", "read all", "read", Only::Overflow),
    row(CARD, &[Key(Char('c'))], Action::AskBack, "c", "ask back", "", Only::Always),
    row(CARD, &[Key(Char('x'))], Action::Decline, "x", "decline", "", Only::Always),
    row(CARD, &[Key(Char(']'))], Action::NextAsk, "[ ]", "other asks", "", Only::Asks),
    row(CARD, &[Key(Char('['))], Action::PastAsk, "[", "previous ask", "", Only::Help),
    row(CARD, &[Key(Char('?'))], Action::Help, "?", "help", "keys", Only::Always),
    row(CARD, &[Key(Esc)], Action::Escape, "Esc", "{esc}", "{esc}", Only::Always),
    row(CARD, &[Key(Char('q'))], Action::Quit, "q", "leave it waiting", "", Only::Help),
    row(CARD, &[Ctrl('c')], Action::Interrupt, "Ctrl+C", "stop here; twice ends, all stays waiting", "", Only::Help),

    // A text being typed.
    row(FIELDS, &[Key(Up), Ctrl('p')], Action::Move(Move::Up), "↑", "row above; from the first back to the list", "", Only::Help),
    row(FIELDS, &[Key(Down), Ctrl('n')], Action::Move(Move::Down), "↓", "row below", "", Only::Help),
    row(&[Context::Answering], &[Key(Enter)], Action::Enter, "Enter", "{go}", "{go}", Only::Always),
    row(&[Context::Other], &[Key(Enter)], Action::Enter, "Enter", "done", "done", Only::Always),
    row(&[Context::Reason], &[Key(Enter)], Action::Enter, "Enter", "decline and tell the agent", "decline", Only::Always),
    row(&[Context::AskBack], &[Key(Enter)], Action::Enter, "Enter", "send your question", "send", Only::Always),
    row(FIELDS, &[ShiftEnter, Alt(Enter), Ctrl('j')], Action::Edit(Edit::NewLine), "Alt+Enter/Ctrl+J", "new line", "", Only::Always),
    row(FIELDS, &[Alt(Left), CtrlKey(Left), Alt(Char('b'))], Action::Edit(Edit::WordLeft), "Ctrl+←", "word back", "", Only::Help),
    row(FIELDS, &[Alt(Right), CtrlKey(Right), Alt(Char('f'))], Action::Edit(Edit::WordRight), "Ctrl+→", "word on", "", Only::Help),
    row(FIELDS, &[Key(Left), Ctrl('b')], Action::Edit(Edit::CaretLeft), "←", "back", "", Only::Help),
    row(FIELDS, &[Key(Right), Ctrl('f')], Action::Edit(Edit::CaretRight), "→", "on", "", Only::Help),
    row(FIELDS, &[Key(Home), Ctrl('a')], Action::Move(Move::First), "Home Ctrl+A", "beginning of the line", "", Only::Help),
    row(FIELDS, &[Key(End), Ctrl('e')], Action::Move(Move::Last), "End Ctrl+E", "end of the line", "", Only::Help),
    row(FIELDS, &[Key(PageUp), Ctrl('u')], Action::Move(Move::PageUp), "PgUp Ctrl+U", "scroll back", "", Only::Help),
    row(FIELDS, &[Key(PageDown), Ctrl('d')], Action::Move(Move::PageDown), "PgDn Ctrl+D", "scroll on", "", Only::Help),
    row(FIELDS, &[Alt(Backspace), Ctrl('w'), CtrlKey(Backspace)], Action::Edit(Edit::EraseWord), "Ctrl+W", "delete the word", "", Only::Help),
    row(FIELDS, &[Key(Backspace), Ctrl('h')], Action::Edit(Edit::Erase), "Backspace", "delete back", "", Only::Help),
    row(FIELDS, &[Key(Delete)], Action::Edit(Edit::EraseNext), "Delete", "delete on", "", Only::Help),
    row(ANSWERS, &[Key(Tab)], Action::TabNext, "Tab", "next tab", "tab", Only::Tabs),
    row(ANSWERS, &[Key(BackTab)], Action::TabBack, "Shift+Tab", "previous tab", "", Only::Help),
    row(&[Context::Answering], &[Key(Esc)], Action::Escape, "Esc", "stop typing (text is kept)", "done", Only::Always),
    row(&[Context::Other], &[Key(Esc)], Action::Escape, "Esc", "stop typing (text is kept)", "list", Only::Always),
    row(&[Context::Reason, Context::AskBack], &[Key(Esc)], Action::Escape, "Esc", "back, nothing is sent", "back", Only::Always),
    row(FIELDS, &[Ctrl('c')], Action::Interrupt, "Ctrl+C", "leave the field", "", Only::Help),
    row(FIELDS, &[Typed], Action::Edit(Edit::Insert(' ')), "any other key", "types", "", Only::Help),

    // The dialog before anything is thrown away.
    row(&[Context::Discard], &[Key(Up), Key(Char('k')), Ctrl('p')], Action::Move(Move::Up), "↑ k", "up", "", Only::Help),
    row(&[Context::Discard], &[Key(Down), Key(Char('j')), Ctrl('n')], Action::Move(Move::Down), "↑↓", "move", "", Only::Always),
    row(&[Context::Discard], &[Key(Enter)], Action::Enter, "Enter", "choose", "choose", Only::Always),
    row(&[Context::Discard], &[Digit], Action::Number(0), "1-4", "or the letter chooses", "", Only::Always),
    row(&[Context::Discard], &[Key(Char('l'))], Action::Leave, "l", "leave it waiting", "", Only::Help),
    row(&[Context::Discard], &[Key(Char('y'))], Action::Yes, "y", "discard and cancel", "", Only::Help),
    row(&[Context::Discard], &[Key(Char('r'))], Action::Decline, "r", "decline with a reason", "", Only::Help),
    row(&[Context::Discard], &[Key(Esc), Key(Char('n'))], Action::Escape, "Esc", "keep answering", "keep", Only::Always),
    row(&[Context::Discard], &[Ctrl('c')], Action::Interrupt, "Ctrl+C", "end, all stays waiting", "", Only::Help),

    // A long answer.
    row(&[Context::Long], &[Key(Char('y')), Key(Char('Y')), Key(Enter)], Action::Yes, "Y/Enter", "continue", "continue", Only::Always),
    row(&[Context::Long], &[Key(Char('n')), Key(Char('N')), Key(Esc), Ctrl('c')], Action::No, "n/Esc", "back to the text", "back", Only::Always),

    // The full-screen text.
    row(&[Context::Reader], &[Key(Up), Key(Char('k')), Ctrl('p')], Action::Move(Move::Up), "↑ k", "up", "", Only::Help),
    row(&[Context::Reader], &[Key(Down), Key(Char('j')), Ctrl('n'), Key(Enter)], Action::Move(Move::Down), "↑↓", "scroll", "scroll", Only::Always),
    row(&[Context::Reader], &[Key(PageUp), Ctrl('u')], Action::Move(Move::PageUp), "PgUp", "page back", "", Only::Help),
    row(&[Context::Reader], &[Key(PageDown), Ctrl('d'), Key(Char(' '))], Action::Move(Move::PageDown), "PgUp/PgDn", "page", "", Only::Always),
    row(&[Context::Reader], &[Key(Home), Key(Char('g'))], Action::Move(Move::First), "Home g", "top", "", Only::Help),
    row(&[Context::Reader], &[Key(End), Key(Char('G'))], Action::Move(Move::Last), "End G", "end", "", Only::Help),
    row(&[Context::Reader], &[Key(Esc), Key(Char('i')), Key(Char('q')), Ctrl('c')], Action::Escape, "Esc/i", "back", "back", Only::Always),

    // An ask that was closed elsewhere.
    row(&[Context::Notice], &[Key(Char('d'))], Action::ShowDraft, "d", "show my draft", "my draft", Only::Draft),
    row(&[Context::Notice], &[Ctrl('c')], Action::Interrupt, "Ctrl+C", "twice ends, all stays waiting", "", Only::Help),
    row(&[Context::Notice], &[Key(Enter), Key(Esc)], Action::Escape, "Enter/Esc", "back", "back", Only::Filled),
    row(&[Context::Notice], &[Any], Action::Close, "any other key", "back", "back", Only::Unfilled),
];
