//! The keys of the full-screen text.

use crossterm::event::KeyCode::{Char, Down, End, Enter, Esc, Home, PageDown, PageUp, Up};

use super::row;
use crate::keys::KeyPress::{Ctrl, Key};
use crate::keys::{Action, Binding, Context, Move, Only};

const HERE: &[Context] = &[Context::Reader];

/// The rows. The first one that has a key wins.
#[rustfmt::skip]
pub(super) static ROWS: &[Binding] = &[
    row("up", HERE, &[Key(Up), Key(Char('k')), Ctrl('p')], Action::Move(Move::Up), "", "", Only::Help),
    row("down", HERE, &[Key(Down), Key(Char('j')), Ctrl('n'), Key(Enter)], Action::Move(Move::Down), "keys-scroll", "keys-scroll", Only::Always).paired_with("up"),
    row("page-up", HERE, &[Key(PageUp), Ctrl('u')], Action::Move(Move::PageUp), "", "", Only::Help),
    row("page-down", HERE, &[Key(PageDown), Ctrl('d'), Key(Char(' '))], Action::Move(Move::PageDown), "keys-page", "", Only::Always).paired_with("page-up"),
    row("first", HERE, &[Key(Home), Key(Char('g'))], Action::Move(Move::First), "", "", Only::Help),
    row("last", HERE, &[Key(End), Key(Char('G'))], Action::Move(Move::Last), "keys-top-end", "", Only::Help).paired_with("first"),
    row("help", HERE, &[Key(Char('?'))], Action::Help, "keys-help", "", Only::Help),
    row("back", HERE, &[Key(Esc), Key(Char('i')), Key(Char('p')), Key(Char('q')), Ctrl('c')], Action::Escape, "keys-back", "keys-back", Only::Always).showing(2),
];
