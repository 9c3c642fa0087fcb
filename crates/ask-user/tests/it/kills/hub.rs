//! The hub is killed, stopped or replaced while calls wait for it.

use ask_core::Json;
use rustix::process::Signal;

use crate::support::agent::Agent;
use crate::support::hub::{Hub, address};
use crate::support::json;
use crate::support::person::Person;
use crate::support::sandbox::{BINARY, Sandbox};

const ASK: &str =
    r#"{"questions":[{"id":"way","question":"Which way?","options":["left","right"]}]}"#;

/// All records.
fn records(sandbox: &Sandbox) -> Vec<Json> {
    let all = json(&sandbox.run_ok(&["list", "--all", "--json"]));
    all.as_array().cloned().expect("records are a list")
}

/// After the hub was lost: the call waits again, its answer arrives, and there is one record.
fn answer_after_loss(
    sandbox: &Sandbox,
    agent: &mut Agent,
    person: &mut Person<'_>,
    call: i64,
    id: &str,
) {
    person.wait_for("the call waits again", |record| {
        record["askId"] == *id && record["waiters"] == 1
    });
    person.answer(id, &["--set", "right"]);
    let reply = json(&agent.receive_reply(call));
    assert_eq!(reply["answers"][0]["values"][0], "right", "{reply}");
    person.wait_for("it is delivered", |record| {
        record["askId"] == *id && record["delivered"] == true
    });
    let records = records(sandbox);
    assert_eq!(records.len(), 1, "no second question: {records:?}");
}

#[test]
fn calls_survive_killed_hubs() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let mut agent = Agent::connect(&sandbox, "native");
    let call = agent.call("ask_user", ASK);
    let id = person.next_ask();
    for _ in 0..3 {
        Hub::start(&sandbox).kill();
    }
    answer_after_loss(&sandbox, &mut agent, &mut person, call, &id);
}

#[test]
fn waiting_calls_restart_a_stopped_hub() {
    for signal in [None, Some(Signal::TERM), Some(Signal::INT)] {
        let sandbox = Sandbox::new();
        let mut person = Person::new(&sandbox);
        let mut agent = Agent::connect(&sandbox, "native");
        let call = agent.call("ask_user", ASK);
        let id = person.next_ask();
        match signal {
            None => drop(sandbox.run_ok(&["hub", "--stop"])),
            Some(signal) => Hub::connect(&sandbox).signal(signal),
        }
        answer_after_loss(&sandbox, &mut agent, &mut person, call, &id);
    }
}

#[test]
fn a_newer_program_replaces_the_hub_under_waiting_calls() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let mut agent = Agent::connect(&sandbox, "native");
    let call = agent.call("ask_user", ASK);
    let id = person.next_ask();
    let before = Hub::connect(&sandbox).pid;
    let newer = |arguments: &[&str]| {
        let mut command = sandbox.command(BINARY);
        command.env("ASK_USER_VERSION", "9.9.9").args(arguments);
        let output = crate::support::sandbox::run_to_end(command);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let listed = newer(&["list"]);
    assert!(
        listed.contains("Which way?"),
        "the new one knows it: {listed}"
    );
    let address = address(&sandbox).expect("a hub runs");
    assert_ne!(address.pid, before, "another process");
    // The first client to reconnect starts the hub; an older program never replaces a newer one.
    let status = json(&newer(&["status", "--json"]));
    assert_eq!(status["waiting"], 1, "{status}");
    answer_after_loss(&sandbox, &mut agent, &mut person, call, &id);
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_that_was_built_again_replaces_the_hub_under_waiting_calls() {
    let sandbox = Sandbox::new();
    let program = sandbox.home().join("program");
    // Another process copies it: a program whose file is open for writing can't be run.
    let install = || {
        let mut command = sandbox.command("cp");
        command.arg(BINARY).arg(&program);
        assert!(
            crate::support::sandbox::run_to_end(command)
                .status
                .success()
        );
    };
    let run = |arguments: &[&str]| {
        let mut command = sandbox.command(program.display().to_string());
        command.args(arguments);
        let output = crate::support::sandbox::run_to_end(command);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    install();
    run(&["hub", "--start"]);
    let mut person = Person::new(&sandbox);
    let mut agent = Agent::connect(&sandbox, "native");
    let call = agent.call("ask_user", ASK);
    let id = person.next_ask();
    let before = Hub::connect(&sandbox).pid;
    run(&["list"]);
    assert_eq!(Hub::connect(&sandbox).pid, before, "nothing has changed");
    std::fs::remove_file(&program).expect("the program is there");
    install();
    let listed = run(&["list"]);
    assert!(listed.contains("Which way?"), "{listed}");
    assert_ne!(Hub::connect(&sandbox).pid, before, "another process");
    answer_after_loss(&sandbox, &mut agent, &mut person, call, &id);
}

#[test]
fn removed_hub_files_are_created_again() {
    for removed in [&["hub.sock"][..], &["hub.json"], &["hub.sock", "hub.json"]] {
        let sandbox = Sandbox::new();
        let mut agent = Agent::connect(&sandbox, "native");
        let call = agent.call("ask_user", ASK);
        let id = Person::new(&sandbox).next_ask();
        let pid = Hub::connect(&sandbox).pid;
        for file in removed {
            std::fs::remove_file(sandbox.home().join(file)).expect("the hub's file exists");
        }
        let status = sandbox.run(&["hub", "--status"]);
        let status = String::from_utf8_lossy(&status.stdout);
        let lost = format!("The hub (process {pid}) can't be reached");
        assert!(status.starts_with(&lost), "{status}");
        let listed = sandbox.run_ok(&["list"]);
        assert!(listed.contains("Which way?"), "{removed:?}: {listed}");
        let there = address(&sandbox).expect("the hub writes its address again");
        assert_eq!(there.pid, pid, "the same hub");
        let mut person = Person::new(&sandbox);
        answer_after_loss(&sandbox, &mut agent, &mut person, call, &id);
    }
}

#[test]
fn an_unreachable_hub_can_be_stopped() {
    let sandbox = Sandbox::new();
    let mut hub = Hub::start(&sandbox);
    for file in ["hub.sock", "hub.json"] {
        std::fs::remove_file(sandbox.home().join(file)).expect("the hub's file exists");
    }
    let said = sandbox.run_ok(&["hub", "--stop"]);
    let ends = format!("The hub (process {}) could not be reached", hub.pid);
    assert!(said.starts_with(&ends), "{said}");
    while hub.receive().is_some() {}
    assert_ne!(Hub::start(&sandbox).pid, hub.pid, "another one");
}

#[test]
fn an_acknowledged_answer_survives_a_kill() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let mut agent = Agent::connect(&sandbox, "native");
    for round in 0..5 {
        let call = agent.call("ask_user", ASK);
        let id = person.next_ask();
        let hub = Hub::connect(&sandbox);
        let word = format!("round {round}");
        person.answer(&id, &["--other", &word]);
        // The hub has confirmed the answer to the person; the agent may not have received it.
        hub.kill();
        let reply = json(&agent.receive_reply(call));
        assert_eq!(reply["answers"][0]["customText"], *word, "{reply}");
        let record = person.record(&id);
        assert_eq!(record["outcome"]["answers"][0]["customText"], *word);
    }
}

#[test]
fn repeated_kills_lose_no_ask() {
    const ROUNDS: usize = 20;
    let sandbox = Sandbox::new();
    let mut agent = Agent::connect(&sandbox, "native");
    sandbox.run_ok(&["list"]);
    let mut calls = Vec::new();
    for round in 0..ROUNDS {
        let question = format!(r#"{{"question":"Round {round}?"}}"#);
        // In even rounds the call starts before the hub, in odd ones after it: the kill comes
        // before or just after the ask is stored.
        if round % 2 == 0 {
            calls.push(agent.call("ask_user", &question));
            Hub::start(&sandbox).kill();
        } else {
            let hub = Hub::start(&sandbox);
            calls.push(agent.call("ask_user", &question));
            hub.kill();
        }
    }
    let mut person = Person::new(&sandbox);
    let mut answered = 0;
    while answered < ROUNDS {
        let id = person.next_ask();
        let record = person.record(&id);
        let question = record["questions"][0]["question"].clone();
        let question = question.as_str().expect("a question has text");
        person.answer(&id, &["--set", question]);
        answered += 1;
    }
    for (round, call) in calls.into_iter().enumerate() {
        let reply = json(&agent.receive_reply(call));
        let said = &reply["answers"][0];
        assert_eq!(said["question"], *format!("Round {round}?"), "{reply}");
        assert_eq!(
            said["values"][0], said["question"],
            "its own answer: {reply}"
        );
    }
    assert_eq!(records(&sandbox).len(), ROUNDS, "each was asked once");
}
