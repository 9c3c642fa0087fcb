//! `ask-user prompt`.

use clap::Args;

use crate::exit::Exit;
use crate::home::Home;

/// Read one call, ask it on this very terminal, and print the reply
#[derive(Args)]
pub struct Prompt {
    /// The call as JSON; `-` is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    file: String,
}

impl Prompt {
    pub(super) fn run(self, home: &Home) -> anyhow::Result<Exit> {
        let _ = (home, self.file);
        Ok(Exit::Done)
    }
}
