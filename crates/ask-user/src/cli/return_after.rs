//! How long a command waits for a person, and what it prints when it returns before an answer: the
//! text that an agent over MCP gets, with the command that continues waiting.

use std::io::Write;
use std::time::Duration;

use ask_config::exit::Exit;
use ask_core::{Json, Record};
use ask_dialects::{Dialect, Word};
use ask_hub::client::{Client, Waiter};
use ask_hub::polling::RETURN_LIMIT;
use ask_protocol::json_text;
use clap::Args;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::time::{Instant, sleep_until};

use super::duration::{format_duration, parse_duration};

/// The suggested `--return-after` where the agent's limit isn't known. Most agents give a command
/// two minutes.
pub(crate) const SUGGESTED_MS: u64 = 100_000;

/// When a command returns before an answer.
#[derive(Args)]
pub(crate) struct ReturnAfter {
    /// Return after this long (`100s`, `5m`) if nobody has answered, before an agent's own limit ends
    /// the command: the ask stays open, and the output says how to continue waiting (exit code 8)
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    return_after: Option<u64>,
}

/// How a wait ended.
pub(crate) enum WaitEnd {
    /// With an outcome.
    Outcome(Box<Record>),
    /// Early; the ask stays open.
    Early(Early),
}

/// Why a command returns before the person has answered.
#[derive(Clone, Copy)]
pub(crate) enum Early {
    /// After this many milliseconds, as the command line says.
    Limit(u64),
    /// The agent or the system sent SIGTERM.
    Terminated,
    /// The person pressed Ctrl+C.
    Interrupted,
}

/// A started wait: its time limit runs, and its signal handlers are installed.
pub(crate) struct RunningWait {
    terminate: Signal,
    until: Option<(u64, Instant)>,
}

impl ReturnAfter {
    /// Starts the time limit. Call it before anything is asked.
    pub(crate) fn start(&self) -> anyhow::Result<RunningWait> {
        let until = |ms| (ms, Instant::now() + Duration::from_millis(ms));
        Ok(RunningWait {
            terminate: signal(SignalKind::terminate())?,
            until: self.return_after.map(until),
        })
    }
}

impl RunningWait {
    /// Waits for the outcome, the time limit or a signal.
    pub(crate) async fn wait(mut self, waiting: &mut Waiter) -> anyhow::Result<WaitEnd> {
        let limit = async {
            match self.until {
                Some((ms, until)) => {
                    sleep_until(until).await;
                    ms
                }
                None => std::future::pending().await,
            }
        };
        Ok(tokio::select! {
            biased;
            ended = waiting.outcome() => WaitEnd::Outcome(Box::new(ended?.record)),
            ms = limit => WaitEnd::Early(Early::Limit(ms)),
            _ = self.terminate.recv() => WaitEnd::Early(Early::Terminated),
            _ = tokio::signal::ctrl_c() => WaitEnd::Early(Early::Interrupted),
        })
    }
}

impl Early {
    /// Prints that the ask stays open, and how to continue. For an agent it goes to standard
    /// output, which is all that agents read, in `dialect` if there is one.
    pub(crate) async fn print(
        self,
        client: &Client,
        waiting: Waiter,
        record: &Record,
        dialect: Option<&dyn Dialect>,
    ) -> anyhow::Result<Exit> {
        let id = &record.id;
        let ms = match self {
            Self::Limit(ms) => ms,
            Self::Terminated => SUGGESTED_MS,
            Self::Interrupted => {
                let mut stderr = std::io::stderr();
                writeln!(
                    stderr,
                    "\nThe question stays open; `ask-user wait {id}` waits on."
                )?;
                return Ok(Exit::Waiting);
            }
        };
        let mut out = std::io::stdout();
        let json = if dialect.is_some() { " --json" } else { "" };
        let limit = format_duration(ms);
        let next_command = format!("ask-user wait {id}{json} --return-after {limit}");
        writeln!(out, "{}", still_open_text(record, dialect, &next_command))?;
        out.flush()?;
        waiting.leave_and_reconnect(RETURN_LIMIT);
        // A response over the same connection proves that the hub has handled the leave message.
        let _ = client.status().await;
        Ok(Exit::Waiting)
    }
}

/// The text for an agent whose ask is open, with the command that continues waiting.
pub(crate) fn still_open_text(
    record: &Record,
    dialect: Option<&dyn Dialect>,
    next_command: &str,
) -> String {
    let how = format!(
        "Not answered yet; the question stays open, and the user can answer it with `ask-user inbox \
         --id {}`. The user has not refused and has not agreed: don't claim either and don't decide \
         in their place. To go on waiting, run: {next_command}",
        record.id
    );
    let Some(dialect) = dialect else {
        return how;
    };
    let reply = dialect.write(Word::Open(record));
    match reply.structured {
        // A dialect's own text would name a tool that a shell can't call.
        Some(Json::Object(mut fields)) => {
            fields.insert("howToAnswer".to_owned(), how.into());
            json_text(&fields)
        }
        Some(_) | None => format!("{}\n\n{how}", reply.printed()),
    }
}
