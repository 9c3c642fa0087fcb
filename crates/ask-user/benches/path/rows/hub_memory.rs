//! The hub's memory: at the start, after agents over HTTP have come and gone, and at rest.

use crate::Plan;
use crate::harness::Home;
use crate::http::HttpAgent;
use crate::process;
use crate::surface::Interface;
use crate::table::{Figure, Row};

const AGENTS: u64 = 600;

pub(crate) fn rows(plan: &Plan) -> Vec<Row> {
    let home = Home::new();
    let hub = home.hub();
    let start = process::memory_kb(hub.pid);
    let mut surface = Interface::Rpc.open(&home);
    let token = home.read("token");
    for agent in 0..AGENTS {
        let ask = 100 + agent;
        let mut agent = HttpAgent::connect(hub.port, &token);
        agent.ask(ask);
        assert_eq!(surface.shown(), [ask], "the surface shows the ask");
        surface.answer(ask, 1);
        let reply = agent.reply();
        assert!(
            reply.contains("SQLite"),
            "the agent receives the answer: {reply}"
        );
        surface.rest();
    }
    let ended = process::memory_kb(hub.pid);
    surface.listen(plan.listen);
    drop(surface);
    let idle = process::memory_kb(hub.pid);
    let waited = plan.listen.as_secs();
    let row = |metric: String, kb| Row::new("hub-memory", metric, Figure::memory(kb));
    vec![
        row("hub: at its start".into(), start),
        row(format!("hub: {AGENTS} agents over HTTP have ended"), ended).goal("≤ 20 MB"),
        row(format!("hub: idle for {waited} s after that"), idle),
    ]
}
