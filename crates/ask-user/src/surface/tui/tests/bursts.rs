//! A paste that arrives as keys, because the terminal doesn't bracket it.

use ask_core::Answer;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use tokio::sync::mpsc;

use super::Person;
use crate::surface::canned::{database, record, service};
use crate::surface::tui::event::{Effect, Event};
use crate::surface::tui::input::Input;

fn key(code: KeyCode) -> Event {
    Event::Key(KeyEvent::new(code, KeyModifiers::NONE))
}

fn typed(text: &str) -> impl Iterator<Item = Event> {
    text.chars().map(|letter| match letter {
        '\n' => key(KeyCode::Enter),
        letter => key(KeyCode::Char(letter)),
    })
}

/// Hands everything on that is there, as the runner does.
async fn hand_on(person: &mut Person, input: &mut Input) {
    while let Some(event) = input.ready() {
        let event = input.meant(event, &mut person.model).await;
        person.happen(event);
    }
}

#[tokio::test]
async fn line_breaks_within_a_burst_are_typed_and_send_nothing() {
    let mut person = Person::one(record("ask-text", vec![service()]));
    let (sender, receiver) = mpsc::unbounded_channel();
    let mut input = Input::new(receiver);
    for event in typed("one\n\ntwo\nthree") {
        sender.send(event).unwrap();
    }
    hand_on(&mut person, &mut input).await;
    assert_eq!(person.taken(), []);
    let said = Answer::saying("one\n\ntwo\nthree");
    assert_eq!(person.card().form.draft().answers, [said]);

    sender.send(key(KeyCode::Enter)).unwrap();
    hand_on(&mut person, &mut input).await;
    assert!(matches!(person.taken().as_slice(), [Effect::Settle { .. }]));
}

#[tokio::test]
async fn outside_a_field_and_before_what_is_no_key_an_enter_is_an_enter() {
    let mut person = Person::one(record("ask-one", vec![database()]));
    let (sender, receiver) = mpsc::unbounded_channel();
    let mut input = Input::new(receiver);
    sender.send(key(KeyCode::Char('a'))).unwrap();
    let event = input.meant(key(KeyCode::Enter), &mut person.model).await;
    assert!(matches!(event, Event::Key(_)));

    let mut person = Person::one(record("ask-text", vec![service()]));
    let (sender, receiver) = mpsc::unbounded_channel();
    let mut input = Input::new(receiver);
    sender.send(Event::Resize(80, 24)).unwrap();
    let event = input.meant(key(KeyCode::Enter), &mut person.model).await;
    assert!(matches!(event, Event::Key(_)));
    assert!(matches!(input.ready(), Some(Event::Resize(80, 24))));
}
