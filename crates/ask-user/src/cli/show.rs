//! `ask-user show`: one ask in full.

use std::io::Write;

use ask_config::exit::Exit;
use ask_config::home::Home;
use ask_core::record;
use clap::Args;

use super::style;

/// Show one ask: who asks, every question, and how it ended
#[derive(Args)]
pub(crate) struct Show {
    /// The ask's id
    id: String,
    /// Print one paragraph, as in the summary of a session
    #[arg(long, conflicts_with = "json")]
    summary: bool,
    /// Print the record as JSON
    #[arg(long)]
    json: bool,
}

impl Show {
    pub(super) fn run(self, home: &Home) -> anyhow::Result<Exit> {
        let record = super::with_hub(home, async |client| client.get(&self.id).await)?;
        let mut out = std::io::stdout();
        if self.json {
            style::print_json(&mut out, &record)?;
        } else if self.summary {
            writeln!(out, "{}", record::marked_summary(&record))?;
        } else {
            style::print_record(&mut out, &record, style::take_up(home))?;
        }
        Ok(Exit::Done)
    }
}
