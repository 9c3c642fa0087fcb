//! Every screen in every language, at every size that screens are designed for.

use ask_config::i18n::{Language, Words};
use crossterm::event::KeyCode;

use super::{Person, lines, painted};
use crate::fixtures::{confirm, database, features, inbox, record, service, three};

const SIZES: [(u16, u16); 5] = [(100, 30), (80, 24), (44, 14), (40, 12), (24, 6)];

/// A person whose surface has this language.
fn in_language(language: Language, mut person: Person) -> Person {
    person.model.display.words = Words::for_language(language);
    person
}

fn card_in_language(language: Language, record: ask_core::Record) -> Person {
    in_language(language, Person::at_card(record))
}

/// Screens whose last row shows the way out, each with its name.
fn screens(language: Language) -> Vec<(&'static str, Person)> {
    let one = |question| card_in_language(language, record("ask-one", vec![question]));
    let keyed = |mut person: Person, keys: &str| {
        person.keys(keys);
        person
    };
    let mut typing = one(database());
    typing.keys("0words");
    let mut discard = in_language(language, Person::one(record("ask-one", vec![database()])));
    discard.keys("1");
    discard.key(KeyCode::Esc);
    let mut review = card_in_language(language, three());
    review.key(KeyCode::BackTab);
    vec![
        ("choices", one(database())),
        ("ticks", one(features())),
        ("confirm", one(confirm())),
        ("text", one(service())),
        ("typing", typing),
        ("tabs", card_in_language(language, three())),
        ("review", review),
        ("discard", discard),
        ("reason", keyed(one(database()), "x")),
        ("ask_back", keyed(one(database()), "c")),
        ("snooze", keyed(one(database()), "s")),
        ("note", keyed(one(database()), "n")),
        ("filter", keyed(one(database()), "/")),
    ]
}

#[test]
fn every_screen_names_esc_at_every_size() {
    for language in Language::ALL {
        let escape = Words::for_language(language).say("keys-esc");
        for (name, mut person) in screens(language) {
            for (columns, rows) in SIZES {
                let text = person.at(columns, rows);
                let (buffer, _) = painted(&person.model, columns, rows);
                let last = lines(&buffer).pop().unwrap_or_default();
                let place = format!("{name} in {} at {columns}x{rows}", language.code());
                assert!(last.contains(&escape), "{place}:\n{text}");
            }
        }
    }
}

#[test]
fn every_action_of_the_discard_dialog_is_visible() {
    for language in Language::ALL {
        let (_, mut person) = screens(language).swap_remove(7);
        for (columns, rows) in &SIZES[..3] {
            let text = person.at(*columns, *rows);
            for number in 1..=4 {
                let choice = format!(" {number}. ");
                assert!(text.contains(&choice), "{}:\n{text}", language.code());
            }
        }
    }
}

#[test]
fn screens_in_every_language() {
    for language in Language::ALL {
        let mut list = in_language(language, Person::inbox(inbox()));
        let mut pictures = vec![list.at(100, 30), list.at(44, 14)];
        for (name, mut person) in screens(language) {
            if matches!(name, "tabs" | "review" | "discard") {
                pictures.extend([person.at(100, 30), person.at(44, 14)]);
            }
        }
        list.keys("?");
        pictures.push(list.at(80, 60));
        insta::assert_snapshot!(
            format!("language_{}", language.code()),
            pictures.join("\n\n")
        );
    }
}
