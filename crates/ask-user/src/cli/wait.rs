//! `ask-user wait`.

use std::io::Write;

use ask_core::dialect::find;
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
    /// For the program that asked: print the whole tool result as MCP has it, and count it as told
    #[arg(long, conflicts_with = "json")]
    result: bool,
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
            let exact = self.json || self.result;
            let exit = match find(&record.dialect).filter(|_| exact) {
                Some(wording) => {
                    let reply = paint::reply(wording, &record);
                    let line = if self.result {
                        reply.result()
                    } else {
                        reply.text
                    };
                    writeln!(out, "{line}")?;
                    paint::exit(&record)
                }
                None => paint::outcome(&mut out, &record)?,
            };
            // Whoever only looks on takes no agent's answer away.
            if self.result || record.asker.client.as_deref() == Some(SHELL) {
                out.flush()?;
                client.delivered(&record.id).await?;
            }
            Ok(exit)
        })
    }
}
