//! `ask-user popup`: the inbox in a popup of the terminal multiplexer.

use std::process::Command;

use anyhow::Context;
use ask_config::exit::{Exit, Failure};
use clap::{Args, ValueEnum};

use super::doctor::quoted;

/// Answer in a popup of tmux, or a floating pane of zellij
#[derive(Args)]
#[command(
    after_help = "For a key in tmux.conf: bind-key a run-shell 'ask-user popup'. What follows -- goes to `tmux display-popup` or `zellij run`."
)]
pub struct Popup {
    /// The program that opens the popup [default: the one that this runs in]
    #[arg(value_enum)]
    whose: Option<Multiplexer>,
    /// More arguments for that program
    #[arg(last = true, value_name = "ARGUMENT")]
    more: Vec<String>,
}

/// The terminal multiplexers with popups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Multiplexer {
    Tmux,
    Zellij,
}

/// The popup's size: the screen behind it stays visible.
const WIDTH: &str = "92%";
const HEIGHT: &str = "85%";

impl Popup {
    pub(super) fn run(self) -> anyhow::Result<Exit> {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let whose = match self.whose {
            Some(whose) => whose,
            None if set("TMUX") => Multiplexer::Tmux,
            None if set("ZELLIJ") => Multiplexer::Zellij,
            None => {
                return Err(Failure::new(
                    Exit::Usage,
                    "this is neither in tmux nor in zellij",
                    "run it in one of them, or say which: `ask-user popup tmux`",
                )
                .into());
            }
        };
        let program = std::env::current_exe().context("our own program can't be found")?;
        let mut command = match whose {
            Multiplexer::Tmux => Command::new("tmux"),
            Multiplexer::Zellij => Command::new("zellij"),
        };
        match whose {
            Multiplexer::Tmux => {
                command.args(["display-popup", "-E", "-w", WIDTH, "-h", HEIGHT]);
                command.args(&self.more);
                let home = std::env::var("ASK_USER_HOME").ok();
                // A popup has the environment of the tmux server, which may name another home.
                let home = home.map(|home| format!("ASK_USER_HOME={} ", quoted(home.as_ref())));
                let program = quoted(&program);
                command.arg(format!(
                    "{}{program} inbox --next",
                    home.unwrap_or_default()
                ));
            }
            Multiplexer::Zellij => {
                let size = ["--width", WIDTH, "--height", HEIGHT];
                command.args(["run", "--floating", "--close-on-exit"]);
                command.args(size).args(&self.more).arg("--");
                command.arg(program).args(["inbox", "--next"]);
            }
        }
        let name = command.get_program().to_string_lossy().into_owned();
        let status = command
            .status()
            .with_context(|| format!("{name} can't be run"))?;
        Ok(match status.success() {
            true => Exit::Done,
            false => Exit::Failure,
        })
    }
}
