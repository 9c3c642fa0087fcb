//! Text typed for an ask that somebody else closed: a key that was meant for the field loses
//! nothing, and the text can be had again.

use ask_core::record::Saved;
use ask_core::{Answer, Attachment, Draft, Outcome, Record};
use crossterm::event::{KeyCode, KeyModifiers};

use super::attach::picture;
use super::{Person, id};
use crate::fixtures::{NOON, closed, database, record, service, settle, three};
use crate::tui::event::{Effect, Event};
use crate::tui::model::{Overlay, Screen};
use crate::{Mode, SettleResult, SurfaceEnd};

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
fn closed_by_other(mode: Mode) -> Person {
    let mut person = Person::new(mode, vec![text()]);
    if person.model.card().is_none() {
        person.key(KeyCode::Enter);
    }
    person.end_guard();
    person.keys("order processor");
    person.handle(changed(answered(text())));
    person.handle(Event::InputDrained);
    person.take_effects();
    person
}

fn leftovers(person: &Person) -> String {
    let left = person.model.leftovers.iter();
    left.map(|left| left.text.as_str()).collect()
}

fn is_notice(person: &Person) -> bool {
    matches!(person.model.screen, Screen::Notice(_))
}

#[test]
fn a_key_right_after_the_notice_opened_does_not_close_it() {
    for pause in [0, 200, 400, 900, 1_900] {
        for code in [KeyCode::Enter, KeyCode::Esc, KeyCode::Char('?')] {
            let mut person = closed_by_other(Mode::One(id("ask-text")));
            person.keys("s and more");
            person.wait_ms(pause);
            person.key(code);
            assert_eq!(person.take_effects(), [], "{code:?} after {pause} ms");
            assert!(is_notice(&person) && person.model.overlay.is_none());
            let seen = person.at(100, 30);
            assert!(seen.contains("That key came too soon"), "{seen}");
            assert!(seen.contains("Nothing you typed was sent."), "{seen}");
            assert!(seen.contains("it is printed when you leave"), "{seen}");
            person.wait_ms(2_100);
            assert!(!person.at(100, 30).contains("too soon"));
        }
    }
    let mut person = closed_by_other(Mode::One(id("ask-text")));
    person.keys("s");
    person.wait_ms(2_100);
    person.key(KeyCode::Enter);
    let done = answered(text());
    let closed = SurfaceEnd::ClosedElsewhere(Box::new(done));
    assert_eq!(person.take_effects(), [Effect::Quit(closed)]);
}

#[test]
fn a_person_who_presses_slowly_leaves_the_notice_and_one_who_types_does_not() {
    for (code, leaves) in [(KeyCode::Esc, true), (KeyCode::Char('k'), false)] {
        let mut person = closed_by_other(Mode::One(id("ask-text")));
        for _ in 0..3 {
            person.key(code);
            person.wait_ms(800);
            assert!(is_notice(&person), "the first two seconds are ignored");
        }
        person.key(KeyCode::Esc);
        assert_eq!(!person.take_effects().is_empty(), leaves, "{code:?}");
    }
}

#[test]
fn the_guard_starts_when_the_notice_is_painted() {
    let mut person = closed_by_other(Mode::One(id("ask-text")));
    person.wait_ms(5_000);
    person.model.mark_painted(person.now);
    person.wait_ms(1_000);
    person.key(KeyCode::Enter);
    assert!(is_notice(&person), "the notice wasn't painted before");
    person.wait_ms(2_100);
    person.model.mark_painted(person.now);
    person.key(KeyCode::Enter);
    assert_eq!(person.take_effects().len(), 1);
}

#[test]
fn unsent_text_is_printed_at_the_end_with_the_settlement() {
    let person = closed_by_other(Mode::One(id("ask-text")));
    let said = leftovers(&person);
    assert!(said.contains("(ask-text)\nANSWERED BY COMMAND  12:07\n"));
    assert!(said.contains("Nothing you typed was sent.\nYou had this:\n"));
    assert!(said.contains("order processor\n"), "{said}");
    // In one-shot mode the outcome is printed even if nothing was typed.
    let mut person = Person::one(text());
    person.handle(changed(answered(text())));
    let said = leftovers(&person);
    assert!(said.ends_with("(ask-text)\nANSWERED BY COMMAND  12:07\n"));
    assert!(!person.model.leftovers[0].has_typed_text, "{said}");
    // The list has no end at which it could be printed.
    let mut person = Person::at_card(text());
    person.handle(changed(answered(text())));
    assert_eq!(leftovers(&person), "");
}

#[test]
fn unsent_text_is_recalled_first() {
    let mut person = closed_by_other(Mode::Inbox);
    person.wait_ms(2_100);
    person.key(KeyCode::Enter);
    person.handle(Event::InputDrained);
    let seen = person.at(100, 30);
    assert!(seen.contains("Alt+↑ brings it back"), "{seen}");
    person.wait_ms(400);
    person.handle(changed(record("ask-next", vec![service()])));
    person.key(KeyCode::Enter);
    person.end_guard();
    person.press(KeyCode::Up, KeyModifiers::ALT);
    assert_eq!(
        person.take_effects(),
        [Effect::Recall { id: id("ask-next") }]
    );
    let records = vec![answered(text())];
    let id = id("ask-next");
    person.handle(Event::Recalled { id, records });
    let field = |person: &Person| person.card().form.entries[0].field.text().to_owned();
    assert_eq!(field(&person), "order processor");
    person.press(KeyCode::Up, KeyModifiers::ALT);
    assert_eq!(field(&person), "theirs");
}

#[test]
fn notes_replaced_texts_and_texts_of_dialogs_are_kept() {
    let asked = || record("ask-one", vec![database()]);
    let mut person = Person::at_card(asked());
    person.keys("0mine alone");
    person.key(KeyCode::Enter);
    // A choice replaces the text, which is kept all the same.
    person.keys("1n");
    person.keys("mind the gutter");
    person.key(KeyCode::Enter);
    person.keys("c");
    person.keys("which one?");
    assert!(matches!(
        person.model.overlay,
        Some(Overlay::AskBack { .. })
    ));
    person.handle(changed(declined(asked())));
    assert!(is_notice(&person), "{}", person.at(100, 30));
    let said = leftovers(&person);
    for words in ["mine alone", "mind the gutter", "which one?"] {
        assert!(said.contains(words), "{words}: {said}");
        let known = person.model.again.iter().any(|own| own == words);
        assert!(known, "{words}: {:?}", person.model.again);
    }
    person.handle(Event::InputDrained);
    person.wait_ms(2_100);
    person.keys("d");
    let seen = person.at(100, 30);
    assert!(
        seen.contains("which one?") && seen.contains("mine alone"),
        "{seen}"
    );
    person.take_effects();
    person.keys("y");
    let copied = person.take_effects();
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
    person.handle(changed(declined(first)));
    assert!(is_notice(&person), "{}", person.at(100, 30));
    person.handle(Event::InputDrained);
    person.take_effects();
    person.keys(" x1q");
    person.key(KeyCode::Enter);
    assert!(is_notice(&person) && person.take_effects().is_empty());
    assert!(leftovers(&person).contains("not on a Friday"));
    assert_eq!(person.model.again, ["not on a Friday"]);
    // An empty dialog closes; keys that were meant for it do nothing in the list.
    let mut person = Person::inbox(vec![asked(), three()]);
    let first = person.model.focused().unwrap().clone();
    person.keys("x");
    person.handle(changed(declined(first)));
    person.keys("x1q");
    assert!(person.model.overlay.is_none() && matches!(person.model.screen, Screen::Inbox));
    assert_eq!(person.take_effects(), [Effect::DrainInput]);
}

#[test]
fn an_unsent_reason_survives_when_its_ask_closes_behind_another_dialog() {
    let mut person = Person::inbox(vec![record("ask-one", vec![database()]), three()]);
    person.key(KeyCode::Home);
    let first = person.model.focused().unwrap().clone();
    person.keys("x");
    person.keys("not on a Friday");
    person.key(KeyCode::Esc);
    person.key(KeyCode::Down);
    person.keys("x");
    person.keys("nor this");
    person.handle(changed(declined(first)));
    person.keys(" one");
    person.key(KeyCode::Esc);
    assert_eq!(person.model.again, ["not on a Friday"]);
    assert!(leftovers(&person).contains("not on a Friday"));
    // The text begun in the dialog is still there.
    person.keys("x");
    assert!(person.at(100, 30).contains("nor this one"));
}

#[test]
fn a_decline_that_lost_keeps_its_reason() {
    let asked = || record("ask-one", vec![database()]);
    for carded in [true, false] {
        let mut person = Person::inbox(vec![asked()]);
        if carded {
            person.key(KeyCode::Enter);
            person.end_guard();
        }
        person.keys("x");
        person.keys("too late");
        person.key(KeyCode::Enter);
        let result = SettleResult::Lost(Box::new(declined(asked())));
        person.handle(Event::Settled {
            id: id("ask-one"),
            result,
        });
        assert!(is_notice(&person), "{}", person.at(100, 30));
        assert!(
            leftovers(&person).contains("too late"),
            "{}",
            leftovers(&person)
        );
    }
}

#[test]
fn sent_text_is_no_leftover() {
    let mut person = Person::at_card(text());
    person.keys("theirs");
    person.handle(changed(answered(text())));
    assert_eq!(leftovers(&person), "");
    let mut person = Person::inbox(vec![text()]);
    person.keys("x");
    person.keys("no");
    person.key(KeyCode::Enter);
    let result = SettleResult::Won(Box::new(declined(text())));
    person.handle(Event::Settled {
        id: id("ask-text"),
        result,
    });
    assert_eq!(leftovers(&person), "");
}

#[test]
fn the_texts_of_the_card_are_leftovers_without_the_hub() {
    let mut person = Person::one(text());
    person.keys("half a na");
    person.model.keep_card_texts(true);
    let said = leftovers(&person);
    assert!(said.contains("(ask-text)\nNothing you typed was sent."));
    assert!(said.contains("half a na"), "{said}");
}

#[test]
fn printed_leftovers_hold_no_escape_sequences() {
    let mut person = Person::one(text());
    person.handle(Event::Paste("a\u{1b}[2Jb\u{202e}c".to_owned()));
    person.handle(changed(answered(text())));
    let said = leftovers(&person);
    assert!(!said.contains(['\u{1b}', '\u{202e}']), "{said:?}");
}

/// A person whose hub is away, and who has typed and left the card with Esc.
fn left_without_hub() -> Person {
    let mut person = Person::at_card(text());
    person.hub_confirms = false;
    person.handle(Event::Connected(false));
    person.keys("a long answer");
    person.key(KeyCode::Esc);
    person.wait_ms(1_000);
    person.handle(Event::DraftUnsaved(id("ask-text")));
    person.key(KeyCode::Esc);
    assert!(matches!(person.model.screen, Screen::Inbox));
    person.handle(Event::DraftUnsaved(id("ask-text")));
    person.take_effects();
    person
}

/// The ask with what another surface has filled in.
fn filled_in_elsewhere() -> Record {
    let mut record = text();
    record.draft = Some(Saved {
        draft: Draft {
            answers: vec![Answer::saying("from the phone")],
            note: None,
        },
        at: NOON,
        surface: "web".to_owned(),
        revision: 1,
    });
    record
}

fn saved_draft(person: &mut Person) -> Option<Draft> {
    let effects = person.take_effects();
    effects.into_iter().find_map(|effect| match effect {
        Effect::SaveDraft { draft, .. } => Some(draft),
        _ => None,
    })
}

#[test]
fn what_no_hub_could_save_is_in_the_card_when_it_is_opened_again() {
    let mut person = left_without_hub();
    person.key(KeyCode::Enter);
    person.end_guard();
    let shown = person.at(80, 24);
    assert!(shown.contains("a long answer"), "{shown}");
    person.key(KeyCode::Esc);
    person.model.keep_card_texts(false);
    assert!(leftovers(&person).contains("a long answer"));
}

#[test]
fn what_no_hub_could_save_is_saved_when_one_is_back() {
    let mut person = left_without_hub();
    person.handle(Event::Connected(true));
    let draft = saved_draft(&mut person).expect("it is saved again");
    assert_eq!(draft.answers[0].own.as_deref(), Some("a long answer"));
    assert!(person.model.has_unsaved());
    person.handle(Event::DraftSaved(id("ask-text"), draft));
    assert!(!person.model.has_unsaved());

    let mut person = Person::at_card(text());
    person.hub_confirms = false;
    person.keys("in the open card");
    person.wait_ms(1_000);
    person.handle(Event::Connected(false));
    person.handle(Event::DraftUnsaved(id("ask-text")));
    person.take_effects();
    person.handle(Event::Connected(true));
    assert!(saved_draft(&mut person).is_some());
}

#[test]
fn what_no_hub_could_save_is_printed_when_the_inbox_ends() {
    let mut person = left_without_hub();
    person.model.keep_card_texts(false);
    assert!(leftovers(&person).contains("a long answer"));

    let mut closed_meanwhile = left_without_hub();
    closed_meanwhile.handle(changed(answered(text())));
    assert!(leftovers(&closed_meanwhile).contains("a long answer"));
    assert!(!closed_meanwhile.model.has_unsaved());

    let mut saved = Person::at_card(text());
    saved.keys("it is saved");
    saved.key(KeyCode::Esc);
    saved.wait_ms(1_000);
    saved.key(KeyCode::Esc);
    saved.model.keep_card_texts(false);
    assert_eq!(leftovers(&saved), "");
}

#[test]
fn a_draft_that_the_store_refused_is_still_in_the_card() {
    let mut person = Person::at_card(text());
    person.hub_confirms = false;
    person.keys("no room");
    person.key(KeyCode::Esc);
    person.wait_ms(1_000);
    let refused = || Event::DraftNotKept(id("ask-text"), "the disk is full".into());
    person.handle(refused());
    person.key(KeyCode::Esc);
    person.handle(refused());
    let shown = person.at(80, 24);
    assert!(shown.contains("the disk is full"), "{shown}");
    person.take_effects();
    person.key(KeyCode::Enter);
    person.wait_ms(10);
    assert!(saved_draft(&mut person).is_some(), "it is tried again");
    let shown = person.at(80, 24);
    assert!(shown.contains("no room"), "{shown}");
}

#[test]
fn what_no_hub_could_save_does_not_replace_what_another_surface_saved_meanwhile() {
    let mut person = left_without_hub();
    person.handle(Event::Connected(true));
    assert!(saved_draft(&mut person).is_some());
    person.handle(Event::DraftRefused(Box::new(filled_in_elsewhere())));
    assert_eq!(saved_draft(&mut person), None, "the person has not seen it");
    person.handle(changed(filled_in_elsewhere()));
    person.handle(Event::Connected(true));
    assert_eq!(saved_draft(&mut person), None, "the person has not seen it");
    person.key(KeyCode::Enter);
    let shown = person.at(80, 24);
    assert!(shown.contains("a long answer"), "{shown}");
    assert!(person.card().conflict.has_other_versions());
}

#[test]
fn what_is_saved_too_late_for_the_retry_is_saved_at_the_next() {
    let mut person = Person::at_card(text());
    person.hub_confirms = false;
    person.keys("a long answer");
    person.wait_ms(1_000);
    person.handle(Event::Connected(false));
    person.handle(Event::Connected(true));
    person.take_effects();
    person.handle(Event::DraftUnsaved(id("ask-text")));
    assert!(saved_draft(&mut person).is_some());
}

#[test]
fn a_stored_draft_with_files_is_not_unsaved() {
    let mut record = text();
    record.draft = Some(Saved {
        draft: Draft {
            answers: vec![Answer {
                attachments: vec![Attachment {
                    path: Some("/files/a.png".into()),
                    ..picture("a.png", 1)
                }],
                ..Answer::default()
            }],
            note: None,
        },
        at: NOON,
        surface: "web".to_owned(),
        revision: 1,
    });
    let mut person = Person::at_card(text());
    person.handle(changed(record));
    assert!(person.at(80, 24).contains("a.png"));
    assert!(!person.model.has_unsaved());
}

#[test]
fn a_reason_that_was_sent_is_no_leftover_if_the_change_arrives_first() {
    let mut person = Person::inbox(vec![text()]);
    person.keys("x");
    person.keys("no");
    person.key(KeyCode::Enter);
    person.handle(changed(declined(text())));
    let result = SettleResult::Won(Box::new(declined(text())));
    person.handle(Event::Settled {
        id: id("ask-text"),
        result,
    });
    assert_eq!(leftovers(&person), "");
}

#[test]
fn words_that_another_surface_replaced_count_as_unsaved_when_they_come_back() {
    let mut person = Person::at_card(text());
    person.keys("mine");
    person.wait_ms(1_000);
    let draft = saved_draft(&mut person).expect("it is saved");
    person.handle(Event::DraftSaved(id("ask-text"), draft));
    assert!(!person.model.has_unsaved());
    person.wait_ms(10_000);
    let mut theirs = filled_in_elsewhere();
    theirs.draft.as_mut().expect("a draft").revision = 2;
    person.handle(changed(theirs));
    assert!(person.at(80, 24).contains("from the phone"));
    person.wait_ms(3_000);
    person.hub_confirms = false;
    person.handle(Event::Connected(false));
    for _ in "from the phone".chars() {
        person.key(KeyCode::Backspace);
    }
    person.keys("mine");
    assert!(person.model.has_unsaved(), "the hub has the phone's words");
}

#[test]
fn alt_enter_that_a_slow_connection_splits_sends_nothing() {
    let mut person = Person::at_card(text());
    person.keys("one line");
    person.key(KeyCode::Esc);
    person.wait_ms(400);
    person.take_effects();
    person.key(KeyCode::Enter);
    let settles = |effect: &Effect| matches!(effect, Effect::Settle { .. });
    assert!(!person.take_effects().iter().any(settles));
    person.key(KeyCode::Enter);
    assert!(person.take_effects().iter().any(settles), "on purpose");
}

#[test]
fn alt_enter_that_is_split_in_a_dialog_sends_nothing() {
    for key in ["x", "c", "a"] {
        let mut person = Person::at_card(record("ask-one", vec![database()]));
        person.keys(key);
        assert!(person.model.overlay.is_some(), "{key}");
        person.keys("too early");
        person.key(KeyCode::Esc);
        person.wait_ms(250);
        person.take_effects();
        person.key(KeyCode::Enter);
        let settles = |effect: &Effect| matches!(effect, Effect::Settle { .. });
        assert!(!person.take_effects().iter().any(settles), "{key}");
    }
}
