//! Progress notifications (MCP's `progress` utility) of waiting calls: one at once, then one every
//! 15 seconds. One timer serves all calls, and it only runs while a call wants progress.

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
const EVERY: Duration = Duration::from_secs(15);

/// All calls that want progress.
#[derive(Clone, Default)]
pub struct Keepalive {
    calls: Arc<Mutex<HashMap<u64, Call>>>,
    begun: Arc<Notify>,
}

/// The progress of one call. Dropping it stops the notifications.
pub struct ProgressTicker {
    number: u64,
    keepalive: Keepalive,
}

struct Call {
    ask: AskId,
    peer: Peer<RoleServer>,
    token: ProgressToken,
    sent: u32,
    message: String,
}

impl Keepalive {
    /// Begins progress for a call; the first notification is sent at once.
    pub async fn begin(
        &self,
        number: u64,
        ask: AskId,
        peer: Peer<RoleServer>,
        token: ProgressToken,
        message: String,
    ) -> ProgressTicker {
        let first = notification(&token, 0, &message);
        let call = Call {
            ask,
            peer: peer.clone(),
            token,
            sent: 0,
            message,
        };
        self.calls().insert(number, call);
        self.begun.notify_one();
        // A client that is gone needs no progress.
        let _ = peer.notify_progress(first).await;
        ProgressTicker {
            number,
            keepalive: self.clone(),
        }
    }

    /// Sends progress for ever. `news` returns the progress of asks that changed since its last
    /// call.
    pub async fn run<F, News>(self, news: F)
    where
        F: Fn() -> News,
        News: Future<Output = Vec<(AskId, String)>>,
    {
        loop {
            while self.calls().is_empty() {
                self.begun.notified().await;
            }
            let mut ticks = interval_at(Instant::now() + EVERY, EVERY);
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            while !self.calls().is_empty() {
                ticks.tick().await;
                self.hear(news().await);
                for (peer, progress) in self.due() {
                    // A client that is gone needs no progress.
                    let _ = peer.notify_progress(progress).await;
                }
            }
        }
    }

    fn hear(&self, news: Vec<(AskId, String)>) {
        let mut calls = self.calls();
        for (ask, message) in news {
            for call in calls.values_mut().filter(|call| call.ask == ask) {
                call.message.clone_from(&message);
            }
        }
    }

    fn due(&self) -> Vec<(Peer<RoleServer>, ProgressNotificationParam)> {
        self.calls()
            .values_mut()
            .map(|call| {
                call.sent += 1;
                let progress = notification(&call.token, call.sent, &call.message);
                (call.peer.clone(), progress)
            })
            .collect()
    }

    fn calls(&self) -> MutexGuard<'_, HashMap<u64, Call>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ProgressTicker {
    /// Follows another ask: the call took up one that was open already.
    pub fn follow(&self, ask: &AskId) {
        if let Some(call) = self.keepalive.calls().get_mut(&self.number) {
            call.ask.clone_from(ask);
        }
    }
}

impl Drop for ProgressTicker {
    fn drop(&mut self) {
        self.keepalive.calls().remove(&self.number);
    }
}

fn notification(token: &ProgressToken, sent: u32, message: &str) -> ProgressNotificationParam {
    ProgressNotificationParam::new(token.clone(), f64::from(sent)).with_message(message)
}
