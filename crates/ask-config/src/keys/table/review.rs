//! The keys of the review, besides those of any tab.

use crossterm::event::KeyCode::{Char, Down, End, Enter, Home, Up};

use super::row;
use crate::keys::KeyPress::{Ctrl, Digits, Key};
use crate::keys::{Action, Binding, Context, Move, Only};

const HERE: &[Context] = &[Context::Review];

/// The rows. The first one that has a key wins.
#[rustfmt::skip]
pub(super) static ROWS: &[Binding] = &[
    row("up", HERE, &[Key(Up), Key(Char('k')), Ctrl('p')], Action::Move(Move::Up), "", "", Only::Help),
    row("down", HERE, &[Key(Down), Key(Char('j')), Ctrl('n')], Action::Move(Move::Down), "keys-move", "", Only::Always).paired_with("up"),
    row("enter", HERE, &[Key(Enter)], Action::Enter, "keys-marked-button", "keys-choose", Only::Always),
    row("number", HERE, &[Digits(9)], Action::Number(0), "keys-go-to-question", "keys-go-to-question-short", Only::Always),
    row("note-for-all", HERE, &[Key(Char('N')), Key(Char('n'))], Action::Note, "keys-note-for-all", "keys-note", Only::Always),
    row("export", HERE, &[Key(Char('e'))], Action::Export, "keys-export", "", Only::Always),
    row("first", HERE, &[Key(Home), Key(Char('g'))], Action::Move(Move::First), "", "", Only::Help),
    row("last", HERE, &[Key(End), Key(Char('G'))], Action::Move(Move::Last), "keys-first-last-button", "", Only::Help).paired_with("first"),
];
