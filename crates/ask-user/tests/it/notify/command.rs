//! The notification command, which runs on every event.

use std::os::unix::fs::PermissionsExt as _;

use rustix::process::Signal;

use super::{NOON, pipe};
use crate::support::hub::Hub;
use crate::support::json;
use crate::support::lines::Lines;
use crate::support::sandbox::{BINARY, Sandbox, run_to_end};
use crate::support::web::Web;

/// A home whose command writes each event to a pipe.
fn home_with_command(more: &str) -> (Sandbox, Lines) {
    let sandbox = Sandbox::with_clock(NOON);
    let (path, lines) = pipe(&sandbox, "events");
    let script = format!(
        "{{ printf '%s %s ' \"$ASK_USER_EVENT\" \"$ASK_USER_ASK\"; cat; }} > {}",
        path.display()
    );
    let script = script.replace('\\', "\\\\").replace('"', "\\\"");
    sandbox.write_settings(&format!(
        "[notify]\ncommand = [\"sh\", \"-c\", \"{script}\"]\n{more}"
    ));
    (sandbox, lines)
}

/// The next event: its name, the ask's id, and the JSON.
fn next_event(lines: &mut Lines) -> (String, String, String) {
    let line = lines.next().expect("the pipe has no end");
    let mut parts = line.splitn(3, ' ').map(str::to_owned);
    let mut part = || parts.next().expect("word, id and JSON");
    (part(), part(), part())
}

#[test]
fn the_command_receives_every_event_of_an_ask() {
    let (sandbox, mut lines) = home_with_command("");
    let id = sandbox.ask(&[
        "Shall I?", "--title", "Pets", "--option", "yes", "--option", "no",
    ]);
    let (event, asked, said) = next_event(&mut lines);
    assert_eq!((event.as_str(), asked.as_str()), ("asked", id.as_str()));
    let said = json(&said);
    assert_eq!(said["event"], "asked");
    assert_eq!(said["at"], NOON);
    assert_eq!(said["ask"]["title"], "Pets");
    assert_eq!(said["ask"]["questions"][0]["options"][1]["label"], "no");
    sandbox.run_ok(&["answer", &id, "--set", "no"]);
    let (event, _, said) = next_event(&mut lines);
    assert_eq!(event, "answered");
    assert!(said.contains("\"outcome\""), "{said}");
    assert_eq!(next_event(&mut lines).0, "late", "no call waited for it");
}

#[test]
fn an_answer_while_the_agent_may_return_is_not_late() {
    let (sandbox, mut lines) = home_with_command("");
    let agent = Web::with_token(&sandbox, "token");
    let asked = agent.expect_status(201, "POST", "/v1/asks", r#"{"question":"Shall I?"}"#);
    assert_eq!(next_event(&mut lines).0, "asked");
    let id = asked["askId"].as_str().expect("an id");
    sandbox.run_ok(&["answer", id, "--set", "of course"]);
    assert_eq!(next_event(&mut lines).0, "answered");
    let next = sandbox.ask(&["And now?"]);
    assert_eq!(
        next_event(&mut lines).1,
        next,
        "its agent would have polled again"
    );
}

#[test]
fn private_notifications_have_no_content() {
    let (sandbox, mut lines) = home_with_command("privacy = \"private\"\n");
    let id = sandbox.ask(&["Secret question?", "--title", "Secret title"]);
    let asked = next_event(&mut lines).2;
    sandbox.run_ok(&["answer", &id, "--set", "Secret answer"]);
    let answered = next_event(&mut lines).2;
    for said in [asked, answered] {
        assert!(!said.contains("Secret"), "{said}");
        assert_eq!(json(&said)["ask"]["questionCount"], 1);
    }
}

#[test]
fn declining_and_snoozing_are_notified() {
    let (sandbox, mut lines) = home_with_command("");
    let id = sandbox.ask(&["Shall I?"]);
    assert_eq!(next_event(&mut lines).0, "asked");
    sandbox.run_ok(&["snooze", &id, "--for", "1h"]);
    assert_eq!(next_event(&mut lines).0, "snoozed");
    sandbox.set_clock("2026-02-04T13:00:01Z");
    Hub::connect(&sandbox).set_clock("2026-02-04T13:00:01Z");
    assert_eq!(next_event(&mut lines).0, "back");
    sandbox.run_ok(&["decline", &id]);
    assert_eq!(next_event(&mut lines).0, "declined");
}

#[test]
fn the_next_hub_sends_missed_notifications() {
    let (sandbox, mut lines) = home_with_command("");
    let first = sandbox.ask(&["First?"]);
    assert_eq!(next_event(&mut lines).1, first);
    Hub::connect(&sandbox).signal(Signal::TERM);
    let second = sandbox.ask(&["Second?"]);
    let (event, asked, _) = next_event(&mut lines);
    assert_eq!(
        (event.as_str(), asked),
        ("asked", second),
        "the first ask isn't reported again"
    );
}

#[test]
fn a_failing_notification_command_blocks_nothing() {
    for (program, said) in [
        (
            "[\"sh\", \"-c\", \"echo out; echo err >&2; exit 3\"]",
            "exit code 3 out err",
        ),
        ("[\"/nowhere/at-all\"]", "can't be run"),
    ] {
        let sandbox = Sandbox::new();
        sandbox.write_settings(&format!("[notify]\ncommand = {program}\n"));
        let id = sandbox.ask(&["Shall I?"]);
        sandbox.run_ok(&["answer", &id, "--set", "of course"]);
        let log = sandbox.home().join("hub.log");
        let mut tail = std::process::Command::new("tail");
        tail.args(["-n", "+1", "-F"]).arg(log);
        let mut log = sandbox.start("hub.log", tail);
        log.out.find("the log says so", |line| {
            (line.contains("notify.command") && line.contains(said)).then_some(())
        });
    }
}

#[test]
fn a_file_of_the_checkout_in_which_the_hub_was_started_is_not_the_persons_command() {
    let sandbox = Sandbox::new();
    let (events, mut lines) = pipe(&sandbox, "events");
    sandbox.write_settings("[notify]\ncommand = [\"notify-me\"]\n");
    let checkout = sandbox.home().join("shop");
    std::fs::create_dir_all(checkout.join(".git")).expect("a writable home");
    let mut path = std::ffi::OsString::new();
    for (folder, said) in [
        (checkout.join("bin"), "checkout"),
        (sandbox.home().join("tools"), "person"),
    ] {
        std::fs::create_dir_all(&folder).expect("a writable home");
        let program = folder.join("notify-me");
        let script = format!("#!/bin/sh\necho {said} > {}\n", events.display());
        std::fs::write(&program, script).expect("a writable home");
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(&program, mode).expect("its permissions");
        path.push(folder);
        path.push(":");
    }
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let mut list = sandbox.command(BINARY);
    list.arg("list").env("PATH", path).current_dir(&checkout);
    assert!(run_to_end(list).status.success());
    sandbox.ask(&["Shall I?"]);
    assert_eq!(lines.next().as_deref(), Some("person"));
}
