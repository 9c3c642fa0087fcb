//! What an ask and its answer cost with many surfaces open.

use std::time::Duration;

use crate::Plan;
use crate::process;
use crate::setup::{Setup, WARM_UP, steps};
use crate::surface::{PageSurface, Way};
use crate::table::{Figure, Row};

pub fn rows(plan: &Plan) -> Vec<Row> {
    let floor = each(plan, Way::Floor, 1);
    [1, 20, 200]
        .map(|pages| {
            let metric = format!("processor of the hub, an ask and its answer, pages: {pages}");
            let row = Row::new("pages", metric, each(plan, Way::Page, pages));
            let row = row.beside(floor.clone());
            if pages == 1 {
                row.goal("≤ 1 ms")
            } else {
                row
            }
        })
        .into()
}

/// User and system time of the hub, or the floor's server, for one ask and one answer.
fn each(plan: &Plan, way: Way, pages: usize) -> Figure {
    let setup = Setup::new(way);
    for _ in 1..pages {
        PageSurface::open(&setup.home).drain();
    }
    let pid = setup.pid();
    let mut setups = [setup];
    steps(&mut setups, 1);
    // The kernel tells hundredths of a second.
    let rounds = plan.rounds * 5;
    let before = process::cpu(pid);
    steps(&mut setups, rounds);
    // All pages have heard of the last one.
    setups[0].surface.listen(Duration::from_millis(300));
    let spent = process::cpu(pid) - before;
    let rounds = rounds + WARM_UP;
    Figure::of(spent.as_secs_f64() * 1e3 / rounds as f64, "ms")
}
