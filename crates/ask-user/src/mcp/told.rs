//! What an agent is told: at once, or when its person has answered.

use std::time::Duration;

use ask_core::dialect::{Dialect, Reply, Word};
use ask_core::{AskId, Record};

use super::debug;
use super::keepalive::Beat;
use crate::hub::client::Waiting;

/// What a call comes to.
pub struct Told {
    /// What the agent reads.
    pub reply: Reply,
    /// What it is thereby told.
    pub delivers: Vec<AskId>,
}

impl From<Reply> for Told {
    fn from(reply: Reply) -> Self {
        Self {
            reply,
            delivers: Vec::new(),
        }
    }
}

/// A call as far as it got without a person.
pub enum Begun {
    /// There is a reply already.
    Told(Told),
    /// A person has to answer first.
    Waits(Waits),
}

/// A call that waits.
pub struct Waits {
    pub dialect: &'static dyn Dialect,
    pub waiting: Waiting,
    /// A fetch that gives up after a while, with what it says then.
    pub limit: Option<Box<(Duration, Reply)>>,
    pub is_fetch: bool,
    pub _beat: Option<Beat>,
}

impl Waits {
    pub async fn told(mut self) -> Told {
        if let Some(limit) = self.limit.take() {
            return Box::pin(self.told_within(limit)).await;
        }
        let outcome = self.waiting.outcome().await;
        self.tell(outcome)
    }

    async fn told_within(mut self, limit: Box<(Duration, Reply)>) -> Told {
        match tokio::time::timeout(limit.0, self.waiting.outcome()).await {
            Ok(outcome) => self.tell(outcome),
            Err(_) => limit.1.into(),
        }
    }

    fn tell(&self, outcome: anyhow::Result<Record>) -> Told {
        match outcome {
            Ok(record) => {
                debug(|| format!("{} {}", record.id, record.state_word()));
                if self.is_fetch {
                    fetched(self.dialect, &[record])
                } else {
                    closed(self.dialect, &record)
                }
            }
            Err(error) => failed(self.dialect, &error),
        }
    }
}

/// What an agent must know when opening its ask failed: silence is no answer.
pub const NOT_ASKED: &str = "the question could not be asked, and nobody has seen it";

pub fn closed(dialect: &dyn Dialect, record: &Record) -> Told {
    Told {
        reply: dialect.write(Word::Closed(record)),
        delivers: vec![record.id.clone()],
    }
}

pub fn fetched(dialect: &dyn Dialect, records: &[Record]) -> Told {
    Told {
        reply: dialect.write(Word::Fetched(records)),
        delivers: records
            .iter()
            .filter(|record| !record.is_waiting())
            .map(|record| record.id.clone())
            .collect(),
    }
}

pub fn failed(dialect: &dyn Dialect, error: &anyhow::Error) -> Told {
    dialect.write(Word::Failed(&format!("{error:#}"))).into()
}
