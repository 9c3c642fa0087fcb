//! Text typed for an ask that somebody else closed: a key that was meant for the field loses
//! nothing, and the text can be had again.

use ask_core::{Answer, Draft, Outcome, Record};
use crossterm::event::{KeyCode, KeyModifiers};

use super::{Person, id};
use crate::fixtures::{closed, database, record, service, settle, three};
use crate::tui::event::{Effect, Event};
use crate::tui::model::{Overlay, Screen};
use crate::{Closing, Ended, Mode};

fn changed(record: Record) -> Event {
    Event::Changed {
        records: vec![record],
        gone: Vec::new(),
    }
}

fn text() -> Record {
    record("ask-text", vec![service()])
}

/// The ask, answered by somebody else with other text.
fn answered(record: Record) -> Record {
    let draft = Draft {
        answers: vec![Answer::saying("theirs")],
        note: None,
    };
    closed(record, draft)
}

fn declined(mut record: Record) -> Record {
    settle(&mut record, Outcome::Declined { reason: None }, "command");
    record
}

/// A person who types into a text question while a command answers it.
fn overtaken(mode: Mode) -> Person {
    let mut person = Person::new(mode, vec![text()]);
    if person.model.card().is_none() {
        person.key(KeyCode::Enter);
    }
    person.settle_in();
    person.keys("order processor");
    person.happen(changed(answered(text())));
    person.happen(Event::InputDrained);
    person.taken();
    person
}

fn left(person: &Person) -> String {
    let left = person.model.left.iter();
    left.map(|left| left.said.as_str()).collect()
}

fn is_notice(person: &Person) -> bool {
    matches!(person.model.screen, Screen::Notice(_))
}

#[test]
fn a_key_meant_for_the_field_leaves_the_notice_whatever_pause_came_before_it() {
    for pause in [0, 200, 400, 900, 1_900] {
        for code in [KeyCode::Enter, KeyCode::Esc, KeyCode::Char('?')] {
            let mut person = overtaken(Mode::One(id("ask-text")));
            person.keys("s and more");
            person.pass(pause);
            person.key(code);
            assert_eq!(person.taken(), [], "{code:?} after {pause} ms");
            assert!(is_notice(&person) && person.model.over.is_none());
            let seen = person.at(100, 30);
            assert!(seen.contains("That key came too soon"), "{seen}");
            assert!(seen.contains("Nothing you typed was sent."), "{seen}");
            assert!(seen.contains("it is printed when you leave"), "{seen}");
            person.pass(2_100);
            assert!(!person.at(100, 30).contains("too soon"));
        }
    }
    let mut person = overtaken(Mode::One(id("ask-text")));
    person.keys("s");
    person.pass(2_100);
    person.key(KeyCode::Enter);
    let done = answered(text());
    let closed = Ended::ClosedElsewhere(Box::new(done));
    assert_eq!(person.taken(), [Effect::Quit(closed)]);
}

#[test]
fn the_pause_counts_from_when_the_notice_was_painted() {
    let mut person = overtaken(Mode::One(id("ask-text")));
    person.pass(5_000);
    person.model.guard_mut().unwrap().painted(person.now);
    person.pass(1_000);
    person.key(KeyCode::Enter);
    assert!(is_notice(&person), "the notice wasn't painted before");
    person.pass(2_100);
    person.model.guard_mut().unwrap().painted(person.now);
    person.key(KeyCode::Enter);
    assert_eq!(person.taken().len(), 1);
}

#[test]
fn what_was_typed_is_said_at_the_end_with_who_was_first() {
    let person = overtaken(Mode::One(id("ask-text")));
    let said = left(&person);
    assert!(said.contains("(ask-text)\nANSWERED BY COMMAND  12:07\n"));
    assert!(said.contains("Nothing you typed was sent.\nYou had this:\n"));
    assert!(said.contains("order processor\n"), "{said}");
    // In one-shot mode the outcome is printed even if nothing was typed.
    let mut person = Person::one(text());
    person.happen(changed(answered(text())));
    let said = left(&person);
    assert!(said.ends_with("(ask-text)\nANSWERED BY COMMAND  12:07\n"));
    assert!(!person.model.left[0].filled, "{said}");
    // The list has no end at which it could be printed.
    let mut person = Person::carded(text());
    person.happen(changed(answered(text())));
    assert_eq!(left(&person), "");
}

#[test]
fn what_was_typed_is_the_first_that_alt_up_brings() {
    let mut person = overtaken(Mode::Inbox);
    person.pass(2_100);
    person.key(KeyCode::Enter);
    person.happen(Event::InputDrained);
    let seen = person.at(100, 30);
    assert!(seen.contains("Alt+↑ brings it back"), "{seen}");
    person.pass(400);
    person.happen(changed(record("ask-next", vec![service()])));
    person.key(KeyCode::Enter);
    person.settle_in();
    person.press(KeyCode::Up, KeyModifiers::ALT);
    assert_eq!(person.taken(), [Effect::Recall { id: id("ask-next") }]);
    let records = vec![answered(text())];
    let id = id("ask-next");
    person.happen(Event::Recalled { id, records });
    let field = |person: &Person| person.card().form.entries[0].field.text().to_owned();
    assert_eq!(field(&person), "order processor");
    person.press(KeyCode::Up, KeyModifiers::ALT);
    assert_eq!(field(&person), "theirs");
}

#[test]
fn notes_words_beside_a_choice_and_words_of_dialogs_are_kept() {
    let asked = || record("ask-one", vec![database()]);
    let mut person = Person::carded(asked());
    person.keys("0mine alone");
    person.key(KeyCode::Enter);
    // A choice replaces the text, which is kept all the same.
    person.keys("1n");
    person.keys("mind the gutter");
    person.key(KeyCode::Enter);
    person.keys("c");
    person.keys("which one?");
    assert!(matches!(person.model.over, Some(Overlay::AskBack { .. })));
    person.happen(changed(declined(asked())));
    assert!(is_notice(&person), "{}", person.at(100, 30));
    let said = left(&person);
    for words in ["mine alone", "mind the gutter", "which one?"] {
        assert!(said.contains(words), "{words}: {said}");
        let known = person.model.again.iter().any(|own| own == words);
        assert!(known, "{words}: {:?}", person.model.again);
    }
    person.happen(Event::InputDrained);
    person.pass(2_100);
    person.keys("d");
    let seen = person.at(100, 30);
    assert!(
        seen.contains("which one?") && seen.contains("mine alone"),
        "{seen}"
    );
    person.taken();
    person.keys("y");
    let copied = person.taken();
    let [Effect::Copy { text }] = copied.as_slice() else {
        panic!("{copied:?}");
    };
    assert!(text.contains("mind the gutter") && text.contains("which one?"));
}

#[test]
fn a_reason_typed_at_the_list_is_kept_when_its_ask_closes() {
    let asked = || record("ask-one", vec![database()]);
    let mut person = Person::inbox(vec![asked(), three()]);
    person.key(KeyCode::Home);
    let first = person.model.focused().unwrap().clone();
    person.keys("x");
    person.keys("not on a Friday");
    person.happen(changed(declined(first)));
    assert!(is_notice(&person), "{}", person.at(100, 30));
    person.happen(Event::InputDrained);
    person.taken();
    person.keys(" x1q");
    person.key(KeyCode::Enter);
    assert!(is_notice(&person) && person.taken().is_empty());
    assert!(left(&person).contains("not on a Friday"));
    assert_eq!(person.model.again, ["not on a Friday"]);
    // An empty dialog closes; keys that were meant for it do nothing in the list.
    let mut person = Person::inbox(vec![asked(), three()]);
    let first = person.model.focused().unwrap().clone();
    person.keys("x");
    person.happen(changed(declined(first)));
    person.keys("x1q");
    assert!(person.model.over.is_none() && matches!(person.model.screen, Screen::Inbox));
    assert_eq!(person.taken(), [Effect::DrainInput]);
}

#[test]
fn words_for_an_ask_that_closes_behind_another_ones_dialog_are_kept() {
    let mut person = Person::inbox(vec![record("ask-one", vec![database()]), three()]);
    person.key(KeyCode::Home);
    let first = person.model.focused().unwrap().clone();
    person.keys("x");
    person.keys("not on a Friday");
    person.key(KeyCode::Esc);
    person.key(KeyCode::Down);
    person.keys("x");
    person.keys("nor this");
    person.happen(changed(declined(first)));
    person.keys(" one");
    person.key(KeyCode::Esc);
    assert_eq!(person.model.again, ["not on a Friday"]);
    assert!(left(&person).contains("not on a Friday"));
    // The text begun in the dialog is still there.
    person.keys("x");
    assert!(person.at(100, 30).contains("nor this one"));
}

#[test]
fn a_refusal_that_came_second_keeps_its_reason() {
    let asked = || record("ask-one", vec![database()]);
    for carded in [true, false] {
        let mut person = Person::inbox(vec![asked()]);
        if carded {
            person.key(KeyCode::Enter);
            person.settle_in();
        }
        person.keys("x");
        person.keys("too late");
        person.key(KeyCode::Enter);
        let closing = Closing::Lost(Box::new(declined(asked())));
        person.happen(Event::Settled {
            id: id("ask-one"),
            closing,
        });
        assert!(is_notice(&person), "{}", person.at(100, 30));
        assert!(left(&person).contains("too late"), "{}", left(&person));
    }
}

#[test]
fn what_was_sent_is_not_said_to_be_left() {
    let mut person = Person::carded(text());
    person.keys("theirs");
    person.happen(changed(answered(text())));
    assert_eq!(left(&person), "");
    let mut person = Person::inbox(vec![text()]);
    person.keys("x");
    person.keys("no");
    person.key(KeyCode::Enter);
    let closing = Closing::Won(Box::new(declined(text())));
    person.happen(Event::Settled {
        id: id("ask-text"),
        closing,
    });
    assert_eq!(left(&person), "");
}

#[test]
fn what_is_on_the_card_is_left_when_the_hub_is_gone() {
    let mut person = Person::one(text());
    person.keys("half a na");
    person.model.leave_open();
    let said = left(&person);
    assert!(said.contains("(ask-text)\nNothing you typed was sent."));
    assert!(said.contains("half a na"), "{said}");
}

#[test]
fn what_is_printed_at_the_end_obeys_nobody() {
    let mut person = Person::one(text());
    person.happen(Event::Paste("a\u{1b}[2Jb\u{202e}c".to_owned()));
    person.happen(changed(answered(text())));
    let said = left(&person);
    assert!(!said.contains(['\u{1b}', '\u{202e}']), "{said:?}");
}
