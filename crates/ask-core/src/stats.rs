//! The statistics over a history. They are counted ask by ask, in memory that doesn't grow with the
//! number of asks, and are the same wherever they are shown. The caller decides which day and hour
//! a time belongs to: the core knows no time zones.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::history::{End, Facts, How};
use crate::sanitize::SafeText;

/// The statistics over some closed asks, and over those that wait now.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct HistoryStats {
    /// How many asks were counted.
    pub asks: u64,
    /// How many of them a person answered, including late answers.
    pub answered: u64,
    /// How long people took to answer.
    pub took: DurationStats,
    /// How many ended in each way, in the order of [`End::ALL`].
    pub ends: [u64; End::ALL.len()],
    /// Asks of each day by agent, the earliest day first. Days without asks are left out.
    pub days: Vec<Day>,
    /// How long people took to answer, by the hour of the day in which they were asked.
    pub hours: Vec<(u8, DurationStats)>,
    /// How long people took to answer, by surface, the most used first. A surface on which people
    /// only declined or asked back has no durations.
    pub surfaces: Vec<(String, DurationStats)>,
    /// How people answer each agent, the agent with the most asks first.
    pub agents: Vec<Agent>,
    /// How many asks each project has, the project with the most asks first.
    pub projects: Vec<(String, u64)>,
    /// How many asks wait now.
    pub waiting: u64,
    /// The longest that an ask has waited which waits now, in milliseconds.
    pub longest_now_ms: Option<u64>,
    /// The longest wait of the asks that ended today or wait, in milliseconds.
    pub longest_today_ms: Option<u64>,
}

impl HistoryStats {
    /// The same statistics with names that are safe to show.
    #[must_use]
    pub fn shown(mut self) -> Self {
        let agents = self.agents.iter_mut().map(|agent| &mut agent.name);
        let days = self.days.iter_mut().flat_map(|day| &mut day.agents);
        let projects = self.projects.iter_mut().chain(days);
        for name in projects.map(|(name, _)| name).chain(agents) {
            *name = SafeText::line(name).to_string();
        }
        self
    }
}

/// How long some asks took.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct DurationStats {
    /// How many asks were counted.
    pub count: u64,
    /// The median, in milliseconds. Half of them took no longer.
    pub median_ms: Option<u64>,
    /// The 90th percentile, in milliseconds. Nine of ten took no longer.
    pub p90_ms: Option<u64>,
}

/// The asks of one day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Day {
    /// The date, as in 2026-02-04.
    pub date: String,
    /// How many asks each agent has, in the order of their names.
    pub agents: Vec<(String, u64)>,
}

/// How people answer an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agent {
    /// The name of the agent.
    pub name: String,
    /// How many asks it has.
    pub asks: u64,
    /// How their questions were answered.
    pub how: How,
    /// How many of its asks the person asked back about.
    pub asked_back: u64,
}

/// An hour of the person's local calendar: the hours since 1970 began there, whatever changes of
/// the clocks there were.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LocalHour(pub i64);

impl LocalHour {
    const OF_A_DAY: i64 = 24;

    /// The first hour of a day, which is counted in days since 1970 began.
    #[must_use]
    pub fn of_day(day: i64) -> Self {
        Self(day.saturating_mul(Self::OF_A_DAY))
    }

    /// Its day, counted in days since 1970 began.
    #[must_use]
    pub fn day(self) -> i64 {
        self.0.div_euclid(Self::OF_A_DAY)
    }

    /// The hour of the day, 0 to 23.
    #[must_use]
    pub fn of_the_day(self) -> u8 {
        u8::try_from(self.0.rem_euclid(Self::OF_A_DAY)).unwrap_or(0)
    }
}

/// The date of a day, which is counted in days since 1970 began; `None` beyond the calendar.
#[must_use]
pub fn date_of(day: i64) -> Option<Date> {
    let span = jiff::Span::new().try_days(day).ok()?;
    jiff::civil::date(1970, 1, 1).checked_add(span).ok()
}

/// The counts of the asks of one day. Statistics over any days are made from these. Asks are added
/// when they close and removed when they are forgotten, so that nobody has to read all of them
/// again.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct DayCounts {
    /// How many ended in each way, in the order of [`End::ALL`].
    ends: [u64; End::ALL.len()],
    agents: BTreeMap<String, AgentCounts>,
    projects: BTreeMap<String, u64>,
    /// How long people took to answer, by the hour of the day in which they were asked.
    hours: BTreeMap<u8, DurationCounts>,
    surfaces: BTreeMap<String, SurfaceCounts>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
struct AgentCounts {
    asks: u64,
    how: How,
    asked_back: u64,
}

/// What a person closed on one surface, including what they only declined.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
struct SurfaceCounts {
    closed: u64,
    took: DurationCounts,
}

/// The name of an asker that has none.
const UNNAMED: &str = "?";

impl DayCounts {
    /// Counts an ask. `asked` is the hour of this day in which it was asked.
    pub fn add(&mut self, facts: &Facts, asked: LocalHour) {
        self.count(facts, asked.of_the_day(), u64::saturating_add, sum);
    }

    /// Reverts what [`add`](Self::add) counted.
    pub fn remove(&mut self, facts: &Facts, asked: LocalHour) {
        self.count(facts, asked.of_the_day(), u64::saturating_sub, difference);
        self.agents.retain(|_, agent| agent.asks > 0);
        self.projects.retain(|_, asks| *asks > 0);
        self.hours.retain(|_, took| !took.0.is_empty());
        self.surfaces.retain(|_, surface| surface.closed > 0);
    }

    /// Whether nothing is counted.
    pub fn is_empty(&self) -> bool {
        self.ends.iter().all(|asks| *asks == 0)
    }

    fn count(
        &mut self,
        facts: &Facts,
        hour: u8,
        by: fn(u64, u64) -> u64,
        how: fn(How, How) -> How,
    ) {
        let change = |count: &mut u64| *count = by(*count, 1);
        change(&mut self.ends[facts.end as usize]);
        if let Some(project) = &facts.project {
            change(self.projects.entry(project.clone()).or_default());
        }
        let name = facts.agent.as_deref().unwrap_or(UNNAMED);
        let agent = self.agents.entry(name.to_owned()).or_default();
        change(&mut agent.asks);
        agent.how = how(agent.how, facts.how);
        if facts.end == End::AskedBack {
            change(&mut agent.asked_back);
        }
        if matches!(facts.end, End::Expired | End::Withdrawn) {
            return;
        }
        let surface = self.surfaces.entry(facts.surface.clone()).or_default();
        change(&mut surface.closed);
        // How quickly a person declines doesn't show how long an answer takes.
        if matches!(facts.end, End::Answered | End::Late) {
            surface.took.count(facts.took_ms, by);
            let took = self.hours.entry(hour).or_default();
            took.count(facts.took_ms, by);
        }
    }

    fn merge(&mut self, other: &Self) {
        for (count, more) in self.ends.iter_mut().zip(other.ends) {
            *count += more;
        }
        for (name, more) in &other.agents {
            let agent = self.agents.entry(name.clone()).or_default();
            agent.asks += more.asks;
            agent.how = sum(agent.how, more.how);
            agent.asked_back += more.asked_back;
        }
        for (name, asks) in &other.projects {
            *self.projects.entry(name.clone()).or_default() += asks;
        }
        for (hour, took) in &other.hours {
            self.hours.entry(*hour).or_default().merge(took);
        }
        for (name, more) in &other.surfaces {
            let surface = self.surfaces.entry(name.clone()).or_default();
            surface.closed += more.closed;
            surface.took.merge(&more.took);
        }
    }
}

/// Statistics under construction.
#[derive(Default)]
pub struct StatsBuilder {
    days: BTreeMap<i64, DayCounts>,
    waiting: u64,
    longest_now_ms: Option<u64>,
    longest_today_ms: Option<u64>,
}

impl StatsBuilder {
    /// Counts an ask. `asked` is the hour in which it was asked.
    pub fn add(&mut self, facts: &Facts, asked: LocalHour) {
        let day = self.days.entry(asked.day()).or_default();
        day.add(facts, asked);
    }

    /// Adds the counts of one day.
    pub fn add_day(&mut self, day: i64, counts: &DayCounts) {
        self.days.entry(day).or_default().merge(counts);
    }

    /// Counts an ask that waits, and how long it has waited.
    pub fn add_waiting(&mut self, for_ms: u64) {
        self.waiting += 1;
        self.longest_now_ms = self.longest_now_ms.max(Some(for_ms));
        self.ended_today(for_ms);
    }

    /// Counts how long an ask was open that ended today.
    pub fn ended_today(&mut self, took_ms: u64) {
        self.longest_today_ms = self.longest_today_ms.max(Some(took_ms));
    }

    /// The statistics of what was counted.
    pub fn stats(self) -> HistoryStats {
        let mut all = DayCounts::default();
        let mut days = Vec::with_capacity(self.days.len());
        for (day, counts) in self.days {
            all.merge(&counts);
            let agents = counts.agents.into_iter();
            let agents = agents.map(|(name, agent)| (name, agent.asks)).collect();
            days.push(Day {
                date: date_of(day).unwrap_or_default().to_string(),
                agents,
            });
        }
        let mut took = DurationCounts::default();
        for of_hour in all.hours.values() {
            took.merge(of_hour);
        }
        let busiest = |asks: u64| Reverse(asks);
        let mut surfaces: Vec<_> = all.surfaces.into_iter().collect();
        surfaces.sort_by_key(|(_, surface)| busiest(surface.took.total()));
        let mut agents: Vec<_> = all.agents.into_iter().collect();
        agents.sort_by_key(|(_, agent)| busiest(agent.asks));
        let mut projects: Vec<_> = all.projects.into_iter().collect();
        projects.sort_by_key(|(_, asks)| busiest(*asks));
        HistoryStats {
            asks: all.ends.iter().sum(),
            answered: all.ends[End::Answered as usize] + all.ends[End::Late as usize],
            took: took.took(),
            ends: all.ends,
            days,
            hours: all
                .hours
                .into_iter()
                .map(|(hour, took)| (hour, took.took()))
                .collect(),
            surfaces: surfaces
                .into_iter()
                .map(|(name, surface)| (name, surface.took.took()))
                .collect(),
            agents: agents
                .into_iter()
                .map(|(name, agent)| Agent {
                    name,
                    asks: agent.asks,
                    how: agent.how,
                    asked_back: agent.asked_back,
                })
                .collect(),
            projects,
            waiting: self.waiting,
            longest_now_ms: self.longest_now_ms,
            longest_today_ms: self.longest_today_ms,
        }
    }
}

fn sum(one: How, other: How) -> How {
    combine(one, other, u32::saturating_add)
}

fn difference(one: How, other: How) -> How {
    combine(one, other, u32::saturating_sub)
}

fn combine(one: How, other: How, by: fn(u32, u32) -> u32) -> How {
    How {
        offered: by(one.offered, other.offered),
        recommending: by(one.recommending, other.recommending),
        recommended: by(one.recommended, other.recommended),
        another: by(one.another, other.another),
        own: by(one.own, other.own),
        noted: by(one.noted, other.noted),
    }
}

/// How often each duration occurred. Durations are as exact as a person reads them: to the second
/// below an hour, to the minute below a day, otherwise to the hour.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
struct DurationCounts(BTreeMap<u64, u64>);

impl DurationCounts {
    fn count(&mut self, ms: u64, by: fn(u64, u64) -> u64) {
        const SECOND: u64 = 1_000;
        const MINUTE: u64 = 60 * SECOND;
        const HOUR: u64 = 60 * MINUTE;
        let step = match ms {
            ..HOUR => SECOND,
            HOUR..86_400_000 => MINUTE,
            _ => HOUR,
        };
        let length = ms / step * step;
        let count = self.0.entry(length).or_default();
        *count = by(*count, 1);
        if *count == 0 {
            self.0.remove(&length);
        }
    }

    fn merge(&mut self, other: &Self) {
        for (length, count) in &other.0 {
            *self.0.entry(*length).or_default() += count;
        }
    }

    fn total(&self) -> u64 {
        self.0.values().sum()
    }

    fn took(&self) -> DurationStats {
        let count = self.total();
        DurationStats {
            count,
            median_ms: self.at_rank(count.div_ceil(2)),
            p90_ms: self.at_rank((count * 9).div_ceil(10)),
        }
    }

    /// The shortest duration that this many of them don't exceed.
    fn at_rank(&self, rank: u64) -> Option<u64> {
        let mut seen = 0;
        self.0.iter().find_map(|(length, count)| {
            seen += count;
            (seen >= rank).then_some(*length)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Time;

    fn facts(agent: &str, end: End, took_ms: u64) -> Facts {
        Facts {
            asked_at: Time(0),
            took_ms,
            end,
            agent: Some(agent.to_owned()),
            project: Some("shop".to_owned()),
            surface: "web".to_owned(),
            how: How {
                offered: 1,
                another: 1,
                ..How::default()
            },
        }
    }

    #[test]
    fn removing_asks_restores_the_counts_from_before() {
        let hour = LocalHour(24 * 20_000 + 9);
        let mut counts = DayCounts::default();
        counts.add(&facts("roo", End::Answered, 2_000), hour);
        let before = counts.clone();
        for (end, _) in End::ALL {
            for took_ms in [1, 2_000, 7_200_000, 200_000_000] {
                counts.add(&facts("pi", end, took_ms), hour);
            }
        }
        for (end, _) in End::ALL {
            for took_ms in [200_000_000, 7_200_000, 2_000, 1] {
                counts.remove(&facts("pi", end, took_ms), hour);
            }
        }
        assert_eq!(counts, before);
        counts.remove(&facts("roo", End::Answered, 2_000), hour);
        assert!(counts.is_empty());
        assert_eq!(counts, DayCounts::default());
    }

    #[test]
    fn counts_of_days_give_the_same_statistics_as_their_asks() {
        let (mut asks, mut days) = (StatsBuilder::default(), StatsBuilder::default());
        for day in [0, 20_000, -1] {
            let mut counts = DayCounts::default();
            for (hour, (end, _)) in (9..).zip(End::ALL) {
                let hour = LocalHour(LocalHour::of_day(day).0 + hour);
                assert_eq!(hour.day(), day);
                let one = facts("pi", end, 1_000 * u64::from(hour.of_the_day()));
                asks.add(&one, hour);
                counts.add(&one, hour);
            }
            days.add_day(day, &counts);
        }
        let stats = asks.stats();
        assert_eq!(stats, days.stats());
        let dates: Vec<&str> = stats.days.iter().map(|day| day.date.as_str()).collect();
        assert_eq!(dates, ["1969-12-31", "1970-01-01", "2024-10-04"]);
        assert_eq!((stats.asks, stats.answered), (18, 6));
    }
}
