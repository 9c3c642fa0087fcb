//! Decides when a surface's bell keeps silent: while somebody types there, in quiet hours, while
//! notifications are muted, and right after it rang.

use ask_config::config::quiet_hours::Hours;
use ask_core::Time;
use ask_hub::notify::policy::{BATCH_MS, PRESENT_MS};
use jiff::tz::TimeZone;

/// Typing is reported to the hub at most once in this time.
const INPUT_MS: u64 = 30_000;

/// When the person typed and when the bell rang last.
pub(crate) struct BellThrottle {
    /// The hours in which nothing rings.
    pub quiet: Option<Hours>,
    /// The time zone of `quiet`.
    pub zone: TimeZone,
    input_at: Option<Time>,
    told_at: Option<Time>,
    rang_at: Option<Time>,
}

impl BellThrottle {
    /// A throttle that knows neither typing nor ringing.
    pub(crate) fn new(quiet: Option<Hours>, zone: TimeZone) -> Self {
        Self {
            quiet,
            zone,
            input_at: None,
            told_at: None,
            rang_at: None,
        }
    }

    /// Records that something was typed. True if the hub has to be told that the person is present.
    pub(crate) fn typed(&mut self, now: Time) -> bool {
        self.input_at = Some(now);
        let told = is_within(self.told_at, INPUT_MS, now);
        if !told {
            self.told_at = Some(now);
        }
        !told
    }

    /// Whether the person typed within the last [`PRESENT_MS`].
    pub(crate) fn is_typed_in(&self, now: Time) -> bool {
        is_within(self.input_at, PRESENT_MS, now)
    }

    /// Whether the bell may ring now: not muted, not in quiet hours, and not within [`BATCH_MS`] of
    /// the last time.
    pub(crate) fn allow(&self, muted: bool, now: Time) -> bool {
        let quiet = self.quiet.and_then(|hours| hours.until(now, &self.zone));
        !muted && quiet.is_none() && !is_within(self.rang_at, BATCH_MS, now)
    }

    /// Records that the bell rang.
    pub(crate) fn rang(&mut self, now: Time) {
        self.rang_at = Some(now);
    }
}

fn is_within(at: Option<Time>, ms: u64, now: Time) -> bool {
    at.is_some_and(|at| now.since_ms(at) < ms)
}
