//! `ask-user wait`.

use std::io::Write;

use ask_core::dialect::{Word, find};
use clap::Args;

use super::{ask::SHELL, paint};
use crate::exit::Exit;
use crate::home::Home;

/// Wait for the outcome of an ask and print it
#[derive(Args)]
pub struct Wait {
    /// Which ask
    id: String,
    /// Print the reply as JSON, in the words of the dialect it was asked in
    #[arg(long)]
    json: bool,
}

impl Wait {
    pub(super) fn run(self, home: &Home) -> anyhow::Result<Exit> {
        super::with_hub(home, async |client| {
            let mut waiting = client.wait(&self.id).await?;
            let record = tokio::select! {
                ended = waiting.outcome() => ended?.record,
                _ = tokio::signal::ctrl_c() => return Ok(Exit::Waiting),
            };
            let mut out = std::io::stdout();
            let exit = match find(&record.dialect).filter(|_| self.json) {
                Some(wording) => {
                    writeln!(out, "{}", wording.write(Word::Closed(&record)).text)?;
                    paint::exit(&record)
                }
                None => paint::outcome(&mut out, &record)?,
            };
            // Whoever only looks on takes no agent's answer away.
            if record.asker.client.as_deref() == Some(SHELL) {
                client.delivered(&record.id).await?;
            }
            Ok(exit)
        })
    }
}
