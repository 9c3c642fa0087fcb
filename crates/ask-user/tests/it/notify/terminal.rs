//! The terminal: what an open inbox writes to draw attention, in a real tmux, and its popup.

use crate::support::sandbox::{BINARY, Sandbox};
use crate::support::screen::Screen;

/// The sequence that a terminal sends when it loses the focus (xterm, DECSET 1004).
const UNFOCUSED: &str = "\u{1b}[O";

#[test]
fn the_title_counts_open_asks_and_is_restored() {
    let sandbox = Sandbox::new();
    let first = sandbox.ask(&["First?"]);
    let screen = Screen::open(&sandbox, &["inbox"]);
    screen.wait_for("First?");
    sandbox.ask(&["Second?"]);
    screen.wait_for("Second?");
    screen.wait_for_title("(2) ask: ask-user-");
    sandbox.run_ok(&["answer", &first, "--set", "yes"]);
    screen.wait_for("KEPT");
    screen.wait_for_title("(1) ask: ask-user-");
    screen.press(&["q"]);
    assert_eq!(screen.wait_for_exit(), 0);
    let title = screen.tmux_variable("pane_title");
    assert!(!title.contains("ask:"), "{title}");
}

#[test]
fn an_unfocused_terminal_is_notified_without_raw_escapes() {
    let sandbox = Sandbox::new();
    let screen = Screen::start(&sandbox, &[("KITTY_WINDOW_ID", "1")], &[BINARY, "inbox"]);
    screen.wait_for("No question waits");
    screen.type_text(UNFOCUSED);
    sandbox.ask(&["Shall I?", "--title", "Evil\u{1b}]0;owned\u{7}Pets"]);
    screen.wait_for("EvilPets");
    let passed = "\u{7}\u{1b}Ptmux;\u{1b}\u{1b}]99;i=ask-user:d=0;ask-user asks in ask-user-";
    screen.wait_for_output(passed);
    screen.wait_for_output("p=body;EvilPets\u{1b}");
    assert!(!screen.written().contains("]0;owned"));
}

#[test]
fn a_popup_without_its_multiplexer_fails_with_a_hint() {
    let sandbox = Sandbox::new();
    let run = |program: &str, path: &str| {
        let mut command = sandbox.command(BINARY);
        command
            .env("TMUX_TMPDIR", sandbox.home())
            .env("PATH", path)
            .args(["popup", program]);
        let output = crate::support::sandbox::run_to_end(command);
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
fn a_tmux_popup_answers_and_closes() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["Shall I?"]);
    let screen = Screen::start(&sandbox, &[], &["sh"]);
    screen.type_text(&format!("{BINARY} status --tmux\n"));
    screen.wait_for("ask 1");
    // A client in control mode can't show a popup: the test can only see that it is requested.
    screen.type_text(&format!("{BINARY} popup; echo popup=$?\n"));
    screen.wait_for("popup=");
    sandbox.run_ok(&["answer", &id, "--set", "yes"]);
    screen.type_text("clear\n");
    screen.wait_until_gone("ask 1");
    screen.type_text(&format!("{BINARY} status --tmux; echo none=$?\n"));
    screen.wait_for("none=0");
    assert!(!screen.screen().contains("ask 1"));
}
