//! The way back to the person's hub.

use rustix::process::Signal;

use super::{file, fill};
use crate::support::agent::Agent;
use crate::support::hub::{address, send_signal};
use crate::support::person::Person;
use crate::support::sandbox::Sandbox;

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
