//! Checks the store: whether it can be read, whether one was damaged, and what is open.

use ask_config::home::Home;
use ask_hub::client::Client;
use ask_protocol::ipc::{Filter, Request, Status};
use ask_store::sqlite;

use super::finding::{Finding, Report, quoted};
use crate::cli::status::line;

pub(super) async fn store(home: &Home, client: &Client, report: &mut Report) -> anyhow::Result<()> {
    let file = home.store_file();
    let filter = Filter {
        limit: Some(1),
        open: true,
        ..Filter::default()
    };
    report.say(match client.list(Request::History { filter }).await {
        Ok(_) => Finding::fine("store", format!("{} can be read", file.display())),
        Err(error) => Finding::failed("store", &error),
    })?;
    for place in sqlite::set_aside(&file) {
        let said = format!(
            "{}; what was in it is not in the history",
            sqlite::describe_set_aside(&place)
        );
        let keep = format!("once you miss nothing of it: rm {}*", quoted(&place));
        report.say(Finding::warn("store", said).mend(keep))?;
    }
    Ok(())
}

/// Reports the open asks, for people who wonder why an agent doesn't continue.
pub(super) fn asks(status: &Status, report: &mut Report) -> anyhow::Result<()> {
    report.say(Finding::fine("asks", line(Some(status))))
}
