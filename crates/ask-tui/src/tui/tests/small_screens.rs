//! Screens with little room: shorter texts, further rows, or a way to the rest.

use ask_config::i18n::{Language, Words};
use ask_core::{Outcome, Record};
use crossterm::event::KeyCode;

use super::Person;
use crate::fixtures::{
    NOON, confirm, database, features, inbox, question, record, service, settle, three,
};
use crate::tui::StartupProblems;
use crate::tui::event::Event;

/// A question whose choice has a long preview, below a long context.
fn previewed() -> Record {
    let mut database = database();
    if let ask_core::Input::One(choices) = &mut database.input {
        choices[0].preview = Some("line\n".repeat(30));
    }
    let mut asked = record("ask-two", vec![database, service()]);
    asked.ask.context = Some("A paragraph.\n\n".repeat(12));
    asked
}

#[test]
fn two_rows_of_hints_name_every_important_key() {
    let mut person = Person::at_card(previewed());
    for (columns, rows) in [(80, 24), (100, 30)] {
        let seen = person.at(columns, rows);
        for key in [
            "↑↓ select",
            "1-9 ",
            "0 other",
            "Enter ",
            "Tab",
            "n note",
            "p preview",
            "PgDn",
            "i read",
            "c ask back",
            "x decline",
            "? help",
            "Esc ",
        ] {
            assert!(seen.contains(key), "{key}:\n{seen}");
        }
    }
    let mut list = Person::inbox(inbox());
    let seen = list.at(80, 24);
    assert!(
        seen.contains("h history") && seen.contains("m mute notifications"),
        "{seen}"
    );
    assert!(list.at(24, 6).contains("? help"));
    let seen = person.at(24, 6);
    assert!(seen.contains("Enter next  ?  Esc out"), "{seen}");
}

#[test]
fn preview_and_context_share_the_rows() {
    let mut person = Person::at_card(previewed());
    let seen = person.at(80, 24);
    let preview = seen.lines().filter(|line| line.trim() == "line").count();
    let context = seen
        .lines()
        .filter(|line| line.contains("paragraph"))
        .count();
    assert!(preview >= 4 && preview > context, "{seen}");
    assert!(
        seen.contains("more lines (i reads all)"),
        "PgDn turns the preview:\n{seen}"
    );
    // Without a preview, PgDn scrolls the context; in a field it moves the caret.
    person.key(KeyCode::Tab);
    let seen = person.at(44, 14);
    assert!(seen.contains("Esc, then i reads all)"), "{seen}");
    person.key(KeyCode::BackTab);
    person.key(KeyCode::Down);
    assert!(person.at(44, 14).contains("(PgDn, i reads all)"));
}

#[test]
fn only_a_part_of_a_huge_terminal_is_drawn() {
    let mut person = Person::at_card(three());
    person.handle(Event::Resize(u16::MAX, u16::MAX));
    assert_eq!(person.model.size, (1_000, 500));
}

#[test]
fn a_note_is_visible_on_a_small_card() {
    let mut person = Person::at_card(three());
    person.keys("nonly v1");
    person.key(KeyCode::Enter);
    let seen = person.at(44, 14);
    assert!(seen.contains("Note: \"only v1\""), "{seen}");
}

#[test]
fn group_headings_fit_44_columns_in_every_language() {
    for language in Language::ALL {
        let words = Words::for_language(language);
        let mut late = record("ask-late", vec![service()]);
        settle(&mut late, Outcome::Expired, "clock");
        let mut kept = record("ask-kept", vec![database()]);
        settle(&mut kept, Outcome::Declined { reason: None }, "terminal");
        kept.waiters = 0;
        let mut person = Person::inbox(vec![late, kept]);
        person.model.display.words = words;
        let seen = person.at(44, 14);
        for either in [
            [
                words.say("inbox-group-late"),
                words.say("inbox-group-late-short"),
            ],
            [
                words.say("inbox-group-kept"),
                words.say("inbox-group-kept-short"),
            ],
        ] {
            let fits = either.iter().any(|heading| seen.contains(heading));
            assert!(fits, "{either:?} in {}:\n{seen}", language.code());
        }
    }
}

#[test]
fn at_the_smallest_size_no_choice_is_clipped() {
    let mut person = Person::inbox(Vec::new());
    let seen = person.at(24, 6);
    assert!(
        seen.contains("No question waits for\n") && seen.contains(" you."),
        "{seen}"
    );
    let mut person = Person::at_card(record("ask-one", vec![database()]));
    person.keys("s");
    let seen = person.at(24, 6);
    assert!(seen.contains("3. 1 hour\n"), "{seen}");
    person.key(KeyCode::Esc);
    person.keys("1");
    person.ctrl('c');
    person.keys("jj");
    let seen = person.at(24, 6);
    assert!(seen.contains("Discard 1 answer?"), "{seen}");
    assert!(
        seen.contains("3. Discard") && seen.contains("cancel"),
        "{seen}"
    );
    let mut person = Person::at_card(three());
    person.key(KeyCode::BackTab);
    let seen = person.at(24, 6);
    assert!(
        seen.contains(" 1. ") && seen.contains(" 2. ") && seen.contains(" 3. "),
        "{seen}"
    );
}

#[test]
fn a_bar_of_many_tabs_names_the_current_one() {
    let ask = |at| question(&format!("Header {at}"), "What?", ask_core::Input::Text);
    let mut person = Person::at_card(record("ask-many", (0..20).map(ask).collect()));
    person.key(KeyCode::Tab);
    assert!(person.at(80, 24).contains("[2/21] Header 1"));
}

#[test]
fn help_lists_no_key_without_effect() {
    let mut person = Person::at_card(record("ask-two", vec![confirm(), features()]));
    person.keys("?");
    let seen = person.at(100, 60);
    assert!(
        !seen.contains("more time") && !seen.contains("all recommended"),
        "{seen}"
    );
    let mut timed = record("ask-one", vec![database()]);
    timed.deadline_at = Some(NOON.plus_ms(600_000));
    let mut person = Person::at_card(timed);
    person.keys("?");
    let seen = person.at(100, 60);
    assert!(
        seen.contains("more time") && seen.contains("all recommended"),
        "{seen}"
    );
    let mut person = Person::inbox(inbox());
    person.keys("?");
    let seen = person.at(100, 60);
    assert!(!seen.contains("Answering"), "{seen}");
}

#[test]
fn startup_problems_are_shown_in_the_list() {
    let mut person = Person::inbox(inbox());
    for (store_moved, text) in [
        (
            false,
            "config.toml: 2 settings can't be used; `ask-user doctor` tells more.",
        ),
        (
            true,
            "A store was damaged or lost: what was in it is not here. `ask-user doctor` tells more.",
        ),
    ] {
        person.model.show_startup_problems(StartupProblems {
            invalid_settings: 2,
            store_moved,
        });
        let seen = person.at(100, 24);
        assert!(seen.contains(text), "{seen}");
    }
}

#[test]
fn muted_notifications_can_be_unmuted() {
    let mut person = Person::inbox(inbox());
    person.handle(Event::Day(ask_protocol::ipc::Day {
        muted: true,
        ..ask_protocol::ipc::Day::default()
    }));
    assert!(person.at(100, 30).contains("m unmute notifications"));
}
