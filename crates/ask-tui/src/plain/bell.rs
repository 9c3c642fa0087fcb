//! Rings the terminal's bell in the plain mode: once, when a new ask waits and nobody types.
//! Settings and pauses are those of the full screen.

use std::collections::HashSet;

use ask_config::config::{Heard, Notify};
use ask_core::{AskId, Time};
use jiff::tz::TimeZone;

use crate::bell_throttle::BellThrottle;

/// The asks that were seen, and the pauses of the bell.
pub(super) struct Bell {
    bell_throttle: BellThrottle,
    /// Whether the output is a terminal and the person wants its bell.
    on: bool,
    known: Option<HashSet<AskId>>,
}

impl Bell {
    /// A bell as the settings want it.
    pub(super) fn new(settings: &Notify, zone: TimeZone, terminal: bool) -> Self {
        Self {
            on: terminal && settings.terminal != Heard::Off,
            bell_throttle: BellThrottle::new(settings.quiet, zone),
            known: None,
        }
    }

    /// Whether the bell is on.
    pub(super) fn rings(&self) -> bool {
        self.on
    }

    /// Records that a line was typed. True if the hub has to be told that the person is present.
    pub(super) fn typed(&mut self, now: Time) -> bool {
        self.bell_throttle.typed(now)
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
        let new = before.is_some_and(|before| waiting.iter().any(|id| !before.contains(id)));
        let free = self.bell_throttle.allow(muted, now) && !self.bell_throttle.is_typed_in(now);
        let rings = new && self.on && free;
        if rings {
            self.bell_throttle.rang(now);
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
    fn it_rings_once_for_what_is_new_while_nobody_types() {
        let mut bell = bell(&Notify::default());
        assert!(
            !rings(&mut bell, &["ask-a"], false, 0),
            "the ask was there at the start"
        );
        assert!(rings(&mut bell, &["ask-a", "ask-b"], false, 10));
        assert!(!rings(&mut bell, &["ask-a", "ask-b"], false, 20), "once");
        assert!(!rings(&mut bell, &["ask-a"], false, 30), "less is no news");
        assert!(!rings(&mut bell, &["ask-a", "ask-c"], true, 40), "muted");
        assert!(bell.typed(Time(NOON.0 + 50_000)));
        assert!(!bell.typed(Time(NOON.0 + 60_000)), "reported just now");
        assert!(
            !rings(&mut bell, &["ask-d"], false, 100),
            "the person types"
        );
        assert!(rings(&mut bell, &["ask-e"], false, 200));
        assert!(!rings(&mut bell, &["ask-f"], false, 202), "in one go");
    }

    #[test]
    fn it_is_silent_where_the_person_wants_that() {
        let off = Notify {
            terminal: Heard::Off,
            ..Notify::default()
        };
        let mut silent = bell(&off);
        rings(&mut silent, &[], false, 0);
        assert!(!silent.rings() && !rings(&mut silent, &["ask-a"], false, 10));
        let mut piped = Bell::new(&Notify::default(), TimeZone::UTC, false);
        rings(&mut piped, &[], false, 0);
        assert!(!rings(&mut piped, &["ask-a"], false, 10));
    }
}
