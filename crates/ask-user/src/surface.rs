//! Where a person meets an ask. What a surface may do is fixed in `form`: every
//! one fills in the same form by the same rules and only shows it in its own way.

#[cfg(test)]
mod canned;
pub mod field;
pub mod form;
pub mod line;
pub mod text;
pub mod tui;
pub mod words;

use ask_core::{AskId, Record};

/// What a surface was opened for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Every ask that waits; stays open.
    Inbox,
    /// The oldest ask, then the next, until none waits.
    Next,
    /// One ask and no other.
    One(AskId),
}

/// How a surface ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The person answered the one ask.
    Answered(Record),
    /// The person declined the one ask, with or without a reason.
    Declined(Record),
    /// The person asked back.
    Clarify(Record),
    /// Somebody or something else closed it first.
    ClosedElsewhere(Record),
    /// The person left; the ask still waits and the draft is kept.
    Left,
    /// The person left the list, or nothing was left to show.
    Quit,
}

/// What became of an attempt to close an ask.
#[derive(Clone, Debug)]
pub enum Closing {
    /// It was ours.
    Won(Record),
    /// Somebody else was first.
    Lost(Record),
    /// The hub refused or couldn't be asked; the words are for the person.
    Failed(String),
}

impl Ended {
    /// What a closed record means to whoever closed it here.
    pub fn of(record: Record) -> Self {
        use ask_core::Outcome::{Answered, Clarify, Declined, Expired, Withdrawn};
        match record.settlement().map(|settlement| &settlement.outcome) {
            None => Self::Left,
            Some(Answered(_)) => Self::Answered(record),
            Some(Declined { .. }) => Self::Declined(record),
            Some(Clarify { .. }) => Self::Clarify(record),
            Some(Expired | Withdrawn) => Self::ClosedElsewhere(record),
        }
    }
}
