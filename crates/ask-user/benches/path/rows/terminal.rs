//! The inbox in the terminal: its start, its reaction to keys, its memory.

use std::time::{Duration, Instant};

use crate::Plan;
use crate::inbox::Inbox;
use crate::process;
use crate::rows::rest;
use crate::setup::{Setup, WARM_UP};
use crate::surface::Interface;
use crate::table::{Figure, Row};

pub(crate) fn rows(plan: &Plan) -> Vec<Row> {
    [1, 1_000, 10_000]
        .into_iter()
        .flat_map(|waiting| rows_with_waiting(plan, waiting))
        .collect()
}

fn rows_with_waiting(plan: &Plan, waiting: usize) -> Vec<Row> {
    let mut setup = Setup::new(Interface::Rpc);
    setup.ask_all(waiting);
    let many = waiting > 1_000;
    let opened = if many { 5 } else { plan.rounds.min(20) };
    let opened: Vec<Duration> = (0..opened).map(|_| Inbox::open(&setup.home).1).collect();
    let mut inbox = Inbox::open(&setup.home).0;
    // The first keys may be ignored by the guard.
    let keys = (0..WARM_UP + plan.rounds).map(|at| inbox.press([b"j", b"k"][at % 2]));
    let keys: Vec<Duration> = keys.skip(WARM_UP).collect();
    let painted: Vec<Duration> = (0..plan.rounds.min(30))
        .map(|_| {
            let ask = setup.number();
            let asked = Instant::now();
            setup.agent.ask(ask);
            let painted = inbox.painted_since(asked);
            setup.surface.shown();
            painted
        })
        .collect();
    let pss = process::pss_kb(inbox.pid());
    let (wakeups, cpu) = rest::watch(setup.surface.as_mut(), inbox.pid(), plan.listen);
    let row =
        |what: &str, figure| Row::new("terminal", format!("{what}, {waiting} waiting"), figure);
    vec![
        row("inbox: spawn → first picture", Figure::median(&opened)).goal(if many {
            "≤ 50 ms"
        } else {
            "≤ 15 ms"
        }),
        row("inbox: key → picture", Figure::high(&keys)).goal("p99 ≤ 16 ms"),
        row("ask → painted", Figure::median(&painted)).goal("≤ 10 ms, p95 ≤ 25 ms"),
        row("PSS of the inbox", Figure::mb(pss)).goal("≤ 8 MB"),
        row("wake-ups of the inbox", wakeups),
        row("CPU of the inbox", cpu).goal("0.0 %"),
    ]
}
