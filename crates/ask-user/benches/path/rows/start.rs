//! The time until an agent's server has started, and until it has ended.

use std::time::{Duration, Instant};

use crate::Plan;
use crate::agent::Agent;
use crate::harness::Home;
use crate::setup::{Setup, WARM_UP};
use crate::surface::Interface;
use crate::table::{Figure, Row};

pub(crate) fn rows(plan: &Plan) -> Vec<Row> {
    let home = Home::new();
    let mut listed = [Vec::new(), Vec::new()];
    let mut ended = [Vec::new(), Vec::new()];
    for round in 0..plan.rounds + WARM_UP {
        for (side, command) in [home.floor(), home.ours(&["mcp"])].into_iter().enumerate() {
            let spawned = Instant::now();
            let mut agent = Agent::ready(command);
            let took = spawned.elapsed();
            let left = Instant::now();
            agent.leave();
            if round >= WARM_UP {
                listed[side].push(took);
                ended[side].push(left.elapsed());
            }
        }
    }
    let (hello, tools) = Agent::start(home.ours(&["mcp"])).greet();
    let bytes = |reply: &str| Figure::of(reply.len() as f64, "bytes");
    vec![
        Row::new("start", "spawn → tools/list", Figure::median(&listed[1]))
            .with_floor(Figure::median(&listed[0]))
            .goal("≤ 2 × floor"),
        Row::new(
            "start",
            "end of input → process ended",
            Figure::median(&ended[1]),
        )
        .with_floor(Figure::median(&ended[0]))
        .goal("≤ 100 ms"),
        Row::new(
            "start",
            "the same with an ask waiting",
            Figure::median(&left(plan)),
        )
        .goal("≤ 100 ms"),
        Row::new("start", "tools/list reply", bytes(&tools)).goal("≤ 2,200 bytes"),
        Row::new("start", "initialize reply", bytes(&hello)),
    ]
}

fn left(plan: &Plan) -> Vec<Duration> {
    let mut setup = Setup::new(Interface::Rpc);
    let leave = |_| {
        let mut agent = Interface::Rpc.agent(&setup.home);
        agent.ask(1_000_000);
        setup.surface.listen(Duration::from_millis(20));
        let begun = Instant::now();
        agent.leave();
        begun.elapsed()
    };
    (0..plan.rounds).map(leave).collect()
}
