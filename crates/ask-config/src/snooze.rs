//! How long an ask can be snoozed, and by how much a deadline can be extended: what every surface
//! offers, and what the arguments on a command line mean.

use ask_core::Time;
use ask_core::record::Snooze;
use jiff::ToSpan;
use jiff::civil;
use jiff::tz::TimeZone;

/// By how much one step extends a deadline.
pub const STEP_MS: u64 = 5 * 60_000;

/// How long an ask is snoozed, as surfaces offer it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// For this number of minutes.
    Minutes(u64),
    /// Until the next day at nine o'clock.
    Tomorrow,
    /// Until its agent asks again.
    AskedAgain,
}

/// The lengths that surfaces offer, in this order.
pub const LENGTHS: [Length; 5] = [
    Length::Minutes(5),
    Length::Minutes(15),
    Length::Minutes(60),
    Length::Tomorrow,
    Length::AskedAgain,
];

/// When a snooze until tomorrow ends.
const MORNING: civil::Time = civil::time(9, 0, 0, 0);

impl Length {
    /// The end of a snooze that begins now.
    pub fn snooze(self, now: Time, zone: &TimeZone) -> Snooze {
        match self {
            Self::Minutes(minutes) => Snooze::Until(now.plus_ms(minutes * 60_000)),
            Self::Tomorrow => Snooze::Until(
                day_at(now, zone, 1, MORNING).unwrap_or_else(|| now.plus_ms(24 * 60 * 60_000)),
            ),
            Self::AskedAgain => Snooze::AskedAgain,
        }
    }
}

/// The time so many milliseconds from now; `None` if it is beyond the calendar.
pub fn later(now: Time, ms: u64) -> Option<Time> {
    let then = now.plus_ms(ms);
    jiff::Timestamp::from_millisecond(then.0).ok()?;
    Some(then)
}

/// Parses the end of a snooze: a time of day, `tomorrow` with or without one, RFC 3339, or
/// `asked-again`.
pub fn end(text: &str, now: Time, zone: &TimeZone) -> Option<Snooze> {
    let text = text.trim();
    if text == "asked-again" {
        return Some(Snooze::AskedAgain);
    }
    if let Some(rest) = text.strip_prefix("tomorrow") {
        let at = match rest.trim() {
            "" => MORNING,
            time => time_of_day(time)?,
        };
        return day_at(now, zone, 1, at).map(Snooze::Until);
    }
    if let Some(at) = time_of_day(text) {
        let today = day_at(now, zone, 0, at).filter(|today| *today > now);
        return today
            .or_else(|| day_at(now, zone, 1, at))
            .map(Snooze::Until);
    }
    Time::parse(text).map(Snooze::Until)
}

fn time_of_day(text: &str) -> Option<civil::Time> {
    let (hour, minute) = text.split_once(':')?;
    civil::Time::new(hour.parse().ok()?, minute.parse().ok()?, 0, 0).ok()
}

/// A time of day, this many days from now.
fn day_at(now: Time, zone: &TimeZone, days: i64, at: civil::Time) -> Option<Time> {
    let now = jiff::Timestamp::from_millisecond(now.0).ok()?;
    let day = now.to_zoned(zone.clone()).date();
    let day = day.checked_add(days.days()).ok()?;
    let then = day.to_datetime(at).to_zoned(zone.clone()).ok()?;
    Some(Time(then.timestamp().as_millisecond()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 17:30 in Berlin, in summer.
    const NOW: &str = "2026-07-01T15:30:00Z";

    fn berlin() -> TimeZone {
        TimeZone::fixed(jiff::tz::offset(2))
    }

    fn at(text: &str) -> Option<String> {
        let now = Time::parse(NOW).expect("a time");
        match end(text, now, &berlin())? {
            Snooze::Until(at) => Some(at.to_string()),
            Snooze::AskedAgain => Some("asked again".into()),
        }
    }

    #[test]
    fn snoozes_on_offer_end_when_they_say() {
        let now = Time::parse(NOW).expect("a time");
        let ends = LENGTHS.map(|length| length.snooze(now, &berlin()));
        let until = |text| Snooze::Until(Time::parse(text).expect("a time"));
        assert_eq!(
            ends,
            [
                until("2026-07-01T15:35:00Z"),
                until("2026-07-01T15:45:00Z"),
                until("2026-07-01T16:30:00Z"),
                until("2026-07-02T07:00:00Z"),
                Snooze::AskedAgain,
            ]
        );
    }

    #[test]
    fn the_end_of_a_snooze_is_parsed() {
        let found = |text: &str| at(text).unwrap_or_default();
        assert_eq!(found("18:15"), "2026-07-01T16:15:00Z");
        assert_eq!(found("9:00"), "2026-07-02T07:00:00Z", "it is past nine");
        assert_eq!(found("tomorrow"), "2026-07-02T07:00:00Z");
        assert_eq!(found("tomorrow 18:15"), "2026-07-02T16:15:00Z");
        assert_eq!(found("2026-07-04T12:00:00Z"), "2026-07-04T12:00:00Z");
        assert_eq!(found("asked-again"), "asked again");
        for wrong in ["", "soon", "25:00", "tomorrow morning", "9"] {
            assert_eq!(at(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn no_time_lies_beyond_the_calendar() {
        let now = Time::parse(NOW).expect("a time");
        let day = 24 * 60 * 60_000;
        assert_eq!(later(now, day), Time::parse("2026-07-02T15:30:00Z"));
        assert!(later(now, 2_900_000 * day).is_some(), "the year 9966");
        assert_eq!(later(now, 9_999_999 * day), None);
        assert_eq!(later(now, u64::MAX), None);
    }
}
