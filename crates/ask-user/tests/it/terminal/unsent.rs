//! The person types, and the ask is closed elsewhere: a key on its way loses nothing, and the text
//! is offered in a later field, or printed when the program has ended.

use super::{NAME, asking, one_shot};
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
fn said(screen: &Screen) -> String {
    screen.see("[ended ");
    assert_eq!(screen.fact("alternate_on"), "0");
    screen.screen()
}

#[test]
fn enter_after_a_command_was_first_loses_no_word() {
    let sandbox = Sandbox::at(OPENED);
    let (asking, screen) = one_shot(&sandbox, "native", NAME);
    screen.types("order proc");
    sandbox.set_clock(LATER[0]);
    screen.bright("order proc");
    sandbox.done(&["answer", "latest", "--other", "theirs"]);
    screen.see("ANSWERED BY COMMAND");
    screen.types("essor");
    screen.see("That key came too soon and did nothing; what you typed is kept.");
    screen.press(&["Enter"]);
    screen.see("Nothing you typed was sent.");
    screen.see("What you typed is kept: it is printed when you leave.");
    // The remark disappears when keys are accepted again.
    sandbox.set_clock(LATER[1]);
    screen.gone("too soon");
    screen.press(&["Enter"]);
    assert_eq!(screen.ended(), 5);
    let said = said(&screen);
    let lines = [
        "ANSWERED BY COMMAND",
        "Nothing you typed was sent.",
        "You had this:",
        "order proc",
    ];
    for line in lines {
        assert!(said.contains(line), "{line}:\n{said}");
    }
    assert!(asking.hears().1.contains("theirs"));
}

#[test]
fn a_program_that_is_told_to_go_still_says_what_was_not_sent() {
    let sandbox = Sandbox::new();
    let (_asking, screen) = one_shot(&sandbox, "native", NAME);
    screen.types("order processor");
    screen.bright("order processor");
    sandbox.done(&["decline", "latest", "--reason", "not now"]);
    screen.see("DECLINED BY COMMAND");
    screen.press(&["C-c", "C-c"]);
    assert_eq!(screen.ended(), 5);
    let said = said(&screen);
    assert!(said.contains("DECLINED BY COMMAND"), "{said}");
    assert!(said.contains("order processor"), "{said}");
}

#[test]
fn in_the_next_ask_the_words_come_back_with_alt_up_and_are_said_at_the_end() {
    let sandbox = Sandbox::at(OPENED);
    let mut person = Person::at(&sandbox);
    let _first = asking(&sandbox, "native", NAME);
    let first = person.asked();
    sandbox.set_clock("2026-03-01T10:00:05Z");
    let _second = asking(
        &sandbox,
        "native",
        r#"{"questions":[{"question":"Which file?"}]}"#,
    );
    person.asked();
    let screen = Screen::open(&sandbox, &["inbox", "--next"]);
    screen.see("What name?");
    screen.types("order processor");
    sandbox.set_clock(LATER[0]);
    screen.bright("order processor");
    sandbox.done(&["answer", &first, "--other", "theirs"]);
    screen.see("ANSWERED BY COMMAND");
    screen.see("What you typed is kept: in a text field, Alt+");
    screen.press(&["Enter"]);
    screen.see("too soon");
    sandbox.set_clock(LATER[1]);
    screen.gone("too soon");
    screen.press(&["Enter"]);
    screen.see("Which file?");
    sandbox.set_clock(LATER[2]);
    screen.press(&["M-Up"]);
    screen.see("│ order processor");
    screen.press(&["C-c"]);
    screen.see("n note");
    screen.press(&["q"]);
    screen.see("1 waiting");
    screen.press(&["q"]);
    assert_eq!(screen.ended(), 0);
    let said = said(&screen);
    assert!(said.contains("ANSWERED BY COMMAND"), "{said}");
    assert!(said.contains("order processor"), "{said}");
}

#[test]
fn an_agent_that_goes_on_leaves_the_words_on_the_terminal() {
    let sandbox = Sandbox::new();
    std::fs::write(sandbox.home().join("call.json"), NAME).expect("a writable home");
    let script = r#""$0" prompt --mode tui call.json >reply"#;
    let screen = Screen::start(&sandbox, &[], &["sh", "-c", script, BINARY]);
    screen.see("What name?");
    screen.types("order processor");
    screen.bright("order processor");
    sandbox.done(&["answer", "latest", "--other", "theirs"]);
    screen.see("Nothing you typed was sent.");
    // It ends without a key.
    assert_eq!(screen.ended(), 0);
    let said = said(&screen);
    assert!(said.contains("order processor"), "{said}");
    let reply = std::fs::read_to_string(sandbox.home().join("reply"));
    let reply = reply.expect("a written file");
    assert!(
        reply.contains("theirs") && !reply.contains("processor"),
        "{reply}"
    );
}

#[test]
fn half_a_line_in_plain_mode_is_no_command_of_the_shell() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let _asking = asking(&sandbox, "native", NAME);
    let id = person.asked();
    let script =
        format!(r#"TERM=dumb "$0" inbox --id {id}; echo code $?; read line; echo "read: $line""#);
    let screen = Screen::start(&sandbox, &[], &["sh", "-c", &script, BINARY]);
    screen.see("What name?");
    screen.types("first line");
    screen.press(&["Enter"]);
    screen.types("echo gone");
    screen.see("echo gone");
    sandbox.done(&["answer", &id, "--other", "theirs"]);
    screen.see("You had this:");
    screen.see("Press Enter to go on:");
    screen.press(&["Enter"]);
    screen.see("code 5");
    screen.types("mine");
    screen.press(&["Enter"]);
    screen.see("read: mine");
    assert!(
        screen.screen().contains("What name?: first line"),
        "{}",
        screen.screen()
    );
}
