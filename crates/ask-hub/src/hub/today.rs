//! How many asks were answered today, counted as they are answered.

use ask_core::{Outcome, Settlement, Time};

/// A day's count.
#[derive(Debug)]
pub(super) struct Today {
    midnight: Time,
    answered: u64,
}

impl Today {
    /// So many since midnight.
    pub(super) fn new(midnight: Time, answered: u64) -> Self {
        Self { midnight, answered }
    }

    /// Counts an ask that was closed.
    pub(super) fn closed(&mut self, settlement: &Settlement) {
        if matches!(settlement.outcome, Outcome::Answered(_)) && settlement.at >= self.midnight {
            self.answered += 1;
        }
    }

    pub(super) fn answered(&self) -> u64 {
        self.answered
    }

    /// Begins another day, if this is another midnight; whether what was answered since then must be
    /// counted anew, because the clock was set back.
    pub(super) fn roll(&mut self, midnight: Time) -> bool {
        let is_back = midnight < self.midnight;
        if midnight != self.midnight {
            *self = Self::new(midnight, 0);
        }
        is_back
    }
}
