//! A waiter's end of an ask: its outcome, the acknowledgement that the outcome was delivered, and
//! the ways to stop waiting.

use std::sync::Arc;
use std::time::Duration;

use ask_core::{AskId, Record, Time};
use ask_protocol::ipc::{Request, Response};
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use super::actor::{Command, Retry};
use super::{Checked as _, Client, hub_unreachable, unexpected_response};

/// How long a command retries an acknowledgement that the hub can't store.
const RETRY_LIMIT: Duration = Duration::from_secs(20);

/// An outcome, as the hub sends it to a waiter.
pub struct DeliveredOutcome {
    /// The record, with its settlement.
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

    /// Whether this outcome was given before the call, which was made at `asked_at`. A call that
    /// waited has its own outcome, however the clock was changed meanwhile.
    pub fn is_earlier(&self, outcome: &Record, asked_at: Time) -> bool {
        let settlement = outcome.settlement();
        self.id.is_none() && settlement.is_some_and(|settlement| settlement.at < asked_at)
    }

    /// Resolves to the outcome. Cancel-safe: it may be called again after its future was dropped.
    pub async fn outcome(&mut self) -> anyhow::Result<DeliveredOutcome> {
        let Some(outcome) = self.outcome.as_mut() else {
            return Err(hub_unreachable());
        };
        let response = outcome.await;
        self.outcome = None;
        match response.map_err(|_| hub_unreachable())?.checked()? {
            Response::Outcome { record, missed } => Ok(DeliveredOutcome {
                record: Arc::unwrap_or_clone(record),
                missed,
            }),
            other => Err(unexpected_response(&other)),
        }
    }

    /// Stops waiting because the agent will call again within `duration`. Until then the ask counts
    /// as waited for.
    pub fn leave_for(mut self, duration: Duration) {
        self.leave(duration, false);
    }

    /// Like [`Self::leave_for`], for an agent that returns with another command over a new
    /// connection. The hub receives this message before any later request of this client.
    pub fn leave_and_reconnect(mut self, duration: Duration) {
        self.leave(duration, true);
    }

    fn leave(&mut self, duration: Duration, elsewhere: bool) {
        if self.outcome.take().is_some() {
            // Without the client's task the connection is closed, which ends the wait as well.
            let _ = self.commands.send(Command::Leave {
                number: self.number,
                back_ms: u64::try_from(duration.as_millis()).unwrap_or(u64::MAX),
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

/// The acknowledgement of a delivered outcome. It names the attempt that closed the ask: if a late
/// answer has replaced an expiry meanwhile, the late answer stays undelivered.
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
    /// Acknowledges a delivery. Retries for 20 seconds while the hub can't store it, for example
    /// because the disk is full.
    ///
    /// # Errors
    /// The hub could not be reached or could not store it in that time.
    pub async fn delivered(&self, delivery: impl Into<Delivery>) -> anyhow::Result<()> {
        let until = Instant::now() + RETRY_LIMIT;
        self.send_acknowledgement(delivery.into(), Some(until))
            .await
            .map(drop)
    }

    /// Acknowledges a delivery, and returns whether it was new to the hub. The request is sent at
    /// once, and to another hub before all other requests: otherwise that hub could deliver the
    /// outcome again. It is repeated until a hub has stored it or the future is dropped.
    pub fn acknowledge_until_stored(
        &self,
        delivery: Delivery,
    ) -> impl Future<Output = anyhow::Result<bool>> + use<> {
        self.send_acknowledgement(delivery, None)
    }

    fn send_acknowledgement(
        &self,
        Delivery { id, attempt }: Delivery,
        until: Option<Instant>,
    ) -> impl Future<Output = anyhow::Result<bool>> + use<> {
        let (reply, response) = oneshot::channel();
        let request = Request::Delivered { id, attempt };
        self.submit(request, Retry::UntilStored(until), None, reply);
        async move {
            let response = response.await.map_err(|_| hub_unreachable())?.checked()?;
            Ok(matches!(response, Response::Done { count } if count > 0))
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
    use ask_protocol::ipc::ErrorKind;

    use super::super::Link;
    use super::*;
    use crate::in_process::connection_pair;

    fn delivery() -> Delivery {
        Delivery {
            id: AskId::parse("a_0123456789abcdef").unwrap(),
            attempt: Some(1),
        }
    }

    #[tokio::test]
    async fn an_acknowledgement_is_sent_before_the_next_request() {
        let (client_end, mut hub) = connection_pair();
        let client = Client::in_process(client_end);
        // The future has not been polled yet: the request was sent nevertheless.
        let _noted = client.acknowledge_until_stored(delivery());
        let _next = client.call(Request::Status);
        let (_, first) = hub.requests.recv().await.unwrap();
        assert!(matches!(first, Request::Delivered { .. }), "{first:?}");
    }

    #[tokio::test]
    async fn another_hub_receives_a_refused_acknowledgement_before_earlier_calls() {
        let (client_end, mut hub) = connection_pair();
        let client = Client::in_process(client_end);
        let _asked = client.call(Request::Status);
        let _acknowledged = client.acknowledge_until_stored(delivery());
        hub.requests.recv().await.unwrap();
        let (number, _) = hub.requests.recv().await.unwrap();
        let full = Response::Fault {
            kind: ErrorKind::Store,
            text: "the disk is full".to_owned(),
        };
        hub.responses.send((number, full)).unwrap();

        let (client_end, mut next_hub) = connection_pair();
        client.switch_to(Link::InProcess(client_end));
        let (_, first) = next_hub.requests.recv().await.unwrap();
        assert!(matches!(first, Request::Delivered { .. }), "{first:?}");
        let (_, second) = next_hub.requests.recv().await.unwrap();
        assert!(matches!(second, Request::Status), "{second:?}");
    }

    #[tokio::test]
    async fn a_delivery_is_acknowledged_again_until_the_hub_can_store_it() {
        let (client_end, mut hub) = connection_pair();
        let client = Client::in_process(client_end);
        let acknowledged = tokio::spawn(client.acknowledge_until_stored(delivery()));
        for _ in 0..3 {
            let (number, _) = hub.requests.recv().await.unwrap();
            let full = Response::Fault {
                kind: ErrorKind::Store,
                text: "the disk is full".to_owned(),
            };
            hub.responses.send((number, full)).unwrap();
        }
        let (number, _) = hub.requests.recv().await.unwrap();
        hub.responses
            .send((number, Response::Done { count: 1 }))
            .unwrap();
        assert!(acknowledged.await.unwrap().unwrap());
    }
}
