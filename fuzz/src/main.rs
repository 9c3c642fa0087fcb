//! Runs one target, or `all`, on its corpus and on mutations of it: `cargo run --release -- TARGET --inputs N
//! --seed S`. The same seed makes the same inputs. With `--seconds N` in place of `--inputs` it runs that
//! long, divided equally among the targets. At a panic it prints the input and exits with status 1.
//! `TARGET FILE…` runs on those files alone; `time` prints how long the largest inputs take.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use ask_core::testing::calls;
use ask_core::{SafeText, json};
use ask_dialects::{DIALECTS, Setting};
use ask_fuzz::corpus;
use ask_fuzz::targets::{TARGETS, Target};

const USAGE: &str = "usage: ask-fuzz TARGET|all [--inputs N | --seconds N] [--seed S]
       ask-fuzz TARGET FILE...
       ask-fuzz time";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match parse_arguments(&arguments) {
        Some(Action::Time) => {
            print_times();
            ExitCode::SUCCESS
        }
        Some(Action::Files(target, files)) => exit_code(files.iter().try_for_each(|file| {
            let bytes = std::fs::read(file).map_err(|error| eprintln!("{file}: {error}"))?;
            run_on(target, &bytes).map_err(|()| eprintln!("{} failed: {file}", target.name))
        })),
        Some(Action::Mutations(targets, limit, seed)) => exit_code(
            targets
                .iter()
                .try_for_each(|target| fuzz_target(target, limit, seed)),
        ),
        None => {
            let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
            eprintln!("{USAGE}\ntargets: {}", names.join(" "));
            ExitCode::from(2)
        }
    }
}

fn exit_code(result: Result<(), ()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(()) => ExitCode::FAILURE,
    }
}

/// What the arguments request.
enum Action<'a> {
    Time,
    Files(&'static Target, &'a [String]),
    Mutations(&'static [Target], Limit, u64),
}

/// How long each target runs.
#[derive(Clone, Copy)]
enum Limit {
    Inputs(u64),
    Time(Duration),
}

fn parse_arguments(arguments: &[String]) -> Option<Action<'_>> {
    let (name, rest) = arguments.split_first()?;
    if name == "time" {
        return Some(Action::Time);
    }
    let index = TARGETS.iter().position(|target| target.name == name);
    if let (Some(at), Some(false)) = (index, rest.first().map(|first| first.starts_with("--"))) {
        return Some(Action::Files(&TARGETS[at], rest));
    }
    let targets = match index {
        Some(at) => &TARGETS[at..=at],
        None if name == "all" => TARGETS,
        None => return None,
    };
    let (mut limit, mut seed) = (Limit::Inputs(20_000), 1);
    for pair in rest.chunks(2) {
        let [flag, value] = pair else { return None };
        let value: u64 = value.parse().ok()?;
        match flag.as_str() {
            "--inputs" => limit = Limit::Inputs(value),
            "--seconds" => {
                limit = Limit::Time(Duration::from_secs(value) / targets.len() as u32);
            }
            "--seed" => seed = value,
            _ => return None,
        }
    }
    Some(Action::Mutations(targets, limit, seed))
}

/// Runs a target on its corpus and then on mutations of it. Each mutation has its own seed, so it can be
/// replayed alone.
fn fuzz_target(target: &Target, limit: Limit, first_seed: u64) -> Result<(), ()> {
    let name = target.name;
    let started = Instant::now();
    let inputs = corpus(target);
    for (path, bytes) in &inputs {
        run_on(target, bytes).map_err(|()| print_replay(name, path))?;
    }
    let mut corpus: Vec<Vec<u8>> = inputs.into_iter().map(|(_, bytes)| bytes).collect();
    corpus.push(b"[]".to_vec());
    let mut tried = 0;
    while match limit {
        Limit::Inputs(inputs) => tried < inputs,
        Limit::Time(duration) => started.elapsed() < duration,
    } {
        let seed = first_seed.wrapping_add(tried);
        let input = mutate(&corpus, target.pieces, &mut Random(seed));
        run_on(target, &input).map_err(|()| {
            eprintln!("{name} failed; replay: ask-fuzz {name} --inputs 1 --seed {seed}");
        })?;
        tried += 1;
    }
    let seconds = started.elapsed().as_secs_f32();
    println!(
        "{name}: {} corpus inputs and {tried} mutations from seed {first_seed}, no failure, in {seconds:.1} s",
        corpus.len() - 1
    );
    Ok(())
}

fn print_replay(name: &str, path: &Path) {
    // Of a dialect's case, only the call is the input: it is printed above.
    eprintln!("{name} failed; replay: ask-fuzz {name} {}", path.display());
}

fn run_on(target: &Target, input: &[u8]) -> Result<(), ()> {
    let outcome = catch_unwind(AssertUnwindSafe(|| (target.run)(input)));
    outcome.map_err(|_| eprintln!("input: {:?}", String::from_utf8_lossy(input)))
}

fn print_times() {
    for (shape, text) in calls::calls() {
        for dialect in DIALECTS {
            let started = Instant::now();
            if let Ok(call) = json::parse(&text) {
                // Only the time matters.
                let _ = dialect.read(dialect.tools()[0].name, &call, &Setting::default());
            }
            println!(
                "{:>8} µs  {:<10} {shape}",
                started.elapsed().as_micros(),
                dialect.name()
            );
        }
    }
    for (piece, text) in calls::texts() {
        let started = Instant::now();
        // Only the time matters.
        let _ = SafeText::block(&text);
        println!("{:>8} µs  plain {piece:?}", started.elapsed().as_micros());
    }
}

/// Texts that are special in the input of most targets.
const PIECES: [&str; 18] = [
    "\"",
    "\\",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\n",
    "\r\n",
    "null",
    "true",
    "1e999",
    "-1",
    "\\ud83d",
    "\u{1b}[31m",
    "\u{202e}",
    "é",
];

fn mutate(corpus: &[Vec<u8>], pieces: &[&str], random: &mut Random) -> Vec<u8> {
    let mut bytes = random.pick(corpus).clone();
    for _ in 0..random.below(6) {
        let at = random.below(bytes.len() + 1);
        let end = (at + random.below(30)).min(bytes.len());
        match random.below(6) {
            0 => bytes.splice(at..end, []).for_each(drop),
            1 => {
                let own = !pieces.is_empty() && random.below(2) == 0;
                let piece = random.pick(if own { pieces } else { &PIECES });
                bytes.splice(at..at, piece.bytes()).for_each(drop);
            }
            2 => {
                let piece = bytes[at..end].to_vec();
                let to = random.below(bytes.len() + 1);
                bytes.splice(to..to, piece);
            }
            3 => {
                let other = random.pick(corpus).clone();
                let from = random.below(other.len() + 1);
                bytes.splice(at..end, other[from..].iter().copied().take(200));
            }
            4 => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = random.next() as u8;
                }
            }
            _ => bytes.truncate(at.max(1)),
        }
    }
    bytes
}

/// A small generator (splitmix64): the same seed gives the same inputs on every system.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}
