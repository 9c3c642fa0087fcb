//! Measures the whole path beside the floor server and prints one table. `benches/run` builds both,
//! starts this, and documents the options.
//!
//! Everything is driven from outside through public interfaces: commands, MCP, the lines of
//! `docs/reference/protocol.md`, HTTP. Two files use internals: `surface/socket.rs` the hub's own socket, and
//! `store.rs` the store, to create a long history.
//!
//! Milliseconds depend on the machine, ratios hardly do. Compare ratios that a quiet machine has
//! measured.

#![expect(
    clippy::disallowed_methods,
    reason = "a benchmark measures elapsed time"
)]

mod agent;
mod harness;
mod http;
mod inbox;
mod input;
mod process;
mod rows;
mod setup;
mod store;
mod strace;
mod surface;
mod table;

use std::io::{self, Write};
use std::time::Duration;

use table::Row;

/// What is measured, and how often.
struct Plan {
    /// Rounds of each short measurement.
    rounds: usize,
    /// Rounds of measurements with many asks at once.
    bursts: usize,
    /// How long idle processes are observed.
    listen: Duration,
    /// The number of old asks in a history.
    old: usize,
    /// The limit of any single wait within a row.
    limit: Duration,
    /// The names of the wanted rows; empty for all.
    only: Vec<String>,
}

impl Plan {
    fn wants(&self, name: &str) -> bool {
        match self.only.is_empty() {
            true => name != SOAK,
            false => self.only.iter().any(|only| only == name),
        }
    }
}

/// The names of a file's rows, and the function that measures them.
type Group = (&'static [&'static str], fn(&Plan) -> Vec<Row>);

/// The row that is measured only if it is named, because it takes twenty minutes.
const SOAK: &str = "soak";

/// All rows, in the order of the table.
const GROUPS: [Group; 14] = [
    (&["start"], rows::start::rows),
    (&["memory"], rows::memory::rows),
    (&["ask", "answer"], rows::path::rows),
    (&["shell"], rows::path::shell),
    (&["burst"], rows::burst::rows),
    (&["waiting"], rows::waiting::rows),
    (&["calls", "syncs"], rows::calls::rows),
    (&["pages"], rows::pages::rows),
    (&["history", "search", "retention"], rows::history::rows),
    (&["hub-memory"], rows::hub_memory::rows),
    (&[SOAK], rows::hub_memory::soak),
    (&["rest"], rows::rest::rows),
    (&["terminal"], rows::terminal::rows),
    (&["size"], rows::size::rows),
];

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let values = |name: &str| -> Vec<String> {
        let pairs = arguments.windows(2).filter(|pair| pair[0] == name);
        pairs.map(|pair| pair[1].clone()).collect()
    };
    if let Some(folder) = values("--folder").pop() {
        harness::FOLDER.get_or_init(|| folder.into());
    }
    let quick = arguments.iter().any(|argument| argument == "--quick");
    let old = values("--old").pop().map(|old| old.parse());
    let plan = Plan {
        rounds: if quick { 20 } else { 100 },
        bursts: if quick { 3 } else { 11 },
        listen: Duration::from_secs(if quick { 3 } else { 20 }),
        old: old
            .transpose()
            .map_err(io::Error::other)?
            .unwrap_or(if quick { 100_000 } else { 1_000_000 }),
        limit: Duration::from_secs(if quick { 60 } else { 600 }),
        only: values("--only"),
    };
    let names: Vec<&str> = GROUPS.iter().flat_map(|group| group.0).copied().collect();
    if let Some(other) = plan
        .only
        .iter()
        .find(|only| !names.contains(&only.as_str()))
    {
        let text = format!("there is no row {other}; there are {}", names.join(", "));
        return Err(io::Error::other(text));
    }
    let load = process::load();
    // A failure is reported in its row instead of on standard error.
    std::panic::set_hook(Box::new(|_| {}));
    let mut all = Vec::new();
    for (names, group) in GROUPS {
        if !names.iter().any(|name| plan.wants(name)) {
            continue;
        }
        let measured = harness::within(plan.limit * 10, || group(&plan));
        let rows = measured.unwrap_or_else(|why| vec![Row::missing(names[0], "", why)]);
        for row in rows.into_iter().filter(|row| plan.wants(row.name)) {
            table::print_progress(&row);
            all.push(row);
        }
    }
    let out = &mut io::stdout().lock();
    table::print(&all, out)?;
    let processors = std::thread::available_parallelism()?;
    writeln!(
        out,
        "\nThe load was {load} before, on {processors} processors; where others work, too, \
         counts and memory hold, processor time roughly, and times and their ratios don't."
    )
}
