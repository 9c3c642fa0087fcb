//! Checks the store: whether it can be read, whether one was damaged, and what is open.

use ask_config::home::Home;
use ask_hub::client::Client;
use ask_protocol::ipc::{Filter, Request, Status};
use ask_store::sqlite;

use super::finding::{Finding, Report, quoted};
use crate::cli::status::summary;

pub(super) async fn check(home: &Home, client: &Client, report: &mut Report) -> anyhow::Result<()> {
    let file = home.store_file();
    let filter = Filter {
        limit: Some(1),
        open: true,
        ..Filter::default()
    };
    report.add(match client.list(Request::History { filter }).await {
        Ok(_) => Finding::fine("store", format!("{} can be read", file.display())),
        Err(error) => Finding::failed("store", &error),
    })?;
    for place in sqlite::set_aside(&file) {
        let message = format!(
            "{}; its asks are not in the history",
            sqlite::describe_set_aside(&place)
        );
        let fix = format!("once you miss nothing of it: rm {}*", quoted(&place));
        report.add(Finding::warn("store", message).mend(fix))?;
    }
    Ok(())
}

/// Reports the open asks, for people who wonder why an agent doesn't continue.
pub(super) fn report_asks(status: &Status, report: &mut Report) -> anyhow::Result<()> {
    if !status.unreadable.is_empty() {
        let ids = status.unreadable.join(", ");
        let message = format!(
            "questions or answers in the store can't be read, because something outside of ask-user changed them: {ids}; they stay in it, and all others can be answered"
        );
        let fix = format!(
            "once you miss nothing of them: ask-user forget --yes {}",
            status.unreadable.join(" ")
        );
        report.add(Finding::warn("store", message).mend(fix))?;
    }
    report.add(Finding::fine("asks", summary(Some(status))))
}
