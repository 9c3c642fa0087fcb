//! The fault campaign: agents, people and surfaces run as real processes (agents over HTTP partly
//! within this one) while a seeded schedule kills and freezes hubs, agents and surfaces, closes
//! streams and fills disks. At the end every ask is accounted for.
//!
//! `cargo run --example faults -- --seconds 60 --seed 1` prints one table and sets the exit code.
//! `ASK_USER_BIN` names another binary than the one it builds; `--keep` keeps the home for
//! inspection.

mod actors;
mod agent;
mod answers;
mod callers;
mod dirs;
mod disk;
mod end;
mod http;
mod hub;
mod log;
mod model;
mod piped;
mod probe;
mod process;
mod protocol;
mod relay;
mod replies;
mod report;
mod rng;
mod schedule;
mod session;
mod shell;
mod state;
mod table;
mod twins;
mod words;

use std::cell::{Cell, RefCell};
use std::io::Write;
use std::process::ExitCode;
use std::rc::Rc;
use std::time::Duration;

use tokio::task::{JoinSet, LocalSet, spawn_local};
use tokio::time::Instant;

use crate::agent::Agent;
use crate::dirs::Place;
use crate::model::World;
use crate::process::Processes;
use crate::rng::Chance;
use crate::state::Board;
use crate::twins::{FAMILIES, Family, Way};

/// Agents without twins. Two of them share a client, like two sessions of one client in one
/// directory.
const AGENTS: [(&str, Way); 6] = [
    ("agent-0", Way::SubAgent),
    ("agent-0", Way::SubAgent),
    ("agent-1", Way::SubAgent),
    ("agent-1", Way::SubAgent),
    ("agent-2", Way::Http),
    ("agent-3", Way::HttpProcess),
];
const SHELLS: u64 = 2;
const PEOPLE: u64 = 6;

struct Options {
    seconds: u64,
    seed: u64,
    keep: bool,
    /// Only forward requests to the hub at this port.
    relay: Option<u16>,
}

fn main() -> ExitCode {
    disk::mind_limits();
    let campaign = options().and_then(|options| {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| error.to_string())?;
        LocalSet::new().block_on(&runtime, async {
            if let Some(hub) = options.relay {
                let relayed = relay::run(hub).await;
                return relayed.map(|()| true).map_err(|error| error.to_string());
            }
            tokio::select! {
                done = run(&options) => done,
                _ = tokio::signal::ctrl_c() => Err("interrupted".to_owned()),
            }
        })
    });
    match campaign {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problem) => {
            // A closed standard error doesn't change the exit code.
            let _ = writeln!(std::io::stderr(), "faults: {problem}");
            ExitCode::from(2)
        }
    }
}

fn options() -> Result<Options, String> {
    let mut options = Options {
        seconds: 60,
        seed: 1,
        keep: false,
        relay: None,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || {
            let value = arguments.next().and_then(|value| value.parse().ok());
            value.ok_or_else(|| format!("{argument} takes a number"))
        };
        match argument.as_str() {
            "--seconds" => options.seconds = number()?,
            "--seed" => options.seed = number()?,
            "--keep" => options.keep = true,
            relay::RELAY => options.relay = u16::try_from(number()?).ok(),
            other => {
                let known = "--seconds N, --seed S, --keep";
                return Err(format!("{other}? {known}"));
            }
        }
    }
    Ok(options)
}

/// Runs a campaign and prints its table. True if no fault was found.
async fn run(options: &Options) -> Result<bool, String> {
    let place = Place::make(options.keep)?;
    let world = Rc::new(World {
        place,
        ledger: RefCell::default(),
        processes: Processes::default(),
        board: Board::default(),
        until: Instant::now() + Duration::from_secs(options.seconds),
        closed: Cell::new(false),
        hub_killed: Cell::new(None),
        hub: Cell::new(None),
    });
    let chance = |actor| Chance::of(options.seed, actor);
    let mut people = JoinSet::new();
    people.spawn_local(probe::ask(Rc::clone(&world)));
    people.spawn_local(actors::look_on(Rc::clone(&world), chance(1)));
    people.spawn_local(actors::watch(Rc::clone(&world), chance(2)));
    for number in 0..PEOPLE {
        people.spawn_local(actors::answer(Rc::clone(&world), chance(100 + number)));
    }
    let mut actors = JoinSet::new();
    for ((client, way), actor) in AGENTS.iter().zip(200..) {
        let agent = Agent {
            client: (*client).to_owned(),
            way: *way,
            family: None,
        };
        actors.spawn_local(agent::ask(Rc::clone(&world), agent, chance(actor)));
    }
    let mut twins = 400..;
    for (number, ways) in FAMILIES.iter().enumerate() {
        let family = Rc::new(Family::new(number));
        for (way, actor) in ways.iter().zip(&mut twins) {
            let agent = Agent {
                client: family.client.clone(),
                way: *way,
                family: Some(Rc::clone(&family)),
            };
            actors.spawn_local(agent::ask(Rc::clone(&world), agent, chance(actor)));
        }
    }
    for number in 0..SHELLS {
        actors.spawn_local(shell::ask(Rc::clone(&world), chance(300 + number)));
    }
    actors.spawn_local(schedule::hubs(Rc::clone(&world), chance(3)));
    actors.spawn_local(schedule::processes(Rc::clone(&world), chance(4)));
    let reporting = spawn_local(report(Rc::clone(&world)));
    actors.join_all().await;
    reporting.abort();
    world.processes.thaw();
    end::rest(&world).await;
    world.closed.set(true);
    people.join_all().await;
    let fetched = end::fetch(&world).await;
    conclude(&world, options, fetched).await
}

async fn conclude(world: &World, options: &Options, fetched: u64) -> Result<bool, String> {
    let records = end::records(world).await;
    let records = records.ok_or("the hub could not be asked at the end")?;
    let mut ledger = world.ledger.borrow_mut();
    *ledger
        .counts
        .entry("answers fetched by a last agent")
        .or_default() = fetched;
    let account = report::of(&ledger, &records);
    let title = format!("{} s, seed {}", options.seconds, options.seed);
    let mut out = std::io::stdout().lock();
    let disk = world.place.disk.name();
    let shown = table::print(&mut out, &title, disk, &ledger, &account)
        .and_then(|()| table::wrong(&mut out, &ledger, &account, &records));
    shown.map_err(|error| error.to_string())?;
    let slow = table::is_slow(&ledger);
    Ok(account.is_clean() && ledger.stuck.is_empty() && !slow)
}

/// Prints the progress every ten seconds.
async fn report(world: Rc<World>) {
    let mut ticks = tokio::time::interval(Duration::from_secs(10));
    loop {
        ticks.tick().await;
        let ledger = world.ledger.borrow();
        let left = world.until.saturating_duration_since(Instant::now());
        // A closed standard error doesn't stop the campaign.
        let _ = writeln!(
            std::io::stderr(),
            "{:>5} s left, {} asks, {} answers, {} kills",
            left.as_secs(),
            ledger.asks(),
            ledger.attempts.len(),
            table::kills(&ledger),
        );
    }
}
