//! Statistics by day, over the closed asks that a history finds. A day is a local day in the time
//! zone that the computer had when the ask was counted.

use std::collections::BTreeMap;

use ask_config::clock::Calendar;
use ask_core::Time;
use ask_core::history::{Facts, Filter};
use ask_core::stats::{DayCounts, LocalHour, StatsBuilder};
use ask_protocol::native;
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::search;

/// Changes to the counts within one transaction. Each day is read and written once.
pub(crate) struct DayCountUpdates<'db> {
    db: &'db Connection,
    calendar: Calendar,
    changed: BTreeMap<i64, DayCounts>,
}

impl<'db> DayCountUpdates<'db> {
    pub(crate) fn begin(db: &'db Connection) -> Self {
        Self {
            db,
            calendar: Calendar::here(),
            changed: BTreeMap::new(),
        }
    }

    /// Counts an ask and returns the local hour in which it was asked.
    pub(crate) fn add(&mut self, facts: &Facts) -> rusqlite::Result<LocalHour> {
        let asked = self.calendar.hour(facts.asked_at);
        self.counts(asked)?.add(facts, asked);
        Ok(asked)
    }

    /// Removes the ask in this row from the counts, if it was counted.
    pub(crate) fn remove(&mut self, row: i64) -> rusqlite::Result<()> {
        if let Some((facts, asked)) = search::counted_facts(self.db, row)? {
            self.counts(asked)?.remove(&facts, asked);
        }
        Ok(())
    }

    fn counts(&mut self, hour: LocalHour) -> rusqlite::Result<&mut DayCounts> {
        let day = hour.day();
        if !self.changed.contains_key(&day) {
            let text: Option<String> = self
                .db
                .prepare_cached("SELECT counts FROM day WHERE day = ?1")?
                .query_row([day], |row| row.get(0))
                .optional()?;
            let counts = text.map_or_else(DayCounts::default, |text| read_counts(&text));
            self.changed.insert(day, counts);
        }
        Ok(self.changed.entry(day).or_default())
    }

    /// Writes the changed days.
    pub(crate) fn finish(self) -> rusqlite::Result<()> {
        for (day, counts) in self.changed {
            if counts.is_empty() {
                self.db
                    .prepare_cached("DELETE FROM day WHERE day = ?1")?
                    .execute([day])?;
            } else {
                self.db
                    .prepare_cached("INSERT OR REPLACE INTO day (day, counts) VALUES (?1, ?2)")?
                    .execute(params![day, native::write_day_counts(&counts)])?;
            }
        }
        Ok(())
    }
}

/// Parses the counts of a day. Text that can't be parsed counts as a day without asks.
fn read_counts(text: &str) -> DayCounts {
    native::read_day_counts(text).unwrap_or_default()
}

/// Counts all asks that a history finds. The migration that creates the table calls it once.
pub(crate) fn count_all(db: &Connection) -> rusqlite::Result<()> {
    let mut days = DayCountUpdates::begin(db);
    let mut update = db.prepare("UPDATE past SET local_hour = ?2 WHERE row = ?1")?;
    search::for_each_counted(db, |row, facts| {
        let asked = days.add(facts)?;
        update.execute([row, asked.0])?;
        Ok(())
    })?;
    days.finish()
}

/// A filter's period, split into whole days, whose counts are stored, and the partial days before
/// and after them, whose asks must be counted one by one.
pub(crate) struct Period {
    pub days: std::ops::Range<i64>,
    pub partial_days: Vec<Filter>,
}

impl Period {
    /// `None` if the filter has conditions besides a period, or its period has no whole day.
    pub(crate) fn from_filter(filter: &Filter, calendar: &Calendar) -> Option<Self> {
        if search::match_expression(filter).is_some() || filter.undelivered || filter.open {
            return None;
        }
        // The first day that begins at this moment or later.
        let first_after = |moment: i64| {
            let day = calendar.hour(Time(moment)).day();
            if calendar.begin(day).0 == moment {
                day
            } else {
                day + 1
            }
        };
        let begin = filter.since_ms.map_or(i64::MIN, first_after);
        let end = match filter.until_ms {
            Some(until) => calendar.hour(Time(until)).day(),
            None => i64::MAX,
        };
        if begin >= end {
            return None;
        }
        let mut partial_days = Vec::new();
        if let Some(since) = filter.since_ms
            && calendar.begin(begin).0 > since
        {
            partial_days.push(Filter {
                until_ms: Some(calendar.begin(begin).0),
                ..filter.clone()
            });
        }
        if let Some(until) = filter.until_ms
            && calendar.begin(end).0 < until
        {
            partial_days.push(Filter {
                since_ms: Some(calendar.begin(end).0),
                ..filter.clone()
            });
        }
        Some(Self {
            days: begin..end,
            partial_days,
        })
    }

    /// Adds the stored counts of the whole days to `stats`.
    pub(crate) fn add(&self, db: &Connection, stats: &mut StatsBuilder) -> rusqlite::Result<()> {
        let mut statement =
            db.prepare_cached("SELECT day, counts FROM day WHERE day >= ?1 AND day < ?2")?;
        let mut rows = statement.query([self.days.start, self.days.end])?;
        while let Some(row) = rows.next()? {
            stats.add_day(row.get(0)?, &read_counts(row.get_ref(1)?.as_str()?));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

    #[test]
    fn a_period_is_split_into_whole_and_partial_days() {
        let calendar = Calendar::here();
        let begin = |day| calendar.begin(day).0;
        let split = |since_ms, until_ms| {
            let filter = Filter {
                since_ms,
                until_ms,
                ..Filter::default()
            };
            let period = Period::from_filter(&filter, &calendar)?;
            let partial = period.partial_days.iter();
            let partial = partial.map(|filter| (filter.since_ms, filter.until_ms));
            Some((period.days, partial.collect::<Vec<_>>()))
        };
        assert_eq!(split(None, None), Some((i64::MIN..i64::MAX, vec![])));
        let (first, last) = (begin(20_000), begin(20_003));
        assert_eq!(
            split(Some(first), Some(last)),
            Some((20_000..20_003, vec![]))
        );
        assert_eq!(
            split(Some(first + 1), Some(last - 1)),
            Some((
                20_001..20_002,
                vec![
                    (Some(first + 1), Some(begin(20_001))),
                    (Some(begin(20_002)), Some(last - 1))
                ]
            ))
        );
        assert_eq!(split(Some(first + 1), Some(first + DAY_MS)), None);
        assert_eq!(
            split(None, Some(last + 1)),
            Some((i64::MIN..20_003, vec![(Some(last), Some(last + 1))]))
        );
        let named = Filter {
            agent: Some("roo".to_owned()),
            ..Filter::default()
        };
        assert!(Period::from_filter(&named, &calendar).is_none());
    }
}
