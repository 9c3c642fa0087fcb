//! The terminal: what an open inbox writes to draw attention, in a real tmux, and its popup.

use crate::support::sandbox::{BINARY, Sandbox};
use crate::support::screen::Screen;

/// The sequence that a terminal sends when it loses the focus (xterm, DECSET 1004).
const UNFOCUSED: &str = "\u{1b}[O";

#[test]
fn the_title_counts_what_waits_and_is_given_back() {
    let sandbox = Sandbox::new();
    let first = sandbox.asks(&["First?"]);
    let screen = Screen::open(&sandbox, &["inbox"]);
    screen.see("First?");
    sandbox.asks(&["Second?"]);
    screen.see("Second?");
    screen.titled("(2) ask: ask-user-");
    sandbox.done(&["answer", &first, "--set", "yes"]);
    screen.see("KEPT");
    screen.titled("(1) ask: ask-user-");
    screen.press(&["q"]);
    assert_eq!(screen.ended(), 0);
    let title = screen.fact("pane_title");
    assert!(!title.contains("ask:"), "{title}");
}

#[test]
fn without_the_focus_a_new_ask_rings_and_no_escape_of_an_agent_gets_through() {
    let sandbox = Sandbox::new();
    let screen = Screen::start(&sandbox, &[("KITTY_WINDOW_ID", "1")], &[BINARY, "inbox"]);
    screen.see("No question waits");
    screen.types(UNFOCUSED);
    sandbox.asks(&["Shall I?", "--title", "Evil\u{1b}]0;owned\u{7}Pets"]);
    screen.see("EvilPets");
    let passed = "\u{7}\u{1b}Ptmux;\u{1b}\u{1b}]99;i=ask-user:d=0;ask-user asks in ask-user-";
    screen.writes(passed);
    screen.writes("p=body;EvilPets\u{1b}");
    assert!(!screen.written().contains("]0;owned"));
}

#[test]
fn a_popup_of_tmux_answers_what_waits_and_goes() {
    let sandbox = Sandbox::new();
    let id = sandbox.asks(&["Shall I?"]);
    let screen = Screen::start(&sandbox, &[], &["sh"]);
    screen.types(&format!("{BINARY} status --tmux\n"));
    screen.see("ask 1");
    // A client in control mode can't show a popup: the test can only see that it is requested.
    screen.types(&format!("{BINARY} popup; echo popup=$?\n"));
    screen.see("popup=");
    sandbox.done(&["answer", &id, "--set", "yes"]);
    screen.types("clear\n");
    screen.gone("ask 1");
    screen.types(&format!("{BINARY} status --tmux; echo none=$?\n"));
    screen.see("none=0");
    assert!(!screen.screen().contains("ask 1"));
}
