//! The keys that do the same on every screen.

use crossterm::event::KeyCode::F;

use super::row;
use crate::keys::KeyPress::{Ctrl, Key};
use crate::keys::{Action, Binding, Context, Only};

const SCREENS: &[Context] = &[
    Context::Inbox,
    Context::Find,
    Context::Snooze,
    Context::Sessions,
    Context::Pick,
    Context::Tick,
    Context::Confirm,
    Context::Rest,
    Context::Answering,
    Context::Other,
    Context::Note,
    Context::Filter,
    Context::Review,
    Context::Discard,
    Context::Reason,
    Context::AskBack,
    Context::Attach,
    Context::Long,
    Context::Reader,
    Context::Notice,
    Context::History,
    Context::HistorySearch,
    Context::HistoryFilters,
    Context::HistoryWhole,
    Context::HistoryStats,
    Context::Paths,
];

/// The rows. The first one that has a key wins.
#[rustfmt::skip]
pub(super) static ROWS: &[Binding] = &[
    row("help", SCREENS, &[Key(F(1))], Action::Help, "keys-help", "", Only::Help),
    row("redraw", SCREENS, &[Ctrl('l')], Action::Redraw, "keys-redraw", "", Only::Help),
    row("suspend", SCREENS, &[Ctrl('z')], Action::Suspend, "keys-suspend", "", Only::Help),
];
