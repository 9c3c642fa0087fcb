//! Leaving without an answer: cancelling, the dialog before anything is discarded, leaving an ask
//! waiting, declining with a reason, asking back.

use super::{DATABASE, NAME, THREE, ask_and_open, ask_and_open_alone};
use crate::support::sandbox::Sandbox;
use crate::support::screen::Screen;

const CANCELLED: &str = r#"{"answered":false,"answers":[],"cancelled":true}"#;

#[test]
fn esc_on_an_untouched_ask_cancels_at_once() {
    let sandbox = Sandbox::new();
    let (asking, screen) = ask_and_open_alone(&sandbox, "pi", DATABASE);
    screen.wait_until_ready();
    screen.press(&["Escape"]);
    assert_eq!(screen.wait_for_exit(), 3);
    assert_eq!(asking.receive(), (3, CANCELLED.to_owned()));
}

#[test]
fn esc_on_a_marked_ask_asks_first() {
    let sandbox = Sandbox::new();
    let (asking, screen) = ask_and_open_alone(&sandbox, "pi", DATABASE);
    screen.wait_until_ready();
    screen.press(&["2"]);
    screen.wait_for("✓ chosen");
    screen.press(&["Escape"]);
    screen.wait_for("Discard 1 answer?");
    screen.wait_for("You have answered 1 of 1 question. The agent is still waiting.");
    screen.wait_for("› 1. Keep answering");
    screen.press(&["n"]);
    screen.wait_for("› 2. PostgreSQL  ✓ chosen");
    screen.press(&["Escape"]);
    screen.wait_for("Discard 1 answer?");
    screen.press(&["Escape"]);
    screen.wait_for("› 2. PostgreSQL  ✓ chosen");
    screen.press(&["Escape"]);
    screen.wait_for("Discard 1 answer?");
    screen.press(&["y"]);
    assert_eq!(screen.wait_for_exit(), 3);
    assert_eq!(asking.receive(), (3, CANCELLED.to_owned()));
}

#[test]
fn typed_text_is_discarded_only_after_confirmation() {
    let sandbox = Sandbox::new();
    let (asking, screen) = ask_and_open_alone(&sandbox, "pi", NAME);
    screen.type_text("half a na");
    screen.wait_until_bright("half a na");
    screen.press(&["Escape"]);
    screen.wait_for("0/↑↓ type");
    screen.press(&["x"]);
    screen.wait_for("Decline");
    screen.press(&["Escape"]);
    screen.wait_for("0/↑↓ type");
    screen.press(&["Escape"]);
    screen.wait_for("Discard 1 answer?");
    screen.press(&["l"]);
    assert_eq!(screen.wait_for_exit(), 8, "left waiting");
    let screen = Screen::open(&sandbox, &["inbox", "--next"]);
    screen.wait_until_bright("half a na");
    screen.type_text("me");
    screen.wait_until_bright("half a name");
    screen.press(&["Enter"]);
    assert_eq!(screen.wait_for_exit(), 0);
    asking.receive_reply(
        r#"{"answered":true,"answers":[{"question":"What name?","answer":"half a name","wasCustom":true}]}"#,
    );
}

#[test]
fn esc_in_the_inbox_leaves_it_waiting_with_its_draft() {
    let sandbox = Sandbox::new();
    let (asking, screen) = ask_and_open(&sandbox, "native", THREE);
    screen.wait_until_ready();
    screen.press(&["2"]);
    screen.type_text("orders");
    screen.wait_until_bright("orders");
    screen.press(&["Tab", "Escape"]);
    screen.wait_for("1 waiting");
    screen.wait_for("draft 2/3");
    screen.press(&["q"]);
    assert_eq!(screen.wait_for_exit(), 0);
    let screen = Screen::open(&sandbox, &["inbox"]);
    screen.wait_for("draft 2/3");
    screen.press(&["1"]);
    screen.wait_for("2. PostgreSQL  ✓ chosen");
    screen.wait_until_ready();
    screen.press(&["Tab"]);
    screen.wait_until_bright("orders");
    screen.press(&["Tab", "Space"]);
    screen.wait_for("› 1. [x] Auth");
    screen.press(&["Enter"]);
    screen.wait_for("› [ Send 3 answers ]");
    screen.press(&["Enter"]);
    screen.wait_for("Answer sent to ask-user.");
    asking.receive_reply(
        r#"{"answered":true,"cancelled":false,"timedOut":false,"askId":"ASK","answers":[{"questionId":"db","question":"Which database?","status":"answered","values":["PostgreSQL"]},{"questionId":"name","question":"What name?","status":"answered","values":["orders"]},{"questionId":"parts","question":"Which parts?","status":"answered","values":["Auth"]}]}"#,
    );
}

#[test]
fn declined_with_a_reason() {
    let sandbox = Sandbox::new();
    let (asking, screen) = ask_and_open(&sandbox, "native", r#"{"question":"Delete it?"}"#);
    screen.press(&["Escape"]);
    screen.wait_for("1 waiting");
    screen.press(&["x"]);
    screen.wait_for("Why? The agent reads it.");
    screen.type_text("never on a Friday");
    screen.wait_for("never on a Friday");
    screen.press(&["Enter"]);
    screen.wait_for("Declined; ask-user is notified.");
    let reply = r#"{"answered":false,"cancelled":true,"timedOut":false,"askId":"ASK","reason":"never on a Friday","answers":[{"questionId":"q1","question":"Delete it?","status":"unanswered","values":[]}]}"#;
    assert_eq!(asking.receive(), (3, reply.to_owned()));
}

#[test]
fn asked_back() {
    let sandbox = Sandbox::new();
    let call = r#"{"question":"Which database?","options":["SQLite","PostgreSQL"]}"#;
    let (asking, screen) = ask_and_open(&sandbox, "native", call);
    screen.wait_until_ready();
    screen.press(&["c"]);
    screen.wait_for("What do you want to know?");
    screen.press(&["Enter"]);
    screen.type_text("how much data?");
    screen.wait_for("how much data?");
    screen.press(&["Enter"]);
    screen.wait_for("Your question went to ask-user.");
    let reply = r#"{"answered":false,"cancelled":false,"timedOut":false,"askId":"ASK","clarify":"how much data?","answers":[{"questionId":"q1","question":"Which database?","status":"unanswered","values":[]}]}"#;
    assert_eq!(asking.receive(), (7, reply.to_owned()));
}

#[test]
fn the_leave_dialog_offers_all_actions_in_the_inbox() {
    let sandbox = Sandbox::new();
    let (asking, screen) = ask_and_open(&sandbox, "pi", DATABASE);
    screen.wait_until_ready();
    screen.press(&["2"]);
    screen.wait_for("✓ chosen");
    screen.press(&["C-c"]);
    screen.wait_for("› 1. Keep answering");
    screen.wait_for("Nothing is sent until you choose 3 or 4.");
    screen.press(&["Down", "Down", "Down"]);
    screen.wait_for("› 4. Decline with a reason ...");
    screen.press(&["Enter"]);
    screen.wait_for("your reason");
    screen.type_text("y");
    screen.press(&["Escape"]);
    screen.wait_for("› 2. PostgreSQL  ✓ chosen");
    screen.press(&["x"]);
    // The text that was begun is there again.
    screen.wait_for("│ y ");
    screen.press(&["BSpace"]);
    screen.wait_for("your reason");
    screen.type_text("not yet");
    screen.wait_for("not yet");
    screen.press(&["Enter"]);
    screen.wait_for("Declined; ask-user is notified.");
    let reply = r#"{"answered":false,"answers":[],"cancelled":true,"reason":"not yet"}"#;
    assert_eq!(asking.receive(), (3, reply.to_owned()));
}

#[test]
fn two_ctrl_c_end_the_program_and_asks_stay_open() {
    let sandbox = Sandbox::new();
    let (asking, screen) = ask_and_open(&sandbox, "pi", DATABASE);
    screen.wait_until_ready();
    screen.press(&["2"]);
    screen.wait_for("✓ chosen");
    screen.press(&["C-c", "C-c"]);
    assert_eq!(screen.wait_for_exit(), 0);
    let screen = Screen::open(&sandbox, &["inbox"]);
    screen.wait_for("draft 1/1");
    screen.press(&["Enter"]);
    screen.wait_for("› 2. PostgreSQL  ✓ chosen");
    screen.wait_until_ready();
    screen.press(&["1"]);
    screen.wait_for("› 1. SQLite  ✓ chosen");
    screen.press(&["Enter"]);
    screen.wait_for("Answer sent to ask-user.");
    let (code, reply) = asking.receive();
    assert_eq!(code, 0);
    assert!(reply.contains(r#""answer":"SQLite""#), "{reply}");
}
