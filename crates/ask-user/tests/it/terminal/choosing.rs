//! Choosing: one, several, yes or no, own text besides; and keys that were pressed too early to be
//! meant.

use super::{DATABASE, asking, one_shot, opened};
use crate::support::sandbox::Sandbox;
use crate::support::screen::Screen;

const SQLITE: &str = r#"{"answered":true,"answers":[{"question":"Which database?","answer":"SQLite","selectedOption":"SQLite","wasCustom":false}]}"#;
const POSTGRES: &str = r#"{"answered":true,"answers":[{"question":"Which database?","answer":"PostgreSQL","selectedOption":"PostgreSQL","wasCustom":false}]}"#;
const PARTS: &str = r#"{"questions":[{"question":"Which parts?","multiSelect":true,"options":[{"label":"Auth"},{"label":"Docs"},{"label":"Tests"}]}]}"#;

#[test]
fn a_digit_marks_and_enter_sends() {
    let sandbox = Sandbox::new();
    let (asking, screen) = opened(&sandbox, "pi", DATABASE);
    screen.ready();
    screen.press(&["2"]);
    screen.see("› 2. PostgreSQL  ✓ chosen");
    screen.see("Battle-tested");
    screen.press(&["Enter"]);
    screen.see("Answer sent to ask-user.");
    screen.see("No question waits for you.");
    asking.told(POSTGRES);
}

#[test]
fn arrows_move_around_the_ends_and_enter_takes_the_row() {
    let sandbox = Sandbox::new();
    let (asking, screen) = opened(&sandbox, "pi", DATABASE);
    screen.ready();
    screen.press(&["Down"]);
    screen.see("› 2. PostgreSQL");
    screen.press(&["Down"]);
    screen.see("› 0. Other (type your answer)");
    screen.press(&["Down"]);
    screen.see("› 1. SQLite");
    screen.press(&["Up", "Up"]);
    screen.see("› 2. PostgreSQL");
    assert!(!screen.screen().contains("chosen"), "moving marks nothing");
    screen.press(&["Enter"]);
    screen.see("Answer sent to ask-user.");
    asking.told(POSTGRES);
}

#[test]
fn zero_types_an_answer_of_ones_own() {
    let sandbox = Sandbox::new();
    let (asking, screen) = opened(&sandbox, "pi", DATABASE);
    screen.ready();
    screen.press(&["0"]);
    screen.see("your own answer");
    screen.types("DynamoDB 2");
    screen.see("│ DynamoDB 2");
    screen.press(&["Enter"]);
    screen.see("› 0. Other (type your answer)  ✓ chosen");
    screen.press(&["Enter"]);
    screen.see("Answer sent to ask-user.");
    asking.told(
        r#"{"answered":true,"answers":[{"question":"Which database?","answer":"DynamoDB 2","wasCustom":true}]}"#,
    );
}

#[test]
fn several_by_space_by_digits_and_in_own_words() {
    let sandbox = Sandbox::new();
    let (asking, screen) = opened(&sandbox, "pi", PARTS);
    screen.ready();
    screen.press(&["Space"]);
    screen.see("› 1. [x] Auth");
    screen.press(&["2", "3", "2"]);
    screen.see("› 2. [ ] Docs");
    screen.see("3. [x] Tests");
    screen.see("2 chosen");
    screen.press(&["0"]);
    screen.types("Webhooks");
    screen.see("│ Webhooks");
    screen.press(&["Enter"]);
    screen.see("› 0. [x] Other (type your answer)");
    screen.see("3 chosen");
    screen.press(&["Enter"]);
    screen.see("Answer sent to ask-user.");
    asking.told(
        r#"{"answered":true,"answers":[{"question":"Which parts?","answer":["Auth","Tests","Webhooks"],"wasCustom":true}]}"#,
    );
}

#[test]
fn nothing_of_many_is_sent_only_when_it_is_meant() {
    let sandbox = Sandbox::new();
    let (asking, screen) = opened(&sandbox, "pi", PARTS);
    screen.ready();
    screen.press(&["Enter"]);
    screen.see("Nothing chosen: Enter again sends 'none of these'");
    screen.press(&["Enter"]);
    screen.see("Answer sent to ask-user.");
    asking.told(
        r#"{"answered":true,"answers":[{"question":"Which parts?","answer":[],"wasCustom":false}]}"#,
    );
}

#[test]
fn a_letter_says_yes_and_enter_sends_it() {
    let sandbox = Sandbox::new();
    let call = r#"{"questions":[{"id":"q1","question":"Delete them now?","type":"confirm"}]}"#;
    let (asking, screen) = opened(&sandbox, "codenomad", call);
    screen.ready();
    screen.press(&["n"]);
    screen.see("› 2. No  ✓ chosen");
    screen.press(&["y"]);
    screen.see("› 1. Yes  ✓ chosen");
    screen.press(&["Enter"]);
    screen.see("Answer sent to ask-user.");
    asking.told(
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
    let (asking, screen) = opened(&sandbox, "pi", &call);
    screen.ready();
    screen.see("     Choice 12");
    assert!(
        !screen.screen().contains("more..."),
        "there is room for all"
    );
    screen.resize(80, 14);
    screen.see("5. Choice 5");
    screen.gone("Choice 12");
    screen.see("↓ ");
    screen.press(&["Down", "Down", "Down", "Down", "Down", "Down"]);
    screen.see("› 7. Choice 7");
    screen.see("↑ ");
    screen.see("more...");
    screen.press(&["End"]);
    screen.see("› 0. Other");
    screen.press(&["Up"]);
    screen.see("›    Choice 12");
    assert!(!screen.screen().contains("↓ 1"), "{}", screen.screen());
    screen.press(&["Enter"]);
    screen.see("Answer sent to ask-user.");
    asking.told(
        r#"{"answered":true,"answers":[{"question":"Which one?","answer":"Choice 12","selectedOption":"Choice 12","wasCustom":false}]}"#,
    );
}

#[test]
fn keys_that_came_with_the_opening_answer_nothing() {
    let sandbox = Sandbox::new();
    let screen = Screen::open(&sandbox, &["inbox"]);
    let asking = asking(&sandbox, "pi", DATABASE);
    screen.see("1 waiting");
    // All in one write: keys after a pause would be meant.
    screen.press_at_once(&["1", "Enter", "2", "Enter", "Space", "Enter"]);
    screen.see(" ago · ");
    screen.ready();
    assert!(!screen.screen().contains("chosen"), "{}", screen.screen());
    screen.press(&["1"]);
    screen.see("› 1. SQLite  ✓ chosen");
    screen.press(&["Enter"]);
    screen.see("Answer sent to ask-user.");
    asking.told(SQLITE);
}

#[test]
fn one_ask_alone_ends_with_its_answer() {
    let sandbox = Sandbox::new();
    let (asking, screen) = one_shot(&sandbox, "pi", DATABASE);
    screen.ready();
    screen.press(&["1"]);
    screen.see("› 1. SQLite  ✓ chosen");
    screen.press(&["Enter"]);
    assert_eq!(screen.ended(), 0);
    asking.told(SQLITE);
}
