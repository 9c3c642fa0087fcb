//! `ask-user wait`: waiting for the outcome of an existing ask.

use std::io::Write;

use ask_config::asker;
use ask_config::exit::Exit;
use ask_config::home::Home;
use ask_dialects::find;
use clap::Args;

use super::return_after::{ReturnAfter, WaitEnd};
use super::style;

/// Wait for the outcome of an ask and print it
#[derive(Args)]
#[command(
    after_help = "Only a full id marks the outcome as delivered.\n\nExit codes: 0 answered, 3 declined, 4 timed out, 7 asked back, 8 still waiting."
)]
pub(crate) struct Wait {
    /// The ask's id
    id: String,
    /// Print the reply as JSON, in the ask's dialect
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    return_after: ReturnAfter,
    /// Print the whole MCP tool result and count the outcome as delivered; for the program that
    /// asked
    #[arg(long, conflicts_with_all = ["json", "return_after"])]
    result: bool,
}

impl Wait {
    pub(super) fn run(self, home: &Home) -> anyhow::Result<Exit> {
        super::with_hub(home, async |client| {
            let open = client.get(&self.id).await?;
            let dialect = find(&open.dialect).filter(|_| self.json || self.result);
            let running = self.return_after.start()?;
            let mut waiting = client.wait(open.id.as_str()).await?;
            let record = match running.wait(&mut waiting).await? {
                WaitEnd::Outcome(record) => record,
                // The program ended this command itself, and reads only results.
                WaitEnd::Early(_) if self.result => return Ok(Exit::Waiting),
                WaitEnd::Early(early) => {
                    return early.print(&client, waiting, &open, dialect).await;
                }
            };
            let mut out = std::io::stdout();
            let exit = match dialect {
                Some(dialect) => {
                    let reply = style::reply(dialect, &record);
                    let line = match self.result {
                        true => reply.result(),
                        false => reply.printed(),
                    };
                    writeln!(out, "{line}")?;
                    style::exit_code(&record)
                }
                None => style::print_outcome(&mut out, &record)?,
            };
            style::warn_of_agent(&mut std::io::stderr(), &record)?;
            // Only the asking agent's wait counts as delivery. Another viewer usually gives a
            // shortened id; an agent has the whole one.
            let own = asker::in_current_folder().client;
            let asking_client = record.asker.client.as_deref();
            let is_theirs = self.result
                || record.asker.is_shell()
                || own.is_some() && asking_client == own.as_deref();
            if is_theirs && record.id.as_str() == self.id {
                out.flush()?;
                client.delivered(&*record).await?;
            }
            Ok(exit)
        })
    }
}
