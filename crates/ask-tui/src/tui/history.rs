//! What the screen of history wants of the hub. Each wish goes on by itself: a long look never
//! holds up a draft or an answer.

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

/// What is wanted of the asks that a filter leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// A page of them.
    Page,
    /// The statistics over them.
    Stats,
    /// A file with all of them.
    File,
}

/// Does what is wanted and says what came of it.
pub async fn look(
    client: Client,
    wish: Wish,
    filter: Filter,
    events: UnboundedSender<anyhow::Result<Event>>,
) {
    let event = match wish {
        Wish::Page => {
            let page = client.list(Request::History { filter }).await;
            Event::Past(page.map_err(|error| format!("{error:#}")))
        }
        Wish::Stats => {
            // Without statistics the list is as good.
            let stats = client.stats(filter).await;
            Event::Counted(Box::new(stats.unwrap_or_else(|_| HistoryStats::default())))
        }
        Wish::File => {
            let written = write_out(&client, filter).await;
            Event::Written(written.map_err(|error| format!("{error:#}")))
        }
    };
    events.send(Ok(event)).ok();
}

/// Writes to a file of its own in the directory that we were started in.
async fn write_out(client: &Client, filter: Filter) -> anyhow::Result<(u64, String)> {
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
