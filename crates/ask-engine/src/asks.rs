//! The working set: every open ask, every outcome that has not reached its caller, and expired asks
//! that can still be taken up. Found by id, by fingerprint and by caller.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque, hash_map};
use std::sync::Arc;

use ask_core::record::InClient;
use ask_core::{AskId, Asker, Fingerprint, Outcome, Process, Record, Time};

use crate::engine::Amount;
use crate::event::{ConnectionId, Request, RequestId, Ticket};

/// A call that waits for an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Waiter {
    pub connection: ConnectionId,
    pub request: RequestId,
}

/// A request that waits until the change before it is kept.
#[derive(Debug)]
pub(crate) struct Parked {
    pub connection: ConnectionId,
    pub request: RequestId,
    pub body: Request,
}

/// That an agent comes back for an outcome although no call of it waits now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Expected {
    pub until_boot_ms: u64,
    /// The connection whose end ends the expectation; none where it comes over another one.
    pub connection: Option<ConnectionId>,
}

/// One ask.
#[derive(Debug)]
pub(crate) struct Entry {
    /// As everybody sees it: all of it is kept. `waiters` and `in_client` are filled in here.
    pub record: Arc<Record>,
    pub fingerprint: Fingerprint,
    /// How long what is asked is.
    pub bytes: usize,
    /// Whether the store has it. A new ask is nobody's to see before.
    pub is_kept: bool,
    /// The change that is on its way to the store.
    pub ticket: Option<Ticket>,
    /// What waits for that, in order.
    pub parked: VecDeque<Parked>,
    pub waiters: Vec<Waiter>,
    /// Calls that know it by its id, whoever asked it.
    pub by_id: BTreeSet<Waiter>,
    /// Calls to which its outcome is on its way.
    pub in_flight: Vec<Waiter>,
    pub expected: Option<Expected>,
    pub in_client: Option<(ConnectionId, InClient)>,
    /// When its limit is over on the clock that nobody sets, where this hub knows.
    pub due_boot_ms: Option<u64>,
}

/// How many asks a working set holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Open ones.
    pub waiting: u64,
    /// Those of them that the person has put aside.
    pub snoozed: u64,
    /// Outcomes of people that no agent is known to have.
    pub undelivered: u64,
    /// Calls that wait.
    pub waiters: u64,
}

/// What a caller that comes for an outcome is found by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    Instance(String),
    Client(Process),
    Folder(String),
}

/// The working set.
#[derive(Debug, Default)]
pub(crate) struct Asks {
    entries: BTreeMap<AskId, Entry>,
    by_fingerprint: HashMap<Fingerprint, Vec<AskId>>,
    /// Asks that are open.
    open: BTreeSet<AskId>,
    /// How long they are.
    open_bytes: usize,
    /// How many of them each caller has, by its name here.
    open_of: HashMap<String, Amount>,
    /// Outcomes of people that no agent is known to have, by when they were given.
    missed: BTreeSet<(Time, AskId)>,
    /// Those of them that are on their way to nobody, by who may come for them.
    undelivered: HashMap<Key, BTreeSet<AskId>>,
    /// Asks that are put aside until their agent asks again.
    asked_again: BTreeSet<AskId>,
    /// Asks whose time has passed, by when they were asked.
    expired: BTreeSet<(Time, AskId)>,
    /// How long those are.
    expired_bytes: usize,
}

impl Asks {
    pub fn get(&self, id: &AskId) -> Option<&Entry> {
        self.entries.get(id)
    }

    pub fn get_mut(&mut self, id: &AskId) -> Option<&mut Entry> {
        self.entries.get_mut(id)
    }

    pub fn all(&self) -> impl Iterator<Item = &Entry> {
        self.entries.values()
    }

    pub fn insert(&mut self, record: Record, is_kept: bool) {
        let id = record.id.clone();
        let fingerprint = Fingerprint::of_record(&record);
        let alike = self.by_fingerprint.entry(fingerprint).or_default();
        // In the order in which they were asked, the newest last.
        let entries = &self.entries;
        let at = alike.partition_point(|other| {
            entries.get(other).is_some_and(|other| {
                (other.record.asked_at, &other.record.id) < (record.asked_at, &id)
            })
        });
        alike.insert(at, id.clone());
        let entry = Entry {
            bytes: record.ask.bytes(),
            record: Arc::new(record),
            fingerprint,
            is_kept,
            ticket: None,
            parked: VecDeque::new(),
            waiters: Vec::new(),
            by_id: BTreeSet::new(),
            in_flight: Vec::new(),
            expected: None,
            in_client: None,
            due_boot_ms: None,
        };
        self.entries.insert(id.clone(), entry);
        self.index(&id);
    }

    pub fn remove(&mut self, id: &AskId) -> Option<Entry> {
        self.unindex(id);
        let entry = self.entries.remove(id)?;
        if let Some(alike) = self.by_fingerprint.get_mut(&entry.fingerprint) {
            alike.retain(|other| other != id);
            if alike.is_empty() {
                self.by_fingerprint.remove(&entry.fingerprint);
            }
        }
        Some(entry)
    }

    /// Asks of this fingerprint, the newest first.
    pub fn alike(&self, fingerprint: Fingerprint) -> impl Iterator<Item = &Entry> {
        let ids = self.by_fingerprint.get(&fingerprint);
        let ids = ids.into_iter().flatten().rev();
        ids.filter_map(|id| self.entries.get(id))
    }

    /// Undelivered outcomes of callers like this one, the oldest first.
    pub fn undelivered_for(&self, asker: &Asker) -> Vec<AskId> {
        let sets = keys(asker).filter_map(|key| self.undelivered.get(&key));
        let mut ids: Vec<&AskId> = sets.flatten().collect();
        ids.sort_by_key(|id| {
            self.entries
                .get(id)
                .map(|entry| (entry.record.asked_at, *id))
        });
        ids.dedup();
        ids.into_iter().cloned().collect()
    }

    /// Whether the instance that asked this has other undelivered outcomes.
    pub fn has_other_undelivered(&self, record: &Record) -> bool {
        let caller = record.asker.caller.as_ref();
        let Some(caller) = caller.filter(|caller| !caller.is_unidentified()) else {
            return self
                .undelivered_for(&record.asker)
                .iter()
                .any(|id| *id != record.id);
        };
        let own = self
            .undelivered
            .get(&Key::Instance(caller.instance.clone()));
        own.is_some_and(|own| own.iter().any(|id| *id != record.id))
    }

    pub fn counts(&self) -> Counts {
        let entries = || self.entries.values().filter(|entry| entry.is_kept);
        let snoozed = |entry: &&Entry| entry.record.snoozed.is_some();
        Counts {
            waiting: self.open.len() as u64,
            snoozed: entries().filter(snoozed).count() as u64,
            undelivered: self.missed.len() as u64,
            waiters: entries().map(|entry| entry.waiters.len() as u64).sum(),
        }
    }

    /// Whether any ask is open.
    pub fn is_any_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Asks that are open, and outcomes that people gave since then and no agent is known to have.
    pub fn open_or_missed(&self, since: Time) -> impl Iterator<Item = &Entry> {
        // No id is before this one.
        let first = AskId::parse("0---").map(|id| (since, id));
        let missed = match first {
            Some(first) => self.missed.range(first..),
            None => self.missed.range(..),
        };
        let ids = self.open.iter().chain(missed.map(|(_, id)| id));
        ids.filter_map(|id| self.entries.get(id))
    }

    /// How many asks are open.
    pub fn open_in_all(&self) -> Amount {
        Amount {
            asks: self.open.len(),
            bytes: self.open_bytes,
        }
    }

    /// How many of them this caller has.
    pub fn open_of(&self, asker: &Asker) -> Amount {
        let own = self.open_of.get(&share(asker));
        own.copied().unwrap_or_default()
    }

    /// Asks that are put aside until their agent asks again.
    pub fn asked_again(&self) -> Vec<AskId> {
        self.asked_again.iter().cloned().collect()
    }

    /// The ask that was asked first of those whose time has passed, where they are longer than so many
    /// bytes together.
    pub fn expired_beyond(&self, bytes: usize) -> Option<AskId> {
        let first = self.expired.first().filter(|_| self.expired_bytes > bytes);
        first.map(|(_, id)| id.clone())
    }

    /// Changes an ask, and the indexes with it.
    pub fn change<T>(&mut self, id: &AskId, change: impl FnOnce(&mut Entry) -> T) -> Option<T> {
        self.unindex(id);
        let result = self.entries.get_mut(id).map(change);
        self.index(id);
        result
    }

    fn index(&mut self, id: &AskId) {
        let Some(entry) = self.entries.get(id) else {
            return;
        };
        if entry.record.is_open() && self.open.insert(id.clone()) {
            self.open_bytes += entry.bytes;
            let own = self.open_of.entry(share(&entry.record.asker)).or_default();
            own.asks += 1;
            own.bytes += entry.bytes;
        }
        if let Some(at) = entry.missed_since() {
            self.missed.insert((at, id.clone()));
        }
        if entry.is_undelivered() {
            for key in keys(&entry.record.asker) {
                self.undelivered.entry(key).or_default().insert(id.clone());
            }
        }
        if entry.is_expired() && self.expired.insert((entry.record.asked_at, id.clone())) {
            self.expired_bytes += entry.bytes;
        }
        let asked_again = Some(ask_core::record::Snooze::AskedAgain);
        if entry.record.is_open() && entry.record.snoozed == asked_again {
            self.asked_again.insert(id.clone());
        }
    }

    fn unindex(&mut self, id: &AskId) {
        let Some(entry) = self.entries.get(id) else {
            return;
        };
        if entry.is_undelivered() {
            for key in keys(&entry.record.asker) {
                if let Some(ids) = self.undelivered.get_mut(&key) {
                    ids.remove(id);
                    if ids.is_empty() {
                        self.undelivered.remove(&key);
                    }
                }
            }
        }
        if entry.record.is_open() && self.open.remove(id) {
            self.open_bytes -= entry.bytes;
            if let hash_map::Entry::Occupied(mut own) =
                self.open_of.entry(share(&entry.record.asker))
            {
                own.get_mut().asks -= 1;
                own.get_mut().bytes -= entry.bytes;
                if own.get().asks == 0 {
                    own.remove();
                }
            }
        }
        if let Some(at) = entry.missed_since() {
            self.missed.remove(&(at, id.clone()));
        }
        if self.expired.remove(&(entry.record.asked_at, id.clone())) {
            self.expired_bytes -= entry.bytes;
        }
        self.asked_again.remove(id);
    }
}

/// What a caller's share is counted under: its agent, else what that calls itself.
fn share(asker: &Asker) -> String {
    match &asker.caller {
        Some(caller) if !caller.is_unidentified() => caller.share(),
        Some(_) | None => asker.client.clone().unwrap_or_default(),
    }
}

/// Under what an outcome is looked up by whoever may have it.
fn keys(asker: &Asker) -> impl Iterator<Item = Key> {
    let instance = asker.caller.as_ref();
    let instance = instance.map(|caller| Key::Instance(caller.instance.clone()));
    let client = asker.caller.as_ref().and_then(|caller| caller.client);
    let client = client.map(Key::Client);
    let folder = asker.directory.as_ref();
    let folder = folder.cloned().map(Key::Folder);
    [instance, client, folder].into_iter().flatten()
}

impl Entry {
    /// Whether a person said something that is on its way to nobody.
    pub fn is_undelivered(&self) -> bool {
        self.is_unacknowledged() && self.in_flight.is_empty()
    }

    /// Whether a person said something that no agent is known to have.
    pub fn is_unacknowledged(&self) -> bool {
        self.missed_since().is_some()
    }

    /// When a person said it.
    fn missed_since(&self) -> Option<Time> {
        let human = self
            .record
            .settlement()
            .filter(|end| end.outcome.is_human());
        human
            .filter(|_| !self.record.is_delivered())
            .map(|end| end.at)
    }

    /// Whether only its time has passed.
    pub fn is_expired(&self) -> bool {
        let settlement = self.record.settlement();
        settlement.is_some_and(|end| end.outcome == Outcome::Expired)
    }

    /// Whether a change of it is on its way to the store.
    pub fn is_changing(&self) -> bool {
        self.ticket.is_some()
    }

    /// Whether somebody waits for it, or is still to be told how it ended.
    pub fn is_in_use(&self) -> bool {
        self.is_changing()
            || !self.parked.is_empty()
            || self.record.is_open()
            || self.is_unacknowledged()
            || !self.in_flight.is_empty()
    }

    /// Brings what the store doesn't keep of a record up to date; whether anybody sees a difference.
    pub fn refresh(&mut self) -> bool {
        let waiters = self.waiters.len().max(usize::from(self.expected.is_some()));
        let waiters = u32::try_from(waiters).unwrap_or(u32::MAX);
        let in_client = self.in_client.map(|(_, how)| how);
        if self.record.waiters == waiters && self.record.in_client == in_client {
            return false;
        }
        let record = Arc::make_mut(&mut self.record);
        record.waiters = waiters;
        record.in_client = in_client;
        true
    }
}

#[cfg(test)]
mod tests {
    use ask_core::Settlement;

    use super::*;

    #[test]
    fn of_asks_whose_time_has_passed_the_oldest_is_the_first_to_go() {
        let mut asks = Asks::default();
        let mut ids = Vec::new();
        for at in 0..3_u8 {
            let id = AskId::native([at; 16]);
            let ask = ask_core::Ask {
                context: Some("x".repeat(1_000)),
                ..ask_core::Ask::default()
            };
            let asker = Asker::default();
            let asked_at = Time(i64::from(10 - at));
            let record = ask_core::lifecycle::open(id.clone(), "native", ask, asker, asked_at);
            asks.insert(record, true);
            ids.push(id);
        }
        assert_eq!(asks.expired_beyond(0), None, "they wait");
        for id in &ids {
            asks.change(id, |entry| {
                let expired = Settlement {
                    outcome: Outcome::Expired,
                    surface: String::new(),
                    device: None,
                    origin: None,
                    at: Time(20),
                    attempt: 0,
                    awaited: false,
                };
                let record = Arc::make_mut(&mut entry.record);
                record.state = ask_core::State::Closed {
                    settlement: expired,
                    delivered_at: None,
                };
            });
        }
        assert_eq!(asks.expired_beyond(1_000_000), None);
        assert_eq!(asks.expired_beyond(2_500).as_ref(), Some(&ids[2]));
        asks.remove(&ids[2]);
        assert_eq!(asks.expired_beyond(2_500), None, "two are short enough");
        assert_eq!(asks.expired_beyond(0).as_ref(), Some(&ids[1]));
    }
}
