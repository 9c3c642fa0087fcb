//! The transfer to the hub, once it can be reached again.

use rustix::process::Signal;

use super::{fill_in, wait_for_file};
use crate::support::agent::Agent;
use crate::support::hub::{Hub, address, send_signal};
use crate::support::person::Person;
use crate::support::sandbox::Sandbox;
use crate::support::text;

#[test]
fn offline_asks_move_to_the_hub() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let earlier = sandbox.ask(&["Is it there?"]);
    assert_eq!(person.next_ask(), earlier);
    let hub = address(&sandbox).expect("a hub runs").pid;
    send_signal(hub, Signal::STOP);
    let mut agent = Agent::connect(&sandbox, "native");
    let first = agent.call("ask_user", r#"{"question":"First?"}"#);
    let waits = wait_for_file(&mut agent, sandbox.home());
    let second = agent.call("ask_user", r#"{"question":"Second?"}"#);
    let left = wait_for_file(&mut agent, sandbox.home());
    // Its agent leaves, and then the person answers in the file.
    agent.cancel(second);
    agent.assert_silent("a reply", |message| message["id"] == second);
    fill_in(&left, 0, "kept");

    send_signal(hub, Signal::CONT);
    let id = person.next_ask();
    let kept = person.wait_for("the answer is kept", |record| {
        record["questions"][0]["question"] == "Second?" && record["state"] == "answered"
    });
    assert_eq!(kept["delivered"], false, "{kept}");
    person.answer(&id, &["--set", "from the inbox"]);
    let told = agent.receive_reply(first);
    assert!(told.contains("from the inbox"), "{told}");
    let again = agent.call("ask_user", r#"{"question":"Second?"}"#);
    let told = agent.receive_reply(again);
    assert!(told.contains("kept") && told.contains("late"), "{told}");
    agent.end();
    assert!(!waits.exists() && !left.exists(), "the files are over");
}

/// A person, an agent that is connected to the hub, and the process of the hub, which hangs.
fn connect_to_hung_hub(sandbox: &Sandbox) -> (Person<'_>, Agent, u32) {
    let mut person = Person::new(sandbox);
    let mut agent = Agent::connect(sandbox, "native");
    let before = agent.call("ask_user", r#"{"question":"Before?"}"#);
    let id = person.next_ask();
    person.answer(&id, &["--set", "yes"]);
    agent.receive_reply(before);
    let hub = address(sandbox).expect("a hub runs").pid;
    send_signal(hub, Signal::STOP);
    (person, agent, hub)
}

#[test]
fn a_hub_that_hangs_while_an_agent_is_connected_is_replaced() {
    let sandbox = Sandbox::new();
    let (mut person, mut agent, hub) = connect_to_hung_hub(&sandbox);
    // With a progress token, so that the agent requests more of the hub than the ask.
    let (question, progress) = (r#"{"question":"After?"}"#, r#"{"progressToken":"p"}"#);
    let call = agent.call_with("ask_user", question, progress);
    let file = wait_for_file(&mut agent, sandbox.home());
    send_signal(hub, Signal::CONT);
    let id = person.next_ask();
    // The agent's process doesn't notice the answer at once.
    let server = agent.server.child.id();
    send_signal(server, Signal::STOP);
    person.answer(&id, &["--set", "from the inbox"]);
    fill_in(&file, 0, "from the file");
    send_signal(server, Signal::CONT);
    let told = agent.receive_reply(call);
    assert!(told.contains("from the inbox"), "{told}");
    agent.server.err.find("what was not sent is kept", |line| {
        line.contains(".unsent.json").then_some(())
    });
    agent.end();
    assert!(!file.exists(), "the file is over");
}

#[test]
fn a_hub_that_hung_does_not_ask_what_was_answered_without_it() {
    let sandbox = Sandbox::new();
    let (mut person, mut agent, hub) = connect_to_hung_hub(&sandbox);
    let call = agent.call("ask_user", r#"{"question":"After?"}"#);
    let file = wait_for_file(&mut agent, sandbox.home());
    fill_in(&file, 0, "from the file");
    assert!(agent.receive_reply(call).contains("from the file"));
    // The hub goes on before the agent's process tries it again.
    let server = agent.server.child.id();
    send_signal(server, Signal::STOP);
    send_signal(hub, Signal::CONT);
    let next = sandbox.ask(&["Next?"]);
    assert_eq!(person.next_ask(), next);
    send_signal(server, Signal::CONT);
    let moved = person.wait_for("it is in the hub", |record| {
        record["questions"][0]["question"] == "After?" && record["delivered"] == true
    });
    assert_eq!(moved["state"], "answered", "{moved}");
    agent.end();
}

#[test]
fn unsent_text_in_a_pending_file_is_kept() {
    let sandbox = Sandbox::new();
    let hub = Hub::start(&sandbox).pid;
    send_signal(hub, Signal::STOP);
    let mut agent = Agent::connect(&sandbox, "native");
    let call = agent.call(
        "ask_user",
        r#"{"questions":[{"question":"A?"},{"question":"B?"}]}"#,
    );
    let file = wait_for_file(&mut agent, sandbox.home());
    fill_in(&file, 0, "half of it");
    agent
        .server
        .err
        .find("a partial answer isn't sent", |line| {
            line.contains("nothing was sent").then_some(())
        });
    send_signal(hub, Signal::CONT);
    // Not earlier: a command that finds an unresponsive hub ends with an error.
    let mut person = Person::new(&sandbox);
    let record = person.wait_for("the partial draft", |record| {
        record["draft"]["answers"][0]["own"] == "half of it"
    });
    let id = text(&record, "askId");
    let earlier = file.with_file_name(format!("pending-questions-{id}.unsent.json"));
    std::fs::write(&earlier, "an earlier text").expect("the folder is writable");
    person.answer(&id, &["--set", "1=x", "--set", "2=y"]);
    assert!(agent.receive_reply(call).contains("\"x\""));
    agent.server.err.find("where it is kept is said", |line| {
        line.contains("-2.unsent.json").then_some(())
    });
    agent.end();
    assert!(!file.exists());
    let earlier = std::fs::read_to_string(&earlier).expect("it is still there");
    assert_eq!(earlier, "an earlier text");
}
