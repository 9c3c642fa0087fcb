//! Dialogs since protocol revision 2026-07-28: the call ends with a request for input, and is
//! repeated with the person's reply.

use std::os::unix::fs::PermissionsExt;

use ask_core::Json;

use super::{CALL, FORMS, LATER, NOON, ONE, latest};
use crate::support::agent::{Agent, Era};
use crate::support::host::Host;
use crate::support::person::Person;
use crate::support::sandbox::Sandbox;
use crate::support::{json, text};

/// Calls a tool; returns the request for input and its state.
fn request_dialog(agent: &mut Agent, call: &str) -> (Json, String) {
    let id = agent.call("ask_user", call);
    let result = agent.result(id);
    dialog_request(&result)
}

fn dialog_request(result: &Json) -> (Json, String) {
    assert_eq!(result["resultType"], "input_required", "{result}");
    let request = result["inputRequests"]["answer"].clone();
    assert_eq!(request["method"], "elicitation/create", "{result}");
    (request["params"].clone(), text(result, "requestState"))
}

fn response(action: &str, content: &str) -> String {
    format!(r#"{{"answer":{{"action":"{action}","content":{content}}}}}"#)
}

#[test]
fn a_filled_in_dialog_is_the_answer() {
    let sandbox = Sandbox::with_clock(NOON);
    let mut agent = Agent::with_capabilities(&sandbox, Era::Discover, FORMS);
    let (request, state) = request_dialog(&mut agent, CALL);
    let fields = request["requestedSchema"]["properties"].as_object();
    let names: Vec<_> = fields.expect("a form has fields").keys().collect();
    let expected = ["db", "db_own_words", "parts", "parts_own_words", "name"];
    assert_eq!(names, expected, "{request}");
    assert_eq!(request["mode"], "form");
    assert_eq!(
        fields.expect("fields")["db"]["oneOf"][1],
        json(r#"{"const":"PostgreSQL","title":"PostgreSQL — Battle-tested"}"#)
    );
    let content = r#"{"db":"PostgreSQL","parts":["Docs"],"name":"x"}"#;
    let again = agent.call_again("ask_user", CALL, &state, &response("accept", content));
    let told = json(&agent.receive_reply(again));
    assert_eq!(told["answered"], true, "{told}");
    assert_eq!(told["answers"][1]["values"], json(r#"["Docs"]"#), "{told}");
    assert!(told.get("late").is_none(), "{told}");
    let record = latest(&sandbox);
    assert_eq!(record["answeredBy"], "dialog", "{record}");
}

#[test]
fn another_process_continues_the_dialog() {
    let sandbox = Sandbox::with_clock(NOON);
    let mut agent = Agent::with_capabilities(&sandbox, Era::Discover, FORMS);
    let (_, state) = request_dialog(&mut agent, ONE);
    agent.end();
    let key = std::fs::metadata(sandbox.home().join("seal.key")).expect("a key of its own");
    assert_eq!(key.permissions().mode() & 0o777, 0o600);
    let mut agent = Agent::with_capabilities(&sandbox, Era::Discover, FORMS);
    let replies = response("accept", r#"{"q1":"B"}"#);
    let again = agent.call_again("ask_user", ONE, &state, &replies);
    let told = json(&agent.receive_reply(again));
    assert_eq!(told["answers"][0]["values"], json(r#"["B"]"#), "{told}");
}

#[test]
fn a_forged_or_foreign_request_state_is_refused() {
    let sandbox = Sandbox::with_clock(NOON);
    let mut agent = Agent::with_capabilities(&sandbox, Era::Discover, FORMS);
    let (_, state) = request_dialog(&mut agent, ONE);
    let replies = response("accept", r#"{"q1":"B"}"#);
    let mut forged = state.clone();
    let last = forged.pop().expect("a state is not empty");
    forged.push(if last == 'A' { 'B' } else { 'A' });
    for (call, state) in [(ONE, forged.as_str()), (ONE, "rs1"), (CALL, state.as_str())] {
        let again = agent.call_again("ask_user", call, state, &replies);
        let refused = agent.error_text(again);
        assert!(refused.contains("requestState"), "{refused}");
    }
    let fetch = agent.call_again("ask_user_result", "{}", &state, &replies);
    agent.error_text(fetch);
    assert_eq!(latest(&sandbox)["state"], "waiting");
    let again = agent.call_again("ask_user", ONE, &state, &replies);
    agent.receive_reply(again);
}

#[test]
fn a_repeated_call_returns_an_answer_from_elsewhere() {
    let sandbox = Sandbox::with_clock(NOON);
    let mut agent = Agent::with_capabilities(&sandbox, Era::Discover, FORMS);
    let (request, state) = request_dialog(&mut agent, ONE);
    let message = text(&request, "message");
    assert!(message.contains("close this dialog"), "{message}");
    sandbox.run_ok(&["answer", "latest", "--set", "A"]);
    sandbox.set_clock(LATER);
    let replies = response("accept", r#"{"q1":"B"}"#);
    let again = agent.call_again("ask_user", ONE, &state, &replies);
    let told = json(&agent.receive_reply(again));
    assert_eq!(told["answers"][0]["values"], json(r#"["A"]"#), "{told}");
    assert!(told.get("late").is_none(), "{told}");
}

#[test]
fn a_person_may_decline() {
    let sandbox = Sandbox::with_clock(NOON);
    let mut agent = Agent::with_capabilities(&sandbox, Era::Discover, FORMS);
    let (_, state) = request_dialog(&mut agent, ONE);
    sandbox.set_clock(LATER);
    let again = agent.call_again(
        "ask_user",
        ONE,
        &state,
        r#"{"answer":{"action":"decline"}}"#,
    );
    let told = json(&agent.receive_reply(again));
    assert_eq!(told["cancelled"], true, "{told}");
}

#[test]
fn a_dismissed_dialog_leaves_the_call_waiting() {
    for (action, clock) in [("decline", NOON), ("cancel", NOON), ("cancel", LATER)] {
        let sandbox = Sandbox::with_clock(NOON);
        let mut agent = Agent::with_capabilities(&sandbox, Era::Discover, FORMS);
        let (_, state) = request_dialog(&mut agent, ONE);
        sandbox.set_clock(clock);
        let replies = format!(r#"{{"answer":{{"action":"{action}"}}}}"#);
        let again = agent.call_again("ask_user", ONE, &state, &replies);
        agent.assert_silent("a reply", |message| message["id"] == again);
        sandbox.run_ok(&["answer", "latest", "--set", "A"]);
        let told = json(&agent.receive_reply(again));
        assert_eq!(told["answered"], true, "{action}: {told}");
    }
}

#[test]
fn missing_answers_are_reported_once_and_the_draft_stays() {
    let sandbox = Sandbox::with_clock(NOON);
    let mut agent = Agent::with_capabilities(&sandbox, Era::Discover, FORMS);
    let (_, state) = request_dialog(&mut agent, CALL);
    let replies = response("accept", r#"{"db":"SQLite"}"#);
    let again = agent.call_again("ask_user", CALL, &state, &replies);
    let result = agent.result(again);
    let (request, state) = dialog_request(&result);
    let message = text(&request, "message");
    assert!(message.starts_with("Not sent yet:"), "{message}");
    let fields = &request["requestedSchema"]["properties"];
    assert_eq!(fields["db"]["default"], "SQLite", "{fields}");
    let again = agent.call_again("ask_user", CALL, &state, &replies);
    let told = json(&agent.receive_reply(again));
    assert_eq!(told["answers"][0]["values"], json(r#"["SQLite"]"#));
}

#[test]
fn an_open_surface_replaces_the_dialog_unless_set_to_always() {
    for (setting, begins) in [("auto", false), ("always", true)] {
        let sandbox = Sandbox::with_clock(NOON);
        sandbox.write_settings(&format!("[dialogs]\nuse = \"{setting}\"\n"));
        let mut person = Person::new(&sandbox);
        let earlier = sandbox.ask(&["Is anybody there?"]);
        assert_eq!(person.next_ask(), earlier);
        let mut surface = Host::start(&sandbox, &["--surface"]);
        assert_eq!(surface.next_shown(), earlier, "a surface is open");
        let mut agent = Agent::with_capabilities(&sandbox, Era::Discover, FORMS);
        let call = agent.call("ask_user", ONE);
        let id = person.next_ask();
        if begins {
            dialog_request(&agent.result(call));
            let record = person.record(&id);
            assert_eq!(record["waiters"], 1, "the agent comes back: {record}");
        }
        person.answer(&id, &["--set", "A"]);
        if !begins {
            agent.receive_reply(call);
        }
    }
}

#[test]
fn a_client_without_the_capability_gets_no_input_request() {
    let sandbox = Sandbox::with_clock(NOON);
    sandbox.write_settings("[dialogs]\nuse = \"always\"\n");
    let mut person = Person::new(&sandbox);
    let mut agent = Agent::with_capabilities(&sandbox, Era::Discover, "{}");
    let call = agent.call("ask_user", ONE);
    let id = person.next_ask();
    agent.assert_silent("a reply", |message| message["id"] == call);
    person.answer(&id, &["--set", "A"]);
    agent.receive_reply(call);
}
