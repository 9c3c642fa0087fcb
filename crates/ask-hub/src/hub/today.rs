//! The number of asks that were answered today, and whether the count may be wrong.

use ask_core::{Outcome, Settlement, Time};

/// The count of one day.
#[derive(Debug)]
pub(super) struct Today {
    midnight: Time,
    answered: u64,
    /// Whether the count may be wrong, because the clock was set back or asks were removed.
    is_miscounted: bool,
}

impl Today {
    /// A count that starts with the answers since midnight.
    pub(super) fn new(midnight: Time, answered: u64) -> Self {
        Self {
            midnight,
            answered,
            is_miscounted: false,
        }
    }

    /// Counts a closed ask if it was answered. `midnight` begins the current day.
    pub(super) fn count_closed(&mut self, settlement: &Settlement, midnight: Time) {
        self.start_day_if_new(midnight);
        if matches!(settlement.outcome, Outcome::Answered(_)) && settlement.at >= self.midnight {
            self.answered += 1;
        }
    }

    /// How many asks were answered on the day that begins at `midnight`.
    pub(super) fn answered(&mut self, midnight: Time) -> u64 {
        self.start_day_if_new(midnight);
        self.answered
    }

    /// Marks the count as possibly wrong, because asks were removed.
    pub(super) fn mark_miscounted(&mut self) {
        self.is_miscounted = true;
    }

    /// Whether the count must be taken from the store. The caller then takes it.
    pub(super) fn take_miscounted(&mut self) -> bool {
        std::mem::take(&mut self.is_miscounted)
    }

    /// Replaces the count by that of the store. It may be marked as wrong again meanwhile.
    pub(super) fn set_count(&mut self, midnight: Time, answered: u64) {
        (self.midnight, self.answered) = (midnight, answered);
    }

    /// Starts a new count at a new midnight. If the clock was set back, the new count lacks the
    /// answers that were counted on that day before.
    fn start_day_if_new(&mut self, midnight: Time) {
        self.is_miscounted |= midnight < self.midnight;
        if midnight != self.midnight {
            (self.midnight, self.answered) = (midnight, 0);
        }
    }
}
