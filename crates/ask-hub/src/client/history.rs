//! What a client asks about asks that are over, besides a page of them.

use ask_core::stats::HistoryStats;
use ask_protocol::ipc::{Filter, Request, Response};

use super::{Client, unexpected};

impl Client {
    /// Removes the closed asks that a filter finds, or only counts them: how many, and how many
    /// stay because no agent has been told how they ended.
    pub async fn forget_some(&self, filter: Filter, count: bool) -> anyhow::Result<(u64, u64)> {
        match self
            .call(Request::ForgetSome {
                filter,
                count,
                sender: self.sender.clone(),
            })
            .await?
        {
            Response::Forgotten { count, undelivered } => Ok((count, undelivered)),
            other => Err(unexpected(&other)),
        }
    }

    /// The statistics over the closed asks that a filter finds.
    pub async fn stats(&self, filter: Filter) -> anyhow::Result<HistoryStats> {
        match self.call(Request::Stats { filter }).await? {
            Response::Stats(stats) => Ok(*stats),
            other => Err(unexpected(&other)),
        }
    }
}
