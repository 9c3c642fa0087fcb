//! What all actors of a campaign share.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use tokio::time::Instant;

use crate::dirs::Place;
use crate::log::Ledger;
use crate::process::Processes;
use crate::state::Board;

/// One campaign.
pub struct World {
    /// Where it runs.
    pub place: Place,
    /// What it knows.
    pub ledger: RefCell<Ledger>,
    /// Who runs.
    pub processes: Processes,
    /// What people have to do.
    pub board: Board,
    /// When agents stop asking and nothing breaks any more.
    pub until: Instant,
    /// When people go home.
    pub closed: Cell<bool>,
    /// The hub that was killed, and when, until the probe has been answered by another.
    pub hub_killed: Cell<Option<(u32, Instant)>>,
    /// The hub's process, as long as the probe is connected to it.
    pub hub: Cell<Option<u32>>,
}

impl World {
    /// Whether the time of faults is over.
    pub fn is_over(&self) -> bool {
        Instant::now() >= self.until
    }
}

/// Lets so much time pass.
pub async fn pause(length: Duration) {
    tokio::time::sleep_until(Instant::now() + length).await;
}
