//! `ask-user popup`: the inbox in a popup of the terminal multiplexer.

use std::io;
use std::process::{Child, Command, Stdio};

use anyhow::Context;
use ask_config::exit::{Exit, Failure};
use ask_files::umask;
use clap::{Args, ValueEnum};

use super::doctor::quoted;

/// Answer in a popup of tmux, or a floating pane of zellij
#[derive(Args)]
#[command(
    after_help = "For a key in tmux.conf: bind-key a run-shell 'ask-user popup'. What follows -- goes to `tmux display-popup` or `zellij run`."
)]
pub(crate) struct Popup {
    /// The program that opens the popup [default: the one that this runs in]
    #[arg(value_enum, value_name = "PROGRAM")]
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
        let mut command = Command::new(whose.name());
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
        // The popup is a screen of its own: what is written here are the program's own errors.
        let child = umask::ordinary(|| command.stderr(Stdio::piped()).spawn());
        let output = child.and_then(Child::wait_with_output);
        let output = output.map_err(|error| whose.absent(&error))?;
        if output.status.success() {
            return Ok(Exit::Done);
        }
        let said = String::from_utf8_lossy(&output.stderr);
        match said.trim() {
            "" => Ok(Exit::Failure),
            said => Err(whose.refused(said).into()),
        }
    }
}

/// The way that needs no popup.
const WITHOUT: &str = "without a popup: `ask-user inbox --next`";

impl Multiplexer {
    fn name(self) -> &'static str {
        match self {
            Self::Tmux => "tmux",
            Self::Zellij => "zellij",
        }
    }

    /// The failure where the program couldn't be started.
    fn absent(self, error: &io::Error) -> Failure {
        let name = self.name();
        let what = match error.kind() {
            io::ErrorKind::NotFound => format!("{name} isn't installed, or not in PATH"),
            _ => format!("{name} can't be started: {error}"),
        };
        Failure::new(Exit::Failure, what, WITHOUT)
    }

    /// The failure where the program opened no popup and said why.
    fn refused(self, said: &str) -> Failure {
        let name = self.name();
        let runs_nowhere = [
            "error connecting to",
            "no server running",
            "no active session",
        ];
        let lower = said.to_lowercase();
        let what = match runs_nowhere.iter().any(|words| lower.contains(words)) {
            true => format!("{name} doesn't run, so it can't open a popup"),
            false => format!("{name} opened no popup: {said}"),
        };
        let hint = format!("start {name} and run this in it; {WITHOUT}");
        Failure::new(Exit::Failure, what, hint)
    }
}
