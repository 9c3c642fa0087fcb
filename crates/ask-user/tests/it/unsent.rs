//! What was typed and not sent stays with a closed ask.

use ask_core::{Answer, AskId, Draft};
use ask_protocol::ipc::{Request, Verdict};
use serde_json::Value;

use crate::support::agent::Agent;
use crate::support::hub::Hub;
use crate::support::json;
use crate::support::sandbox::Sandbox;

const QUESTION: &str = r#"{"question":"Which font?","options":["Inter","Fira"]}"#;
const TYPED: &str = "Plex, but only for code";

/// An agent that asks, its call, and the ask's id, after the person typed an answer.
fn ask_and_type(sandbox: &Sandbox) -> (Agent, i64, String) {
    let mut agent = Agent::connect(sandbox, "native");
    let call = agent.call("ask_user", QUESTION);
    let id = loop {
        if let Some(id) = waiting(sandbox)["askId"].as_str() {
            break id.to_owned();
        }
    };
    let typed = Answer {
        own: Some(TYPED.to_owned()),
        ..Answer::default()
    };
    Hub::connect(sandbox).call(&Request::SaveDraft {
        id: AskId::parse(&id).expect("the id is valid"),
        draft: Draft {
            answers: vec![typed],
            note: None,
        },
        surface: "terminal".to_owned(),
        built_on: None,
        sender: None,
    });
    (agent, call, id)
}

/// The ask that waits.
fn waiting(sandbox: &Sandbox) -> Value {
    json(&sandbox.run_ok(&["list", "--json"]))[0].clone()
}

/// Asks the same again and returns what the form has as the person's own words.
fn words_in_next_form(sandbox: &Sandbox, agent: &mut Agent) -> Value {
    agent.call("ask_user", QUESTION);
    loop {
        let ask = waiting(sandbox);
        if ask["askId"].is_string() {
            return ask["draft"]["answers"][0]["own"].clone();
        }
    }
}

#[test]
fn words_that_a_refusal_left_unsent_are_shown_and_are_in_the_form_of_the_same_ask() {
    let sandbox = Sandbox::new();
    let (mut agent, call, id) = ask_and_type(&sandbox);
    sandbox.run_ok(&["decline", &id, "--reason", "not now"]);
    agent.receive_reply(call);
    let shown = sandbox.run_ok(&["show", &id]);
    assert!(
        shown.contains(&format!("Typed and not sent: {TYPED}")),
        "{shown}"
    );
    assert_eq!(words_in_next_form(&sandbox, &mut agent), TYPED);
}

#[test]
fn words_that_an_answer_elsewhere_left_unsent_are_shown_alone() {
    let sandbox = Sandbox::new();
    let (mut agent, call, id) = ask_and_type(&sandbox);
    sandbox.run_ok(&["answer", &id, "--set", "Inter"]);
    agent.receive_reply(call);
    let shown = sandbox.run_ok(&["show", &id]);
    assert!(
        shown.contains(&format!("Typed and not sent: {TYPED}")),
        "{shown}"
    );
    assert_eq!(words_in_next_form(&sandbox, &mut agent), Value::Null);
}

#[test]
fn words_for_an_ask_that_its_agent_withdrew_are_in_the_form_of_the_same_ask() {
    let sandbox = Sandbox::new();
    let (mut agent, call, id) = ask_and_type(&sandbox);
    agent.cancel(call);
    Hub::connect(&sandbox).call(&Request::Settle {
        id: AskId::parse(&id).expect("the id is valid"),
        verdict: Verdict::Withdraw,
        surface: "cli".to_owned(),
        device: None,
        attempt: 1,
        hold: false,
        relayed: false,
        sender: None,
    });
    assert_eq!(words_in_next_form(&sandbox, &mut agent), TYPED);
}
