//! The table that a campaign prints, and below it every fault that was found.

use std::io::{self, Write};

use ask_core::Record;
use ask_protocol::{json_text, native};

use crate::log::Log;
use crate::report::Report;

/// Prints the table.
pub(crate) fn print(
    out: &mut impl Write,
    title: &str,
    disk: &str,
    log: &Log,
    report: &Report,
) -> io::Result<()> {
    let mut row = |what: &str, value: &dyn std::fmt::Display| writeln!(out, "{what:<52}{value:>9}");
    row(title, &"")?;
    row("asks", &log.asks())?;
    for (what, count) in &log.counts {
        row(&format!("  {what}"), count)?;
    }
    row("answers accepted", &report.answers)?;
    row("  delivered to one agent", &report.delivered)?;
    row(
        "  delivered to a successor of their caller",
        &report.taken_up,
    )?;
    row("  read by their ID", &report.read)?;
    row(
        "  delivered to a call that was given up silently",
        &report.given_up,
    )?;
    row(
        "  delivered to a call while it was cancelled",
        &report.cancelled,
    )?;
    row("  in the pipe of a killed or ended agent", &report.unread)?;
    row("  in the socket of a client that closed", &report.closed)?;
    row(
        "  delivered again to a client that came back",
        &report.came_back,
    )?;
    row(
        "  delivered again, hub or stream ended at once",
        &report.hub_again,
    )?;
    row(
        "    longest time from the reply to the kill, ms",
        &report.hub_lived,
    )?;
    row(
        "  delivered again, first agent killed at once",
        &report.again,
    )?;
    row(
        "    longest time from the reply to the kill, ms",
        &report.lived,
    )?;
    row("faults", &log.faults.values().sum::<u64>())?;
    for (kind, count) in &log.faults {
        let kind = match *kind {
            "disks filled" => format!("  {kind} ({disk})"),
            kind => format!("  {kind}"),
        };
        row(&kind, count)?;
    }
    row("kills", &kills(log))?;
    row("lost", &report.lost.len())?;
    row("doubled", &report.doubled.len())?;
    row("invented", &report.invented.len())?;
    row("misdelivered", &report.misdelivered.len())?;
    row("changed", &report.changed.len())?;
    row("calls without a reply", &log.stuck.len())?;
    let mut sorted = log.recoveries.clone();
    sorted.sort_unstable();
    let median = sorted.get(sorted.len() / 2).copied().unwrap_or(0);
    row("median recovery from a killed hub, ms", &median)?;
    row("slowest recovery from a killed hub, ms", &slowest(log))
}

/// The number of killed processes.
pub(crate) fn kills(log: &Log) -> u64 {
    let killed = |(kind, count): (&&str, &u64)| if kind.contains("killed") { *count } else { 0 };
    log.faults.iter().map(killed).sum()
}

/// The slowest recovery in milliseconds.
fn slowest(log: &Log) -> u64 {
    log.recoveries.iter().copied().max().unwrap_or(0)
}

/// Prints every fault with its records.
pub(crate) fn wrong(
    out: &mut impl Write,
    log: &Log,
    report: &Report,
    records: &[Record],
) -> io::Result<()> {
    let kinds = [
        ("lost", &report.lost),
        ("doubled", &report.doubled),
        ("invented", &report.invented),
        ("misdelivered", &report.misdelivered),
        ("changed", &report.changed),
        ("forgotten", &log.stuck),
    ];
    for (kind, all) in kinds {
        for each in all {
            writeln!(out, "\n{kind}: {each}")?;
            let concerned = records
                .iter()
                .filter(|record| each.contains(record.id.as_str()));
            for record in concerned {
                writeln!(out, "    {}", json_text(&native::Record::from(record)))?;
            }
        }
    }
    Ok(())
}
