//! The memory of agents' processes, alone and eight with their hub.

use crate::Plan;
use crate::harness::Home;
use crate::process;
use crate::surface::Interface;
use crate::table::{Figure, Row};

pub(crate) fn rows(_: &Plan) -> Vec<Row> {
    let (floor, ours) = (
        memory_of_eight(Interface::Floor),
        memory_of_eight(Interface::Rpc),
    );
    vec![
        Row::new("memory", "PSS of one stdio process", Figure::mb(ours.0))
            .with_floor(Figure::mb(floor.0))
            .goal("≤ 3 MB"),
        Row::new(
            "memory",
            "PSS of eight with an ask each, and the hub",
            Figure::mb(ours.1),
        )
        .with_floor(Figure::mb(floor.1))
        .goal("≤ 20 MB"),
    ]
}

/// Kilobytes of one agent that has listed its tools, and of eight waiting agents with their hub.
fn memory_of_eight(interface: Interface) -> (u64, u64) {
    // Each floor server has a surface of its own; ask-user's servers share one hub.
    let homes: Vec<Home> = (0..if interface == Interface::Floor { 8 } else { 1 })
        .map(|_| Home::new())
        .collect();
    let mut surfaces: Vec<_> = homes.iter().map(|home| interface.open(home)).collect();
    let listed = interface.agent(&homes[0]);
    let one = process::pss_kb(listed.pid());
    drop(listed);
    let mut agents: Vec<_> = (0..8)
        .map(|at| interface.agent(&homes[at % homes.len()]))
        .collect();
    for (at, agent) in agents.iter_mut().enumerate() {
        agent.ask(100 + at as u64);
        surfaces[at % homes.len()].shown();
    }
    let mut all: Vec<u32> = agents.iter().map(|agent| agent.pid()).collect();
    if interface != Interface::Floor {
        all.push(homes[0].hub().pid);
    }
    (one, all.into_iter().map(process::pss_kb).sum())
}
