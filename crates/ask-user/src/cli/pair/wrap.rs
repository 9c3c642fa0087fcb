//! The output of `ask-user pair`: lines wrapped to the terminal, and times.

use ask_config::text;
use ask_core::{SafeText, Time};
use jiff::tz::TimeZone;

/// Wraps each line at words. A trailing space is kept, for a prompt.
pub(super) fn flowed(said: &str, columns: Option<u16>) -> String {
    let Some(columns) = columns.map(usize::from).filter(|columns| *columns > 1) else {
        return said.to_owned();
    };
    let lines = said.split('\n').map(|line| {
        let rows = text::wrap(&SafeText::line(line), columns - 1);
        let rows: Vec<&str> = rows.iter().map(|row| row.as_str().trim_end()).collect();
        rows.join("\n")
    });
    let mut flowed = lines.collect::<Vec<String>>().join("\n");
    if said.ends_with(' ') {
        flowed.push(' ');
    }
    flowed
}

/// A time for an English sentence: the time of day if it is near, otherwise with the date, and with
/// the year if it isn't this one.
pub(super) fn moment(at: Time, now: Time, zone: &TimeZone) -> String {
    const NEAR_MS: u64 = 20 * 60 * 60 * 1_000;
    let local = |time: Time| {
        let stamp = jiff::Timestamp::from_millisecond(time.0).unwrap_or(jiff::Timestamp::MAX);
        stamp.to_zoned(zone.clone())
    };
    let (then, today) = (local(at), local(now));
    let format = if at.since_ms(now).max(now.since_ms(at)) < NEAR_MS {
        "%H:%M"
    } else if then.year() == today.year() {
        "%-d %b, %H:%M"
    } else {
        "%-d %b %Y, %H:%M"
    };
    then.strftime(format).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_break_at_words_and_a_prompt_keeps_its_blank() {
        let said = "It may answer until then.\n\nYes? [y/N] ";
        let flowed_for = |columns| flowed(said, columns);
        assert_eq!(flowed_for(None), said);
        assert_eq!(
            flowed_for(Some(12)),
            "It may\nanswer\nuntil then.\n\nYes? [y/N] "
        );
        assert_eq!(flowed_for(Some(80)), said);
    }

    #[test]
    fn moments_have_their_year_where_it_is_another() {
        let at = |text: &str| Time::parse(text).unwrap();
        let now = at("2026-11-22T10:00:00Z");
        for (then, said) in [
            ("2026-11-22T22:40:00Z", "22:40"),
            ("2026-11-23T05:00:00Z", "05:00"),
            ("2026-11-20T09:00:00Z", "20 Nov, 09:00"),
            ("2026-12-22T19:40:00Z", "22 Dec, 19:40"),
            ("2038-12-30T22:00:00Z", "30 Dec 2038, 22:00"),
        ] {
            assert_eq!(moment(at(then), now, &TimeZone::UTC), said);
        }
    }
}
