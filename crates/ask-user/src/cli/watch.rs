//! `ask-user watch`: every change as a line.

use std::io::Write;
use std::time::Duration;

use ask_config::exit::Exit;
use ask_config::home::Home;
use ask_core::Record;
use ask_hub::client::{Push, split_changes};
use clap::Args;

use super::style;

/// Print every change as it happens: first the open asks, then each ask after its change
#[derive(Args)]
pub(crate) struct Watch {
    /// Print records as JSON, one for each line
    #[arg(long)]
    json: bool,
}

impl Watch {
    pub(super) fn run(self, home: &Home) -> anyhow::Result<Exit> {
        super::with_hub(home, async |client| {
            let subscription = client.subscribe_viewer();
            let take_up = style::take_up(home);
            loop {
                let push = tokio::select! {
                    push = subscription.next() => push,
                    _ = tokio::signal::ctrl_c() => return Ok(Exit::Done),
                };
                match push {
                    Push::All(listing) => self.print(&listing.records, take_up)?,
                    Push::Changed(changes) => self.print(&split_changes(&changes).0, take_up)?,
                }
            }
        })
    }

    fn print(&self, records: &[Record], take_up: Duration) -> anyhow::Result<()> {
        let mut out = std::io::stdout().lock();
        for record in records {
            if self.json {
                style::print_json(&mut out, record)?;
            } else {
                writeln!(
                    out,
                    "{:<9} {}",
                    record.state_word(),
                    style::record_line(record, take_up)
                )?;
            }
        }
        out.flush()?;
        Ok(())
    }
}
