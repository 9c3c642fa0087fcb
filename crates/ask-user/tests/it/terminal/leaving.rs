//! Leaving without an answer: cancelling, the dialog before anything is discarded, leaving an ask
//! waiting, declining with a reason, asking back.

use super::{DATABASE, NAME, THREE, one_shot, opened};
use crate::support::sandbox::Sandbox;
use crate::support::screen::Screen;

const CANCELLED: &str = r#"{"answered":false,"answers":[],"cancelled":true}"#;

#[test]
fn esc_on_an_untouched_ask_cancels_at_once() {
    let sandbox = Sandbox::new();
    let (asking, screen) = one_shot(&sandbox, "pi", DATABASE);
    screen.ready();
    screen.press(&["Escape"]);
    assert_eq!(screen.ended(), 3);
    assert_eq!(asking.hears(), (3, CANCELLED.to_owned()));
}

#[test]
fn esc_on_a_marked_ask_asks_first() {
    let sandbox = Sandbox::new();
    let (asking, screen) = one_shot(&sandbox, "pi", DATABASE);
    screen.ready();
    screen.press(&["2"]);
    screen.see("✓ chosen");
    screen.press(&["Escape"]);
    screen.see("Discard 1 answer?");
    screen.see("You have answered 1 of 1 question. The agent is still waiting.");
    screen.see("› 1. Keep answering");
    screen.press(&["n"]);
    screen.see("› 2. PostgreSQL  ✓ chosen");
    screen.press(&["Escape"]);
    screen.see("Discard 1 answer?");
    screen.press(&["Escape"]);
    screen.see("› 2. PostgreSQL  ✓ chosen");
    screen.press(&["Escape"]);
    screen.see("Discard 1 answer?");
    screen.press(&["y"]);
    assert_eq!(screen.ended(), 3);
    assert_eq!(asking.hears(), (3, CANCELLED.to_owned()));
}

#[test]
fn words_that_were_typed_are_not_thrown_away_without_a_question() {
    let sandbox = Sandbox::new();
    let (asking, screen) = one_shot(&sandbox, "pi", NAME);
    screen.types("half a na");
    screen.bright("half a na");
    screen.press(&["Escape"]);
    screen.see("0/↑↓ type");
    screen.press(&["x"]);
    screen.see("Decline");
    screen.press(&["Escape"]);
    screen.see("0/↑↓ type");
    screen.press(&["Escape"]);
    screen.see("Discard 1 answer?");
    screen.press(&["l"]);
    assert_eq!(screen.ended(), 8, "left waiting");
    let screen = Screen::open(&sandbox, &["inbox", "--next"]);
    screen.bright("half a na");
    screen.types("me");
    screen.bright("half a name");
    screen.press(&["Enter"]);
    assert_eq!(screen.ended(), 0);
    asking.told(
        r#"{"answered":true,"answers":[{"question":"What name?","answer":"half a name","wasCustom":true}]}"#,
    );
}

#[test]
fn esc_in_the_inbox_leaves_it_waiting_with_its_draft() {
    let sandbox = Sandbox::new();
    let (asking, screen) = opened(&sandbox, "native", THREE);
    screen.ready();
    screen.press(&["2"]);
    screen.types("orders");
    screen.bright("orders");
    screen.press(&["Tab", "Escape"]);
    screen.see("1 waiting");
    screen.see("draft 2/3");
    screen.press(&["q"]);
    assert_eq!(screen.ended(), 0);
    let screen = Screen::open(&sandbox, &["inbox"]);
    screen.see("draft 2/3");
    screen.press(&["1"]);
    screen.see("2. PostgreSQL  ✓ chosen");
    screen.ready();
    screen.press(&["Tab"]);
    screen.bright("orders");
    screen.press(&["Tab", "Space"]);
    screen.see("› 1. [x] Auth");
    screen.press(&["Enter"]);
    screen.see("› [ Send 3 answers ]");
    screen.press(&["Enter"]);
    screen.see("Answer sent to ask-user.");
    asking.told(
        r#"{"answered":true,"cancelled":false,"timedOut":false,"askId":"ASK","answers":[{"questionId":"db","question":"Which database?","status":"answered","values":["PostgreSQL"]},{"questionId":"name","question":"What name?","status":"answered","values":["orders"]},{"questionId":"parts","question":"Which parts?","status":"answered","values":["Auth"]}]}"#,
    );
}

#[test]
fn declined_with_a_reason() {
    let sandbox = Sandbox::new();
    let (asking, screen) = opened(&sandbox, "native", r#"{"question":"Delete it?"}"#);
    screen.press(&["Escape"]);
    screen.see("1 waiting");
    screen.press(&["x"]);
    screen.see("Why? The agent reads it.");
    screen.types("never on a Friday");
    screen.see("never on a Friday");
    screen.press(&["Enter"]);
    screen.see("Declined; ask-user is notified.");
    let reply = r#"{"answered":false,"cancelled":true,"timedOut":false,"askId":"ASK","reason":"never on a Friday","answers":[{"questionId":"q1","question":"Delete it?","status":"unanswered","values":[]}]}"#;
    assert_eq!(asking.hears(), (3, reply.to_owned()));
}

#[test]
fn asked_back() {
    let sandbox = Sandbox::new();
    let call = r#"{"question":"Which database?","options":["SQLite","PostgreSQL"]}"#;
    let (asking, screen) = opened(&sandbox, "native", call);
    screen.ready();
    screen.press(&["c"]);
    screen.see("What do you want to know?");
    screen.press(&["Enter"]);
    screen.types("how much data?");
    screen.see("how much data?");
    screen.press(&["Enter"]);
    screen.see("Your question went to ask-user.");
    let reply = r#"{"answered":false,"cancelled":false,"timedOut":false,"askId":"ASK","clarify":"how much data?","answers":[{"questionId":"q1","question":"Which database?","status":"unanswered","values":[]}]}"#;
    assert_eq!(asking.hears(), (7, reply.to_owned()));
}

#[test]
fn the_dialog_offers_all_ways_in_the_inbox_too() {
    let sandbox = Sandbox::new();
    let (asking, screen) = opened(&sandbox, "pi", DATABASE);
    screen.ready();
    screen.press(&["2"]);
    screen.see("✓ chosen");
    screen.press(&["C-c"]);
    screen.see("› 1. Keep answering");
    screen.see("Nothing is sent until you choose 3 or 4.");
    screen.press(&["Down", "Down", "Down"]);
    screen.see("› 4. Decline with a reason ...");
    screen.press(&["Enter"]);
    screen.see("your reason");
    screen.types("y");
    screen.press(&["Escape"]);
    screen.see("› 2. PostgreSQL  ✓ chosen");
    screen.press(&["x"]);
    // The text that was begun is there again.
    screen.see("│ y ");
    screen.press(&["BSpace"]);
    screen.see("your reason");
    screen.types("not yet");
    screen.see("not yet");
    screen.press(&["Enter"]);
    screen.see("Declined; ask-user is notified.");
    let reply = r#"{"answered":false,"answers":[],"cancelled":true,"reason":"not yet"}"#;
    assert_eq!(asking.hears(), (3, reply.to_owned()));
}

#[test]
fn two_ctrl_c_end_the_program_and_all_stays_waiting() {
    let sandbox = Sandbox::new();
    let (asking, screen) = opened(&sandbox, "pi", DATABASE);
    screen.ready();
    screen.press(&["2"]);
    screen.see("✓ chosen");
    screen.press(&["C-c", "C-c"]);
    assert_eq!(screen.ended(), 0);
    let screen = Screen::open(&sandbox, &["inbox"]);
    screen.see("draft 1/1");
    screen.press(&["Enter"]);
    screen.see("› 2. PostgreSQL  ✓ chosen");
    screen.ready();
    screen.press(&["1"]);
    screen.see("› 1. SQLite  ✓ chosen");
    screen.press(&["Enter"]);
    screen.see("Answer sent to ask-user.");
    let (code, reply) = asking.hears();
    assert_eq!(code, 0);
    assert!(reply.contains(r#""answer":"SQLite""#), "{reply}");
}
