//! Choosing: one, several, yes or no, own words beside them; and the keys that
//! were pressed too early to be meant.

use super::{DATABASE, asking, one_shot, opened};
use crate::support::sandbox::Sandbox;
use crate::support::screen::Screen;

const POSTGRES: &str = r#"{"answered":true,"answers":[{"question":"Which database?","answer":"PostgreSQL","selectedOption":"PostgreSQL","wasCustom":false}]}"#;

#[test]
fn a_digit_marks_and_enter_sends() {
    let sandbox = Sandbox::new();
    let (asking, screen) = opened(&sandbox, "pi", DATABASE);
    screen.ready();
    screen.press(&["2"]);
    screen.see("› 2. PostgreSQL  ✓ chosen");
    screen.press(&["Enter"]);
    screen.see("Answer sent to ask-user.");
    screen.see("No question waits for you.");
    asking.is_told(POSTGRES);
}
