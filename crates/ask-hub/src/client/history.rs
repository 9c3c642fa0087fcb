//! Requests about closed asks: removal and statistics. Pages of the history are requested by
//! [`Client::list`].

use ask_core::stats::HistoryStats;
use ask_protocol::ipc::{Filter, Request, Response};

use super::{Client, unexpected_response};

impl Client {
    /// Removes the closed asks that match a filter, or with `count` only counts them. Returns how
    /// many, and how many stay because no agent has received their outcome.
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
            other => Err(unexpected_response(&other)),
        }
    }

    /// Statistics over the closed asks that match a filter.
    pub async fn stats(&self, filter: Filter) -> anyhow::Result<HistoryStats> {
        match self.call(Request::Stats { filter }).await? {
            Response::Stats(stats) => Ok(*stats),
            other => Err(unexpected_response(&other)),
        }
    }
}
