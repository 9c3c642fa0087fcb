//! Progress notifications (MCP's `progress` utility) of waiting calls: one at once, then one every
//! 15 seconds. One timer serves all calls, and only runs while a call has requested progress.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ask_core::AskId;
use rmcp::RoleServer;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::Peer;
use tokio::sync::Notify;
use tokio::time::{Instant, MissedTickBehavior, interval_at};

/// Half of the shortest idle limit among the clients that we know.
const INTERVAL: Duration = Duration::from_secs(15);

/// The calls that requested progress.
#[derive(Clone, Default)]
pub(crate) struct Keepalive {
    calls: Arc<Mutex<HashMap<u64, TrackedCall>>>,
    call_added: Arc<Notify>,
}

/// The progress of one call. Dropping it stops the notifications.
pub(crate) struct CallProgress {
    number: u64,
    keepalive: Keepalive,
}

struct TrackedCall {
    ask: AskId,
    peer: Peer<RoleServer>,
    token: ProgressToken,
    sent: u32,
    message: String,
}

impl Keepalive {
    /// Adds a call, and sends its first notification.
    pub(crate) async fn add_call(
        &self,
        number: u64,
        ask: AskId,
        peer: Peer<RoleServer>,
        token: ProgressToken,
        message: String,
    ) -> CallProgress {
        let first = notification(&token, 0, &message);
        let call = TrackedCall {
            ask,
            peer: peer.clone(),
            token,
            sent: 0,
            message,
        };
        self.calls().insert(number, call);
        self.call_added.notify_one();
        // A client that is gone needs no progress.
        let _ = peer.notify_progress(first).await;
        CallProgress {
            number,
            keepalive: self.clone(),
        }
    }

    /// Sends progress for ever. `changes` returns the progress texts of the asks that changed since
    /// it was called before.
    pub(crate) async fn run<F, Changes>(self, changes: F)
    where
        F: Fn() -> Changes,
        Changes: Future<Output = Vec<(AskId, String)>>,
    {
        loop {
            while self.calls().is_empty() {
                self.call_added.notified().await;
            }
            let mut ticks = interval_at(Instant::now() + INTERVAL, INTERVAL);
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            while !self.calls().is_empty() {
                ticks.tick().await;
                self.update_messages(changes().await);
                for (peer, progress) in self.next_notifications() {
                    // A client that is gone needs no progress.
                    let _ = peer.notify_progress(progress).await;
                }
            }
        }
    }

    fn update_messages(&self, changes: Vec<(AskId, String)>) {
        let mut calls = self.calls();
        for (ask, message) in changes {
            for call in calls.values_mut().filter(|call| call.ask == ask) {
                call.message.clone_from(&message);
            }
        }
    }

    fn next_notifications(&self) -> Vec<(Peer<RoleServer>, ProgressNotificationParam)> {
        self.calls()
            .values_mut()
            .map(|call| {
                call.sent += 1;
                let progress = notification(&call.token, call.sent, &call.message);
                (call.peer.clone(), progress)
            })
            .collect()
    }

    fn calls(&self) -> MutexGuard<'_, HashMap<u64, TrackedCall>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CallProgress {
    /// Replaces the ask whose progress is sent, because the call took up an open one.
    pub(crate) fn follow(&self, ask: &AskId) {
        if let Some(call) = self.keepalive.calls().get_mut(&self.number) {
            call.ask.clone_from(ask);
        }
    }
}

impl Drop for CallProgress {
    fn drop(&mut self) {
        self.keepalive.calls().remove(&self.number);
    }
}

fn notification(token: &ProgressToken, sent: u32, message: &str) -> ProgressNotificationParam {
    ProgressNotificationParam::new(token.clone(), f64::from(sent)).with_message(message)
}
