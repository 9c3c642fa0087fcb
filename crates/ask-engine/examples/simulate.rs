//! Runs simulations of the engine:
//! `cargo run --release -p ask-engine --example simulate -- --seeds 10000`.
//!
//! `--seed N` is the first seed, and `--seeds N` the number of seeds. `--large N` makes each
//! simulation a large one, with 40 to 100 agents and N asks. `--trace 1` prints all events and
//! effects of the engine. `--agents N` and the other numbers of a plan override those that follow
//! from the seed. Unless there is a `--seed`, the simulations that failed in the past run first.
//!
//! Prints counts of what happened in the runs. The first failure ends the program with exit code 1.
//! It is printed with the command that repeats it, and then the smallest similar failure is
//! searched for. `--shrink 0`, `--trace 1` and `--large N` leave out that search.
#![expect(clippy::print_stdout, reason = "the results are the program's output")]
#![expect(
    clippy::disallowed_methods,
    reason = "the example is not part of the pure crate"
)]

use std::process::ExitCode;

use ask_engine::simulator::{self, Counts, Plan};

/// The parsed arguments.
#[derive(Default)]
struct Options {
    seed: Option<u64>,
    seeds: Option<u64>,
    /// How many asks a large simulation has.
    large: Option<u64>,
    trace: bool,
    /// Whether a failure is not shrunk.
    skip_shrink: bool,
    /// The numbers of the plan that are overridden, by name.
    plan: Vec<(String, u64)>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(options) = parse(arguments.iter().map(String::as_str)) else {
        println!("usage: simulate [--seed N] [--seeds N] [--large ASKS] [--trace 1] [--shrink 0]");
        println!("                {}", Plan::small(1));
        return ExitCode::FAILURE;
    };
    let mut total = Counts::default();
    let first = options.seed.unwrap_or(1);
    let seeds = options.seeds.unwrap_or(1_000);
    if options.seed.is_none() {
        let lines = simulator::CASES.lines();
        for line in lines.filter(|line| line.starts_with("--")) {
            let case = parse(line.split(' '));
            if !case.is_some_and(|case| case.run_one(case.seed, &mut total)) {
                println!("this case of cases.txt fails again: {line}");
                return ExitCode::FAILURE;
            }
        }
    }
    for seed in first..first + seeds {
        if !options.run_one(Some(seed), &mut total) {
            return ExitCode::FAILURE;
        }
    }
    println!("{seeds} seeds: {total}");
    ExitCode::SUCCESS
}

/// Parses pairs of a name and a number. `None` if a name is unknown or a number is missing.
fn parse<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<Options> {
    let mut options = Options::default();
    let mut plan = Plan::small(1);
    while let Some(name) = words.next() {
        let value = words.next().and_then(|value| value.parse::<u64>().ok())?;
        match name.strip_prefix("--")? {
            "seed" => options.seed = Some(value),
            "seeds" => options.seeds = Some(value),
            "large" => options.large = Some(value),
            "trace" => options.trace = value > 0,
            "shrink" => options.skip_shrink = value == 0,
            name if plan.set(name, value) => options.plan.push((name.to_owned(), value)),
            _ => return None,
        }
    }
    Some(options)
}

impl Options {
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

    /// Runs one simulation. Prints a failure and returns false if it fails.
    fn run_one(&self, seed: Option<u64>, total: &mut Counts) -> bool {
        let seed = seed.unwrap_or(1);
        let plan = self.plan(seed);
        let result = match self.trace {
            true => simulator::run_traced(seed, plan, &mut |line| println!("{line}")),
            false => simulator::run(seed, plan),
        };
        let failure = match result {
            Ok(counts) => {
                total.add(counts);
                return true;
            }
            Err(failure) => failure,
        };
        println!("seed {seed}: {failure}");
        println!("    {}", command(seed, plan));
        if self.skip_shrink || self.trace || self.large.is_some() {
            return false;
        }
        if let Some(smallest) = simulator::shrink(seed, plan) {
            println!("the smallest similar failure: {}", smallest.failure);
            println!("    {}", command(smallest.seed, smallest.plan));
        }
        false
    }
}

/// The command that repeats a simulation.
fn command(seed: u64, plan: Plan) -> String {
    let simulate = "cargo run --release -p ask-engine --example simulate --";
    format!("{simulate} --seed {seed} --seeds 1 {plan}")
}
