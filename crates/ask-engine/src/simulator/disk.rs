//! A simulated disk: the data that survives a crash of the process, and the part of it that
//! survives a power loss.

use std::collections::{BTreeMap, BTreeSet};

use ask_core::lifecycle::{self, SettleResult};
use ask_core::{AskId, Outcome, Record, Time, Write, Written};

use crate::event::Ticket;

/// The data on the disk.
#[derive(Debug, Default)]
pub(crate) struct State {
    pub records: BTreeMap<AskId, Record>,
    pub muted: bool,
    /// The ids of open asks.
    pub waiting: BTreeSet<AskId>,
    /// The ids of asks that an engine may need at its start.
    needed: BTreeSet<AskId>,
}

/// The state before a change, to undo it.
#[derive(Debug)]
enum Undo {
    Muted(bool),
    Record(AskId, Option<Box<Record>>),
}

#[derive(Debug, Default)]
pub(crate) struct Disk {
    /// The data that the operating system has. The next process reads it.
    pub written: State,
    /// How to undo the changes since the last sync, which a power loss may undo. They are undone in
    /// reverse order.
    unsynced: Vec<Undo>,
    /// Changes that were submitted and not committed yet.
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
            | Write::SeeCaller(id, _)
            | Write::SeeAgent(id, _)
            | Write::TakeBack(id, ..)
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

    fn undo_of(&self, write: &Write) -> Undo {
        match write.id() {
            Some(id) => Undo::Record(id.clone(), self.records.get(id).cloned().map(Box::new)),
            None => Undo::Muted(self.muted),
        }
    }

    fn undo(&mut self, before: Undo) {
        match before {
            Undo::Muted(on) => self.muted = on,
            Undo::Record(id, record) => {
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

    /// The records that an engine starts with. They exclude expired asks that can no longer be
    /// taken up.
    pub(super) fn working_set(&mut self, now: Time, take_up_ms: u64) -> Vec<Record> {
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
    /// Queues changes. Returns whether the disk was idle.
    pub(super) fn submit(&mut self, ticket: Ticket, writes: Vec<Write>) -> bool {
        self.queue.push((ticket, writes));
        self.queue.len() == 1
    }

    /// Whether changes are queued.
    pub(super) fn is_busy(&self) -> bool {
        !self.queue.is_empty()
    }

    /// Commits all queued changes in one group.
    pub(super) fn commit(&mut self) -> Vec<(Ticket, Written)> {
        let group = std::mem::take(&mut self.queue);
        let mut writes = group.iter().flat_map(|(_, writes)| writes);
        let syncs = writes.any(Write::is_durable);
        let mut done = Vec::new();
        for (ticket, writes) in group {
            let mut written = Written::Done;
            for write in writes {
                if !syncs {
                    self.unsynced.push(self.written.undo_of(&write));
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

    /// Discards all queued changes, as on a full disk.
    pub(super) fn fail(&mut self) -> Vec<Ticket> {
        let group = std::mem::take(&mut self.queue);
        group.into_iter().map(|(ticket, _)| ticket).collect()
    }

    /// The process crashes. The queued changes are committed as a whole, or not at all.
    pub(super) fn crash(&mut self, commits: bool) {
        if commits {
            self.commit();
        }
        self.queue.clear();
    }

    /// The power fails. Of the unsynced changes, only the first `remaining` survive.
    pub(super) fn lose_power(&mut self, remaining: usize) {
        self.queue.clear();
        let remaining = remaining.min(self.unsynced.len());
        for before in self.unsynced.drain(remaining..).rev() {
            self.written.undo(before);
        }
        self.unsynced.clear();
    }

    pub(super) fn unsynced(&self) -> usize {
        self.unsynced.len()
    }
}
