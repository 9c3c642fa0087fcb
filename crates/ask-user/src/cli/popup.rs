//! `ask-user popup`: the inbox in a popup of the terminal multiplexer.

use std::io;
use std::process::{Child, Stdio};

use anyhow::Context;
use ask_config::exit::{Exit, Failure};
use ask_files::programs;
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
    multiplexer: Option<Multiplexer>,
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

/// The size of the popup. The edges of the screen behind it stay visible.
const WIDTH: &str = "92%";
const HEIGHT: &str = "85%";

impl Popup {
    pub(super) fn run(self) -> anyhow::Result<Exit> {
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let multiplexer = match self.multiplexer {
            Some(multiplexer) => multiplexer,
            None if is_set("TMUX") => Multiplexer::Tmux,
            None if is_set("ZELLIJ") => Multiplexer::Zellij,
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
        let mut command = programs::command(multiplexer.name());
        match multiplexer {
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
        // The popup has its own screen, so standard error carries only the multiplexer's errors.
        let child = umask::ordinary(|| command.stderr(Stdio::piped()).spawn());
        let output = child.and_then(Child::wait_with_output);
        let output = output.map_err(|error| multiplexer.start_error(&error))?;
        if output.status.success() {
            return Ok(Exit::Done);
        }
        let message = String::from_utf8_lossy(&output.stderr);
        match message.trim() {
            "" => Ok(Exit::Failure),
            message => Err(multiplexer.popup_error(message).into()),
        }
    }
}

/// The hint of each error: the same without a popup.
const WITHOUT_POPUP: &str = "without a popup: `ask-user inbox --next`";

impl Multiplexer {
    fn name(self) -> &'static str {
        match self {
            Self::Tmux => "tmux",
            Self::Zellij => "zellij",
        }
    }

    /// The error if the program couldn't be started.
    fn start_error(self, error: &io::Error) -> Failure {
        let name = self.name();
        let what = match error.kind() {
            io::ErrorKind::NotFound => format!("{name} isn't installed, or not in PATH"),
            _ => format!("{name} can't be started: {error}"),
        };
        Failure::new(Exit::Failure, what, WITHOUT_POPUP)
    }

    /// The error if the program opened no popup, with the message that it printed.
    fn popup_error(self, message: &str) -> Failure {
        let name = self.name();
        let not_running = [
            "error connecting to",
            "no server running",
            "no active session",
        ];
        let lower = message.to_lowercase();
        let what = if not_running.iter().any(|words| lower.contains(words)) {
            format!("{name} doesn't run, so it can't open a popup")
        } else {
            format!("{name} opened no popup: {message}")
        };
        let hint = format!("start {name} and run this in it; {WITHOUT_POPUP}");
        Failure::new(Exit::Failure, what, hint)
    }
}
