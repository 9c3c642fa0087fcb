//! Choosing: one, several, yes or no, own text besides; and keys that were pressed too early to be
//! meant.

use super::{DATABASE, ask_and_open, ask_and_open_alone, start_agent};
use crate::support::sandbox::Sandbox;
use crate::support::screen::Screen;

const SQLITE: &str = r#"{"answered":true,"answers":[{"question":"Which database?","answer":"SQLite","selectedOption":"SQLite","wasCustom":false}]}"#;
const POSTGRES: &str = r#"{"answered":true,"answers":[{"question":"Which database?","answer":"PostgreSQL","selectedOption":"PostgreSQL","wasCustom":false}]}"#;
const PARTS: &str = r#"{"questions":[{"question":"Which parts?","multiSelect":true,"options":[{"label":"Auth"},{"label":"Docs"},{"label":"Tests"}]}]}"#;

#[test]
fn a_digit_marks_and_enter_sends() {
    let sandbox = Sandbox::new();
    let (asking, screen) = ask_and_open(&sandbox, "pi", DATABASE);
    screen.wait_until_ready();
    screen.press(&["2"]);
    screen.wait_for("› 2. PostgreSQL  ✓ chosen");
    screen.wait_for("Battle-tested");
    screen.press(&["Enter"]);
    screen.wait_for("Answer sent to ask-user.");
    screen.wait_for("No question waits for you.");
    asking.receive_reply(POSTGRES);
}

#[test]
fn arrows_move_around_the_ends_and_enter_takes_the_row() {
    let sandbox = Sandbox::new();
    let (asking, screen) = ask_and_open(&sandbox, "pi", DATABASE);
    screen.wait_until_ready();
    screen.press(&["Down"]);
    screen.wait_for("› 2. PostgreSQL");
    screen.press(&["Down"]);
    screen.wait_for("› 0. Other (type your answer)");
    screen.press(&["Down"]);
    screen.wait_for("› 1. SQLite");
    screen.press(&["Up", "Up"]);
    screen.wait_for("› 2. PostgreSQL");
    assert!(!screen.screen().contains("chosen"), "moving marks nothing");
    screen.press(&["Enter"]);
    screen.wait_for("Answer sent to ask-user.");
    asking.receive_reply(POSTGRES);
}

#[test]
fn zero_opens_the_field_for_own_text() {
    let sandbox = Sandbox::new();
    let (asking, screen) = ask_and_open(&sandbox, "pi", DATABASE);
    screen.wait_until_ready();
    screen.press(&["0"]);
    screen.wait_for("your own answer");
    screen.type_text("DynamoDB 2");
    screen.wait_for("│ DynamoDB 2");
    screen.press(&["Enter"]);
    screen.wait_for("› 0. Other (type your answer)  ✓ chosen");
    screen.press(&["Enter"]);
    screen.wait_for("Answer sent to ask-user.");
    asking.receive_reply(
        r#"{"answered":true,"answers":[{"question":"Which database?","answer":"DynamoDB 2","wasCustom":true}]}"#,
    );
}

#[test]
fn several_by_space_by_digits_and_in_own_words() {
    let sandbox = Sandbox::new();
    let (asking, screen) = ask_and_open(&sandbox, "pi", PARTS);
    screen.wait_until_ready();
    screen.press(&["Space"]);
    screen.wait_for("› 1. [x] Auth");
    screen.press(&["2", "3", "2"]);
    screen.wait_for("› 2. [ ] Docs");
    screen.wait_for("3. [x] Tests");
    screen.wait_for("2 chosen");
    screen.press(&["0"]);
    screen.type_text("Webhooks");
    screen.wait_for("│ Webhooks");
    screen.press(&["Enter"]);
    screen.wait_for("› 0. [x] Other (type your answer)");
    screen.wait_for("3 chosen");
    screen.press(&["Enter"]);
    screen.wait_for("Answer sent to ask-user.");
    asking.receive_reply(
        r#"{"answered":true,"answers":[{"question":"Which parts?","answer":["Auth","Tests","Webhooks"],"wasCustom":true}]}"#,
    );
}

#[test]
fn an_empty_selection_needs_confirmation() {
    let sandbox = Sandbox::new();
    let (asking, screen) = ask_and_open(&sandbox, "pi", PARTS);
    screen.wait_until_ready();
    screen.press(&["Enter"]);
    screen.wait_for("Nothing chosen: Enter again sends 'none of these'");
    screen.press(&["Enter"]);
    screen.wait_for("Answer sent to ask-user.");
    asking.receive_reply(
        r#"{"answered":true,"answers":[{"question":"Which parts?","answer":[],"wasCustom":false}]}"#,
    );
}

#[test]
fn a_letter_says_yes_and_enter_sends_it() {
    let sandbox = Sandbox::new();
    let call = r#"{"questions":[{"id":"q1","question":"Delete them now?","type":"confirm"}]}"#;
    let (asking, screen) = ask_and_open(&sandbox, "codenomad", call);
    screen.wait_until_ready();
    screen.press(&["n"]);
    screen.wait_for("› 2. No  ✓ chosen");
    screen.press(&["y"]);
    screen.wait_for("› 1. Yes  ✓ chosen");
    screen.press(&["Enter"]);
    screen.wait_for("Answer sent to ask-user.");
    asking.receive_reply(
        r#"{"answered":true,"cancelled":false,"timedOut":false,"answers":[{"questionId":"q1","values":["yes"]}]}"#,
    );
}

#[test]
fn twelve_choices_scroll_under_the_cursor() {
    let sandbox = Sandbox::new();
    let options: Vec<String> = (1..=12)
        .map(|at| format!(r#"{{"label":"Choice {at}"}}"#))
        .collect();
    let call = format!(
        r#"{{"questions":[{{"question":"Which one?","options":[{}]}}]}}"#,
        options.join(",")
    );
    let (asking, screen) = ask_and_open(&sandbox, "pi", &call);
    screen.wait_until_ready();
    screen.wait_for("     Choice 12");
    assert!(
        !screen.screen().contains("more..."),
        "there is room for all"
    );
    screen.resize(80, 14);
    screen.wait_for("5. Choice 5");
    screen.wait_until_gone("Choice 12");
    screen.wait_for("↓ ");
    screen.press(&["Down", "Down", "Down", "Down", "Down", "Down"]);
    screen.wait_for("› 7. Choice 7");
    screen.wait_for("↑ ");
    screen.wait_for("more...");
    screen.press(&["End"]);
    screen.wait_for("› 0. Other");
    screen.press(&["Up"]);
    screen.wait_for("›    Choice 12");
    assert!(!screen.screen().contains("↓ 1"), "{}", screen.screen());
    screen.press(&["Enter"]);
    screen.wait_for("Answer sent to ask-user.");
    asking.receive_reply(
        r#"{"answered":true,"answers":[{"question":"Which one?","answer":"Choice 12","selectedOption":"Choice 12","wasCustom":false}]}"#,
    );
}

#[test]
fn keys_typed_before_opening_are_ignored() {
    let sandbox = Sandbox::new();
    let screen = Screen::open(&sandbox, &["inbox"]);
    let asking = start_agent(&sandbox, "pi", DATABASE);
    screen.wait_for("1 waiting");
    // All in one write: keys after a pause would be meant.
    screen.press_at_once(&["1", "Enter", "2", "Enter", "Space", "Enter"]);
    screen.wait_for(" ago · ");
    screen.wait_until_ready();
    assert!(!screen.screen().contains("chosen"), "{}", screen.screen());
    screen.press(&["1"]);
    screen.wait_for("› 1. SQLite  ✓ chosen");
    screen.press(&["Enter"]);
    screen.wait_for("Answer sent to ask-user.");
    asking.receive_reply(SQLITE);
}

#[test]
fn one_ask_alone_ends_with_its_answer() {
    let sandbox = Sandbox::new();
    let (asking, screen) = ask_and_open_alone(&sandbox, "pi", DATABASE);
    screen.wait_until_ready();
    screen.press(&["1"]);
    screen.wait_for("› 1. SQLite  ✓ chosen");
    screen.press(&["Enter"]);
    assert_eq!(screen.wait_for_exit(), 0);
    asking.receive_reply(SQLITE);
}
