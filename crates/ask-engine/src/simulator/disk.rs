//! A disk: what a dying process leaves on it, and what a power loss leaves of that.

use std::collections::{BTreeMap, BTreeSet};

use ask_core::lifecycle::{self, SettleResult};
use ask_core::{AskId, Outcome, Record, Time, Write, Written};

use crate::event::Ticket;

/// What is on the disk.
#[derive(Debug, Default)]
pub(crate) struct State {
    pub records: BTreeMap<AskId, Record>,
    pub muted: bool,
    /// The open ones.
    pub waiting: BTreeSet<AskId>,
    /// Those that an engine may have to begin with.
    needed: BTreeSet<AskId>,
}

/// What a change took the place of.
#[derive(Debug)]
enum Before {
    Muted(bool),
    Record(AskId, Option<Box<Record>>),
}

#[derive(Debug, Default)]
pub(crate) struct Disk {
    /// What the system has, and gives to the next process.
    pub written: State,
    /// How to take back what was written since the last sync: that is lost with the power, the last
    /// first.
    unsynced: Vec<Before>,
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
            Write::Settle(before, settlement) => {
                if let Some(record) = self.records.get_mut(&before.id) {
                    match lifecycle::close(record, settlement) {
                        SettleResult::Close => write.apply(record),
                        SettleResult::Again | SettleResult::TooLate => {
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
            | Write::TakeOver(id, _)
            | Write::Reopen(id, ..)
            | Write::Show(id, ..) => {
                if let Some(record) = self.records.get_mut(id) {
                    write.apply(record);
                }
            }
        }
        if let Some(id) = write.id() {
            self.index(id);
        }
        Written::Done
    }

    fn before(&self, write: &Write) -> Before {
        match write.id() {
            Some(id) => Before::Record(id.clone(), self.records.get(id).cloned().map(Box::new)),
            None => Before::Muted(self.muted),
        }
    }

    fn take_back(&mut self, before: Before) {
        match before {
            Before::Muted(on) => self.muted = on,
            Before::Record(id, record) => {
                match record {
                    Some(record) => drop(self.records.insert(id.clone(), *record)),
                    None => drop(self.records.remove(&id)),
                }
                self.index(&id);
            }
        }
    }

    fn index(&mut self, id: &AskId) {
        let record = self.records.get(id);
        put(&mut self.waiting, id, record.is_some_and(Record::is_open));
        let is_needed = record.is_some_and(|record| {
            let ended = record.settlement().map(|settlement| &settlement.outcome);
            let missed = ended.is_some_and(Outcome::is_human) && !record.is_delivered();
            record.is_open() || missed || ended == Some(&Outcome::Expired)
        });
        put(&mut self.needed, id, is_needed);
    }

    /// The records that an engine begins with. Expired asks that nobody takes up any more are none
    /// of them.
    pub fn working_set(&mut self, now: Time, take_up_ms: u64) -> Vec<Record> {
        let records = &self.records;
        self.needed.retain(|id| {
            records.get(id).is_some_and(|record| {
                let is_expired = !record.is_open() && record.is_answerable();
                !is_expired || lifecycle::may_reopen(record, now, take_up_ms)
            })
        });
        let needed = self.needed.iter();
        needed.filter_map(|id| records.get(id).cloned()).collect()
    }
}

fn put(set: &mut BTreeSet<AskId>, id: &AskId, is_in: bool) {
    match is_in {
        true => drop(set.insert(id.clone())),
        false => drop(set.remove(id)),
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
        let mut writes = group.iter().flat_map(|(_, writes)| writes);
        let syncs = writes.any(Write::is_durable);
        let mut done = Vec::new();
        for (ticket, writes) in group {
            let mut written = Written::Done;
            for write in writes {
                if !syncs {
                    self.unsynced.push(self.written.before(&write));
                }
                if let existing @ Written::Existing(_) = self.written.apply(&write) {
                    written = existing;
                }
            }
            done.push((ticket, written));
        }
        if syncs {
            self.unsynced.clear();
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
        for before in self.unsynced.drain(remaining..).rev() {
            self.written.take_back(before);
        }
        self.unsynced.clear();
    }

    pub fn unsynced(&self) -> usize {
        self.unsynced.len()
    }
}
