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
use crate::dirs::Dirs;
use crate::model::Campaign;
use crate::process::Processes;
use crate::rng::Rng;
use crate::state::Tasks;
use crate::twins::{Connection, FAMILIES, Family};

/// Agents without twins. Two of them share a client, like two sessions of one client in one
/// directory.
const AGENTS: [(&str, Connection); 6] = [
    ("agent-0", Connection::SubAgent),
    ("agent-0", Connection::SubAgent),
    ("agent-1", Connection::SubAgent),
    ("agent-1", Connection::SubAgent),
    ("agent-2", Connection::Http),
    ("agent-3", Connection::HttpProcess),
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
    disk::ignore_file_limit_signal();
    let result = options().and_then(|options| {
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
    match result {
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
    let dirs = Dirs::make(options.keep)?;
    let campaign = Rc::new(Campaign {
        dirs,
        log: RefCell::default(),
        processes: Processes::default(),
        tasks: Tasks::default(),
        until: Instant::now() + Duration::from_secs(options.seconds),
        closed: Cell::new(false),
        hub_killed: Cell::new(None),
        hub: Cell::new(None),
    });
    let rng = |actor| Rng::new(options.seed, actor);
    let mut people = JoinSet::new();
    people.spawn_local(probe::ask(Rc::clone(&campaign)));
    people.spawn_local(actors::observe(Rc::clone(&campaign), rng(1)));
    people.spawn_local(actors::watch(Rc::clone(&campaign), rng(2)));
    for number in 0..PEOPLE {
        people.spawn_local(actors::answer(Rc::clone(&campaign), rng(100 + number)));
    }
    let mut actors = JoinSet::new();
    for ((client, connection), actor) in AGENTS.iter().zip(200..) {
        let agent = Agent {
            client: (*client).to_owned(),
            connection: *connection,
            family: None,
        };
        actors.spawn_local(agent::ask(Rc::clone(&campaign), agent, rng(actor)));
    }
    let mut twins = 400..;
    for (number, connections) in FAMILIES.iter().enumerate() {
        let family = Rc::new(Family::new(number));
        for (connection, actor) in connections.iter().zip(&mut twins) {
            let agent = Agent {
                client: family.client.clone(),
                connection: *connection,
                family: Some(Rc::clone(&family)),
            };
            actors.spawn_local(agent::ask(Rc::clone(&campaign), agent, rng(actor)));
        }
    }
    for number in 0..SHELLS {
        actors.spawn_local(shell::ask(Rc::clone(&campaign), rng(300 + number)));
    }
    actors.spawn_local(schedule::hubs(Rc::clone(&campaign), rng(3)));
    actors.spawn_local(schedule::processes(Rc::clone(&campaign), rng(4)));
    let progress = spawn_local(print_progress(Rc::clone(&campaign)));
    actors.join_all().await;
    progress.abort();
    campaign.processes.resume_all();
    end::rest(&campaign).await;
    campaign.closed.set(true);
    people.join_all().await;
    let fetched = end::fetch(&campaign).await;
    conclude(&campaign, options, fetched).await
}

async fn conclude(campaign: &Campaign, options: &Options, fetched: u64) -> Result<bool, String> {
    let records = end::records(campaign).await;
    let records = records.ok_or("the hub could not be asked at the end")?;
    let mut log = campaign.log.borrow_mut();
    *log.counts
        .entry("answers fetched by a last agent")
        .or_default() = fetched;
    let report = report::judge(&log, &records);
    let title = format!("{} s, seed {}", options.seconds, options.seed);
    let mut out = std::io::stdout().lock();
    let disk = campaign.dirs.disk.name();
    let shown = table::print(&mut out, &title, disk, &log, &report)
        .and_then(|()| table::wrong(&mut out, &log, &report, &records));
    shown.map_err(|error| error.to_string())?;
    Ok(report.is_clean() && log.stuck.is_empty())
}

/// Prints the progress every ten seconds.
async fn print_progress(campaign: Rc<Campaign>) {
    let mut ticks = tokio::time::interval(Duration::from_secs(10));
    loop {
        ticks.tick().await;
        let log = campaign.log.borrow();
        let left = campaign.until.saturating_duration_since(Instant::now());
        // A closed standard error doesn't stop the campaign.
        let _ = writeln!(
            std::io::stderr(),
            "{:>5} s left, {} asks, {} answers, {} kills",
            left.as_secs(),
            log.asks(),
            log.attempts.len(),
            table::kills(&log),
        );
    }
}
