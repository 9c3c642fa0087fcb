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
pub struct Beat {
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
    ) -> Beat {
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
        Beat {
            number,
            keepalive: self.clone(),
        }
    }

    /// Sends progress for ever. `standing` says how far the person is with an ask.
    pub async fn run<F, Standing>(self, standing: F)
    where
        F: Fn(AskId) -> Standing,
        Standing: Future<Output = Option<String>>,
    {
        loop {
            while self.calls().is_empty() {
                self.begun.notified().await;
            }
            let mut ticks = interval_at(Instant::now() + EVERY, EVERY);
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            while !self.calls().is_empty() {
                ticks.tick().await;
                let due: Vec<(u64, AskId)> = self
                    .calls()
                    .iter()
                    .map(|(number, call)| (*number, call.ask.clone()))
                    .collect();
                for (number, ask) in due {
                    let message = standing(ask).await;
                    self.send(number, message).await;
                }
            }
        }
    }

    /// Sends one call's next notification, unless the call has ended meanwhile.
    async fn send(&self, number: u64, message: Option<String>) {
        let next = self.calls().get_mut(&number).map(|call| {
            call.sent += 1;
            if let Some(message) = message {
                call.message = message;
            }
            let progress = notification(&call.token, call.sent, &call.message);
            (call.peer.clone(), progress)
        });
        if let Some((peer, progress)) = next {
            let _ = peer.notify_progress(progress).await;
        }
    }

    fn calls(&self) -> MutexGuard<'_, HashMap<u64, Call>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Beat {
    fn drop(&mut self) {
        self.keepalive.calls().remove(&self.number);
    }
}

fn notification(token: &ProgressToken, sent: u32, message: &str) -> ProgressNotificationParam {
    ProgressNotificationParam::new(token.clone(), f64::from(sent)).with_message(message)
}
