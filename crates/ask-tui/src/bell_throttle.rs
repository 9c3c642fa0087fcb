//! When a surface that rings holds back: while somebody types there, in quiet hours, while
//! notifications are muted, and right after it rang.

use ask_config::config::quiet_hours::Hours;
use ask_core::Time;
use ask_hub::notify::policy::{BATCH_MS, PRESENT_MS};
use jiff::tz::TimeZone;

/// What is typed within so long is not told to the hub again.
const INPUT_MS: u64 = 30_000;

/// What a surface remembers of its person and of itself.
pub struct BellThrottle {
    /// The hours in which nothing rings,
    pub quiet: Option<Hours>,
    /// and where they are meant.
    pub zone: TimeZone,
    input_at: Option<Time>,
    told_at: Option<Time>,
    rang_at: Option<Time>,
}

impl BellThrottle {
    /// Nothing has happened yet.
    pub fn new(quiet: Option<Hours>, zone: TimeZone) -> Self {
        Self {
            quiet,
            zone,
            input_at: None,
            told_at: None,
            rang_at: None,
        }
    }

    /// Something was typed; whether the hub is to be told that somebody is there.
    pub fn typed(&mut self, now: Time) -> bool {
        self.input_at = Some(now);
        let told = within(self.told_at, INPUT_MS, now);
        if !told {
            self.told_at = Some(now);
        }
        !told
    }

    /// Whether somebody has typed a moment ago.
    pub fn is_typed_in(&self, now: Time) -> bool {
        within(self.input_at, PRESENT_MS, now)
    }

    /// Whether nothing speaks against ringing now.
    pub fn allow(&self, muted: bool, now: Time) -> bool {
        let quiet = self.quiet.and_then(|hours| hours.until(now, &self.zone));
        !muted && quiet.is_none() && !within(self.rang_at, BATCH_MS, now)
    }

    /// It rang.
    pub fn rang(&mut self, now: Time) {
        self.rang_at = Some(now);
    }
}

fn within(at: Option<Time>, ms: u64, now: Time) -> bool {
    at.is_some_and(|at| now.since_ms(at) < ms)
}
