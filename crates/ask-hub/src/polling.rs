//! Agents that ask for their tasks, or over HTTP for their asks, now and then: no call of theirs
//! waits, but the hub is told that they come back.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use ask_config::clock;
use ask_core::{AskId, Time};

use crate::client::Waiting;

/// An agent that was told to call again does so within this time: models think for a while first.
pub const BACK_WITHIN: Duration = Duration::from_secs(2 * 60);

/// How often the hub is told that an agent still asks, so that people see it waiting.
const TOLD_EVERY_MS: u64 = 60_000;

/// How long an agent that looks at its ask over HTTP counts as waiting after each look: nobody has
/// told it how often to look.
const LOOKS_WITHIN: Duration = Duration::from_secs(5 * 60);

/// When the hub was last told that the agent of an ask still asks.
#[derive(Default)]
pub struct PollingAgents(Mutex<HashMap<AskId, Time>>);

impl PollingAgents {
    /// Leaves a waiter's place, and has the hub expect it back.
    pub fn leave(&self, id: &AskId, waiting: Waiting) {
        waiting.leave_for(BACK_WITHIN);
        self.note(id);
    }

    /// The same, where it comes back over any connection, knows the ask by its id, and comes for the
    /// answer as well.
    pub fn leave_by_id(&self, id: &AskId, waiting: Waiting) {
        waiting.leave_for_another(LOOKS_WITHIN);
        self.note(id);
    }

    fn note(&self, id: &AskId) {
        let mut told = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = clock::now();
        told.retain(|_, at| now.since_ms(*at) < 2 * TOLD_EVERY_MS);
        told.insert(id.clone(), now);
    }

    /// Whether the hub should be told again.
    pub fn is_due(&self, id: &AskId) -> bool {
        let told = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        told.get(id)
            .is_none_or(|at| clock::now().since_ms(*at) >= TOLD_EVERY_MS)
    }
}
