//! The whole path beside the floor, in one table. `benches/run` builds both and
//! starts this; `--quick` makes fewer rounds, `--old N` files N asks away first,
//! `--folder PATH` keeps everything there: in memory, it shows what is left when
//! the disk costs nothing. `--only PART` measures one part of it.
//!
//! Milliseconds depend on the machine, ratios hardly: compare those.

#![expect(clippy::disallowed_methods, reason = "a benchmark is about time")]

mod measure;
mod proc;
mod rig;
mod search;
mod surface;
mod syncs;
mod table;
mod terminal;

use std::io;
use std::time::Duration;

use ask_core::ask::{Ask, Choice, Input, Question};
use ask_core::{AskId, Asker, Time, lifecycle};

use measure::Path;
use rig::{Rig, Side};
use surface::HubSurface;
use syncs::Strace;
use table::{Figure, Table};
use terminal::Inbox;

/// How much is measured.
struct Plan {
    rounds: usize,
    bursts: usize,
    listen: Duration,
    old: usize,
}

/// Something that is measured.
type Part = fn(&Plan, &mut Table);

/// What is measured, in the order of the table.
const PARTS: [(&str, Part); 10] = [
    ("start", start),
    ("memory", memory),
    ("path", path),
    ("burst", burst),
    ("rest", rest),
    ("terminal", terminal),
    ("disk", disk),
    ("history", history),
    ("search", searches),
    ("size", size),
];

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let quick = arguments.iter().any(|argument| argument == "--quick");
    let value = |name: &str| {
        arguments
            .iter()
            .skip_while(|argument| *argument != name)
            .nth(1)
    };
    if let Some(folder) = value("--folder") {
        rig::FOLDER.get_or_init(|| folder.into());
    }
    let old = value("--old").and_then(|old| old.parse().ok());
    let plan = Plan {
        rounds: if quick { 20 } else { 100 },
        bursts: if quick { 3 } else { 11 },
        listen: Duration::from_secs(if quick { 3 } else { 20 }),
        old: old.unwrap_or(if quick { 2_000 } else { 100_000 }),
    };
    let mut table = Table::default();
    for (name, part) in PARTS {
        if value("--only").is_none_or(|only| only == name) {
            part(&plan, &mut table);
        }
    }
    table.print(&mut io::stdout().lock())
}

fn start(plan: &Plan, table: &mut Table) {
    let [floor, ours] = measure::starts(plan.rounds);
    table.pair(
        "spawn → tools/list",
        Figure::median(&floor.listed),
        Figure::median(&ours.listed),
        "≤ 2 × floor",
    );
    table.pair(
        "end of input → process ended",
        Figure::median(&floor.ended),
        Figure::median(&ours.ended),
        "≤ 100 ms",
    );
    let rig = Rig::new(Side::Ours);
    let mut agent = rig::Agent::start(rig.server());
    let (hello, tools) = agent.greet();
    table.alone(
        "tools/list reply",
        Figure::of(tools.trim_end().len() as f64, "bytes"),
        "≤ 2,200 bytes",
    );
    table.alone(
        "initialize reply",
        Figure::of(hello.trim_end().len() as f64, "bytes"),
        "",
    );
    let mut waiting = Path::new(Side::Ours);
    waiting.wait(1);
    let ended = (0..plan.rounds).map(|_| {
        let mut path = waiting.rig.agent();
        path.ask(1_000_000);
        waiting.surface.listen(Duration::from_millis(20));
        let left = std::time::Instant::now();
        path.leave();
        left.elapsed()
    });
    table.alone(
        "the same with an ask waiting",
        Figure::median(&ended.collect::<Vec<_>>()),
        "≤ 100 ms",
    );
}

fn memory(_: &Plan, table: &mut Table) {
    let eight = |side: Side| -> (u64, u64, u64) {
        // A floor server has its surface to itself; ask-user's share one hub.
        let rigs: Vec<Rig> = (0..if side == Side::Floor { 8 } else { 1 })
            .map(|_| Rig::new(side))
            .collect();
        let mut surfaces: Vec<_> = rigs.iter().map(Rig::surface).collect();
        let hub = if side == Side::Ours { rigs[0].hub() } else { 0 };
        let idle = if hub > 0 { proc::pss_kb(hub) } else { 0 };
        let listed = rigs[0].agent();
        let one = proc::pss_kb(listed.pid());
        drop(listed);
        let mut agents: Vec<_> = (0..8).map(|at| rigs[at % rigs.len()].agent()).collect();
        for (at, agent) in agents.iter_mut().enumerate() {
            agent.ask(100 + at as u64);
            let surface = at % surfaces.len();
            surfaces[surface].shown();
        }
        let shares = agents
            .iter()
            .map(|agent| proc::pss_kb(agent.pid()))
            .sum::<u64>();
        (
            one,
            shares + if hub > 0 { proc::pss_kb(hub) } else { 0 },
            idle,
        )
    };
    let (floor, ours) = (eight(Side::Floor), eight(Side::Ours));
    table.pair(
        "PSS of one stdio process",
        Figure::mb(floor.0),
        Figure::mb(ours.0),
        "≤ 3 MB",
    );
    table.pair(
        "PSS of eight with an ask each, and the hub",
        Figure::mb(floor.1),
        Figure::mb(ours.1),
        "≤ 20 MB",
    );
    table.alone("PSS of the hub, idle", Figure::mb(ours.2), "");
}

fn path(plan: &Plan, table: &mut Table) {
    for waiting in [1, 10, 100, 1_000] {
        let mut paths = [Side::Floor, Side::Ours].map(Path::new);
        paths.iter_mut().for_each(|path| path.wait(waiting - 1));
        let [floor, ours] = measure::steps(&mut paths, plan.rounds);
        let metric = |what: &str| format!("{what}, {waiting} waiting");
        let (shown, told) = (metric("ask → event"), metric("answer → result"));
        table.pair(
            &shown,
            Figure::median(&floor.shown),
            Figure::median(&ours.shown),
            "≤ 2 × floor",
        );
        table.pair(
            &told,
            Figure::median(&floor.told),
            Figure::median(&ours.told),
            "≤ 2 × floor",
        );
    }
    let shell = Path::new(Side::Ours).shell_answers(plan.rounds);
    table.alone(
        "answer → result, from a shell with its start",
        Figure::median(&shell),
        "≤ 5 ms",
    );
}

fn burst(plan: &Plan, table: &mut Table) {
    let mut paths = [Side::Floor, Side::Ours].map(Path::new);
    let [floor, ours] = measure::bursts(&mut paths, 1_000, plan.bursts);
    table.pair(
        "1,000 at once: all shown",
        Figure::median(&floor.shown),
        Figure::median(&ours.shown),
        "≤ 1.5 × floor",
    );
    table.pair(
        "1,000 at once: all answered",
        Figure::median(&floor.told),
        Figure::median(&ours.told),
        "≤ 1.5 × floor",
    );
    drop(paths);
    let mut path = Path::new(Side::Ours);
    let hub = path.rig.hub();
    path.burst(100);
    let kb = |path: &Path| (proc::pss_kb(path.agent.pid()), proc::pss_kb(hub));
    let before = kb(&path);
    path.wait(1_000);
    let after = kb(&path);
    table.alone("PSS of the hub, 1,000 waiting", Figure::mb(after.1), "");
    let each =
        |before: u64, after: u64| Figure::of(after.saturating_sub(before) as f64 / 1_000.0, "KB");
    table.alone(
        "memory per waiting ask, stdio process",
        each(before.0, after.0),
        "≤ 2 KB",
    );
    table.alone("memory per waiting ask, hub", each(before.1, after.1), "");
}

fn rest(plan: &Plan, table: &mut Table) {
    for waiting in [1, 1_000] {
        let mut path = Path::new(Side::Ours);
        path.wait_with_progress(waiting);
        let pids = [path.agent.pid(), path.rig.hub()];
        for (who, pids) in [("stdio process", &pids[..1]), ("hub", &pids[1..])] {
            let rest = measure::rest(&mut path, pids, plan.listen);
            table.alone(
                &format!("wake-ups of the {who}, {waiting} waiting with progress"),
                Figure::of(rest.wakeups, "/s"),
                "≤ 0.2 /s",
            );
            table.alone(
                &format!("CPU of the {who}, {waiting} waiting with progress"),
                Figure::of(rest.cpu, "%"),
                "0.0 %",
            );
        }
    }
}

fn terminal(plan: &Plan, table: &mut Table) {
    for waiting in [1, 1_000, 10_000] {
        let mut path = Path::new(Side::Ours);
        path.wait(waiting);
        let metric = |what: &str| format!("{what}, {waiting} waiting");
        let rounds = if waiting > 1_000 {
            5
        } else {
            plan.rounds.min(20)
        };
        let opened: Vec<Duration> = (0..rounds).map(|_| Inbox::open(&path.rig).1).collect();
        let target = if waiting > 1_000 {
            "≤ 50 ms"
        } else {
            "≤ 15 ms"
        };
        let metric_of = metric("inbox: spawn → first picture");
        table.alone(&metric_of, Figure::median(&opened), target);
        let mut inbox = Inbox::open(&path.rig).0;
        let keys: Vec<Duration> = (0..plan.rounds)
            .map(|at| inbox.press(if at % 2 == 0 { b"j" } else { b"k" }))
            .collect();
        let metric_of = metric("inbox: key → picture");
        table.alone(&metric_of, Figure::high(&keys), "p99 ≤ 16 ms");
        let shown: Vec<Duration> = (0..plan.rounds.min(30))
            .map(|at| {
                let asked = std::time::Instant::now();
                path.agent.ask(2_000_000 + at as u64);
                let painted = inbox.painted_since(asked);
                path.surface.shown();
                painted
            })
            .collect();
        let metric_of = metric("ask → painted");
        table.alone(&metric_of, Figure::median(&shown), "≤ 10 ms, p95 ≤ 25 ms");
        table.alone(
            &metric("PSS of the inbox"),
            Figure::mb(proc::pss_kb(inbox.pid())),
            "≤ 8 MB",
        );
        let rest = measure::rest(&mut path, &[inbox.pid()], plan.listen);
        let (wakeups, cpu) = (metric("wake-ups of the inbox"), metric("CPU of the inbox"));
        table.alone(&wakeups, Figure::of(rest.wakeups, "/s"), "");
        table.alone(&cpu, Figure::of(rest.cpu, "%"), "0.0 %");
    }
}

fn disk(_: &Plan, table: &mut Table) {
    let mut path = Path::new(Side::Ours);
    let log = path.rig.home().join("strace.log");
    let mut strace = match Strace::attach(path.rig.hub(), log) {
        Ok(strace) => strace,
        Err(why) => return table.missing("syncs", &why),
    };
    let numbers = path.asks_one_by_one(20);
    strace.mark();
    path.answers_one_by_one(&numbers);
    strace.mark();
    path.wait(1_000);
    strace.mark();
    let counts = strace.counts();
    table.alone("syncs an ask", Figure::of(counts[0] as f64 / 20.0, ""), "1");
    table.alone(
        "syncs an answer, its delivery included",
        Figure::of(counts[1] as f64 / 20.0, ""),
        "1",
    );
    table.alone(
        "syncs an ask, 1,000 at once",
        Figure::of(counts[2] as f64 / 1_000.0, ""),
        "≤ 0.1",
    );
}

fn history(plan: &Plan, table: &mut Table) {
    let mut paths = [0, plan.old].map(|old| {
        let rig = Rig::new(Side::Ours);
        file_away(&rig, old);
        Path::on(rig)
    });
    let steps = measure::steps(&mut paths, plan.rounds);
    let spent = paths.map(|mut path| {
        let hub = path.rig.hub();
        let before = proc::cpu(hub);
        path.burst(1_000);
        (proc::cpu(hub) - before) / 1_000
    });
    let metric = |what: &str| format!("{what}: none → {} old asks", plan.old);
    let pairs = |time: fn(&measure::Steps) -> &[Duration]| {
        [
            Figure::median(time(&steps[0])),
            Figure::median(time(&steps[1])),
        ]
    };
    let ([fresh_shown, old_shown], [fresh_told, old_told]) =
        (pairs(|steps| &steps.shown), pairs(|steps| &steps.told));
    table.pair(
        &metric("ask → event"),
        fresh_shown,
        old_shown,
        "≤ 1.2 × none",
    );
    table.pair(
        &metric("answer → result"),
        fresh_told,
        old_told,
        "≤ 1.2 × none",
    );
    let cpu = |time: Duration| Figure::of(time.as_secs_f64() * 1e3, "ms");
    table.pair(
        &metric("CPU of the hub an ask"),
        cpu(spent[0]),
        cpu(spent[1]),
        "≤ 1.2 × none",
    );
}

fn searches(plan: &Plan, table: &mut Table) {
    search::measure(plan.old, plan.rounds, table);
}

/// Fills a store with asks that are over.
fn file_away(rig: &Rig, asks: usize) {
    drop(rig.hub_surface());
    let mut hub = HubSurface::connect(rig.home());
    let numbers: Vec<u64> = (0..asks as u64).map(|at| 10_000_000 + at).collect();
    for some in numbers.chunks(500) {
        let records: Vec<_> = some.iter().map(|&number| old_ask(number)).collect();
        hub.file_away(&records);
    }
}

fn old_ask(number: u64) -> ask_core::Record {
    let mut random = [0; 16];
    random[..8].copy_from_slice(&number.to_be_bytes());
    random[8..].copy_from_slice(&number.wrapping_mul(0x9E37_79B9_7F4A_7C15).to_be_bytes());
    let question = Question {
        id: "q".to_owned(),
        text: format!("Question {number}: which database?"),
        label: None,
        input: Input::One(rig::CHOICES.map(Choice::new).to_vec()),
        required: true,
        placeholder: None,
        default: None,
    };
    let ask = Ask {
        title: None,
        context: None,
        questions: vec![question],
        limit_ms: None,
        metadata: None,
    };
    let asked_at = Time(1_700_000_000_000 + number as i64);
    lifecycle::open(
        AskId::native(random),
        "native",
        ask,
        Asker::default(),
        asked_at,
    )
}

fn size(_: &Plan, table: &mut Table) {
    let bytes = |path: &std::path::Path| std::fs::metadata(path).map_or(0, |meta| meta.len());
    let (floor, ours) = (bytes(&rig::floor()), bytes(std::path::Path::new(rig::OURS)));
    table.pair(
        "the binary",
        Figure::mb(floor / 1024),
        Figure::mb(ours / 1024),
        "≤ 6 MB",
    );
}
