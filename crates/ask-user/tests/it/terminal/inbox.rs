//! The list of asks: its content, opening by number, going from one open ask to the next, the
//! reader, and help.

use super::{DATABASE, NAME, asking, opened};
use crate::support::person::Person;
use crate::support::sandbox::Sandbox;
use crate::support::screen::Screen;

const CONTEXT: &str = r#"{"question":"Delete them?","type":"confirm","context":"All of them are old.\n\nNobody asked for them since May.\n\nIt can't be undone."}"#;

#[test]
fn each_number_opens_its_ask_and_brackets_go_on() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let mut all = Vec::new();
    for (dialect, call) in [("pi", DATABASE), ("pi", NAME), ("native", CONTEXT)] {
        all.push(asking(&sandbox, dialect, call));
        person.asked();
    }
    let screen = Screen::open(&sandbox, &["inbox"]);
    screen.see("3 waiting");
    screen.see("› 1");
    screen.press(&["Down", "Down"]);
    screen.see("› 3");
    screen.see("Nobody asked for them since May.");
    screen.press(&["2"]);
    screen.see("2/3");
    screen.types("orders");
    screen.bright("orders");
    screen.press(&["Escape"]);
    screen.see("0/↑↓ type");
    screen.press(&["]"]);
    screen.see("3/3");
    screen.see("› 1. Yes");
    screen.ready();
    screen.press(&["]"]);
    screen.see("1/3");
    screen.see("› 1. SQLite");
    screen.ready();
    screen.press(&["]"]);
    screen.see("2/3");
    screen.see("orders");
    screen.press(&["Escape"]);
    screen.see("0/↑↓ type");
    screen.press(&["["]);
    screen.see("1/3");
    screen.see("› 1. SQLite");
    screen.ready();
    screen.press(&["2"]);
    screen.see("› 2. PostgreSQL  ✓ chosen");
    screen.press(&["Enter"]);
    screen.see("2 waiting");
    screen.see("draft 1/1");
    let (code, reply) = all.remove(0).hears();
    assert_eq!(code, 0);
    assert!(reply.contains(r#""answer":"PostgreSQL""#), "{reply}");
}

#[test]
fn reading_all_and_help_lie_above_and_change_nothing() {
    let sandbox = Sandbox::new();
    let (asking, screen) = opened(&sandbox, "native", CONTEXT);
    screen.ready();
    screen.press(&["y"]);
    screen.see("1. Yes  ✓ chosen");
    screen.press(&["i"]);
    screen.gone("✓ chosen");
    screen.see("It can't be undone.");
    screen.press(&["i"]);
    screen.see("1. Yes  ✓ chosen");
    screen.press(&["?"]);
    screen.see("Moving");
    screen.press(&["Escape"]);
    screen.gone("Moving");
    screen.see("1. Yes  ✓ chosen");
    screen.press(&["Enter"]);
    screen.see("Answer sent to ask-user.");
    asking.told(
        r#"{"answered":true,"cancelled":false,"timedOut":false,"askId":"ASK","answers":[{"questionId":"q1","question":"Delete them?","status":"answered","values":["yes"]}]}"#,
    );
}

#[test]
fn asks_that_come_meanwhile_do_not_move_the_open_one() {
    let sandbox = Sandbox::new();
    let (first, screen) = opened(&sandbox, "pi", NAME);
    screen.types("first");
    screen.bright("first");
    let second = asking(&sandbox, "pi", DATABASE);
    screen.see("1/2");
    screen.see("What name?");
    screen.see("│ first");
    screen.press(&["Enter"]);
    screen.see("Answer sent to ask-user.");
    screen.see("1 waiting");
    first.told(
        r#"{"answered":true,"answers":[{"question":"What name?","answer":"first","wasCustom":true}]}"#,
    );
    screen.press(&["1"]);
    screen.see(" ago · ");
    screen.ready();
    screen.press(&["2"]);
    screen.see("› 2. PostgreSQL  ✓ chosen");
    screen.press(&["Enter"]);
    assert_eq!(second.hears().0, 0);
}
