//! An answer that one key sends can be taken back while the hub holds it.

use ask_core::{Answer, Draft, Gaps, Outcome, Record};
use crossterm::event::KeyCode;

use super::{Person, id};
use crate::SettleResult;
use crate::fixtures::{database, record, settle, three, with_draft};
use crate::tui::event::{AskRequest, Effect, Event};
use crate::tui::model::Screen;

fn answer() -> Draft {
    Draft {
        answers: vec![Answer::picking([1])],
        note: None,
    }
}

/// The record after its answer was sent, held by the hub.
fn held(person: &Person, mut record: Record) -> Record {
    let answered = answer().finish(&record.ask, Gaps::Refuse);
    let answered = answered.expect("the answer fits");
    settle(&mut record, Outcome::Answered(answered), "terminal");
    record.held_until = Some(person.now.plus_ms(3_000));
    record
}

/// A person who has sent the answer of the first of two asks with one key.
fn sent() -> (Person, Record) {
    let asks = ["ask-one", "ask-two"].map(|name| record(name, vec![database()]));
    let asked = asks[0].clone();
    let mut person = Person::inbox(asks.to_vec());
    person.key(KeyCode::Enter);
    person.end_guard();
    person.keys("2");
    person.take_effects();
    person.key(KeyCode::Enter);
    let holds = |effect: &Effect| matches!(effect, Effect::Settle { hold: true, .. });
    assert!(person.take_effects().iter().any(holds));
    let record = held(&person, asked);
    person.handle(Event::Settled {
        id: id("ask-one"),
        result: SettleResult::Won(Box::new(record.clone())),
    });
    (person, record)
}

#[test]
fn the_answer_sent_last_is_taken_back_from_the_list_and_from_the_next_card() {
    for opens_next in [false, true] {
        let (mut person, sent) = sent();
        let screen = person.at(100, 30);
        assert!(screen.contains("u takes it back"), "{screen}");
        if opens_next {
            person.wait_ms(2_000);
            person.key(KeyCode::Enter);
            person.end_guard();
        }
        person.take_effects();
        person.keys(if opens_next { "z" } else { "u" });
        let attempt = sent.settlement().map_or(0, |settlement| settlement.attempt);
        let taken_back = Effect::TakeBack {
            id: id("ask-one"),
            attempt,
        };
        assert!(person.take_effects().contains(&taken_back), "{opens_next}");
        let mut open = with_draft(record("ask-one", vec![database()]), answer());
        open.waiters = 1;
        person.handle(Event::RequestDone {
            request: AskRequest::TakeBack,
            result: Ok(Box::new(open)),
        });
        assert!(
            matches!(&person.model.screen, Screen::Card(card) if card.record.id == id("ask-one"))
        );
        let screen = person.at(100, 30);
        assert!(screen.contains("Taken back: nothing was sent."), "{screen}");
    }
}

#[test]
fn enter_on_a_held_answer_sends_it_at_once() {
    let (mut person, _) = sent();
    person.model.screen = Screen::Inbox;
    person.wait_ms(2_000);
    let screen = person.at(100, 30);
    assert!(screen.contains("SENT"), "{screen}");
    person.key(KeyCode::End);
    person.take_effects();
    person.key(KeyCode::Enter);
    let is_end = |effect: &Effect| matches!(effect, Effect::EndHold { .. });
    assert!(person.take_effects().iter().any(is_end));
}

#[test]
fn what_went_through_the_review_is_sent_at_once() {
    let mut person = Person::at_card(three());
    for _ in 0..3 {
        person.keys("1");
        person.key(KeyCode::Tab);
    }
    person.take_effects();
    person.key(KeyCode::Enter);
    let holds = |effect: &Effect| matches!(effect, Effect::Settle { hold: true, .. });
    assert!(!person.take_effects().iter().any(holds));
}

#[test]
fn without_a_held_answer_the_key_says_so() {
    let mut person = Person::inbox(vec![record("ask-one", vec![database()])]);
    person.keys("u");
    let screen = person.at(100, 30);
    assert!(screen.contains("No answer can be taken back."), "{screen}");
}
