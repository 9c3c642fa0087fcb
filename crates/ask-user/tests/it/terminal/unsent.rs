//! The person types, and the ask is closed elsewhere: a key on its way loses nothing, and the text
//! is offered in a later field, or printed when the program has ended.

use super::{DATABASE, NAME, ask_and_open, ask_and_open_alone, start_agent};
use crate::support::hub::Hub;
use crate::support::person::Person;
use crate::support::sandbox::{BINARY, Sandbox};
use crate::support::screen::Screen;

/// The clock is fixed, so that keys come too early even on a slow machine.
const OPENED: &str = "2026-03-01T10:00:00Z";
/// Times at which keys are accepted again.
const LATER: [&str; 3] = [
    "2026-03-01T10:00:10Z",
    "2026-03-01T10:00:20Z",
    "2026-03-01T10:00:30Z",
];

/// What the program prints after it has given the screen back.
fn printed_after_end(screen: &Screen) -> String {
    screen.wait_for("[ended ");
    assert_eq!(screen.tmux_variable("alternate_on"), "0");
    screen.screen()
}

#[test]
fn enter_after_an_answer_elsewhere_keeps_the_text() {
    let sandbox = Sandbox::with_clock(OPENED);
    let (asking, screen) = ask_and_open_alone(&sandbox, "native", NAME);
    screen.type_text("order proc");
    sandbox.set_clock(LATER[0]);
    screen.wait_until_bright("order proc");
    sandbox.run_ok(&["answer", "latest", "--other", "theirs"]);
    screen.wait_for("ANSWERED BY COMMAND");
    screen.type_text("essor");
    screen.wait_for("That key came too soon and did nothing; what you typed is kept.");
    screen.press(&["Enter"]);
    screen.wait_for("Nothing you typed was sent.");
    screen.wait_for("What you typed is kept: it is printed when you leave.");
    // The remark disappears when keys are accepted again.
    sandbox.set_clock(LATER[1]);
    screen.wait_until_gone("too soon");
    screen.press(&["Enter"]);
    assert_eq!(screen.wait_for_exit(), 5);
    let said = printed_after_end(&screen);
    let lines = [
        "ANSWERED BY COMMAND",
        "Nothing you typed was sent.",
        "You had this:",
        "order proc",
    ];
    for line in lines {
        assert!(said.contains(line), "{line}:\n{said}");
    }
    assert!(asking.receive().1.contains("theirs"));
}

#[test]
fn what_no_hub_can_save_stays_in_the_inbox_and_is_printed_at_its_end() {
    let sandbox = Sandbox::with_clock(OPENED);
    let (_asking, screen) = ask_and_open(&sandbox, "native", NAME);
    let hub = Hub::connect(&sandbox);
    hub.kill();
    // No hub can start where its socket is a folder.
    let socket = sandbox.home().join("hub.sock");
    while std::fs::create_dir(&socket).is_err() {
        let _ = std::fs::remove_file(&socket);
    }
    screen.wait_for("Reconnecting");
    screen.type_text("a long answer");
    screen.press(&["Escape"]);
    screen.wait_for("leave");
    // A second Esc right after the first one does nothing.
    sandbox.set_clock(LATER[0]);
    screen.press(&["Escape"]);
    screen.wait_for("1 waiting");
    screen.press(&["Enter"]);
    screen.wait_for("a long answer");
    screen.press(&["C-c"]);
    screen.press(&["C-c"]);
    let said = printed_after_end(&screen);
    assert!(said.contains("What name?: a long answer"), "{said}");
}

#[test]
fn sigterm_prints_unsent_text() {
    let sandbox = Sandbox::new();
    let (_asking, screen) = ask_and_open_alone(&sandbox, "native", NAME);
    screen.type_text("order processor");
    screen.wait_until_bright("order processor");
    sandbox.run_ok(&["decline", "latest", "--reason", "not now"]);
    screen.wait_for("DECLINED BY COMMAND");
    screen.press(&["C-c", "C-c"]);
    assert_eq!(screen.wait_for_exit(), 5);
    let said = printed_after_end(&screen);
    assert!(said.contains("DECLINED BY COMMAND"), "{said}");
    assert!(said.contains("order processor"), "{said}");
}

#[test]
fn alt_up_restores_unsent_text_in_the_next_ask() {
    let sandbox = Sandbox::with_clock(OPENED);
    let mut person = Person::new(&sandbox);
    let _first = start_agent(&sandbox, "native", NAME);
    let first = person.next_ask();
    sandbox.set_clock("2026-03-01T10:00:05Z");
    let _second = start_agent(
        &sandbox,
        "native",
        r#"{"questions":[{"question":"Which file?"}]}"#,
    );
    person.next_ask();
    let screen = Screen::open(&sandbox, &["inbox", "--next"]);
    screen.wait_for("What name?");
    screen.type_text("order processor");
    sandbox.set_clock(LATER[0]);
    screen.wait_until_bright("order processor");
    sandbox.run_ok(&["answer", &first, "--other", "theirs"]);
    screen.wait_for("ANSWERED BY COMMAND");
    screen.wait_for("What you typed is kept: in a text field, Alt+");
    screen.press(&["Enter"]);
    screen.wait_for("too soon");
    sandbox.set_clock(LATER[1]);
    screen.wait_until_gone("too soon");
    screen.press(&["Enter"]);
    screen.wait_for("Which file?");
    sandbox.set_clock(LATER[2]);
    screen.press(&["M-Up"]);
    screen.wait_for("│ order processor");
    screen.press(&["C-c"]);
    screen.wait_for("n note");
    screen.press(&["q"]);
    screen.wait_for("1 waiting");
    screen.press(&["q"]);
    assert_eq!(screen.wait_for_exit(), 0);
    let said = printed_after_end(&screen);
    assert!(said.contains("ANSWERED BY COMMAND"), "{said}");
    assert!(said.contains("order processor"), "{said}");
}

#[test]
fn unsent_text_is_printed_when_the_agent_continues() {
    let sandbox = Sandbox::new();
    std::fs::write(sandbox.home().join("call.json"), NAME).expect("a writable home");
    let script = r#""$0" prompt --mode tui call.json >reply"#;
    let screen = Screen::start(&sandbox, &[], &["sh", "-c", script, BINARY]);
    screen.wait_for("What name?");
    screen.type_text("order processor");
    screen.wait_until_bright("order processor");
    sandbox.run_ok(&["answer", "latest", "--other", "theirs"]);
    screen.wait_for("Nothing you typed was sent.");
    // It ends without a key.
    assert_eq!(screen.wait_for_exit(), 0);
    let said = printed_after_end(&screen);
    assert!(said.contains("order processor"), "{said}");
    let reply = std::fs::read_to_string(sandbox.home().join("reply"));
    let reply = reply.expect("a written file");
    assert!(
        reply.contains("theirs") && !reply.contains("processor"),
        "{reply}"
    );
}

#[test]
fn lines_typed_before_a_plain_question_is_shown_answer_nothing() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let asking = start_agent(&sandbox, "native", DATABASE);
    let id = person.next_ask();
    let ready = sandbox.home().join("ready");
    let script = format!(
        r#"echo busy; until [ -e "$1" ]; do sleep 0.1; done; TERM=dumb "$0" inbox --id {id}"#
    );
    let ready_path = ready.display().to_string();
    let screen = Screen::start(&sandbox, &[], &["sh", "-c", &script, BINARY, &ready_path]);
    screen.wait_for("busy");
    for line in ["1", "y"] {
        screen.type_text(line);
        screen.press(&["Enter"]);
    }
    screen.wait_for("1\ny");
    std::fs::write(&ready, "").expect("the home is writable");
    screen.wait_for("Which database?");
    screen.type_text("2");
    screen.press(&["Enter"]);
    screen.wait_for("Your answer: PostgreSQL");
    screen.type_text("y");
    screen.press(&["Enter"]);
    assert!(asking.receive().1.contains("PostgreSQL"));
}

#[test]
fn a_half_typed_plain_line_is_not_left_for_the_shell() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let _asking = start_agent(&sandbox, "native", NAME);
    let id = person.next_ask();
    let script =
        format!(r#"TERM=dumb "$0" inbox --id {id}; echo code $?; read line; echo "read: $line""#);
    let screen = Screen::start(&sandbox, &[], &["sh", "-c", &script, BINARY]);
    screen.wait_for("What name?");
    screen.type_text("first line");
    screen.press(&["Enter"]);
    screen.type_text("echo gone");
    screen.wait_for("echo gone");
    sandbox.run_ok(&["answer", &id, "--other", "theirs"]);
    screen.wait_for("You had this:");
    screen.wait_for("Type next and press Enter to go on");
    // What was half typed, and what follows it, goes nowhere.
    screen.press(&["Enter"]);
    screen.wait_for("Not sent: echo gone");
    screen.type_text("echo more");
    screen.press(&["Enter"]);
    screen.wait_for("Not sent: echo more");
    screen.type_text("next");
    screen.press(&["Enter"]);
    screen.wait_for("code 5");
    screen.type_text("mine");
    screen.press(&["Enter"]);
    screen.wait_for("read: mine");
    assert!(
        screen.screen().contains("What name?: first line"),
        "{}",
        screen.screen()
    );
}
