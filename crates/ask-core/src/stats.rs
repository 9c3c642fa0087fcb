//! The statistics over a history: counted ask by ask, in room that doesn't grow with their
//! number, and the same wherever they are shown. Which day and hour a moment belongs to is
//! the caller's to say: the core knows no place on earth.

use std::collections::BTreeMap;

use crate::history::{End, Facts, How};
use crate::sanitize::SafeText;

/// The statistics over some closed asks, and what waits now.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct HistoryStats {
    /// How many asks they are.
    pub asks: u64,
    /// How many of them a person answered, late ones too.
    pub answered: u64,
    /// How long people took who answered.
    pub took: DurationStats,
    /// How many ended in each way, in the order of [`End::ALL`].
    pub ends: [u64; End::ALL.len()],
    /// Asks of each day by agent, the earliest day first. Days without asks are left out.
    pub days: Vec<Day>,
    /// How long people took, by the hour of the day in which they were asked.
    pub hours: Vec<(u8, DurationStats)>,
    /// The same by surface, the most used first; none where people only declined or asked back.
    pub surfaces: Vec<(String, DurationStats)>,
    /// How people answer each agent, the busiest first.
    pub agents: Vec<Agent>,
    /// How many asks are of each project, the busiest first.
    pub projects: Vec<(String, u64)>,
    /// How many asks wait now.
    pub waiting: u64,
    /// The longest that one of them has waited, in milliseconds.
    pub longest_now_ms: Option<u64>,
    /// The longest that any waited that ended today, or waits.
    pub longest_today_ms: Option<u64>,
}

impl HistoryStats {
    /// The same with names that are safe to show.
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
    /// How many they are.
    pub count: u64,
    /// Half of them took no longer, in milliseconds.
    pub median_ms: Option<u64>,
    /// Nine of ten took no longer.
    pub p90_ms: Option<u64>,
}

/// The asks of a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Day {
    /// As 2026-02-04.
    pub date: String,
    /// How many of each agent, in the order of their names.
    pub agents: Vec<(String, u64)>,
}

/// How people answer an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agent {
    /// Its name.
    pub name: String,
    /// How many asks.
    pub asks: u64,
    /// How their questions were answered.
    pub how: How,
    /// How many asks were asked back about.
    pub asked_back: u64,
}

/// When a moment was, where the person is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct When {
    /// As 2026-02-04.
    pub date: String,
    /// 0 to 23.
    pub hour: u8,
}

/// Figures in the making.
#[derive(Default)]
pub struct StatsBuilder {
    stats: HistoryStats,
    took: Lengths,
    days: BTreeMap<String, BTreeMap<String, u64>>,
    hours: BTreeMap<u8, Lengths>,
    surfaces: BTreeMap<String, Lengths>,
    agents: BTreeMap<String, Agent>,
    projects: BTreeMap<String, u64>,
}

/// What an asker is called that hasn't said.
const UNNAMED: &str = "?";

impl StatsBuilder {
    /// Counts one more, asked at that time of its person's day.
    pub fn add(&mut self, facts: &Facts, asked: &When) {
        let name = facts.agent.as_deref().unwrap_or(UNNAMED);
        self.stats.asks += 1;
        self.stats.ends[facts.end as usize] += 1;
        *self
            .days
            .entry(asked.date.clone())
            .or_default()
            .entry(name.to_owned())
            .or_default() += 1;
        if let Some(project) = &facts.project {
            *self.projects.entry(project.clone()).or_default() += 1;
        }
        let agent = self.agents.entry(name.to_owned()).or_insert_with(|| Agent {
            name: name.to_owned(),
            asks: 0,
            how: How::default(),
            asked_back: 0,
        });
        agent.asks += 1;
        agent.how = sum(agent.how, facts.how);
        // Where a person closed any is told, also of those who only ever declined there.
        let took = match facts.end {
            End::Expired | End::Withdrawn => return,
            End::Answered | End::Late | End::AskedBack | End::Declined => {
                self.surfaces.entry(facts.surface.clone()).or_default()
            }
        };
        match facts.end {
            End::Answered | End::Late => self.stats.answered += 1,
            End::AskedBack => {
                agent.asked_back += 1;
                return;
            }
            // A quick no says nothing of how long an answer takes, and nobody took the others' time.
            End::Declined | End::Expired | End::Withdrawn => return,
        }
        took.add(facts.took_ms);
        self.took.add(facts.took_ms);
        self.hours.entry(asked.hour).or_default().add(facts.took_ms);
    }

    /// Notes an ask that waits, for so long by now.
    pub fn add_waiting(&mut self, for_ms: u64) {
        self.stats.waiting += 1;
        let longest = &mut self.stats.longest_now_ms;
        *longest = (*longest).max(Some(for_ms));
        self.ended_today(for_ms);
    }

    /// Notes how long one was open that ended today.
    pub fn ended_today(&mut self, took_ms: u64) {
        let longest = &mut self.stats.longest_today_ms;
        *longest = (*longest).max(Some(took_ms));
    }

    /// The statistics.
    pub fn stats(self) -> HistoryStats {
        let mut stats = self.stats;
        stats.took = self.took.took();
        stats.days = self
            .days
            .into_iter()
            .map(|(date, agents)| Day {
                date,
                agents: agents.into_iter().collect(),
            })
            .collect();
        let took = |(key, lengths): (u8, Lengths)| (key, lengths.took());
        stats.hours = self.hours.into_iter().map(took).collect();
        let took = |(key, lengths): (String, Lengths)| (key, lengths.took());
        stats.surfaces = self.surfaces.into_iter().map(took).collect();
        stats
            .surfaces
            .sort_by_key(|(_, took)| std::cmp::Reverse(took.count));
        stats.agents = self.agents.into_values().collect();
        stats
            .agents
            .sort_by_key(|agent| std::cmp::Reverse(agent.asks));
        stats.projects = self.projects.into_iter().collect();
        stats
            .projects
            .sort_by_key(|(_, asks)| std::cmp::Reverse(*asks));
        stats
    }
}

fn sum(one: How, other: How) -> How {
    How {
        offered: one.offered + other.offered,
        recommending: one.recommending + other.recommending,
        recommended: one.recommended + other.recommended,
        another: one.another + other.another,
        own: one.own + other.own,
        noted: one.noted + other.noted,
    }
}

/// Lengths of time, each kept as finely as a person reads it: to the second below an hour, to the
/// minute below a day, else to the hour.
#[derive(Default)]
struct Lengths(BTreeMap<u64, u64>);

impl Lengths {
    fn add(&mut self, ms: u64) {
        const SECOND: u64 = 1_000;
        const MINUTE: u64 = 60 * SECOND;
        const HOUR: u64 = 60 * MINUTE;
        let step = match ms {
            ..HOUR => SECOND,
            HOUR..86_400_000 => MINUTE,
            _ => HOUR,
        };
        *self.0.entry(ms / step * step).or_default() += 1;
    }

    fn took(&self) -> DurationStats {
        let count = self.0.values().sum();
        DurationStats {
            count,
            median_ms: self.least(count.div_ceil(2)),
            p90_ms: self.least((count * 9).div_ceil(10)),
        }
    }

    /// The length that so many don't exceed.
    fn least(&self, many: u64) -> Option<u64> {
        let mut seen = 0;
        self.0.iter().find_map(|(length, count)| {
            seen += count;
            (seen >= many).then_some(*length)
        })
    }
}
