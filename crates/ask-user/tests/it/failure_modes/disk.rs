//! A full disk: the hub reports what it can't store, and what it has stored stays.

use ask_core::AskId;
use ask_protocol::ipc::{Request, Response};
use rustix::process::Signal;

use crate::support::agent::Agent;
use crate::support::hub::{Hub, send_signal};
use crate::support::person::Person;
use crate::support::sandbox::{BINARY, Running, Sandbox};
use crate::support::{json, text};

/// A hub that can't write files of more than this many blocks of 512 bytes.
fn limited(sandbox: &Sandbox, blocks: u32) -> Running {
    let mut command = sandbox.command("sh");
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" hub --foreground");
    command.args(["-c", &script, BINARY]);
    let mut hub = sandbox.start("hub", command);
    hub.out
        .find("it listens", |line| line.contains("listens").then_some(()));
    hub
}

/// Asks until the hub can't store the smallest ask. Returns how many it stored, and the error.
fn fill(sandbox: &Sandbox) -> (usize, String) {
    let mut kept = 0;
    let mut said = String::new();
    for words in [2_000, 0] {
        let long = "words and words ".repeat(words);
        let refused = loop {
            let question = format!("Round {kept}?");
            let output = sandbox.run(&["ask", &question, "--context", &long, "--no-wait"]);
            if output.status.code() != Some(8) {
                break output;
            }
            kept += 1;
            assert!(kept < 200, "the disk must be full some time");
        };
        assert_eq!(refused.status.code(), Some(1), "{refused:?}");
        said = String::from_utf8_lossy(&refused.stderr).into_owned();
    }
    (kept, said)
}

fn waiting(sandbox: &Sandbox) -> usize {
    let listed = json(&sandbox.done(&["list", "--json"]));
    let records = listed.as_array().expect("an array").iter();
    records
        .filter(|record| record["state"] == "waiting")
        .count()
}

#[test]
fn what_can_not_be_kept_is_said_and_what_was_kept_stays() {
    let sandbox = Sandbox::new();
    let first = sandbox.asks(&["Before?"]);
    let first = first.trim();
    sandbox.done(&["hub", "--stop"]);
    let mut hub = limited(&sandbox, 800);
    let second = sandbox.asks(&["In between?"]);
    sandbox.done(&["answer", first, "--set", "kept"]);
    let (kept, said) = fill(&sandbox);
    assert!(kept > 0, "some had room");
    let doctor = sandbox.run(&["doctor"]);
    let doctor = String::from_utf8_lossy(&doctor.stdout);
    assert!(
        doctor.contains("FAIL  round trip  the question was not asked: "),
        "{doctor}"
    );
    assert!(
        !doctor.contains("a question tool of your own"),
        "the sentence for agents isn't printed"
    );
    assert!(said.contains("could not write"), "what: {said}");
    assert!(said.contains("nothing was changed"), "{said}");
    assert!(
        said.to_lowercase().contains("try again"),
        "what to do: {said}"
    );
    assert_eq!(waiting(&sandbox), kept + 1, "all that were kept still wait");

    let mut agent = Agent::of(&sandbox, "native");
    let long = "words and words ".repeat(2_000);
    let large = format!(r#"{{"question":"Room?","context":"{long}"}}"#);
    let call = agent.call("ask_user", &large);
    agent
        .server
        .err
        .find("why it does without the hub", |line| {
            line.contains("could not write").then_some(())
        });
    agent.server.err.find("it asks in a file", |line| {
        line.contains("A question waits in").then_some(())
    });

    sandbox.done(&["hub", "--stop"]);
    hub.out.rest();
    let record = json(&sandbox.done(&["show", first, "--json"]));
    let said = &record["outcome"]["answers"][0]["values"][0];
    assert_eq!(*said, "kept", "{record}");
    assert!(waiting(&sandbox) > kept, "all that were acknowledged");
    sandbox.done(&["answer", second.trim(), "--set", "now"]);
    let mut person = Person::at(&sandbox);
    let record = person.sees("it is asked", |record| {
        record["questions"][0]["question"] == "Room?"
    });
    let id = record["askId"].as_str().expect("an id");
    person.answers(id, &["--set", "plenty"]);
    assert!(agent.told(call).contains("plenty"));
}

/// A hub and an agent that received an answer whose delivery couldn't be stored, because the disk
/// is full.
fn told_on_a_full_disk(sandbox: &Sandbox) -> (Running, Agent, String) {
    let hub = limited(sandbox, 800);
    let other = sandbox.asks(&["Something else?"]);
    let mut agent = Agent::of(sandbox, "native");
    let call = agent.call("ask_user", r#"{"question":"Which way?"}"#);
    let mut person = Person::at(sandbox);
    let asked = person.sees("it is asked", |record| {
        record["questions"][0]["question"] == "Which way?"
    });
    let id = text(&asked, "askId");
    drop(person);
    let pid = agent.server.child.id();
    send_signal(pid, Signal::STOP);
    sandbox.done(&["answer", &id, "--set", "left"]);
    fill(sandbox);
    // `shown` takes less room than an ask: fill the disk until not even that fits.
    let other = AskId::parse(&other).expect("an id");
    let shown = Request::Shown {
        id: other,
        surface: "story".to_owned(),
    };
    let mut line = Hub::of(sandbox);
    while !matches!(line.call(&shown), Response::Fault { .. }) {}
    send_signal(pid, Signal::CONT);
    assert!(agent.told(call).contains("left"));
    let record = json(&sandbox.done(&["show", &id, "--json"]));
    assert_eq!(
        record["delivered"], false,
        "the delivery had no room: {record}"
    );
    (hub, agent, id)
}

#[test]
fn an_answer_told_on_a_full_disk_counts_as_told_once_there_is_room() {
    let sandbox = Sandbox::new();
    let (mut hub, agent, id) = told_on_a_full_disk(&sandbox);
    // No other agent receives the answer.
    let mut other = Agent::of(&sandbox, "native");
    let fetch = other.call("ask_user_result", "{}");
    assert!(!other.told(fetch).contains("left"));

    sandbox.done(&["hub", "--stop"]);
    hub.out.rest();
    agent.end();
    let record = json(&sandbox.done(&["show", &id, "--json"]));
    assert_eq!(record["delivered"], true, "{record}");
}

#[test]
fn it_does_also_where_its_agent_has_done_without_the_hub_since() {
    let sandbox = Sandbox::new();
    let (mut hub, mut agent, id) = told_on_a_full_disk(&sandbox);
    agent.call("ask_user", r#"{"question":"And then?"}"#);
    agent
        .server
        .err
        .find("it is asked without the hub", |line| {
            line.contains("A question waits in").then_some(())
        });
    // A new surface is notified, however soon the delivery is stored.
    let mut person = Person::at(&sandbox);
    sandbox.done(&["hub", "--stop"]);
    hub.out.rest();
    person.sees("it counts as delivered", |record| {
        record["askId"] == *id && record["delivered"] == true
    });
    agent.end();
}
