//! The targets. Each takes any bytes, and panics only when a crate has a bug.

pub mod escape;
pub mod hook;
pub mod http;
pub mod ipc;
pub mod lifecycle;
pub mod lines;
pub mod markdown;
#[cfg(feature = "web")]
pub mod pairing;
pub mod pending;
pub mod plain;
pub mod read_call;
pub mod settings;
pub mod sse;

use ask_core::{
    Answer, Ask, Asker, Draft, Input, Json, Outcome, Record, Settlement, Time, lifecycle as life,
};
use ask_dialects::DIALECTS;

/// Something to fuzz.
pub struct Target {
    /// Its name, which is also its corpus folder's.
    pub name: &'static str,
    /// Runs it on an input.
    pub run: fn(&[u8]),
    /// Texts that are special in its input, which mutations insert.
    pub pieces: &'static [&'static str],
    /// Whether its corpus includes the calls of the dialects' cases.
    pub takes_calls: bool,
}

/// Every target.
pub const TARGETS: &[Target] = &[
    target("read_call", read_call::run, read_call::PIECES).with_calls(),
    target("lifecycle", lifecycle::run, &[]),
    target("plain", plain::run, plain::PIECES).with_calls(),
    target("lines", lines::run, lines::PIECES).with_calls(),
    target("ipc", ipc::run, ipc::PIECES),
    target("http", http::run, http::PIECES),
    target("sse", sse::run, sse::PIECES),
    target("pending", pending::run, pending::PIECES),
    target("hook", hook::run, hook::PIECES),
    target("settings", settings::run, settings::PIECES),
    target("markdown", markdown::run, markdown::PIECES),
    #[cfg(feature = "web")]
    target("pairing", pairing::run, pairing::PIECES),
    target("escape", escape::run, escape::PIECES).with_calls(),
];

const fn target(name: &'static str, run: fn(&[u8]), pieces: &'static [&'static str]) -> Target {
    Target {
        name,
        run,
        pieces,
        takes_calls: false,
    }
}

impl Target {
    const fn with_calls(mut self) -> Self {
        self.takes_calls = true;
        self
    }
}

fn assert_is_line(line: &str) {
    let text = line.strip_suffix('\n').expect("the line ends");
    assert!(!text.contains(|c: char| c < ' '), "{text:?}");
    assert!(text.parse::<Json>().is_ok(), "{text:?}");
}

/// A problem is one line of text that isn't empty.
fn assert_is_clear(problem: &str) {
    let is_clear = !problem.trim().is_empty() && !problem.contains(char::is_control);
    assert!(is_clear, "{problem:?}");
}

/// An ask with a required confirmation and an optional text question.
fn two_questions() -> Ask {
    Ask {
        questions: vec![question(Input::Confirm, 0), question(Input::Text, 1)],
        ..Ask::default()
    }
}

/// The record of an ask that was just opened in our own dialect.
fn open_record(ask: Ask) -> Record {
    let native = DIALECTS[0];
    life::open(
        native.id([0; 16]),
        native.name(),
        ask,
        Asker::default(),
        Time(0),
    )
}

fn by_person(outcome: Outcome, clock: i64, attempt: u64) -> Settlement {
    Settlement {
        outcome,
        surface: "fuzz".to_owned(),
        device: None,
        origin: None,
        at: Time(clock),
        attempt,
        awaited: false,
    }
}

fn draft(ask: &Ask, choice: [u8; 2]) -> Draft {
    let [pick, own] = choice.map(usize::from);
    let answers = ask.questions.iter().map(|question| Answer {
        picks: (pick % 3 > 0 && !question.input.is_empty())
            .then(|| pick % question.input.len())
            .into_iter()
            .collect(),
        own: (own % 3 > 0).then(|| "own 'words'\n→ x".to_owned()),
        note: (own % 5 == 0).then(|| "note".to_owned()),
        none: pick % 2 == 0,
        ..Answer::default()
    });
    Draft {
        answers: answers.collect(),
        note: None,
    }
}

fn question(input: Input, at: usize) -> ask_core::Question {
    ask_core::Question {
        id: format!("q{at}"),
        text: "Which?".to_owned(),
        label: None,
        input,
        required: at == 0,
        placeholder: None,
        default: None,
    }
}
