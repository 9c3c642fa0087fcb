//! Runs one target, or `all`, over its corpus and mutations of it: `cargo run --release -- TARGET --inputs N
//! --seed S`. The same seed makes the same inputs. With `--seconds N` in place of `--inputs` it takes that
//! long, an equal part a target. A panic ends it with status 1 and says which input it was. `TARGET FILE…`
//! tries those files alone; `time` says how long the largest inputs take.

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
    match asked(&arguments) {
        Some(Asked::Time) => {
            time();
            ExitCode::SUCCESS
        }
        Some(Asked::Files(target, files)) => exit(files.iter().try_for_each(|file| {
            let bytes = std::fs::read(file).map_err(|error| eprintln!("{file}: {error}"))?;
            attempt(target, &bytes).map_err(|()| eprintln!("{} failed: {file}", target.name))
        })),
        Some(Asked::Mutations(targets, limit, seed)) => exit(
            targets
                .iter()
                .try_for_each(|target| try_out(target, limit, seed)),
        ),
        None => {
            let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
            eprintln!("{USAGE}\ntargets: {}", names.join(" "));
            ExitCode::from(2)
        }
    }
}

fn exit(came: Result<(), ()>) -> ExitCode {
    match came {
        Ok(()) => ExitCode::SUCCESS,
        Err(()) => ExitCode::FAILURE,
    }
}

/// What to do.
enum Asked<'a> {
    Time,
    Files(&'static Target, &'a [String]),
    Mutations(&'static [Target], Limit, u64),
}

/// When a target has been tried enough.
#[derive(Clone, Copy)]
enum Limit {
    Inputs(u64),
    Time(Duration),
}

fn asked(arguments: &[String]) -> Option<Asked<'_>> {
    let (wanted, rest) = arguments.split_first()?;
    if wanted == "time" {
        return Some(Asked::Time);
    }
    let named = TARGETS.iter().position(|target| target.name == wanted);
    if let (Some(at), Some(false)) = (named, rest.first().map(|first| first.starts_with("--"))) {
        return Some(Asked::Files(&TARGETS[at], rest));
    }
    let targets = match named {
        Some(at) => &TARGETS[at..=at],
        None if wanted == "all" => TARGETS,
        None => return None,
    };
    let (mut limit, mut seed) = (Limit::Inputs(20_000), 1);
    for pair in rest.chunks(2) {
        let [name, value] = pair else { return None };
        let value: u64 = value.parse().ok()?;
        match name.as_str() {
            "--inputs" => limit = Limit::Inputs(value),
            "--seconds" => {
                limit = Limit::Time(Duration::from_secs(value) / targets.len() as u32);
            }
            "--seed" => seed = value,
            _ => return None,
        }
    }
    Some(Asked::Mutations(targets, limit, seed))
}

/// Tries what is kept of a target as it is, and then mutations of it. Every one has a seed of its own, so that
/// it alone can be replayed.
fn try_out(target: &Target, limit: Limit, first: u64) -> Result<(), ()> {
    let name = target.name;
    let begun = Instant::now();
    let kept = corpus(target);
    for (path, bytes) in &kept {
        attempt(target, bytes).map_err(|()| replay(name, path))?;
    }
    let mut corpus: Vec<Vec<u8>> = kept.into_iter().map(|(_, bytes)| bytes).collect();
    corpus.push(b"[]".to_vec());
    let mut tried = 0;
    while match limit {
        Limit::Inputs(inputs) => tried < inputs,
        Limit::Time(long) => begun.elapsed() < long,
    } {
        let seed = first.wrapping_add(tried);
        let input = mutate(&corpus, target.pieces, &mut Random(seed));
        attempt(target, &input).map_err(|()| {
            eprintln!("{name} failed; replay: ask-fuzz {name} --inputs 1 --seed {seed}");
        })?;
        tried += 1;
    }
    let seconds = begun.elapsed().as_secs_f32();
    println!(
        "{name}: {} kept inputs and {tried} from seed {first}, none failed, in {seconds:.1} s",
        corpus.len() - 1
    );
    Ok(())
}

fn replay(name: &str, path: &Path) {
    // Of a dialect's case the call alone was tried: it is printed above.
    eprintln!("{name} failed; replay: ask-fuzz {name} {}", path.display());
}

fn attempt(target: &Target, input: &[u8]) -> Result<(), ()> {
    let outcome = catch_unwind(AssertUnwindSafe(|| (target.run)(input)));
    outcome.map_err(|_| eprintln!("input: {:?}", String::from_utf8_lossy(input)))
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

/// Pieces that mean something to most targets.
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
