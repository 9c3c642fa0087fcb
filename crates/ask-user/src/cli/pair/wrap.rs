//! The output of `ask-user pair`: lines wrapped to the terminal, and times.

use ask_config::text;
use ask_core::{SafeText, Time};
use jiff::tz::TimeZone;

/// Wraps each line at words. A trailing space is kept, for a prompt.
pub(super) fn wrap_lines(text: &str, columns: Option<u16>) -> String {
    let Some(columns) = columns.map(usize::from).filter(|columns| *columns > 1) else {
        return text.to_owned();
    };
    let lines = text.split('\n').map(|line| {
        let rows = text::wrap(&SafeText::line(line), columns - 1);
        let rows: Vec<&str> = rows.iter().map(|row| row.as_str().trim_end()).collect();
        rows.join("\n")
    });
    let mut wrapped = lines.collect::<Vec<String>>().join("\n");
    if text.ends_with(' ') {
        wrapped.push(' ');
    }
    wrapped
}

/// A time for an English sentence: the time of day if it is near, otherwise with the date, and with
/// the year if it isn't this one.
pub(super) fn format_time(at: Time, now: Time, zone: &TimeZone) -> String {
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
    fn lines_break_at_words_and_a_prompt_keeps_its_space() {
        let text = "It may answer until then.\n\nYes? [y/N] ";
        let wrap_to = |columns| wrap_lines(text, columns);
        assert_eq!(wrap_to(None), text);
        assert_eq!(
            wrap_to(Some(12)),
            "It may\nanswer\nuntil then.\n\nYes? [y/N] "
        );
        assert_eq!(wrap_to(Some(80)), text);
    }

    #[test]
    fn times_of_another_year_have_the_year() {
        let at = |text: &str| Time::parse(text).unwrap();
        let now = at("2026-11-22T10:00:00Z");
        for (then, text) in [
            ("2026-11-22T22:40:00Z", "22:40"),
            ("2026-11-23T05:00:00Z", "05:00"),
            ("2026-11-20T09:00:00Z", "20 Nov, 09:00"),
            ("2026-12-22T19:40:00Z", "22 Dec, 19:40"),
            ("2038-12-30T22:00:00Z", "30 Dec 2038, 22:00"),
        ] {
            assert_eq!(format_time(at(then), now, &TimeZone::UTC), text);
        }
    }
}
