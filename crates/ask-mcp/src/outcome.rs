//! The results of tool calls: at once, or after a person's answer.

use ask_hub::polling::BACK_WITHIN;
use std::time::Duration;

use ask_core::{Asker, Record, Time};
use ask_dialects::mcp_app::AFTERWARDS;
use ask_dialects::{Dialect, Word};
use ask_hub::client::{Client, DeliveredOutcome, Delivery, Waiter};
use ask_protocol::Reply;
use rmcp::model::CallToolResponse;
use tokio::time::{Instant, timeout_at};
use tracing::debug;

use super::elicitation::request::Shown;
use super::keepalive::ProgressTicker;

/// The result of a call.
pub struct ToolOutcome {
    /// What the agent reads.
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

/// The state of a call before a person is involved.
pub enum CallStart {
    /// The reply is ready.
    Replied(ToolOutcome),
    /// A person has to answer first.
    Waits(Waits),
    /// The response is not a tool result: a task or a request for input.
    Otherwise(Box<CallToolResponse>),
}

/// A waiting call.
pub struct Waits {
    pub dialect: &'static dyn Dialect,
    pub waiting: Waiter,
    /// When the agent asked. An answer from before that time is a late one.
    pub asked_at: Time,
    /// When to return without an outcome; `None` to wait for ever.
    pub end: Option<Box<End>>,
    pub is_fetch: bool,
    /// The client's own dialog, beside the other surfaces.
    pub dialog: Option<Shown>,
    pub _beat: Option<ProgressTicker>,
}

/// When a call returns without an outcome. The ask stays open.
pub struct End {
    /// After this time at the latest.
    pub limit: Option<Limit>,
    /// Whether the client pauses its time limit while its own dialog is open.
    pub pauses: bool,
    /// After no surface has been open for this long.
    pub patience: Option<(Duration, Client)>,
    /// The reply in that case.
    pub says: Reply,
}

/// The time limit of a call, by who set it.
#[derive(Clone, Copy)]
pub enum Limit {
    /// The agent wants to continue after this time.
    Agents(Duration),
    /// The client would give up after this time. The agent is told to call again, and does.
    Clients(Duration),
}

impl Limit {
    fn remaining(self) -> Duration {
        match self {
            Self::Agents(after) | Self::Clients(after) => after,
        }
    }

    /// The shorter of two limits.
    pub fn sooner(self, other: Option<Self>) -> Self {
        match other {
            Some(other) if other.remaining() < self.remaining() => other,
            _ => self,
        }
    }
}

impl Waits {
    pub async fn told(mut self) -> ToolOutcome {
        if let Some(end) = self.end.take() {
            return Box::pin(self.told_before(*end)).await;
        }
        let outcome = self.waiting.outcome().await;
        self.tell(outcome)
    }

    async fn told_before(mut self, end: End) -> ToolOutcome {
        let begun = Instant::now();
        let mut limit = end.limit.map(|limit| begun + limit.remaining());
        let mut look = end.patience.as_ref().map(|(every, _)| begun + *every);
        while let Some(until) = [limit, look].into_iter().flatten().min() {
            if let Ok(outcome) = timeout_at(until, self.waiting.outcome()).await {
                return self.tell(outcome);
            }
            if limit == Some(until) && end.pauses && self.is_in_a_dialog() {
                limit = end.limit.map(|limit| until + limit.remaining());
                continue;
            }
            if limit == Some(until) {
                if let Some(Limit::Clients(_)) = end.limit {
                    self.waiting.leave_for(BACK_WITHIN);
                }
                return end.says.into();
            }
            look = match &end.patience {
                None => None,
                Some((patience, _)) if self.is_in_a_dialog() => Some(until + *patience),
                Some((patience, hub)) => {
                    let alone = offline_delay(hub).await.min(begun.elapsed());
                    if alone >= *patience {
                        return end.says.into();
                    }
                    Some(Instant::now() + (*patience - alone))
                }
            };
        }
        let outcome = self.waiting.outcome().await;
        self.tell(outcome)
    }

    fn is_in_a_dialog(&self) -> bool {
        self.dialog.as_ref().is_some_and(Shown::stands)
    }

    fn tell(&self, outcome: anyhow::Result<DeliveredOutcome>) -> ToolOutcome {
        match outcome {
            Ok(DeliveredOutcome { record, missed }) => {
                debug!("{}", record.state_word());
                let missed = missed.then(|| Box::new(record.asker.clone()));
                let late = record
                    .settlement()
                    .is_some_and(|settlement| settlement.at < self.asked_at);
                let told = if self.is_fetch || late {
                    fetched(self.dialect, &[record])
                } else {
                    closed(self.dialect, &record)
                };
                ToolOutcome { missed, ..told }
            }
            Err(error) => failed(self.dialect, &error),
        }
    }
}

/// For how long no surface has been open. If the hub can't report it, zero: there may be one.
async fn offline_delay(hub: &Client) -> Duration {
    let status = hub.status().await;
    status.map_or(Duration::ZERO, |status| {
        Duration::from_millis(status.alone_ms)
    })
}

/// What an agent must know when opening its ask failed, because silence is no answer.
pub(crate) const NOT_ASKED: &str = "the question could not be asked, and nobody has seen it";

fn closed(dialect: &dyn Dialect, record: &Record) -> ToolOutcome {
    ToolOutcome {
        delivers: vec![Delivery::from(record)],
        ..dialect.write(Word::Closed(record)).into()
    }
}

pub(crate) fn fetched(dialect: &dyn Dialect, records: &[Record]) -> ToolOutcome {
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
pub(crate) fn still_waits(dialect: &dyn Dialect, record: &Record) -> Reply {
    let mut reply = dialect.write(Word::Open(record));
    reply.mention = dialect.still_waits(record);
    reply
}

/// The reply of a call whose client shows its card only after the call has returned.
pub(crate) fn answered_afterwards(dialect: &dyn Dialect, record: &Record) -> Reply {
    let mut reply = dialect.write(Word::Open(record));
    reply.mention = Some(AFTERWARDS.to_owned());
    reply
}

pub(crate) fn failed(dialect: &dyn Dialect, error: &anyhow::Error) -> ToolOutcome {
    dialect.write(Word::Failed(&format!("{error:#}"))).into()
}
