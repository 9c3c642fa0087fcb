//! Decides when a surface's bell is silent: while the person types there, in quiet hours, while
//! notifications are muted, and right after it has rung.

use ask_config::config::quiet_hours::Hours;
use ask_core::Time;
use ask_hub::notify::{BATCH_MS, PRESENT_MS};
use jiff::tz::TimeZone;

/// The surface reports typing to the hub at most once in this time.
const REPORT_MS: u64 = 30_000;

/// When the person typed and when the bell rang last.
pub(crate) struct BellThrottle {
    /// The hours in which the bell is silent.
    pub quiet_hours: Option<Hours>,
    /// The time zone of `quiet_hours`.
    pub zone: TimeZone,
    input_at: Option<Time>,
    reported_at: Option<Time>,
    ring_at: Option<Time>,
}

impl BellThrottle {
    /// A throttle that knows neither typing nor ringing.
    pub(crate) fn new(quiet_hours: Option<Hours>, zone: TimeZone) -> Self {
        Self {
            quiet_hours,
            zone,
            input_at: None,
            reported_at: None,
            ring_at: None,
        }
    }

    /// Records that the person typed. True if the surface has to report the person's presence to
    /// the hub.
    pub(crate) fn record_typing(&mut self, now: Time) -> bool {
        self.input_at = Some(now);
        let reported = is_recent(self.reported_at, REPORT_MS, now);
        if !reported {
            self.reported_at = Some(now);
        }
        !reported
    }

    /// Whether the person typed within the last [`PRESENT_MS`].
    pub(crate) fn is_person_typing(&self, now: Time) -> bool {
        is_recent(self.input_at, PRESENT_MS, now)
    }

    /// Whether the bell may ring now: not muted, not in quiet hours, and not within [`BATCH_MS`] of
    /// the last time.
    pub(crate) fn may_ring(&self, muted: bool, now: Time) -> bool {
        let quiet_until = self
            .quiet_hours
            .and_then(|hours| hours.until(now, &self.zone));
        !muted && quiet_until.is_none() && !is_recent(self.ring_at, BATCH_MS, now)
    }

    /// Records that the bell rang.
    pub(crate) fn record_ring(&mut self, now: Time) {
        self.ring_at = Some(now);
    }
}

fn is_recent(at: Option<Time>, ms: u64, now: Time) -> bool {
    at.is_some_and(|at| now.since_ms(at) < ms)
}
