//! `ask-user hub`: starting, stopping and running the hub.

use std::io::Write;
use std::os::fd::RawFd;
use std::time::Duration;

use ask_config::exit::{Exit, Failure};
use ask_config::home::Home;
use ask_hub::client::Client;
use ask_hub::lock;
use ask_hub::server::{self, RunResult};
use ask_hub::spawn;
use clap::Args;
use tokio::time::{interval, timeout};

use crate::daemon::DaemonHttp;

/// Start, stop or inspect the hub, which every other command starts by itself
#[derive(Args)]
pub(crate) struct Hub {
    /// Run the hub in this terminal until it is stopped
    #[arg(long, group = "what")]
    foreground: bool,
    /// Stop the hub; waiting calls reconnect to the next one
    #[arg(long, group = "what")]
    stop: bool,
    /// Print whether the hub runs
    #[arg(long, group = "what")]
    status: bool,
    /// Make sure that a hub runs, and print nothing
    #[arg(long, group = "what", hide = true)]
    start: bool,
    /// Run the hub detached from the terminal
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
        if self.start {
            spawn::start_detached()?;
            return Ok(Exit::Done);
        }
        if !self.status {
            // One that is ending may still hold the lock, and then no other starts.
            super::block_on(Client::connect_with_retry(home))?;
        }
        super::status::print_hub(home, self.json)
    }
}

fn foreground(home: &Home) -> anyhow::Result<Exit> {
    super::warn_of_settings(home);
    let served = server::run::<DaemonHttp>(home, |socket| {
        // The hub runs whether or not this line can be printed.
        let _ = writeln!(
            std::io::stdout(),
            "The hub listens at {}; Ctrl+C ends it.",
            socket.display()
        );
    })?;
    match served {
        RunResult::Ended => Ok(Exit::Done),
        RunResult::AlreadyRunning => Err(Failure::new(
            Exit::Failure,
            "a hub runs already",
            "`ask-user hub --stop` ends it",
        )
        .into()),
    }
}

/// Runs the detached hub. It reports once on standard output whether it started, and then closes
/// it.
fn detached(home: &Home) -> anyhow::Result<Exit> {
    close_inherited();
    // It fails only for the leader of a process group, which a started child isn't.
    let _ = rustix::process::setsid();
    let report = |text: &str| {
        let mut out = std::io::stdout();
        // The starting process may be gone; the hub runs nevertheless.
        let _ = out.write_all(text.as_bytes());
        let _ = out.flush();
        if let Ok(null) = std::fs::OpenOptions::new().write(true).open("/dev/null") {
            // If this fails, the starting process waits for the end of the hub.
            let _ = rustix::stdio::dup2_stdout(&null);
        }
    };
    match server::run::<DaemonHttp>(home, |_| report(spawn::READY)) {
        Ok(RunResult::Ended) => Ok(Exit::Done),
        Ok(RunResult::AlreadyRunning) => {
            report(spawn::READY);
            Ok(Exit::Done)
        }
        Err(error) => {
            tracing::error!("the hub failed: {error:#}");
            report(&format!("{error:#}"));
            Ok(Exit::Failure)
        }
    }
}

/// Closes what the command that started the hub had open: the lock of a script's `flock` would be held for as long as
/// the hub runs, and a reader of its pipe would never see the end. Only what was inherited is open when this is called.
fn close_inherited() {
    // Without the list, everything stays open.
    let Ok(entries) = std::fs::read_dir("/dev/fd") else {
        return;
    };
    let open: Vec<RawFd> = entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .collect();
    for descriptor in open.into_iter().filter(|&descriptor| descriptor > 2) {
        // The one of the list itself is closed already.
        let _ = nix::unistd::close(descriptor);
    }
}

/// How long to wait until a stopped hub has written everything.
const STOP_LIMIT: Duration = Duration::from_secs(10);
const POLL_INTERVAL: Duration = Duration::from_millis(5);

fn stop(home: &Home) -> anyhow::Result<Exit> {
    super::block_on(async {
        let hub = lock::holder_pid(home);
        let message = match Client::find(home).await? {
            Some(client) => {
                client.stop().await?;
                "The hub has ended; the next ask, or a call that waits, starts another.\n"
            }
            None => match lock::holder_pid(home) {
                Some(pid) => {
                    lock::terminate(pid);
                    &format!("The hub (process {pid}) could not be reached any more; it ends.\n")
                }
                None => "No hub runs.\n",
            },
        };
        if let Some(pid) = hub {
            // After this, the hub's files can be moved or removed. At the time limit, the message
            // is printed nevertheless.
            let _ = timeout(STOP_LIMIT, wait_until_stopped(home, pid)).await;
        }
        std::io::stdout().write_all(message.as_bytes())?;
        Ok(Exit::Done)
    })
}

async fn wait_until_stopped(home: &Home, pid: u32) {
    let mut ticks = interval(POLL_INTERVAL);
    while lock::is_still_running(home, pid) {
        ticks.tick().await;
    }
}
