//! Writing: the person's own editor, pastes of every kind, Ctrl+Z, earlier answers, and files of
//! the project.

use rustix::process::Signal;

use super::{DATABASE, NAME, ask_and_open, start_agent};
use crate::support::person::Person;
use crate::support::sandbox::{BINARY, Sandbox};
use crate::support::screen::Screen;

fn name_reply(answer: &str) -> String {
    format!(
        r#"{{"answered":true,"answers":[{{"question":"What name?","answer":"{answer}","wasCustom":true}}]}}"#
    )
}

/// An ask on the screen of a program with more variables in its environment.
fn open_with_env(sandbox: &Sandbox, environment: &[(&str, &str)]) -> (super::WaitingAgent, Screen) {
    let screen = Screen::start(sandbox, environment, &[BINARY, "inbox"]);
    let asking = start_agent(sandbox, "pi", NAME);
    screen.wait_for("1 waiting");
    screen.wait_for("WAITING");
    screen.press(&["Enter"]);
    screen.wait_for(" ago · ");
    (asking, screen)
}

#[test]
fn an_editor_with_arguments_uses_the_terminal() {
    let sandbox = Sandbox::new();
    let (asking, screen) = open_with_env(&sandbox, &[("EDITOR", "ed -p 'ed> '")]);
    screen.type_text("order");
    screen.wait_until_bright("order");
    screen.press(&["C-g"]);
    screen.wait_for("ed>");
    screen.type_text("g/./p");
    screen.press(&["Enter"]);
    screen.wait_for("# What name?");
    screen.type_text("1s/$/-processor");
    screen.press(&["Enter"]);
    screen.type_text("1a");
    screen.press(&["Enter"]);
    screen.type_text("# a heading");
    screen.press(&["Enter"]);
    screen.type_text(".");
    screen.press(&["Enter"]);
    screen.type_text("w");
    screen.press(&["Enter"]);
    screen.type_text("q");
    screen.press(&["Enter"]);
    screen.wait_until_bright("order-processor");
    screen.wait_for("│ # a heading");
    let left = std::fs::read_dir(sandbox.home().join("editing"));
    assert_eq!(left.expect("the folder is there").count(), 0);
    screen.press(&["C-_"]);
    screen.wait_until_gone("# a heading");
    screen.press(&["M-_"]);
    screen.wait_for("# a heading");
    screen.press(&["Enter"]);
    screen.wait_for("Answer sent to ask-user.");
    asking.receive_reply(&name_reply("order-processor\\n# a heading"));
}

#[test]
fn a_failing_editor_is_reported() {
    let sandbox = Sandbox::new();
    let (_asking, screen) = open_with_env(&sandbox, &[("VISUAL", "false")]);
    screen.type_text("kept");
    screen.wait_until_bright("kept");
    screen.press(&["C-x", "C-e"]);
    screen.wait_for("your text is as it was");
    screen.wait_until_bright("kept");

    let sandbox = Sandbox::new();
    let (_asking, screen) = open_with_env(&sandbox, &[("EDITOR", "no-such-editor")]);
    screen.type_text("kept");
    screen.wait_until_bright("kept");
    screen.press(&["C-g"]);
    screen.wait_for("no-such-editor can't be run");
    screen.wait_until_bright("kept");
}

#[test]
fn text_saved_by_the_editor_survives_the_terminal() {
    let sandbox = Sandbox::new();
    let (_asking, screen) = open_with_env(&sandbox, &[("EDITOR", "ed -p 'ed> '")]);
    screen.press(&["C-g"]);
    screen.wait_for("ed>");
    screen.type_text("0a");
    screen.press(&["Enter"]);
    screen.type_text("saved in ed");
    screen.press(&["Enter"]);
    screen.type_text(".");
    screen.press(&["Enter"]);
    screen.type_text("w");
    screen.press(&["Enter"]);
    screen.type_text("1p");
    screen.press(&["Enter"]);
    screen.wait_for("saved in ed\ned>");
    screen.signal(Signal::TERM);
    assert_eq!(screen.wait_for_exit(), 0);
    let again = Screen::open(&sandbox, &["inbox", "--next"]);
    again.wait_until_bright("saved in ed");
}

#[test]
fn an_unbracketed_paste_never_sends() {
    let sandbox = Sandbox::new();
    let (asking, screen) = ask_and_open(&sandbox, "pi", NAME);
    screen.paste_unmarked("one\ntwo\nthree\n");
    screen.wait_for("│ one");
    screen.wait_for("4 lines, 14");
    screen.wait_until_bright("three");
    screen.type_text("four");
    screen.wait_until_bright("four");
    screen.press(&["Enter"]);
    screen.wait_for("Answer sent to ask-user.");
    asking.receive_reply(&name_reply("one\\ntwo\\nthree\\nfour"));
}

#[test]
fn a_megabyte_can_be_pasted() {
    let line = "words of a line that was copied\n";
    // Without bracketed paste every character is a key, so a little more than a field holds is
    // enough.
    for (marked, lines) in [(true, 32 * 1024), (false, 8_400)] {
        let megabyte = line.repeat(lines);
        let sandbox = Sandbox::new();
        let (_asking, screen) = ask_and_open(&sandbox, "pi", NAME);
        if marked {
            screen.paste(&megabyte);
        } else {
            screen.paste_unmarked(&megabyte);
        }
        screen.wait_for("262,144");
        screen.wait_for("The field is full");
        screen.press(&["BSpace", "BSpace"]);
        screen.wait_for("262,142");
        screen.type_text("!");
        screen.wait_for("262,143");
    }
}

#[test]
fn ctrl_z_suspends_and_resumes() {
    let sandbox = Sandbox::new();
    let shell = ["bash", "--norc", "--noprofile", "-i"];
    let screen = Screen::start(&sandbox, &[("PS1", "shell> ")], &shell);
    let mut person = Person::new(&sandbox);
    let asking = start_agent(&sandbox, "pi", NAME);
    person.next_ask();
    screen.wait_for("shell>");
    screen.type_text(&format!("{BINARY} inbox --next"));
    screen.press(&["Enter"]);
    screen.wait_for("What name?");
    screen.type_text("half");
    screen.wait_until_bright("half");
    screen.type_text("-more");
    screen.press(&["C-z"]);
    screen.wait_for("Stopped");
    person.wait_for("what was typed last", |record| {
        record["draft"]["answers"][0]["own"] == "half-more"
    });
    assert_eq!(screen.tmux_variable("alternate_on"), "0");
    screen.type_text("echo between; fg");
    screen.press(&["Enter"]);
    screen.wait_until_bright("half-more");
    assert_eq!(screen.tmux_variable("alternate_on"), "1");
    screen.paste("-and\nhalf");
    screen.wait_for("2 lines, 18");
    screen.press(&["Enter"]);
    asking.receive_reply(&name_reply("half-more-and\\nhalf"));
}

#[test]
fn the_up_arrow_recalls_an_earlier_answer() {
    let sandbox = Sandbox::new();
    let (asking, screen) = ask_and_open(&sandbox, "pi", NAME);
    screen.type_text("orders");
    screen.wait_until_bright("orders");
    screen.press(&["Enter"]);
    screen.wait_for("Answer sent to ask-user.");
    asking.receive_reply(&name_reply("orders"));
    let call = r#"{"questions":[{"question":"Which queue?"}]}"#;
    let mut person = Person::new(&sandbox);
    let second = start_agent(&sandbox, "pi", call);
    person.next_ask();
    let screen = Screen::open(&sandbox, &["inbox", "--next"]);
    screen.wait_for("Which queue?");
    screen.wait_for(" ago · ");
    screen.press(&["Up"]);
    screen.wait_until_bright("orders");
    screen.press(&["Down"]);
    screen.wait_until_gone("orders");
    screen.press(&["M-Up"]);
    screen.wait_until_bright("orders");
    screen.type_text("-2");
    screen.wait_until_bright("orders-2");
    screen.press(&["Enter"]);
    second.receive_reply(&name_reply("orders-2").replace("What name?", "Which queue?"));
}

#[test]
fn a_file_of_the_project_is_found_by_a_few_letters() {
    let sandbox = Sandbox::new();
    let project = sandbox.home().join("project");
    std::fs::create_dir_all(project.join("src")).expect("a writable home");
    for file in ["src/main.rs", "my notes.md"] {
        std::fs::write(project.join(file), "").expect("a writable home");
    }
    let screen = Screen::open(&sandbox, &["inbox"]);
    let asking = super::start_agent_in(&sandbox, &project, "pi", DATABASE);
    screen.wait_for("1 waiting");
    screen.press(&["Enter"]);
    screen.wait_for("0. Other");
    screen.wait_until_ready();
    screen.press(&["0"]);
    screen.wait_for("your own answer");
    screen.type_text("see @");
    screen.wait_for("› my notes.md");
    screen.type_text("mai");
    screen.wait_for("› src/main.rs");
    screen.press(&["Tab"]);
    screen.wait_until_bright("see src/main.rs");
    screen.wait_until_gone("@");
    screen.type_text(" or @");
    screen.wait_for("› my notes.md");
    screen.press(&["Enter"]);
    screen.wait_until_bright("or \"my notes.md\"");
    screen.press(&["Enter"]);
    screen.wait_for("✓ chosen");
    screen.press(&["Enter"]);
    screen.wait_for("Answer sent to ask-user.");
    asking.receive_reply(
        r#"{"answered":true,"answers":[{"question":"Which database?","answer":"see src/main.rs or \"my notes.md\"","wasCustom":true}]}"#,
    );
}
