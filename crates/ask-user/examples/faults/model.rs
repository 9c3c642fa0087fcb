//! The state that all actors of a campaign share.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use tokio::time::Instant;

use crate::dirs::Dirs;
use crate::log::Log;
use crate::process::Processes;
use crate::state::Tasks;

/// A campaign.
pub(crate) struct Campaign {
    /// Its paths.
    pub dirs: Dirs,
    /// Its facts.
    pub log: RefCell<Log>,
    /// Its running processes.
    pub processes: Processes,
    /// The tasks of its people.
    pub tasks: Tasks,
    /// When agents stop asking and the faults stop.
    pub until: Instant,
    /// Whether the people have stopped.
    pub closed: Cell<bool>,
    /// The killed hub and the time of its kill, until another hub has answered the probe.
    pub hub_killed: Cell<Option<(u32, Instant)>>,
    /// The hub's process id while the probe is connected.
    pub hub: Cell<Option<u32>>,
}

impl Campaign {
    /// Whether the time of faults is over.
    pub(crate) fn is_over(&self) -> bool {
        Instant::now() >= self.until
    }
}

/// Waits for this long.
pub(crate) async fn pause(length: Duration) {
    tokio::time::sleep_until(Instant::now() + length).await;
}
