//! Esc closes one layer at a time; on a card its effect depends on the settings.

use ask_config::config::Leaving;
use ask_core::Outcome;
use ask_protocol::ipc::Verdict;
use crossterm::event::KeyCode;

use super::Person;
use crate::fixtures::{database, many_choices, record, settle, taken_over, three};
use crate::tui::event::{Effect, Event};
use crate::tui::model::{Overlay, Screen};
use crate::{Closing, Ended, Mode};

fn person(one_shot: bool, leaving: Leaving, touched: bool) -> Person {
    let record = record("ask-one", vec![database()]);
    let mode = if one_shot {
        Mode::One(record.id.clone())
    } else {
        Mode::Inbox
    };
    let mut person = Person::new(mode, vec![record]);
    person.model.look.habits.leaving = leaving;
    if !one_shot {
        person.key(KeyCode::Enter);
    }
    person.settle_in();
    if touched {
        person.keys("2");
    }
    person.taken();
    person
}

/// The effect of Esc.
#[derive(Debug, PartialEq)]
enum Came {
    Cancelled,
    Asked,
    List,
    Out,
}

fn esc(mut person: Person) -> Came {
    person.key(KeyCode::Esc);
    let effects = person.taken();
    let cancelled = |effect: &Effect| {
        let Effect::Settle { verdict, .. } = effect else {
            return false;
        };
        *verdict == Verdict::Decline { reason: None }
    };
    if effects.iter().any(cancelled) {
        Came::Cancelled
    } else if effects.contains(&Effect::Quit(Ended::Left)) {
        Came::Out
    } else if matches!(person.model.over, Some(Overlay::Discard { row: 0 })) {
        Came::Asked
    } else {
        assert!(matches!(person.model.screen, Screen::Inbox));
        Came::List
    }
}

#[test]
fn what_esc_on_a_card_comes_to() {
    for (leaving, one_shot, untouched, touched) in [
        (Leaving::Auto, true, Came::Cancelled, Came::Asked),
        (Leaving::Auto, false, Came::List, Came::List),
        (Leaving::Leave, true, Came::Out, Came::Out),
        (Leaving::Leave, false, Came::List, Came::List),
        (Leaving::Cancel, true, Came::Cancelled, Came::Asked),
        (Leaving::Cancel, false, Came::Cancelled, Came::Asked),
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
fn the_footer_says_what_esc_comes_to() {
    for (leaving, words) in [
        (Leaving::Auto, "Esc leave (draft is kept)"),
        (Leaving::Cancel, "Esc cancel"),
    ] {
        let mut person = person(false, leaving, false);
        let seen = person.at(100, 30);
        assert!(seen.contains(words), "{seen}");
    }
}

#[test]
fn a_layer_goes_first_then_the_filter_then_the_field_then_the_card() {
    let mut person = Person::carded(record("ask-many", vec![many_choices(12)]));
    person.keys("/js");
    person.key(KeyCode::Enter);
    person.keys("0mine");
    person.ctrl('c');
    person.pass(2_000);
    person.ctrl('c');
    assert!(matches!(person.model.over, Some(Overlay::Discard { .. })));
    person.key(KeyCode::Esc);
    assert!(person.model.over.is_none());
    person.keys("0");
    person.key(KeyCode::Esc);
    assert!(!person.card().spot().typing, "the field");
    assert_eq!(person.card().form.entries[0].field.text(), "mine");
    person.pass(300);
    assert!(person.card().filter().is_some_and(|filter| filter.is_on()));
    person.key(KeyCode::Esc);
    assert!(!person.card().filter().is_some_and(|filter| filter.is_on()));
    person.key(KeyCode::Esc);
    assert!(person.model.card().is_none(), "the card");
}

#[test]
fn a_second_esc_right_after_a_field_was_left_is_a_reflex() {
    for keys in ["0x", "nx", "/x"] {
        let mut person = Person::carded(record("ask-many", vec![many_choices(12)]));
        person.keys(keys);
        person.key(KeyCode::Esc);
        person.key(KeyCode::Esc);
        assert!(person.model.card().is_some(), "{keys}");
        person.pass(300);
        person.key(KeyCode::Esc);
        assert!(person.model.card().is_none(), "{keys}");
    }
}

#[test]
fn the_dialog_has_four_ways_and_their_letters() {
    let opened = || {
        let mut person = Person::one(three());
        person.keys("1");
        person.key(KeyCode::Esc);
        person.pass(300);
        if person.model.over.is_none() {
            person.key(KeyCode::Esc);
        }
        assert!(matches!(
            person.model.over,
            Some(Overlay::Discard { row: 0 })
        ));
        person.taken();
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
        assert!(person.model.over.is_none() && person.taken().is_empty());
    }
    for key in ['l', '2'] {
        let mut person = opened();
        person.keys(&key.to_string());
        assert!(person.taken().contains(&Effect::Quit(Ended::Left)));
    }
    for key in ['y', '3'] {
        let mut person = opened();
        person.keys(&key.to_string());
        assert!(matches!(
            person.taken().as_slice(),
            [Effect::Settle {
                verdict: Verdict::Decline { reason: None },
                ..
            }]
        ));
    }
    for key in ['r', '4'] {
        let mut person = opened();
        person.keys(&key.to_string());
        assert!(matches!(person.model.over, Some(Overlay::Reason { .. })));
        assert!(person.taken().is_empty());
    }
    for key in ['5', 'q', 'x', ' '] {
        let mut person = opened();
        person.keys(&key.to_string());
        assert!(matches!(
            person.model.over,
            Some(Overlay::Discard { row: 0 })
        ));
        assert!(person.taken().is_empty());
    }
}

#[test]
fn words_to_an_agent_that_were_begun_are_there_again_after_esc() {
    let mut person = Person::carded(record("ask-one", vec![database()]));
    person.keys("cwhich one");
    person.key(KeyCode::Esc);
    person.keys("xno need");
    person.ctrl('c');
    assert!(person.model.over.is_none());
    person.pass(2_000);
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
    person.settle_in();
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
    assert!(matches!(&person.model.over, Some(Overlay::Reason { field, .. }) if field.is_blank()));
}

#[test]
fn what_was_taken_over_from_a_client_can_go_back_to_its_dialog() {
    let mut taken = taken_over(record("ask-taken", vec![database()]));
    let mut person = Person::carded(taken.clone());
    person.ctrl('c');
    assert!(
        person
            .at(100, 30)
            .contains("5. Back to the dialog of its client")
    );
    person.taken();
    person.keys("b");
    assert!(matches!(
        person.taken().as_slice(),
        [Effect::Settle {
            verdict: Verdict::Withdraw,
            ..
        }]
    ));
    settle(&mut taken, Outcome::Withdrawn, "terminal");
    person.happen(Event::Settled {
        id: taken.id.clone(),
        closing: Closing::Won(Box::new(taken)),
    });
    assert!(
        person
            .at(100, 30)
            .contains("Given back: claude-code asks in its own dialog.")
    );
    let mut own = Person::carded(record("ask-own", vec![database()]));
    own.ctrl('c');
    own.keys("b5");
    assert!(own.taken().is_empty());
    assert!(matches!(own.model.over, Some(Overlay::Discard { row: 0 })));
}
