//! Agents and surfaces are killed; what they asked or showed stays.

use std::process::Stdio;

use rustix::process::Signal;

use crate::support::agent::Agent;
use crate::support::hub::{Hub, send_signal};
use crate::support::json;
use crate::support::person::Person;
use crate::support::sandbox::{BINARY, Sandbox};

const ASK: &str =
    r#"{"questions":[{"id":"way","question":"Which way?","options":["left","right"]}]}"#;

#[test]
fn a_killed_agent_leaves_a_question_that_can_be_answered_and_fetched() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let mut agent = Agent::connect(&sandbox, "native");
    agent.call("ask_user", ASK);
    let id = person.next_ask();
    send_signal(agent.server.child.id(), Signal::KILL);
    person.wait_for("no call waits any more", |record| {
        record["askId"] == *id && record.get("waiters").is_none()
    });
    let listed = sandbox.run_ok(&["list"]);
    assert!(listed.contains("the agent stopped waiting"), "{listed}");
    person.answer(&id, &["--set", "left"]);
    let status = sandbox.run_ok(&["status"]);
    assert!(
        status.contains("1 answer is kept until its agent"),
        "{status}"
    );
    let listed = sandbox.run_ok(&["list"]);
    assert!(
        listed.contains("kept until the agent asks again"),
        "{listed}"
    );

    // The same agent, started again in the same folder, fetches what it missed.
    let mut again = Agent::connect(&sandbox, "native");
    let fetch = again.call("ask_user_result", "{}");
    let reply = json(&again.receive_reply(fetch));
    assert_eq!(reply["askId"], *id, "{reply}");
    assert_eq!(reply["answers"][0]["values"][0], "left", "{reply}");
    person.wait_for("it is delivered", |record| record["delivered"] == true);
    let status = sandbox.run_ok(&["status"]);
    assert_eq!(status, "Nothing waits for an answer.\n");
}

#[test]
fn an_agent_killed_during_delivery_loses_nothing() {
    for round in 0..6 {
        let sandbox = Sandbox::new();
        let mut person = Person::new(&sandbox);
        let mut agent = Agent::connect(&sandbox, "native");
        let call = agent.call("ask_user", ASK);
        let id = person.next_ask();
        let pid = agent.server.child.id();
        let told = if round % 2 == 0 {
            let mut answer = sandbox.command(BINARY);
            answer.args(["answer", &id, "--set", "left"]);
            let mut answer = sandbox.start("answer", answer);
            send_signal(pid, Signal::KILL);
            let said = answer.out.rest();
            assert!(said.contains("answered"), "{said}: {}", answer.err.rest());
            false
        } else {
            person.answer(&id, &["--set", "left"]);
            agent.receive_reply(call);
            send_signal(pid, Signal::KILL);
            true
        };
        let record = person.record(&id);
        let said = &record["outcome"]["answers"][0]["values"][0];
        assert_eq!(*said, "left", "{record}");
        if told {
            continue;
        }
        let (_, heard) = agent.wait_for_exit();
        if heard.iter().all(|message| message["id"] != call) {
            assert_eq!(
                record["delivered"], false,
                "the answer is undelivered: {record}"
            );
        }
    }
}

#[test]
fn killed_surfaces_lose_nothing() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let mut agent = Agent::connect(&sandbox, "native");
    let call = agent.call("ask_user", ASK);
    let id = person.next_ask();
    // A surface that was about to answer: it reads its answers from a pipe that never ends.
    let mut command = sandbox.command(BINARY);
    command.args(["answer", &id, "--answers", "-"]);
    let half = sandbox.start("answer", {
        command.stdin(Stdio::piped());
        command
    });
    send_signal(half.child.id(), Signal::KILL);
    send_signal(person.watch.child.id(), Signal::KILL);
    let mut person = Person::new(&sandbox);
    assert_eq!(person.next_ask(), id, "another surface sees what waits");
    assert_eq!(person.record(&id)["waiters"], 1, "and the agent with it");
    person.answer(&id, &["--set", "left"]);
    assert!(agent.receive_reply(call).contains("left"));
}

#[test]
fn a_killed_ask_command_is_continued_by_wait() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let mut command = sandbox.command(BINARY);
    command.args(["ask", "Go on?", "--confirm"]);
    let asks = sandbox.start("ask", command);
    let id = person.next_ask();
    send_signal(asks.child.id(), Signal::KILL);
    person.wait_for("no call waits any more", |record| {
        record.get("waiters").is_none()
    });
    let mut command = sandbox.command(BINARY);
    command.args(["wait", &id]);
    let mut waits = sandbox.start("wait", command);
    person.wait_for("a call waits again", |record| record["waiters"] == 1);
    person.answer(&id, &["--set", "yes"]);
    assert_eq!(waits.out.rest(), "yes");
    let status = waits.child.wait().expect("our child process");
    assert_eq!(status.code(), Some(0));
}

#[test]
fn a_delivery_without_a_hub_is_reported_to_the_next() {
    for round in 0..4 {
        let sandbox = Sandbox::new();
        let mut agent = Agent::connect(&sandbox, "native");
        let call = agent.call("ask_user", ASK);
        // No other client may start the next hub.
        let id = Person::new(&sandbox).next_ask();
        let pid = agent.server.child.id();
        send_signal(pid, Signal::STOP);
        sandbox.run_ok(&["answer", &id, "--set", "left"]);
        Hub::connect(&sandbox).kill();
        send_signal(pid, Signal::CONT);
        assert!(agent.receive_reply(call).contains("left"));
        let (status, _) = if round % 2 == 0 {
            agent.end()
        } else {
            send_signal(pid, Signal::TERM);
            agent.wait_for_exit()
        };
        assert!(status.success(), "{status}");
        let record = json(&sandbox.run_ok(&["show", &id, "--json"]));
        assert_eq!(record["delivered"], true, "{record}");
    }
}

#[test]
fn a_new_hub_gives_an_answer_only_to_its_waiting_agent() {
    let sandbox = Sandbox::new();
    let mut agent = Agent::connect(&sandbox, "native");
    let mut other = Agent::connect(&sandbox, "native");
    let call = agent.call("ask_user", ASK);
    let id = Person::new(&sandbox).next_ask();
    let pid = agent.server.child.id();
    send_signal(pid, Signal::STOP);
    // The agent takes longer than the other client to reconnect.
    let hub = Hub::connect(&sandbox);
    sandbox.run_ok(&["answer", &id, "--set", "left"]);
    hub.kill();
    let fetch = other.call("ask_user_result", "{}");
    drop(Hub::start(&sandbox));
    send_signal(pid, Signal::CONT);
    assert!(agent.receive_reply(call).contains("left"));
    let said = other.receive_reply(fetch);
    assert!(!said.contains("left"), "the other has it as well: {said}");
}
