//! The results of tool calls: at once, or after a person's answer.

use ask_hub::polling::RETURN_LIMIT;
use std::time::Duration;

use ask_core::{Asker, Record, Time};
use ask_dialects::mcp_app::AFTERWARDS;
use ask_dialects::{Dialect, Word};
use ask_hub::client::{Client, DeliveredOutcome, Delivery, Waiter};
use ask_protocol::Reply;
use rmcp::model::CallToolResponse;
use tokio::time::{Instant, timeout_at};
use tracing::debug;

use super::elicitation::request::OpenDialog;
use super::keepalive::CallProgress;

/// The result of a call.
pub(crate) struct ToolOutcome {
    /// The reply that the agent reads.
    pub reply: Reply,
    /// The outcomes that count as delivered once the reply is received.
    pub delivers: Vec<Delivery>,
    /// The asker, if it has other undelivered outcomes.
    pub missed: Option<Box<Asker>>,
}

impl From<Reply> for ToolOutcome {
    fn from(reply: Reply) -> Self {
        Self {
            reply,
            delivers: Vec::new(),
            missed: None,
        }
    }
}

/// The state of a call after its ask was opened or fetched.
pub(crate) enum CallStart {
    /// The reply is ready.
    Replied(ToolOutcome),
    /// The call waits for a person's answer.
    Waiting(WaitingCall),
    /// The response is no tool result: a task or a request for input.
    OtherResponse(Box<CallToolResponse>),
}

pub(crate) struct WaitingCall {
    pub dialect: &'static dyn Dialect,
    pub waiting: Waiter,
    /// When the agent asked. An answer from before that time is late.
    pub asked_at: Time,
    /// When to return without an outcome; `None` to wait for ever.
    pub end: Option<Box<WaitLimit>>,
    pub is_fetch: bool,
    /// The client's own dialog, beside the other surfaces.
    pub dialog: Option<OpenDialog>,
    pub _progress: Option<CallProgress>,
}

/// When a call returns without an outcome. The ask stays open.
pub(crate) struct WaitLimit {
    /// After this time at the latest.
    pub limit: Option<Limit>,
    /// Whether the client pauses its time limit while its own dialog is open.
    pub pauses_in_dialog: bool,
    /// After this time without an open surface, which the hub reports.
    pub patience: Option<(Duration, Client)>,
    /// The reply in that case.
    pub reply: Reply,
}

/// The time limit of a call, by who set it.
#[derive(Clone, Copy)]
pub(crate) enum Limit {
    /// The agent wants to continue after this time.
    Agent(Duration),
    /// The client would give up after this time. The reply asks the agent to call again.
    Client(Duration),
}

impl Limit {
    fn remaining(self) -> Duration {
        match self {
            Self::Agent(after) | Self::Client(after) => after,
        }
    }

    /// The shorter of two limits.
    pub(crate) fn shorter(self, other: Option<Self>) -> Self {
        match other {
            Some(other) if other.remaining() < self.remaining() => other,
            _ => self,
        }
    }
}

impl WaitingCall {
    pub(crate) async fn result(mut self) -> ToolOutcome {
        if let Some(end) = self.end.take() {
            return Box::pin(self.result_before(*end)).await;
        }
        let outcome = self.waiting.outcome().await;
        self.outcome_result(outcome)
    }

    async fn result_before(mut self, end: WaitLimit) -> ToolOutcome {
        let started_at = Instant::now();
        let mut limit = end.limit.map(|limit| started_at + limit.remaining());
        let mut patience_check = end.patience.as_ref().map(|(every, _)| started_at + *every);
        while let Some(until) = [limit, patience_check].into_iter().flatten().min() {
            if let Ok(outcome) = timeout_at(until, self.waiting.outcome()).await {
                return self.outcome_result(outcome);
            }
            if limit == Some(until) && end.pauses_in_dialog && self.is_dialog_open() {
                limit = end.limit.map(|limit| until + limit.remaining());
                continue;
            }
            if limit == Some(until) {
                if let Some(Limit::Client(_)) = end.limit {
                    self.waiting.leave_for(RETURN_LIMIT);
                }
                return end.reply.into();
            }
            patience_check = match &end.patience {
                None => None,
                Some((patience, _)) if self.is_dialog_open() => Some(until + *patience),
                Some((patience, hub)) => {
                    let without_surface = time_without_surface(hub).await.min(started_at.elapsed());
                    if without_surface >= *patience {
                        return end.reply.into();
                    }
                    Some(Instant::now() + (*patience - without_surface))
                }
            };
        }
        let outcome = self.waiting.outcome().await;
        self.outcome_result(outcome)
    }

    fn is_dialog_open(&self) -> bool {
        self.dialog.as_ref().is_some_and(OpenDialog::is_open)
    }

    fn outcome_result(&self, outcome: anyhow::Result<DeliveredOutcome>) -> ToolOutcome {
        match outcome {
            Ok(DeliveredOutcome { record, missed }) => {
                debug!("{}", record.state_word());
                let missed = missed.then(|| Box::new(record.asker.clone()));
                let is_earlier = self.waiting.is_earlier(&record, self.asked_at);
                let result = if self.is_fetch || is_earlier {
                    fetched_result(self.dialect, &[record])
                } else {
                    closed_result(self.dialect, &record)
                };
                ToolOutcome { missed, ..result }
            }
            Err(error) => failed_result(self.dialect, &error),
        }
    }
}

/// For how long no surface has been open. Zero if the hub can't report it, because one may be open.
async fn time_without_surface(hub: &Client) -> Duration {
    let status = hub.status().await;
    status.map_or(Duration::ZERO, |status| {
        Duration::from_millis(status.alone_ms)
    })
}

/// The error for an ask that could not be opened. The agent must not take the failure for an
/// answer.
pub(crate) const NOT_ASKED: &str = "the question could not be asked, and nobody has seen it";

fn closed_result(dialect: &dyn Dialect, record: &Record) -> ToolOutcome {
    ToolOutcome {
        delivers: vec![Delivery::from(record)],
        ..dialect.write(Word::Closed(record)).into()
    }
}

pub(crate) fn fetched_result(dialect: &dyn Dialect, records: &[Record]) -> ToolOutcome {
    ToolOutcome {
        delivers: records
            .iter()
            .filter(|record| !record.is_open())
            .map(Delivery::from)
            .collect(),
        ..dialect.write(Word::Fetched(records)).into()
    }
}

/// The reply of a call that returns before the person has answered.
pub(crate) fn still_open_reply(dialect: &dyn Dialect, record: &Record) -> Reply {
    let mut reply = dialect.write(Word::Open(record));
    reply.mention = dialect.still_waits(record);
    reply
}

/// The reply of a call whose client shows its card only after the call has returned.
pub(crate) fn answered_later_reply(dialect: &dyn Dialect, record: &Record) -> Reply {
    let mut reply = dialect.write(Word::Open(record));
    reply.mention = Some(AFTERWARDS.to_owned());
    reply
}

pub(crate) fn failed_result(dialect: &dyn Dialect, error: &anyhow::Error) -> ToolOutcome {
    dialect.write(Word::Failed(&format!("{error:#}"))).into()
}
