//! The terminal: where a person answers on a screen or line by line. What an answer may be is fixed
//! in `paper`: both fill in the same form by the same rules.

pub mod attach;
mod bell_throttle;
mod editor;
pub mod plain;
pub mod tui;
pub mod ui;

use ask_core::{AskId, Record};
use ask_hub::client::Settled;

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
    Answered(Box<Record>),
    /// The person declined the one ask, with or without a reason.
    Declined(Box<Record>),
    /// The person asked back.
    Clarify(Box<Record>),
    /// Somebody or something else closed it first.
    ClosedElsewhere(Box<Record>),
    /// The person left; the ask still waits and the draft is kept.
    Left,
    /// The person left the list, or nothing was left to show.
    Quit,
    /// The terminal is too small for pictures, and the person goes on line by line.
    Plain,
}

/// What became of an attempt to close an ask.
#[derive(Clone, Debug)]
pub enum Closing {
    /// It was ours.
    Won(Box<Record>),
    /// Somebody else was first.
    Lost(Box<Record>),
    /// The hub refused or couldn't be asked; the words are for the person.
    Failed(String),
}

impl Closing {
    /// What the hub said to the attempt.
    fn of(said: anyhow::Result<Settled>) -> Self {
        match said {
            Ok(Settled::Won(record)) => Self::Won(Box::new(record)),
            Ok(Settled::Lost(record)) => Self::Lost(Box::new(record)),
            Err(error) => Self::Failed(format!("{error:#}")),
        }
    }
}

impl Ended {
    /// What a closed record means to whoever closed it here.
    pub fn of(record: Record) -> Self {
        let record = Box::new(record);
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

#[cfg(test)]
mod fixtures;
