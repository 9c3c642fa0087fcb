//! Dialogs that close without an answer of their own.

use ask_core::Json;

use super::{CALL, FORMS, LATER, NOON, ONE, TITLED, latest};
use crate::support::agent::Agent;
use crate::support::json;
use crate::support::person::Person;
use crate::support::sandbox::Sandbox;

/// Waits for the server to cancel the dialog's request.
fn withdrawn(agent: &mut Agent, dialog: &Json) {
    agent.hear("the dialog's withdrawal", |message| {
        message["method"] == "notifications/cancelled"
            && message["params"]["requestId"] == dialog["id"]
    });
}

#[test]
fn a_dialog_put_away_is_no_answer() {
    let sandbox = Sandbox::at(NOON);
    let mut agent = Agent::able(&sandbox, TITLED, FORMS);
    let call = agent.call("ask_user", ONE);
    let dialog = agent.dialog();
    sandbox.set_clock(LATER);
    agent.replies(&dialog, r#"{"action":"cancel"}"#);
    agent.nothing("a reply to the call", |message| message["id"] == call);
    sandbox.done(&["answer", "latest", "--set", "B"]);
    let told = json(&agent.told(call));
    assert_eq!(told["answers"][0]["values"], json(r#"["B"]"#), "{told}");

    // The person is there, so the next question opens a dialog again.
    agent.call("ask_user", CALL);
    agent.dialog();
}

#[test]
fn an_answer_elsewhere_takes_the_dialog_away() {
    let sandbox = Sandbox::at(NOON);
    let mut agent = Agent::able(&sandbox, TITLED, FORMS);
    let call = agent.call("ask_user", ONE);
    let dialog = agent.dialog();
    sandbox.done(&["answer", "latest", "--set", "A"]);
    withdrawn(&mut agent, &dialog);
    let told = json(&agent.told(call));
    assert_eq!(told["answers"][0]["values"], json(r#"["A"]"#), "{told}");
    // A client may have replied before it received the cancellation.
    agent.replies(&dialog, r#"{"action":"accept","content":{"q1":"B"}}"#);
    agent.nothing("another reply", |message| message["id"] == call);
}

#[test]
fn a_call_taken_back_takes_its_dialog_along() {
    let sandbox = Sandbox::at(NOON);
    let mut agent = Agent::able(&sandbox, TITLED, FORMS);
    let call = agent.call("ask_user", ONE);
    let dialog = agent.dialog();
    agent.cancel(call);
    withdrawn(&mut agent, &dialog);
    assert_eq!(latest(&sandbox)["state"], "waiting");

    // What the person sent at that moment still counts as an answer.
    let mut watching = Person::at(&sandbox);
    agent.replies(&dialog, r#"{"action":"accept","content":{"q1":"B"}}"#);
    watching.sees("an answer", |record| record["state"] == "answered");
    let again = agent.call("ask_user", ONE);
    let told = json(&agent.told(again));
    assert_eq!(told["answers"][0]["values"], json(r#"["B"]"#), "{told}");
}

#[test]
fn a_client_that_gives_up_and_tidies_its_dialog_away_refuses_nothing() {
    let sandbox = Sandbox::at(NOON);
    let mut agent = Agent::able(&sandbox, TITLED, FORMS);
    let call = agent.call("ask_user", ONE);
    let dialog = agent.dialog();
    sandbox.set_clock(LATER);
    // Both messages in one write, so that the server reads them together.
    let cancel = format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{call}}}}}"#
    );
    let id = &dialog["id"];
    let decline = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"action":"decline"}}}}"#);
    agent.bytes(format!("{cancel}\n{decline}\n").as_bytes());
    let again = agent.call("ask_user", ONE);
    assert_eq!(latest(&sandbox)["state"], "waiting");
    sandbox.done(&["answer", "latest", "--set", "A"]);
    let told = json(&agent.told(again));
    assert_eq!(told["answers"][0]["values"], json(r#"["A"]"#), "{told}");
}

#[test]
fn a_dialog_taken_away_refuses_nothing() {
    let sandbox = Sandbox::at(NOON);
    let mut agent = Agent::able(&sandbox, TITLED, FORMS);
    let call = agent.call("ask_user", ONE);
    let dialog = agent.dialog();
    agent.cancel(call);
    withdrawn(&mut agent, &dialog);
    sandbox.set_clock(LATER);
    agent.replies(&dialog, r#"{"action":"decline"}"#);
    let again = agent.call("ask_user", ONE);
    let dialog = agent.dialog();
    agent.replies(&dialog, r#"{"action":"accept","content":{"q1":"A"}}"#);
    let told = json(&agent.told(again));
    assert_eq!(told["answers"][0]["values"], json(r#"["A"]"#), "{told}");
}
