//! A waiter's end of an ask: its outcome, whenever that comes, and ways to leave.

use std::time::Duration;

use ask_core::dialect::wire::Response;
use ask_core::{AskId, Record};
use tokio::sync::{mpsc, oneshot};

use super::task::Command;
use super::{Checked as _, gone, unexpected};

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
                record: *record,
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
