//! The table that a campaign prints, and below it every fault that was found.

use std::io::{self, Write};

use ask_core::Record;
use ask_protocol::{json_text, native};

use crate::log::Ledger;
use crate::report::Account;

/// The limit of nine recoveries in ten, in milliseconds.
const RECOVERY_MS: u64 = 2_000;
/// The limit of every recovery in milliseconds. The machine may have paused during one.
const WORST_MS: u64 = 5_000;

/// Prints the table.
pub(crate) fn print(
    out: &mut impl Write,
    title: &str,
    disk: &str,
    ledger: &Ledger,
    account: &Account,
) -> io::Result<()> {
    let mut row = |what: &str, value: &dyn std::fmt::Display| writeln!(out, "{what:<52}{value:>9}");
    row(title, &"")?;
    row("asks", &ledger.asks())?;
    for (what, count) in &ledger.counts {
        row(&format!("  {what}"), count)?;
    }
    row("answers taken", &account.answers)?;
    row("  told to one agent", &account.told)?;
    row("  told to a successor of their caller", &account.taken_up)?;
    row("  read by their id", &account.read)?;
    row(
        "  told to a call given up without a word",
        &account.given_up,
    )?;
    row(
        "  told to a call while it was cancelled",
        &account.cancelled,
    )?;
    row("  in the pipe of a killed or gone agent", &account.unread)?;
    row("  in the socket of a client that closed", &account.closed)?;
    row(
        "  told also to a client that came back for it",
        &account.came_back,
    )?;
    row(
        "  told again, hub or stream gone at once",
        &account.hub_again,
    )?;
    row("    the longest that it had lived, ms", &account.hub_lived)?;
    row(
        "  told again, the first agent killed at once",
        &account.again,
    )?;
    row("    the longest that it had lived, ms", &account.lived)?;
    row("faults", &ledger.faults.values().sum::<u64>())?;
    for (kind, count) in &ledger.faults {
        let kind = match *kind {
            "disks filled" => format!("  {kind} ({disk})"),
            kind => format!("  {kind}"),
        };
        row(&kind, count)?;
    }
    row("kills", &kills(ledger))?;
    row("lost", &account.lost.len())?;
    row("doubled", &account.doubled.len())?;
    row("invented", &account.invented.len())?;
    row("misdelivered", &account.misdelivered.len())?;
    row("changed", &account.changed.len())?;
    row("calls forgotten", &ledger.stuck.len())?;
    let mut sorted = ledger.recoveries.clone();
    sorted.sort_unstable();
    let median = sorted.get(sorted.len() / 2).copied().unwrap_or(0);
    row("median recovery from a killed hub, ms", &median)?;
    row("slowest recovery from a killed hub, ms", &slowest(ledger))
}

/// The number of killed processes.
pub(crate) fn kills(ledger: &Ledger) -> u64 {
    let killed = |(kind, count): (&&str, &u64)| if kind.contains("killed") { *count } else { 0 };
    ledger.faults.iter().map(killed).sum()
}

/// Whether recoveries took too long.
pub(crate) fn is_slow(ledger: &Ledger) -> bool {
    let late = ledger.recoveries.iter().filter(|ms| **ms > RECOVERY_MS);
    late.count() * 10 > ledger.recoveries.len() || slowest(ledger) > WORST_MS
}

/// The slowest recovery in milliseconds.
fn slowest(ledger: &Ledger) -> u64 {
    ledger.recoveries.iter().copied().max().unwrap_or(0)
}

/// Prints every fault with its records.
pub(crate) fn wrong(
    out: &mut impl Write,
    ledger: &Ledger,
    account: &Account,
    records: &[Record],
) -> io::Result<()> {
    let kinds = [
        ("lost", &account.lost),
        ("doubled", &account.doubled),
        ("invented", &account.invented),
        ("misdelivered", &account.misdelivered),
        ("changed", &account.changed),
        ("forgotten", &ledger.stuck),
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
