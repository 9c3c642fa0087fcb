//! The numbered changes of a hub, and how far each subscribed connection has received them. A
//! connection that lags gets the changes it missed later, or a snapshot.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::sync::Arc;

use ask_core::{AskId, Record};

use crate::event::ConnectionId;

/// A position in the changes of one hub. Every hub numbers its changes from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// A random number that identifies the hub.
    pub hub: u64,
    /// The number of the last change before this position.
    pub number: u64,
}

/// How many bytes of text the retained changes have at most, unless the last one alone has more. A
/// connection that misses more than that gets a snapshot.
const MAX_RETAINED_BYTES: usize = 4 * 1024 * 1024;

/// How many bits of a cursor, written as one number, the number of the change has.
const NUMBER_BITS: u32 = 32;

/// How many bits the number of the hub has. A whole cursor has 53 bits, which JSON parsers of every
/// language read exactly.
const HUB_BITS: u32 = 53 - NUMBER_BITS;

impl Cursor {
    /// Converts a number back that was converted from a cursor.
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

/// A change, shared by all subscribers.
#[derive(Debug, PartialEq)]
pub struct Change {
    /// The number of the change: one more than that of the change before.
    pub number: u64,
    /// What changed.
    pub kind: ChangeKind,
}

impl Change {
    /// The size of the texts in it.
    fn bytes(&self) -> usize {
        match &self.kind {
            ChangeKind::Record(record) => record.bytes(),
            ChangeKind::Removed(_) | ChangeKind::Muted(_) => 0,
        }
    }
}

/// What changed.
#[derive(Debug, PartialEq)]
pub enum ChangeKind {
    /// An ask is new or has changed. This is its whole record.
    Record(Arc<Record>),
    /// An ask was removed for good.
    Removed(AskId),
    /// Notifications were muted or unmuted.
    Muted(bool),
}

/// What to send to a connection that lags.
#[derive(Debug)]
pub(crate) enum CatchUp {
    Change(Arc<Change>),
    Snapshot,
}

#[derive(Debug)]
struct Subscription {
    /// The number of the last change that was sent.
    sent: u64,
    /// How many more changes may be sent before [`Changes::drained`].
    room: usize,
    /// The value of `room` after [`Changes::drained`].
    send_ahead: usize,
}

/// The changes of one hub and its subscriptions.
#[derive(Debug)]
pub(crate) struct Changes {
    hub: u64,
    /// How many changes are retained.
    capacity: usize,
    /// How many changes may be sent to a paced subscription before [`Self::drained`].
    send_ahead: usize,
    /// The number of the last change.
    last: u64,
    retained: VecDeque<Arc<Change>>,
    /// The size of the texts in `retained`.
    retained_bytes: usize,
    subscriptions: BTreeMap<ConnectionId, Subscription>,
}

impl Changes {
    /// No changes yet, in a hub with this random number.
    pub(crate) fn new(hub: u64, capacity: usize, send_ahead: usize) -> Self {
        Self {
            // Never 0, because the cursor 0 means that the client knows no change.
            hub: (hub & ((1 << HUB_BITS) - 1)).max(1),
            capacity,
            send_ahead,
            last: 0,
            retained: VecDeque::new(),
            retained_bytes: 0,
            subscriptions: BTreeMap::new(),
        }
    }

    pub(crate) fn cursor(&self) -> Cursor {
        Cursor {
            hub: self.hub,
            number: self.last,
        }
    }

    /// Adds a change. Returns it with the connections to send it to now.
    pub(crate) fn add(&mut self, kind: ChangeKind) -> (Arc<Change>, Vec<ConnectionId>) {
        let before = self.last;
        self.last += 1;
        let change = Arc::new(Change {
            number: self.last,
            kind,
        });
        self.retained_bytes += change.bytes();
        self.retained.push_back(Arc::clone(&change));
        while self.retained.len() > self.capacity
            || (self.retained_bytes > MAX_RETAINED_BYTES && self.retained.len() > 1)
        {
            let dropped = self.retained.pop_front();
            self.retained_bytes -= dropped.map_or(0, |change| change.bytes());
        }
        let mut recipients = Vec::new();
        for (connection, subscription) in &mut self.subscriptions {
            if subscription.sent == before && subscription.room > 0 {
                subscription.sent = self.last;
                subscription.room -= 1;
                recipients.push(*connection);
            }
        }
        (change, recipients)
    }

    /// Subscribes a connection. Returns true if all changes after `after` are retained, and false
    /// if the connection needs a snapshot.
    pub(crate) fn subscribe(
        &mut self,
        connection: ConnectionId,
        after: Option<Cursor>,
        paced: bool,
    ) -> bool {
        let send_ahead = if paced { self.send_ahead } else { usize::MAX };
        let known = after.filter(|after| {
            after.hub == self.hub && after.number <= self.last && self.has_all_after(after.number)
        });
        let subscription = Subscription {
            sent: known.map_or(self.last, |after| after.number),
            room: send_ahead,
            send_ahead,
        };
        self.subscriptions.insert(connection, subscription);
        known.is_some()
    }

    pub(crate) fn unsubscribe(&mut self, connection: ConnectionId) -> bool {
        self.subscriptions.remove(&connection).is_some()
    }

    /// Notes that a connection has taken everything that was sent to it.
    pub(crate) fn drained(&mut self, connection: ConnectionId) {
        if let Some(subscription) = self.subscriptions.get_mut(&connection) {
            subscription.room = subscription.send_ahead;
        }
    }

    /// The changes that a connection has missed, as many as there is room for, or a snapshot if
    /// some are no longer retained. They count as sent.
    pub(crate) fn take_missed(&mut self, connection: ConnectionId) -> Vec<CatchUp> {
        let Some(subscription) = self.subscriptions.get_mut(&connection) else {
            return Vec::new();
        };
        let first = self
            .retained
            .front()
            .map_or(self.last + 1, |change| change.number);
        if subscription.sent + 1 < first {
            if subscription.room == 0 {
                return Vec::new();
            }
            subscription.sent = self.last;
            subscription.room -= 1;
            return vec![CatchUp::Snapshot];
        }
        let from = usize::try_from(subscription.sent + 1 - first).unwrap_or(usize::MAX);
        let missed: Vec<CatchUp> = self
            .retained
            .iter()
            .skip(from)
            .take(subscription.room)
            .map(|change| CatchUp::Change(Arc::clone(change)))
            .collect();
        subscription.sent += missed.len() as u64;
        subscription.room -= missed.len();
        missed
    }

    /// The asks that have changed after a cursor. `None` if not all of these changes are retained.
    pub(crate) fn ids_after(&self, after: Cursor) -> Option<HashSet<AskId>> {
        let known = after.hub == self.hub && after.number <= self.last;
        if !known || !self.has_all_after(after.number) {
            return None;
        }
        let newer = self.retained.iter().rev();
        let newer = newer.take_while(|change| change.number > after.number);
        let ids = newer.filter_map(|change| match &change.kind {
            ChangeKind::Record(record) => Some(record.id.clone()),
            ChangeKind::Removed(_) | ChangeKind::Muted(_) => None,
        });
        Some(ids.collect())
    }

    fn has_all_after(&self, number: u64) -> bool {
        let first = self
            .retained
            .front()
            .map_or(self.last + 1, |change| change.number);
        number + 1 >= first
    }
}

#[cfg(test)]
mod tests {
    use ask_core::{Ask, Asker, Time, lifecycle};

    use super::*;

    fn record(bytes: usize) -> ChangeKind {
        let id = AskId::parse("a_1234567").expect("the id is valid");
        let ask = Ask {
            context: Some("x".repeat(bytes)),
            ..Ask::default()
        };
        let record = lifecycle::open(id, "native", ask, Asker::default(), Time(0));
        ChangeKind::Record(Arc::new(record))
    }

    #[test]
    fn large_changes_are_retained_only_up_to_a_size() {
        let mut changes = Changes::new(1, 100, 100);
        let third = MAX_RETAINED_BYTES / 3;
        for _ in 0..10 {
            changes.add(record(third));
        }
        assert_eq!(changes.retained.len(), 3);
        changes.add(record(2 * MAX_RETAINED_BYTES));
        assert_eq!(changes.retained.len(), 1, "the last one stays");
        changes.add(ChangeKind::Muted(true));
        assert_eq!(changes.retained.len(), 1);
        assert_eq!(changes.retained_bytes, 0);
    }
}
