//! How long a command waits for a person, and what it says when it ends before they have answered:
//! the words that an agent over MCP is told, with the command that goes on.

use std::io::Write;
use std::time::Duration;

use ask_config::exit::Exit;
use ask_core::{Json, Record};
use ask_dialects::{Dialect, Word};
use ask_hub::client::{Client, Waiting};
use ask_hub::polling::BACK_WITHIN;
use ask_protocol::json_text;
use clap::Args;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::time::{Instant, sleep_until};

/// What is told to an agent whose limit was not known until it ended the command, or that did not
/// wait: shorter than the two minutes that most give one.
pub const MOST_MS: u64 = 100_000;

/// How long to wait.
#[derive(Args)]
pub struct Timeouts {
    /// Return after this many milliseconds if nobody has answered, before an agent's own limit ends
    /// the command: the ask stays open, and the output says how to continue waiting (exit code 8)
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    return_after: Option<u64>,
}

/// How the waiting ended.
pub enum WaitEnd {
    /// With an outcome.
    Outcome(Box<Record>),
    /// Early; the ask stays.
    Early(Early),
}

/// Why a command ends before its person has answered.
#[derive(Clone, Copy)]
pub enum Early {
    /// After so long, because its agent would not wait for longer.
    Limit(u64),
    /// Its agent, or the system, has ended it.
    Ended,
    /// Whoever sits before it has left.
    Left,
}

/// A patience that has begun to run out: the time counts, and signals are heard, from here on.
pub struct RunningWait {
    terminate: Signal,
    until: Option<(u64, Instant)>,
}

impl Timeouts {
    /// Begins, before anything is asked.
    pub fn begin(&self) -> anyhow::Result<RunningWait> {
        let until = |ms| (ms, Instant::now() + Duration::from_millis(ms));
        Ok(RunningWait {
            terminate: signal(SignalKind::terminate())?,
            until: self.return_after.map(until),
        })
    }
}

impl RunningWait {
    /// Waits until there is an outcome, the time is over, or the command is to end.
    pub async fn wait(mut self, waiting: &mut Waiting) -> anyhow::Result<WaitEnd> {
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
            _ = self.terminate.recv() => WaitEnd::Early(Early::Ended),
            _ = tokio::signal::ctrl_c() => WaitEnd::Early(Early::Left),
        })
    }
}

impl Early {
    /// Says that the ask stays, and how to go on: on standard output to an agent, which reads that
    /// alone, in the words of this dialect if it wants those.
    pub async fn say(
        self,
        client: &Client,
        waiting: Waiting,
        record: &Record,
        words: Option<&dyn Dialect>,
    ) -> anyhow::Result<Exit> {
        let id = &record.id;
        let ms = match self {
            Self::Limit(ms) => ms,
            Self::Ended => MOST_MS,
            Self::Left => {
                let mut aside = std::io::stderr();
                writeln!(
                    aside,
                    "\nThe question stays open; `ask-user wait {id}` waits on."
                )?;
                return Ok(Exit::Waiting);
            }
        };
        let mut out = std::io::stdout();
        let json = if words.is_some() { " --json" } else { "" };
        let on = format!("ask-user wait {id}{json} --return-after {ms}");
        writeln!(out, "{}", still_waits(record, words, &on))?;
        out.flush()?;
        waiting.leave_for_another(BACK_WITHIN);
        // What comes back over the same connection says that the hub has heard the leaving.
        let _ = client.status().await;
        Ok(Exit::Waiting)
    }
}

/// What an agent reads whose ask is open, with the command that goes on waiting.
pub fn still_waits(record: &Record, words: Option<&dyn Dialect>, on: &str) -> String {
    let how = format!(
        "Not answered yet; the question stays open, and the user can answer it with `ask-user inbox \
         --id {}`. The user has not refused and has not agreed: don't claim either and don't decide \
         in their place. To go on waiting, run: {on}",
        record.id
    );
    let Some(words) = words else {
        return how;
    };
    let reply = words.write(Word::Open(record));
    match reply.structured {
        // Where a dialect has words of its own for this, they name a tool that a shell can't call.
        Some(Json::Object(mut fields)) => {
            fields.insert("howToAnswer".to_owned(), how.into());
            json_text(&fields)
        }
        Some(_) | None => format!("{}\n\n{how}", reply.printed()),
    }
}
