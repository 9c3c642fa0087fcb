//! A waiter's end of an ask: its outcome, the acknowledgement that the outcome was delivered, and
//! the ways to stop waiting.

use std::sync::Arc;
use std::time::Duration;

use ask_core::{AskId, Record};
use ask_protocol::ipc::{ErrorKind, Request, Response};
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use super::actor::Command;
use super::{Checked as _, Client, gone, unexpected};

/// How long a command repeats that an outcome was delivered while the hub can't store it.
const INSISTENCE: Duration = Duration::from_secs(20);
const BETWEEN_TRIES: Duration = Duration::from_millis(200);

/// An outcome, as the hub sends it to a waiter.
pub struct DeliveredOutcome {
    /// The closed record.
    pub record: Record,
    /// Whether other outcomes of the same asker are undelivered.
    pub missed: bool,
}

/// A wait for an outcome. Dropping it ends the wait and leaves the ask open.
pub struct Waiter {
    pub(super) number: u64,
    pub(super) id: Option<AskId>,
    pub(super) outcome: Option<oneshot::Receiver<Response>>,
    pub(super) commands: mpsc::UnboundedSender<Command>,
}

impl Waiter {
    /// The ask's id; `None` if the outcome was the first response.
    pub fn id(&self) -> Option<&AskId> {
        self.id.as_ref()
    }

    /// Resolves to the outcome. Cancel-safe: it may be called again after its future was dropped.
    pub async fn outcome(&mut self) -> anyhow::Result<DeliveredOutcome> {
        let Some(outcome) = self.outcome.as_mut() else {
            return Err(gone());
        };
        let response = outcome.await;
        self.outcome = None;
        match response.map_err(|_| gone())?.checked()? {
            Response::Outcome { record, missed } => Ok(DeliveredOutcome {
                record: Arc::unwrap_or_clone(record),
                missed,
            }),
            other => Err(unexpected(&other)),
        }
    }

    /// Stops waiting because the agent will call again within `a_while`. Until then the ask counts
    /// as waited for.
    pub fn leave_for(mut self, a_while: Duration) {
        self.leave(a_while, false);
    }

    /// Like [`Self::leave_for`], for an agent that returns with another command over a new
    /// connection. The hub receives this message before any later request of this client.
    pub fn leave_and_reconnect(mut self, a_while: Duration) {
        self.leave(a_while, true);
    }

    fn leave(&mut self, a_while: Duration, elsewhere: bool) {
        if self.outcome.take().is_some() {
            // Without the client's task the connection is closed, which ends the wait as well.
            let _ = self.commands.send(Command::Leave {
                number: self.number,
                back_ms: u64::try_from(a_while.as_millis()).unwrap_or(u64::MAX),
                elsewhere,
            });
        }
    }
}

impl Drop for Waiter {
    fn drop(&mut self) {
        self.leave(Duration::ZERO, false);
    }
}

/// Acknowledges that an outcome was delivered. It names the attempt, because a late answer may have
/// replaced an expiry: that answer is then still undelivered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// The ask whose outcome was delivered.
    pub id: AskId,
    attempt: Option<u64>,
}

impl From<&Record> for Delivery {
    fn from(record: &Record) -> Self {
        Self {
            id: record.id.clone(),
            attempt: record.settlement().map(|settlement| settlement.attempt),
        }
    }
}

impl Client {
    /// Acknowledges a delivery. Repeats this for 20 seconds while the hub can't store it, for example
    /// on a full disk.
    ///
    /// # Errors
    /// The hub could not be reached or could not store it in that time.
    pub async fn delivered(&self, told: impl Into<Delivery>) -> anyhow::Result<()> {
        let until = Instant::now() + INSISTENCE;
        self.acknowledge(told.into(), Some(until)).await.map(drop)
    }

    /// Acknowledges a delivery, and returns whether it was new to the hub. The request is sent at
    /// once, before the agent's next request: otherwise another hub could deliver the outcome
    /// again. It is repeated until a hub has stored it or the future is dropped.
    pub fn notes(&self, told: Delivery) -> impl Future<Output = anyhow::Result<bool>> + use<> {
        self.acknowledge(told, None)
    }

    fn acknowledge(
        &self,
        Delivery { id, attempt }: Delivery,
        until: Option<Instant>,
    ) -> impl Future<Output = anyhow::Result<bool>> + use<> {
        let request = Request::Delivered { id, attempt };
        let (reply, response) = oneshot::channel();
        self.send(request.clone(), until.is_none(), None, reply);
        self.clone().until_stored(request, response, until)
    }

    async fn until_stored(
        self,
        request: Request,
        mut response: oneshot::Receiver<Response>,
        until: Option<Instant>,
    ) -> anyhow::Result<bool> {
        loop {
            match response.await.map_err(|_| gone())? {
                Response::Fault {
                    kind: ErrorKind::Store,
                    ..
                } if until.is_none_or(|until| Instant::now() < until) => {}
                said => {
                    let noted = said.checked()?;
                    return Ok(matches!(noted, Response::Done { count } if count > 0));
                }
            }
            tokio::time::sleep_until(Instant::now() + BETWEEN_TRIES).await;
            let (reply, next) = oneshot::channel();
            self.send(request.clone(), until.is_none(), None, reply);
            response = next;
        }
    }

    /// Reports that an outcome was not written because its waiter left at that moment.
    pub async fn not_delivered(&self, id: &AskId) -> anyhow::Result<()> {
        self.call(Request::NotDelivered { id: id.clone() }).await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::in_process::pair;

    fn delivery() -> Delivery {
        Delivery {
            id: AskId::parse("a_0123456789abcdef").unwrap(),
            attempt: Some(1),
        }
    }

    #[tokio::test]
    async fn that_an_outcome_was_told_is_said_before_what_its_agent_says_next() {
        let (ours, mut hub) = pair();
        let client = Client::in_process(ours);
        // The future has not been polled yet: the request was sent nevertheless.
        let _noted = client.notes(delivery());
        let _next = client.call(Request::Status);
        let (_, first) = hub.requests.recv().await.unwrap();
        assert!(matches!(first, Request::Delivered { .. }), "{first:?}");
    }

    #[tokio::test]
    async fn a_delivery_is_acknowledged_again_until_the_hub_can_store_it() {
        let (ours, mut hub) = pair();
        let client = Client::in_process(ours);
        let noted = tokio::spawn(client.notes(delivery()));
        for _ in 0..3 {
            let (number, _) = hub.requests.recv().await.unwrap();
            let full = Response::Fault {
                kind: ErrorKind::Store,
                text: "the disk is full".to_owned(),
            };
            hub.said.send((number, full)).unwrap();
        }
        let (number, _) = hub.requests.recv().await.unwrap();
        hub.said
            .send((number, Response::Done { count: 1 }))
            .unwrap();
        assert!(noted.await.unwrap().unwrap());
    }
}
