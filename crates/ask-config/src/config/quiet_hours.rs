//! Quiet hours: the times of day, by the local clock, at which the person isn't notified.

use ask_core::Time;
use jiff::civil;
use jiff::tz::TimeZone;

/// The time from one time of day to another. It passes midnight if the second one is earlier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hours {
    from: civil::Time,
    to: civil::Time,
}

impl Hours {
    /// Parses text such as `22:00-07:30`.
    pub fn parse(text: &str) -> Option<Self> {
        let (from, to) = text.split_once('-')?;
        let hours = Self {
            from: time_of_day(from)?,
            to: time_of_day(to)?,
        };
        (hours.from != hours.to).then_some(hours)
    }

    /// When the current quiet period ends; `None` outside of quiet hours.
    pub fn until(self, now: Time, zone: &TimeZone) -> Option<Time> {
        let stamp = jiff::Timestamp::from_millisecond(now.0).ok()?;
        let here = stamp.to_zoned(zone.clone());
        let time = here.time();
        let (quiet, tomorrow) = match self.from < self.to {
            true => (self.from <= time && time < self.to, false),
            false => (time >= self.from || time < self.to, time >= self.from),
        };
        if !quiet {
            return None;
        }
        let date = match tomorrow {
            true => here.date().tomorrow().ok()?,
            false => here.date(),
        };
        let end = date.to_datetime(self.to).to_zoned(zone.clone()).ok()?;
        Some(Time(end.timestamp().as_millisecond()))
    }
}

fn time_of_day(text: &str) -> Option<civil::Time> {
    let (hour, minute) = text.trim().split_once(':')?;
    let digits = |part: &str| part.len() <= 2 && part.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(hour) || !digits(minute) {
        return None;
    }
    civil::Time::new(hour.parse().ok()?, minute.parse().ok()?, 0, 0).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(hours: &str, now: &str) -> Option<String> {
        let hours = Hours::parse(hours).expect("the hours are valid");
        let now = Time::parse(now).expect("a time");
        hours.until(now, &TimeZone::UTC).map(|end| end.to_string())
    }

    #[test]
    fn quiet_hours_over_midnight_end_in_the_morning() {
        let night = "22:00-07:30";
        let morning = Some("2026-02-05T07:30:00Z".to_owned());
        assert_eq!(end(night, "2026-02-04T21:59:59Z"), None);
        assert_eq!(end(night, "2026-02-04T22:00:00Z"), morning);
        assert_eq!(end(night, "2026-02-05T03:00:00Z"), morning);
        assert_eq!(end(night, "2026-02-05T07:30:00Z"), None);
    }

    #[test]
    fn quiet_hours_within_a_day_end_that_day() {
        let nap = "13:00-14:00";
        assert_eq!(
            end(nap, "2026-02-04T13:59:00Z"),
            Some("2026-02-04T14:00:00Z".to_owned())
        );
        assert_eq!(end(nap, "2026-02-04T14:00:00Z"), None);
    }

    #[test]
    fn invalid_hours_are_refused() {
        for text in [
            "",
            "22:00",
            "22-7",
            "24:00-01:00",
            "9:60-10:00",
            "a:b-c:d",
            "1:00-1:00",
        ] {
            assert_eq!(Hours::parse(text), None, "{text}");
        }
    }
}
