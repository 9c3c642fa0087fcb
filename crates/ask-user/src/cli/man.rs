//! `ask-user man`.

use std::io::Write;

use ask_config::exit::Exit;
use clap::{Args, CommandFactory};

use super::Cli;

/// Print the manual page
#[derive(Args)]
pub struct Man {}

impl Man {
    pub(super) fn run(self) -> anyhow::Result<Exit> {
        let mut text = Vec::new();
        clap_mangen::Man::new(Cli::command()).render(&mut text)?;
        for command in Cli::command()
            .get_subcommands()
            .filter(|command| !command.is_hide_set())
        {
            let page = clap_mangen::Man::new(command.clone());
            writeln!(text, ".SH \"ask-user {}\"", command.get_name())?;
            page.render_description_section(&mut text)?;
            page.render_synopsis_section(&mut text)?;
            page.render_options_section(&mut text)?;
        }
        std::io::stdout().write_all(&text)?;
        Ok(Exit::Done)
    }
}
