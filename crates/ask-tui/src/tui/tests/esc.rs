//! Esc closes one layer at a time; on a card its effect depends on the settings.

use ask_config::config::Leaving;
use ask_core::Outcome;
use ask_protocol::ipc::Verdict;
use crossterm::event::KeyCode;

use super::Person;
use crate::fixtures::{database, many_choices, record, service, settle, taken_over, three};
use crate::tui::event::{Effect, Event};
use crate::tui::model::{Overlay, Screen};
use crate::{Mode, SettleResult, SurfaceEnd};

fn person(one_shot: bool, leaving: Leaving, touched: bool) -> Person {
    let record = record("ask-one", vec![database()]);
    let mode = if one_shot {
        Mode::One(record.id.clone())
    } else {
        Mode::Inbox
    };
    let mut person = Person::new(mode, vec![record]);
    person.model.display.settings.leaving = leaving;
    if !one_shot {
        person.key(KeyCode::Enter);
    }
    person.end_guard();
    if touched {
        person.keys("2");
    }
    person.take_effects();
    person
}

/// The effect of Esc.
#[derive(Debug, PartialEq)]
enum EscEffect {
    Cancelled,
    Confirmed,
    List,
    Left,
}

fn esc(mut person: Person) -> EscEffect {
    person.key(KeyCode::Esc);
    let effects = person.take_effects();
    let cancelled = |effect: &Effect| {
        let Effect::Settle { verdict, .. } = effect else {
            return false;
        };
        *verdict == Verdict::Decline { reason: None }
    };
    if effects.iter().any(cancelled) {
        EscEffect::Cancelled
    } else if effects.contains(&Effect::Quit(SurfaceEnd::Left)) {
        EscEffect::Left
    } else if matches!(person.model.overlay, Some(Overlay::Discard { row: 0 })) {
        EscEffect::Confirmed
    } else {
        assert!(matches!(person.model.screen, Screen::Inbox));
        EscEffect::List
    }
}

#[test]
fn the_effect_of_esc_on_a_card() {
    for (leaving, one_shot, untouched, touched) in [
        (
            Leaving::Auto,
            true,
            EscEffect::Cancelled,
            EscEffect::Confirmed,
        ),
        (Leaving::Auto, false, EscEffect::List, EscEffect::List),
        (Leaving::Leave, true, EscEffect::Left, EscEffect::Left),
        (Leaving::Leave, false, EscEffect::List, EscEffect::List),
        (
            Leaving::Cancel,
            true,
            EscEffect::Cancelled,
            EscEffect::Confirmed,
        ),
        (
            Leaving::Cancel,
            false,
            EscEffect::Cancelled,
            EscEffect::Confirmed,
        ),
    ] {
        assert_eq!(
            esc(person(one_shot, leaving, false)),
            untouched,
            "{leaving:?}"
        );
        assert_eq!(esc(person(one_shot, leaving, true)), touched, "{leaving:?}");
    }
}

#[test]
fn the_footer_names_the_effect_of_esc() {
    for (leaving, words) in [
        (Leaving::Auto, "Esc leave (draft is kept)"),
        (Leaving::Cancel, "Esc decline"),
    ] {
        let mut person = person(false, leaving, false);
        let seen = person.at(100, 30);
        assert!(seen.contains(words), "{seen}");
    }
}

#[test]
fn esc_closes_an_overlay_then_the_field_then_the_filter_then_the_card() {
    let mut person = Person::at_card(record("ask-many", vec![many_choices(12)]));
    person.keys("/js");
    person.key(KeyCode::Enter);
    person.keys("0mine");
    person.ctrl('c');
    person.wait_ms(2_000);
    person.ctrl('c');
    assert!(matches!(
        person.model.overlay,
        Some(Overlay::Discard { .. })
    ));
    person.key(KeyCode::Esc);
    assert!(person.model.overlay.is_none());
    person.keys("0");
    person.key(KeyCode::Esc);
    assert!(!person.card().focus().typing, "the field");
    assert_eq!(person.card().form.entries[0].field.text(), "mine");
    person.wait_ms(300);
    assert!(person.card().filter().is_some_and(|filter| filter.is_on()));
    person.key(KeyCode::Esc);
    assert!(!person.card().filter().is_some_and(|filter| filter.is_on()));
    person.key(KeyCode::Esc);
    assert!(person.model.card().is_none(), "the card");
}

#[test]
fn a_second_esc_right_after_leaving_a_field_is_ignored() {
    for keys in ["0x", "nx", "/x"] {
        let mut person = Person::at_card(record("ask-many", vec![many_choices(12)]));
        person.keys(keys);
        person.key(KeyCode::Esc);
        person.key(KeyCode::Esc);
        assert!(person.model.card().is_some(), "{keys}");
        person.wait_ms(300);
        person.key(KeyCode::Esc);
        assert!(person.model.card().is_none(), "{keys}");
    }
}

#[test]
fn the_dialog_has_four_actions_with_digits_and_letters() {
    let opened = || {
        let mut person = Person::one(three());
        person.keys("1");
        person.key(KeyCode::Esc);
        person.wait_ms(300);
        if person.model.overlay.is_none() {
            person.key(KeyCode::Esc);
        }
        assert!(matches!(
            person.model.overlay,
            Some(Overlay::Discard { row: 0 })
        ));
        person.take_effects();
        person
    };
    let seen = opened().at(100, 30);
    for words in [
        "Discard 1 answer?",
        "You have answered 1 of 3 questions. The agent is still waiting.",
        "› 1. Keep answering",
        "(Esc, n)",
        "2. Leave it waiting; keep my draft",
        "(l)",
        "3. Discard and cancel; tell the agent I cancelled",
        "(y)",
        "4. Decline with a reason ...",
        "(r)",
        "Nothing is sent until you choose 3 or 4.",
    ] {
        assert!(seen.contains(words), "{words}\n{seen}");
    }
    for key in ['n', '1'] {
        let mut person = opened();
        person.keys(&key.to_string());
        assert!(person.model.overlay.is_none() && person.take_effects().is_empty());
    }
    for key in ['l', '2'] {
        let mut person = opened();
        person.keys(&key.to_string());
        assert!(
            person
                .take_effects()
                .contains(&Effect::Quit(SurfaceEnd::Left))
        );
    }
    for key in ['y', '3'] {
        let mut person = opened();
        person.keys(&key.to_string());
        assert!(matches!(
            person.take_effects().as_slice(),
            [Effect::Settle {
                verdict: Verdict::Decline { reason: None },
                ..
            }]
        ));
    }
    for key in ['r', '4'] {
        let mut person = opened();
        person.keys(&key.to_string());
        assert!(matches!(person.model.overlay, Some(Overlay::Reason { .. })));
        assert!(person.take_effects().is_empty());
    }
    for key in ['5', 'q', 'x', ' '] {
        let mut person = opened();
        person.keys(&key.to_string());
        assert!(matches!(
            person.model.overlay,
            Some(Overlay::Discard { row: 0 })
        ));
        assert!(person.take_effects().is_empty());
    }
}

#[test]
fn an_unsent_text_to_an_agent_survives_esc() {
    let mut person = Person::at_card(record("ask-one", vec![database()]));
    person.keys("cwhich one");
    person.key(KeyCode::Esc);
    person.keys("xno need");
    person.ctrl('c');
    assert!(person.model.overlay.is_none());
    person.wait_ms(2_000);
    person.keys("c");
    assert!(person.at(80, 24).contains("which one"));
    person.key(KeyCode::Esc);
    // The same holds in the list, and after the dialog that Ctrl+C opens.
    person.keys("q");
    person.keys("x");
    assert!(person.at(80, 24).contains("no need"));
    person.keys("!");
    person.key(KeyCode::Esc);
    person.keys("1");
    person.end_guard();
    person.ctrl('c');
    person.keys("4");
    assert!(person.at(80, 24).contains("no need!"));
    for _ in 0..8 {
        person.key(KeyCode::Backspace);
    }
    person.key(KeyCode::Esc);
    person.keys("x");
    assert!(!person.at(80, 24).contains("no need"));
    // Each ask has texts of its own.
    let mut person = Person::inbox(vec![
        record("ask-one", vec![database()]),
        record("ask-two", vec![database()]),
    ]);
    person.keys("xno");
    person.key(KeyCode::Esc);
    person.key(KeyCode::Down);
    person.keys("x");
    assert!(
        matches!(&person.model.overlay, Some(Overlay::Reason { field, .. }) if field.is_blank())
    );
}

#[test]
fn an_ask_from_a_clients_own_tool_can_be_handed_back() {
    let mut taken = taken_over(record("ask-taken", vec![database()]));
    let mut person = Person::at_card(taken.clone());
    person.ctrl('c');
    assert!(
        person
            .at(100, 30)
            .contains("5. Back to the dialog of its client")
    );
    person.take_effects();
    person.keys("b");
    assert!(matches!(
        person.take_effects().as_slice(),
        [Effect::Settle {
            verdict: Verdict::Withdraw,
            ..
        }]
    ));
    settle(&mut taken, Outcome::Withdrawn, "terminal");
    person.handle(Event::Settled {
        id: taken.id.clone(),
        result: SettleResult::Won(Box::new(taken)),
    });
    assert!(
        person
            .at(100, 30)
            .contains("Given back: claude-code asks in its own dialog.")
    );
    let mut own = Person::at_card(record("ask-own", vec![database()]));
    own.ctrl('c');
    own.keys("b5");
    assert!(own.take_effects().is_empty());
    assert!(matches!(
        own.model.overlay,
        Some(Overlay::Discard { row: 0 })
    ));
}

#[test]
fn the_footer_says_when_esc_declines() {
    let mut person = Person::one(record("ask-one", vec![service()]));
    for (typed, hint) in [("", "Esc decline"), ("x", "Esc stop typing")] {
        person.keys(typed);
        let screen = person.at(100, 30);
        assert!(screen.contains(hint), "{screen}");
    }
}
