//! What an agent is told: at once, or when its person has answered.

use ask_hub::polling::BACK_WITHIN;
use std::time::Duration;

use ask_core::{Asker, Record, Time};
use ask_dialects::mcp_app::AFTERWARDS;
use ask_dialects::{Dialect, Word};
use ask_hub::client::{Client, Delivery, Ended, Waiting};
use ask_protocol::Reply;
use rmcp::model::CallToolResponse;
use tokio::time::{Instant, timeout_at};
use tracing::debug;

use super::elicitation::request::Shown;
use super::keepalive::ProgressTicker;

/// What a call comes to.
pub struct ToolOutcome {
    /// What the agent reads.
    pub reply: Reply,
    /// What it is thereby told.
    pub delivers: Vec<Delivery>,
    /// Whose other outcomes the hub keeps, because they have not been told.
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

/// A call as far as it got without a person.
pub enum CallStart {
    /// There is a reply already.
    Replied(ToolOutcome),
    /// A person has to answer first.
    Waits(Waits),
    /// The protocol has a reply of its own for what comes next.
    Otherwise(Box<CallToolResponse>),
}

/// A call that waits.
pub struct Waits {
    pub dialect: &'static dyn Dialect,
    pub waiting: Waiting,
    /// When the agent asked: an answer given before that is a late one.
    pub asked_at: Time,
    /// Where the call doesn't wait for ever.
    pub end: Option<Box<End>>,
    pub is_fetch: bool,
    /// The client's own dialog, beside the other surfaces.
    pub dialog: Option<Shown>,
    pub _beat: Option<ProgressTicker>,
}

/// When a call ends without an outcome. The ask stays.
pub struct End {
    /// At the latest after so long.
    pub limit: Option<Limit>,
    /// The client doesn't count the time in which its own dialog is open.
    pub pauses: bool,
    /// When nobody could have answered for so long.
    pub patience: Option<(Duration, Client)>,
    /// What it says then.
    pub says: Reply,
}

/// How long a call may take, and whose limit that is.
#[derive(Clone, Copy)]
pub enum Limit {
    /// The agent wants to go on after so long.
    Agents(Duration),
    /// The client would give up. The agent is told to call again, and does.
    Clients(Duration),
}

impl Limit {
    fn after(self) -> Duration {
        match self {
            Self::Agents(after) | Self::Clients(after) => after,
        }
    }

    /// Whichever of the two is sooner.
    pub fn sooner(self, other: Option<Self>) -> Self {
        match other {
            Some(other) if other.after() < self.after() => other,
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
        let mut limit = end.limit.map(|limit| begun + limit.after());
        let mut look = end.patience.as_ref().map(|(every, _)| begun + *every);
        while let Some(until) = [limit, look].into_iter().flatten().min() {
            if let Ok(outcome) = timeout_at(until, self.waiting.outcome()).await {
                return self.tell(outcome);
            }
            if limit == Some(until) && end.pauses && self.is_in_a_dialog() {
                limit = end.limit.map(|limit| until + limit.after());
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
                    let alone = alone(hub).await.min(begun.elapsed());
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

    fn tell(&self, outcome: anyhow::Result<Ended>) -> ToolOutcome {
        match outcome {
            Ok(Ended { record, missed }) => {
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

/// For how long no surface has been open. A hub that can't say so might have one.
async fn alone(hub: &Client) -> Duration {
    let status = hub.status().await;
    status.map_or(Duration::ZERO, |status| {
        Duration::from_millis(status.alone_ms)
    })
}

/// What an agent must know when opening its ask failed: silence is no answer.
pub const NOT_ASKED: &str = "the question could not be asked, and nobody has seen it";

fn closed(dialect: &dyn Dialect, record: &Record) -> ToolOutcome {
    ToolOutcome {
        delivers: vec![Delivery::from(record)],
        ..dialect.write(Word::Closed(record)).into()
    }
}

pub fn fetched(dialect: &dyn Dialect, records: &[Record]) -> ToolOutcome {
    ToolOutcome {
        delivers: records
            .iter()
            .filter(|record| !record.is_waiting())
            .map(Delivery::from)
            .collect(),
        ..dialect.write(Word::Fetched(records)).into()
    }
}

/// What a call says that ends before its person has answered.
pub fn still_waits(dialect: &dyn Dialect, record: &Record) -> Reply {
    let mut reply = dialect.write(Word::Open(record));
    reply.mention = dialect.still_waits(record);
    reply
}

/// What a call says whose client shows its card only once it has returned.
pub fn answered_afterwards(dialect: &dyn Dialect, record: &Record) -> Reply {
    let mut reply = dialect.write(Word::Open(record));
    reply.mention = Some(AFTERWARDS.to_owned());
    reply
}

pub fn failed(dialect: &dyn Dialect, error: &anyhow::Error) -> ToolOutcome {
    dialect.write(Word::Failed(&format!("{error:#}"))).into()
}
