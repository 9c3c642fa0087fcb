//! `ask-user hub`.

use std::io::Write;

use ask_config::exit::{Exit, Failure};
use ask_config::home::Home;
use ask_hub::client::Client;
use ask_hub::lock;
use ask_hub::server::{self, Served};
use ask_hub::start;
use clap::Args;

use crate::daemon::Side;

/// Start, stop or look at the hub, which every other command starts by itself
#[derive(Args)]
pub struct Hub {
    /// Be the hub in this terminal until it is stopped
    #[arg(long, group = "what")]
    foreground: bool,
    /// End the hub; waiting calls come back to the next one
    #[arg(long, group = "what")]
    stop: bool,
    /// Say whether the hub runs
    #[arg(long, group = "what")]
    status: bool,
    /// Make sure that a hub runs, and say nothing
    #[arg(long, group = "what", hide = true)]
    start: bool,
    /// Be the hub, detached from the terminal
    #[arg(long, group = "what", hide = true)]
    detached: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Hub {
    pub(super) fn run(self, home: &Home) -> anyhow::Result<Exit> {
        if self.detached {
            return detached(home);
        }
        if self.foreground {
            return foreground(home);
        }
        if self.stop {
            return stop(home);
        }
        if !self.status {
            start::detached()?;
        }
        if self.start {
            return Ok(Exit::Done);
        }
        super::status::hub(home, self.json)
    }
}

fn foreground(home: &Home) -> anyhow::Result<Exit> {
    super::warn(home);
    let served = server::run::<Side>(home, |socket| {
        let _ = writeln!(
            std::io::stdout(),
            "The hub listens at {}; Ctrl+C ends it.",
            socket.display()
        );
    })?;
    match served {
        Served::Ended => Ok(Exit::Done),
        Served::Taken => Err(Failure::new(
            Exit::Failure,
            "a hub runs already",
            "`ask-user hub --stop` ends it",
        )
        .into()),
    }
}

/// Says how it went over standard output, once, and then lets go of it.
fn detached(home: &Home) -> anyhow::Result<Exit> {
    let _ = rustix::process::setsid();
    let say = |word: &str| {
        let mut out = std::io::stdout();
        let _ = out.write_all(word.as_bytes());
        let _ = out.flush();
        if let Ok(null) = std::fs::OpenOptions::new().write(true).open("/dev/null") {
            let _ = rustix::stdio::dup2_stdout(&null);
        }
    };
    match server::run::<Side>(home, |_| say(start::READY)) {
        Ok(Served::Ended) => Ok(Exit::Done),
        Ok(Served::Taken) => {
            say(start::READY);
            Ok(Exit::Done)
        }
        Err(error) => {
            tracing::error!("the hub failed: {error:#}");
            say(&format!("{error:#}"));
            Ok(Exit::Failure)
        }
    }
}

fn stop(home: &Home) -> anyhow::Result<Exit> {
    super::on_runtime(async {
        let said = match Client::find(home).await? {
            Some(client) => {
                client.stop().await?;
                "The hub ends; whoever waits or asks next starts another.\n"
            }
            None => match lock::holder(home) {
                Some(pid) => {
                    lock::end(pid);
                    &format!("The hub (process {pid}) could not be reached any more; it ends.\n")
                }
                None => "No hub runs.\n",
            },
        };
        std::io::stdout().write_all(said.as_bytes())?;
        Ok(Exit::Done)
    })
}
