//! The working set: every open ask, every outcome that has not reached its caller, and expired asks
//! that can still be taken up. It has indexes by id, by fingerprint and by caller.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque, hash_map};
use std::sync::Arc;

use ask_core::record::InClient;
use ask_core::{AskId, Asker, Draft, Fingerprint, Outcome, Process, Record, Time};

use crate::engine::Amount;
use crate::event::{ConnectionId, Request, RequestId, Ticket};

/// A call that waits for an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Waiter {
    pub connection: ConnectionId,
    pub request: RequestId,
}

/// A request that waits until an earlier change of the same ask is stored, or until the ask is
/// loaded.
#[derive(Debug)]
pub(crate) struct Parked {
    pub connection: ConnectionId,
    pub request: RequestId,
    pub body: Request,
}

/// The announcement of an agent that it will return for an outcome, although none of its calls
/// waits now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Expected {
    pub until_boot_ms: u64,
    /// The connection whose end cancels the announcement. `None` if the agent returns over another
    /// one.
    pub connection: Option<ConnectionId>,
}

/// An ask of the working set.
#[derive(Debug)]
pub(crate) struct Entry {
    /// The record as clients see it. It has stored changes only, except for `waiters`, `in_client` and
    /// `held_until`, which are not stored.
    pub record: Arc<Record>,
    pub fingerprint: Fingerprint,
    /// The size of what is asked.
    pub bytes: usize,
    /// Whether the store has the ask. Until then no client sees it.
    pub is_stored: bool,
    /// The change that was sent to the store and is not stored yet.
    pub ticket: Option<Ticket>,
    /// The requests that wait for that change, in order.
    pub parked: VecDeque<Parked>,
    pub waiters: Vec<Waiter>,
    /// Calls that named the id of the ask. They may be of any caller.
    pub by_id: BTreeSet<Waiter>,
    /// Calls to which the outcome was sent, and that have not confirmed it yet.
    pub in_flight: Vec<Waiter>,
    /// Whether an agent confirmed a person's outcome while the store could not write that. The agent
    /// confirms it again, and nobody else receives the outcome meanwhile.
    pub is_confirmed: bool,
    pub expected: Option<Expected>,
    pub in_client: Option<(ConnectionId, InClient)>,
    /// What programs below agents have filled in, each with its mark, the newest last.
    pub filled_in: Vec<(String, Draft)>,
    /// The revision of the last draft that was saved, if a program below an agent saved it.
    pub filled_in_revision: Option<u64>,
    /// When it was opened, by the steady clock of [`crate::Now`]. Of an ask that an earlier hub opened, it
    /// is the time of the record.
    pub opened_at: Time,
    /// Until when the outcome is kept from the agent, so that the person can take it back: on the boot
    /// clock and on the wall clock. Its calls wait meanwhile.
    pub hold: Option<(u64, Time)>,
    /// The deadline on the boot clock. `None` if there is none, or if it was set before this hub
    /// started.
    pub due_boot_ms: Option<u64>,
}

/// How many asks and calls there are in a working set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Open asks.
    pub waiting: u64,
    /// Open asks that are snoozed.
    pub snoozed: u64,
    /// Outcomes of people that no agent has confirmed.
    pub undelivered: u64,
    /// Calls that wait for an outcome.
    pub waiters: u64,
}

/// A property by which undelivered outcomes for a caller are found. A caller has several.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum CallerKey {
    Instance(String),
    Client(Process),
    Folder(String),
}

/// The working set.
#[derive(Debug, Default)]
pub(crate) struct Asks {
    entries: BTreeMap<AskId, Entry>,
    by_fingerprint: HashMap<Fingerprint, Vec<AskId>>,
    open: BTreeSet<AskId>,
    /// The total size of the open asks.
    open_bytes: usize,
    /// The open asks of each caller, by [`quota_key`].
    open_by_caller: HashMap<String, Amount>,
    /// Outcomes of people that no agent has confirmed, in the order in which they were given.
    unacknowledged: BTreeSet<(Time, AskId)>,
    /// Those of them that are not being delivered to a call, by the callers that may receive them.
    undelivered: HashMap<CallerKey, BTreeSet<AskId>>,
    /// Open asks that are snoozed until their agent asks again.
    snoozed_until_asked: BTreeSet<AskId>,
    /// Expired asks, in the order in which they were opened.
    expired: BTreeSet<(Time, AskId)>,
    /// The total size of the expired asks.
    expired_bytes: usize,
}

impl Asks {
    pub(crate) fn get(&self, id: &AskId) -> Option<&Entry> {
        self.entries.get(id)
    }

    pub(crate) fn get_mut(&mut self, id: &AskId) -> Option<&mut Entry> {
        self.entries.get_mut(id)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Entry> {
        self.entries.values()
    }

    pub(crate) fn insert(&mut self, record: Record, is_stored: bool) {
        let id = record.id.clone();
        let fingerprint = Fingerprint::of_record(&record);
        let equal = self.by_fingerprint.entry(fingerprint).or_default();
        // The ids are in the order in which the asks were opened, the newest last.
        let entries = &self.entries;
        let at = equal.partition_point(|other| {
            entries.get(other).is_some_and(|other| {
                (other.record.asked_at, &other.record.id) < (record.asked_at, &id)
            })
        });
        equal.insert(at, id.clone());
        let filled_in = record.draft.iter();
        let filled_in =
            filled_in.filter(|_| record.is_answerable() && record.filled_in_below().is_some());
        let filled_in = filled_in.map(|saved| (saved.surface.clone(), saved.draft.clone()));
        let filled_in = filled_in.collect();
        let filled_in_below = record
            .draft
            .as_ref()
            .filter(|_| record.filled_in_below().is_some());
        let filled_in_revision = filled_in_below.map(|saved| saved.revision);
        let opened_at = record.asked_at;
        let entry = Entry {
            bytes: record.ask.bytes(),
            record: Arc::new(record),
            fingerprint,
            is_stored,
            ticket: None,
            parked: VecDeque::new(),
            waiters: Vec::new(),
            by_id: BTreeSet::new(),
            in_flight: Vec::new(),
            is_confirmed: false,
            expected: None,
            in_client: None,
            filled_in,
            filled_in_revision: filled_in_revision.filter(|_| !is_stored),
            opened_at,
            hold: None,
            due_boot_ms: None,
        };
        self.entries.insert(id.clone(), entry);
        self.index(&id);
    }

    pub(crate) fn remove(&mut self, id: &AskId) -> Option<Entry> {
        self.unindex(id);
        let entry = self.entries.remove(id)?;
        if let Some(equal) = self.by_fingerprint.get_mut(&entry.fingerprint) {
            equal.retain(|other| other != id);
            if equal.is_empty() {
                self.by_fingerprint.remove(&entry.fingerprint);
            }
        }
        Some(entry)
    }

    /// The asks with this fingerprint, the newest first.
    pub(crate) fn with_fingerprint(
        &self,
        fingerprint: Fingerprint,
    ) -> impl Iterator<Item = &Entry> {
        let ids = self.by_fingerprint.get(&fingerprint);
        let ids = ids.into_iter().flatten().rev();
        ids.filter_map(|id| self.entries.get(id))
    }

    /// Undelivered outcomes of callers that share a [`CallerKey`] with this one, the oldest ask
    /// first.
    pub(crate) fn undelivered_for(&self, asker: &Asker) -> Vec<AskId> {
        let sets = caller_keys(asker).filter_map(|key| self.undelivered.get(&key));
        let mut ids: Vec<&AskId> = sets.flatten().collect();
        ids.sort_by_key(|id| {
            self.entries
                .get(id)
                .map(|entry| (entry.record.asked_at, *id))
        });
        ids.dedup();
        ids.into_iter().cloned().collect()
    }

    /// Whether the instance that opened this ask has other undelivered outcomes.
    pub(crate) fn has_other_undelivered(&self, record: &Record) -> bool {
        let caller = record.asker.caller.as_ref();
        let Some(caller) = caller.filter(|caller| !caller.is_unidentified()) else {
            return self
                .undelivered_for(&record.asker)
                .iter()
                .any(|id| *id != record.id);
        };
        let own = self
            .undelivered
            .get(&CallerKey::Instance(caller.instance.clone()));
        own.is_some_and(|own| own.iter().any(|id| *id != record.id))
    }

    pub(crate) fn counts(&self) -> Counts {
        let entries = || self.entries.values().filter(|entry| entry.is_stored);
        let snoozed = |entry: &&Entry| entry.record.snoozed.is_some();
        Counts {
            waiting: self.open.len() as u64,
            snoozed: entries().filter(snoozed).count() as u64,
            undelivered: self.unacknowledged.len() as u64,
            waiters: entries().map(|entry| entry.waiters.len() as u64).sum(),
        }
    }

    /// Whether any ask is open.
    pub(crate) fn is_any_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Open asks, and outcomes that people gave at `since` or later and that no agent has
    /// confirmed.
    pub(crate) fn open_or_unacknowledged(&self, since: Time) -> impl Iterator<Item = &Entry> {
        // No id sorts before this one.
        let first = AskId::parse("0---").map(|id| (since, id));
        let unacknowledged = match first {
            Some(first) => self.unacknowledged.range(first..),
            None => self.unacknowledged.range(..),
        };
        let ids = self.open.iter().chain(unacknowledged.map(|(_, id)| id));
        ids.filter_map(|id| self.entries.get(id))
    }

    /// All open asks.
    pub(crate) fn open_amount(&self) -> Amount {
        Amount {
            asks: self.open.len(),
            bytes: self.open_bytes,
        }
    }

    /// The open asks of this caller.
    pub(crate) fn open_amount_of(&self, asker: &Asker) -> Amount {
        let own = self.open_by_caller.get(&quota_key(asker));
        own.copied().unwrap_or_default()
    }

    /// Open asks that are snoozed until their agent asks again.
    pub(crate) fn snoozed_until_asked(&self) -> Vec<AskId> {
        self.snoozed_until_asked.iter().cloned().collect()
    }

    /// The expired ask that was opened first, if all expired asks together exceed this many bytes.
    pub(crate) fn expired_beyond(&self, bytes: usize) -> Option<AskId> {
        let first = self.expired.first().filter(|_| self.expired_bytes > bytes);
        first.map(|(_, id)| id.clone())
    }

    /// Changes an ask and updates the indexes.
    pub(crate) fn change<T>(
        &mut self,
        id: &AskId,
        change: impl FnOnce(&mut Entry) -> T,
    ) -> Option<T> {
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
            let key = quota_key(&entry.record.asker);
            let own = self.open_by_caller.entry(key).or_default();
            own.asks += 1;
            own.bytes += entry.bytes;
        }
        if let Some(at) = entry.unacknowledged_since() {
            self.unacknowledged.insert((at, id.clone()));
        }
        if entry.is_undelivered() {
            for key in caller_keys(&entry.record.asker) {
                self.undelivered.entry(key).or_default().insert(id.clone());
            }
        }
        if entry.is_expired() && self.expired.insert((entry.record.asked_at, id.clone())) {
            self.expired_bytes += entry.bytes;
        }
        let until_asked = Some(ask_core::record::Snooze::AskedAgain);
        if entry.record.is_open() && entry.record.snoozed == until_asked {
            self.snoozed_until_asked.insert(id.clone());
        }
    }

    fn unindex(&mut self, id: &AskId) {
        let Some(entry) = self.entries.get(id) else {
            return;
        };
        if entry.is_undelivered() {
            for key in caller_keys(&entry.record.asker) {
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
                self.open_by_caller.entry(quota_key(&entry.record.asker))
            {
                own.get_mut().asks -= 1;
                own.get_mut().bytes -= entry.bytes;
                if own.get().asks == 0 {
                    own.remove();
                }
            }
        }
        if let Some(at) = entry.unacknowledged_since() {
            self.unacknowledged.remove(&(at, id.clone()));
        }
        if self.expired.remove(&(entry.record.asked_at, id.clone())) {
            self.expired_bytes -= entry.bytes;
        }
        self.snoozed_until_asked.remove(id);
    }
}

/// The key under which the open asks of a caller are counted: its agent if that is known, and
/// otherwise the name of its client.
pub(crate) fn quota_key(asker: &Asker) -> String {
    match &asker.caller {
        Some(caller) if !caller.is_unidentified() => caller.share(),
        Some(_) | None => asker.client.clone().unwrap_or_default(),
    }
}

/// The keys of a caller: its instance, the process of its client, and its folder.
fn caller_keys(asker: &Asker) -> impl Iterator<Item = CallerKey> {
    let instance = asker.caller.as_ref();
    let instance = instance.map(|caller| CallerKey::Instance(caller.instance.clone()));
    let client = asker.caller.as_ref().and_then(|caller| caller.client);
    let client = client.map(CallerKey::Client);
    let folder = asker.directory.as_ref();
    let folder = folder.cloned().map(CallerKey::Folder);
    [instance, client, folder].into_iter().flatten()
}

/// How many forms that programs below agents have filled in are remembered for an ask.
const MAX_FILLED_IN: usize = 8;

/// How many bytes they have together, unless the newest alone has more.
const MAX_FILLED_IN_BYTES: usize = 256 * 1024;

impl Entry {
    /// Remembers a form that a program below an agent has filled in, with its mark.
    pub(crate) fn remember_filled_in(&mut self, mark: &str, draft: &Draft) {
        if self.filled_in.iter().any(|(_, known)| known == draft) {
            return;
        }
        self.filled_in.push((mark.to_owned(), draft.clone()));
        let mut bytes = 0;
        let mut kept = 0;
        for (_, draft) in self.filled_in.iter().rev().take(MAX_FILLED_IN) {
            bytes += draft.bytes();
            if kept > 0 && bytes > MAX_FILLED_IN_BYTES {
                break;
            }
            kept += 1;
        }
        self.filled_in.drain(..self.filled_in.len() - kept);
    }

    /// The revision of the stored draft, if it is what a program with this mark has filled in, and
    /// nobody else has changed it since this hub started.
    pub(crate) fn revision_filled_in(&self, mark: &str) -> Option<u64> {
        let saved = self.record.draft.as_ref()?;
        // The last one may not be stored yet, or not at all.
        let last = self.filled_in_revision?;
        let is_unchanged = last == saved.revision || last == saved.revision + 1;
        (is_unchanged && saved.surface == mark).then_some(saved.revision)
    }

    /// The mark of a form that has something of what a program below an agent has filled in: the
    /// stored form, or an earlier one that the person has brought back.
    pub(crate) fn mark_of(&self, draft: &Draft) -> Option<&str> {
        let stored = self.record.draft.as_ref();
        let stored = stored
            .filter(|saved| self.record.filled_in_below().is_some() && saved.draft.shares(draft));
        let mut filled_in = self.filled_in.iter().rev();
        let back = || {
            let back = filled_in.find(|(_, filled_in)| filled_in.comes_back_in(draft));
            back.map(|(mark, _)| mark.as_str())
        };
        stored.map(|saved| saved.surface.as_str()).or_else(back)
    }

    /// Whether a person settled the ask, no agent has confirmed the outcome, and it is not being
    /// delivered to a call.
    pub(crate) fn is_undelivered(&self) -> bool {
        self.may_take_back() && self.hold.is_none()
    }

    /// Whether a person settled the ask, and no agent has the outcome or is getting it.
    pub(crate) fn may_take_back(&self) -> bool {
        self.is_unacknowledged() && self.in_flight.is_empty() && !self.is_confirmed
    }

    /// Whether calls wait for an outcome: it is open, or its outcome is held.
    pub(crate) fn is_awaited(&self) -> bool {
        self.record.is_open() || self.hold.is_some()
    }

    /// Whether a person settled the ask and the store doesn't know of an agent that has confirmed
    /// the outcome.
    pub(crate) fn is_unacknowledged(&self) -> bool {
        self.unacknowledged_since().is_some()
    }

    /// When a person settled the ask, if no agent has confirmed the outcome.
    fn unacknowledged_since(&self) -> Option<Time> {
        let human = self
            .record
            .settlement()
            .filter(|end| end.outcome.is_human());
        human
            .filter(|_| !self.record.is_delivered())
            .map(|end| end.at)
    }

    /// Whether the ask was closed by its deadline.
    pub(crate) fn is_expired(&self) -> bool {
        let settlement = self.record.settlement();
        settlement.is_some_and(|end| end.outcome == Outcome::Expired)
    }

    /// Whether a change was sent to the store and is not stored yet.
    pub(crate) fn is_changing(&self) -> bool {
        self.ticket.is_some()
    }

    /// Whether the ask must stay in memory: it is open, changing or undelivered, or a request waits
    /// for it.
    pub(crate) fn is_in_use(&self) -> bool {
        self.is_changing()
            || !self.parked.is_empty()
            || self.record.is_open()
            || self.is_unacknowledged()
            || !self.in_flight.is_empty()
    }

    /// Whether another caller may get it one day: it is in use, or a late answer may come.
    pub(crate) fn may_be_taken_up(&self) -> bool {
        self.is_in_use() || self.record.is_answerable()
    }

    /// Updates the fields of the record that are not stored. Returns whether any has changed.
    pub(crate) fn refresh(&mut self) -> bool {
        let waiters = self.waiters.len() + self.in_flight.len();
        let waiters = waiters.max(usize::from(self.expected.is_some()));
        let waiters = u32::try_from(waiters).unwrap_or(u32::MAX);
        let in_client = self.in_client.map(|(_, how)| how);
        let held_until = self.hold.map(|(_, at)| at);
        let record = &self.record;
        if (record.waiters, record.in_client, record.held_until) == (waiters, in_client, held_until)
        {
            return false;
        }
        let record = Arc::make_mut(&mut self.record);
        record.waiters = waiters;
        record.in_client = in_client;
        record.held_until = held_until;
        true
    }
}

#[cfg(test)]
mod tests {
    use ask_core::Settlement;

    use super::*;

    #[test]
    fn the_mark_of_a_form_stays_and_comes_back_with_any_of_what_was_filled_in() {
        let two = |first: &str, second: &str| Draft {
            answers: vec![
                ask_core::Answer::saying(first),
                ask_core::Answer::saying(second),
            ],
            note: None,
        };
        let mut asks = Asks::default();
        let id = AskId::native([1; 16]);
        let (ask, asker) = (ask_core::Ask::default(), Asker::default());
        let record = ask_core::lifecycle::open(id.clone(), "native", ask, asker, Time(0));
        asks.insert(record, true);
        let entry = asks.get_mut(&id).expect("it was inserted");
        assert_eq!(entry.mark_of(&two("yes", "no")), None);
        entry.remember_filled_in("below pi", &two("yes", "no"));
        assert_eq!(entry.mark_of(&two("yes", "later")), Some("below pi"));
        assert_eq!(entry.mark_of(&two("never", "later")), None);
        assert_eq!(entry.mark_of(&two("", "")), None);
        // The person undoes what they deleted.
        assert_eq!(entry.mark_of(&two("yes", "no")), Some("below pi"));
        let long = "x".repeat(MAX_FILLED_IN_BYTES);
        entry.remember_filled_in("below codex", &two(&long, "no"));
        assert_eq!(entry.mark_of(&two("yes", "")), None, "it would be too much");
        assert_eq!(entry.mark_of(&two("", "no")), Some("below codex"));
        for number in 0..100 {
            entry.remember_filled_in("below pi", &two(&number.to_string(), ""));
        }
        assert_eq!(entry.filled_in.len(), MAX_FILLED_IN);
    }

    #[test]
    fn the_oldest_expired_ask_is_evicted_first() {
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
        assert_eq!(asks.expired_beyond(0), None, "all asks are open");
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
        assert_eq!(
            asks.expired_beyond(2_500),
            None,
            "two asks are small enough"
        );
        assert_eq!(asks.expired_beyond(0).as_ref(), Some(&ids[1]));
    }
}
