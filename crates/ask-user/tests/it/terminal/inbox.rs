//! The list of asks: its content, opening by number, going from one open ask to the next, the
//! reader, and help.

use super::{DATABASE, NAME, ask_and_open, start_agent};
use crate::support::person::Person;
use crate::support::sandbox::Sandbox;
use crate::support::screen::Screen;

const CONTEXT: &str = r#"{"question":"Delete them?","type":"confirm","context":"All of them are old.\n\nNobody asked for them since May.\n\nIt can't be undone."}"#;

#[test]
fn numbers_open_asks_and_brackets_switch() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let mut all = Vec::new();
    for (dialect, call) in [("pi", DATABASE), ("pi", NAME), ("native", CONTEXT)] {
        all.push(start_agent(&sandbox, dialect, call));
        person.next_ask();
    }
    let screen = Screen::open(&sandbox, &["inbox"]);
    screen.wait_for("3 waiting");
    screen.wait_for("› 1");
    screen.press(&["Down", "Down"]);
    screen.wait_for("› 3");
    screen.wait_for("Nobody asked for them since May.");
    screen.press(&["2"]);
    screen.wait_for("2/3");
    screen.type_text("orders");
    screen.wait_until_bright("orders");
    screen.press(&["Escape"]);
    screen.wait_for("0/↑↓ type");
    screen.press(&["]"]);
    screen.wait_for("3/3");
    screen.wait_for("› 1. Yes");
    screen.wait_until_ready();
    screen.press(&["]"]);
    screen.wait_for("1/3");
    screen.wait_for("› 1. SQLite");
    screen.wait_until_ready();
    screen.press(&["]"]);
    screen.wait_for("2/3");
    screen.wait_for("orders");
    screen.press(&["Escape"]);
    screen.wait_for("0/↑↓ type");
    screen.press(&["["]);
    screen.wait_for("1/3");
    screen.wait_for("› 1. SQLite");
    screen.wait_until_ready();
    screen.press(&["2"]);
    screen.wait_for("› 2. PostgreSQL  ✓ chosen");
    screen.press(&["Enter"]);
    screen.wait_for("2 waiting");
    screen.wait_for("draft 1/1");
    let (code, reply) = all.remove(0).receive();
    assert_eq!(code, 0);
    assert!(reply.contains(r#""answer":"PostgreSQL""#), "{reply}");
}

#[test]
fn the_reader_and_help_change_nothing() {
    let sandbox = Sandbox::new();
    let (asking, screen) = ask_and_open(&sandbox, "native", CONTEXT);
    screen.wait_until_ready();
    screen.press(&["y"]);
    screen.wait_for("1. Yes  ✓ chosen");
    screen.press(&["i"]);
    screen.wait_until_gone("✓ chosen");
    screen.wait_for("It can't be undone.");
    screen.press(&["i"]);
    screen.wait_for("1. Yes  ✓ chosen");
    screen.press(&["?"]);
    screen.wait_for("Moving");
    screen.press(&["Escape"]);
    screen.wait_until_gone("Moving");
    screen.wait_for("1. Yes  ✓ chosen");
    screen.press(&["Enter"]);
    screen.wait_for("Answer sent to ask-user.");
    asking.receive_reply(
        r#"{"answered":true,"cancelled":false,"timedOut":false,"askId":"ASK","answers":[{"questionId":"q1","question":"Delete them?","status":"answered","values":["yes"]}]}"#,
    );
}

#[test]
fn new_asks_do_not_move_the_open_one() {
    let sandbox = Sandbox::new();
    let (first, screen) = ask_and_open(&sandbox, "pi", NAME);
    screen.type_text("first");
    screen.wait_until_bright("first");
    let second = start_agent(&sandbox, "pi", DATABASE);
    screen.wait_for("1/2");
    screen.wait_for("What name?");
    screen.wait_for("│ first");
    screen.press(&["Enter"]);
    screen.wait_for("Answer sent to ask-user.");
    screen.wait_for("1 waiting");
    first.receive_reply(
        r#"{"answered":true,"answers":[{"question":"What name?","answer":"first","wasCustom":true}]}"#,
    );
    screen.press(&["1"]);
    screen.wait_for(" ago · ");
    screen.wait_until_ready();
    screen.press(&["2"]);
    screen.wait_for("› 2. PostgreSQL  ✓ chosen");
    screen.press(&["Enter"]);
    assert_eq!(second.receive().0, 0);
}
