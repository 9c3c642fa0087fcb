//! Dialogs that close without an answer of their own.

use ask_core::Json;

use super::{CALL, FORMS, LAST_INITIALIZE, LATER, NOON, ONE, latest};
use crate::support::agent::Agent;
use crate::support::json;
use crate::support::person::Person;
use crate::support::sandbox::Sandbox;

/// Waits for the server to cancel the dialog's request.
fn wait_for_cancellation(agent: &mut Agent, dialog: &Json) {
    agent.receive("the dialog's withdrawal", |message| {
        message["method"] == "notifications/cancelled"
            && message["params"]["requestId"] == dialog["id"]
    });
}

#[test]
fn a_cancelled_dialog_is_no_answer() {
    let sandbox = Sandbox::with_clock(NOON);
    let mut agent = Agent::with_capabilities(&sandbox, LAST_INITIALIZE, FORMS);
    let call = agent.call("ask_user", ONE);
    let dialog = agent.next_dialog();
    sandbox.set_clock(LATER);
    agent.respond(&dialog, r#"{"action":"cancel"}"#);
    agent.assert_silent("a reply to the call", |message| message["id"] == call);
    sandbox.run_ok(&["answer", "latest", "--set", "B"]);
    let told = json(&agent.receive_reply(call));
    assert_eq!(told["answers"][0]["values"], json(r#"["B"]"#), "{told}");

    // The person is there, so the next question opens a dialog again.
    agent.call("ask_user", CALL);
    agent.next_dialog();
}

#[test]
fn an_answer_elsewhere_cancels_the_dialog() {
    let sandbox = Sandbox::with_clock(NOON);
    let mut agent = Agent::with_capabilities(&sandbox, LAST_INITIALIZE, FORMS);
    let call = agent.call("ask_user", ONE);
    let dialog = agent.next_dialog();
    sandbox.run_ok(&["answer", "latest", "--set", "A"]);
    wait_for_cancellation(&mut agent, &dialog);
    let told = json(&agent.receive_reply(call));
    assert_eq!(told["answers"][0]["values"], json(r#"["A"]"#), "{told}");
    // A client may have replied before it received the cancellation.
    agent.respond(&dialog, r#"{"action":"accept","content":{"q1":"B"}}"#);
    agent.assert_silent("another reply", |message| message["id"] == call);
}

#[test]
fn a_cancelled_call_cancels_its_dialog() {
    let sandbox = Sandbox::with_clock(NOON);
    let mut agent = Agent::with_capabilities(&sandbox, LAST_INITIALIZE, FORMS);
    let call = agent.call("ask_user", ONE);
    let dialog = agent.next_dialog();
    agent.cancel(call);
    wait_for_cancellation(&mut agent, &dialog);
    assert_eq!(latest(&sandbox)["state"], "waiting");

    // What the person sent at that moment still counts as an answer.
    let mut watching = Person::new(&sandbox);
    agent.respond(&dialog, r#"{"action":"accept","content":{"q1":"B"}}"#);
    watching.wait_for("an answer", |record| record["state"] == "answered");
    let again = agent.call("ask_user", ONE);
    let told = json(&agent.receive_reply(again));
    assert_eq!(told["answers"][0]["values"], json(r#"["B"]"#), "{told}");
}

#[test]
fn a_decline_after_a_cancelled_call_is_no_refusal() {
    let sandbox = Sandbox::with_clock(NOON);
    let mut agent = Agent::with_capabilities(&sandbox, LAST_INITIALIZE, FORMS);
    let call = agent.call("ask_user", ONE);
    let dialog = agent.next_dialog();
    sandbox.set_clock(LATER);
    // Both messages in one write, so that the server reads them together.
    let cancel = format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{call}}}}}"#
    );
    let id = &dialog["id"];
    let decline = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"action":"decline"}}}}"#);
    agent.send_bytes(format!("{cancel}\n{decline}\n").as_bytes());
    let again = agent.call("ask_user", ONE);
    assert_eq!(latest(&sandbox)["state"], "waiting");
    sandbox.run_ok(&["answer", "latest", "--set", "A"]);
    let told = json(&agent.receive_reply(again));
    assert_eq!(told["answers"][0]["values"], json(r#"["A"]"#), "{told}");
}

#[test]
fn a_decline_of_a_cancelled_dialog_is_no_refusal() {
    let sandbox = Sandbox::with_clock(NOON);
    let mut agent = Agent::with_capabilities(&sandbox, LAST_INITIALIZE, FORMS);
    let call = agent.call("ask_user", ONE);
    let dialog = agent.next_dialog();
    agent.cancel(call);
    wait_for_cancellation(&mut agent, &dialog);
    sandbox.set_clock(LATER);
    agent.respond(&dialog, r#"{"action":"decline"}"#);
    let again = agent.call("ask_user", ONE);
    let dialog = agent.next_dialog();
    agent.respond(&dialog, r#"{"action":"accept","content":{"q1":"A"}}"#);
    let told = json(&agent.receive_reply(again));
    assert_eq!(told["answers"][0]["values"], json(r#"["A"]"#), "{told}");
}
