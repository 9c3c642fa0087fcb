//! The table: one row for each metric, ask-user beside the floor server.

use std::io::{self, Write};
use std::time::Duration;

/// A metric.
pub(crate) struct Row {
    /// The name that `--only` selects it by.
    pub name: &'static str,
    metric: String,
    floor: Option<Figure>,
    ours: Result<Figure, String>,
    goal: &'static str,
}

impl Row {
    /// A metric of ask-user.
    pub(crate) fn new(name: &'static str, metric: impl Into<String>, ours: Figure) -> Self {
        Self {
            name,
            metric: metric.into(),
            floor: None,
            ours: Ok(ours),
            goal: "",
        }
    }

    /// A metric that can't be measured here, and why.
    pub(crate) fn missing(
        name: &'static str,
        metric: impl Into<String>,
        why: impl Into<String>,
    ) -> Self {
        Self {
            name,
            metric: metric.into(),
            floor: None,
            ours: Err(why.into()),
            goal: "",
        }
    }

    /// A metric, or why it couldn't be measured.
    pub(crate) fn maybe(
        name: &'static str,
        metric: impl Into<String>,
        ours: Result<Figure, String>,
    ) -> Self {
        Self {
            ours,
            ..Self::missing(name, metric, "")
        }
    }

    /// Adds the floor server's figure.
    pub(crate) fn with_floor(mut self, floor: Figure) -> Self {
        self.floor = Some(floor);
        self
    }

    /// Adds the goal.
    pub(crate) fn goal(mut self, goal: &'static str) -> Self {
        self.goal = goal;
        self
    }

    fn cells(&self) -> [String; 6] {
        let ratio = match (&self.floor, &self.ours) {
            (Some(floor), Ok(ours)) if floor.value > 0.0 => {
                format!("{:.2}", ours.value / floor.value)
            }
            (Some(_) | None, Ok(_) | Err(_)) => String::new(),
        };
        let floor = self.floor.as_ref().map(|floor| floor.text.clone());
        let ours = match &self.ours {
            Ok(figure) => figure.text.clone(),
            Err(why) => why.clone(),
        };
        [
            self.name.to_owned(),
            self.metric.clone(),
            floor.unwrap_or_default(),
            ours,
            ratio,
            self.goal.to_owned(),
        ]
    }
}

/// Prints a row as soon as it is measured, so that an interrupted run shows what it has.
pub(crate) fn print_progress(row: &Row) {
    // A closed standard error is no reason to stop measuring.
    let _ = writeln!(io::stderr(), "  {}", row.cells().join(" | "));
}

/// Prints the table in Markdown.
pub(crate) fn print(rows: &[Row], out: &mut impl Write) -> io::Result<()> {
    let head = ["row", "metric", "floor", "ask-user", "ratio", "goal"].map(str::to_owned);
    let mut lines = vec![head];
    lines.extend(rows.iter().map(Row::cells));
    let widths = [0, 1, 2, 3, 4, 5].map(|column| {
        let cells = lines.iter().map(|line| line[column].chars().count());
        cells.max().unwrap_or_default()
    });
    lines.insert(1, widths.map(|width| "-".repeat(width)));
    for line in lines {
        for (cell, width) in line.iter().zip(widths) {
            write!(out, "| {cell:<width$} ")?;
        }
        writeln!(out, "|")?;
    }
    Ok(())
}

/// A number and its text.
#[derive(Clone)]
pub(crate) struct Figure {
    value: f64,
    text: String,
}

impl Figure {
    /// The median of durations, and their 95th percentile.
    pub(crate) fn median(times: &[Duration]) -> Self {
        if times.len() == 1 {
            return Self::of(times[0].as_secs_f64() * 1e3, "ms");
        }
        Self {
            value: ms(times, 0.5),
            text: format!("{:.2} ms (p95 {:.2})", ms(times, 0.5), ms(times, 0.95)),
        }
    }

    /// The median of durations, and their 99th percentile.
    pub(crate) fn high(times: &[Duration]) -> Self {
        Self {
            value: ms(times, 0.5),
            text: format!("{:.2} ms (p99 {:.2})", ms(times, 0.5), ms(times, 0.99)),
        }
    }

    /// Kilobytes as megabytes.
    pub(crate) fn mb(kb: u64) -> Self {
        Self::of(kb as f64 / 1024.0, "MB")
    }

    /// PSS and RSS as megabytes.
    pub(crate) fn memory((pss_kb, rss_kb): (u64, u64)) -> Self {
        let mb = |kb: u64| kb as f64 / 1024.0;
        Self {
            value: pss_kb as f64,
            text: format!("PSS {:.2}, RSS {:.2} MB", mb(pss_kb), mb(rss_kb)),
        }
    }

    /// A number with its unit.
    pub(crate) fn of(value: f64, unit: &str) -> Self {
        let text = if value.fract() == 0.0 {
            format!("{value:.0} {unit}")
        } else {
            format!("{value:.2} {unit}")
        };
        Self {
            value,
            text: text.trim_end().to_owned(),
        }
    }

    /// The ratio to another figure.
    pub(crate) fn times(&self, other: &Self) -> Self {
        Self::of(self.value / other.value, "×")
    }
}

/// The quantile of durations, in milliseconds.
fn ms(times: &[Duration], share: f64) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    let at = ((sorted.len() - 1) as f64 * share).round() as usize;
    sorted[at].as_secs_f64() * 1e3
}
