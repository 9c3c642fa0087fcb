//! Ten thousand waiting asks: the time until the first answer is delivered, and until the last one
//! is.

use std::time::Duration;

use crate::Plan;
use crate::harness::within;
use crate::setup::Setup;
use crate::surface::Interface;
use crate::table::{Figure, Row};

const ASKS: usize = 10_000;

/// The times until all asks were shown, until the first answer was delivered, and until all others
/// were.
type Times = [Result<Vec<Duration>, String>; 3];

pub(crate) fn rows(plan: &Plan) -> Vec<Row> {
    let (floor, ours) = (
        measure(plan, Interface::Floor),
        measure(plan, Interface::Rpc),
    );
    let metrics = [
        ("10,000 at once: all shown", "≤ 1.5 × floor"),
        ("10,000 waiting: the first answer → result", "≤ 50 ms"),
        ("10,000 waiting: all answered", "≤ 10 s"),
    ];
    let mut rows = Vec::new();
    for ((metric, goal), (floor, ours)) in metrics.into_iter().zip(floor.into_iter().zip(ours)) {
        let ours = ours.map(|times| Figure::median(&times));
        let row = Row::maybe("waiting", metric, ours).goal(goal);
        rows.push(match floor {
            Ok(floor) => row.with_floor(Figure::median(&floor)),
            Err(_) => row,
        });
    }
    rows
}

fn measure(plan: &Plan, interface: Interface) -> Times {
    let mut all: Times = [Ok(Vec::new()), Ok(Vec::new()), Ok(Vec::new())];
    for _ in 0..plan.bursts.div_ceil(4) {
        for (all, time) in all.iter_mut().zip(measure_once(plan, interface)) {
            match (&mut *all, time) {
                (Ok(times), Ok(time)) => times.push(time),
                (Ok(_), Err(why)) => *all = Err(why),
                (Err(_), _) => {}
            }
        }
    }
    all
}

fn measure_once(plan: &Plan, interface: Interface) -> [Result<Duration, String>; 3] {
    let mut setup = Setup::new(interface);
    let (numbers, shown) = match within(plan.limit, || setup.ask_all(ASKS)) {
        Ok((numbers, time)) => (numbers, time),
        Err(why) => return [0, 1, 2].map(|_| Err(why.clone())),
    };
    let first = within(plan.limit, || setup.answer(numbers[0]));
    let all = within(plan.limit, || setup.answer_all(&numbers[1..]));
    let all = all.map_err(|why| format!("{why}: {} delivered", setup.delivered));
    [Ok(shown), first, all]
}
