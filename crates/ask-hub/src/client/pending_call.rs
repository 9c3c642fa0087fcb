//! A waiter's end of an ask: its outcome, whenever that comes, the word that
//! it was told, and ways to leave.

use std::sync::Arc;
use std::time::Duration;

use ask_core::{AskId, Record};
use ask_protocol::ipc::{Fault, Request, Response};
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use super::actor::Command;
use super::{Checked as _, Client, gone, unexpected};

/// How long a client insists that an outcome was delivered.
const INSISTENCE: Duration = Duration::from_secs(20);
const BETWEEN_TRIES: Duration = Duration::from_millis(200);

/// An outcome as a waiter is told it.
pub struct Ended {
    /// How it ended.
    pub record: Record,
    /// Whether its asker has not been told of other outcomes.
    pub missed: bool,
}

/// An outcome that is being waited for. Dropping it stops the waiting, not the ask.
pub struct Waiting {
    pub(super) number: u64,
    pub(super) id: Option<AskId>,
    pub(super) outcome: Option<oneshot::Receiver<Response>>,
    pub(super) commands: mpsc::UnboundedSender<Command>,
}

impl Waiting {
    /// Which ask it is, unless the outcome came at once.
    pub fn id(&self) -> Option<&AskId> {
        self.id.as_ref()
    }

    /// The outcome, whenever it comes. May be called again after being dropped half-way.
    pub async fn outcome(&mut self) -> anyhow::Result<Ended> {
        let Some(outcome) = self.outcome.as_mut() else {
            return Err(gone());
        };
        let response = outcome.await;
        self.outcome = None;
        match response.map_err(|_| gone())?.checked()? {
            Response::Told { record, missed } => Ok(Ended {
                record: Arc::unwrap_or_clone(record),
                missed,
            }),
            other => Err(unexpected(&other)),
        }
    }

    /// Stops waiting for a while: the agent calls again, and until then the person sees it waiting.
    pub fn leave_for(mut self, a_while: Duration) {
        self.leave(a_while, false);
    }

    /// The same, where the agent comes back with another command: this one ends. What is said here
    /// is heard before whatever is asked of the hub next.
    pub fn leave_for_another(mut self, a_while: Duration) {
        self.leave(a_while, true);
    }

    fn leave(&mut self, a_while: Duration, elsewhere: bool) {
        if self.outcome.take().is_some() {
            let _ = self.commands.send(Command::Leave {
                number: self.number,
                back_ms: u64::try_from(a_while.as_millis()).unwrap_or(u64::MAX),
                elsewhere,
            });
        }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.leave(Duration::ZERO, false);
    }
}

/// That an outcome was told: of which ask, and whose attempt's. An answer that took the place of the
/// clock's word is thereby not told yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// Of which ask.
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
    /// Says that an outcome was written to a waiter that still stood, and says it again for a while
    /// where the hub can't keep it: its disk may be full.
    pub async fn delivered(&self, told: impl Into<Delivery>) -> anyhow::Result<()> {
        self.notes(told.into()).await.map(drop)
    }

    /// Tells the hub that an outcome was delivered, and returns whether it didn't know. It is sent at once,
    /// before whatever the agent says next: otherwise another hub could offer the outcome again.
    pub fn notes(
        &self,
        Delivery { id, attempt }: Delivery,
    ) -> impl Future<Output = anyhow::Result<bool>> + use<> {
        let request = Request::Delivered { id, attempt };
        let (reply, response) = oneshot::channel();
        self.send(request.clone(), false, None, reply);
        self.clone().until_kept(request, response)
    }

    async fn until_kept(
        self,
        request: Request,
        mut response: oneshot::Receiver<Response>,
    ) -> anyhow::Result<bool> {
        let until = Instant::now() + INSISTENCE;
        loop {
            let said = response.await.map_err(|_| gone())?;
            let is_kept = !matches!(
                said,
                Response::Fault {
                    kind: Fault::Store,
                    ..
                }
            );
            if is_kept || Instant::now() >= until {
                let noted = said.checked()?;
                return Ok(matches!(noted, Response::Done { count } if count > 0));
            }
            tokio::time::sleep_until(Instant::now() + BETWEEN_TRIES).await;
            let (reply, next) = oneshot::channel();
            self.send(request.clone(), false, None, reply);
            response = next;
        }
    }

    /// Says that an outcome was not written, because its waiter left at that moment.
    pub async fn not_delivered(&self, id: &AskId) -> anyhow::Result<()> {
        self.call(Request::NotDelivered { id: id.clone() }).await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc;

    use super::*;
    use crate::in_process::Ours;

    #[tokio::test]
    async fn that_an_outcome_was_told_is_said_before_what_its_agent_says_next() {
        let (requests, mut asked) = mpsc::unbounded_channel();
        let (_says, said) = mpsc::unbounded_channel();
        let client = Client::within(Ours { requests, said });
        let id = AskId::parse("a_0123456789abcdef").unwrap();
        let told = Delivery {
            id,
            attempt: Some(1),
        };
        // Nobody has looked at it yet.
        let _noted = client.notes(told);
        let _next = client.call(Request::Status);
        let (_, first) = asked.recv().await.unwrap();
        assert!(matches!(first, Request::Delivered { .. }), "{first:?}");
    }
}
