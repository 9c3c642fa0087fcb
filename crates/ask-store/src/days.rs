//! What is counted by day of the asks that a history finds. A day is that of the place where the computer
//! was when the ask was counted.

use std::collections::BTreeMap;

use ask_config::clock::Calendar;
use ask_core::Time;
use ask_core::history::{Facts, Filter};
use ask_core::stats::{DayCounts, LocalHour, StatsBuilder};
use ask_protocol::native;
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::search;

/// Changes to the counts within one transaction. Each day is read and written once.
pub(crate) struct Days<'db> {
    db: &'db Connection,
    here: Calendar,
    changed: BTreeMap<i64, DayCounts>,
}

impl<'db> Days<'db> {
    pub fn begin(db: &'db Connection) -> Self {
        Self {
            db,
            here: Calendar::here(),
            changed: BTreeMap::new(),
        }
    }

    /// Counts an ask; in which hour it was asked.
    pub fn add(&mut self, facts: &Facts) -> rusqlite::Result<LocalHour> {
        let asked = self.here.hour(facts.asked_at);
        self.counts(asked)?.add(facts, asked);
        Ok(asked)
    }

    /// Takes back what was counted of the ask in this row, if it was.
    pub fn remove(&mut self, row: i64) -> rusqlite::Result<()> {
        if let Some((facts, asked)) = search::counted(self.db, row)? {
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
            let counts = text.map_or_else(DayCounts::default, |text| read(&text));
            self.changed.insert(day, counts);
        }
        Ok(self.changed.entry(day).or_default())
    }

    /// Writes what has changed.
    pub fn end(self) -> rusqlite::Result<()> {
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

/// A day that can't be read counts as none.
fn read(text: &str) -> DayCounts {
    native::read_day_counts(text).unwrap_or_default()
}

/// Counts everything that a history finds, once, when the table is new.
pub(crate) fn count_all(db: &Connection) -> rusqlite::Result<()> {
    let mut days = Days::begin(db);
    let mut update = db.prepare("UPDATE past SET local_hour = ?2 WHERE row = ?1")?;
    search::for_each_counted(db, |row, facts| {
        let asked = days.add(facts)?;
        update.execute([row, asked.0])?;
        Ok(())
    })?;
    days.end()
}

/// The days that lie wholly in a filter's period, and what of it lies beside them. `None` for a filter that
/// asks for more than a period.
pub(crate) struct Period {
    pub days: std::ops::Range<i64>,
    pub beside: Vec<Filter>,
}

impl Period {
    pub fn from_filter(filter: &Filter, here: &Calendar) -> Option<Self> {
        if search::expression(filter).is_some() || filter.undelivered || filter.open {
            return None;
        }
        // The first day that begins at a moment or later.
        let first_after = |moment: i64| {
            let day = here.hour(Time(moment)).day();
            if here.begin(day).0 == moment {
                day
            } else {
                day + 1
            }
        };
        let begin = filter.since_ms.map_or(i64::MIN, first_after);
        let end = match filter.until_ms {
            Some(until) => here.hour(Time(until)).day(),
            None => i64::MAX,
        };
        if begin >= end {
            return None;
        }
        let mut beside = Vec::new();
        if let Some(since) = filter.since_ms
            && here.begin(begin).0 > since
        {
            beside.push(Filter {
                until_ms: Some(here.begin(begin).0),
                ..filter.clone()
            });
        }
        if let Some(until) = filter.until_ms
            && here.begin(end).0 < until
        {
            beside.push(Filter {
                since_ms: Some(here.begin(end).0),
                ..filter.clone()
            });
        }
        Some(Self {
            days: begin..end,
            beside,
        })
    }

    /// Adds what was counted of the days.
    pub fn add(&self, db: &Connection, stats: &mut StatsBuilder) -> rusqlite::Result<()> {
        let mut statement =
            db.prepare_cached("SELECT day, counts FROM day WHERE day >= ?1 AND day < ?2")?;
        let mut rows = statement.query([self.days.start, self.days.end])?;
        while let Some(row) = rows.next()? {
            stats.add_day(row.get(0)?, &read(row.get_ref(1)?.as_str()?));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

    #[test]
    fn whole_days_of_a_period_were_counted_and_what_lies_beside_them_is_looked_at() {
        let here = Calendar::here();
        let begin = |day| here.begin(day).0;
        let split = |since_ms, until_ms| {
            let filter = Filter {
                since_ms,
                until_ms,
                ..Filter::default()
            };
            let period = Period::from_filter(&filter, &here)?;
            let beside = period.beside.iter();
            let beside = beside.map(|filter| (filter.since_ms, filter.until_ms));
            Some((period.days, beside.collect::<Vec<_>>()))
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
        assert!(Period::from_filter(&named, &here).is_none());
    }
}
