//! An answer that one key gives is held, and can be taken back until an agent has it.

use ask_core::{Answer, AskId, Draft, Gaps};
use ask_protocol::ipc::{ErrorKind, Request, Response, Verdict};

use crate::support::agent::Agent;
use crate::support::hub::Hub;
use crate::support::json;
use crate::support::sandbox::Sandbox;

const ATTEMPT: u64 = 7;

/// An agent that asks with one choice, its call, and the ask's id.
fn ask(sandbox: &Sandbox) -> (Agent, i64, AskId) {
    let mut agent = Agent::connect(sandbox, "native");
    let question = r#"{"question":"Which font?","options":["Inter","Fira"]}"#;
    let call = agent.call("ask_user", question);
    loop {
        let listed = json(&sandbox.run_ok(&["list", "--json"]));
        if let Some(id) = listed[0]["askId"].as_str() {
            return (agent, call, AskId::parse(id).expect("the id is valid"));
        }
    }
}

/// A sandbox whose hub holds an answer for a minute: longer than any test takes.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write_settings("[surfaces]\nundo_seconds = 60\n");
    sandbox
}

/// Sends the choice with this number as one key does. Returns whether the answer is held.
fn send(hub: &mut Hub, id: &AskId, choice: usize, attempt: u64) -> bool {
    let draft = Draft {
        answers: vec![Answer::picking([choice])],
        note: None,
    };
    let settled = hub.call(&Request::Settle {
        id: id.clone(),
        verdict: Verdict::Answer {
            draft,
            gaps: Gaps::Refuse,
        },
        surface: "terminal".to_owned(),
        device: None,
        attempt,
        hold: true,
        relayed: false,
        sender: None,
    });
    match settled {
        Response::Settled { record, .. } => record.held_until.is_some(),
        other => panic!("{other:?}"),
    }
}

fn picked(agent: &mut Agent, call: i64) -> String {
    let told = json(&agent.receive_reply(call));
    told["answers"][0]["values"][0].to_string()
}

#[test]
fn a_held_answer_is_taken_back_and_the_agent_gets_the_next_one() {
    let sandbox = sandbox();
    let (mut agent, call, id) = ask(&sandbox);
    let mut hub = Hub::connect(&sandbox);
    assert!(send(&mut hub, &id, 0, ATTEMPT));
    let record = json(&sandbox.run_ok(&["show", id.as_str(), "--json"]));
    assert!(record["heldUntil"].is_string(), "{record}");

    let said = sandbox.run_ok(&["take-back", id.as_str()]);
    assert_eq!(
        said,
        format!("{id} waits again, with that answer filled in.\n")
    );
    let record = json(&sandbox.run_ok(&["show", id.as_str(), "--json"]));
    assert_eq!(record["state"], "waiting", "{record}");
    let taken_back = &record["takenBack"][0];
    assert_eq!(taken_back["answeredBy"], "terminal", "{record}");
    assert_eq!(taken_back["takenBackBy"], "cli", "{record}");
    agent.assert_silent("an answer", |message| message["id"] == call);

    assert!(send(&mut hub, &id, 1, ATTEMPT + 1));
    let end = Request::EndHold {
        id: id.clone(),
        attempt: ATTEMPT + 1,
    };
    hub.call(&end);
    assert_eq!(picked(&mut agent, call), "\"Fira\"");
}

#[test]
fn an_answer_that_an_agent_has_is_not_taken_back() {
    let sandbox = Sandbox::new();
    sandbox.write_settings("[surfaces]\nundo_seconds = 0\n");
    let (mut agent, call, id) = ask(&sandbox);
    assert!(!send(&mut Hub::connect(&sandbox), &id, 0, ATTEMPT));
    assert_eq!(picked(&mut agent, call), "\"Inter\"");
    let output = sandbox.run(&["take-back", id.as_str()]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("an agent has it"), "{said}");
}

#[test]
fn an_open_ask_has_nothing_to_take_back() {
    let sandbox = sandbox();
    let id = sandbox.ask(&["Which font?"]);
    let output = sandbox.run(&["take-back", &id]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("waits for an answer"), "{said}");
}

#[test]
fn an_answer_that_a_killed_hub_held_reaches_its_agent() {
    let sandbox = sandbox();
    let (mut agent, call, id) = ask(&sandbox);
    let mut hub = Hub::connect(&sandbox);
    assert!(send(&mut hub, &id, 0, ATTEMPT));
    hub.kill();
    assert_eq!(picked(&mut agent, call), "\"Inter\"");
}

#[test]
fn an_answer_that_is_kept_for_its_agent_is_corrected() {
    let sandbox = sandbox();
    let (mut agent, call, id) = ask(&sandbox);
    agent.cancel(call);
    agent.end();
    sandbox.run_ok(&["answer", id.as_str(), "--set", "Inter"]);
    sandbox.run_ok(&["take-back", id.as_str()]);
    let shown = sandbox.run_ok(&["show", id.as_str()]);
    assert!(shown.contains("Taken back"), "{shown}");
    sandbox.run_ok(&["answer", id.as_str(), "--set", "Fira"]);
    let mut agent = Agent::connect(&sandbox, "native");
    let question = r#"{"question":"Which font?","options":["Inter","Fira"]}"#;
    let call = agent.call("ask_user", question);
    assert_eq!(picked(&mut agent, call), "\"Fira\"");
}

#[test]
fn a_program_below_an_agent_takes_nothing_back() {
    let sandbox = Sandbox::new().below_agents();
    sandbox.write_settings("[surfaces]\nundo_seconds = 60\n");
    let (_agent, _, id) = ask(&sandbox);
    let mut hub = Hub::connect(&sandbox);
    let take_back = Request::TakeBack {
        id,
        attempt: ATTEMPT,
        surface: "terminal".to_owned(),
        device: None,
        sender: None,
    };
    match hub.call(&take_back) {
        Response::Fault { kind, text, .. } => {
            assert_eq!(kind, ErrorKind::NotAllowed, "{text}");
            assert!(text.contains("takes no answer back"), "{text}");
        }
        other => panic!("{other:?}"),
    }
}
