//! `ask-user completions`.

use std::io::Write;

use ask_config::exit::Exit;
use clap::{Args, CommandFactory};

use super::Cli;

/// Print completions for a shell
#[derive(Args)]
pub struct Completions {
    /// The shell
    shell: clap_complete::Shell,
}

impl Completions {
    pub(super) fn run(self) -> anyhow::Result<Exit> {
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "ask-user", &mut text);
        std::io::stdout().write_all(&text)?;
        Ok(Exit::Done)
    }
}
