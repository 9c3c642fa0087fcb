//! Several questions: tabs, the review, missing answers and optional ones.

use super::{THREE, opened};
use crate::support::sandbox::Sandbox;

#[test]
fn three_tabs_a_review_and_out() {
    let sandbox = Sandbox::new();
    let (asking, screen) = opened(&sandbox, "codenomad", CODENOMAD);
    screen.ready();
    screen.see("[□ Which database?]");
    screen.press(&["2"]);
    screen.see("■ Which database?  [□ What name?]");
    screen.types("orders");
    screen.see("│ orders");
    screen.press(&["Enter"]);
    screen.see("■ What name?  [□ Which parts?]");
    screen.press(&["1", "2"]);
    screen.see("› 2. [x] Docs");
    screen.press(&["Enter"]);
    screen.see("[✓ Submit]");
    screen.see("1. Which database? PostgreSQL");
    screen.see("2. What name?      orders");
    screen.see("3. Which parts?    Auth, Docs");
    screen.see("› [ Send 3 answers ]");
    screen.press(&["Enter"]);
    screen.see("Answer sent to ask-user.");
    asking.told(
        r#"{"answered":true,"cancelled":false,"timedOut":false,"answers":[{"questionId":"db","values":["PostgreSQL"]},{"questionId":"name","values":["orders"]},{"questionId":"parts","values":["Auth","Docs"]}]}"#,
    );
}

/// Three questions, one of each kind; the first two are required.
const CODENOMAD: &str = r#"{"title":"Set-up","questions":[
    {"id":"db","question":"Which database?","type":"select","options":["SQLite","PostgreSQL"]},
    {"id":"name","question":"What name?","type":"text"},
    {"id":"parts","question":"Which parts?","type":"multi-select","options":["Auth","Docs"]}]}"#;

#[test]
fn tabs_are_walked_both_ways_around_and_keep_what_is_in_them() {
    let sandbox = Sandbox::new();
    let (_asking, screen) = opened(&sandbox, "native", THREE);
    screen.ready();
    screen.see("Set-up");
    screen.press(&["Tab"]);
    screen.see("Name]");
    screen.types("orders");
    screen.press(&["Left", "Left"]);
    screen.types("_");
    screen.see("│ orde_rs");
    screen.press(&["Tab"]);
    screen.see("[□ Parts]");
    screen.press(&["Right"]);
    screen.see("[✓ Submit]");
    screen.see("2. Name     orde_rs");
    screen.see("1. Database ! not answered");
    screen.press(&["Right"]);
    screen.see("[□ Database]");
    screen.press(&["BTab"]);
    screen.see("[✓ Submit]");
    screen.press(&["Left"]);
    screen.see("[□ Parts]");
    screen.press(&["Left"]);
    screen.see("[■ Name]");
    screen.see("│ orde_rs");
    screen.press(&["BTab"]);
    screen.see("[□ Database]");
}

#[test]
fn what_is_missing_is_gone_to_or_left_out_on_purpose() {
    let sandbox = Sandbox::new();
    let (asking, screen) = opened(&sandbox, "native", THREE);
    screen.ready();
    screen.press(&["1"]);
    screen.see("Name]");
    screen.press(&["Tab", "Tab"]);
    screen.see("! 2 questions have no answer. Required: Name, Parts");
    screen.see("› [ Go to Name ]");
    screen.see("[ Send the 1 answer anyway ]");
    screen.press(&["Enter"]);
    screen.see("Name]");
    screen.types("orders");
    screen.press(&["Tab", "Tab"]);
    screen.see("! 1 question has no answer. Required: Parts");
    screen.see("› [ Go to Parts ]");
    screen.press(&["Down"]);
    screen.see("› [ Send the 2 answers anyway ]");
    screen.press(&["Enter"]);
    screen.see("Answer sent to ask-user.");
    asking.told(
        r#"{"answered":true,"cancelled":false,"timedOut":false,"askId":"ASK","answers":[{"questionId":"db","question":"Which database?","status":"answered","values":["SQLite"]},{"questionId":"name","question":"What name?","status":"answered","values":["orders"]},{"questionId":"parts","question":"Which parts?","status":"unanswered","values":[]}]}"#,
    );
}

#[test]
fn what_is_optional_may_be_skipped() {
    let sandbox = Sandbox::new();
    let call = r#"{"questions":[
        {"id":"db","question":"Which database?","label":"Database","options":["SQLite","PostgreSQL"]},
        {"id":"name","question":"What name?","label":"Name","required":false}]}"#;
    let (asking, screen) = opened(&sandbox, "native", call);
    screen.ready();
    screen.press(&["2"]);
    screen.see("What name?  (optional)");
    screen.press(&["Enter"]);
    screen.see("2. Name     not answered (optional)");
    screen.see("› [ Send 1 answer ]");
    screen.press(&["1"]);
    screen.see("[■ Database]");
    screen.see("2. PostgreSQL  ✓ chosen");
    screen.press(&["1"]);
    screen.see("Name]");
    screen.press(&["Enter"]);
    screen.see("1. Database SQLite");
    screen.press(&["Enter"]);
    screen.see("Answer sent to ask-user.");
    asking.told(
        r#"{"answered":true,"cancelled":false,"timedOut":false,"askId":"ASK","answers":[{"questionId":"db","question":"Which database?","status":"answered","values":["SQLite"]},{"questionId":"name","question":"What name?","status":"skipped","values":[]}]}"#,
    );
}
