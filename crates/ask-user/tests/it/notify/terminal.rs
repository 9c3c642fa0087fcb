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
fn without_its_program_a_popup_says_what_else_there_is() {
    let sandbox = Sandbox::new();
    let run = |program: &str, path: &str| {
        let mut command = sandbox.command(BINARY);
        command
            .env("TMUX_TMPDIR", sandbox.home())
            .env("PATH", path)
            .args(["popup", program]);
        let output = crate::support::sandbox::ended(command);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let path = std::env::var("PATH").expect("tests run with a PATH");
    assert_eq!(
        run("tmux", &path),
        "ask-user: tmux doesn't run, so it can't open a popup\n  start tmux and run this in it; \
         without a popup: `ask-user inbox --next`\n"
    );
    assert_eq!(
        run("zellij", "/nonexistent"),
        "ask-user: zellij isn't installed, or not in PATH\n  without a popup: `ask-user inbox --next`\n"
    );
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
