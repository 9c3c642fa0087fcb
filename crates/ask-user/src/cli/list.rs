//! `ask-user list`: a list of open asks.

use ask_config::exit::Exit;
use ask_config::home::Home;
use ask_protocol::ipc::{Filter, Request};
use clap::Args;

use super::style;

/// List the asks that wait for an answer, and answers that no agent has fetched
#[derive(Args)]
pub(crate) struct List {
    /// Include closed asks, newest first
    #[arg(long)]
    all: bool,
    /// Print a JSON array of records
    #[arg(long)]
    json: bool,
}

/// How many records are fetched in one request.
const PAGE: u64 = 1_000;

impl List {
    pub(super) fn run(self, home: &Home) -> anyhow::Result<Exit> {
        let records = super::with_hub(home, async |client| {
            if self.all {
                let mut filter = Filter {
                    open: true,
                    limit: Some(PAGE),
                    ..Filter::default()
                };
                let mut records = Vec::new();
                loop {
                    let filter_now = filter.clone();
                    let (page, next) = client.list(Request::History { filter: filter_now }).await?;
                    records.extend(page);
                    if next == 0 {
                        return Ok(records);
                    }
                    filter.before = Some(next);
                }
            }
            Ok(client.waiting().await?.records)
        })?;
        super::warn_of_damage(home);
        style::print_records(home, &records, self.json, "Nothing waits for an answer.")?;
        Ok(Exit::Done)
    }
}
