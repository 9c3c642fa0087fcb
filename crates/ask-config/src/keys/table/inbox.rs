//! The keys of the list of asks.

use crossterm::event::KeyCode::{
    BackTab, Char, Down, End, Enter, Esc, Home, PageDown, PageUp, Tab, Up,
};

use super::row;
use crate::keys::KeyPress::{Alt, Ctrl, Digits, Key};
use crate::keys::{Action, Binding, Context, FooterPriority, HistoryAction, Move, Only};

const HERE: &[Context] = &[Context::Inbox];

/// The rows. The first one that has a key wins.
#[rustfmt::skip]
pub(super) static ROWS: &[Binding] = &[
    row("up", HERE, &[Key(Up), Key(Char('k')), Ctrl('p')], Action::Move(Move::Up), "", "", Only::Help),
    row("down", HERE, &[Key(Down), Key(Char('j')), Ctrl('n')], Action::Move(Move::Down), "keys-move", "", Only::Listed).paired_with("up"),
    row("number", HERE, &[Digits(9)], Action::Number(0), "", "", Only::Help),
    row("open", HERE, &[Key(Enter)], Action::Enter, "keys-open", "keys-open", Only::Listed).paired_with("number"),
    row("first", HERE, &[Key(Home), Key(Char('g'))], Action::Move(Move::First), "", "", Only::Help),
    row("last", HERE, &[Key(End), Key(Char('G'))], Action::Move(Move::Last), "keys-first-last-ask", "", Only::Help).paired_with("first"),
    row("snooze", HERE, &[Key(Char('s'))], Action::Snooze, "keys-snooze", "keys-snooze", Only::Waits),
    row("decline", HERE, &[Key(Char('x'))], Action::Decline, "keys-decline", "keys-decline", Only::Waits).yielding(FooterPriority::Narrow(2)),
    row("take-back", HERE, &[Key(Char('u')), Alt(Char('z'))], Action::TakeBack, "keys-take-back", "keys-take-back", Only::Held).yielding(FooterPriority::InTurn),
    row("read", HERE, &[Key(Char('i'))], Action::Read, "keys-read-all", "", Only::Listed),
    row("filter", HERE, &[Key(Char('/'))], Action::Filter, "keys-filter-asks", "keys-filter-asks", Only::Listed),
    row("more-time", HERE, &[Key(Char('+'))], Action::MoreTime, "keys-more-time", "", Only::Timed),
    row("page-up", HERE, &[Key(PageUp), Ctrl('u')], Action::Move(Move::PageUp), "", "", Only::Help),
    row("page-down", HERE, &[Key(PageDown), Ctrl('d')], Action::Move(Move::PageDown), "keys-scroll", "", Only::Help).paired_with("page-up"),
    row("previous-group", HERE, &[Key(BackTab)], Action::TabBack, "", "", Only::Help),
    row("next-group", HERE, &[Key(Tab)], Action::TabNext, "keys-next-group", "", Only::Listed).paired_with("previous-group"),
    row("mute", HERE, &[Key(Char('m'))], Action::Mute, "keys-mute", "", Only::Always),
    row("web", HERE, &[Key(Char('w'))], Action::PageLink, "keys-web", "", Only::Help),
    row("sessions", HERE, &[Key(Char('W'))], Action::Sessions, "keys-sessions", "", Only::Help),
    row("clear-filter", HERE, &[Key(Esc)], Action::Escape, "keys-clear-filter", "", Only::Help),
    row("history", HERE, &[Key(Char('h'))], Action::History(HistoryAction::Open), "keys-history", "", Only::Always),
    row("help", HERE, &[Key(Char('?'))], Action::Help, "keys-help", "keys-help", Only::Always),
    row("quit", HERE, &[Key(Char('q')), Ctrl('c')], Action::Quit, "keys-quit", "keys-quit-short", Only::Always).yielding(FooterPriority::Narrow(1)),
];
