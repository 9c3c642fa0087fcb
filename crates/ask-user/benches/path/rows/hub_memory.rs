//! The hub's memory: at the start, after agents over HTTP have come and gone, at rest, and after a
//! long time under load.

use std::time::{Duration, Instant};

use crate::Plan;
use crate::harness::Home;
use crate::http::HttpAgent;
use crate::process;
use crate::surface::{Interface, Surface};
use crate::table::{Figure, Row};

const AGENTS: u64 = 600;

pub(crate) fn rows(plan: &Plan) -> Vec<Row> {
    let home = Home::new();
    let hub = home.hub();
    let start = process::memory_kb(hub.pid);
    let mut surface = Interface::Rpc.open(&home);
    let token = home.read("token");
    for agent in 0..AGENTS {
        serve_agent(hub.port, &token, &mut *surface, 100 + agent);
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

/// How long agents come and go in the soak.
const SOAK_TIME: Duration = Duration::from_secs(20 * 60);

pub(crate) fn soak(_: &Plan) -> Vec<Row> {
    let home = Home::new();
    let hub = home.hub();
    let mut surface = Interface::Rpc.open(&home);
    let token = home.read("token");
    let (from, mut agents) = (Instant::now(), 0);
    while from.elapsed() < SOAK_TIME {
        serve_agent(hub.port, &token, &mut *surface, 100 + agents);
        agents += 1;
    }
    let minutes = SOAK_TIME.as_secs() / 60;
    let metric = format!("hub: after {minutes} minutes with {agents} agents over HTTP");
    let row = Row::new("soak", metric, Figure::memory(process::memory_kb(hub.pid)));
    vec![row.goal("≤ 25 MB")]
}

/// An agent asks over HTTP, gets its answer, and leaves its session behind.
fn serve_agent(port: u16, token: &str, surface: &mut dyn Surface, ask: u64) {
    let mut agent = HttpAgent::connect(port, token);
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
