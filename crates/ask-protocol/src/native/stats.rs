//! The statistics over a history, which `ask-user stats --json` prints, too.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use ask_core::history::How;
use ask_core::stats::{self, DayCounts, DurationStats, HistoryStats};

use super::Malformed;

/// The statistics over closed asks.
#[skip_serializing_none]
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Stats<'a> {
    asks: u64,
    answered: u64,
    /// How long people took to answer.
    took: DurationStatsForm,
    /// The number of asks by outcome.
    outcomes: Outcomes,
    /// The number of asks by day.
    days: Vec<Day<'a>>,
    /// How long people took to answer, by hour of the day.
    hours: Vec<Hour>,
    /// How long people took to answer, by surface.
    surfaces: Vec<Surface<'a>>,
    agents: Vec<Agent<'a>>,
    projects: Vec<Project<'a>>,
    /// How many asks are open now.
    waiting: u64,
    /// How long the oldest open ask has waited, in milliseconds.
    longest_waiting_ms: Option<u64>,
    /// The longest wait of an ask that ended today or is open, in milliseconds.
    longest_today_ms: Option<u64>,
}

/// How long people took to answer.
#[skip_serializing_none]
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct DurationStatsForm {
    count: u64,
    median_ms: Option<u64>,
    /// The 90th percentile, in milliseconds.
    #[serde(rename = "p90Ms")]
    p90_ms: Option<u64>,
}

/// The number of asks by outcome.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
struct Outcomes {
    answered: u64,
    late: u64,
    declined: u64,
    ask_back: u64,
    expired: u64,
    withdrawn: u64,
}

/// The number of asks of one day.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = DayFigures)]
struct Day<'a> {
    date: Cow<'a, str>,
    agents: Vec<AgentAsks<'a>>,
}

/// The number of asks of one agent.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
struct AgentAsks<'a> {
    agent: Cow<'a, str>,
    asks: u64,
}

/// How long people took to answer in one hour of the day.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = HourFigures)]
struct Hour {
    hour: u8,
    #[serde(flatten)]
    took: DurationStatsForm,
}

/// How long people took to answer on one surface.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = SurfaceFigures)]
struct Surface<'a> {
    surface: Cow<'a, str>,
    #[serde(flatten)]
    took: DurationStatsForm,
}

/// How an agent's asks were answered.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = AgentFigures)]
struct Agent<'a> {
    agent: Cow<'a, str>,
    asks: u64,
    /// Questions with choices.
    with_options: u32,
    /// Questions with a choice that the agent recommends.
    with_recommendation: u32,
    /// Answered by exactly the recommended choices.
    recommended: u32,
    /// Answered by other choices.
    another: u32,
    /// Answered in own words, though there were choices.
    own_words: u32,
    /// Answers and asks with a note.
    notes: u32,
    ask_backs: u64,
}

/// The number of asks of one project.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = ProjectFigures)]
struct Project<'a> {
    project: Cow<'a, str>,
    asks: u64,
}

impl From<DurationStats> for DurationStatsForm {
    fn from(took: DurationStats) -> Self {
        Self {
            count: took.count,
            median_ms: took.median_ms,
            p90_ms: took.p90_ms,
        }
    }
}

impl From<DurationStatsForm> for DurationStats {
    fn from(took: DurationStatsForm) -> Self {
        Self {
            count: took.count,
            median_ms: took.median_ms,
            p90_ms: took.p90_ms,
        }
    }
}

impl<'a> From<&'a HistoryStats> for Stats<'a> {
    fn from(stats: &'a HistoryStats) -> Self {
        let asked = |(agent, asks): &'a (String, u64)| AgentAsks {
            agent: agent.into(),
            asks: *asks,
        };
        let days = stats.days.iter().map(|day| Day {
            date: (&day.date).into(),
            agents: day.agents.iter().map(asked).collect(),
        });
        let hours = stats.hours.iter().map(|(hour, took)| Hour {
            hour: *hour,
            took: (*took).into(),
        });
        let surfaces = stats.surfaces.iter().map(|(surface, took)| Surface {
            surface: surface.into(),
            took: (*took).into(),
        });
        let projects = stats.projects.iter().map(|(project, asks)| Project {
            project: project.into(),
            asks: *asks,
        });
        // In the order of `End`.
        let [answered, late, declined, ask_back, expired, withdrawn] = stats.ends;
        Self {
            asks: stats.asks,
            answered: stats.answered,
            took: stats.took.into(),
            outcomes: Outcomes {
                answered,
                late,
                declined,
                ask_back,
                expired,
                withdrawn,
            },
            days: days.collect(),
            hours: hours.collect(),
            surfaces: surfaces.collect(),
            agents: stats.agents.iter().map(Agent::from).collect(),
            projects: projects.collect(),
            waiting: stats.waiting,
            longest_waiting_ms: stats.longest_now_ms,
            longest_today_ms: stats.longest_today_ms,
        }
    }
}

impl From<Stats<'_>> for HistoryStats {
    fn from(stats: Stats<'_>) -> Self {
        let asked = |one: AgentAsks<'_>| (one.agent.into_owned(), one.asks);
        let days = stats.days.into_iter().map(|day| stats::Day {
            date: day.date.into_owned(),
            agents: day.agents.into_iter().map(asked).collect(),
        });
        let hours = stats.hours.into_iter();
        let surfaces = stats.surfaces.into_iter();
        let projects = stats.projects.into_iter();
        let of = stats.outcomes;
        Self {
            asks: stats.asks,
            answered: stats.answered,
            took: stats.took.into(),
            ends: [
                of.answered,
                of.late,
                of.declined,
                of.ask_back,
                of.expired,
                of.withdrawn,
            ],
            days: days.collect(),
            hours: hours.map(|one| (one.hour, one.took.into())).collect(),
            surfaces: surfaces
                .map(|one| (one.surface.into_owned(), one.took.into()))
                .collect(),
            agents: stats.agents.into_iter().map(stats::Agent::from).collect(),
            projects: projects
                .map(|one| (one.project.into_owned(), one.asks))
                .collect(),
            waiting: stats.waiting,
            longest_now_ms: stats.longest_waiting_ms,
            longest_today_ms: stats.longest_today_ms,
        }
    }
}

impl<'a> From<&'a stats::Agent> for Agent<'a> {
    fn from(agent: &'a stats::Agent) -> Self {
        Self {
            agent: (&agent.name).into(),
            asks: agent.asks,
            with_options: agent.how.offered,
            with_recommendation: agent.how.recommending,
            recommended: agent.how.recommended,
            another: agent.how.another,
            own_words: agent.how.own,
            notes: agent.how.noted,
            ask_backs: agent.asked_back,
        }
    }
}

impl From<Agent<'_>> for stats::Agent {
    fn from(agent: Agent<'_>) -> Self {
        Self {
            name: agent.agent.into_owned(),
            asks: agent.asks,
            how: How {
                offered: agent.with_options,
                recommending: agent.with_recommendation,
                recommended: agent.recommended,
                another: agent.another,
                own: agent.own_words,
                noted: agent.notes,
            },
            asked_back: agent.ask_backs,
        }
    }
}

/// Writes the counts of a day, as the store has them.
pub fn write_day_counts(counts: &DayCounts) -> String {
    crate::json_text(counts)
}

/// Parses the counts of a day that [`write_day_counts`] wrote.
///
/// # Errors
///
/// [`Malformed`] if the text is something else.
pub fn read_day_counts(text: &str) -> Result<DayCounts, Malformed> {
    serde_json::from_str(text).map_err(|error| Malformed(error.to_string()))
}

#[cfg(test)]
mod tests {
    use ask_core::Time;
    use ask_core::history::{End, Facts};
    use ask_core::stats::LocalHour;

    use super::*;

    #[test]
    fn the_counts_of_a_day_are_read_as_they_were_written() {
        let mut counts = DayCounts::default();
        for (hour, (end, _)) in (0..).zip(End::ALL) {
            let facts = Facts {
                asked_at: Time(0),
                took_ms: 1_000 * u64::from(i32::unsigned_abs(hour)),
                end,
                agent: Some("roo \"x\" \u{202e}".to_owned()),
                project: Some("shop".to_owned()),
                surface: "a surface".to_owned(),
                how: How::default(),
            };
            counts.add(&facts, LocalHour(i64::from(hour)));
        }
        let text = write_day_counts(&counts);
        assert_eq!(
            read_day_counts(&text).expect("the counts are parsed"),
            counts
        );
        assert!(read_day_counts("{}").is_err());
    }
}
