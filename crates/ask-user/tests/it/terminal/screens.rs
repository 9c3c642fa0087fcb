//! Screens above others: a choice's preview, the reader, help. Each opens and closes with its key
//! and leaves the screen below unchanged.

use super::{ask_and_open, start_agent};
use crate::support::person::Person;
use crate::support::sandbox::Sandbox;
use crate::support::screen::Screen;

const LAYOUT: &str = r#"{"question":"Which layout?","options":[
    {"label":"Wide","preview":"```\n+------+\n| wide |\n+------+\n```"},
    {"label":"Narrow","preview":"**one** column\n\nand no more"},
    {"label":"None"}]}"#;

#[test]
fn a_preview_follows_the_cursor_beside_below_and_full_screen() {
    let sandbox = Sandbox::new();
    let (asking, screen) = ask_and_open(&sandbox, "native", LAYOUT);
    screen.wait_until_ready();
    screen.wait_for("Preview: Wide");
    screen.wait_for("| wide |");
    screen.press(&["Down"]);
    screen.wait_for("Preview: Narrow");
    screen.wait_for("one column");
    screen.press(&["Down"]);
    screen.wait_for("no preview");
    screen.press(&["Up"]);
    screen.wait_for("one column");
    // Below the list if there is no room beside it; then a line, and the whole preview with its
    // key.
    screen.resize(60, 30);
    screen.wait_for(&"─".repeat(60));
    screen.wait_for("and no more");
    screen.resize(44, 14);
    screen.wait_for("p preview (3 lines)");
    screen.press(&["p"]);
    screen.wait_until_gone("› 2. Narrow");
    screen.wait_for("and no more");
    screen.press(&["p"]);
    screen.wait_for("› 2. Narrow");
    screen.resize(100, 30);
    screen.wait_for("Preview: Narrow");
    screen.press(&["2"]);
    screen.wait_for("✓ chosen");
    screen.press(&["Enter"]);
    screen.wait_for("Answer sent to ask-user.");
    let (code, reply) = asking.receive();
    assert_eq!(code, 0, "{reply}");
    assert!(reply.contains(r#""values":["Narrow"]"#), "{reply}");
}

#[test]
fn the_reader_scrolls_to_the_end_in_a_small_terminal() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let lines: Vec<String> = (1..=40).map(|line| format!("Line {line} of it.")).collect();
    let context = lines.join("\\n\\n");
    let call = format!(r#"{{"question":"Go on?","type":"confirm","context":"{context}"}}"#);
    let asking = start_agent(&sandbox, "native", &call);
    person.next_ask();
    let screen = Screen::open(&sandbox, &["inbox"]);
    screen.wait_for("1 waiting");
    screen.press(&["i"]);
    screen.wait_for("Line 1 of it.");
    screen.resize(40, 12);
    screen.wait_for("lines 1-7 of 82");
    screen.press(&["End"]);
    screen.wait_for("Line 40 of it.");
    screen.wait_until_gone("Line 20 of it.");
    screen.press(&["Home"]);
    screen.wait_for("Line 1 of it.");
    screen.press(&["PageDown"]);
    screen.wait_until_gone("Line 1 of it.");
    screen.press(&["i"]);
    screen.wait_for("1 waiting");
    screen.press(&["Enter"]);
    // The list says it as well.
    screen.wait_for("› 1. Yes");
    screen.wait_until_ready();
    screen.press(&["?"]);
    screen.wait_until_gone("› 1. Yes");
    screen.press(&["Escape"]);
    screen.wait_for("› 1. Yes");
    screen.resize(100, 30);
    screen.wait_for("› 1. Yes");
    screen.wait_for("Enter confirm and send");
    drop(asking);
}
