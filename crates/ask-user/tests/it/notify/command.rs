//! The notification command, which runs on every event.

use rustix::process::Signal;

use super::{NOON, pipe};
use crate::support::hub::Hub;
use crate::support::json;
use crate::support::lines::Lines;
use crate::support::sandbox::Sandbox;
use crate::support::web::Web;

/// A home whose command writes each event to a pipe.
fn home(more: &str) -> (Sandbox, Lines) {
    let sandbox = Sandbox::at(NOON);
    let (path, lines) = pipe(&sandbox, "events");
    let script = format!(
        "{{ printf '%s %s ' \"$ASK_USER_EVENT\" \"$ASK_USER_ASK\"; cat; }} > {}",
        path.display()
    );
    let script = script.replace('\\', "\\\\").replace('"', "\\\"");
    sandbox.settings(&format!(
        "[notify]\ncommand = [\"sh\", \"-c\", \"{script}\"]\n{more}"
    ));
    (sandbox, lines)
}

/// The next event: its name, the ask's id, and the JSON.
fn told(lines: &mut Lines) -> (String, String, String) {
    let line = lines.next().expect("the pipe has no end");
    let mut parts = line.splitn(3, ' ').map(str::to_owned);
    let mut part = || parts.next().expect("word, id and JSON");
    (part(), part(), part())
}

#[test]
fn it_is_told_of_an_ask_from_beginning_to_end() {
    let (sandbox, mut lines) = home("");
    let id = sandbox.asks(&[
        "Shall I?", "--title", "Pets", "--option", "yes", "--option", "no",
    ]);
    let (event, asked, said) = told(&mut lines);
    assert_eq!((event.as_str(), asked.as_str()), ("asked", id.as_str()));
    let said = json(&said);
    assert_eq!(said["event"], "asked");
    assert_eq!(said["at"], NOON);
    assert_eq!(said["ask"]["title"], "Pets");
    assert_eq!(said["ask"]["questions"][0]["options"][1]["label"], "no");
    sandbox.done(&["answer", &id, "--set", "no"]);
    let (event, _, said) = told(&mut lines);
    assert_eq!(event, "answered");
    assert!(said.contains("\"outcome\""), "{said}");
    assert_eq!(told(&mut lines).0, "late", "no call waited for it");
}

#[test]
fn what_was_said_while_its_agent_counted_as_waiting_is_not_late() {
    let (sandbox, mut lines) = home("");
    let agent = Web::program(&sandbox, "token");
    let asked = agent.says(201, "POST", "/v1/asks", r#"{"question":"Shall I?"}"#);
    assert_eq!(told(&mut lines).0, "asked");
    let id = asked["askId"].as_str().expect("an id");
    sandbox.done(&["answer", id, "--set", "of course"]);
    assert_eq!(told(&mut lines).0, "answered");
    let next = sandbox.asks(&["And now?"]);
    assert_eq!(
        told(&mut lines).1,
        next,
        "its agent would have polled again"
    );
}

#[test]
fn private_means_that_no_word_of_agent_or_person_is_told() {
    let (sandbox, mut lines) = home("privacy = \"private\"\n");
    let id = sandbox.asks(&["Secret question?", "--title", "Secret title"]);
    let asked = told(&mut lines).2;
    sandbox.done(&["answer", &id, "--set", "Secret answer"]);
    let answered = told(&mut lines).2;
    for said in [asked, answered] {
        assert!(!said.contains("Secret"), "{said}");
        assert_eq!(json(&said)["ask"]["questionCount"], 1);
    }
}

#[test]
fn declined_put_aside_and_back() {
    let (sandbox, mut lines) = home("");
    let id = sandbox.asks(&["Shall I?"]);
    assert_eq!(told(&mut lines).0, "asked");
    sandbox.done(&["snooze", &id, "--for", "1h"]);
    assert_eq!(told(&mut lines).0, "snoozed");
    sandbox.set_clock("2026-02-04T13:00:01Z");
    Hub::of(&sandbox).clock("2026-02-04T13:00:01Z");
    assert_eq!(told(&mut lines).0, "back");
    sandbox.done(&["decline", &id]);
    assert_eq!(told(&mut lines).0, "declined");
}

#[test]
fn the_next_hub_tells_what_the_one_before_it_has_not() {
    let (sandbox, mut lines) = home("");
    let first = sandbox.asks(&["First?"]);
    assert_eq!(told(&mut lines).1, first);
    Hub::of(&sandbox).signal(Signal::TERM);
    let second = sandbox.asks(&["Second?"]);
    let (event, asked, _) = told(&mut lines);
    assert_eq!(
        (event.as_str(), asked),
        ("asked", second),
        "the first ask isn't reported again"
    );
}

#[test]
fn a_program_that_hangs_fails_or_is_missing_is_in_nobodys_way() {
    for (program, said) in [
        (
            "[\"sh\", \"-c\", \"echo out; echo err >&2; exit 3\"]",
            "exit code 3 out err",
        ),
        ("[\"/nowhere/at-all\"]", "can't be run"),
    ] {
        let sandbox = Sandbox::new();
        sandbox.settings(&format!("[notify]\ncommand = {program}\n"));
        let id = sandbox.asks(&["Shall I?"]);
        sandbox.done(&["answer", &id, "--set", "of course"]);
        let log = sandbox.home().join("hub.log");
        let mut tail = std::process::Command::new("tail");
        tail.args(["-n", "+1", "-F"]).arg(log);
        let mut log = sandbox.start("hub.log", tail);
        log.out.find("the log says so", |line| {
            (line.contains("notify.command") && line.contains(said)).then_some(())
        });
    }
}
