//! Receives the hub's pushes for a surface: first the full list, then every change. A slow surface
//! gets only the last of several changes of one ask.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ask_core::{AskId, Record};
use ask_protocol::ipc::{Change, Changed, Day, Response};
use tokio::sync::{Notify, mpsc};

use super::actor::{Command, Subscriber};
use super::{AskListing, Client, next_number};

/// A push to a surface.
#[derive(Debug)]
pub enum Push {
    /// The full list. It replaces what the surface held before.
    All(AskListing),
    /// The records that changed, each once, in the order of their last changes.
    Changed(Vec<Arc<Change>>),
}

impl Push {
    /// The number of the last change in this push.
    pub fn cursor(&self) -> u64 {
        match self {
            Self::All(listing) => listing.cursor,
            Self::Changed(changes) => changes.last().map_or(0, |change| change.cursor),
        }
    }

    /// The counts that belong to the list.
    pub fn day(&self) -> Day {
        match self {
            Self::All(listing) => listing.day,
            Self::Changed(changes) => changes.last().map(|change| change.day).unwrap_or_default(),
        }
    }
}

/// Splits changes into changed records and the ids of removed ones.
pub fn split_changes(changes: &[Arc<Change>]) -> (Vec<Record>, Vec<AskId>) {
    let (mut records, mut removed) = (Vec::new(), Vec::new());
    for change in changes {
        match &change.what {
            Changed::Record(record) => records.push(Record::clone(record)),
            Changed::Gone(id) => removed.push(id.clone()),
            Changed::Day | Changed::Pairing => {}
        }
    }
    (records, removed)
}

/// Pushed changes that the surface has not taken yet.
#[derive(Debug, Default)]
pub(super) struct Mailbox {
    pending: Mutex<PendingChanges>,
    filled: Notify,
}

#[derive(Debug, Default)]
struct PendingChanges {
    /// The number of the last change that was put in.
    cursor: Option<u64>,
    day: Day,
    all: Option<AskListing>,
    /// The changes since `all`, one for each ask. A replaced change leaves `None`.
    changes: Vec<Option<Arc<Change>>>,
    /// The index in `changes` of each ask's last change.
    positions: HashMap<AskId, usize>,
    /// The asks of the last list. If a new hub's list lacks one of them, it ended meanwhile and its
    /// end would be missed.
    listed: HashSet<AskId>,
}

impl Mailbox {
    /// The number of the last change that was put in.
    pub(super) fn cursor(&self) -> Option<u64> {
        self.lock_pending().cursor
    }

    /// Puts in a push of the hub. Returns the asks that were listed before and are missing from a
    /// new list: they have ended, and the caller looks them up.
    #[must_use]
    pub(super) fn put(&self, response: Response) -> Vec<AskId> {
        let mut pending = self.lock_pending();
        let mut missing = Vec::new();
        match response {
            Response::Change(change) => pending.add_change(change),
            Response::Records {
                records,
                cursor,
                reset,
                day,
                ..
            } => {
                pending.cursor = Some(cursor);
                pending.day = day.unwrap_or_default();
                if reset {
                    let listed: HashSet<AskId> = records.iter().map(|one| one.id.clone()).collect();
                    let earlier = std::mem::replace(&mut pending.listed, listed);
                    missing = earlier.difference(&pending.listed).cloned().collect();
                    let records = records.into_iter().map(Arc::unwrap_or_clone).collect();
                    pending.changes.clear();
                    pending.positions.clear();
                    let day = pending.day;
                    pending.all = Some(AskListing {
                        records,
                        cursor,
                        day,
                    });
                }
            }
            // The hub pushes nothing else.
            _ => {}
        }
        drop(pending);
        self.filled.notify_one();
        missing
    }

    /// Puts in the result of a lookup.
    pub(super) fn put_found(&self, what: Changed) {
        let mut pending = self.lock_pending();
        // A list that has not been taken yet is older than the lookup.
        let (cursor, day) = (pending.cursor.unwrap_or(0), pending.day);
        pending.add_change(Arc::new(Change::new(cursor, what, day)));
        drop(pending);
        self.filled.notify_one();
    }

    fn take(&self) -> Option<Push> {
        let mut pending = self.lock_pending();
        if let Some(all) = pending.all.take() {
            return Some(Push::All(all));
        }
        pending.positions.clear();
        let changes: Vec<_> = std::mem::take(&mut pending.changes)
            .into_iter()
            .flatten()
            .collect();
        (!changes.is_empty()).then_some(Push::Changed(changes))
    }

    fn lock_pending(&self) -> MutexGuard<'_, PendingChanges> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PendingChanges {
    fn add_change(&mut self, change: Arc<Change>) {
        self.cursor = Some(change.cursor);
        self.day = change.day;
        match &change.what {
            // The same rule by which the hub composes its list.
            Changed::Record(record) if record.is_open() || !record.is_delivered() => {
                self.listed.insert(record.id.clone());
            }
            Changed::Record(record) => drop(self.listed.remove(&record.id)),
            Changed::Gone(id) => drop(self.listed.remove(id)),
            Changed::Day | Changed::Pairing => {}
        }
        if let Some(id) = change.id() {
            let position = self.positions.insert(id.clone(), self.changes.len());
            if let Some(earlier) = position.and_then(|position| self.changes.get_mut(position)) {
                *earlier = None;
            }
        }
        self.changes.push(Some(change));
    }
}

/// A stream of changes.
#[derive(Debug)]
pub struct Subscription {
    mailbox: Arc<Mailbox>,
    /// Keeps the client's task alive.
    _commands: mpsc::UnboundedSender<Command>,
}

impl Subscription {
    /// The next push; the first one is the full list. Cancel-safe. While no hub can be reached it
    /// waits, and the client keeps reconnecting.
    pub async fn next(&self) -> Push {
        loop {
            if let Some(push) = self.mailbox.take() {
                return push;
            }
            self.mailbox.filled.notified().await;
        }
    }
}

impl Client {
    /// Subscribes a surface to every change. A client has one subscription: a new one replaces it.
    pub fn subscribe(&self) -> Subscription {
        self.start_subscription(None, false)
    }

    /// Subscribes from the change after `cursor`. With `only_looks`, the subscriber can't answer.
    pub fn subscribe_after(&self, cursor: u64, only_looks: bool) -> Subscription {
        self.start_subscription(Some(cursor), only_looks)
    }

    /// Subscribes a viewer that can't answer. It doesn't count as a surface, so agents may still
    /// ask elsewhere.
    pub fn subscribe_viewer(&self) -> Subscription {
        self.start_subscription(None, true)
    }

    fn start_subscription(&self, cursor: Option<u64>, only_looks: bool) -> Subscription {
        let mailbox = Arc::new(Mailbox::default());
        mailbox.lock_pending().cursor = cursor;
        let subscriber = Subscriber {
            number: next_number(),
            only_looks,
            sender: self.sender.clone(),
            mailbox: Arc::clone(&mailbox),
            lookups: BTreeMap::new(),
        };
        // The task outlives every holder of the client.
        let _ = self.commands.send(Command::Subscribe(subscriber));
        Subscription {
            mailbox,
            _commands: self.commands.clone(),
        }
    }
}
