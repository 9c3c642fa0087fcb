//! What subscribed connections are told: every change with its number, each connection at its own pace.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::sync::Arc;

use ask_core::{AskId, Record};

use crate::event::ConnectionId;

/// A place in the changes of one hub. Another hub counts anew, so its number says which it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// Random, of the hub.
    pub hub: u64,
    /// The last change.
    pub number: u64,
}

/// How many bits of a cursor, as one number, are those of the change.
const NUMBER_BITS: u32 = 32;

/// How many are the hub's: together no more than JSON readers of any language keep exact.
const HUB_BITS: u32 = 53 - NUMBER_BITS;

impl Cursor {
    /// The cursor that [`u64::from`] made this number of.
    pub fn from_u64(number: u64) -> Self {
        Self {
            hub: number >> NUMBER_BITS,
            number: number & ((1 << NUMBER_BITS) - 1),
        }
    }
}

impl From<Cursor> for u64 {
    fn from(cursor: Cursor) -> Self {
        cursor.hub << NUMBER_BITS | cursor.number
    }
}

/// One change. Everybody who is told of it shares this value.
#[derive(Debug, PartialEq)]
pub struct Change {
    /// Its number: one more than that of the change before.
    pub number: u64,
    /// What changed.
    pub kind: ChangeKind,
}

/// What changed.
#[derive(Debug, PartialEq)]
pub enum ChangeKind {
    /// An ask is new, or different from before: this is all of it.
    Record(Arc<Record>),
    /// An ask is gone for good.
    Removed(AskId),
    /// Notifications are muted, or no longer.
    Muted(bool),
}

/// What a connection is to be told now.
#[derive(Debug)]
pub(crate) enum News {
    Change(Arc<Change>),
    Snapshot,
}

#[derive(Debug)]
struct Subscription {
    /// The last change that it was sent.
    sent: u64,
    /// How many more it may be sent before it has taken some.
    room: usize,
    /// How many it may be sent after it has taken all.
    ahead: usize,
}

/// The changes of one hub and who is told of them.
#[derive(Debug)]
pub(crate) struct Changes {
    hub: u64,
    /// How many are kept, and how many a connection is sent before it has taken any.
    limits: (usize, usize),
    last: u64,
    kept: VecDeque<Arc<Change>>,
    subscriptions: BTreeMap<ConnectionId, Subscription>,
}

impl Changes {
    pub fn new(hub: u64, limits: (usize, usize)) -> Self {
        Self {
            // Never 0: that is the cursor of whoever knows of no change.
            hub: (hub & ((1 << HUB_BITS) - 1)).max(1),
            limits,
            last: 0,
            kept: VecDeque::new(),
            subscriptions: BTreeMap::new(),
        }
    }

    pub fn cursor(&self) -> Cursor {
        Cursor {
            hub: self.hub,
            number: self.last,
        }
    }

    /// Notes a change; whom to tell of it right now.
    pub fn add(&mut self, kind: ChangeKind) -> (Arc<Change>, Vec<ConnectionId>) {
        let before = self.last;
        self.last += 1;
        let change = Arc::new(Change {
            number: self.last,
            kind,
        });
        self.kept.push_back(Arc::clone(&change));
        if self.kept.len() > self.limits.0 {
            self.kept.pop_front();
        }
        let mut told = Vec::new();
        for (connection, subscription) in &mut self.subscriptions {
            if subscription.sent == before && subscription.room > 0 {
                subscription.sent = self.last;
                subscription.room -= 1;
                told.push(*connection);
            }
        }
        (change, told)
    }

    /// Subscribes a connection. True if it gets what it missed, false if it needs a snapshot.
    pub fn subscribe(
        &mut self,
        connection: ConnectionId,
        after: Option<Cursor>,
        paced: bool,
    ) -> bool {
        let ahead = if paced { self.limits.1 } else { usize::MAX };
        let known = after.filter(|after| {
            after.hub == self.hub && after.number <= self.last && self.has_all_after(after.number)
        });
        let subscription = Subscription {
            sent: known.map_or(self.last, |after| after.number),
            room: ahead,
            ahead,
        };
        self.subscriptions.insert(connection, subscription);
        known.is_some()
    }

    pub fn unsubscribe(&mut self, connection: ConnectionId) -> bool {
        self.subscriptions.remove(&connection).is_some()
    }

    /// A connection has taken all that it was sent.
    pub fn drained(&mut self, connection: ConnectionId) {
        if let Some(subscription) = self.subscriptions.get_mut(&connection) {
            subscription.room = subscription.ahead;
        }
    }

    /// What a connection has missed, as far as there is room for it.
    pub fn missed(&mut self, connection: ConnectionId) -> Vec<News> {
        let Some(subscription) = self.subscriptions.get_mut(&connection) else {
            return Vec::new();
        };
        let first = self
            .kept
            .front()
            .map_or(self.last + 1, |change| change.number);
        if subscription.sent + 1 < first {
            if subscription.room == 0 {
                return Vec::new();
            }
            subscription.sent = self.last;
            subscription.room -= 1;
            return vec![News::Snapshot];
        }
        let from = usize::try_from(subscription.sent + 1 - first).unwrap_or(usize::MAX);
        let missed: Vec<News> = self
            .kept
            .iter()
            .skip(from)
            .take(subscription.room)
            .map(|change| News::Change(Arc::clone(change)))
            .collect();
        subscription.sent += missed.len() as u64;
        subscription.room -= missed.len();
        missed
    }

    /// Which asks have changed since a cursor; `None` where that is not known any more.
    pub fn ids_after(&self, after: Cursor) -> Option<HashSet<AskId>> {
        let known = after.hub == self.hub && after.number <= self.last;
        if !known || !self.has_all_after(after.number) {
            return None;
        }
        let newer = self.kept.iter().rev();
        let newer = newer.take_while(|change| change.number > after.number);
        let ids = newer.filter_map(|change| match &change.kind {
            ChangeKind::Record(record) => Some(record.id.clone()),
            ChangeKind::Removed(_) | ChangeKind::Muted(_) => None,
        });
        Some(ids.collect())
    }

    fn has_all_after(&self, number: u64) -> bool {
        let first = self
            .kept
            .front()
            .map_or(self.last + 1, |change| change.number);
        number + 1 >= first
    }
}
