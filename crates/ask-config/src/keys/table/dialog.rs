//! The keys of dialogs that ask something, such as before input is discarded or a long answer is
//! sent.

use crossterm::event::KeyCode::{Char, Down, Enter, Esc, Up};

use super::{fixed, row};
use crate::keys::KeyPress::{Ctrl, Digits, Key};
use crate::keys::{Action, Binding, Context, Move, Only};

const DISCARD: &[Context] = &[Context::Discard];
const SNOOZE: &[Context] = &[Context::Snooze];
const SESSIONS: &[Context] = &[Context::Sessions];
const LONG: &[Context] = &[Context::Long];

/// The rows. The first one that has a key wins.
#[rustfmt::skip]
pub(super) static ROWS: &[Binding] = &[
    // Before input is discarded.
    row("up", DISCARD, &[Key(Up), Key(Char('k')), Ctrl('p')], Action::Move(Move::Up), "", "", Only::Help),
    row("down", DISCARD, &[Key(Down), Key(Char('j')), Ctrl('n')], Action::Move(Move::Down), "keys-move", "", Only::Always).paired_with("up"),
    row("enter", DISCARD, &[Key(Enter)], Action::Enter, "keys-choose", "keys-choose", Only::Always),
    row("number", DISCARD, &[Digits(4)], Action::Number(0), "keys-or-letter", "", Only::Always),
    row("park", DISCARD, &[Key(Char('l'))], Action::Leave, "keys-leave-waiting", "", Only::Help),
    row("discard", DISCARD, &[Key(Char('y'))], Action::Yes, "keys-discard", "", Only::Help),
    row("decline", DISCARD, &[Key(Char('r'))], Action::Decline, "keys-decline-reason", "", Only::Help),
    row("hand-back", DISCARD, &[Key(Char('b')), Key(Char('5'))], Action::HandBack, "keys-hand-back", "", Only::Help),
    row("help", DISCARD, &[Key(Char('?'))], Action::Help, "keys-help", "", Only::Help),
    row("stay", DISCARD, &[Key(Esc), Key(Char('n'))], Action::Escape, "keys-keep-answering", "keys-keep-answering-short", Only::Always),
    fixed(DISCARD, &[Ctrl('c')], Action::Interrupt, "keys-interrupt-dialog", "", Only::Help),

    // How long an ask is snoozed.
    row("up", SNOOZE, &[Key(Up), Key(Char('k')), Ctrl('p')], Action::Move(Move::Up), "", "", Only::Help),
    row("down", SNOOZE, &[Key(Down), Key(Char('j')), Ctrl('n')], Action::Move(Move::Down), "keys-move", "", Only::Always).paired_with("up"),
    row("enter", SNOOZE, &[Key(Enter)], Action::Enter, "keys-choose", "keys-choose", Only::Always),
    row("snooze-number", SNOOZE, &[Digits(5)], Action::Number(0), "keys-at-once", "", Only::Always),
    row("snooze-stay", SNOOZE, &[Key(Esc), Key(Char('n')), Key(Char('s')), Key(Char('q'))], Action::Escape, "keys-back", "keys-back", Only::Always),
    fixed(SNOOZE, &[Ctrl('c')], Action::Interrupt, "keys-interrupt-dialog", "", Only::Help),

    // Who is signed in to the page.
    row("up", SESSIONS, &[Key(Up), Key(Char('k')), Ctrl('p')], Action::Move(Move::Up), "", "", Only::Help),
    row("down", SESSIONS, &[Key(Down), Key(Char('j')), Ctrl('n')], Action::Move(Move::Down), "keys-move", "", Only::Always).paired_with("up"),
    row("enter", SESSIONS, &[Key(Enter)], Action::Enter, "keys-choose", "keys-choose", Only::Always),
    row("sign-out", SESSIONS, &[Key(Char('y'))], Action::Yes, "keys-sign-out", "", Only::Help),
    row("sessions-leave", SESSIONS, &[Key(Esc), Key(Char('n')), Key(Char('q'))], Action::Escape, "keys-back", "keys-back", Only::Always),
    fixed(SESSIONS, &[Ctrl('c')], Action::Interrupt, "keys-interrupt-dialog", "", Only::Help),

    // Before a long answer is sent.
    row("help", LONG, &[Key(Char('?'))], Action::Help, "keys-help", "", Only::Help),
    row("long-yes", LONG, &[Key(Char('y')), Key(Enter), Key(Char('Y'))], Action::Yes, "keys-continue", "keys-continue", Only::Always).showing(2),
    row("long-no", LONG, &[Key(Char('n')), Key(Esc), Key(Char('N')), Ctrl('c')], Action::No, "keys-back-to-text", "keys-back", Only::Always).showing(2),
];
