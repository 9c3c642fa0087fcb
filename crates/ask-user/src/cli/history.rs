//! `ask-user history`.

use ask_core::Time;
use ask_core::dialect::wire::{Filter, Request};
use clap::Args;

use super::paint;
use crate::clock;
use crate::exit::{Exit, Failure};
use crate::home::Home;

/// List what was asked and how it ended, newest first
#[derive(Args)]
pub struct History {
    /// Only asks with these words in their questions, choices, answers or asker
    #[arg(long, value_name = "WORDS")]
    search: Option<String>,
    /// Only asks of this project, by name or directory
    #[arg(long, value_name = "PROJECT")]
    project: Option<String>,
    /// Only asks since then: a date, a time, or a length such as `90m`, `12h`, `7d`
    #[arg(long, value_name = "WHEN")]
    since: Option<String>,
    /// At most so many
    #[arg(long, value_name = "COUNT", default_value_t = 50)]
    limit: u64,
    /// Print a JSON array of records
    #[arg(long)]
    json: bool,
}

impl History {
    pub(super) fn run(self, home: &Home) -> anyhow::Result<Exit> {
        let since = self.since.as_deref().map(moment).transpose()?;
        let mut filter = Filter {
            search: self.search,
            project: self.project,
            since_ms: since.map(|time| time.0),
            ..Filter::default()
        };
        let records = super::with_hub(home, async |client| {
            let mut records = Vec::new();
            while (records.len() as u64) < self.limit {
                filter.limit = Some(self.limit - records.len() as u64);
                let filter_now = filter.clone();
                let (page, next) = client.list(Request::History { filter: filter_now }).await?;
                records.extend(page);
                if next == 0 {
                    break;
                }
                filter.before = Some(next);
            }
            Ok(records)
        })?;
        paint::listing(&records, self.json, "Nothing found.")?;
        Ok(Exit::Done)
    }
}

/// A date, a time in RFC 3339, or a length of time before now.
fn moment(text: &str) -> anyhow::Result<Time> {
    if let Some(time) = Time::parse(text) {
        return Ok(time);
    }
    if let Ok(date) = text.parse::<jiff::civil::Date>() {
        let zoned = date.to_zoned(jiff::tz::TimeZone::system())?;
        return Ok(Time(zoned.timestamp().as_millisecond()));
    }
    let unit_ms = match text.chars().last() {
        Some('m') => 60_000,
        Some('h') => 3_600_000,
        Some('d') => 86_400_000,
        Some('w') => 604_800_000,
        _ => 0_i64,
    };
    let count: Option<i64> = text
        .get(..text.len().saturating_sub(1))
        .and_then(|count| count.parse().ok());
    match count
        .filter(|_| unit_ms > 0)
        .and_then(|count| count.checked_mul(unit_ms))
    {
        Some(length) => Ok(Time(clock::now().0.saturating_sub(length))),
        None => Err(Failure::new(
            Exit::Usage,
            format!("\"{text}\" is no time"),
            "write 2026-02-04, 2026-02-04T22:16:32Z, 90m, 12h, 7d or 2w",
        )
        .into()),
    }
}
