//! How the line mode makes itself noticed: its terminal's bell, once, when something new waits and
//! nobody types. By the same settings and in the same pauses as the full screen.

use std::collections::HashSet;

use ask_config::config::{Heard, Notify};
use ask_core::{AskId, Time};
use jiff::tz::TimeZone;

use crate::bell_throttle::BellThrottle;

/// What was heard already.
pub struct Bell {
    bell_throttle: BellThrottle,
    /// Whether there is a terminal to ring.
    on: bool,
    known: Option<HashSet<AskId>>,
}

impl Bell {
    /// As the person wants it.
    pub fn new(settings: &Notify, zone: TimeZone, terminal: bool) -> Self {
        Self {
            on: terminal && settings.terminal != Heard::Off,
            bell_throttle: BellThrottle::new(settings.quiet, zone),
            known: None,
        }
    }

    /// Whether it makes itself heard.
    pub fn rings(&self) -> bool {
        self.on
    }

    /// A line was typed; whether the hub is to be told that somebody is there.
    pub fn typed(&mut self, now: Time) -> bool {
        self.bell_throttle.typed(now)
    }

    /// Whether it rings now that these wait.
    pub fn after<'a>(
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
        ids.collect::<Option<_>>().expect("they are ids")
    }

    fn rings(bell: &mut Bell, names: &[&str], muted: bool, seconds: i64) -> bool {
        let now = Time(NOON.0 + seconds * 1_000);
        bell.after(ids(names).iter(), muted, now)
    }

    fn bell(settings: &Notify) -> Bell {
        Bell::new(settings, TimeZone::UTC, true)
    }

    #[test]
    fn it_rings_once_for_what_is_new_while_nobody_types() {
        let mut bell = bell(&Notify::default());
        assert!(!rings(&mut bell, &["ask-a"], false, 0), "it was there");
        assert!(rings(&mut bell, &["ask-a", "ask-b"], false, 10));
        assert!(!rings(&mut bell, &["ask-a", "ask-b"], false, 20), "once");
        assert!(!rings(&mut bell, &["ask-a"], false, 30), "less is no news");
        assert!(!rings(&mut bell, &["ask-a", "ask-c"], true, 40), "muted");
        assert!(bell.typed(Time(NOON.0 + 50_000)));
        assert!(!bell.typed(Time(NOON.0 + 60_000)), "told just now");
        assert!(!rings(&mut bell, &["ask-d"], false, 100), "somebody types");
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
