//! The keys of the notice that an ask was closed elsewhere.

use crossterm::event::KeyCode::{Char, Enter, Esc};

use super::{fixed, row};
use crate::keys::KeyPress::{Any, Ctrl, Key};
use crate::keys::{Action, Binding, Context, Only};

const HERE: &[Context] = &[Context::Notice];

/// The rows. The first one that has a key wins.
#[rustfmt::skip]
pub(super) static ROWS: &[Binding] = &[
    row("show-draft", HERE, &[Key(Char('d'))], Action::ShowDraft, "keys-show-draft", "keys-show-draft-short", Only::Draft),
    row("copy-draft", HERE, &[Key(Char('y'))], Action::Copy, "keys-copy-draft", "keys-copy-draft", Only::Filled),
    fixed(HERE, &[Ctrl('c')], Action::Interrupt, "keys-interrupt-notice", "", Only::Help),
    row("help", HERE, &[Key(Char('?'))], Action::Help, "keys-help", "", Only::Help),
    row("back", HERE, &[Key(Enter), Key(Esc)], Action::Escape, "keys-back", "keys-back", Only::Filled).showing(2),
    fixed(HERE, &[Any], Action::Close, "keys-back", "keys-back", Only::Unfilled),
];
