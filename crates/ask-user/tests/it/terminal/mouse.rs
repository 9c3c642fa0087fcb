//! The mouse, if the setting enables it: clicks move, mark and open; only a key sends.

use super::{DATABASE, asking};
use crate::support::sandbox::Sandbox;
use crate::support::screen::Screen;

#[test]
fn clicks_open_and_mark_and_only_enter_sends() {
    let sandbox = Sandbox::new();
    sandbox.settings("[terminal]\nmouse = true\n");
    let screen = Screen::open(&sandbox, &["inbox"]);
    let first = asking(&sandbox, "pi", DATABASE);
    screen.see("1 waiting");
    screen.writes("\u{1b}[?1006h");
    screen.click("Which database?");
    screen.see("› 1. SQLite");
    screen.ready();
    screen.click("2. PostgreSQL");
    screen.see("› 2. PostgreSQL");
    screen.click("2. PostgreSQL");
    screen.see("› 2. PostgreSQL  ✓ chosen");
    screen.click("Enter confirm and send");
    screen.press(&["Enter"]);
    screen.see("Answer sent");
    let (code, reply) = first.hears();
    assert_eq!(code, 0);
    assert!(reply.contains(r#""answer":"PostgreSQL""#), "{reply}");
}

#[test]
fn without_the_setting_the_terminal_keeps_its_mouse() {
    let sandbox = Sandbox::new();
    let screen = Screen::open(&sandbox, &["inbox"]);
    screen.see("No question waits");
    assert!(!screen.written().contains("\u{1b}[?1000h"));
}
