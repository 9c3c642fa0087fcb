//! The keys of every field: answers, notes, filters, reasons and questions to the agent.

use crossterm::event::KeyCode::{
    BackTab, Backspace, Char, Delete, Down, End, Enter, Esc, Home, Left, PageDown, PageUp, Right,
    Tab, Up,
};

use super::{fixed, row};
use crate::keys::KeyPress::{Alt, Ctrl, CtrlKey, Key, ShiftEnter, Typed};
use crate::keys::{Action, Binding, Context, Edit, FooterPriority, Move, Only, ReplaceText};

const FIELDS: &[Context] = &[
    Context::Answering,
    Context::Other,
    Context::Note,
    Context::Reason,
    Context::AskBack,
    Context::Paths,
];
/// Those fields, and the fields of one line.
const TYPED: &[Context] = &[
    Context::Answering,
    Context::Other,
    Context::Note,
    Context::Filter,
    Context::Find,
    Context::Reason,
    Context::AskBack,
    Context::Attach,
    Context::Paths,
];
const PATHS: &[Context] = &[Context::Paths];
const ANSWERS: &[Context] = &[
    Context::Answering,
    Context::Other,
    Context::Note,
    Context::Filter,
];
/// Where the person can recall earlier answers.
const RECALLING: &[Context] = &[Context::Answering, Context::Other];
const FILTER: &[Context] = &[Context::Filter];
const FIND: &[Context] = &[Context::Find];

/// The rows. The first one that has a key wins.
#[rustfmt::skip]
pub(super) static ROWS: &[Binding] = &[
    row("up", FIELDS, &[Key(Up), Ctrl('p')], Action::Move(Move::Up), "", "", Only::Help),
    row("down", FIELDS, &[Key(Down), Ctrl('n')], Action::Move(Move::Down), "keys-field-rows", "", Only::Help).paired_with("up"),
    row("up", FIND, &[Key(Up), Ctrl('p')], Action::Move(Move::Up), "", "", Only::Help),
    row("down", FIND, &[Key(Down), Ctrl('n')], Action::Move(Move::Down), "keys-move", "", Only::Always).paired_with("up"),
    row("enter", FIND, &[Key(Enter)], Action::Enter, "keys-to-filtered-asks", "keys-to-list", Only::Always),
    row("up", FILTER, &[Key(Up), Ctrl('p')], Action::Move(Move::Up), "", "", Only::Help),
    row("down", FILTER, &[Key(Down), Ctrl('n')], Action::Move(Move::Down), "keys-select", "", Only::Always).paired_with("up"),
    row("enter", FILTER, &[Key(Enter)], Action::Enter, "keys-to-filtered", "keys-to-list", Only::Always),
    row("enter", &[Context::Answering], &[Key(Enter)], Action::Enter, "keys-go", "keys-go-short", Only::Always),
    row("enter", &[Context::Other, Context::Note], &[Key(Enter)], Action::Enter, "keys-done", "keys-done", Only::Always),
    row("enter", &[Context::Reason], &[Key(Enter)], Action::Enter, "keys-send-decline", "keys-decline", Only::Always),
    row("enter", &[Context::AskBack], &[Key(Enter)], Action::Enter, "keys-send-question", "keys-send", Only::Always),
    row("enter", &[Context::Attach], &[Key(Enter)], Action::Enter, "keys-attach", "keys-attach", Only::Always),
    row("insert-path", PATHS, &[Key(Tab), Key(Enter)], Action::Enter, "keys-insert-path", "keys-insert-path-short", Only::Always).showing(2),
    row("close-paths", PATHS, &[Key(Esc)], Action::Escape, "keys-close-paths", "keys-close-paths-short", Only::Always),
    row("new-line", FIELDS, &[Alt(Enter), Ctrl('j'), ShiftEnter], Action::Edit(Edit::NewLine), "keys-new-line", "", Only::Always).showing(2),
    row("editor", FIELDS, &[Ctrl('g')], Action::ReplaceText(ReplaceText::Editor), "keys-editor", "keys-editor-short", Only::Always),
    row("left", TYPED, &[Key(Left), Ctrl('b')], Action::Edit(Edit::CaretLeft), "", "", Only::Help),
    row("right", TYPED, &[Key(Right), Ctrl('f')], Action::Edit(Edit::CaretRight), "keys-caret", "", Only::Help).paired_with("left"),
    row("word-left", TYPED, &[CtrlKey(Left), Alt(Left), Alt(Char('b'))], Action::Edit(Edit::WordLeft), "", "", Only::Help),
    row("word-right", TYPED, &[CtrlKey(Right), Alt(Right), Alt(Char('f'))], Action::Edit(Edit::WordRight), "keys-words", "", Only::Help).paired_with("word-left"),
    row("line-start", TYPED, &[Key(Home), Ctrl('a')], Action::Move(Move::First), "", "", Only::Help),
    row("line-end", TYPED, &[Key(End), Ctrl('e')], Action::Move(Move::Last), "keys-line-ends", "", Only::Help).paired_with("line-start"),
    row("page-up", FIELDS, &[Key(PageUp), Ctrl('u')], Action::Move(Move::PageUp), "", "", Only::Help),
    row("page-down", FIELDS, &[Key(PageDown), Ctrl('d')], Action::Move(Move::PageDown), "keys-scroll", "", Only::Help).paired_with("page-up"),
    row("erase-word", TYPED, &[Ctrl('w'), Alt(Backspace), CtrlKey(Backspace)], Action::Edit(Edit::EraseWord), "keys-erase-word", "", Only::Help),
    row("erase", TYPED, &[Key(Backspace), Ctrl('h')], Action::Edit(Edit::Erase), "keys-erase", "", Only::Help),
    row("erase-next", TYPED, &[Key(Delete)], Action::Edit(Edit::EraseNext), "keys-erase-next", "", Only::Help),
    row("erase-next-word", TYPED, &[Alt(Char('d')), CtrlKey(Delete)], Action::Edit(Edit::EraseNextWord), "keys-erase-next-word", "", Only::Help),
    row("erase-line-end", TYPED, &[Ctrl('k')], Action::Edit(Edit::EraseLineEnd), "keys-erase-line-end", "", Only::Help),
    // Terminals send Ctrl+_ and Ctrl+/ as the byte that is called Ctrl+7 elsewhere.
    row("undo", TYPED, &[Ctrl('_'), Ctrl('/'), Ctrl('7')], Action::Edit(Edit::Undo), "", "", Only::Help),
    row("redo", TYPED, &[Alt(Char('_')), Alt(Char('/')), Ctrl('Z')], Action::Edit(Edit::Redo), "keys-undo", "", Only::Help).paired_with("undo"),
    row("older", RECALLING, &[Alt(Up)], Action::ReplaceText(ReplaceText::Older), "", "", Only::Help),
    row("newer", RECALLING, &[Alt(Down)], Action::ReplaceText(ReplaceText::Newer), "keys-recall", "", Only::Help).paired_with("older"),
    row("earlier-answer", ANSWERS, &[Alt(Char('u'))], Action::EarlierAnswer, "keys-earlier-answer", "", Only::EarlierAnswer).yielding(FooterPriority::First),
    row("take-back", ANSWERS, &[Alt(Char('z'))], Action::TakeBack, "keys-take-back", "keys-take-back", Only::Held),
    row("attach-copied", &[Context::Answering, Context::Other], &[Ctrl('v')], Action::AttachCopied, "keys-attach-copied", "", Only::Help),
    row("attach", &[Context::Answering, Context::Other], &[Alt(Char('a'))], Action::Attach, "keys-attach-path", "", Only::Always).yielding(FooterPriority::First),
    row("previous-tab", ANSWERS, &[Key(BackTab)], Action::TabBack, "", "", Only::Help),
    row("next-tab", ANSWERS, &[Key(Tab)], Action::TabNext, "keys-switch-tab", "keys-switch-tab-short", Only::Tabs).paired_with("previous-tab"),
    row("leave", &[Context::Answering], &[Key(Esc)], Action::Escape, "keys-stop-typing", "keys-stop-typing-short", Only::Always),
    row("leave", FIND, &[Key(Esc)], Action::Escape, "keys-clear-filter", "keys-clear-filter", Only::Always),
    row("leave", FILTER, &[Key(Esc)], Action::Escape, "keys-show-all", "keys-show-all-short", Only::Always),
    row("leave", &[Context::Other, Context::Note], &[Key(Esc)], Action::Escape, "keys-stop-typing", "keys-to-list", Only::Always),
    row("leave", &[Context::Attach], &[Key(Esc)], Action::Escape, "keys-attach-not", "keys-back", Only::Always),
    row("leave", &[Context::Reason, Context::AskBack], &[Key(Esc)], Action::Escape, "keys-back-unsent", "keys-back", Only::Always),
    fixed(TYPED, &[Ctrl('c')], Action::Interrupt, "keys-interrupt-field", "", Only::Help),
    fixed(TYPED, &[Typed], Action::Edit(Edit::Insert(' ')), "keys-types", "", Only::Help),
];
