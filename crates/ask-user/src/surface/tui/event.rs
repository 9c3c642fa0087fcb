//! Everything that can wake the terminal surface, and everything it can want done.

use ask_core::dialect::wire::Verdict;
use ask_core::{AskId, Draft, Record, Time};
use crossterm::event::KeyEvent;

use crate::surface::{Closing, Ended};

/// Something happened.
#[derive(Clone, Debug)]
pub enum Event {
    /// A key was pressed.
    Key(KeyEvent),
    /// Text was pasted, line breaks and all.
    Paste(String),
    /// The terminal has another size: columns and rows.
    Resize(u16, u16),
    /// The whole list, read afresh.
    Records(Vec<Record>),
    /// What is new since the last look.
    Changed {
        /// Records that are new or differ.
        records: Vec<Record>,
        /// Records that are gone from the list.
        gone: Vec<AskId>,
    },
    /// What became of an attempt to close an ask.
    Settled {
        /// Which ask.
        id: AskId,
        /// The record as it stands now, or why nothing is known.
        closing: Closing,
    },
    /// Whether the hub can be reached.
    Link(bool),
    /// A moment asked for by [`Effect::Wake`] has come.
    Tick,
    /// The keys typed before the screen changed are gone.
    InputDrained,
}

/// Something to do. The reducer wants it, the runner does it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Keep a draft.
    SaveDraft {
        /// Of which ask.
        id: AskId,
        /// What is filled in.
        draft: Draft,
    },
    /// Close an ask.
    Settle {
        /// Which.
        id: AskId,
        /// How.
        verdict: Verdict,
    },
    /// Say that a person can see an ask.
    Shown {
        /// Which.
        id: AskId,
    },
    /// Read an ask that isn't in the list any more and send it as [`Event::Changed`].
    Fetch {
        /// Which.
        id: AskId,
    },
    /// Send a [`Event::Tick`] at this moment; there is only ever one.
    Wake {
        /// When.
        at: Time,
    },
    /// Throw away the keys that are typed but not read, then say [`Event::InputDrained`].
    DrainInput,
    /// Paint everything anew, because something else wrote on the screen.
    Repaint,
    /// End.
    Quit(Ended),
}
