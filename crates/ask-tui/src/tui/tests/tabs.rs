//! Keys across the tabs of several questions, and the review.

use ask_core::{Answer, Gaps};
use ask_protocol::ipc::Verdict;
use crossterm::event::KeyCode;

use super::{Person, id};
use crate::fixtures::{database, features, record, service, three};
use crate::tui::event::Effect;

#[test]
fn tab_and_arrows_cycle_through_the_tabs() {
    let mut person = Person::one(record("ask-tabs", vec![database(), features()]));
    for (key, tab) in [
        (KeyCode::Tab, 1),
        (KeyCode::Tab, 2),
        (KeyCode::Tab, 0),
        (KeyCode::BackTab, 2),
        (KeyCode::Left, 1),
        (KeyCode::Right, 2),
    ] {
        person.key(key);
        assert_eq!(person.card().tab, tab, "{key:?}");
    }
}

#[test]
fn arrows_in_a_field_move_the_caret_and_never_the_tab() {
    let mut person = Person::one(record("ask-tabs", vec![service(), database()]));
    person.keys("ab");
    person.key(KeyCode::Left);
    person.keys("c");
    assert_eq!(person.card().tab, 0);
    assert_eq!(person.card().form.entries[0].field.text(), "acb");
    person.key(KeyCode::Tab);
    assert_eq!(person.card().tab, 1);
}

#[test]
fn a_digit_advances_to_the_next_unanswered_tab() {
    let mut person = Person::one(record("ask-tabs", vec![database(), features(), database()]));
    person.keys("2");
    assert_eq!(person.card().tab, 1);
    person.key(KeyCode::BackTab);
    assert_eq!(person.card().form.draft().answers[0], Answer::picking([1]));
    person.key(KeyCode::Tab);
    person.keys("1");
    assert_eq!(person.card().tab, 1, "a toggle stays");
    person.key(KeyCode::Tab);
    person.keys("1");
    assert!(person.card().is_on_review(), "nothing is open any more");
}

#[test]
fn enter_advances_to_the_review_and_sends_there() {
    let mut person = Person::one(three());
    person.key(KeyCode::Enter);
    person.keys("orders");
    person.key(KeyCode::Enter);
    person.keys(" ");
    person.key(KeyCode::Enter);
    assert!(person.card().is_on_review());
    person.take_effects();
    person.key(KeyCode::Enter);
    let draft = person.card().form.draft();
    let verdict = Verdict::Answer {
        draft,
        gaps: Gaps::Refuse,
    };
    assert_eq!(
        person.take_effects(),
        [Effect::Settle {
            id: id("ask-three"),
            verdict,
            hold: false,
        }]
    );
}

#[test]
fn the_review_offers_the_missing_answer_before_sending_without_it() {
    let mut person = Person::one(three());
    person.keys("1");
    person.key(KeyCode::BackTab);
    person.key(KeyCode::BackTab);
    assert!(person.card().is_on_review());
    person.key(KeyCode::Enter);
    assert_eq!(person.card().tab, 1, "the safe button is marked first");
    person.key(KeyCode::BackTab);
    person.key(KeyCode::BackTab);
    person.key(KeyCode::Down);
    person.take_effects();
    person.key(KeyCode::Enter);
    assert!(matches!(
        person.take_effects().as_slice(),
        [Effect::Settle {
            verdict: Verdict::Answer {
                gaps: Gaps::Send,
                ..
            },
            ..
        }]
    ));
}

#[test]
fn without_an_answer_there_is_no_button_to_send_anyway() {
    let mut person = Person::one(three());
    person.key(KeyCode::BackTab);
    assert_eq!(person.card().buttons().len(), 1);
    assert!(!person.at(80, 24).contains("anyway"));
}

#[test]
fn optional_questions_may_be_left_out() {
    let mut questions = vec![database(), service(), features()];
    questions[1].required = false;
    questions[2].required = false;
    let mut person = Person::one(record("ask-optional", questions));
    person.keys("1");
    person.key(KeyCode::Enter);
    person.key(KeyCode::Tab);
    assert!(person.card().is_on_review());
    assert!(person.at(80, 24).contains("[ Send 1 answer ]"));
    person.take_effects();
    person.key(KeyCode::Enter);
    assert_eq!(person.take_effects().len(), 1);
}

#[test]
fn numbers_on_the_review_open_a_question() {
    let mut person = Person::one(three());
    person.key(KeyCode::BackTab);
    person.keys("3");
    assert_eq!(person.card().tab, 2);
    person.key(KeyCode::Tab);
    person.key(KeyCode::Home);
    person.key(KeyCode::Enter);
    assert_eq!(person.card().tab, 0);
}

#[test]
fn none_of_several_is_confirmed_once_among_other_questions() {
    let mut person = Person::one(record("ask-tabs", vec![features(), database()]));
    person.key(KeyCode::Enter);
    assert_eq!(person.card().tab, 0);
    person.key(KeyCode::Tab);
    assert!(
        !person.card().form.entries[0].is_given(),
        "leaving is no answer"
    );
    person.key(KeyCode::BackTab);
    person.key(KeyCode::Enter);
    person.key(KeyCode::Enter);
    assert_eq!(person.card().tab, 1);
    assert!(person.card().form.draft().answers[0].none);
}

#[test]
fn a_default_is_no_answer_before_its_question_is_shown() {
    let mut remarks = service();
    remarks.default = Some("none\n\n\nI approve the rest.".into());
    let mut person = Person::one(record("ask-tabs", vec![database(), remarks]));
    assert!(!person.card().form.entries[1].is_given());
    assert_eq!(person.card().form.given().answers[1], Answer::default());
    person.keys("1");
    assert_eq!(person.card().tab, 1, "its question comes first");
    assert!(person.card().form.entries[1].is_given());
}

#[test]
fn brackets_open_other_asks_and_save_drafts() {
    let first = record("ask-first", vec![database()]);
    let second = record("ask-second", vec![database()]);
    let mut person = Person::inbox(vec![first, second]);
    person.keys("1");
    person.end_guard();
    person.keys("2]");
    assert_eq!(person.card().record.id, id("ask-second"));
    assert!(matches!(
        person.take_effects().first(),
        Some(Effect::SaveDraft { .. })
    ));
    person.end_guard();
    person.keys("[");
    assert_eq!(person.card().record.id, id("ask-first"));
}
