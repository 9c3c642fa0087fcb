//! What processes do while asks wait and nothing happens.

use std::time::{Duration, Instant};

use crate::Plan;
use crate::process;
use crate::setup::Setup;
use crate::surface::{Interface, Surface};
use crate::table::{Figure, Row};

pub(crate) fn rows(plan: &Plan) -> Vec<Row> {
    let mut rows = Vec::new();
    for waiting in [1, 1_000] {
        let mut setup = Setup::new(Interface::Rpc);
        setup.wait_with_progress(waiting);
        let pids = [setup.agent.pid(), setup.home.hub().pid];
        for (who, pid) in ["stdio process", "hub"].into_iter().zip(pids) {
            let (wakeups, cpu) = watch(setup.surface.as_mut(), pid, plan.listen);
            let metric =
                |what: &str| format!("{what} of the {who}, {waiting} waiting with progress");
            rows.push(Row::new("rest", metric("wake-ups"), wakeups).goal("≤ 0.2 /s"));
            rows.push(Row::new("rest", metric("CPU"), cpu).goal("0.0 %"));
        }
    }
    rows
}

/// Wake-ups per second and processor use in percent of an idle process with a connected surface.
pub(crate) fn watch(surface: &mut dyn Surface, pid: u32, time: Duration) -> (Figure, Figure) {
    surface.listen(Duration::from_secs(1));
    let (begun, woken, used) = (Instant::now(), process::wakeups(pid), process::cpu(pid));
    surface.listen(time);
    let seconds = begun.elapsed().as_secs_f64();
    let woken = process::wakeups(pid) - woken;
    let used = process::cpu(pid) - used;
    (
        Figure::of(woken as f64 / seconds, "/s"),
        Figure::of(used.as_secs_f64() * 100.0 / seconds, "%"),
    )
}
