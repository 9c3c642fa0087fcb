//! Decides when the plain mode rings the terminal's bell: once, when a new ask waits and the person
//! doesn't type. Settings and pauses are those of the full screen.

use std::collections::HashSet;

use ask_config::config::{Heard, Notify};
use ask_core::{AskId, Time};
use jiff::tz::TimeZone;

use crate::bell_throttle::BellThrottle;

/// The bell of the plain mode: the asks that it has rung for, and its pauses.
pub(super) struct Bell {
    bell_throttle: BellThrottle,
    /// Whether the output is a terminal and the settings want its bell.
    enabled: bool,
    known: Option<HashSet<AskId>>,
}

impl Bell {
    /// A bell with these settings.
    pub(super) fn new(settings: &Notify, zone: TimeZone, is_terminal: bool) -> Self {
        Self {
            enabled: is_terminal && settings.terminal != Heard::Off,
            bell_throttle: BellThrottle::new(settings.quiet, zone),
            known: None,
        }
    }

    /// Whether the bell is on.
    pub(super) fn is_enabled(&self) -> bool {
        self.enabled
    }

    /// Records that the person typed a line. True if the person's presence has to be reported to
    /// the hub.
    pub(super) fn record_typing(&mut self, now: Time) -> bool {
        self.bell_throttle.record_typing(now)
    }

    /// Whether the bell rings for these waiting asks: one of them must be new since the last call.
    /// The first call never rings.
    pub(super) fn update<'a>(
        &mut self,
        waiting: impl Iterator<Item = &'a AskId>,
        muted: bool,
        now: Time,
    ) -> bool {
        let waiting: HashSet<AskId> = waiting.cloned().collect();
        let before = self.known.replace(waiting.clone());
        let has_new = before.is_some_and(|before| waiting.iter().any(|id| !before.contains(id)));
        let may_ring =
            self.bell_throttle.may_ring(muted, now) && !self.bell_throttle.is_person_typing(now);
        let rings = has_new && self.enabled && may_ring;
        if rings {
            self.bell_throttle.record_ring(now);
        }
        rings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::NOON;

    fn ids(names: &[&str]) -> Vec<AskId> {
        let ids = names.iter().map(|name| AskId::parse(name));
        ids.collect::<Option<_>>().expect("the texts are ids")
    }

    fn rings(bell: &mut Bell, names: &[&str], muted: bool, seconds: i64) -> bool {
        let now = Time(NOON.0 + seconds * 1_000);
        bell.update(ids(names).iter(), muted, now)
    }

    fn bell(settings: &Notify) -> Bell {
        Bell::new(settings, TimeZone::UTC, true)
    }

    #[test]
    fn a_new_ask_rings_once_unless_the_person_types() {
        let mut bell = bell(&Notify::default());
        assert!(
            !rings(&mut bell, &["ask-a"], false, 0),
            "the ask was there at the start"
        );
        assert!(rings(&mut bell, &["ask-a", "ask-b"], false, 10));
        assert!(!rings(&mut bell, &["ask-a", "ask-b"], false, 20), "once");
        assert!(
            !rings(&mut bell, &["ask-a"], false, 30),
            "an ask that goes doesn't ring"
        );
        assert!(!rings(&mut bell, &["ask-a", "ask-c"], true, 40), "muted");
        assert!(bell.record_typing(Time(NOON.0 + 50_000)));
        assert!(
            !bell.record_typing(Time(NOON.0 + 60_000)),
            "reported just now"
        );
        assert!(
            !rings(&mut bell, &["ask-d"], false, 100),
            "the person types"
        );
        assert!(rings(&mut bell, &["ask-e"], false, 200));
        assert!(
            !rings(&mut bell, &["ask-f"], false, 202),
            "right after another ring"
        );
    }

    #[test]
    fn a_disabled_or_piped_bell_is_silent() {
        let off = Notify {
            terminal: Heard::Off,
            ..Notify::default()
        };
        let mut silent = bell(&off);
        rings(&mut silent, &[], false, 0);
        assert!(!silent.is_enabled() && !rings(&mut silent, &["ask-a"], false, 10));
        let mut piped = Bell::new(&Notify::default(), TimeZone::UTC, false);
        rings(&mut piped, &[], false, 0);
        assert!(!rings(&mut piped, &["ask-a"], false, 10));
    }
}
