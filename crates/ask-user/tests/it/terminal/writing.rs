//! Writing: the person's own editor, pastes of every kind, Ctrl+Z, earlier answers, and files of
//! the project.

use rustix::process::Signal;

use super::{DATABASE, NAME, asking, opened};
use crate::support::person::Person;
use crate::support::sandbox::{BINARY, Sandbox};
use crate::support::screen::Screen;

fn named(answer: &str) -> String {
    format!(
        r#"{{"answered":true,"answers":[{{"question":"What name?","answer":"{answer}","wasCustom":true}}]}}"#
    )
}

/// An ask on the screen of a program with more variables in its environment.
fn opened_with(sandbox: &Sandbox, environment: &[(&str, &str)]) -> (super::Asking, Screen) {
    let screen = Screen::start(sandbox, environment, &[BINARY, "inbox"]);
    let asking = asking(sandbox, "pi", NAME);
    screen.see("1 waiting");
    screen.see("WAITING");
    screen.press(&["Enter"]);
    screen.see(" ago · ");
    (asking, screen)
}

#[test]
fn an_editor_that_takes_arguments_has_the_terminal_and_gives_it_back() {
    let sandbox = Sandbox::new();
    let (asking, screen) = opened_with(&sandbox, &[("EDITOR", "ed -p 'ed> '")]);
    screen.types("order");
    screen.bright("order");
    screen.press(&["C-g"]);
    screen.see("ed>");
    screen.types("g/./p");
    screen.press(&["Enter"]);
    screen.see("# What name?");
    screen.types("1s/$/-processor");
    screen.press(&["Enter"]);
    screen.types("1a");
    screen.press(&["Enter"]);
    screen.types("# a heading");
    screen.press(&["Enter"]);
    screen.types(".");
    screen.press(&["Enter"]);
    screen.types("w");
    screen.press(&["Enter"]);
    screen.types("q");
    screen.press(&["Enter"]);
    screen.bright("order-processor");
    screen.see("│ # a heading");
    let left = std::fs::read_dir(sandbox.home().join("editing"));
    assert_eq!(left.expect("the folder is there").count(), 0);
    screen.press(&["C-_"]);
    screen.gone("# a heading");
    screen.press(&["M-_"]);
    screen.see("# a heading");
    screen.press(&["Enter"]);
    screen.see("Answer sent to ask-user.");
    asking.told(&named("order-processor\\n# a heading"));
}

#[test]
fn an_editor_that_fails_or_is_missing_changes_nothing_and_is_told() {
    let sandbox = Sandbox::new();
    let (_asking, screen) = opened_with(&sandbox, &[("VISUAL", "false")]);
    screen.types("kept");
    screen.bright("kept");
    screen.press(&["C-x", "C-e"]);
    screen.see("your text is as it was");
    screen.bright("kept");

    let sandbox = Sandbox::new();
    let (_asking, screen) = opened_with(&sandbox, &[("EDITOR", "no-such-editor")]);
    screen.types("kept");
    screen.bright("kept");
    screen.press(&["C-g"]);
    screen.see("no-such-editor can't be run");
    screen.bright("kept");
}

#[test]
fn what_the_editor_saved_is_kept_when_the_terminal_goes() {
    let sandbox = Sandbox::new();
    let (_asking, screen) = opened_with(&sandbox, &[("EDITOR", "ed -p 'ed> '")]);
    screen.press(&["C-g"]);
    screen.see("ed>");
    screen.types("0a");
    screen.press(&["Enter"]);
    screen.types("saved in ed");
    screen.press(&["Enter"]);
    screen.types(".");
    screen.press(&["Enter"]);
    screen.types("w");
    screen.press(&["Enter"]);
    screen.types("1p");
    screen.press(&["Enter"]);
    screen.see("saved in ed\ned>");
    screen.kill(Signal::TERM);
    assert_eq!(screen.ended(), 0);
    let again = Screen::open(&sandbox, &["inbox", "--next"]);
    again.bright("saved in ed");
}

#[test]
fn a_paste_that_no_terminal_marks_never_sends() {
    let sandbox = Sandbox::new();
    let (asking, screen) = opened(&sandbox, "pi", NAME);
    screen.paste_unmarked("one\ntwo\nthree\n");
    screen.see("│ one");
    screen.see("4 lines, 14");
    screen.bright("three");
    screen.types("four");
    screen.bright("four");
    screen.press(&["Enter"]);
    screen.see("Answer sent to ask-user.");
    asking.told(&named("one\\ntwo\\nthree\\nfour"));
}

#[test]
fn a_megabyte_is_pasted_either_way_and_keys_go_on() {
    let line = "words of a line that was copied\n";
    // Without bracketed paste every character is a key, so a little more than a field holds is
    // enough.
    for (marked, lines) in [(true, 32 * 1024), (false, 8_400)] {
        let megabyte = line.repeat(lines);
        let sandbox = Sandbox::new();
        let (_asking, screen) = opened(&sandbox, "pi", NAME);
        if marked {
            screen.paste(&megabyte);
        } else {
            screen.paste_unmarked(&megabyte);
        }
        screen.see("262,144");
        screen.see("The field is full");
        screen.press(&["BSpace", "BSpace"]);
        screen.see("262,142");
        screen.types("!");
        screen.see("262,143");
    }
}

#[test]
fn ctrl_z_gives_the_terminal_to_the_shell_and_takes_it_again() {
    let sandbox = Sandbox::new();
    let shell = ["bash", "--norc", "--noprofile", "-i"];
    let screen = Screen::start(&sandbox, &[("PS1", "shell> ")], &shell);
    let mut person = Person::at(&sandbox);
    let asking = asking(&sandbox, "pi", NAME);
    person.asked();
    screen.see("shell>");
    screen.types(&format!("{BINARY} inbox --next"));
    screen.press(&["Enter"]);
    screen.see("What name?");
    screen.types("half");
    screen.bright("half");
    screen.press(&["C-z"]);
    screen.see("Stopped");
    assert_eq!(screen.fact("alternate_on"), "0");
    screen.types("echo between; fg");
    screen.press(&["Enter"]);
    screen.bright("half");
    assert_eq!(screen.fact("alternate_on"), "1");
    screen.paste("-and\nhalf");
    screen.see("2 lines, 13");
    screen.press(&["Enter"]);
    asking.told(&named("half-and\\nhalf"));
}

#[test]
fn an_answer_given_before_comes_back_with_the_arrow() {
    let sandbox = Sandbox::new();
    let (asking, screen) = opened(&sandbox, "pi", NAME);
    screen.types("orders");
    screen.bright("orders");
    screen.press(&["Enter"]);
    screen.see("Answer sent to ask-user.");
    asking.told(&named("orders"));
    let call = r#"{"questions":[{"question":"Which queue?"}]}"#;
    let mut person = Person::at(&sandbox);
    let second = super::asking(&sandbox, "pi", call);
    person.asked();
    let screen = Screen::open(&sandbox, &["inbox", "--next"]);
    screen.see("Which queue?");
    screen.see(" ago · ");
    screen.press(&["Up"]);
    screen.bright("orders");
    screen.press(&["Down"]);
    screen.gone("orders");
    screen.press(&["M-Up"]);
    screen.bright("orders");
    screen.types("-2");
    screen.bright("orders-2");
    screen.press(&["Enter"]);
    second.told(&named("orders-2").replace("What name?", "Which queue?"));
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
    let asking = super::asking_in(&sandbox, &project, "pi", DATABASE);
    screen.see("1 waiting");
    screen.press(&["Enter"]);
    screen.see("0. Other");
    screen.ready();
    screen.press(&["0"]);
    screen.see("your own answer");
    screen.types("see @");
    screen.see("› my notes.md");
    screen.types("mai");
    screen.see("› src/main.rs");
    screen.press(&["Tab"]);
    screen.bright("see src/main.rs");
    screen.gone("@");
    screen.types(" or @");
    screen.see("› my notes.md");
    screen.press(&["Enter"]);
    screen.bright("or \"my notes.md\"");
    screen.press(&["Enter"]);
    screen.see("✓ chosen");
    screen.press(&["Enter"]);
    screen.see("Answer sent to ask-user.");
    asking.told(
        r#"{"answered":true,"answers":[{"question":"Which database?","answer":"see src/main.rs or \"my notes.md\"","wasCustom":true}]}"#,
    );
}
