//! How much text each caller has asked in a day. Asks that expire or are withdrawn no longer count
//! as open, but the store keeps them: without this limit a caller could fill the disk.

use std::collections::HashMap;

use crate::event::Now;

const DAY_MS: u64 = 24 * 60 * 60 * 1_000;

/// Bytes by caller, of one day after the other.
#[derive(Debug, Default)]
pub(crate) struct AskedText {
    bytes: HashMap<String, usize>,
    /// When this day began, on the clock that is never set.
    began_ms: u64,
}

impl AskedText {
    /// How many bytes this caller has asked today.
    pub(crate) fn bytes_of(&self, caller: &str, now: Now) -> usize {
        match self.is_over(now) {
            true => 0,
            false => self.bytes.get(caller).copied().unwrap_or(0),
        }
    }

    /// Counts a new ask.
    pub(crate) fn add(&mut self, caller: String, bytes: usize, now: Now) {
        if self.is_over(now) {
            self.bytes.clear();
            self.began_ms = now.boot_ms;
        }
        *self.bytes.entry(caller).or_default() += bytes;
    }

    fn is_over(&self, now: Now) -> bool {
        now.boot_ms.saturating_sub(self.began_ms) >= DAY_MS
    }
}

#[cfg(test)]
mod tests {
    use ask_core::Time;

    use super::*;

    #[test]
    fn the_count_of_a_caller_ends_with_the_day() {
        let at = |boot_ms| Now {
            wall: Time(0),
            boot_ms,
            steady: Time(0),
        };
        let mut asked = AskedText::default();
        asked.add("one".to_owned(), 3, at(DAY_MS + 1));
        asked.add("one".to_owned(), 4, at(DAY_MS + 2));
        assert_eq!(asked.bytes_of("one", at(2 * DAY_MS)), 7);
        assert_eq!(asked.bytes_of("two", at(2 * DAY_MS)), 0);
        assert_eq!(asked.bytes_of("one", at(2 * DAY_MS + 1)), 0);
        asked.add("two".to_owned(), 5, at(2 * DAY_MS + 1));
        assert_eq!(asked.bytes_of("one", at(2 * DAY_MS + 1)), 0);
        assert_eq!(asked.bytes_of("two", at(2 * DAY_MS + 1)), 5);
    }
}
