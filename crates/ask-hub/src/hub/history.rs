//! Reads closed asks: pages of the history, and statistics. `retention.rs` removes them.

use std::sync::Arc;

use ask_config::clock;
use ask_core::history::Filter;
use ask_protocol::ipc::Response;

use super::Hub;
use super::problem::HubError;

/// The most records in one page of history.
const MAX_PAGE: u64 = 1_000;

impl Hub {
    pub(super) async fn history(&self, filter: Filter) -> Result<Response, HubError> {
        let limit = filter.limit.unwrap_or(u64::MAX).min(MAX_PAGE);
        let found = self.store.history(filter, limit).await?;
        let full = found.len() as u64 == limit;
        let last = found.last().filter(|_| full).map_or(0, |(_, row)| *row);
        let engine = self.engine.borrow();
        // The engine may have a newer state of an ask than the store.
        let records = found.into_iter().map(|(record, _)| {
            let newer = engine.record(&record.id);
            self.client_view(newer.unwrap_or_else(|| Arc::new(record)))
        });
        Ok(Response::Records {
            records: records.collect(),
            more: 0,
            gone: Vec::new(),
            cursor: last,
            reset: false,
            day: None,
        })
    }

    pub(super) async fn statistics(&self, filter: Filter) -> Result<Response, HubError> {
        let now = clock::now();
        let mut stats = self.store.statistics(filter, clock::midnight()).await?;
        for record in self.open_records() {
            stats.add_waiting(now.since_ms(record.asked_at));
        }
        Ok(Response::Stats(Box::new(stats.stats())))
    }
}
