//! `ask-user watch`.

use std::io::Write;

use ask_config::exit::Exit;
use ask_config::home::Home;
use ask_core::Record;
use clap::Args;

use super::paint;

/// Print every change as it happens: first what waits, then each ask as it stands after a change
#[derive(Args)]
pub struct Watch {
    /// Print records as JSON, one a line
    #[arg(long)]
    json: bool,
}

impl Watch {
    pub(super) fn run(self, home: &Home) -> anyhow::Result<Exit> {
        super::with_hub(home, async |client| {
            let mut bell = client.bell();
            let listing = client.waiting().await?;
            let mut cursor = listing.cursor;
            self.print(&listing.records)?;
            loop {
                bell.borrow_and_update();
                let mut changes = client.changes(cursor).await?;
                if changes.reset {
                    let listing = client.waiting().await?;
                    changes.records = listing.records;
                    changes.cursor = listing.cursor;
                }
                let moved = changes.cursor != cursor;
                cursor = changes.cursor;
                self.print(&changes.records)?;
                if moved {
                    continue;
                }
                tokio::select! {
                    rung = bell.changed() => rung?,
                    _ = tokio::signal::ctrl_c() => return Ok(Exit::Done),
                }
            }
        })
    }

    fn print(&self, records: &[Record]) -> anyhow::Result<()> {
        let mut out = std::io::stdout().lock();
        for record in records {
            if self.json {
                paint::json(&mut out, record)?;
            } else {
                writeln!(out, "{:<9} {}", record.state_word(), paint::row(record))?;
            }
        }
        out.flush()?;
        Ok(())
    }
}
