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
    let all = json(&sandbox.done(&["list", "--all", "--json"]));
    all.as_array().cloned().expect("records are a list")
}

/// After the hub was lost: the call waits again, its answer arrives, and there is one record.
fn goes_on(sandbox: &Sandbox, agent: &mut Agent, person: &mut Person<'_>, call: i64, id: &str) {
    person.sees("the call waits again", |record| {
        record["askId"] == *id && record["waiters"] == 1
    });
    person.answers(id, &["--set", "right"]);
    let reply = json(&agent.told(call));
    assert_eq!(reply["answers"][0]["values"][0], "right", "{reply}");
    person.sees("it is delivered", |record| {
        record["askId"] == *id && record["delivered"] == true
    });
    let records = records(sandbox);
    assert_eq!(records.len(), 1, "no second question: {records:?}");
}

#[test]
fn a_killed_hub_changes_nothing_but_a_moment() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let mut agent = Agent::of(&sandbox, "native");
    let call = agent.call("ask_user", ASK);
    let id = person.asked();
    for _ in 0..3 {
        Hub::started(&sandbox).kill();
    }
    goes_on(&sandbox, &mut agent, &mut person, call, &id);
}

#[test]
fn a_stopped_hub_is_started_by_those_who_wait() {
    for signal in [None, Some(Signal::TERM), Some(Signal::INT)] {
        let sandbox = Sandbox::new();
        let mut person = Person::at(&sandbox);
        let mut agent = Agent::of(&sandbox, "native");
        let call = agent.call("ask_user", ASK);
        let id = person.asked();
        match signal {
            None => drop(sandbox.done(&["hub", "--stop"])),
            Some(signal) => Hub::of(&sandbox).signal(signal),
        }
        goes_on(&sandbox, &mut agent, &mut person, call, &id);
    }
}

#[test]
fn a_newer_program_replaces_the_hub_under_waiting_calls() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let mut agent = Agent::of(&sandbox, "native");
    let call = agent.call("ask_user", ASK);
    let id = person.asked();
    let before = Hub::of(&sandbox).pid;
    let newer = |arguments: &[&str]| {
        let mut command = sandbox.command(BINARY);
        command.env("ASK_USER_VERSION", "9.9.9").args(arguments);
        let output = crate::support::sandbox::ended(command);
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
    goes_on(&sandbox, &mut agent, &mut person, call, &id);
}

#[test]
fn a_hub_whose_files_were_removed_makes_them_anew() {
    for removed in [&["hub.sock"][..], &["hub.json"], &["hub.sock", "hub.json"]] {
        let sandbox = Sandbox::new();
        let mut agent = Agent::of(&sandbox, "native");
        let call = agent.call("ask_user", ASK);
        let id = Person::at(&sandbox).asked();
        let pid = Hub::of(&sandbox).pid;
        for file in removed {
            std::fs::remove_file(sandbox.home().join(file)).expect("the hub's file exists");
        }
        let status = sandbox.run(&["hub", "--status"]);
        let status = String::from_utf8_lossy(&status.stdout);
        let lost = format!("The hub (process {pid}) can't be reached");
        assert!(status.starts_with(&lost), "{status}");
        let listed = sandbox.done(&["list"]);
        assert!(listed.contains("Which way?"), "{removed:?}: {listed}");
        let there = address(&sandbox).expect("the hub writes its address again");
        assert_eq!(there.pid, pid, "the same hub");
        let mut person = Person::at(&sandbox);
        goes_on(&sandbox, &mut agent, &mut person, call, &id);
    }
}

#[test]
fn a_hub_that_nobody_reaches_can_be_stopped() {
    let sandbox = Sandbox::new();
    let mut hub = Hub::started(&sandbox);
    for file in ["hub.sock", "hub.json"] {
        std::fs::remove_file(sandbox.home().join(file)).expect("the hub's file exists");
    }
    let said = sandbox.done(&["hub", "--stop"]);
    let ends = format!("The hub (process {}) could not be reached", hub.pid);
    assert!(said.starts_with(&ends), "{said}");
    while hub.hear().is_some() {}
    assert_ne!(Hub::started(&sandbox).pid, hub.pid, "another one");
}

#[test]
fn an_acknowledged_answer_survives_at_once() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let mut agent = Agent::of(&sandbox, "native");
    for round in 0..5 {
        let call = agent.call("ask_user", ASK);
        let id = person.asked();
        let hub = Hub::of(&sandbox);
        let word = format!("round {round}");
        person.answers(&id, &["--other", &word]);
        // The hub has confirmed the answer to the person; the agent may not have received it.
        hub.kill();
        let reply = json(&agent.told(call));
        assert_eq!(reply["answers"][0]["customText"], *word, "{reply}");
        let record = person.shows(&id);
        assert_eq!(record["outcome"]["answers"][0]["customText"], *word);
    }
}

#[test]
fn killed_again_and_again_during_a_stream_of_asks() {
    const ROUNDS: usize = 20;
    let sandbox = Sandbox::new();
    let mut agent = Agent::of(&sandbox, "native");
    sandbox.done(&["list"]);
    let mut calls = Vec::new();
    for round in 0..ROUNDS {
        let question = format!(r#"{{"question":"Round {round}?"}}"#);
        // In even rounds the call starts before the hub, in odd ones after it: the kill comes
        // before or just after the ask is stored.
        if round % 2 == 0 {
            calls.push(agent.call("ask_user", &question));
            Hub::started(&sandbox).kill();
        } else {
            let hub = Hub::started(&sandbox);
            calls.push(agent.call("ask_user", &question));
            hub.kill();
        }
    }
    let mut person = Person::at(&sandbox);
    let mut answered = 0;
    while answered < ROUNDS {
        let id = person.asked();
        let record = person.shows(&id);
        let question = record["questions"][0]["question"].clone();
        let question = question.as_str().expect("a question has text");
        person.answers(&id, &["--set", question]);
        answered += 1;
    }
    for (round, call) in calls.into_iter().enumerate() {
        let reply = json(&agent.told(call));
        let said = &reply["answers"][0];
        assert_eq!(said["question"], *format!("Round {round}?"), "{reply}");
        assert_eq!(
            said["values"][0], said["question"],
            "its own answer: {reply}"
        );
    }
    assert_eq!(records(&sandbox).len(), ROUNDS, "each was asked once");
}
