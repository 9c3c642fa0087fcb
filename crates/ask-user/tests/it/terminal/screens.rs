//! Screens above others: a choice's preview, the reader, help. Each opens and closes with its key
//! and leaves the screen below unchanged.

use super::{asking, opened};
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
    let (asking, screen) = opened(&sandbox, "native", LAYOUT);
    screen.ready();
    screen.see("Preview: Wide");
    screen.see("| wide |");
    screen.press(&["Down"]);
    screen.see("Preview: Narrow");
    screen.see("one column");
    screen.press(&["Down"]);
    screen.see("no preview");
    screen.press(&["Up"]);
    screen.see("one column");
    // Below the list if there is no room beside it; then a line, and the whole preview with its
    // key.
    screen.resize(60, 30);
    screen.see(&"─".repeat(60));
    screen.see("and no more");
    screen.resize(44, 14);
    screen.see("p preview (3 lines)");
    screen.press(&["p"]);
    screen.gone("› 2. Narrow");
    screen.see("and no more");
    screen.press(&["p"]);
    screen.see("› 2. Narrow");
    screen.resize(100, 30);
    screen.see("Preview: Narrow");
    screen.press(&["2"]);
    screen.see("✓ chosen");
    screen.press(&["Enter"]);
    screen.see("Answer sent to ask-user.");
    let (code, reply) = asking.hears();
    assert_eq!(code, 0, "{reply}");
    assert!(reply.contains(r#""values":["Narrow"]"#), "{reply}");
}

#[test]
fn all_that_was_said_is_read_to_its_end_in_a_small_terminal() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let lines: Vec<String> = (1..=40).map(|line| format!("Line {line} of it.")).collect();
    let context = lines.join("\\n\\n");
    let call = format!(r#"{{"question":"Go on?","type":"confirm","context":"{context}"}}"#);
    let asking = asking(&sandbox, "native", &call);
    person.asked();
    let screen = Screen::open(&sandbox, &["inbox"]);
    screen.see("1 waiting");
    screen.press(&["i"]);
    screen.see("Line 1 of it.");
    screen.resize(40, 12);
    screen.see("lines 1-7 of 82");
    screen.press(&["End"]);
    screen.see("Line 40 of it.");
    screen.gone("Line 20 of it.");
    screen.press(&["Home"]);
    screen.see("Line 1 of it.");
    screen.press(&["PageDown"]);
    screen.gone("Line 1 of it.");
    screen.press(&["i"]);
    screen.see("1 waiting");
    screen.press(&["Enter"]);
    // The list says it as well.
    screen.see("› 1. Yes");
    screen.ready();
    screen.press(&["?"]);
    screen.gone("› 1. Yes");
    screen.press(&["Escape"]);
    screen.see("› 1. Yes");
    screen.resize(100, 30);
    screen.see("› 1. Yes");
    screen.see("Enter confirm and send");
    drop(asking);
}
