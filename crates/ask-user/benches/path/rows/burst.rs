//! A thousand asks at once, answered by one surface that doesn't wait for its answers.

use crate::Plan;
use crate::process;
use crate::setup::{Setup, Steps};
use crate::surface::Interface;
use crate::table::{Figure, Row};

const ASKS: usize = 1_000;

pub(crate) fn rows(plan: &Plan) -> Vec<Row> {
    let mut setups = [Interface::Floor, Interface::Rpc].map(Setup::new);
    let mut all = [Steps::default(), Steps::default()];
    for _ in 0..plan.bursts {
        for (setup, steps) in setups.iter_mut().zip(&mut all) {
            let (numbers, shown) = setup.ask_all(ASKS);
            steps.shown.push(shown);
            steps.delivered.push(setup.answer_all(&numbers));
        }
    }
    let [floor, ours] = all;
    let mut rows = vec![
        Row::new(
            "burst",
            "1,000 at once: all shown",
            Figure::median(&ours.shown),
        )
        .with_floor(Figure::median(&floor.shown))
        .goal("≤ 1 × floor"),
        Row::new(
            "burst",
            "1,000 waiting: all answered",
            Figure::median(&ours.delivered),
        )
        .with_floor(Figure::median(&floor.delivered))
        .goal("≤ 0.5 × floor"),
    ];
    drop(setups);
    rows.extend(memory());
    rows
}

/// Memory for each waiting ask.
fn memory() -> Vec<Row> {
    let mut setup = Setup::new(Interface::Rpc);
    let pids = [setup.agent.pid(), setup.home.hub().pid];
    let (numbers, _) = setup.ask_all(100);
    setup.answer_all(&numbers);
    let before = pids.map(process::pss_kb);
    setup.ask_all(ASKS);
    let each = |at: usize| {
        let more = process::pss_kb(pids[at]).saturating_sub(before[at]);
        Figure::of(more as f64 / ASKS as f64, "KB")
    };
    vec![
        Row::new("burst", "memory per waiting ask, stdio process", each(0)).goal("≤ 12 KB"),
        Row::new("burst", "memory per waiting ask, hub", each(1)),
    ]
}
