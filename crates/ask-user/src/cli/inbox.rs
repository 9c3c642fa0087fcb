//! `ask-user inbox`: the terminal surface, drawn or line by line.

use std::io::IsTerminal;
use std::time::Duration;

use ask_config::config::Config;
use ask_config::exit::{Exit, Failure};
use ask_config::home::Home;
use ask_core::Record;
use ask_hub::client::Client;
use ask_store::sqlite;
use ask_tui::tui::{self, StartupProblems};
use ask_tui::{Mode, SurfaceEnd, plain};
use clap::Args;

use super::style;

/// Answer in this terminal
#[derive(Args, Default)]
pub(crate) struct Inbox {
    /// Open the oldest ask, then the next, and exit when none is left
    #[arg(long, group = "which")]
    next: bool,
    /// Open this ask, and exit when it is closed
    #[arg(long, value_name = "ID", group = "which")]
    id: Option<String>,
    /// Use plain lines without drawing: for screen readers, pipes and simple terminals
    #[arg(long)]
    plain: bool,
}

impl Inbox {
    pub(super) fn run(self, home: &Home) -> anyhow::Result<Exit> {
        let plain = self.plain || wants_plain();
        let terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        if !plain && !terminal {
            return Err(Failure::new(
                Exit::Usage,
                "the inbox needs a terminal",
                "use `ask-user list --json`, `ask-user answer ID ...` or `ask-user inbox --plain`",
            )
            .into());
        }
        let read = Config::read(&home.config_file());
        let (config, mistakes) = (read.config, read.problems.len());
        super::with_hub(home, async |client| {
            let mode = self.mode(&client, config.take_up).await?;
            if !plain {
                let (client, mode) = (client.clone(), mode.clone());
                let problems = StartupProblems {
                    invalid_settings: mistakes,
                    store_moved: !sqlite::set_aside(&home.store_file()).is_empty(),
                };
                let ended = tui::run(client, mode, tui::Target::Stdout, &config, problems).await?;
                if ended != SurfaceEnd::SwitchToPlain {
                    return Ok(exit_code(&ended));
                }
            }
            super::warn_of_damage(home);
            let input = std::io::BufReader::new(std::io::stdin());
            let stdio = plain::Stdio {
                input_is_terminal: std::io::stdin().is_terminal(),
                output_is_terminal: std::io::stdout().is_terminal(),
            };
            let ended = plain::run(client, mode, input, std::io::stdout(), stdio, &config).await?;
            Ok(exit_code(&ended))
        })
    }

    async fn mode(&self, client: &Client, take_up: Duration) -> anyhow::Result<Mode> {
        match &self.id {
            Some(id) => {
                let record = client.get(id).await?;
                // An expired ask can still be answered.
                if !record.is_answerable() {
                    return Err(already_closed(&record, take_up));
                }
                Ok(Mode::One(record.id))
            }
            None if self.next => Ok(Mode::Next),
            None => Ok(Mode::Inbox),
        }
    }
}

/// Whether the environment asks for the plain mode.
pub(crate) fn wants_plain() -> bool {
    let is_set =
        |name: &str| std::env::var(name).is_ok_and(|value| !value.is_empty() && value != "0");
    is_set("ASK_USER_PLAIN")
        || is_set("ACCESSIBLE")
        || std::env::var("TERM").is_ok_and(|term| term == "dumb")
}

/// The exit code for the way a surface ended.
pub(crate) fn exit_code(ended: &SurfaceEnd) -> Exit {
    match ended {
        SurfaceEnd::Answered(record)
        | SurfaceEnd::Declined(record)
        | SurfaceEnd::Clarify(record) => style::exit_code(record),
        SurfaceEnd::ClosedElsewhere(_) => Exit::Closed,
        SurfaceEnd::Left => Exit::Waiting,
        SurfaceEnd::Quit | SurfaceEnd::SwitchToPlain => Exit::Done,
    }
}

fn already_closed(record: &Record, take_up: Duration) -> anyhow::Error {
    Failure::new(
        Exit::Closed,
        format!(
            "{} is closed: {}",
            record.id,
            style::status_text(record, take_up)
        ),
        format!("`ask-user show {}` shows how", record.id),
    )
    .into()
}
