//! Agents that poll for tasks, or over HTTP for asks. No call of theirs waits, but the hub is told
//! that they will return.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use ask_config::clock;
use ask_core::{AskId, Time};

use crate::client::Waiter;

/// An agent that was told to call again does so within this time. Models think for a while first.
pub const BACK_WITHIN: Duration = Duration::from_secs(2 * 60);

/// How often the hub is told that an agent still polls, so that people see the ask as waited for.
const TOLD_EVERY_MS: u64 = 60_000;

/// How long an agent that reads its ask over HTTP counts as waiting after each read. Nothing tells
/// it how often to read.
const LOOKS_WITHIN: Duration = Duration::from_secs(5 * 60);

/// When the hub was last told that the agent of an ask still polls.
#[derive(Default)]
pub struct PollingAgents(Mutex<HashMap<AskId, Time>>);

impl PollingAgents {
    /// Ends a wait, and tells the hub to expect the agent on the same connection.
    pub fn leave(&self, id: &AskId, waiting: Waiter) {
        waiting.leave_for(BACK_WITHIN);
        self.note(id);
    }

    /// Ends a wait of an agent that may return over any connection and fetches the answer by the
    /// ask's id.
    pub fn leave_by_id(&self, id: &AskId, waiting: Waiter) {
        waiting.leave_and_reconnect(LOOKS_WITHIN);
        self.note(id);
    }

    fn note(&self, id: &AskId) {
        let mut told = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = clock::now();
        told.retain(|_, at| now.since_ms(*at) < 2 * TOLD_EVERY_MS);
        told.insert(id.clone(), now);
    }

    /// Whether to tell the hub again.
    pub fn is_due(&self, id: &AskId) -> bool {
        let told = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        told.get(id)
            .is_none_or(|at| clock::now().since_ms(*at) >= TOLD_EVERY_MS)
    }
}
