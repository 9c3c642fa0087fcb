//! Events from outside: other surfaces, agents that leave, time, and the connection to the hub.

use ask_core::{Answer, Draft, Outcome, Time};
use crossterm::event::KeyCode;

use super::{Person, id};
use crate::fixtures::{NOON, closed, database, inbox, record, settle, three};
use crate::tui::event::{Effect, Event};
use crate::tui::model::Screen;
use crate::{SettleResult, SurfaceEnd};

fn answered(record: ask_core::Record) -> ask_core::Record {
    let draft = Draft {
        answers: vec![Answer::picking([0])],
        note: None,
    };
    closed(record, draft)
}

fn changed(record: ask_core::Record) -> Event {
    Event::Changed {
        records: vec![record],
        gone: Vec::new(),
    }
}

#[test]
fn an_ask_closed_elsewhere_becomes_a_notice_that_no_stray_key_closes() {
    let mut person = Person::at_card(three());
    person.keys("2order");
    person.handle(changed(answered(three())));
    let shown = person.at(44, 14);
    assert!(
        shown.contains("ANSWERED BY COMMAND  12:07")
            && shown.contains("Nothing you typed was sent.")
    );
    person.keys("x");
    assert!(matches!(person.model.screen, Screen::Notice(_)));
    person.end_guard();
    person.wait_ms(2_000);
    person.keys("d");
    assert!(person.at(80, 24).contains("Your draft:"));
    person.keys("d");
    assert!(matches!(person.model.screen, Screen::Notice(_)));
    person.key(KeyCode::Enter);
    assert!(matches!(person.model.screen, Screen::Inbox));
    assert_eq!(person.take_effects(), [Effect::DrainInput]);
    assert!(person.take_effects().is_empty(), "nothing was sent");
}

#[test]
fn the_surface_of_a_settlement_has_a_name_in_words() {
    for (surface, said) in [
        ("terminal", "DECLINED IN A TERMINAL  12:07"),
        ("plain", "DECLINED IN PLAIN MODE  12:07"),
        ("phone", "DECLINED ON PHONE  12:07"),
    ] {
        let mut person = Person::at_card(three());
        let mut done = three();
        settle(&mut done, Outcome::Declined { reason: None }, surface);
        person.handle(changed(done));
        assert!(person.at(80, 24).contains(said), "{surface}");
    }
}

#[test]
fn an_untouched_notice_closes_by_itself() {
    let mut person = Person::at_card(three());
    person.handle(changed(answered(three())));
    person.handle(Event::InputDrained);
    person.wait_ms(4_000);
    assert!(matches!(person.model.screen, Screen::Notice(_)));
    person.wait_ms(1_500);
    assert!(matches!(person.model.screen, Screen::Inbox));
}

#[test]
fn a_one_shot_ends_after_the_notice() {
    let mut person = Person::one(three());
    let done = answered(three());
    person.handle(changed(done.clone()));
    person.end_guard();
    person.key(KeyCode::Enter);
    assert_eq!(
        person.take_effects(),
        [Effect::Quit(SurfaceEnd::ClosedElsewhere(Box::new(done)))]
    );
}

#[test]
fn a_lost_race_is_reported() {
    let mut person = Person::at_card(record("ask-one", vec![database()]));
    person.keys("2");
    person.key(KeyCode::Enter);
    let done = answered(record("ask-one", vec![database()]));
    person.handle(changed(done.clone()));
    assert!(
        person.model.card().is_some(),
        "our own attempt is still on its way"
    );
    person.handle(Event::Settled {
        id: id("ask-one"),
        result: SettleResult::Lost(Box::new(done)),
    });
    assert!(
        person
            .at(80, 24)
            .contains("Your draft here was different: Database")
    );
}

#[test]
fn expiry_and_withdrawal_are_named() {
    for (outcome, words) in [
        (Outcome::Expired, "EXPIRED  12:07"),
        (Outcome::Withdrawn, "WITHDRAWN BY THE AGENT  12:07"),
    ] {
        let mut person = Person::at_card(three());
        let mut done = three();
        settle(&mut done, outcome, "clock");
        person.handle(changed(done));
        assert!(person.at(80, 24).contains(words));
    }
}

#[test]
fn an_agent_that_left_is_reported_and_the_answer_can_be_sent() {
    let mut person = Person::at_card(record("ask-one", vec![database()]));
    let mut left = record("ask-one", vec![database()]);
    left.waiters = 0;
    person.handle(changed(left));
    assert!(
        person
            .at(80, 24)
            .contains("The agent stopped waiting; your answer will be kept.")
    );
    person.keys("1");
    person.key(KeyCode::Enter);
    assert!(matches!(
        person.take_effects().as_slice(),
        [Effect::Settle { .. }]
    ));
}

#[test]
fn a_new_ask_never_changes_the_card() {
    let mut person = Person::at_card(three());
    person.keys("1");
    let before = person.at(80, 24);
    person.handle(changed(record("ask-new", vec![database()])));
    let after = person.at(80, 24);
    let body = |text: &str| text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert!(after.contains("/2"), "only the counter rises");
    let (before, after) = (body(&before), body(&after));
    assert_eq!(before[..20], after[..20]);
}

#[test]
fn the_cursor_stays_on_its_ask_while_the_list_changes() {
    let mut person = Person::inbox(inbox());
    person.keys("j");
    let mut urgent = record("ask-urgent", vec![database()]);
    urgent.deadline_at = Some(Time(NOON.0 + 20_000));
    person.handle(changed(urgent));
    assert_eq!(person.model.focused().unwrap().id, id("ask-three"));
    assert_eq!(person.model.focused_row(), 2);
    person.handle(Event::Changed {
        records: Vec::new(),
        gone: vec![id("ask-three")],
    });
    assert_eq!(person.model.focused().unwrap().id, id("ask-layout"));
}

#[test]
fn the_cursor_stays_where_the_answered_ask_was() {
    let ids = ["ask-a", "ask-b", "ask-c"];
    let waiting = ids.map(|id| record(id, vec![database()]));
    let mut late = record("ask-late", vec![database()]);
    late.waiters = 0;
    let mut person = Person::inbox(waiting.iter().cloned().chain([late]).collect());
    let focused = |person: &Person| person.model.focused().unwrap().id.to_string();
    let answers = |person: &mut Person, at: usize| {
        person.handle(changed(answered(waiting[at].clone())));
    };
    answers(&mut person, 0);
    assert_eq!(focused(&person), "ask-b", "the next ask takes its row");
    person.keys("j");
    assert_eq!(focused(&person), "ask-c");
    answers(&mut person, 2);
    assert_eq!(
        focused(&person),
        "ask-b",
        "a waiting ask is preferred to a late one"
    );
    // Its agent has received it, and it has left the list.
    person.handle(Event::Changed {
        records: Vec::new(),
        gone: vec![id("ask-a")],
    });
    assert_eq!(focused(&person), "ask-b");
}

#[test]
fn ages_are_repainted_each_minute_and_near_deadlines_each_second() {
    let mut person = Person::inbox(inbox());
    let wait = person.wake.unwrap().since_ms(person.now);
    assert!(wait > 1_000 && wait <= 60_000);
    person.wait_ms(120_000);
    assert!(person.wake.unwrap().since_ms(person.now) <= 1_000);
    assert!(
        Person::inbox(Vec::new()).wake.is_none(),
        "nothing to tell, nothing to wake for"
    );
}

#[test]
fn an_invisible_deadline_is_not_counted_down() {
    let many = |at: usize, deadline: i64| {
        let mut record = record(&format!("ask-{at:03}"), vec![database()]);
        record.deadline_at = Some(Time(NOON.0 + deadline));
        record
    };
    let wait = |person: &Person| person.wake.unwrap().since_ms(person.now);
    let mut late = many(99, 30_000);
    late.waiters = 0;
    let mut records: Vec<_> = (0..60).map(|at| many(at, 3_600_000)).collect();
    records.push(late);
    let mut person = Person::inbox(records);
    assert_eq!(
        wait(&person),
        60_000,
        "it is far below, among the late ones"
    );
    person.keys("G");
    assert_eq!(wait(&person), 1_000, "and is seen at the end of the list");
    person.key(KeyCode::F(1));
    person.wait_ms(1_000);
    assert_eq!(wait(&person), 60_000, "help covers it");
    // A minute that begins between two repaints isn't missed.
    let person = Person::inbox(vec![many(1, 90_000)]);
    assert_eq!(wait(&person), 30_000);
}

#[test]
fn typing_works_while_the_hub_is_unreachable() {
    let mut person = Person::one(three());
    person.handle(Event::Connected(false));
    assert!(person.at(80, 24).contains("reconnecting"));
    person.keys("1");
    assert_eq!(person.card().form.answered_count(), 1);
}

#[test]
fn resizing_loses_nothing() {
    let mut person = Person::at_card(three());
    person.keys("1orders");
    let before = person.at(100, 30);
    for (columns, rows) in [(1, 1), (24, 6), (200, 60), (5, 50), (100, 3)] {
        person.at(columns, rows);
    }
    assert_eq!(person.at(100, 30), before);
}

#[test]
fn an_open_ask_missing_from_a_new_list_is_fetched() {
    let mut person = Person::at_card(three());
    person.handle(Event::Records(Vec::new()));
    assert_eq!(
        person.take_effects(),
        [Effect::Fetch {
            id: id("ask-three")
        }]
    );
    person.handle(Event::Changed {
        records: Vec::new(),
        gone: vec![id("ask-three")],
    });
    assert!(person.at(80, 24).contains("NO LONGER ASKED"));
}

#[test]
fn a_draft_counts_as_saved_when_the_hub_has_confirmed_it() {
    let mut person = Person::at_card(three());
    person.hub_confirms = false;
    person.keys("1");
    assert!(!person.at(100, 30).contains("draft saved"));
    let effects = person.take_effects();
    let [save] = effects.as_slice() else {
        panic!("{effects:?}");
    };
    let record = person.confirmed_draft(save).expect("a draft goes out");
    person.handle(changed(record));
    assert!(person.at(100, 30).contains("draft saved 12:00"));
}
