//! What the hub keeps: the store can be read, one was damaged once, and what waits.

use std::path::PathBuf;

use ask_core::dialect::wire::{Filter, Request, Status};

use super::finding::{Finding, Report, quoted};
use crate::cli::status::line;
use crate::home::Home;
use crate::hub::client::Client;

pub async fn store(
    home: &Home,
    client: &Client,
    status: &Status,
    report: &mut Report,
) -> anyhow::Result<()> {
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
    let mut damaged = set_aside(home);
    damaged.extend(status.set_aside.iter().map(PathBuf::from));
    damaged.sort();
    damaged.dedup();
    for place in damaged {
        let said = format!(
            "a store was damaged and set aside as {}; what was in it is not in the history",
            place.display()
        );
        let keep = format!("once you miss nothing of it: rm {}*", quoted(&place));
        report.say(Finding::warn("store", said).mend(keep))?;
    }
    Ok(())
}

/// Damaged stores of earlier hubs, which the one that runs now doesn't know of.
pub fn set_aside(home: &Home) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(home.state());
    let is_one = |name: &str| {
        name.contains(".db.damaged-") && !name.ends_with("-wal") && !name.ends_with("-shm")
    };
    entries
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| is_one(&entry.file_name().to_string_lossy()))
        .map(|entry| entry.path())
        .collect()
}

/// What waits, for whoever wonders why an agent stands still.
pub fn asks(status: &Status, report: &mut Report) -> anyhow::Result<()> {
    report.say(Finding::fine("asks", line(Some(status))))
}
