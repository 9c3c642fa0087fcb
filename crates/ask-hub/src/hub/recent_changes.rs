//! The changes that were pushed last. All subscribers share the serialized form of a change, also
//! one that catches up.

use std::collections::VecDeque;
use std::sync::Arc;

use ask_protocol::ipc::Change;

/// How many changes are kept at most.
const MAX_CHANGES: usize = 64;

/// How many bytes their serialized forms may have when the next change is added.
const MAX_BYTES: usize = 1024 * 1024;

/// The oldest that were added come first.
#[derive(Default)]
pub(super) struct RecentChanges(VecDeque<Arc<Change>>);

impl RecentChanges {
    /// The change with this cursor, if it is kept.
    pub(super) fn get(&self, cursor: u64) -> Option<Arc<Change>> {
        // Nearly all subscribers want the newest.
        let mut newest_first = self.0.iter().rev();
        newest_first.find(|change| change.cursor == cursor).cloned()
    }

    /// Adds a change, and drops old ones.
    pub(super) fn add(&mut self, change: Arc<Change>) {
        self.0.push_back(change);
        let mut bytes: usize = self.0.iter().map(|change| change.serialized_len()).sum();
        while self.0.len() > MAX_CHANGES || (bytes > MAX_BYTES && self.0.len() > 1) {
            let dropped = self.0.pop_front().expect("there is more than one");
            bytes = bytes.saturating_sub(dropped.serialized_len());
        }
    }
}

#[cfg(test)]
mod tests {
    use ask_protocol::ipc::{Changed, Day};

    use super::*;

    fn change(cursor: u64) -> Arc<Change> {
        Arc::new(Change::new(cursor, Changed::Day, Day::default()))
    }

    #[test]
    fn a_subscriber_that_catches_up_gets_the_same_bytes() {
        let mut recent = RecentChanges::default();
        (1..=3).for_each(|cursor| recent.add(change(cursor)));
        let [first, second] = [2, 2].map(|cursor| recent.get(cursor).expect("it is kept"));
        assert_eq!(first.line().as_ptr(), second.line().as_ptr());
    }

    #[test]
    fn the_oldest_changes_are_dropped() {
        let mut recent = RecentChanges::default();
        let count = MAX_CHANGES as u64;
        (1..=count + 1).for_each(|cursor| recent.add(change(cursor)));
        assert!(recent.get(1).is_none());
        assert!(recent.get(2).is_some() && recent.get(count + 1).is_some());
    }

    #[test]
    fn big_changes_are_dropped_sooner() {
        let mut recent = RecentChanges::default();
        for cursor in 1..=4 {
            let big = change(cursor);
            big.event(|| "x".repeat(MAX_BYTES / 2));
            recent.add(big);
        }
        assert!(recent.get(2).is_none());
        assert!(recent.get(3).is_some() && recent.get(4).is_some());
    }
}
