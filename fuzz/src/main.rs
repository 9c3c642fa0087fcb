//! Runs one target, or `all`, over mutated inputs: `cargo run --release --
//! TARGET --inputs N --seed S`; `time` says how long the largest inputs take. The same seed makes the same inputs. A panic ends
//! it with status 1 and says which input it was.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use ask_core::testing::calls;
use ask_core::{SafeText, json};
use ask_dialects::{DIALECTS, Setting};
use ask_fuzz::{TARGETS, Target};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (Some(wanted), Some(inputs), Some(seed)) = (
        arguments.first(),
        number(&arguments, "--inputs", 20_000),
        number(&arguments, "--seed", 1),
    ) else {
        eprintln!("usage: ask-fuzz TARGET|all|time [--inputs N] [--seed S]");
        return ExitCode::from(2);
    };
    if wanted == "time" {
        time();
        return ExitCode::SUCCESS;
    }
    let chosen: Vec<_> = TARGETS
        .iter()
        .filter(|(name, _)| wanted == name || wanted == "all")
        .collect();
    if chosen.is_empty() {
        eprintln!("no target {wanted}: there are read_call, lifecycle, plain and lines");
        return ExitCode::from(2);
    }
    let corpus = corpus();
    for (name, target) in chosen {
        if let Err(failing) = run(*target, &corpus, inputs, seed) {
            eprintln!("{name} failed; replay: ask-fuzz {name} --inputs 1 --seed {failing}");
            return ExitCode::FAILURE;
        }
        println!("{name}: {inputs} inputs from seed {seed}, none failed");
    }
    ExitCode::SUCCESS
}

fn time() {
    for (shape, text) in calls::calls() {
        for dialect in DIALECTS {
            let begun = Instant::now();
            if let Ok(call) = json::parse(&text) {
                let _ = dialect.read(dialect.tools()[0].name, &call, &Setting::default());
            }
            println!(
                "{:>8} µs  {:<10} {shape}",
                begun.elapsed().as_micros(),
                dialect.name()
            );
        }
    }
    for (piece, text) in calls::texts() {
        let begun = Instant::now();
        let _ = SafeText::block(&text);
        println!("{:>8} µs  plain {piece:?}", begun.elapsed().as_micros());
    }
}

/// Every input has a seed of its own, so that one alone can be replayed.
fn run(target: Target, corpus: &[Vec<u8>], inputs: u64, seed: u64) -> Result<(), u64> {
    for seed in seed..seed.saturating_add(inputs) {
        let input = mutate(corpus, &mut Random(seed));
        let outcome = catch_unwind(AssertUnwindSafe(|| target(&input)));
        if outcome.is_err() {
            eprintln!("input: {:?}", String::from_utf8_lossy(&input));
            return Err(seed);
        }
    }
    Ok(())
}

fn number(arguments: &[String], name: &str, default: u64) -> Option<u64> {
    match arguments.iter().position(|argument| argument == name) {
        None => Some(default),
        Some(at) => arguments.get(at + 1)?.parse().ok(),
    }
}

/// The calls of the case files.
fn corpus() -> Vec<Vec<u8>> {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/ask-dialects/tests/dialects");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|folder| std::fs::read_dir(folder.path()).ok())
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    paths.sort();
    let mut calls: Vec<Vec<u8>> = paths
        .iter()
        .filter_map(|path| std::fs::read_to_string(path).ok())
        .filter_map(|text| {
            text.split_once("\n---")
                .map(|(call, _)| call.as_bytes().to_vec())
        })
        .filter(|call| call.len() < 4_000)
        .collect();
    calls.push(b"[]".to_vec());
    calls
}

/// Pieces that mean something to one of the targets.
const PIECES: [&str; 27] = [
    "\"",
    "\\",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "null",
    "true",
    "1e999",
    "-1",
    "\\ud83d",
    "\u{1b}[31m",
    "\u{1b}]0;",
    "\u{202e}",
    "\u{200d}",
    "\u{301}",
    "\"options\":",
    "\"label\":",
    "\"type\":\"select\"",
    "Other",
    "\r\n",
    "\"questions\":\"[",
    "\"follow_up\":",
    "<suggest mode='",
    "</suggest>",
];

fn mutate(corpus: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut bytes = random.pick(corpus).clone();
    for _ in 0..random.below(6) {
        let at = random.below(bytes.len() + 1);
        let end = (at + random.below(30)).min(bytes.len());
        match random.below(6) {
            0 => bytes.splice(at..end, []).for_each(drop),
            1 => bytes
                .splice(at..at, random.pick(&PIECES).bytes())
                .for_each(drop),
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

/// A small generator (splitmix64): the same seed, the same inputs, everywhere.
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
