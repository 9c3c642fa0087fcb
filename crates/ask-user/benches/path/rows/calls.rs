//! System calls, reads of the store and disk syncs for one ask and one answer.

use std::time::Duration;

use crate::Plan;
use crate::setup::Setup;
use crate::strace::{Calls, Strace};
use crate::surface::Interface;
use crate::table::{Figure, Row};

const ASKS: usize = 20;
const AT_ONCE: usize = 1_000;
/// After this long without a change, the hub has done everything that an ask or an answer causes.
const SETTLED: Duration = Duration::from_millis(300);

pub(crate) fn rows(_: &Plan) -> Vec<Row> {
    let (floor, ours) = match (trace(Interface::Floor), trace(Interface::Rpc)) {
        (Ok(floor), Ok(ours)) => (floor, ours),
        (Err(why), _) | (_, Err(why)) => {
            return vec![
                Row::missing("calls", "system calls of the hub", why.clone()),
                Row::missing("syncs", "syncs", why),
            ];
        }
    };
    let each =
        |part: &Calls, count: fn(&Calls) -> usize| Figure::of(count(part) as f64 / ASKS as f64, "");
    let row = |what: &str, at: usize, count: fn(&Calls) -> usize| {
        let whose = ["an ask", "an answer and its delivery"][at];
        Row::new("calls", format!("{what}, {whose}"), each(&ours[at], count))
    };
    let mut rows = Vec::new();
    for at in [0, 1] {
        let all: fn(&Calls) -> usize = |part| part.all;
        let calls = row("system calls of the hub", at, all).with_floor(each(&floor[at], all));
        rows.push(if at == 0 { calls.goal("≤ 30") } else { calls });
        let reads = row("read transactions of the hub", at, |part| {
            part.looks.saturating_sub(part.writes)
        });
        rows.push(reads.goal("0"));
        rows.push(row("write transactions of the hub", at, |part| part.writes));
        rows.push(row("reads of the store's files", at, |part| part.reads));
    }
    for (at, metric) in ["syncs, an ask", "syncs, an answer and its delivery"]
        .into_iter()
        .enumerate()
    {
        let syncs: fn(&Calls) -> usize = |part| part.syncs;
        let row = Row::new("syncs", metric, each(&ours[at], syncs));
        rows.push(row.with_floor(each(&floor[at], syncs)).goal("1"));
    }
    let at_once = |parts: &[Calls]| Figure::of(parts[2].syncs as f64 / AT_ONCE as f64, "");
    let row = Row::new("syncs", "syncs, an ask of 1,000 at once", at_once(&ours));
    rows.push(row.with_floor(at_once(&floor)).goal("≤ 0.1"));
    rows
}

/// Asks one by one, answers one by one, then asks all at once; returns the counts of each part.
fn trace(interface: Interface) -> Result<Vec<Calls>, String> {
    let mut setup = Setup::new(interface);
    let (ask, _) = setup.ask();
    setup.answer(ask);
    let pid = setup.pid();
    let log = |part: &str| setup.home.folder().join(part);
    let (one_by_one, at_once) = (log("one-by-one.strace"), log("at-once.strace"));
    let mut strace = Strace::attach(pid, "trace=all", one_by_one)?;
    setup.surface.listen(SETTLED);
    strace.mark();
    let numbers: Vec<u64> = (0..ASKS).map(|_| setup.ask().0).collect();
    setup.surface.listen(SETTLED);
    strace.mark();
    for ask in numbers {
        setup.answer(ask);
    }
    setup.surface.listen(SETTLED);
    strace.mark();
    // What happened before the first mark belongs to no part.
    let mut parts = strace.parts().split_off(1);
    // Only the syncs are traced here: tracing all calls would slow the asks down, and slow asks are
    // written in smaller batches.
    let mut strace = Strace::attach(pid, "trace=fsync,fdatasync,sync_file_range,msync", at_once)?;
    setup.ask_all(AT_ONCE);
    strace.mark();
    parts.extend(strace.parts());
    Ok(parts)
}
