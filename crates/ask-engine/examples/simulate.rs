//! Runs simulated worlds: `cargo run --release -p ask-engine --example simulate -- --seeds 10000`.
//!
//! `--seed N` begins with that seed, `--seeds N` runs so many. `--large N` makes each a large world, of
//! 40 to 100 agents and N asks, which is not shrunk where it fails. `--trace 1` prints everything that
//! goes in and out of the engine. `--agents N` and the other numbers of a plan take the place of what
//! the seed says. Worlds that once went wrong run first. Prints what the runs came to; a failure ends
//! with 1, made as small as can be, with the command that repeats it; `--shrink 0` leaves it as it is.
#![expect(clippy::print_stdout, reason = "this is what it is for")]
#![expect(
    clippy::disallowed_methods,
    reason = "an example is no part of the pure crate"
)]

use std::process::ExitCode;

use ask_engine::simulator::{self, Counts, Plan};

/// What is wanted.
#[derive(Default)]
struct Wanted {
    seed: Option<u64>,
    seeds: Option<u64>,
    large: Option<u64>,
    trace: bool,
    keep: bool,
    plan: Vec<(String, u64)>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(wanted) = read(arguments.iter().map(String::as_str)) else {
        println!("usage: simulate [--seed N] [--seeds N] [--large ASKS] [--trace 1] [--shrink 0]");
        println!("                {}", Plan::small(1));
        return ExitCode::FAILURE;
    };
    let mut total = Counts::default();
    let begin = wanted.seed.unwrap_or(1);
    let seeds = wanted.seeds.unwrap_or(1_000);
    if wanted.seed.is_none() {
        let lines = simulator::CASES.lines();
        for line in lines.filter(|line| line.starts_with("--")) {
            let case = read(line.split(' '));
            let Some(case) = case.filter(|case| case.run_one(case.seed, &mut total)) else {
                println!("that was a case that once went wrong: {line}");
                return ExitCode::FAILURE;
            };
            drop(case);
        }
    }
    for seed in begin..begin + seeds {
        if !wanted.run_one(Some(seed), &mut total) {
            return ExitCode::FAILURE;
        }
    }
    println!("{seeds} seeds: {total}");
    ExitCode::SUCCESS
}

fn read<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<Wanted> {
    let mut wanted = Wanted::default();
    let mut known = Plan::small(1);
    while let Some(name) = words.next() {
        let value = words.next().and_then(|value| value.parse::<u64>().ok())?;
        match name.strip_prefix("--")? {
            "seed" => wanted.seed = Some(value),
            "seeds" => wanted.seeds = Some(value),
            "large" => wanted.large = Some(value),
            "trace" => wanted.trace = value > 0,
            "shrink" => wanted.keep = value == 0,
            name if known.set(name, value) => wanted.plan.push((name.to_owned(), value)),
            _ => return None,
        }
    }
    Some(wanted)
}

impl Wanted {
    fn plan(&self, seed: u64) -> Plan {
        let mut plan = match self.large {
            Some(asks) => Plan::large(seed, asks),
            None => Plan::small(seed),
        };
        for (name, value) in &self.plan {
            plan.set(name, *value);
        }
        plan
    }

    /// Runs one world. False where it went wrong, which is printed.
    fn run_one(&self, seed: Option<u64>, total: &mut Counts) -> bool {
        let seed = seed.unwrap_or(1);
        let plan = self.plan(seed);
        let ended = match self.trace {
            true => simulator::run_traced(seed, plan, &mut |line| println!("{line}")),
            false => simulator::run(seed, plan),
        };
        let failure = match ended {
            Ok(counts) => {
                total.add(counts);
                return true;
            }
            Err(failure) => failure,
        };
        println!("seed {seed}: {failure}");
        println!("    {}", command(seed, plan));
        if self.keep || self.trace || self.large.is_some() {
            return false;
        }
        if let Some(least) = simulator::shrink(seed, plan) {
            println!("the least that goes wrong so: {}", least.failure);
            println!("    {}", command(least.seed, least.plan));
        }
        false
    }
}

fn command(seed: u64, plan: Plan) -> String {
    let simulate = "cargo run --release -p ask-engine --example simulate --";
    format!("{simulate} --seed {seed} --seeds 1 {plan}")
}
