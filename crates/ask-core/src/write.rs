//! One change to what is stored, as data, and its effect on a record.

use std::sync::Arc;

use crate::lifecycle::{self, Settlement};
use crate::record::{MAX_TAKEN_BACK, Saved, Shown, Snooze, TakenBack};
use crate::{AskId, Caller, Draft, Outcome, Record, State, Time};

/// One change to what is stored.
#[derive(Clone, Debug, PartialEq)]
pub enum Write {
    /// Stores a new ask.
    Create(Arc<Record>),
    /// Closes an ask. The record is the one from before.
    Settle(Arc<Record>, Box<Settlement>),
    /// Moves an open ask's deadline.
    SetDeadline(AskId, Option<Time>),
    /// Marks an outcome as delivered: that of this attempt, if it is known.
    Deliver(AskId, Option<u64>, Time),
    /// Stores a partly filled form.
    SaveDraft(AskId, Box<Draft>, String, Time),
    /// Snoozes an open ask, or ends its snooze.
    Snooze(AskId, Option<Snooze>),
    /// Records that an ask was asked again.
    AskAgain(AskId, Time),
    /// Gives an ask to another caller, because the one before is gone.
    TakeOver(AskId, Box<Caller>),
    /// Reopens an expired ask with this deadline, because it was asked again.
    Reopen(AskId, Option<Time>, Time),
    /// Records that the caller of an ask ran at this time.
    SeeCaller(AskId, Time),
    /// Records that the agent of the caller of an ask ran at this time.
    SeeAgent(AskId, Time),
    /// Opens an ask again with this form and this deadline, because the person took the outcome back.
    TakeBack(AskId, Box<TakenBack>, Box<Saved>, Option<Time>),
    /// Records where an ask is shown.
    Show(AskId, String, Time),
    /// Removes a closed ask.
    Forget(AskId),
    /// Mutes notifications, or unmutes them.
    Mute(bool),
}

/// What the store did with changes that it got together.
#[derive(Clone, Debug, PartialEq)]
pub enum Written {
    /// It has stored all of them.
    Done,
    /// It has stored none, because it already had this record: an ask of that id, or one that
    /// somebody else has settled.
    Existing(Box<Record>),
}

impl Write {
    /// The ask that it changes.
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
            | Self::SeeCaller(id, _)
            | Self::SeeAgent(id, _)
            | Self::TakeBack(id, ..)
            | Self::Show(id, ..)
            | Self::Forget(id) => Some(id),
            Self::Mute(_) => None,
        }
    }

    /// Whether it must survive a power loss before anybody learns of it. The others must survive
    /// the hub's process, and never make an answer wait for the disk.
    pub fn is_durable(&self) -> bool {
        match self {
            Self::Create(_)
            | Self::Settle(..)
            | Self::SetDeadline(..)
            | Self::Reopen(..)
            | Self::TakeBack(..)
            | Self::Snooze(..)
            | Self::Forget(_)
            | Self::Mute(_) => true,
            Self::Deliver(..)
            | Self::SaveDraft(..)
            | Self::AskAgain(..)
            | Self::TakeOver(..)
            | Self::SeeCaller(..)
            | Self::SeeAgent(..)
            | Self::Show(..) => false,
        }
    }

    /// Changes a record as the store changes its row.
    pub fn apply(&self, record: &mut Record) {
        match self {
            Self::Create(_) | Self::Forget(_) | Self::Mute(_) => {}
            Self::Settle(_, settlement) => {
                record.state = State::Closed {
                    settlement: (**settlement).clone(),
                    delivered_at: None,
                };
                // After an expiry the person can still take what is offered. The form stays: an outcome
                // that was taken back gives it back, and what wasn't sent is still there.
                if settlement.outcome != Outcome::Expired {
                    record.earlier_answer = None;
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
            Self::TakeOver(_, caller) => {
                record.asker.caller = Some((**caller).clone());
                record.agent_seen = None;
            }
            Self::SeeCaller(_, at) => record.caller_seen = Some(*at),
            Self::SeeAgent(_, at) => record.agent_seen = Some(*at),
            Self::Reopen(_, deadline, at) => {
                record.state = State::Open;
                record.deadline_at = *deadline;
                record.asked_again = Some(*at);
            }
            Self::TakeBack(_, taken_back, form, deadline) => {
                record.state = State::Open;
                record.deadline_at = *deadline;
                record.draft = Some((**form).clone());
                if record.taken_back.len() >= MAX_TAKEN_BACK {
                    record.taken_back.remove(0);
                }
                record.taken_back.push((**taken_back).clone());
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
