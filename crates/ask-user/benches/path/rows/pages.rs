//! The cost of an ask and its answer with many open surfaces.

use std::time::Duration;

use crate::Plan;
use crate::process;
use crate::setup::{Setup, WARM_UP, steps};
use crate::surface::{Interface, PageSurface, SocketSurface};
use crate::table::{Figure, Row};

/// The most event streams of one token; the other surfaces are inboxes.
const MOST: usize = 64;

pub(crate) fn rows(plan: &Plan) -> Vec<Row> {
    let floor = each(plan, Interface::Floor, 1);
    [1, 20, 200]
        .map(|surfaces| {
            let metric =
                format!("processor of the hub, an ask and its answer, surfaces: {surfaces}");
            let row = Row::new("pages", metric, each(plan, Interface::Page, surfaces));
            let row = row.with_floor(floor.clone());
            match surfaces {
                1 => row.goal("≤ 1 ms"),
                200 => row.goal("≤ 6 ms"),
                _ => row,
            }
        })
        .into()
}

/// User and system time of the hub or the floor server for one ask and one answer.
fn each(plan: &Plan, interface: Interface, surfaces: usize) -> Figure {
    let setup = Setup::new(interface);
    for number in 1..surfaces {
        if number < MOST {
            PageSurface::open(&setup.home).drain();
        } else {
            SocketSurface::connect(&setup.home).drain();
        }
    }
    let pid = setup.pid();
    let mut setups = [setup];
    steps(&mut setups, 1);
    // The kernel counts processor time in steps of 10 ms, so more rounds are needed.
    let rounds = plan.rounds * 5;
    let before = process::cpu(pid);
    steps(&mut setups, rounds);
    // All surfaces have received the last change.
    setups[0].surface.listen(Duration::from_millis(300));
    let spent = process::cpu(pid) - before;
    let rounds = rounds + WARM_UP;
    Figure::of(spent.as_secs_f64() * 1e3 / rounds as f64, "ms")
}
