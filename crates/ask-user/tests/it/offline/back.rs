//! The transfer to the hub, once it can be reached again.

use rustix::process::Signal;

use super::{file, fill};
use crate::support::agent::Agent;
use crate::support::hub::{Hub, address, send_signal};
use crate::support::person::Person;
use crate::support::sandbox::Sandbox;
use crate::support::text;

#[test]
fn everything_goes_to_the_hub_once_it_answers_again() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let earlier = sandbox.asks(&["Is it there?"]);
    assert_eq!(person.asked(), earlier);
    let hub = address(&sandbox).expect("a hub runs").pid;
    send_signal(hub, Signal::STOP);
    let mut agent = Agent::of(&sandbox, "native");
    let first = agent.call("ask_user", r#"{"question":"First?"}"#);
    let waits = file(&mut agent, sandbox.home());
    let second = agent.call("ask_user", r#"{"question":"Second?"}"#);
    let left = file(&mut agent, sandbox.home());
    // Its agent leaves, and then the person answers in the file.
    agent.cancel(second);
    agent.nothing("a reply", |message| message["id"] == second);
    fill(&left, 0, "kept");

    send_signal(hub, Signal::CONT);
    let id = person.asked();
    let kept = person.sees("the answer is kept", |record| {
        record["questions"][0]["question"] == "Second?" && record["state"] == "answered"
    });
    assert_eq!(kept["delivered"], false, "{kept}");
    person.answers(&id, &["--set", "from the inbox"]);
    let told = agent.told(first);
    assert!(told.contains("from the inbox"), "{told}");
    let again = agent.call("ask_user", r#"{"question":"Second?"}"#);
    let told = agent.told(again);
    assert!(told.contains("kept") && told.contains("late"), "{told}");
    agent.end();
    assert!(!waits.exists() && !left.exists(), "the files are over");
}

#[test]
fn what_was_written_and_not_sent_is_kept_beside_the_answer() {
    let sandbox = Sandbox::new();
    let hub = Hub::started(&sandbox).pid;
    send_signal(hub, Signal::STOP);
    let mut agent = Agent::of(&sandbox, "native");
    let call = agent.call(
        "ask_user",
        r#"{"questions":[{"question":"A?"},{"question":"B?"}]}"#,
    );
    let file = file(&mut agent, sandbox.home());
    fill(&file, 0, "half of it");
    agent
        .server
        .err
        .find("a partial answer isn't sent", |line| {
            line.contains("nothing was sent").then_some(())
        });
    send_signal(hub, Signal::CONT);
    // Not earlier: a command that finds an unresponsive hub ends with an error.
    let mut person = Person::at(&sandbox);
    let record = person.sees("the partial draft", |record| {
        record["draft"]["answers"][0]["own"] == "half of it"
    });
    let id = text(&record, "askId");
    person.answers(&id, &["--set", "1=x", "--set", "2=y"]);
    assert!(agent.told(call).contains("\"x\""));
    agent.server.err.find("where it is kept is said", |line| {
        line.contains(".unsent.json").then_some(())
    });
    agent.end();
    assert!(!file.exists());
}
