//! The statistics as rows with small bars, for the command line and the history screen. Every bar
//! has its number beside it.

use ask_config::i18n::{Value, Words};
use ask_config::text::{clip, width};
use ask_core::SafeText;
use ask_core::history::End;
use ask_core::stats::{Agent, DurationStats, HistoryStats};
use ask_hub::surface::labels::surface;

/// A row of the statistics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Row {
    /// A heading of the rows below.
    Head(String),
    /// A bar.
    Bar {
        /// The name of the bar.
        label: String,
        /// The value.
        part: u64,
        /// The value of the longest bar in the block.
        whole: u64,
        /// The value as text.
        value: String,
    },
    /// A row of text.
    Text(String),
    /// An empty row.
    Gap,
}

/// The number of days that are shown one by one.
const DAYS: usize = 14;

/// The most names in a block.
const NAMES: usize = 12;

/// The statistics in one line: `412 asks · 96 % answered · median 1m 50s`.
pub fn brief(words: Words, stats: &HistoryStats) -> String {
    let asks = words.format("stats-asks", &[count(stats.asks)]);
    let Some(median) = stats.took.median_ms else {
        return asks;
    };
    let answered = percent(stats.answered, stats.asks);
    words.format(
        "stats-brief",
        &[
            ("asks", asks.into()),
            ("answered", answered.into()),
            ("median", words.length(median).into()),
        ],
    )
}

/// The whole statistics.
pub fn rows(words: Words, stats: &HistoryStats) -> Vec<Row> {
    let mut rows = vec![Row::Text(brief(words, stats))];
    rows.push(Row::Text(waiting(words, stats)));
    if stats.asks == 0 {
        return rows;
    }
    ends(words, stats, &mut rows);
    days(words, stats, &mut rows);
    let surfaces = stats.surfaces.iter().filter(|(_, took)| took.count > 0);
    let surfaces = surfaces.take(NAMES);
    let surfaces = surfaces.map(|(name, took)| (surface(words, name), *took));
    times(words, "stats-by-surface", surfaces.collect(), &mut rows);
    let hours = stats.hours.iter();
    let hours = hours.map(|(hour, took)| (format!("{hour:02}:00"), *took));
    times(words, "stats-by-hour", hours.collect(), &mut rows);
    agents(words, stats, &mut rows);
    rows
}

fn waiting(words: Words, stats: &HistoryStats) -> String {
    let now = count(stats.waiting);
    let today = stats.longest_today_ms.map(|ms| words.length(ms));
    match (stats.longest_now_ms.map(|ms| words.length(ms)), today) {
        (Some(longest), Some(today)) => words.format(
            "stats-waiting",
            &[now, ("longest", longest.into()), ("today", today.into())],
        ),
        (None, Some(today)) => words.format("stats-waiting-none-today", &[("today", today.into())]),
        (_, None) => words.say("stats-waiting-none"),
    }
}

fn ends(words: Words, stats: &HistoryStats, rows: &mut Vec<Row>) {
    rows.extend([Row::Gap, Row::Head(words.say("stats-outcomes"))]);
    let whole = stats.ends.iter().copied().max().unwrap_or(0);
    for (end, _) in End::ALL {
        let asks = stats.ends[end as usize];
        if asks > 0 {
            rows.push(Row::Bar {
                label: end_name(words, end),
                part: asks,
                whole,
                value: format!("{asks}  {} %", percent(asks, stats.asks)),
            });
        }
    }
}

/// The name of an outcome.
pub(crate) fn end_name(words: Words, end: End) -> String {
    words.say(match end {
        End::Answered => "stats-end-answered",
        End::Late => "stats-end-late",
        End::Declined => "stats-end-declined",
        End::AskedBack => "stats-end-asked-back",
        End::Expired => "stats-end-expired",
        End::Withdrawn => "stats-end-withdrawn",
    })
}

fn days(words: Words, stats: &HistoryStats, rows: &mut Vec<Row>) {
    rows.extend([Row::Gap, Row::Head(words.say("stats-days"))]);
    let last = &stats.days[stats.days.len().saturating_sub(DAYS)..];
    let sum = |agents: &[(String, u64)]| agents.iter().map(|(_, asks)| asks).sum::<u64>();
    let whole = last.iter().map(|day| sum(&day.agents)).max().unwrap_or(0);
    for day in last {
        let part = sum(&day.agents);
        let mut agents = day.agents.clone();
        agents.sort_by_key(|(_, asks)| std::cmp::Reverse(*asks));
        let agents: Vec<String> = agents
            .iter()
            .take(NAMES)
            .map(|(name, asks)| format!("{} {asks}", named(words, name)))
            .collect();
        rows.push(Row::Bar {
            label: day.date.clone(),
            part,
            whole,
            value: format!("{part}  {}", agents.join(", ")),
        });
    }
}

fn times(words: Words, head: &'static str, of: Vec<(String, DurationStats)>, rows: &mut Vec<Row>) {
    if of.is_empty() {
        return;
    }
    let head = match head {
        "stats-by-hour" => words.say("stats-by-hour"),
        _ => words.say("stats-by-surface"),
    };
    rows.extend([Row::Gap, Row::Head(head)]);
    let medians = of.iter().filter_map(|(_, took)| took.median_ms);
    let whole = medians.max().unwrap_or(0);
    for (label, took) in of {
        let (median, p90) = (took.median_ms.unwrap_or(0), took.p90_ms.unwrap_or(0));
        let value = words.format(
            "stats-took",
            &[
                ("median", words.length(median).into()),
                ("ninety", words.length(p90).into()),
                count(took.count),
            ],
        );
        rows.push(Row::Bar {
            label,
            part: median,
            whole,
            value,
        });
    }
}

fn agents(words: Words, stats: &HistoryStats, rows: &mut Vec<Row>) {
    rows.extend([Row::Gap, Row::Head(words.say("stats-agents"))]);
    for agent in stats.agents.iter().take(NAMES) {
        let Agent {
            name,
            how,
            asked_back,
            ..
        } = agent;
        let given = u64::from(how.recommended + how.another + how.own);
        let share = |part: u32| ("part", percent(u64::from(part), given).into());
        let mut parts = Vec::new();
        if how.recommending > 0 {
            parts.push(words.format("stats-recommended", &[share(how.recommended)]));
        }
        if given > 0 {
            parts.push(words.format("stats-another", &[share(how.another)]));
            parts.push(words.format("stats-own", &[share(how.own)]));
        }
        for (id, many) in [("notes", u64::from(how.noted)), ("backs", *asked_back)] {
            if many > 0 {
                parts.push(match id {
                    "notes" => words.format("stats-notes", &[count(many)]),
                    _ => words.format("stats-ask-backs", &[count(many)]),
                });
            }
        }
        rows.push(Row::Bar {
            label: named(words, name),
            part: agent.asks,
            whole: stats.agents.first().map_or(0, |first| first.asks),
            value: format!("{}  {}", agent.asks, parts.join(", "))
                .trim_end()
                .to_owned(),
        });
    }
}

fn named(words: Words, name: &str) -> String {
    match name {
        "?" => words.say("stats-nameless"),
        _ => safe(name),
    }
}

fn safe(name: &str) -> String {
    SafeText::line(name).to_string()
}

fn count(many: u64) -> (&'static str, Value<'static>) {
    ("count", many.into())
}

fn percent(part: u64, whole: u64) -> u64 {
    match whole {
        0 => 0,
        _ => (part * 200 / whole).div_ceil(2),
    }
}

/// The rows as lines for a speech synthesizer: numbers as text, no bars, nothing cut.
pub fn spoken(words: Words, rows: &[Row]) -> Vec<String> {
    let heard = |text: &str| text.replace(" · ", ", ").replace("  ", ", ");
    let lines = rows.iter().map(|row| match row {
        Row::Gap => String::new(),
        Row::Head(text) | Row::Text(text) => heard(text),
        Row::Bar { label, value, .. } => {
            let facts = [("label", label.into()), ("value", heard(value).into())];
            words.format("stats-row", &facts)
        }
    });
    lines.collect()
}

/// The rows as lines of at most this many columns, with labels and bars aligned.
pub fn lines(rows: &[Row], columns: usize, bar: char) -> Vec<String> {
    let labels = rows.iter().map(|row| match row {
        Row::Bar { label, .. } => width(label),
        Row::Head(_) | Row::Text(_) | Row::Gap => 0,
    });
    let label_room = labels.max().unwrap_or(0).clamp(4, (columns / 3).max(4));
    // A third of what is left, so that the number always fits.
    let bar_room = (columns.saturating_sub(label_room + 4) / 3).clamp(1, 30);
    let painted = rows.iter().map(|row| match row {
        Row::Gap => String::new(),
        Row::Head(text) | Row::Text(text) => cut(text, columns),
        Row::Bar {
            label,
            part,
            whole,
            value,
        } => {
            let label = cut(label, label_room);
            let gap = " ".repeat(label_room - width(&label));
            let full = match whole {
                0 => 0,
                _ => (part * bar_room as u64).div_ceil(*whole),
            };
            let full = usize::try_from(full).unwrap_or(bar_room).min(bar_room);
            let bar: String = std::iter::repeat_n(bar, full).collect();
            let rest = " ".repeat(bar_room - full);
            let row = format!("  {label}{gap} {bar}{rest} {value}");
            cut(&row, columns)
        }
    });
    painted.collect()
}

fn cut(text: &str, columns: usize) -> String {
    clip(&SafeText::line(text), columns, "…").to_string()
}
