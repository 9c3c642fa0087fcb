//! Times, as arguments: the core never asks what time it is.

use std::fmt;

/// A time in milliseconds since the Unix epoch, in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(pub i64);

impl Time {
    /// The time this many milliseconds later.
    pub fn plus_ms(self, ms: u64) -> Self {
        Self(self.0.saturating_add(i64::try_from(ms).unwrap_or(i64::MAX)))
    }

    /// Milliseconds from `earlier` to this time; 0 if `earlier` is later.
    pub fn since_ms(self, earlier: Self) -> u64 {
        u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0)
    }

    /// The last time that a timestamp of whole milliseconds can have: 22:00 on December 30 of the
    /// year 9999.
    pub fn last() -> Self {
        Self(jiff::Timestamp::MAX.as_second() * 1_000)
    }

    /// Parses RFC 3339. Times of the last two days of the year 9999 are beyond the range of
    /// timestamps, and become its last one.
    pub fn parse(text: &str) -> Option<Self> {
        match text.parse::<jiff::Timestamp>() {
            Ok(stamp) => Some(Self(stamp.as_millisecond()).min(Self::last())),
            Err(_) => is_at_the_end(text).then(Self::last),
        }
    }

    fn stamp(self) -> jiff::Timestamp {
        jiff::Timestamp::from_millisecond(self.0).unwrap_or(if self.0 < 0 {
            jiff::Timestamp::MIN
        } else {
            jiff::Timestamp::MAX
        })
    }
}

/// Writes RFC 3339 in UTC.
impl fmt::Display for Time {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.stamp().fmt(formatter)
    }
}

/// Whether a text is a time of the year 9999 that is too late for a timestamp.
fn is_at_the_end(text: &str) -> bool {
    let Ok(pieces) = jiff::fmt::temporal::Pieces::parse(text) else {
        return false;
    };
    let last = jiff::Timestamp::MAX
        .to_zoned(jiff::tz::TimeZone::UTC)
        .date();
    pieces.date() >= last && pieces.time().is_some() && pieces.offset().is_some()
}

/// A duration in the largest unit of which it has at least one: `40s`, `4m`, `3h`, `2d`.
pub fn brief(ms: u64) -> String {
    let seconds = ms / 1_000;
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3_600 => format!("{}m", seconds / 60),
        3_600..86_400 => format!("{}h", seconds / 3_600),
        _ => format!("{}d", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_time_of_the_calendar_can_be_parsed() {
        let last = Time::parse("9999-12-30T22:00:00Z").unwrap();
        for text in [
            "9999-12-31T23:59:59Z",
            "9999-12-31T23:59:59.999+00:00",
            "9999-12-30T23:30:00Z",
            "9999-12-30T22:00:00.5Z",
            "9999-12-31T23:59:59-08:00",
        ] {
            let read = Time::parse(text).unwrap();
            assert_eq!(read, last, "{text}");
            assert!(jiff::Timestamp::from_millisecond(read.0).is_ok(), "{text}");
            assert_eq!(Time::parse(&read.to_string()), Some(read), "{text}");
        }
        let begun = Time::parse("0000-01-01T00:00:00Z").unwrap();
        assert!(begun < Time(0));
        for text in [
            "9999-12-31",
            "9999-12-31T23:59:59",
            "9999-12-32T00:00:00Z",
            "soon",
        ] {
            assert_eq!(Time::parse(text), None, "{text}");
        }
    }
}
