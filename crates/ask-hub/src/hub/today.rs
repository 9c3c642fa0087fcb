//! The number of asks that were answered today, counted as they are answered.

use ask_core::{Outcome, Settlement, Time};

/// The count of one day.
#[derive(Debug)]
pub(super) struct Today {
    midnight: Time,
    answered: u64,
}

impl Today {
    /// A count that starts with the answers since midnight.
    pub(super) fn new(midnight: Time, answered: u64) -> Self {
        Self { midnight, answered }
    }

    /// Counts a closed ask, if it was answered.
    pub(super) fn closed(&mut self, settlement: &Settlement) {
        if matches!(settlement.outcome, Outcome::Answered(_)) && settlement.at >= self.midnight {
            self.answered += 1;
        }
    }

    pub(super) fn answered(&self) -> u64 {
        self.answered
    }

    /// Starts another day at another midnight. Returns true if the clock was set back: then the
    /// count must be taken from the store.
    pub(super) fn roll(&mut self, midnight: Time) -> bool {
        let is_back = midnight < self.midnight;
        if midnight != self.midnight {
            *self = Self::new(midnight, 0);
        }
        is_back
    }
}
