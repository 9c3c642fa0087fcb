//! Several questions: tabs, the review, missing answers and optional ones.

use super::{THREE, ask_and_open};
use crate::support::sandbox::Sandbox;

#[test]
fn three_questions_are_answered_in_tabs_and_reviewed() {
    let sandbox = Sandbox::new();
    let (asking, screen) = ask_and_open(&sandbox, "codenomad", CODENOMAD);
    screen.wait_until_ready();
    screen.wait_for("[□ Which database?]");
    screen.press(&["2"]);
    screen.wait_for("■ Which database?  [□ What name?]");
    screen.type_text("orders");
    screen.wait_for("│ orders");
    screen.press(&["Enter"]);
    screen.wait_for("■ What name?  [□ Which parts?]");
    screen.press(&["1", "2"]);
    screen.wait_for("› 2. [x] Docs");
    screen.press(&["Enter"]);
    screen.wait_for("[✓ Submit]");
    screen.wait_for("1. Which database? PostgreSQL");
    screen.wait_for("2. What name?      orders");
    screen.wait_for("3. Which parts?    Auth, Docs");
    screen.wait_for("› [ Send 3 answers ]");
    screen.press(&["Enter"]);
    screen.wait_for("Answer sent to ask-user.");
    asking.receive_reply(
        r#"{"answered":true,"cancelled":false,"timedOut":false,"answers":[{"questionId":"db","values":["PostgreSQL"]},{"questionId":"name","values":["orders"]},{"questionId":"parts","values":["Auth","Docs"]}]}"#,
    );
}

/// Three questions, one of each kind; the first two are required.
const CODENOMAD: &str = r#"{"title":"Set-up","questions":[
    {"id":"db","question":"Which database?","type":"select","options":["SQLite","PostgreSQL"]},
    {"id":"name","question":"What name?","type":"text"},
    {"id":"parts","question":"Which parts?","type":"multi-select","options":["Auth","Docs"]}]}"#;

#[test]
fn tabs_wrap_around_and_keep_their_content() {
    let sandbox = Sandbox::new();
    let (_asking, screen) = ask_and_open(&sandbox, "native", THREE);
    screen.wait_until_ready();
    screen.wait_for("Set-up");
    screen.press(&["Tab"]);
    screen.wait_for("Name]");
    screen.type_text("orders");
    screen.press(&["Left", "Left"]);
    screen.type_text("_");
    screen.wait_for("│ orde_rs");
    screen.press(&["Tab"]);
    screen.wait_for("[□ Parts]");
    screen.press(&["Right"]);
    screen.wait_for("[✓ Submit]");
    screen.wait_for("2. Name     orde_rs");
    screen.wait_for("1. Database ! not answered");
    screen.press(&["Right"]);
    screen.wait_for("[□ Database]");
    screen.press(&["BTab"]);
    screen.wait_for("[✓ Submit]");
    screen.press(&["Left"]);
    screen.wait_for("[□ Parts]");
    screen.press(&["Left"]);
    screen.wait_for("[■ Name]");
    screen.wait_for("│ orde_rs");
    screen.press(&["BTab"]);
    screen.wait_for("[□ Database]");
}

#[test]
fn missing_answers_are_selected_or_skipped_on_purpose() {
    let sandbox = Sandbox::new();
    let (asking, screen) = ask_and_open(&sandbox, "native", THREE);
    screen.wait_until_ready();
    screen.press(&["1"]);
    screen.wait_for("Name]");
    screen.press(&["Tab", "Tab"]);
    screen.wait_for("! 2 questions have no answer. Required: Name, Parts");
    screen.wait_for("› [ Go to Name ]");
    screen.wait_for("[ Send the 1 answer anyway ]");
    screen.press(&["Enter"]);
    screen.wait_for("Name]");
    screen.type_text("orders");
    screen.press(&["Tab", "Tab"]);
    screen.wait_for("! 1 question has no answer. Required: Parts");
    screen.wait_for("› [ Go to Parts ]");
    screen.press(&["Down"]);
    screen.wait_for("› [ Send the 2 answers anyway ]");
    screen.press(&["Enter"]);
    screen.wait_for("Answer sent to ask-user.");
    asking.receive_reply(
        r#"{"answered":true,"cancelled":false,"timedOut":false,"askId":"ASK","answers":[{"questionId":"db","question":"Which database?","status":"answered","values":["SQLite"]},{"questionId":"name","question":"What name?","status":"answered","values":["orders"]},{"questionId":"parts","question":"Which parts?","status":"unanswered","values":[]}]}"#,
    );
}

#[test]
fn optional_questions_may_be_skipped() {
    let sandbox = Sandbox::new();
    let call = r#"{"questions":[
        {"id":"db","question":"Which database?","label":"Database","options":["SQLite","PostgreSQL"]},
        {"id":"name","question":"What name?","label":"Name","required":false}]}"#;
    let (asking, screen) = ask_and_open(&sandbox, "native", call);
    screen.wait_until_ready();
    screen.press(&["2"]);
    screen.wait_for("What name?  (optional)");
    screen.press(&["Enter"]);
    screen.wait_for("2. Name     not answered (optional)");
    screen.wait_for("› [ Send 1 answer ]");
    screen.press(&["1"]);
    screen.wait_for("[■ Database]");
    screen.wait_for("2. PostgreSQL  ✓ chosen");
    screen.press(&["1"]);
    screen.wait_for("Name]");
    screen.press(&["Enter"]);
    screen.wait_for("1. Database SQLite");
    screen.press(&["Enter"]);
    screen.wait_for("Answer sent to ask-user.");
    asking.receive_reply(
        r#"{"answered":true,"cancelled":false,"timedOut":false,"askId":"ASK","answers":[{"questionId":"db","question":"Which database?","status":"answered","values":["SQLite"]},{"questionId":"name","question":"What name?","status":"skipped","values":[]}]}"#,
    );
}
