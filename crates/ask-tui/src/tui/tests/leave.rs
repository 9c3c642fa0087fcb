//! Esc, Ctrl+C and q: each way out, with its exact effects.

use ask_protocol::ipc::Verdict;
use crossterm::event::KeyCode;

use super::{Person, id};
use crate::fixtures::{database, inbox, record, service, three};
use crate::tui::event::{Effect, Event};
use crate::tui::model::{Overlay, Screen};
use crate::{Mode, SurfaceEnd};

fn cancelled(name: &str) -> Effect {
    Effect::Settle {
        id: id(name),
        verdict: Verdict::Decline { reason: None },
        hold: false,
    }
}

#[test]
fn an_untouched_one_shot_cancels_at_once() {
    for asked in [database(), service()] {
        let mut person = Person::one(record("ask-one", vec![asked]));
        person.key(KeyCode::Esc);
        assert_eq!(person.take_effects(), [cancelled("ask-one")]);
    }
    let mut person = Person::one(three());
    person.key(KeyCode::Esc);
    assert_eq!(person.take_effects(), [cancelled("ask-three")]);
}

#[test]
fn an_early_esc_cancels_nothing() {
    for asked in [database(), service()] {
        let asked = record("ask-one", vec![asked]);
        let mut person = Person::new(Mode::One(asked.id.clone()), vec![asked]);
        person.handle(Event::InputDrained);
        person.take_effects();
        person.key(KeyCode::Esc);
        assert_eq!(person.take_effects(), [], "too early to be meant");
        person.end_guard();
        person.key(KeyCode::Esc);
        assert_eq!(person.take_effects(), [cancelled("ask-one")]);
    }
}

#[test]
fn letters_typed_before_the_card_opens_decline_nothing() {
    let mut person = Person::inbox(vec![record("ask-one", vec![database()])]);
    person.key(KeyCode::Enter);
    person.handle(Event::InputDrained);
    person.take_effects();
    for word in ["x", "c"] {
        person.keys(word);
        assert!(person.model.overlay.is_none(), "{word}");
        person.key(KeyCode::Enter);
    }
    let sent = |effect: &Effect| matches!(effect, Effect::Settle { .. });
    assert!(!person.take_effects().iter().any(sent));
}

#[test]
fn a_touched_one_shot_needs_a_confirmation() {
    let mut person = Person::one(record("ask-one", vec![database()]));
    person.keys("1");
    person.key(KeyCode::Esc);
    assert!(person.at(80, 24).contains("Discard 1 answer?"));
    person.key(KeyCode::Enter);
    assert!(person.model.overlay.is_none(), "the safe way is first");
    person.key(KeyCode::Esc);
    person.keys("n");
    assert!(person.model.overlay.is_none());
    person.key(KeyCode::Esc);
    person.take_effects();
    person.keys("zm9 ");
    assert!(
        person.take_effects().is_empty() && person.model.overlay.is_some(),
        "other keys do nothing"
    );
    person.keys("y");
    assert_eq!(person.take_effects(), [cancelled("ask-one")]);
}

#[test]
fn the_dialog_offers_four_actions() {
    let asked = || {
        let mut person = Person::one(three());
        person.keys("1");
        person.key(KeyCode::Tab);
        person.key(KeyCode::Esc);
        person.wait_ms(500);
        person.take_effects();
        person
    };
    for keys in ["3", "y"] {
        let mut person = asked();
        person.keys(keys);
        assert_eq!(person.take_effects(), [cancelled("ask-three")], "{keys}");
    }
    for keys in ["2", "l"] {
        let mut person = asked();
        person.keys(keys);
        assert_eq!(
            person.take_effects(),
            [Effect::Quit(SurfaceEnd::Left)],
            "{keys}"
        );
    }
    for keys in ["4", "r"] {
        let mut person = asked();
        person.keys(keys);
        assert!(
            matches!(person.model.overlay, Some(Overlay::Reason { .. })),
            "{keys}"
        );
    }
    let mut person = asked();
    person.key(KeyCode::Up);
    person.key(KeyCode::Up);
    person.key(KeyCode::Enter);
    assert_eq!(person.take_effects(), [cancelled("ask-three")]);
}

#[test]
fn esc_in_a_field_keeps_the_text_and_a_second_one_is_ignored() {
    let mut person = Person::one(record("ask-text", vec![service()]));
    person.keys("orders");
    person.key(KeyCode::Esc);
    person.key(KeyCode::Esc);
    assert!(person.model.overlay.is_none());
    assert_eq!(person.card().form.entries[0].field.text(), "orders");
    person.wait_ms(300);
    person.key(KeyCode::Esc);
    assert!(matches!(
        person.model.overlay,
        Some(Overlay::Discard { .. })
    ));
}

#[test]
fn esc_in_the_inbox_mode_leaves_the_ask_waiting() {
    let mut person = Person::at_card(three());
    person.keys("1");
    person.key(KeyCode::Tab);
    person.take_effects();
    person.key(KeyCode::Esc);
    assert!(matches!(person.model.screen, Screen::Inbox));
    assert!(
        person.take_effects().is_empty(),
        "the draft was kept with the tab"
    );
}

#[test]
fn q_leaves_and_never_discards() {
    let mut person = Person::one(record("ask-one", vec![database()]));
    person.keys("1q");
    let effects = person.take_effects();
    assert!(matches!(
        effects.as_slice(),
        [Effect::SaveDraft { .. }, Effect::Quit(SurfaceEnd::Left)]
    ));
    let mut person = Person::inbox(inbox());
    person.keys("q");
    assert!(
        person
            .take_effects()
            .contains(&Effect::Quit(SurfaceEnd::Quit))
    );
}

#[test]
fn ctrl_c_opens_the_dialog_and_a_second_one_quits() {
    let mut person = Person::at_card(three());
    person.keys("1");
    person.key(KeyCode::Tab);
    person.ctrl('c');
    assert!(matches!(
        person.model.overlay,
        Some(Overlay::Discard { .. })
    ));
    person.ctrl('c');
    assert!(
        person
            .take_effects()
            .contains(&Effect::Quit(SurfaceEnd::Quit))
    );

    let mut person = Person::one(three());
    person.ctrl('c');
    person.wait_ms(1_500);
    assert!(person.take_effects().is_empty(), "the dialog is open");
    person.ctrl('c');
    let ended = Effect::Quit(SurfaceEnd::Left);
    assert!(person.take_effects().contains(&ended), "however slowly");
}

#[test]
fn ctrl_c_in_a_field_only_leaves_it() {
    let mut person = Person::one(record("ask-text", vec![service()]));
    person.keys("orders");
    person.ctrl('c');
    assert!(person.model.overlay.is_none() && !person.card().focus().typing);
    assert_eq!(person.card().form.entries[0].field.text(), "orders");
}

#[test]
fn esc_closes_one_layer_at_a_time() {
    let mut person = Person::at_card(three());
    for key in ["?", "i", "x", "c"] {
        person.keys(key);
        assert!(person.model.overlay.is_some(), "{key}");
        person.key(KeyCode::Esc);
        assert!(
            person.model.overlay.is_none() && person.model.card().is_some(),
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
    assert!(matches!(person.model.overlay, Some(Overlay::Reason { .. })));
    person.keys("no");
    person.take_effects();
    person.key(KeyCode::Enter);
    assert!(matches!(
        person.take_effects().as_slice(),
        [Effect::Settle { .. }]
    ));
    person.keys("k");
    assert_eq!(person.model.focused_row(), 2, "the list wraps");
}
