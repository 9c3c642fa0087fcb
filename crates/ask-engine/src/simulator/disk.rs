//! A disk: what a dying process leaves on it, and what a power loss leaves of that.

use std::collections::BTreeMap;

use ask_core::lifecycle::{self, Closing};
use ask_core::{AskId, Outcome, Record};

use crate::event::{Ticket, Written};
use crate::write::Write;

/// What is on the disk.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    pub records: BTreeMap<AskId, Record>,
    pub muted: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Disk {
    /// What the system has, and gives to the next process.
    pub written: State,
    /// Changes since the last sync; they are lost with the power, the last first.
    unsynced: Vec<Write>,
    synced: State,
    /// What was handed over and is not done.
    queue: Vec<(Ticket, Vec<Write>)>,
}

impl State {
    fn apply(&mut self, write: &Write) -> Written {
        match write {
            Write::Create(record) => match self.records.get(&record.id) {
                Some(existing) => return Written::Existing(Box::new(existing.clone())),
                None => drop(self.records.insert(record.id.clone(), (**record).clone())),
            },
            Write::Mute(on) => self.muted = *on,
            Write::Forget(id) => drop(self.records.remove(id)),
            Write::Settle(id, settlement) => {
                if let Some(record) = self.records.get_mut(id) {
                    match lifecycle::close(record, settlement) {
                        Closing::Close => write.apply(record),
                        Closing::Again | Closing::TooLate => {
                            return Written::Existing(Box::new(record.clone()));
                        }
                    }
                }
            }
            Write::SetDeadline(id, _)
            | Write::Deliver(id, ..)
            | Write::SaveDraft(id, ..)
            | Write::Snooze(id, _)
            | Write::AskAgain(id, _)
            | Write::Reopen(id, ..)
            | Write::Show(id, ..) => {
                if let Some(record) = self.records.get_mut(id) {
                    write.apply(record);
                }
            }
        }
        Written::Done
    }

    /// The records that an engine begins with.
    pub fn working_set(&self) -> Vec<Record> {
        let is_needed = |record: &&Record| {
            let ended = record.settlement().map(|settlement| &settlement.outcome);
            let missed = ended.is_some_and(Outcome::is_human) && !record.is_delivered();
            record.is_waiting() || missed || ended == Some(&Outcome::Expired)
        };
        self.records.values().filter(is_needed).cloned().collect()
    }
}

impl Disk {
    /// Takes an order; true if the disk was idle.
    pub fn order(&mut self, ticket: Ticket, writes: Vec<Write>) -> bool {
        self.queue.push((ticket, writes));
        self.queue.len() == 1
    }

    /// Whether anything was handed over that is not done.
    pub fn is_busy(&self) -> bool {
        !self.queue.is_empty()
    }

    /// Commits all that was handed over, as one group.
    pub fn commit(&mut self) -> Vec<(Ticket, Written)> {
        let group = std::mem::take(&mut self.queue);
        let durable = group
            .iter()
            .flat_map(|(_, writes)| writes)
            .any(Write::is_durable);
        let mut done = Vec::new();
        for (ticket, writes) in group {
            let mut written = Written::Done;
            for write in writes {
                match self.written.apply(&write) {
                    Written::Done => self.unsynced.push(write),
                    existing @ Written::Existing(_) => written = existing,
                }
            }
            done.push((ticket, written));
        }
        if durable {
            for write in self.unsynced.drain(..) {
                self.synced.apply(&write);
            }
        }
        done
    }

    /// Keeps nothing of what was handed over: it is full.
    pub fn refuse(&mut self) -> Vec<Ticket> {
        let group = std::mem::take(&mut self.queue);
        group.into_iter().map(|(ticket, _)| ticket).collect()
    }

    /// The process died. What it was committing is there as a whole, or not at all.
    pub fn process_died(&mut self, commits: bool) {
        if commits {
            self.commit();
        }
        self.queue.clear();
    }

    /// The power went: of what was not synced only so much is there.
    pub fn power_lost(&mut self, remaining: usize) {
        self.queue.clear();
        let remaining = remaining.min(self.unsynced.len());
        for write in self.unsynced.drain(..).take(remaining) {
            self.synced.apply(&write);
        }
        self.written = self.synced.clone();
    }

    pub fn unsynced(&self) -> usize {
        self.unsynced.len()
    }
}
