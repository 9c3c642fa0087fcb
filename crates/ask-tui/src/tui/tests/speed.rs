//! From a key press to its picture, with many asks and many choices. Optimised
//! builds hold the limit itself; others are slower by a known factor at most.

use std::time::Duration;

use ask_core::Input;
use crossterm::event::KeyCode;
use rustix::time::{ClockId, clock_gettime};

use super::{Person, painted};
use crate::fixtures::{choice, database, question, record};

/// A picture a frame of a usual screen.
const FRAME: Duration = Duration::from_millis(16);
/// How much slower than a release everything may be here, on a machine that does other things, too.
const SLOWER: u32 = if cfg!(debug_assertions) { 40 } else { 1 };
const KEYS: usize = 300;

/// How long this thread has had a processor so far: who else has it meanwhile counts for nothing.
fn worked() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(time).expect("time goes forward")
}

/// Of many key presses with their pictures, the time that 99 of 100 stay below.
fn ninety_ninth(person: &mut Person, keys: &[KeyCode]) -> Duration {
    person.at(100, 30);
    let mut times = Vec::with_capacity(KEYS);
    for at in 0..KEYS {
        let start = worked();
        person.key(keys[at % keys.len()]);
        painted(&person.model, 100, 30);
        times.push(worked().saturating_sub(start));
    }
    times.sort();
    times[KEYS * 99 / 100 - 1]
}

#[test]
fn a_key_press_is_on_the_screen_within_a_frame() {
    let text =
        "A **long** context with `code` and [a link](https://example.org/a).\n\n- one\n- two\n\n";
    let asks = (0..1_000).map(|at| {
        let mut record = record(&format!("ask-{at:05}"), vec![database()]);
        record.ask.title = Some(format!("Ask number {at}"));
        record.ask.context = Some(text.repeat(20));
        record
    });
    let mut inbox = Person::inbox(asks.collect());
    inbox.settle_in();
    let moving = [KeyCode::Down, KeyCode::Down, KeyCode::Down, KeyCode::Up];
    let listed = ninety_ninth(&mut inbox, &moving);

    inbox.key(KeyCode::Enter);
    inbox.settle_in();
    let opened = ninety_ninth(&mut inbox, &moving);

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
    let mut person = Person::carded(many);
    let scrolling = [
        KeyCode::Down,
        KeyCode::Char(' '),
        KeyCode::PageDown,
        KeyCode::Down,
    ];
    let chosen = ninety_ninth(&mut person, &scrolling);
    person.keys("0");
    let typed = ninety_ninth(&mut person, &[KeyCode::Char('a'), KeyCode::Char('b')]);

    for (name, time) in [
        ("list", listed),
        ("card", opened),
        ("choices", chosen),
        ("typing", typed),
    ] {
        assert!(time < FRAME * SLOWER, "{name}: {time:?}");
    }
    // What is measured is worth a look now and then: `--nocapture` shows it.
    let mut out = std::io::stderr().lock();
    let line = format!("list {listed:?}, card {opened:?}, choices {chosen:?}, typing {typed:?}\n");
    std::io::Write::write_all(&mut out, line.as_bytes()).ok();
}
