//! The keys of the help page.

use crossterm::event::KeyCode::{Char, Down, End, Esc, Home, PageDown, PageUp, Up};

use super::{fixed, row};
use crate::keys::KeyPress::{Any, Ctrl, Key};
use crate::keys::{Action, Binding, Context, Move, Only};

const HERE: &[Context] = &[Context::Help];

/// The rows. The first one that has a key wins.
#[rustfmt::skip]
pub(super) static ROWS: &[Binding] = &[
    row("up", HERE, &[Key(Up), Key(Char('k')), Ctrl('p')], Action::Move(Move::Up), "", "", Only::Help),
    row("down", HERE, &[Key(Down), Key(Char('j')), Ctrl('n')], Action::Move(Move::Down), "keys-scroll", "keys-scroll", Only::Overflow).paired_with("up"),
    row("page-up", HERE, &[Key(PageUp), Ctrl('u')], Action::Move(Move::PageUp), "", "", Only::Help),
    row("page-down", HERE, &[Key(PageDown), Ctrl('d'), Key(Char(' '))], Action::Move(Move::PageDown), "keys-page", "", Only::Overflow).paired_with("page-up"),
    row("first", HERE, &[Key(Home), Key(Char('g'))], Action::Move(Move::First), "", "", Only::Help),
    row("last", HERE, &[Key(End), Key(Char('G'))], Action::Move(Move::Last), "keys-top-end", "", Only::Help).paired_with("first"),
    row("back", HERE, &[Key(Esc), Key(Char('q')), Ctrl('c')], Action::Escape, "keys-back", "keys-back", Only::Always),
    fixed(HERE, &[Any], Action::Close, "keys-back", "keys-back", Only::Help),
];
