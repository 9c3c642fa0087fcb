//! The terminal surfaces: a person answers on a full screen (`tui`) or line by line (`plain`). Both
//! fill in the form of `ui` by the same rules.

pub mod attach;
mod bell_throttle;
mod editor;
pub mod plain;
pub mod tui;
pub mod ui;

use ask_config::exit::{Exit, Failure};
use ask_core::{AskId, Record};
use ask_hub::client::Settled;

/// What a surface was opened for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mode {
    /// All waiting asks; the surface stays open.
    Inbox,
    /// The oldest ask, then the next, until none waits.
    Next,
    /// One ask and no other.
    One(AskId),
}

/// How a surface ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SurfaceEnd {
    /// The person answered the one ask.
    Answered(Box<Record>),
    /// The person declined the one ask, with or without a reason.
    Declined(Box<Record>),
    /// The person asked the agent a question instead of answering.
    Clarify(Box<Record>),
    /// The ask was closed by another surface, its deadline or its caller.
    ClosedElsewhere(Box<Record>),
    /// The person left; the ask still waits and its draft is saved.
    Left,
    /// The person left the list, or no ask was left to show.
    Quit,
    /// The terminal is too small for the full screen, and the person continues in the plain mode.
    SwitchToPlain,
}

/// The result of an attempt to settle an ask.
#[derive(Clone, Debug)]
pub enum SettleResult {
    /// This surface settled the ask.
    Won(Box<Record>),
    /// The ask had been settled before; the record has that settlement.
    Lost(Box<Record>),
    /// The hub refused or couldn't be reached; the text is shown to the person.
    Failed(String),
}

impl SettleResult {
    /// Converts the hub's reply to `settle`.
    fn from_reply(reply: anyhow::Result<Settled>) -> Self {
        match reply {
            Ok(Settled::Won(record)) => Self::Won(Box::new(record)),
            Ok(Settled::Lost(record)) => Self::Lost(Box::new(record)),
            Err(error) => Self::Failed(format!("{error:#}")),
        }
    }
}

impl SurfaceEnd {
    /// How a one-shot surface ends when its ask is closed as this record shows.
    pub fn from_record(record: Record) -> Self {
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

/// Whether a request failed only because there was no hub: what the person types next repeats it.
fn is_without_hub(error: &anyhow::Error) -> bool {
    let failure = error.downcast_ref::<Failure>();
    failure.is_some_and(|failure| failure.exit == Exit::NoHub)
}

#[cfg(test)]
mod fixtures;
