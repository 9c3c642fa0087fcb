//! The key hints at the bottom and other places that name keys: what fits, what is left out first,
//! and a key map of the person's own.

use ask_config::config::Config;
use ask_config::keys::Keymap;

use super::{Person, lines, painted};
use crate::fixtures::{database, features, inbox, record, service, three};

/// The last rows of the screen.
fn foot(person: &mut Person, columns: u16, rows: u16) -> String {
    person.at(columns, rows);
    let (buffer, _) = painted(&person.model, columns, rows);
    let lines = lines(&buffer);
    let rule = lines.iter().rposition(|line| line.starts_with("──"));
    lines[rule.map_or(0, |at| at + 1)..].join("\n")
}

fn with_keys(person: &mut Person, settings: &str) {
    let config = Config::parse(settings).config;
    person.model.display.keys = Keymap::from_changes(&config.keys, config.terminal.typing);
}

#[test]
fn a_narrow_list_hints_at_open_snooze_filter_and_help() {
    let mut person = Person::inbox(inbox());
    assert_eq!(
        foot(&mut person, 44, 14),
        " Enter open  s snooze  / filter  ? help"
    );
    let roomy = foot(&mut person, 60, 14);
    assert!(
        roomy.contains("x decline") && roomy.contains("q quit"),
        "{roomy}"
    );
    assert!(foot(&mut person, 100, 30).contains("q quit"));
}

#[test]
fn the_hint_for_attaching_displaces_no_other() {
    let mut person = Person::at_card(record("ask-text", vec![service()]));
    assert!(person.card().focus().typing);
    let hints = foot(&mut person, 100, 30);
    assert!(hints.contains("Alt+a attach a file"), "{hints}");
    let others = |hints: &str| {
        hints
            .split("   ")
            .filter(|hint| !hint.contains("attach"))
            .count()
    };
    for columns in [72, 76, 80, 90, 100] {
        for rows in [10, 14, 24, 30] {
            let with = foot(&mut person, columns, rows);
            let mut without = Person::at_card(record("ask-text", vec![service()]));
            with_keys(&mut without, "[keys.field]\nattach = 'none'");
            let without = foot(&mut without, columns, rows);
            let all = |hints: &str| others(&hints.replace('\n', "   "));
            assert_eq!(
                all(&with),
                all(&without),
                "{columns}x{rows}:\n{with}\n{without}"
            );
        }
    }
}

#[test]
fn a_message_names_the_key_that_is_bound_to_enter() {
    let mut person = Person::one(record("ask-many", vec![features()]));
    with_keys(&mut person, "[keys.card]\nenter = 'F5'");
    person.key(crossterm::event::KeyCode::F(5));
    let seen = person.at(80, 24);
    assert!(seen.contains("Nothing chosen: F5 again"), "{seen}");
}

#[test]
fn a_dialog_names_the_keys_that_are_bound_to_its_actions() {
    let mut person = Person::at_card(three());
    person.ctrl('c');
    let seen = person.at(100, 30);
    assert!(seen.contains("until you choose 3 or 4."), "{seen}");
    with_keys(
        &mut person,
        "[keys.dialog]\nnumber = 'none'\ndiscard = 'D'\ndecline = 'e'",
    );
    let seen = person.at(100, 30);
    assert!(seen.contains("until you choose D or e."), "{seen}");
    let mut person = Person::at_card(record("ask-two", vec![database(), features()]));
    with_keys(&mut person, "[keys.card]\nnext-tab = 'F6'");
    person.keys("1");
    person.key(crossterm::event::KeyCode::Enter);
    let seen = person.at(100, 30);
    assert!(seen.contains("F6 goes on without"), "{seen}");
}
