//! Runs simulated worlds: `cargo run --release -p ask-engine --example simulate -- --seeds 10000`.
//!
//! `--seed N` begins with that seed, `--seeds N` runs so many, `--asks N` makes each a large world
//! with so many asks, `--trace 1` prints everything that goes in and out of the engine. Prints what the runs came to; a failure names its seed and ends with 1.
#![expect(clippy::print_stdout, reason = "this is what it is for")]
#![expect(
    clippy::disallowed_methods,
    reason = "an example is no part of the pure crate"
)]

use std::process::ExitCode;

use ask_engine::simulator::{self, Counts, Plan};

fn main() -> ExitCode {
    let mut seed = 1;
    let mut seeds = 1_000;
    let mut asks = None;
    let mut trace = false;
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let value = arguments.next().and_then(|value| value.parse::<u64>().ok());
        match (name.as_str(), value) {
            ("--seed", Some(value)) => seed = value,
            ("--seeds", Some(value)) => seeds = value,
            ("--asks", Some(value)) => asks = Some(value),
            ("--trace", Some(value)) => trace = value > 0,
            _ => {
                println!("usage: simulate [--seed N] [--seeds N] [--asks N]");
                return ExitCode::FAILURE;
            }
        }
    }
    let mut total = Counts::default();
    for seed in seed..seed + seeds {
        let plan = asks.map_or_else(|| Plan::small(seed), |asks| Plan::large(seed, asks));
        let ended = match trace {
            true => simulator::run_traced(seed, plan, &mut |line| println!("{line}")),
            false => simulator::run(seed, plan),
        };
        match ended {
            Ok(counts) => total.add(counts),
            Err(problem) => {
                println!("seed {seed} ({plan:?}): {problem}");
                return ExitCode::FAILURE;
            }
        }
    }
    println!("{seeds} seeds: {total}");
    ExitCode::SUCCESS
}
