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
    /// The heading of the rows below.
    Head(String),
    /// A bar with its number.
    Bar {
        /// The name beside the bar.
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

/// The number of days that have a bar each.
const DAYS: usize = 14;

/// The most bars in a block of names.
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
    rows.push(Row::Text(waiting_text(words, stats)));
    if stats.asks == 0 {
        return rows;
    }
    add_outcomes(words, stats, &mut rows);
    add_days(words, stats, &mut rows);
    let surfaces = stats.surfaces.iter().filter(|(_, took)| took.count > 0);
    let surfaces = surfaces.take(NAMES);
    let surfaces = surfaces.map(|(name, took)| (surface(words, name), *took));
    add_durations(words, "stats-by-surface", surfaces.collect(), &mut rows);
    let hours = stats.hours.iter();
    let hours = hours.map(|(hour, took)| (format!("{hour:02}:00"), *took));
    add_durations(words, "stats-by-hour", hours.collect(), &mut rows);
    add_agents(words, stats, &mut rows);
    rows
}

fn waiting_text(words: Words, stats: &HistoryStats) -> String {
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

fn add_outcomes(words: Words, stats: &HistoryStats, rows: &mut Vec<Row>) {
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

fn add_days(words: Words, stats: &HistoryStats, rows: &mut Vec<Row>) {
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
            .map(|(name, asks)| format!("{} {asks}", agent_name(words, name)))
            .collect();
        rows.push(Row::Bar {
            label: day.date.clone(),
            part,
            whole,
            value: format!("{part}  {}", agents.join(", ")),
        });
    }
}

fn add_durations(
    words: Words,
    head: &'static str,
    durations: Vec<(String, DurationStats)>,
    rows: &mut Vec<Row>,
) {
    if durations.is_empty() {
        return;
    }
    let head = match head {
        "stats-by-hour" => words.say("stats-by-hour"),
        _ => words.say("stats-by-surface"),
    };
    rows.extend([Row::Gap, Row::Head(head)]);
    let medians = durations.iter().filter_map(|(_, took)| took.median_ms);
    let whole = medians.max().unwrap_or(0);
    for (label, took) in durations {
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

fn add_agents(words: Words, stats: &HistoryStats, rows: &mut Vec<Row>) {
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
        for (id, number) in [("notes", u64::from(how.noted)), ("backs", *asked_back)] {
            if number > 0 {
                parts.push(match id {
                    "notes" => words.format("stats-notes", &[count(number)]),
                    _ => words.format("stats-ask-backs", &[count(number)]),
                });
            }
        }
        rows.push(Row::Bar {
            label: agent_name(words, name),
            part: agent.asks,
            whole: stats.agents.first().map_or(0, |first| first.asks),
            value: format!("{}  {}", agent.asks, parts.join(", "))
                .trim_end()
                .to_owned(),
        });
    }
}

fn agent_name(words: Words, name: &str) -> String {
    match name {
        "?" => words.say("stats-nameless"),
        _ => safe(name),
    }
}

fn safe(name: &str) -> String {
    SafeText::line(name).to_string()
}

fn count(number: u64) -> (&'static str, Value<'static>) {
    ("count", number.into())
}

fn percent(part: u64, whole: u64) -> u64 {
    match whole {
        0 => 0,
        _ => (part * 200 / whole).div_ceil(2),
    }
}

/// The rows as lines for a speech synthesizer: numbers as text, no bars, nothing cut.
pub fn speech_lines(words: Words, rows: &[Row]) -> Vec<String> {
    let spoken = |text: &str| text.replace(" · ", ", ").replace("  ", ", ");
    let lines = rows.iter().map(|row| match row {
        Row::Gap => String::new(),
        Row::Head(text) | Row::Text(text) => spoken(text),
        Row::Bar { label, value, .. } => {
            let facts = [("label", label.into()), ("value", spoken(value).into())];
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
    let label_columns = labels.max().unwrap_or(0).clamp(4, (columns / 3).max(4));
    // A third of what is left, so that the number always fits.
    let bar_columns = (columns.saturating_sub(label_columns + 4) / 3).clamp(1, 30);
    let lines = rows.iter().map(|row| match row {
        Row::Gap => String::new(),
        Row::Head(text) | Row::Text(text) => clip_line(text, columns),
        Row::Bar {
            label,
            part,
            whole,
            value,
        } => {
            let label = clip_line(label, label_columns);
            let gap = " ".repeat(label_columns - width(&label));
            let full = match whole {
                0 => 0,
                _ => (part * bar_columns as u64).div_ceil(*whole),
            };
            let full = usize::try_from(full)
                .unwrap_or(bar_columns)
                .min(bar_columns);
            let bar: String = std::iter::repeat_n(bar, full).collect();
            let rest = " ".repeat(bar_columns - full);
            let row = format!("  {label}{gap} {bar}{rest} {value}");
            clip_line(&row, columns)
        }
    });
    lines.collect()
}

fn clip_line(text: &str, columns: usize) -> String {
    clip(&SafeText::line(text), columns, "…").to_string()
}
