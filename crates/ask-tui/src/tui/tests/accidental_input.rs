//! Keys that reach something other than they were meant for: on a screen that is too small, held
//! down, or typed while the screen changes.

use ask_core::{Answer, Draft, Outcome};
use crossterm::event::KeyCode;

use super::{Person, id};
use crate::fixtures::{closed, confirm, database, inbox, record, service, settle};
use crate::tui::event::{Effect, Event};
use crate::tui::model::Screen;
use crate::{Mode, SettleResult, SurfaceEnd};

fn settles(effects: &[Effect]) -> bool {
    effects
        .iter()
        .any(|effect| matches!(effect, Effect::Settle { .. }))
}

#[test]
fn a_screen_too_small_to_read_ignores_keys() {
    for asked in [confirm(), database(), service()] {
        let mut person = Person::one(record("ask-one", vec![asked]));
        let before = person.card().form.clone();
        assert!(person.at(20, 5).contains("too small"));
        for code in [KeyCode::Esc, KeyCode::Tab, KeyCode::Down] {
            person.key(code);
        }
        person.keys("y1nxc?iq");
        assert_eq!(person.take_effects(), []);
        assert!(person.model.overlay.is_none());
        assert_eq!(person.card().form, before);
    }
    let mut person = Person::inbox(inbox());
    person.at(20, 5);
    person.keys("2xi?");
    assert!(person.model.overlay.is_none() && person.model.card().is_none());
}

#[test]
fn on_a_screen_too_small_enter_switches_to_the_plain_mode() {
    let mut person = Person::one(record("ask-one", vec![service()]));
    person.keys("orders");
    assert!(person.at(20, 5).contains("Enter"));
    person.key(KeyCode::Enter);
    let effects = person.take_effects();
    let [
        Effect::SaveDraft { draft, .. },
        Effect::Quit(SurfaceEnd::SwitchToPlain),
    ] = &effects[..]
    else {
        panic!("{effects:?}");
    };
    assert_eq!(draft.answers, [Answer::saying("orders")]);
}

#[test]
fn a_screen_too_small_to_read_can_be_left() {
    let mut person = Person::one(record("ask-one", vec![database()]));
    person.at(20, 5);
    person.ctrl('c');
    assert!(person.take_effects().is_empty() && person.model.overlay.is_none());
    person.ctrl('c');
    assert_eq!(person.take_effects(), [Effect::Quit(SurfaceEnd::Left)]);
    let mut person = Person::inbox(inbox());
    person.at(20, 5);
    person.keys("q");
    assert_eq!(person.take_effects(), [Effect::Quit(SurfaceEnd::Quit)]);
}

#[test]
fn an_unseen_paste_is_inserted_only_into_a_field() {
    let mut person = Person::one(record("ask-text", vec![service()]));
    person.at(20, 5);
    person.handle(Event::Paste("orders".to_owned()));
    assert_eq!(person.card().form.entries[0].field.text(), "orders");
    let mut person = Person::one(record("ask-one", vec![database()]));
    person.at(20, 5);
    person.handle(Event::Paste("orders".to_owned()));
    assert!(!person.card().is_touched() && !person.card().focus().typing);
}

#[test]
fn a_held_enter_answers_only_the_first_ask() {
    let first = record("ask-one", vec![database()]);
    let mut second = record("ask-two", vec![confirm()]);
    second.asked_at = second.asked_at.plus_ms(1);
    let mut person = Person::new(Mode::Next, vec![first.clone(), second]);
    person.end_guard();
    person.key(KeyCode::Enter);
    assert!(settles(&person.take_effects()));
    let draft = Draft {
        answers: vec![Answer::picking([0])],
        note: None,
    };
    let won = closed(first, draft);
    person.handle(Event::Settled {
        id: id("ask-one"),
        result: SettleResult::Won(Box::new(won)),
    });
    person.handle(Event::InputDrained);
    assert_eq!(person.card().record.id, id("ask-two"));
    for _ in 0..40 {
        person.wait_ms(20);
        person.key(KeyCode::Enter);
    }
    assert!(
        !settles(&person.take_effects()),
        "held for more than a second"
    );
    assert!(person.card().is_guarded(person.now), "the rows are dim");
    let wake = person.wake.expect("the end of the guard is painted");
    assert_eq!(wake.since_ms(person.now), 350);
    person.wait_ms(360);
    person.key(KeyCode::Enter);
    assert!(settles(&person.take_effects()));
}

/// A person whose open ask was just closed elsewhere.
fn at_notice(filled: bool) -> Person {
    let other = record("ask-two", vec![confirm()]);
    let mut person = Person::inbox(vec![record("ask-one", vec![database()]), other]);
    person.keys("1");
    person.end_guard();
    if filled {
        person.keys("1");
    }
    let mut gone = person.card().record.clone();
    settle(&mut gone, Outcome::Withdrawn, "agent");
    person.handle(Event::Changed {
        records: vec![gone],
        gone: Vec::new(),
    });
    assert!(matches!(person.model.screen, Screen::Notice(_)));
    person.end_guard();
    person.wait_ms(if filled { 2_000 } else { 0 });
    person
}

#[test]
fn a_notice_with_a_draft_closes_only_on_enter_and_esc() {
    for code in [KeyCode::Enter, KeyCode::Esc] {
        let mut person = at_notice(true);
        person.keys("hello x1 dd");
        person.key(KeyCode::Tab);
        person.wait_ms(60_000);
        assert!(matches!(person.model.screen, Screen::Notice(_)));
        assert!(person.at(80, 24).contains("Enter/Esc back"));
        person.key(code);
        assert!(matches!(person.model.screen, Screen::Inbox));
        assert_eq!(person.take_effects(), [Effect::DrainInput]);
    }
    let mut person = at_notice(true);
    person.ctrl('c');
    person.ctrl('c');
    assert_eq!(person.take_effects(), [Effect::Quit(SurfaceEnd::Quit)]);
}

#[test]
fn the_list_behind_a_notice_ignores_keys_until_a_pause() {
    let by_key = |person: &mut Person| person.keys("a");
    let by_itself = |person: &mut Person| person.wait_ms(6_000);
    let ways: [fn(&mut Person); 2] = [by_key, by_itself];
    for close in ways {
        let mut person = at_notice(false);
        close(&mut person);
        assert!(matches!(person.model.screen, Screen::Inbox));
        assert_eq!(person.take_effects(), [Effect::DrainInput]);
        person.handle(Event::InputDrained);
        for letter in "x2 and so on q".repeat(3).chars() {
            person.wait_ms(100);
            person.key(KeyCode::Char(letter));
            person.key(KeyCode::Enter);
        }
        assert!(person.model.overlay.is_none() && person.model.card().is_none());
        assert_eq!(person.take_effects(), []);
        assert_eq!(person.wake.unwrap().since_ms(person.now), 350);
        person.wait_ms(360);
        person.keys("x");
        assert!(person.model.overlay.is_some());
    }
}

#[test]
fn the_card_behind_a_notice_ignores_answers_until_a_pause() {
    let first = record("ask-one", vec![database()]);
    let mut second = record("ask-two", vec![confirm()]);
    second.asked_at = second.asked_at.plus_ms(1);
    let mut person = Person::new(Mode::Next, vec![first.clone(), second]);
    person.end_guard();
    let mut gone = first;
    settle(&mut gone, Outcome::Withdrawn, "agent");
    person.handle(Event::Changed {
        records: vec![gone],
        gone: Vec::new(),
    });
    person.end_guard();
    person.key(KeyCode::Enter);
    assert!(person.take_effects().contains(&Effect::DrainInput));
    person.handle(Event::InputDrained);
    person.keys("yxc");
    person.key(KeyCode::Enter);
    assert!(person.take_effects().is_empty() && person.model.overlay.is_none());
    assert!(person.card().is_guarded(person.now));
}
