//! The plain mode with a screen reader, on a terminal without abilities and through a pipe. Lines
//! are appended; none is ever redrawn.

use std::fs;

use super::{DATABASE, NAME, THREE, start_agent, start_agent_in};
use crate::support::json;
use crate::support::person::Person;
use crate::support::sandbox::{BINARY, Sandbox};
use crate::support::screen::Screen;

const PICTURE: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x05\0\0\0\x03\x20\x08\x06";

/// The inbox on a terminal with `TERM=dumb`.
fn open_dumb_terminal(sandbox: &Sandbox, environment: &[&str], arguments: &[&str]) -> Screen {
    let program = [
        &["env", "TERM=dumb"],
        environment,
        &[BINARY, "inbox"],
        arguments,
    ];
    Screen::start(sandbox, &[], &program.concat())
}

impl Screen {
    /// Types a line and Enter.
    fn type_line(&self, line: &str) {
        self.type_text(line);
        self.press(&["Enter"]);
    }
}

#[test]
fn a_dumb_terminal_uses_plain_lines() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let asking = start_agent(&sandbox, "native", THREE);
    person.next_ask();
    let screen = open_dumb_terminal(&sandbox, &["EDITOR=ed -s -p editing:"], &[]);
    screen.wait_for("Number of the question to open, ? help, q leave:");
    screen.type_line("1");
    screen.wait_for("Question 1 of 3, Database.");
    screen.wait_for("2. PostgreSQL.");
    screen.type_line("1");
    screen.wait_for("Your answer: SQLite");
    screen.wait_for("Question 2 of 3, Name.");
    // Goes back and answers differently.
    screen.type_line("/b");
    screen.wait_for("Your answer so far: SQLite");
    screen.type_line("2");
    screen.wait_for("Your answer: PostgreSQL");
    // The editor takes the terminal and gives it back.
    screen.type_line("/e");
    screen.wait_for("editing:");
    screen.type_line("0a");
    screen.type_line("order-");
    screen.type_line("processor");
    screen.type_line(".");
    screen.type_line("w");
    screen.type_line("q");
    screen.wait_for("Your answer so far: order-");
    screen.press(&["Enter"]);
    screen.wait_for("Question 3 of 3, Parts.");
    screen.type_line("1, 2");
    screen.wait_for("Your answer: Auth, Docs");
    screen.wait_for("Your answers:");
    screen.wait_for("Send? y, n, or a number to change");
    screen.type_line("3");
    screen.wait_for("Your answer so far: Auth, Docs");
    screen.type_line("2");
    screen.wait_for("3. Parts: Docs");
    screen.type_line("y");
    screen.wait_for("Answer sent to ask-user.");
    screen.wait_for("No question waits for you. A new one is announced here.");
    screen.type_line("q");
    assert_eq!(screen.wait_for_exit(), 0);
    assert_eq!(screen.tmux_variable("alternate_on"), "0");
    assert!(
        !screen.written().contains('\u{1b}'),
        "{:?}",
        screen.written()
    );
    asking.receive_reply(
        r#"{"answered":true,"cancelled":false,"timedOut":false,"askId":"ASK","answers":[{"questionId":"db","question":"Which database?","status":"answered","values":["PostgreSQL"]},{"questionId":"name","question":"What name?","status":"answered","values":["order-\nprocessor"]},{"questionId":"parts","question":"Which parts?","status":"answered","values":["Docs"]}]}"#,
    );
}

#[test]
fn files_are_found_named_and_attached_line_by_line() {
    let sandbox = Sandbox::new();
    let project = sandbox.home().join("project");
    fs::create_dir_all(project.join("src")).expect("a writable home");
    fs::create_dir_all(project.join("target")).expect("a writable home");
    for (file, bytes) in [
        ("src/main.rs", &b"fn main() {}\n"[..]),
        ("src/main menu.rs", b"fn menu() {}\n"),
        ("target/main.o", b"o"),
        (".gitignore", b"target\n"),
        ("shot.png", PICTURE),
    ] {
        fs::write(project.join(file), bytes).expect("a writable home");
    }
    let mut person = Person::new(&sandbox);
    let asking = start_agent_in(&sandbox, &project, "native", NAME);
    let id = person.next_ask();
    let screen = open_dumb_terminal(&sandbox, &[], &["--next"]);
    screen.wait_for("Your answer, end with an empty line");
    screen.type_line("/? ");
    screen.wait_for("/f and a path attaches a file");
    screen.type_line("as there:");
    // A command right behind another line would be text of a paste.
    person.wait_for("the line is saved", |record| {
        record["draft"]["answers"][0]["own"] == "as there:"
    });
    screen.type_line("/@ main");
    screen.wait_for("@1. src/main.rs");
    screen.wait_for("@2. src/main menu.rs");
    assert!(!screen.screen().contains("main.o"), "it is ignored");
    screen.type_line("@1 and @2");
    screen.wait_for("With the file: src/main.rs and \"src/main menu.rs\"");
    screen.type_line("/f shut.png");
    screen.wait_for("There is no file");
    screen.type_line("/f shot.png");
    screen.wait_for("Attached: image: shot.png, 1280x800, 26 bytes.");
    screen.type_line("/f @2");
    screen.wait_for("Attached: file: main menu.rs, 13 bytes.");
    screen.type_line("/f -");
    screen.wait_for("Taken off: file: main menu.rs, 13 bytes.");
    screen.press(&["Enter"]);
    screen.wait_for("Send?");
    screen.type_line("y");
    screen.wait_for("Answer sent to ask-user.");
    assert_eq!(screen.wait_for_exit(), 0);
    assert!(
        !screen.written().contains('\u{1b}'),
        "{:?}",
        screen.written()
    );
    let (code, reply) = asking.receive();
    assert_eq!(code, 0);
    assert!(
        reply.contains(r#"as there:\nsrc/main.rs and \"src/main menu.rs\""#),
        "{reply}"
    );
    let record = json(&sandbox.run_ok(&["show", &id, "--json"]));
    let files = record["outcome"]["answers"][0]["attachments"].as_array();
    let files = files.expect("a file").as_slice();
    assert_eq!(files.len(), 1, "{record}");
    let path = files[0]["path"].as_str().expect("a path");
    assert!(fs::read(path).expect("a stored file") == PICTURE);
}

#[test]
fn declining_and_asking_back_on_a_dumb_terminal_are_confirmed() {
    for (lines, code) in [
        (
            [("x", "One line"), ("not today", "y/n"), ("y", "Declined")],
            3,
        ),
        (
            [
                ("c how many rows?", "Ask back \"how many rows?\""),
                ("n", "Nothing was sent."),
                ("c which one?", "Ask back \"which one?\""),
            ],
            7,
        ),
    ] {
        let sandbox = Sandbox::new();
        let mut person = Person::new(&sandbox);
        let asking = start_agent(&sandbox, "pi", DATABASE);
        let id = person.next_ask();
        let screen = open_dumb_terminal(&sandbox, &[], &["--id", &id]);
        screen.wait_for("Your choice (number");
        for (line, told) in lines {
            screen.type_line(line);
            screen.wait_for(told);
        }
        if code == 7 {
            screen.type_line("y");
        }
        assert_eq!(screen.wait_for_exit(), code);
        let (ended, reply) = asking.receive();
        assert_eq!(ended, code, "{reply}");
        assert!(
            !screen.written().contains('\u{1b}'),
            "{:?}",
            screen.written()
        );
    }
}
