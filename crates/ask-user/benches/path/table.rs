//! What is printed: one table, a row a metric, ask-user beside the floor.

use std::io::{self, Write};
use std::time::Duration;

/// The rows, as they come.
#[derive(Default)]
pub struct Table {
    rows: Vec<[String; 5]>,
}

impl Table {
    /// A metric that the floor has, too. Written when measured, so that an interrupted run tells what it knows.
    pub fn pair(&mut self, metric: &str, floor: Figure, ours: Figure, target: &str) {
        let ratio = format!("{:.2}", ours.value / floor.value);
        self.row([metric.into(), floor.text, ours.text, ratio, target.into()]);
    }

    /// A metric of ask-user alone.
    pub fn alone(&mut self, metric: &str, ours: Figure, target: &str) {
        self.row([
            metric.into(),
            String::new(),
            ours.text,
            String::new(),
            target.into(),
        ]);
    }

    /// A metric that can't be had here, and why.
    pub fn missing(&mut self, metric: &str, why: &str) {
        self.row([
            metric.into(),
            String::new(),
            why.into(),
            String::new(),
            String::new(),
        ]);
    }

    fn row(&mut self, row: [String; 5]) {
        // A closed stderr is no reason to stop measuring.
        let _ = writeln!(
            io::stderr(),
            "  {}: {} | {} | {}",
            row[0],
            row[1],
            row[2],
            row[3]
        );
        self.rows.push(row);
    }

    /// The table in Markdown.
    pub fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let head = ["metric", "floor", "ask-user", "ratio", "target"].map(str::to_owned);
        let wide = |column: usize| {
            let cells = self
                .rows
                .iter()
                .chain([&head])
                .map(|row| row[column].chars().count());
            cells.max().unwrap_or_default()
        };
        let widths = [0, 1, 2, 3, 4].map(wide);
        let mut line = |row: &[String; 5]| -> io::Result<()> {
            for (cell, width) in row.iter().zip(widths) {
                write!(out, "| {cell:<width$} ")?;
            }
            writeln!(out, "|")
        };
        line(&head)?;
        line(&widths.map(|width| "-".repeat(width)))?;
        self.rows.iter().try_for_each(line)
    }
}

/// A number and how it is shown.
#[derive(Clone)]
pub struct Figure {
    value: f64,
    text: String,
}

impl Figure {
    /// The median of durations, and what nineteen of twenty stay under.
    pub fn median(times: &[Duration]) -> Self {
        let mut ms: Vec<f64> = times.iter().map(|time| time.as_secs_f64() * 1e3).collect();
        ms.sort_by(f64::total_cmp);
        let at = |share: f64| ms[((ms.len() - 1) as f64 * share).round() as usize];
        Self {
            value: at(0.5),
            text: format!("{:.2} ms (p95 {:.2})", at(0.5), at(0.95)),
        }
    }

    /// The median of durations, and what ninety-nine of a hundred stay under.
    pub fn high(times: &[Duration]) -> Self {
        let mut ms: Vec<f64> = times.iter().map(|time| time.as_secs_f64() * 1e3).collect();
        ms.sort_by(f64::total_cmp);
        let at = |share: f64| ms[((ms.len() - 1) as f64 * share).round() as usize];
        Self {
            value: at(0.99),
            text: format!("{:.2} ms (p99 {:.2})", at(0.5), at(0.99)),
        }
    }

    /// Kilobytes, shown as megabytes.
    pub fn mb(kb: u64) -> Self {
        Self {
            value: kb as f64,
            text: format!("{:.2} MB", kb as f64 / 1024.0),
        }
    }

    /// Any other number, with its unit.
    pub fn of(value: f64, unit: &str) -> Self {
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
}
