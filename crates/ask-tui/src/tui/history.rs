//! Performs the effects of the history screen. Each runs as a task of its own, so that a long read
//! delays no draft and no answer.

use std::path::PathBuf;

use ask_config::clock;
use ask_config::config::Config;
use ask_config::home::Home;
use ask_config::i18n::Words;
use ask_core::stats::HistoryStats;
use ask_hub::client::Client;
use ask_hub::surface::export::{self, Format};
use ask_protocol::ipc::{Filter, Request};
use tokio::sync::mpsc::UnboundedSender;

use super::event::Event;

/// What to read about the asks that a filter selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HistoryRead {
    /// One page of records.
    Page,
    Stats,
    /// All records, exported to a file.
    File,
}

/// Performs one read and sends its event.
pub(super) async fn read(
    client: Client,
    read: HistoryRead,
    filter: Filter,
    events: UnboundedSender<anyhow::Result<Event>>,
) {
    let event = match read {
        HistoryRead::Page => {
            let page = client.list(Request::History { filter }).await;
            Event::HistoryPage(page.map_err(|error| format!("{error:#}")))
        }
        HistoryRead::Stats => {
            // The list is useful without statistics, so an error shows empty ones.
            let stats = client.stats(filter).await;
            Event::Stats(Box::new(stats.unwrap_or_else(|_| HistoryStats::default())))
        }
        HistoryRead::File => {
            let exported = export(&client, filter).await;
            Event::Exported(exported.map_err(|error| format!("{error:#}")))
        }
    };
    // A failed send means that the surface has ended.
    events.send(Ok(event)).ok();
}

/// Exports to a new file in the current directory. Returns how many asks it holds, and its name.
async fn export(client: &Client, filter: Filter) -> anyhow::Result<(u64, String)> {
    let stamp: String = clock::now()
        .to_string()
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .collect();
    let path = std::env::current_dir()
        .unwrap_or_else(|_| PathBuf::from("."))
        .join(format!("ask-history-{stamp}.json"));
    let config = Config::read(&Home::find()?.config_file()).config;
    let words = Words::of_person(config.language);
    let count = export::to_file(&path, client, filter, Format::Json, words).await?;
    Ok((count, path.display().to_string()))
}
