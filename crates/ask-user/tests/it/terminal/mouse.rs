//! The mouse, if the setting enables it: clicks move, mark and open; only a key sends.

use super::{DATABASE, start_agent};
use crate::support::sandbox::Sandbox;
use crate::support::screen::Screen;

#[test]
fn clicks_open_and_mark_and_only_enter_sends() {
    let sandbox = Sandbox::new();
    sandbox.write_settings("[terminal]\nmouse = true\n");
    let screen = Screen::open(&sandbox, &["inbox"]);
    let first = start_agent(&sandbox, "pi", DATABASE);
    screen.wait_for("1 waiting");
    screen.wait_for_output("\u{1b}[?1006h");
    screen.click("Which database?");
    screen.wait_for("› 1. SQLite");
    screen.wait_until_ready();
    screen.click("2. PostgreSQL");
    screen.wait_for("› 2. PostgreSQL");
    screen.click("2. PostgreSQL");
    screen.wait_for("› 2. PostgreSQL  ✓ chosen");
    screen.click("Enter confirm and send");
    screen.press(&["Enter"]);
    screen.wait_for("Answer sent");
    let (code, reply) = first.receive();
    assert_eq!(code, 0);
    assert!(reply.contains(r#""answer":"PostgreSQL""#), "{reply}");
}

#[test]
fn without_the_setting_the_terminal_keeps_its_mouse() {
    let sandbox = Sandbox::new();
    let screen = Screen::open(&sandbox, &["inbox"]);
    screen.wait_for("No question waits");
    assert!(!screen.written().contains("\u{1b}[?1000h"));
}
