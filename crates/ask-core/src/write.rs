//! One change to what is kept, as data, and what it does to a record.

use std::sync::Arc;

use crate::lifecycle::{self, Settlement};
use crate::record::{Saved, Shown, Snooze};
use crate::{AskId, Caller, Draft, Outcome, Record, State, Time};

/// One change to what is kept.
#[derive(Clone, Debug, PartialEq)]
pub enum Write {
    /// Keeps a new ask.
    Create(Arc<Record>),
    /// Closes an ask, which stood like this before.
    Settle(Arc<Record>, Box<Settlement>),
    /// Moves an open ask's deadline.
    SetDeadline(AskId, Option<Time>),
    /// Marks an outcome as delivered, of this attempt where that is known.
    Deliver(AskId, Option<u64>, Time),
    /// Keeps a half-filled form.
    SaveDraft(AskId, Box<Draft>, String, Time),
    /// Puts an open ask aside, or back.
    Snooze(AskId, Option<Snooze>),
    /// Notes that an ask was asked again.
    AskAgain(AskId, Time),
    /// Has another caller go on with an ask, because the one before is gone.
    TakeOver(AskId, Box<Caller>),
    /// Has an expired ask wait again, with this deadline: it was asked again.
    Reopen(AskId, Option<Time>, Time),
    /// Notes where an ask is shown.
    Show(AskId, String, Time),
    /// Removes a closed ask.
    Forget(AskId),
    /// Mutes notifications, or no longer.
    Mute(bool),
}

/// What the store did with changes that it was handed together.
#[derive(Clone, Debug, PartialEq)]
pub enum Written {
    /// It has kept all of them.
    Done,
    /// It has kept none, because it had this record already: an ask of that id was kept before, or
    /// was settled by another.
    Existing(Box<Record>),
}

impl Write {
    /// Which ask it is about.
    pub fn id(&self) -> Option<&AskId> {
        match self {
            Self::Create(record) | Self::Settle(record, _) => Some(&record.id),
            Self::SetDeadline(id, _)
            | Self::Deliver(id, ..)
            | Self::SaveDraft(id, ..)
            | Self::Snooze(id, _)
            | Self::AskAgain(id, _)
            | Self::TakeOver(id, _)
            | Self::Reopen(id, ..)
            | Self::Show(id, ..)
            | Self::Forget(id) => Some(id),
            Self::Mute(_) => None,
        }
    }

    /// Whether it must survive a power loss before anybody hears of it. The others have to survive
    /// the hub's process, and never make an answer wait for the disk.
    pub fn is_durable(&self) -> bool {
        match self {
            Self::Create(_)
            | Self::Settle(..)
            | Self::SetDeadline(..)
            | Self::Reopen(..)
            | Self::Snooze(..)
            | Self::Forget(_)
            | Self::Mute(_) => true,
            Self::Deliver(..)
            | Self::SaveDraft(..)
            | Self::AskAgain(..)
            | Self::TakeOver(..)
            | Self::Show(..) => false,
        }
    }

    /// Does to a record what the store does to its row.
    pub fn apply(&self, record: &mut Record) {
        match self {
            Self::Create(_) | Self::Forget(_) | Self::Mute(_) => {}
            Self::Settle(_, settlement) => {
                record.state = State::Closed {
                    settlement: (**settlement).clone(),
                    delivered_at: None,
                };
                // What was filled in when the time passed can still be sent.
                if settlement.outcome != Outcome::Expired {
                    record.draft = None;
                }
                record.snoozed = None;
                record.asked_again = None;
            }
            Self::SetDeadline(_, deadline) => record.deadline_at = *deadline,
            Self::Deliver(_, attempt, at) => {
                if lifecycle::may_deliver(record, *attempt)
                    && let State::Closed { delivered_at, .. } = &mut record.state
                {
                    *delivered_at = Some(*at);
                }
            }
            Self::SaveDraft(_, draft, surface, at) => {
                let revision = record.draft.as_ref().map_or(0, |saved| saved.revision);
                record.draft = Some(Saved {
                    draft: (**draft).clone(),
                    at: *at,
                    surface: surface.clone(),
                    revision: revision + 1,
                });
            }
            Self::Snooze(_, snooze) => record.snoozed = *snooze,
            Self::AskAgain(_, at) => record.asked_again = Some(*at),
            Self::TakeOver(_, caller) => record.asker.caller = Some((**caller).clone()),
            Self::Reopen(_, deadline, at) => {
                record.state = State::Open;
                record.deadline_at = *deadline;
                record.asked_again = Some(*at);
            }
            Self::Show(_, surface, at) => {
                record.shown = Some(Shown {
                    surface: surface.clone(),
                    at: *at,
                });
            }
        }
    }
}
