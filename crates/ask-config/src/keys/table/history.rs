//! The keys of the history screen and of the screens that it opens.

use crossterm::event::KeyCode::{
    Backspace, Char, Delete, Down, End, Enter, Esc, Home, Left, PageDown, PageUp, Right, Tab, Up,
};

use super::{fixed, row};
use crate::keys::KeyPress::{Ctrl, Key, Typed};
use crate::keys::{Action, Binding, Context, Edit, HistoryAction, Move, Only};

const LIST: &[Context] = &[Context::History];
const SEARCH: &[Context] = &[Context::HistorySearch];
const FILTERS: &[Context] = &[Context::HistoryFilters];
const WHOLE: &[Context] = &[Context::HistoryWhole];
const PAGES: &[Context] = &[Context::HistoryWhole, Context::HistoryStats];
const CALM: &[Context] = &[
    Context::History,
    Context::HistoryFilters,
    Context::HistoryWhole,
    Context::HistoryStats,
];

/// The rows. The first one that has a key wins.
#[rustfmt::skip]
pub(super) static ROWS: &[Binding] = &[
    row("up", LIST, &[Key(Up), Key(Char('k')), Ctrl('p')], Action::Move(Move::Up), "", "", Only::Help),
    row("down", LIST, &[Key(Down), Key(Char('j')), Ctrl('n')], Action::Move(Move::Down), "keys-move", "", Only::Always).paired_with("up"),
    row("open", LIST, &[Key(Enter)], Action::Enter, "keys-open", "keys-open", Only::Always),
    row("search", LIST, &[Key(Char('/'))], Action::Filter, "keys-search", "keys-search", Only::Always),
    row("filters", LIST, &[Key(Char('f'))], Action::History(HistoryAction::Filters), "keys-filters", "keys-filters", Only::Always),
    row("copy", LIST, &[Key(Char('y')), Ctrl('y')], Action::Copy, "keys-copy-markdown", "", Only::Always),
    row("write", LIST, &[Key(Char('E'))], Action::History(HistoryAction::Write), "keys-write-json", "", Only::Always),
    row("stats", LIST, &[Key(Char('S'))], Action::History(HistoryAction::Stats), "keys-stats", "", Only::Always),
    row("page-up", LIST, &[Key(PageUp), Ctrl('u')], Action::Move(Move::PageUp), "", "", Only::Help),
    row("page-down", LIST, &[Key(PageDown), Ctrl('d')], Action::Move(Move::PageDown), "keys-page", "", Only::Help).paired_with("page-up"),
    row("first", LIST, &[Key(Home), Key(Char('g'))], Action::Move(Move::First), "", "", Only::Help),
    row("last", LIST, &[Key(End), Key(Char('G'))], Action::Move(Move::Last), "keys-first-last-ask", "", Only::Help).paired_with("first"),
    row("search-done", SEARCH, &[Key(Enter), Key(Down)], Action::Enter, "keys-to-found", "keys-to-list", Only::Always),
    row("search-left", SEARCH, &[Key(Left), Ctrl('b')], Action::Edit(Edit::CaretLeft), "", "", Only::Help),
    row("search-right", SEARCH, &[Key(Right), Ctrl('f')], Action::Edit(Edit::CaretRight), "keys-caret", "", Only::Help).paired_with("search-left"),
    row("search-start", SEARCH, &[Key(Home), Ctrl('a')], Action::Move(Move::First), "", "", Only::Help),
    row("search-end", SEARCH, &[Key(End), Ctrl('e')], Action::Move(Move::Last), "keys-line-ends", "", Only::Help).paired_with("search-start"),
    row("search-erase-word", SEARCH, &[Ctrl('w')], Action::Edit(Edit::EraseWord), "keys-erase-word", "", Only::Help),
    row("search-erase", SEARCH, &[Key(Backspace), Ctrl('h')], Action::Edit(Edit::Erase), "keys-erase", "", Only::Help),
    row("search-erase-next", SEARCH, &[Key(Delete)], Action::Edit(Edit::EraseNext), "keys-erase-next", "", Only::Help),
    row("search-clear", SEARCH, &[Key(Esc)], Action::Escape, "keys-show-all", "keys-show-all-short", Only::Always),
    fixed(SEARCH, &[Ctrl('c')], Action::Escape, "keys-interrupt-field", "", Only::Help),
    fixed(SEARCH, &[Typed], Action::Edit(Edit::Insert(' ')), "keys-types", "", Only::Help),
    row("filter-up", FILTERS, &[Key(Up), Key(Char('k'))], Action::Move(Move::Up), "", "", Only::Help),
    row("filter-down", FILTERS, &[Key(Down), Key(Char('j'))], Action::Move(Move::Down), "keys-choose", "keys-choose", Only::Always).paired_with("filter-up"),
    row("filter-back", FILTERS, &[Key(Left)], Action::TabBack, "", "", Only::Help),
    row("filter-next", FILTERS, &[Key(Right), Key(Tab), Key(Char(' '))], Action::TabNext, "keys-change", "keys-change", Only::Always).paired_with("filter-back"),
    row("filter-done", FILTERS, &[Key(Enter)], Action::Enter, "keys-to-found", "keys-to-list", Only::Always),
    row("page-scroll-up", PAGES, &[Key(Up), Key(Char('k'))], Action::Move(Move::Up), "", "", Only::Help),
    row("page-scroll-down", PAGES, &[Key(Down), Key(Char('j'))], Action::Move(Move::Down), "keys-scroll", "keys-scroll", Only::Always).paired_with("page-scroll-up"),
    row("page-page-up", PAGES, &[Key(PageUp), Ctrl('u')], Action::Move(Move::PageUp), "", "", Only::Help),
    row("page-page-down", PAGES, &[Key(PageDown), Ctrl('d'), Key(Char(' '))], Action::Move(Move::PageDown), "keys-page", "", Only::Always).paired_with("page-page-up"),
    row("page-first", PAGES, &[Key(Home), Key(Char('g'))], Action::Move(Move::First), "", "", Only::Help),
    row("page-last", PAGES, &[Key(End), Key(Char('G'))], Action::Move(Move::Last), "keys-top-end", "", Only::Help).paired_with("page-first"),
    row("page-copy", WHOLE, &[Key(Char('y')), Ctrl('y')], Action::Copy, "keys-copy-markdown", "", Only::Always),
    row("use-again", WHOLE, &[Key(Char('u'))], Action::History(HistoryAction::Again), "keys-use-again", "keys-use-again", Only::Always),
    row("back", CALM, &[Key(Esc), Key(Char('q'))], Action::Escape, "keys-back", "keys-back", Only::Always),
    row("help", CALM, &[Key(Char('?'))], Action::Help, "keys-help", "keys-help-short", Only::Always),
    fixed(CALM, &[Ctrl('c')], Action::Interrupt, "keys-interrupt-notice", "", Only::Help),
];
