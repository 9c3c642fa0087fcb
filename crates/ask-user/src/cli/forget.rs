//! `ask-user forget`.

use std::io::Write;

use clap::Args;

use crate::exit::Exit;
use crate::home::Home;

/// Remove closed asks and their answers for good
#[derive(Args)]
pub struct Forget {
    /// Which asks
    #[arg(required = true, value_name = "ID")]
    ids: Vec<String>,
}

impl Forget {
    pub(super) fn run(self, home: &Home) -> anyhow::Result<Exit> {
        let count = super::with_hub(home, async |client| client.forget(self.ids).await)?;
        let asks = if count == 1 { "ask" } else { "asks" };
        writeln!(std::io::stdout(), "{count} {asks} forgotten.")?;
        Ok(Exit::Done)
    }
}
