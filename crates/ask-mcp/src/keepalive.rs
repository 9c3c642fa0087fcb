//! Progress for calls that wait: one notification at once, then one every fifteen
//! seconds for as long as the call stands. One timer serves all calls, and there is
//! none while no call has asked for progress.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ask_core::AskId;
use rmcp::RoleServer;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::Peer;
use tokio::sync::Notify;
use tokio::time::{Instant, MissedTickBehavior, interval_at};

/// The shortest idle limit of a client that we know of is twice as long.
const EVERY: Duration = Duration::from_secs(15);

/// All calls that want progress.
#[derive(Clone, Default)]
pub struct Keepalive {
    calls: Arc<Mutex<HashMap<u64, Call>>>,
    begun: Arc<Notify>,
}

/// One call's progress. It stops when this is dropped.
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
    /// Begins to send progress for a call, the first at once.
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
        let _ = peer.notify_progress(first).await;
        ProgressTicker {
            number,
            keepalive: self.clone(),
        }
    }

    /// Sends progress for ever. `news` says what has become of asks since the last time it was asked.
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
    /// The call turned out to be about another ask.
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
