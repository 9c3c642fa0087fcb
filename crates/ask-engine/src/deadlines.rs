//! When the engine must look at which ask again.

use std::collections::BTreeSet;

use ask_core::{AskId, Time};

use crate::event::Now;

/// Why an ask is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Why {
    /// Its time limit has passed.
    Expire,
    /// It was put aside until now.
    BringBack,
    /// Its agent should be back.
    Expect,
    /// Nobody takes it up any more.
    Retire,
}

/// When a look is due. A limit is a length of time, so it runs on the clock that nobody sets; what
/// another hub began, and what people name as a time of day, runs on the calendar's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Due {
    Boot(u64),
    Wall(Time),
}

/// All looks that are due some time.
#[derive(Debug, Default)]
pub(crate) struct Deadlines {
    boot: BTreeSet<(u64, Why, AskId)>,
    wall: BTreeSet<(Time, Why, AskId)>,
}

impl Deadlines {
    pub fn add(&mut self, due: Due, why: Why, id: AskId) {
        match due {
            Due::Boot(at) => drop(self.boot.insert((at, why, id))),
            Due::Wall(at) => drop(self.wall.insert((at, why, id))),
        }
    }

    /// Takes out what is due. Whoever gets it checks that it still holds: nothing is ever taken out
    /// early, so an ask that was closed or extended since is looked at once for nothing.
    pub fn take_due(&mut self, now: Now) -> Vec<(Why, AskId)> {
        let mut due = Vec::new();
        while let Some((at, ..)) = self.boot.first()
            && *at <= now.boot_ms
            && let Some((_, why, id)) = self.boot.pop_first()
        {
            due.push((why, id));
        }
        while let Some((at, ..)) = self.wall.first()
            && *at <= now.wall
            && let Some((_, why, id)) = self.wall.pop_first()
        {
            due.push((why, id));
        }
        due
    }

    /// In how many milliseconds the next look is due.
    pub fn next_in_ms(&self, now: Now) -> Option<u64> {
        let boot = self
            .boot
            .first()
            .map(|(at, ..)| at.saturating_sub(now.boot_ms));
        let wall = self.wall.first().map(|(at, ..)| at.since_ms(now.wall));
        [boot, wall].into_iter().flatten().min()
    }
}
