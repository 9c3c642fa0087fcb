//! The plain mode with a screen reader, on a terminal without abilities and through a pipe. Lines
//! are appended; none is ever redrawn.

use std::fs;

use super::{DATABASE, NAME, THREE, asking, asking_in};
use crate::support::json;
use crate::support::person::Person;
use crate::support::sandbox::{BINARY, Sandbox};
use crate::support::screen::Screen;

const PICTURE: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x05\0\0\0\x03\x20\x08\x06";

/// The inbox on a terminal with `TERM=dumb`.
fn dumb(sandbox: &Sandbox, environment: &[&str], arguments: &[&str]) -> Screen {
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
    fn says(&self, line: &str) {
        self.types(line);
        self.press(&["Enter"]);
    }
}

#[test]
fn a_dumb_terminal_is_talked_to_in_lines_with_an_editor_back_and_a_review() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let asking = asking(&sandbox, "native", THREE);
    person.asked();
    let screen = dumb(&sandbox, &["EDITOR=ed -s"], &[]);
    screen.see("Number of the question to open, ? help, q leave:");
    screen.says("1");
    screen.see("Question 1 of 3, Database.");
    screen.see("2. PostgreSQL.");
    screen.says("1");
    screen.see("Your answer: SQLite");
    screen.see("Question 2 of 3, Name.");
    // Goes back and answers differently.
    screen.says("/b");
    screen.see("Your answer so far: SQLite");
    screen.says("2");
    screen.see("Your answer: PostgreSQL");
    // The editor takes the terminal and gives it back.
    screen.says("/e");
    screen.says("0a");
    screen.says("order-");
    screen.says("processor");
    screen.says(".");
    screen.says("w");
    screen.says("q");
    screen.see("Your answer so far: order-");
    screen.press(&["Enter"]);
    screen.see("Question 3 of 3, Parts.");
    screen.says("1, 2");
    screen.see("Your answer: Auth, Docs");
    screen.see("Your answers:");
    screen.see("Send? y, n, or a number to change");
    screen.says("3");
    screen.see("Your answer so far: Auth, Docs");
    screen.says("2");
    screen.see("3. Parts: Docs");
    screen.says("y");
    screen.see("Answer sent to ask-user.");
    screen.see("No question waits for you. A new one is announced here.");
    screen.says("q");
    assert_eq!(screen.ended(), 0);
    assert_eq!(screen.fact("alternate_on"), "0");
    assert!(
        !screen.written().contains('\u{1b}'),
        "{:?}",
        screen.written()
    );
    asking.told(
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
    let mut person = Person::at(&sandbox);
    let asking = asking_in(&sandbox, &project, "native", NAME);
    let id = person.asked();
    let screen = dumb(&sandbox, &[], &["--next"]);
    screen.see("Your answer, end with an empty line");
    screen.says("/? ");
    screen.see("/f and a path attaches a file");
    screen.says("as there:");
    screen.says("/@ main");
    screen.see("@1. src/main.rs");
    screen.see("@2. src/main menu.rs");
    assert!(!screen.screen().contains("main.o"), "it is ignored");
    screen.says("@1 and @2");
    screen.see("With the file: src/main.rs and \"src/main menu.rs\"");
    screen.says("/f shut.png");
    screen.see("There is no file");
    screen.says("/f shot.png");
    screen.see("Attached: image: shot.png, 1280x800, 26 bytes.");
    screen.says("/f @2");
    screen.see("Attached: file: main menu.rs, 13 bytes.");
    screen.says("/f -");
    screen.see("Taken off: file: main menu.rs, 13 bytes.");
    screen.press(&["Enter"]);
    screen.see("Send?");
    screen.says("y");
    screen.see("Answer sent to ask-user.");
    assert_eq!(screen.ended(), 0);
    assert!(
        !screen.written().contains('\u{1b}'),
        "{:?}",
        screen.written()
    );
    let (code, reply) = asking.hears();
    assert_eq!(code, 0);
    assert!(
        reply.contains(r#"as there:\nsrc/main.rs and \"src/main menu.rs\""#),
        "{reply}"
    );
    let record = json(&sandbox.done(&["show", &id, "--json"]));
    let files = record["outcome"]["answers"][0]["attachments"].as_array();
    let files = files.expect("a file").as_slice();
    assert_eq!(files.len(), 1, "{record}");
    let path = files[0]["path"].as_str().expect("a path");
    assert!(fs::read(path).expect("a stored file") == PICTURE);
}

#[test]
fn declining_and_asking_back_on_a_dumb_terminal_are_confirmed() {
    for (lines, told, code) in [
        (["x", "not today", "y"], "Declined", 3),
        (
            ["c how many rows?", "n", "c which one?"],
            "Ask back \"which one?\"",
            7,
        ),
    ] {
        let sandbox = Sandbox::new();
        let mut person = Person::at(&sandbox);
        let asking = asking(&sandbox, "pi", DATABASE);
        let id = person.asked();
        let screen = dumb(&sandbox, &[], &["--id", &id]);
        screen.see("Your choice (number");
        for line in lines {
            screen.says(line);
        }
        screen.see(told);
        if code == 7 {
            screen.see("Nothing was sent.");
            screen.says("y");
        }
        assert_eq!(screen.ended(), code);
        let (ended, reply) = asking.hears();
        assert_eq!(ended, code, "{reply}");
        assert!(
            !screen.written().contains('\u{1b}'),
            "{:?}",
            screen.written()
        );
    }
}
