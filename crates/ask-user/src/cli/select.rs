//! The filter options that `history`, `export`, `stats` and `forget` share.

use ask_config::clock;
use ask_config::duration::parse_duration_ms;
use ask_config::exit::{Exit, Failure};
use ask_core::Time;
use ask_core::history::{End, Filter, UNDELIVERED};
use clap::Args;
use clap::builder::PossibleValuesParser;

/// Options that filter the history.
#[derive(Args, Default)]
pub(crate) struct FilterArgs {
    /// Only asks with these words in their questions, choices, answers, notes or asker
    #[arg(long, value_name = "WORDS")]
    search: Option<String>,
    /// Only asks of this agent: its client's name, or the name that it gives itself
    #[arg(long, value_name = "AGENT")]
    agent: Option<String>,
    /// Only asks of this project, by name or directory
    #[arg(long, value_name = "PROJECT")]
    project: Option<String>,
    /// Only asks from this git branch
    #[arg(long, value_name = "BRANCH")]
    branch: Option<String>,
    /// Only asks with this end; late: the agent was gone when it was answered; undelivered: the
    /// agent has not received the answer yet
    #[arg(long, value_name = "STATE", value_parser = PossibleValuesParser::new(End::ALL.map(|(_, word)| word).into_iter().chain([UNDELIVERED])))]
    state: Option<String>,
    /// Only asks that were closed on this surface: terminal, plain, cli, dialog, …
    #[arg(long, value_name = "SURFACE")]
    surface: Option<String>,
    /// Only asks whose recommended choice was taken, or was not
    #[arg(long, value_name = "HOW", value_parser = PossibleValuesParser::new(["taken", "not-taken"]))]
    recommended: Option<String>,
    /// Only asks since this time: a date, a time, or a duration before now such as `90s`, `5m`,
    /// `12h`, `7d`, `2w`
    #[arg(long, value_name = "WHEN")]
    since: Option<String>,
    /// Only asks until this time; a date includes its day
    #[arg(long, value_name = "WHEN")]
    until: Option<String>,
}

impl FilterArgs {
    /// The filter of these options.
    pub(crate) fn into_filter(self) -> anyhow::Result<Filter> {
        let since = self.since.as_deref().map(parse_time).transpose()?;
        let until = self.until.as_deref().map(parse_end).transpose()?;
        Ok(Filter {
            search: self.search,
            agent: self.agent,
            project: self.project,
            branch: self.branch,
            end: self.state.as_deref().and_then(End::find),
            undelivered: self.state.as_deref() == Some(UNDELIVERED),
            surface: self.surface,
            recommended: self.recommended.map(|how| how == "taken"),
            since_ms: since.map(|time| time.0),
            until_ms: until.map(|time| time.0),
            ..Filter::default()
        })
    }
}

/// Parses a date, a time (RFC 3339), or a duration before now.
pub(crate) fn parse_time(text: &str) -> anyhow::Result<Time> {
    if let Some(time) = Time::parse(text) {
        return Ok(time);
    }
    if let Ok(date) = text.parse::<jiff::civil::Date>() {
        return Ok(start_of_day(date));
    }
    match parse_duration_ms(text).and_then(|ms| i64::try_from(ms).ok()) {
        Some(ms) => Ok(Time(clock::now().0.saturating_sub(ms))),
        None => Err(Failure::new(
            Exit::Usage,
            format!("\"{text}\" is no time"),
            "write 2026-02-04, 2026-02-04T22:16:32Z, 90s, 5m, 12h, 7d or 2w",
        )
        .into()),
    }
}

/// Like [`parse_time`], but a date means the end of its day.
fn parse_end(text: &str) -> anyhow::Result<Time> {
    let date = text.parse::<jiff::civil::Date>();
    match date.ok().filter(|_| Time::parse(text).is_none()) {
        Some(date) => Ok(date.tomorrow().map_or(Time::last(), start_of_day)),
        None => parse_time(text),
    }
}

/// When a day begins, or the nearest time that there is: the first and the last days of the calendar
/// are beyond the range of timestamps.
fn start_of_day(date: jiff::civil::Date) -> Time {
    let nearest = match date.year() {
        0.. => Time::last(),
        ..0 => Time(i64::MIN),
    };
    let begin = date.to_zoned(clock::zone());
    begin.map_or(nearest, |begin| Time(begin.timestamp().as_millisecond()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_the_calendar_are_times() {
        let time = |text: &str| parse_time(text).unwrap();
        assert!(time("9999-12-31") >= time("9999-12-30"));
        assert_eq!(time("9999-12-31T23:59:59Z"), Time::last());
        assert_eq!(parse_end("9999-12-31").unwrap(), Time::last());
        assert!(parse_end("-009999-01-01").unwrap() < time("0000-01-01"));
    }
}
