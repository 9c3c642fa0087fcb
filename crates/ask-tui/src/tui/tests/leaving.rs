//! Esc, Ctrl+C and q: each way out, with its exact effects.

use ask_protocol::ipc::Verdict;
use crossterm::event::KeyCode;

use super::{Person, id};
use crate::fixtures::{database, inbox, record, service, three};
use crate::tui::event::{Effect, Event};
use crate::tui::model::{Overlay, Screen};
use crate::{Ended, Mode};

fn cancelled(name: &str) -> Effect {
    Effect::Settle {
        id: id(name),
        verdict: Verdict::Decline { reason: None },
    }
}

#[test]
fn an_untouched_one_shot_cancels_at_once() {
    for asked in [database(), service()] {
        let mut person = Person::one(record("ask-one", vec![asked]));
        person.key(KeyCode::Esc);
        assert_eq!(person.taken(), [cancelled("ask-one")]);
    }
    let mut person = Person::one(three());
    person.key(KeyCode::Esc);
    assert_eq!(person.taken(), [cancelled("ask-three")]);
}

#[test]
fn an_esc_that_was_meant_for_something_else_cancels_nothing() {
    for asked in [database(), service()] {
        let asked = record("ask-one", vec![asked]);
        let mut person = Person::new(Mode::One(asked.id.clone()), vec![asked]);
        person.happen(Event::InputDrained);
        person.taken();
        person.key(KeyCode::Esc);
        assert_eq!(person.taken(), [], "too early to be meant");
        person.settle_in();
        person.key(KeyCode::Esc);
        assert_eq!(person.taken(), [cancelled("ask-one")]);
    }
}

#[test]
fn the_end_of_a_word_that_was_typed_elsewhere_declines_nothing() {
    let mut person = Person::inbox(vec![record("ask-one", vec![database()])]);
    person.key(KeyCode::Enter);
    person.happen(Event::InputDrained);
    person.taken();
    for word in ["x", "c"] {
        person.keys(word);
        assert!(person.model.over.is_none(), "{word}");
        person.key(KeyCode::Enter);
    }
    let sent = |effect: &Effect| matches!(effect, Effect::Settle { .. });
    assert!(!person.taken().iter().any(sent));
}

#[test]
fn a_touched_one_shot_asks_first() {
    let mut person = Person::one(record("ask-one", vec![database()]));
    person.keys("1");
    person.key(KeyCode::Esc);
    assert!(person.at(80, 24).contains("Discard 1 answer?"));
    person.key(KeyCode::Enter);
    assert!(person.model.over.is_none(), "the safe way is first");
    person.key(KeyCode::Esc);
    person.keys("n");
    assert!(person.model.over.is_none());
    person.key(KeyCode::Esc);
    person.taken();
    person.keys("zm9 ");
    assert!(
        person.taken().is_empty() && person.model.over.is_some(),
        "other keys do nothing"
    );
    person.keys("y");
    assert_eq!(person.taken(), [cancelled("ask-one")]);
}

#[test]
fn the_dialog_offers_four_ways() {
    let asked = || {
        let mut person = Person::one(three());
        person.keys("1");
        person.key(KeyCode::Tab);
        person.key(KeyCode::Esc);
        person.pass(500);
        person.taken();
        person
    };
    for keys in ["3", "y"] {
        let mut person = asked();
        person.keys(keys);
        assert_eq!(person.taken(), [cancelled("ask-three")], "{keys}");
    }
    for keys in ["2", "l"] {
        let mut person = asked();
        person.keys(keys);
        assert_eq!(person.taken(), [Effect::Quit(Ended::Left)], "{keys}");
    }
    for keys in ["4", "r"] {
        let mut person = asked();
        person.keys(keys);
        assert!(
            matches!(person.model.over, Some(Overlay::Reason { .. })),
            "{keys}"
        );
    }
    let mut person = asked();
    person.key(KeyCode::Up);
    person.key(KeyCode::Up);
    person.key(KeyCode::Enter);
    assert_eq!(person.taken(), [cancelled("ask-three")]);
}

#[test]
fn esc_in_a_field_keeps_the_text_and_a_reflex_does_nothing() {
    let mut person = Person::one(record("ask-text", vec![service()]));
    person.keys("orders");
    person.key(KeyCode::Esc);
    person.key(KeyCode::Esc);
    assert!(person.model.over.is_none());
    assert_eq!(person.card().form.entries[0].field.text(), "orders");
    person.pass(300);
    person.key(KeyCode::Esc);
    assert!(matches!(person.model.over, Some(Overlay::Discard { .. })));
}

#[test]
fn esc_in_the_inbox_mode_parks_the_ask() {
    let mut person = Person::carded(three());
    person.keys("1");
    person.key(KeyCode::Tab);
    person.taken();
    person.key(KeyCode::Esc);
    assert!(matches!(person.model.screen, Screen::Inbox));
    assert!(person.taken().is_empty(), "the draft was kept with the tab");
}

#[test]
fn q_leaves_and_never_discards() {
    let mut person = Person::one(record("ask-one", vec![database()]));
    person.keys("1q");
    let effects = person.taken();
    assert!(matches!(
        effects.as_slice(),
        [Effect::SaveDraft { .. }, Effect::Quit(Ended::Left)]
    ));
    let mut person = Person::inbox(inbox());
    person.keys("q");
    assert!(person.taken().contains(&Effect::Quit(Ended::Quit)));
}

#[test]
fn ctrl_c_opens_the_dialog_and_twice_ends_with_all_waiting() {
    let mut person = Person::carded(three());
    person.keys("1");
    person.key(KeyCode::Tab);
    person.ctrl('c');
    assert!(matches!(person.model.over, Some(Overlay::Discard { .. })));
    person.ctrl('c');
    assert!(person.taken().contains(&Effect::Quit(Ended::Quit)));

    let mut person = Person::one(three());
    person.ctrl('c');
    person.pass(1_500);
    person.ctrl('c');
    person.pass(1_500);
    assert!(
        person.taken().is_empty(),
        "too slow: it only closed the dialog"
    );
}

#[test]
fn ctrl_c_in_a_field_only_leaves_it() {
    let mut person = Person::one(record("ask-text", vec![service()]));
    person.keys("orders");
    person.ctrl('c');
    assert!(person.model.over.is_none() && !person.card().spot().typing);
    assert_eq!(person.card().form.entries[0].field.text(), "orders");
}

#[test]
fn esc_closes_one_layer_at_a_time() {
    let mut person = Person::carded(three());
    for key in ["?", "i", "x", "c"] {
        person.keys(key);
        assert!(person.model.over.is_some(), "{key}");
        person.key(KeyCode::Esc);
        assert!(
            person.model.over.is_none() && person.model.card().is_some(),
            "{key}"
        );
    }
}

#[test]
fn the_inbox_opens_by_number_and_declines_with_a_reason() {
    let mut person = Person::inbox(inbox());
    person.keys("2");
    assert_eq!(person.card().record.id, id("ask-three"));
    person.key(KeyCode::Esc);
    person.keys("gx");
    assert!(matches!(person.model.over, Some(Overlay::Reason { .. })));
    person.keys("no");
    person.taken();
    person.key(KeyCode::Enter);
    assert!(matches!(person.taken().as_slice(), [Effect::Settle { .. }]));
    person.keys("k");
    assert_eq!(person.model.focused_row(), 2, "the list wraps");
}
