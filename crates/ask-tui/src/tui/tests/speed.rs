//! The time from a key press to its picture, with many asks and many choices. Optimised builds must
//! keep the limit; others may be slower by a known factor.

use std::time::Duration;

use ask_core::Input;
use crossterm::event::KeyCode;
use rustix::time::{ClockId, clock_gettime};

use super::{Person, painted};
use crate::fixtures::{choice, database, question, record};

/// The time of one frame at 60 Hz.
const FRAME: Duration = Duration::from_millis(16);
/// How much slower than a release this build may be, on a machine that does other work as well.
const SLOWER: u32 = if cfg!(debug_assertions) { 40 } else { 1 };
const KEYS: usize = 300;

/// The processor time of this thread. Other load on the machine doesn't count.
fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(time).expect("processor time fits a duration")
}

/// The 99th percentile of the time from a key press to its picture.
fn percentile_99(person: &mut Person, keys: &[KeyCode]) -> Duration {
    person.at(100, 30);
    let mut times = Vec::with_capacity(KEYS);
    for at in 0..KEYS {
        let start = cpu_time();
        person.key(keys[at % keys.len()]);
        painted(&person.model, 100, 30);
        times.push(cpu_time().saturating_sub(start));
    }
    times.sort();
    times[KEYS * 99 / 100 - 1]
}

#[test]
fn a_key_press_is_painted_within_a_frame() {
    let text =
        "A **long** context with `code` and [a link](https://example.org/a).\n\n- one\n- two\n\n";
    let asks = (0..1_000).map(|at| {
        let mut record = record(&format!("ask-{at:05}"), vec![database()]);
        record.ask.title = Some(format!("Ask number {at}"));
        record.ask.context = Some(text.repeat(20));
        record
    });
    let mut inbox = Person::inbox(asks.collect());
    inbox.end_guard();
    let moving = [KeyCode::Down, KeyCode::Down, KeyCode::Down, KeyCode::Up];
    let listed = percentile_99(&mut inbox, &moving);

    inbox.key(KeyCode::Enter);
    inbox.end_guard();
    let opened = percentile_99(&mut inbox, &moving);

    let about = "What this means, in **two** lines that are long enough to be wrapped. ".repeat(4);
    let choices = (0..200).map(|at| {
        let mut choice = choice(&format!("Choice {at}"), &about);
        choice.preview = Some(format!(
            "```rust\nfn main() {{ {at} }}\n```\n{}",
            text.repeat(40)
        ));
        choice
    });
    let mut asked = question("Many", "Which of these?", Input::Many(choices.collect()));
    asked.text = text.repeat(8);
    let mut many = record("ask-many", vec![asked]);
    many.ask.context = Some(text.repeat(600));
    let mut person = Person::at_card(many);
    let scrolling = [
        KeyCode::Down,
        KeyCode::Char(' '),
        KeyCode::PageDown,
        KeyCode::Down,
    ];
    let chosen = percentile_99(&mut person, &scrolling);
    person.keys("0");
    let typed = percentile_99(&mut person, &[KeyCode::Char('a'), KeyCode::Char('b')]);

    for (name, time) in [
        ("list", listed),
        ("card", opened),
        ("choices", chosen),
        ("typing", typed),
    ] {
        assert!(time < FRAME * SLOWER, "{name}: {time:?}");
    }
    // `--nocapture` shows the measurements. They are only information, so an error is dropped.
    let mut out = std::io::stderr().lock();
    let line = format!("list {listed:?}, card {opened:?}, choices {chosen:?}, typing {typed:?}\n");
    std::io::Write::write_all(&mut out, line.as_bytes()).ok();
}
