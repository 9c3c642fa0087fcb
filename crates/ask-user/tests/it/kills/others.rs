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
    let mut person = Person::at(&sandbox);
    let mut agent = Agent::of(&sandbox, "native");
    agent.call("ask_user", ASK);
    let id = person.asked();
    send_signal(agent.server.child.id(), Signal::KILL);
    person.sees("no call waits any more", |record| {
        record["askId"] == *id && record.get("waiters").is_none()
    });
    let listed = sandbox.done(&["list"]);
    assert!(listed.contains("the agent stopped waiting"), "{listed}");
    person.answers(&id, &["--set", "left"]);
    let status = sandbox.done(&["status"]);
    assert!(
        status.contains("1 answer is kept until its agent"),
        "{status}"
    );
    let listed = sandbox.done(&["list"]);
    assert!(
        listed.contains("kept until the agent asks again"),
        "{listed}"
    );

    // The same agent, started again in the same folder, fetches what it missed.
    let mut again = Agent::of(&sandbox, "native");
    let fetch = again.call("ask_user_result", "{}");
    let reply = json(&again.told(fetch));
    assert_eq!(reply["askId"], *id, "{reply}");
    assert_eq!(reply["answers"][0]["values"][0], "left", "{reply}");
    person.sees("it is delivered", |record| record["delivered"] == true);
    let status = sandbox.done(&["status"]);
    assert_eq!(status, "Nothing waits for an answer.\n");
}

#[test]
fn an_agent_killed_in_the_moment_of_the_answer_loses_nothing() {
    for round in 0..6 {
        let sandbox = Sandbox::new();
        let mut person = Person::at(&sandbox);
        let mut agent = Agent::of(&sandbox, "native");
        let call = agent.call("ask_user", ASK);
        let id = person.asked();
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
            person.answers(&id, &["--set", "left"]);
            agent.told(call);
            send_signal(pid, Signal::KILL);
            true
        };
        let record = person.shows(&id);
        let said = &record["outcome"]["answers"][0]["values"][0];
        assert_eq!(*said, "left", "{record}");
        if told {
            continue;
        }
        let (_, heard) = agent.ended();
        if heard.iter().all(|message| message["id"] != call) {
            assert_eq!(
                record["delivered"], false,
                "the answer is undelivered: {record}"
            );
        }
    }
}

#[test]
fn killed_surfaces_take_nothing_with_them() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let mut agent = Agent::of(&sandbox, "native");
    let call = agent.call("ask_user", ASK);
    let id = person.asked();
    // A surface that was about to answer: it reads its answers from a pipe that never ends.
    let mut command = sandbox.command(BINARY);
    command.args(["answer", &id, "--answers", "-"]);
    let half = sandbox.start("answer", {
        command.stdin(Stdio::piped());
        command
    });
    send_signal(half.child.id(), Signal::KILL);
    send_signal(person.watch.child.id(), Signal::KILL);
    let mut person = Person::at(&sandbox);
    assert_eq!(person.asked(), id, "another surface sees what waits");
    assert_eq!(person.shows(&id)["waiters"], 1, "and the agent with it");
    person.answers(&id, &["--set", "left"]);
    assert!(agent.told(call).contains("left"));
}

#[test]
fn a_shell_that_asks_is_killed_and_waited_for_again() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let mut command = sandbox.command(BINARY);
    command.args(["ask", "Go on?", "--confirm"]);
    let asks = sandbox.start("ask", command);
    let id = person.asked();
    send_signal(asks.child.id(), Signal::KILL);
    person.sees("no call waits any more", |record| {
        record.get("waiters").is_none()
    });
    let mut command = sandbox.command(BINARY);
    command.args(["wait", &id]);
    let mut waits = sandbox.start("wait", command);
    person.sees("a call waits again", |record| record["waiters"] == 1);
    person.answers(&id, &["--set", "yes"]);
    assert_eq!(waits.out.rest(), "yes");
    let status = waits.child.wait().expect("our child process");
    assert_eq!(status.code(), Some(0));
}

#[test]
fn an_agent_that_goes_with_its_answer_while_the_hub_is_gone_has_been_told() {
    for round in 0..4 {
        let sandbox = Sandbox::new();
        let mut agent = Agent::of(&sandbox, "native");
        let call = agent.call("ask_user", ASK);
        // No other client may start the next hub.
        let id = Person::at(&sandbox).asked();
        let pid = agent.server.child.id();
        send_signal(pid, Signal::STOP);
        sandbox.done(&["answer", &id, "--set", "left"]);
        Hub::of(&sandbox).kill();
        send_signal(pid, Signal::CONT);
        assert!(agent.told(call).contains("left"));
        let (status, _) = if round % 2 == 0 {
            agent.end()
        } else {
            send_signal(pid, Signal::TERM);
            agent.ended()
        };
        assert!(status.success(), "{status}");
        let record = json(&sandbox.done(&["show", &id, "--json"]));
        assert_eq!(record["delivered"], true, "{record}");
    }
}

#[test]
fn what_an_agent_waits_for_is_not_fetched_by_another_while_the_hub_is_new() {
    let sandbox = Sandbox::new();
    let mut agent = Agent::of(&sandbox, "native");
    let mut other = Agent::of(&sandbox, "native");
    let call = agent.call("ask_user", ASK);
    let id = Person::at(&sandbox).asked();
    let pid = agent.server.child.id();
    send_signal(pid, Signal::STOP);
    // The agent takes longer than the other client to reconnect.
    let hub = Hub::of(&sandbox);
    sandbox.done(&["answer", &id, "--set", "left"]);
    hub.kill();
    let fetch = other.call("ask_user_result", "{}");
    drop(Hub::started(&sandbox));
    send_signal(pid, Signal::CONT);
    assert!(agent.told(call).contains("left"));
    let said = other.told(fetch);
    assert!(!said.contains("left"), "the other has it as well: {said}");
}
