//! The number of asks that were answered today, counted as they are answered, and whether that count
//! can be trusted.

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

    /// Counts a closed ask, if it was answered. The midnight is that of the current day.
    pub(super) fn closed(&mut self, settlement: &Settlement, midnight: Time) {
        self.roll(midnight);
        if matches!(settlement.outcome, Outcome::Answered(_)) && settlement.at >= self.midnight {
            self.answered += 1;
        }
    }

    /// How many were answered on the day of this midnight.
    pub(super) fn answered(&mut self, midnight: Time) -> u64 {
        self.roll(midnight);
        self.answered
    }

    /// Asks were removed, which may have been counted.
    pub(super) fn distrust(&mut self) {
        self.is_miscounted = true;
    }

    /// Whether the count must be taken from the store. Whoever asks takes it.
    pub(super) fn take_miscounted(&mut self) -> bool {
        std::mem::take(&mut self.is_miscounted)
    }

    /// Replaces the count by that of the store. It may have become doubtful again meanwhile.
    pub(super) fn recounted(&mut self, midnight: Time, answered: u64) {
        (self.midnight, self.answered) = (midnight, answered);
    }

    /// Starts another day at another midnight. If the clock was set back, answers of that day were
    /// counted before.
    fn roll(&mut self, midnight: Time) {
        self.is_miscounted |= midnight < self.midnight;
        if midnight != self.midnight {
            (self.midnight, self.answered) = (midnight, 0);
        }
    }
}
