//! Agents that poll: for tasks, or over HTTP for asks. None of their calls waits, so the hub is
//! notified that they will return.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use ask_config::clock;
use ask_core::{AskId, Time};

use crate::client::Waiter;

/// How long an agent may take to call again after a reply that asks for it. Models think for a
/// while first.
pub const RETURN_LIMIT: Duration = Duration::from_secs(2 * 60);

/// How often the hub is notified that an agent still polls, so that surfaces show the ask as waited
/// for.
const REPORT_INTERVAL_MS: u64 = 60_000;

/// How long an agent that reads its ask over HTTP counts as waiting after each read. The API
/// doesn't say how often to read.
const POLL_LIMIT: Duration = Duration::from_secs(5 * 60);

/// When the hub was last notified that the agent of an ask polls.
#[derive(Default)]
pub struct PollingAgents(Mutex<HashMap<AskId, Time>>);

impl PollingAgents {
    /// Ends a wait, and notifies the hub that the agent returns over the same connection.
    pub fn leave(&self, id: &AskId, waiter: Waiter) {
        waiter.leave_for(RETURN_LIMIT);
        self.record_report(id);
    }

    /// Ends a wait of an agent that returns over any connection and fetches the answer by the ask's
    /// id.
    pub fn leave_by_id(&self, id: &AskId, waiter: Waiter) {
        waiter.leave_and_reconnect(POLL_LIMIT);
        self.record_report(id);
    }

    fn record_report(&self, id: &AskId) {
        let mut reported = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = clock::now();
        reported.retain(|_, at| now.since_ms(*at) < 2 * REPORT_INTERVAL_MS);
        reported.insert(id.clone(), now);
    }

    /// Whether to notify the hub again.
    pub fn is_due(&self, id: &AskId) -> bool {
        let reported = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        reported
            .get(id)
            .is_none_or(|at| clock::now().since_ms(*at) >= REPORT_INTERVAL_MS)
    }
}
