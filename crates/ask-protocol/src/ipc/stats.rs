//! The figures as a message, which is also what `ask-user stats --json` prints.

use serde_json::json;

use crate::native::{Fields, Malformed};
use ask_core::Json;
use ask_core::history::{End, How};
use ask_core::stats::{Agent, Day, DurationStats, HistoryStats};

type Read<T> = Result<T, Malformed>;

/// Writes figures.
pub fn write_figures(figures: &HistoryStats) -> Json {
    let ends = End::ALL.iter().zip(figures.ends);
    let ends = ends.map(|((_, word), asks)| ((*word).to_owned(), asks.into()));
    let days = figures.days.iter().map(|day| {
        let agents = day.agents.iter();
        json!({"date": day.date, "agents": agents.map(|(name, asks)| json!({"agent": name, "asks": asks})).collect::<Vec<_>>()})
    });
    let hours = figures.hours.iter();
    let surfaces = figures.surfaces.iter();
    let projects = figures.projects.iter();
    let mut out = json!({
        "asks": figures.asks,
        "answered": figures.answered,
        "took": write_took("", "", &figures.took),
        "outcomes": Json::Object(ends.collect()),
        "days": days.collect::<Vec<_>>(),
        "hours": hours.map(|(hour, took)| write_took("hour", *hour, took)).collect::<Vec<_>>(),
        "surfaces": surfaces.map(|(name, took)| write_took("surface", name.as_str(), took)).collect::<Vec<_>>(),
        "agents": figures.agents.iter().map(write_agent).collect::<Vec<_>>(),
        "projects": projects.map(|(name, asks)| json!({"project": name, "asks": asks})).collect::<Vec<_>>(),
        "waiting": figures.waiting,
        "longestWaitingMs": figures.longest_now_ms,
        "longestTodayMs": figures.longest_today_ms,
    });
    if let Json::Object(fields) = &mut out {
        fields.retain(|_, value| !value.is_null());
    }
    out
}

fn write_took(key: &str, name: impl Into<Json>, took: &DurationStats) -> Json {
    let mut out = serde_json::Map::new();
    if !key.is_empty() {
        out.insert(key.to_owned(), name.into());
    }
    out.insert("count".into(), took.count.into());
    for (key, length) in [("medianMs", took.median_ms), ("p90Ms", took.p90_ms)] {
        if let Some(ms) = length {
            out.insert(key.into(), ms.into());
        }
    }
    Json::Object(out)
}

fn write_agent(agent: &Agent) -> Json {
    let How {
        offered,
        recommending,
        recommended,
        another,
        own,
        noted,
    } = agent.how;
    json!({
        "agent": agent.name, "asks": agent.asks, "withOptions": offered,
        "withRecommendation": recommending, "recommended": recommended, "another": another,
        "ownWords": own, "notes": noted, "askBacks": agent.asked_back,
    })
}

/// Reads what [`write_figures`] wrote.
pub fn read_figures(value: &Json) -> Read<HistoryStats> {
    let from = Fields::of(value, "figures")?;
    let number = |key: &str| from.number(key).unwrap_or(0);
    let mut ends = [0; End::ALL.len()];
    let outcomes = from.get("outcomes");
    for (end, word) in End::ALL {
        let asks = outcomes.and_then(|outcomes| outcomes.get(word));
        ends[end as usize] = asks.and_then(Json::as_u64).unwrap_or(0);
    }
    Ok(HistoryStats {
        asks: number("asks"),
        answered: number("answered"),
        took: from
            .get("took")
            .map_or(Ok(DurationStats::default()), read_took)?,
        ends,
        days: list(&from, "days", read_day)?,
        hours: list(&from, "hours", |item| {
            let hour = Fields::of(item, "hours")?.number("hour").unwrap_or(0);
            Ok((u8::try_from(hour).unwrap_or(0), read_took(item)?))
        })?,
        surfaces: list(&from, "surfaces", |item| {
            let name = Fields::of(item, "surfaces")?.text("surface")?;
            Ok((name, read_took(item)?))
        })?,
        agents: list(&from, "agents", read_agent)?,
        projects: list(&from, "projects", |item| read_count(item, "project"))?,
        waiting: number("waiting"),
        longest_now_ms: from.number("longestWaitingMs"),
        longest_today_ms: from.number("longestTodayMs"),
    })
}

fn list<T>(from: &Fields<'_>, key: &str, read: impl Fn(&Json) -> Read<T>) -> Read<Vec<T>> {
    match from.get(key) {
        Some(Json::Array(items)) => items.iter().map(read).collect(),
        _ => Ok(Vec::new()),
    }
}

fn read_took(value: &Json) -> Read<DurationStats> {
    let from = Fields::of(value, "took")?;
    Ok(DurationStats {
        count: from.number("count").unwrap_or(0),
        median_ms: from.number("medianMs"),
        p90_ms: from.number("p90Ms"),
    })
}

fn read_count(value: &Json, key: &str) -> Read<(String, u64)> {
    let from = Fields::of(value, key)?;
    Ok((from.text(key)?, from.number("asks").unwrap_or(0)))
}

fn read_day(value: &Json) -> Read<Day> {
    let from = Fields::of(value, "days")?;
    Ok(Day {
        date: from.text("date")?,
        agents: list(&from, "agents", |item| read_count(item, "agent"))?,
    })
}

fn read_agent(value: &Json) -> Read<Agent> {
    let from = Fields::of(value, "agents")?;
    let count = |key: &str| {
        let count = from.number(key).unwrap_or(0);
        u32::try_from(count).unwrap_or(u32::MAX)
    };
    Ok(Agent {
        name: from.text("agent")?,
        asks: from.number("asks").unwrap_or(0),
        how: How {
            offered: count("withOptions"),
            recommending: count("withRecommendation"),
            recommended: count("recommended"),
            another: count("another"),
            own: count("ownWords"),
            noted: count("notes"),
        },
        asked_back: from.number("askBacks").unwrap_or(0),
    })
}
