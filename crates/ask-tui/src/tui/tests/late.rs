//! Answers given after the agent has stopped waiting: they are stored, and the texts say so.

use ask_core::{Outcome, Record};
use ask_protocol::ipc::Verdict;
use crossterm::event::KeyCode;

use super::{Person, id};
use crate::fixtures::{database, record, settle, three};
use crate::tui::event::{Effect, Event};
use crate::tui::model::Screen;
use crate::{SettleResult, SurfaceEnd};

fn changed(record: Record) -> Event {
    Event::Changed {
        records: vec![record],
        gone: Vec::new(),
    }
}

fn expired(mut record: Record) -> Record {
    record.waiters = 0;
    settle(&mut record, Outcome::Expired, "clock");
    record
}

#[test]
fn after_the_agent_left_every_text_for_sending_says_keep() {
    let mut left = record("ask-one", vec![database()]);
    left.waiters = 0;
    let mut person = Person::one(left);
    let seen = person.at(100, 30);
    assert!(
        seen.contains("Enter confirm and keep as late answer"),
        "{seen}"
    );
    assert!(seen.contains("The agent stopped waiting"), "{seen}");
    let mut left = three();
    left.waiters = 0;
    let mut person = Person::one(left);
    person.keys("1");
    person.key(KeyCode::BackTab);
    person.key(KeyCode::BackTab);
    let seen = person.at(100, 30);
    assert!(seen.contains("[ Keep the 1 answer as late ]"), "{seen}");
    let mut person = Person::one(expired(three()));
    person.keys("1");
    person.key(KeyCode::BackTab);
    person.key(KeyCode::BackTab);
    let seen = person.at(44, 14);
    assert!(seen.contains("[ Keep 1 as late ]"), "{seen}");
}

#[test]
fn a_card_that_expires_while_it_is_filled_in_can_be_sent() {
    let mut person = Person::at_card(record("ask-one", vec![database()]));
    person.key(KeyCode::Down);
    person.keys(" ");
    person.handle(changed(expired(record("ask-one", vec![database()]))));
    let seen = person.at(100, 30);
    assert!(seen.contains("The agent stopped waiting"), "{seen}");
    assert!(seen.contains("keep as late answer"), "{seen}");
    person.take_effects();
    person.key(KeyCode::Enter);
    let effects = person.take_effects();
    let [
        Effect::Settle {
            verdict: Verdict::Answer { draft, .. },
            ..
        },
    ] = effects.as_slice()
    else {
        panic!("{effects:?}");
    };
    assert_eq!(draft.answers[0].picks, [1]);
}

#[test]
fn a_card_that_expires_untouched_becomes_a_notice_and_can_be_reopened() {
    let mut person = Person::at_card(record("ask-one", vec![database()]));
    person.handle(changed(expired(record("ask-one", vec![database()]))));
    assert!(matches!(person.model.screen, Screen::Notice(_)));
    person.end_guard();
    person.key(KeyCode::Enter);
    person.end_guard();
    person.key(KeyCode::Enter);
    person.end_guard();
    assert!(person.model.card().is_some(), "{}", person.at(100, 30));
    let again = person.card().record.clone();
    person.handle(changed(again));
    assert!(person.model.card().is_some(), "it stays although untouched");
}

#[test]
fn esc_on_an_expired_ask_cancels_nothing() {
    let mut person = Person::one(expired(record("ask-one", vec![database()])));
    person.key(KeyCode::Esc);
    assert_eq!(person.take_effects(), [Effect::Quit(SurfaceEnd::Left)]);
}

#[test]
fn an_answer_that_lost_to_the_deadline_can_be_sent_again() {
    let mut person = Person::one(record("ask-one", vec![database()]));
    person.keys("2");
    person.key(KeyCode::Enter);
    person.take_effects();
    let result = SettleResult::Lost(Box::new(expired(record("ask-one", vec![database()]))));
    person.handle(Event::Settled {
        id: id("ask-one"),
        result,
    });
    let seen = person.at(100, 30);
    assert!(seen.contains("send again to keep your answer"), "{seen}");
    person.key(KeyCode::Enter);
    assert!(matches!(
        person.take_effects().as_slice(),
        [Effect::Settle { .. }]
    ));
}
