//! `ask-user completions`, `man`, and the pages under `docs/` that are printed
//! from the same table.

use std::io::Write;

use ask_core::dialect::DIALECTS;
use clap::{Args, Command, CommandFactory};

use super::Cli;
use crate::exit::{CODES, Exit};

/// Print completions for a shell
#[derive(Args)]
pub struct Completions {
    /// Which shell
    shell: clap_complete::Shell,
}

/// Print the manual page
#[derive(Args)]
pub struct Man {}

/// Print a page of the documentation
#[derive(Args)]
pub struct Docs {
    /// Which page: cli or dialects
    page: String,
}

impl Completions {
    pub(super) fn run(self) -> anyhow::Result<Exit> {
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "ask-user", &mut text);
        std::io::stdout().write_all(&text)?;
        Ok(Exit::Done)
    }
}

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

impl Docs {
    pub(super) fn run(self) -> anyhow::Result<Exit> {
        let text = match self.page.as_str() {
            "dialects" => dialects(),
            _ => commands(),
        };
        std::io::stdout().write_all(text.as_bytes())?;
        Ok(Exit::Done)
    }
}

const PRINTED: &str = "<!-- Printed by `ask-user docs`; a test keeps it so. -->\n";

fn commands() -> String {
    let mut cli = Cli::command();
    cli.build();
    let mut text = format!("{PRINTED}\n# Commands\n");
    for command in cli
        .get_subcommands()
        .filter(|command| !command.is_hide_set())
    {
        if command.get_name() == "help" {
            continue;
        }
        text.push_str(&format!("\n## ask-user {}\n\n", command.get_name()));
        if let Some(about) = command.get_about() {
            text.push_str(&format!("{about}.\n\n"));
        }
        text.push_str(&arguments(command));
        if let Some(more) = command.get_after_help() {
            text.push_str(&format!("\n{more}\n"));
        }
    }
    text.push_str("\n# Exit codes\n\n| code | meaning |\n|---|---|\n");
    for (exit, meaning) in CODES {
        text.push_str(&format!("| {} | {meaning} |\n", exit as u8));
    }
    text
}

fn arguments(command: &Command) -> String {
    let mut text = String::from("| argument | meaning |\n|---|---|\n");
    for argument in command
        .get_arguments()
        .filter(|argument| !argument.is_hide_set())
    {
        if argument.get_id() == "help" || argument.get_id() == "version" {
            continue;
        }
        let help = argument
            .get_help()
            .map(ToString::to_string)
            .unwrap_or_default();
        let usage = argument.to_string().replace('|', "\\|");
        text.push_str(&format!("| `{usage}` | {help} |\n"));
    }
    text
}

fn dialects() -> String {
    let mut text = format!(
        "{PRINTED}\n# Dialects\n\n`ask-user mcp --dialect NAME` offers these tools, to the letter.\n"
    );
    for dialect in DIALECTS {
        text.push_str(&format!(
            "\n## {}\n\n{}\n",
            dialect.name(),
            dialect.instructions()
        ));
        for tool in dialect.tools() {
            text.push_str(&format!(
                "\n### {}\n\n```json\n{}\n```\n",
                tool.name,
                tool.contract.trim_end()
            ));
        }
    }
    text
}
