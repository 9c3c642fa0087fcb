//! `ask-user snooze` and `ask-user extend`: snoozing an ask, and extending its deadline.

use ask_core::{Record, record, time};
use clap::Args;
use std::io::Write;

use ask_config::clock;
use ask_config::exit::{Exit, Failure};
use ask_config::home::Home;
use ask_config::snooze::{self, STEP_MS};

use super::duration::parse_duration;
use super::style;

/// Snooze an ask; its agent notices nothing
#[derive(Args)]
#[command(
    after_help = "WHEN is a time of day, `tomorrow`, `tomorrow 14:00`, a time in RFC 3339, or `asked-again`: until this agent asks again. Without a duration and an end it is snoozed for 15 minutes."
)]
pub(crate) struct Snooze {
    /// The ask's id
    id: String,
    /// The duration: 90s, 15m, 2h, 1d
    #[arg(long = "for", value_name = "DURATION", value_parser = parse_duration, conflicts_with_all = ["until", "off"])]
    duration_ms: Option<u64>,
    /// The end of the snooze
    #[arg(long, value_name = "WHEN", conflicts_with = "off")]
    until: Option<String>,
    /// End the snooze now
    #[arg(long)]
    off: bool,
    /// Print the record as JSON
    #[arg(long)]
    json: bool,
}

/// Extend the deadline of an ask
#[derive(Args)]
#[command(
    after_help = "An ask never gets more time in all than its agent could have given it: half an hour for codenomad, a day for native."
)]
pub(crate) struct Extend {
    /// The ask's id
    id: String,
    /// How much more time: 90s, 5m, 1h; 5 minutes if left out
    #[arg(value_name = "DURATION", value_parser = parse_duration)]
    duration_ms: Option<u64>,
    /// Print the record as JSON
    #[arg(long)]
    json: bool,
}

/// The duration of a snooze without options.
const DEFAULT_MS: u64 = 15 * 60_000;

impl Snooze {
    pub(super) fn run(self, home: &Home) -> anyhow::Result<Exit> {
        let until = self.parse_end()?;
        let record = super::with_hub(home, async |client| client.snooze(&self.id, until).await)?;
        print(&record, self.json, || match record.snoozed {
            None => format!("{} waits again.", record.id),
            Some(_) => format!(
                "{} is snoozed {}.{}",
                record.id,
                style::snooze_text(&record),
                deadline_warning(&record)
            ),
        })
    }

    fn parse_end(&self) -> anyhow::Result<Option<record::Snooze>> {
        let now = clock::now();
        if self.off {
            return Ok(None);
        }
        if let Some(text) = &self.until {
            let zone = clock::zone();
            return match snooze::end(text, now, &zone) {
                Some(end) => Ok(Some(end)),
                None => Err(usage_error(&format!(
                    "--until: \"{text}\" is no time; try 14:30, tomorrow or asked-again"
                ))),
            };
        }
        let Some(at) = snooze::later(now, self.duration_ms.unwrap_or(DEFAULT_MS)) else {
            return Err(usage_error(
                "--for: it would end after the last year of the calendar; try 15m, 2h or 1d, or `--until asked-again`",
            ));
        };
        Ok(Some(record::Snooze::Until(at)))
    }
}

/// The warning that a snooze ends after the ask's deadline.
fn deadline_warning(record: &Record) -> String {
    let ends_at = match record.snoozed {
        Some(record::Snooze::Until(at)) => Some(at),
        Some(record::Snooze::AskedAgain) | None => None,
    };
    match (record.deadline_at, ends_at) {
        (Some(deadline), Some(end)) if deadline <= end => {
            let left = time::brief(deadline.since_ms(clock::now()));
            format!(
                " Its agent waits only {left} more; what you answer after that is kept until it asks again."
            )
        }
        (Some(_) | None, _) => String::new(),
    }
}

impl Extend {
    pub(super) fn run(self, home: &Home) -> anyhow::Result<Exit> {
        let ms = self.duration_ms.unwrap_or(STEP_MS);
        let (before, record) = super::with_hub(home, async |client| {
            let before = client.get(&self.id).await?;
            let from = before.deadline_at.unwrap_or_else(clock::now);
            let record = client.extend(before.id.as_str(), from.plus_ms(ms)).await?;
            Ok((before, record))
        })?;
        let left = style::time_left(&record).unwrap_or_default();
        print(&record, self.json, || {
            if before.deadline_at == record.deadline_at {
                return format!("{} gets no more time: {left}.", record.id);
            }
            format!("{}: {left}.", record.id)
        })
    }
}

fn print(record: &Record, json: bool, text: impl FnOnce() -> String) -> anyhow::Result<Exit> {
    let mut out = std::io::stdout();
    match json {
        true => style::print_json(&mut out, record)?,
        false => writeln!(out, "{}", text())?,
    }
    Ok(Exit::Done)
}

fn usage_error(problem: &str) -> anyhow::Error {
    Failure::plain(Exit::Usage, problem).into()
}
