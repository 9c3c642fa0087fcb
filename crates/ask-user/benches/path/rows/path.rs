//! One ask after another: the time until it is stored and shown, and until its answer is stored and
//! delivered.

use std::process::Command;
use std::time::{Duration, Instant};

use crate::Plan;
use crate::harness::within;
use crate::setup::{Setup, Steps, steps};
use crate::surface::Interface;
use crate::table::{Figure, Row};

pub(crate) fn rows(plan: &Plan) -> Vec<Row> {
    [0, 1_000]
        .into_iter()
        .flat_map(|waiting| rows_with_waiting(plan, waiting))
        .collect()
}

/// The same measurement while this many other asks wait.
fn rows_with_waiting(plan: &Plan, waiting: usize) -> Vec<Row> {
    let beside = match waiting {
        0 => String::new(),
        _ => format!(", {waiting} waiting"),
    };
    let mut setups = vec![Setup::new(Interface::Floor)];
    let mut places = Vec::new();
    let mut missing = Vec::new();
    for (interface, place) in Interface::OURS {
        match within(plan.limit, || Setup::new(interface)) {
            Ok(setup) => {
                setups.push(setup);
                places.push((interface, place));
            }
            Err(why) => {
                let metric = format!("ask → shown at {place}{beside}");
                missing.push(Row::missing("ask", metric, why));
            }
        }
    }
    for setup in &mut setups {
        setup.ask_all(waiting);
    }
    let all = steps(&mut setups, plan.rounds);
    let row = |name, metric, times: fn(&Steps) -> &[Duration], ours| {
        Row::new(name, metric, Figure::median(times(ours)))
            .with_floor(Figure::median(times(&all[0])))
    };
    let measured = || places.iter().zip(&all[1..]);
    let asked = measured().map(|((interface, place), steps)| {
        let metric = format!("ask → shown at {place}{beside}");
        row("ask", metric, |steps| &steps.shown, steps).goal(match interface {
            Interface::Rpc => "≤ 2.5 × floor",
            Interface::Floor | Interface::Socket | Interface::Page => "≤ 2 × floor",
        })
    });
    let answered = measured().map(|((interface, place), steps)| {
        let metric = format!("answer at {place} → result{beside}");
        row("answer", metric, |steps| &steps.delivered, steps).goal(match interface {
            Interface::Rpc | Interface::Socket => "≤ 2.5 × floor",
            Interface::Floor | Interface::Page => "≤ 2 × floor",
        })
    });
    asked.chain(answered).chain(missing).collect()
}

/// An answer by a command, including the start of the command.
pub(crate) fn shell(plan: &Plan) -> Vec<Row> {
    let mut setup = Setup::new(Interface::Rpc);
    let times: Vec<Duration> = (0..plan.rounds).map(|_| from_shell(&mut setup)).collect();
    let metric = "answer → result, from a shell with its start";
    vec![Row::new("shell", metric, Figure::median(&times)).goal("≤ 5 ms")]
}

fn from_shell(setup: &mut Setup) -> Duration {
    let (ask, _) = setup.ask();
    let begun = Instant::now();
    let mut command: Command = setup.home.ours(&["answer", "latest", "--set", "1=1"]);
    let shell = command.spawn();
    let (delivered, _) = setup.agent.reply();
    let time = begun.elapsed();
    let ended = shell.and_then(|mut shell| shell.wait());
    let ended = ended.expect("ask-user answer runs");
    assert!(
        delivered == ask && ended.success(),
        "ask-user answer answers"
    );
    time
}
