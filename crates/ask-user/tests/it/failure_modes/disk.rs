//! A full disk: the hub reports what it can't store, and what it has stored stays.

use ask_core::AskId;
use ask_protocol::ipc::{Request, Response};
use rustix::process::Signal;

use crate::support::agent::Agent;
use crate::support::hub::{Hub, send_signal};
use crate::support::person::Person;
use crate::support::sandbox::{BINARY, Running, Sandbox};
use crate::support::{json, text};

/// How many asks [`start_limited_hub`] leaves open.
const FILLERS: usize = 2;

/// A hub that can't write files larger than its database is now, but for one page. The log has that
/// much room, too: enough for some asks, because the database has large ones. A checkpoint makes no
/// room, whenever it comes: what the log holds doesn't fit into the database.
fn start_limited_hub(sandbox: &Sandbox) -> Running {
    let long = "words and words ".repeat(7_000);
    for filler in 0..FILLERS {
        sandbox.ask(&[&format!("Filler {filler}?"), "--context", &long]);
    }
    sandbox.run_ok(&["hub", "--stop"]);
    let database = std::fs::metadata(sandbox.home().join("ask-user.db"));
    let blocks = database.expect("a hub has run").len() / 512 + 8;
    let mut command = sandbox.command("sh");
    let script = format!("ulimit -f {blocks}; exec \"$0\" hub --foreground");
    command.args(["-c", &script, BINARY]);
    let mut hub = sandbox.start("hub", command);
    hub.out
        .find("it listens", |line| line.contains("listens").then_some(()));
    hub
}

/// Asks until the hub can't store the smallest ask. Returns how many it stored, and the error.
fn fill_disk(sandbox: &Sandbox) -> (usize, String) {
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

fn count_waiting(sandbox: &Sandbox) -> usize {
    let listed = json(&sandbox.run_ok(&["list", "--json"]));
    let records = listed.as_array().expect("an array").iter();
    records
        .filter(|record| record["state"] == "waiting")
        .count()
}

#[test]
fn a_full_disk_is_reported_and_stored_asks_stay() {
    let sandbox = Sandbox::new();
    let first = sandbox.ask(&["Before?"]);
    let first = first.trim();
    let mut hub = start_limited_hub(&sandbox);
    let second = sandbox.ask(&["In between?"]);
    sandbox.run_ok(&["answer", first, "--set", "kept"]);
    let (kept, said) = fill_disk(&sandbox);
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
    assert_eq!(
        count_waiting(&sandbox),
        kept + 1 + FILLERS,
        "all that were kept still wait"
    );

    let mut agent = Agent::connect(&sandbox, "native");
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

    sandbox.run_ok(&["hub", "--stop"]);
    hub.out.rest();
    let record = json(&sandbox.run_ok(&["show", first, "--json"]));
    let said = &record["outcome"]["answers"][0]["values"][0];
    assert_eq!(*said, "kept", "{record}");
    assert!(
        count_waiting(&sandbox) > kept + FILLERS,
        "all that were acknowledged"
    );
    sandbox.run_ok(&["answer", second.trim(), "--set", "now"]);
    let mut person = Person::new(&sandbox);
    let record = person.wait_for("it is asked", |record| {
        record["questions"][0]["question"] == "Room?"
    });
    let id = record["askId"].as_str().expect("an id");
    person.answer(id, &["--set", "plenty"]);
    assert!(agent.receive_reply(call).contains("plenty"));
}

/// A hub and an agent that received an answer whose delivery couldn't be stored, because the disk
/// is full.
fn deliver_on_full_disk(sandbox: &Sandbox) -> (Running, Agent, String) {
    let other = sandbox.ask(&["Something else?"]);
    let hub = start_limited_hub(sandbox);
    let mut agent = Agent::connect(sandbox, "native");
    let call = agent.call("ask_user", r#"{"question":"Which way?"}"#);
    let mut person = Person::new(sandbox);
    let asked = person.wait_for("it is asked", |record| {
        record["questions"][0]["question"] == "Which way?"
    });
    let id = text(&asked, "askId");
    drop(person);
    let pid = agent.server.child.id();
    send_signal(pid, Signal::STOP);
    sandbox.run_ok(&["answer", &id, "--set", "left"]);
    fill_disk(sandbox);
    // `shown` takes less room than an ask: fill the disk until not even that fits.
    let other = AskId::parse(&other).expect("an id");
    let shown = Request::Shown {
        id: other,
        surface: "story".to_owned(),
    };
    let mut line = Hub::connect(sandbox);
    while !matches!(line.call(&shown), Response::Fault { .. }) {}
    send_signal(pid, Signal::CONT);
    assert!(agent.receive_reply(call).contains("left"));
    let record = json(&sandbox.run_ok(&["show", &id, "--json"]));
    assert_eq!(
        record["delivered"], false,
        "the delivery had no room: {record}"
    );
    (hub, agent, id)
}

#[test]
fn a_delivery_on_a_full_disk_is_stored_once_there_is_room() {
    let sandbox = Sandbox::new();
    let (mut hub, agent, id) = deliver_on_full_disk(&sandbox);
    // No other agent receives the answer.
    let mut other = Agent::connect(&sandbox, "native");
    let fetch = other.call("ask_user_result", "{}");
    assert!(!other.receive_reply(fetch).contains("left"));

    sandbox.run_ok(&["hub", "--stop"]);
    hub.out.rest();
    agent.end();
    let record = json(&sandbox.run_ok(&["show", &id, "--json"]));
    assert_eq!(record["delivered"], true, "{record}");
}

#[test]
fn a_delivery_on_a_full_disk_is_stored_after_offline_asks() {
    let sandbox = Sandbox::new();
    let (mut hub, mut agent, id) = deliver_on_full_disk(&sandbox);
    agent.call("ask_user", r#"{"question":"And then?"}"#);
    agent
        .server
        .err
        .find("it is asked without the hub", |line| {
            line.contains("A question waits in").then_some(())
        });
    // A new surface is notified, however soon the delivery is stored.
    let mut person = Person::new(&sandbox);
    sandbox.run_ok(&["hub", "--stop"]);
    hub.out.rest();
    person.wait_for("it counts as delivered", |record| {
        record["askId"] == *id && record["delivered"] == true
    });
    agent.end();
}
