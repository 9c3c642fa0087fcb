//! The times at which the engine must check an ask again.

use std::collections::BTreeSet;

use ask_core::{AskId, Time};

use crate::event::Now;

/// What to check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Check {
    /// Whether the deadline has passed.
    Expire,
    /// Whether the snooze has ended.
    EndSnooze,
    /// Whether the outcome has been held long enough.
    EndHold,
    /// Whether the agent should have returned.
    EndExpected,
    /// Whether the ask can no longer be taken up and may leave memory.
    Retire,
}

/// When a check is due. A time limit is a duration, so it runs on the boot clock, which nobody
/// sets. Times that another hub stored, and times of day that people choose, are on the wall clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Due {
    Boot(u64),
    Wall(Time),
}

/// All pending checks.
#[derive(Debug, Default)]
pub(crate) struct Deadlines {
    boot: BTreeSet<(u64, Check, AskId)>,
    wall: BTreeSet<(Time, Check, AskId)>,
    /// Checks that are due, but wait for a change of their ask that is being stored.
    postponed: BTreeSet<(AskId, Check)>,
}

impl Deadlines {
    pub(crate) fn add(&mut self, due: Due, check: Check, id: AskId) {
        match due {
            Due::Boot(at) => drop(self.boot.insert((at, check, id))),
            Due::Wall(at) => drop(self.wall.insert((at, check, id))),
        }
    }

    /// Removes and returns the checks that are due. A check is never removed early, so an ask may
    /// have been closed or extended since: the receiver must test whether the check still applies.
    pub(crate) fn take_due(&mut self, now: Now) -> Vec<(Check, AskId)> {
        let mut due = Vec::new();
        while let Some((at, ..)) = self.boot.first()
            && *at <= now.boot_ms
            && let Some((_, check, id)) = self.boot.pop_first()
        {
            due.push((check, id));
        }
        while let Some((at, ..)) = self.wall.first()
            && *at <= now.wall
            && let Some((_, check, id)) = self.wall.pop_first()
        {
            due.push((check, id));
        }
        due
    }

    /// Keeps a due check until [`Deadlines::resume`].
    pub(crate) fn postpone(&mut self, check: Check, id: AskId) {
        self.postponed.insert((id, check));
    }

    /// Makes the postponed checks of this ask due.
    pub(crate) fn resume(&mut self, id: &AskId) {
        for check in [Check::Expire, Check::EndSnooze, Check::EndHold] {
            if self.postponed.remove(&(id.clone(), check)) {
                self.add(Due::Boot(0), check, id.clone());
            }
        }
    }

    /// In how many milliseconds the next check is due. `None` if no check is pending.
    pub(crate) fn next_in_ms(&self, now: Now) -> Option<u64> {
        let boot = self
            .boot
            .first()
            .map(|(at, ..)| at.saturating_sub(now.boot_ms));
        let wall = self.wall.first().map(|(at, ..)| at.since_ms(now.wall));
        [boot, wall].into_iter().flatten().min()
    }
}
