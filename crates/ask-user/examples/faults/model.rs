//! The state that all actors of a campaign share.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use tokio::time::Instant;

use crate::dirs::Place;
use crate::log::Ledger;
use crate::process::Processes;
use crate::state::Board;

/// A campaign.
pub(crate) struct World {
    /// Its paths.
    pub place: Place,
    /// Its facts.
    pub ledger: RefCell<Ledger>,
    /// Its running processes.
    pub processes: Processes,
    /// The tasks of its people.
    pub board: Board,
    /// When agents stop asking and the faults stop.
    pub until: Instant,
    /// Whether the people have stopped.
    pub closed: Cell<bool>,
    /// The killed hub and the time of its kill, until another hub has answered the probe.
    pub hub_killed: Cell<Option<(u32, Instant)>>,
    /// The hub's process id while the probe is connected.
    pub hub: Cell<Option<u32>>,
}

impl World {
    /// Whether the time of faults is over.
    pub(crate) fn is_over(&self) -> bool {
        Instant::now() >= self.until
    }
}

/// Waits for this long.
pub(crate) async fn pause(length: Duration) {
    tokio::time::sleep_until(Instant::now() + length).await;
}
