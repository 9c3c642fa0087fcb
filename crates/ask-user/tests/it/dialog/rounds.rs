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
fn wish(agent: &mut Agent, call: &str) -> (Json, String) {
    let id = agent.call("ask_user", call);
    let result = agent.result(id);
    wished(&result)
}

fn wished(result: &Json) -> (Json, String) {
    assert_eq!(result["resultType"], "input_required", "{result}");
    let wish = result["inputRequests"]["answer"].clone();
    assert_eq!(wish["method"], "elicitation/create", "{result}");
    (wish["params"].clone(), text(result, "requestState"))
}

fn reply(action: &str, content: &str) -> String {
    format!(r#"{{"answer":{{"action":"{action}","content":{content}}}}}"#)
}

#[test]
fn what_is_filled_in_is_the_answer() {
    let sandbox = Sandbox::at(NOON);
    let mut agent = Agent::able(&sandbox, Era::Discover, FORMS);
    let (wish, state) = wish(&mut agent, CALL);
    let fields = wish["requestedSchema"]["properties"].as_object();
    let names: Vec<_> = fields.expect("a form has fields").keys().collect();
    let expected = ["db", "db_own_words", "parts", "parts_own_words", "name"];
    assert_eq!(names, expected, "{wish}");
    assert_eq!(wish["mode"], "form");
    assert_eq!(
        fields.expect("fields")["db"]["oneOf"][1],
        json(r#"{"const":"PostgreSQL","title":"PostgreSQL — Battle-tested"}"#)
    );
    let content = r#"{"db":"PostgreSQL","parts":["Docs"],"name":"x"}"#;
    let again = agent.call_again("ask_user", CALL, &state, &reply("accept", content));
    let told = json(&agent.told(again));
    assert_eq!(told["answered"], true, "{told}");
    assert_eq!(told["answers"][1]["values"], json(r#"["Docs"]"#), "{told}");
    assert!(told.get("late").is_none(), "{told}");
    let record = latest(&sandbox);
    assert_eq!(record["answeredBy"], "dialog", "{record}");
}

#[test]
fn another_process_goes_on_where_the_first_one_ended() {
    let sandbox = Sandbox::at(NOON);
    let mut agent = Agent::able(&sandbox, Era::Discover, FORMS);
    let (_, state) = wish(&mut agent, ONE);
    agent.end();
    let key = std::fs::metadata(sandbox.home().join("seal.key")).expect("a key of its own");
    assert_eq!(key.permissions().mode() & 0o777, 0o600);
    let mut agent = Agent::able(&sandbox, Era::Discover, FORMS);
    let replies = reply("accept", r#"{"q1":"B"}"#);
    let again = agent.call_again("ask_user", ONE, &state, &replies);
    let told = json(&agent.told(again));
    assert_eq!(told["answers"][0]["values"], json(r#"["B"]"#), "{told}");
}

#[test]
fn a_forged_or_foreign_state_settles_nothing() {
    let sandbox = Sandbox::at(NOON);
    let mut agent = Agent::able(&sandbox, Era::Discover, FORMS);
    let (_, state) = wish(&mut agent, ONE);
    let replies = reply("accept", r#"{"q1":"B"}"#);
    let mut forged = state.clone();
    let last = forged.pop().expect("a state is not empty");
    forged.push(if last == 'A' { 'B' } else { 'A' });
    for (call, state) in [(ONE, forged.as_str()), (ONE, "rs1"), (CALL, state.as_str())] {
        let again = agent.call_again("ask_user", call, state, &replies);
        let refused = agent.refused(again);
        assert!(refused.contains("requestState"), "{refused}");
    }
    let fetch = agent.call_again("ask_user_result", "{}", &state, &replies);
    agent.refused(fetch);
    assert_eq!(latest(&sandbox)["state"], "waiting");
    let again = agent.call_again("ask_user", ONE, &state, &replies);
    agent.told(again);
}

#[test]
fn an_answer_from_elsewhere_is_told_when_the_call_comes_again() {
    let sandbox = Sandbox::at(NOON);
    let mut agent = Agent::able(&sandbox, Era::Discover, FORMS);
    let (wish, state) = wish(&mut agent, ONE);
    let message = text(&wish, "message");
    assert!(message.contains("close this dialog"), "{message}");
    sandbox.done(&["answer", "latest", "--set", "A"]);
    sandbox.set_clock(LATER);
    let replies = reply("accept", r#"{"q1":"B"}"#);
    let again = agent.call_again("ask_user", ONE, &state, &replies);
    let told = json(&agent.told(again));
    assert_eq!(told["answers"][0]["values"], json(r#"["A"]"#), "{told}");
    assert!(told.get("late").is_none(), "{told}");
}

#[test]
fn a_person_may_decline() {
    let sandbox = Sandbox::at(NOON);
    let mut agent = Agent::able(&sandbox, Era::Discover, FORMS);
    let (_, state) = wish(&mut agent, ONE);
    sandbox.set_clock(LATER);
    let again = agent.call_again(
        "ask_user",
        ONE,
        &state,
        r#"{"answer":{"action":"decline"}}"#,
    );
    let told = json(&agent.told(again));
    assert_eq!(told["cancelled"], true, "{told}");
}

#[test]
fn without_a_person_there_the_call_waits_as_any_other() {
    for (action, clock) in [("decline", NOON), ("cancel", NOON), ("cancel", LATER)] {
        let sandbox = Sandbox::at(NOON);
        let mut agent = Agent::able(&sandbox, Era::Discover, FORMS);
        let (_, state) = wish(&mut agent, ONE);
        sandbox.set_clock(clock);
        let replies = format!(r#"{{"answer":{{"action":"{action}"}}}}"#);
        let again = agent.call_again("ask_user", ONE, &state, &replies);
        agent.nothing("a reply", |message| message["id"] == again);
        sandbox.done(&["answer", "latest", "--set", "A"]);
        let told = json(&agent.told(again));
        assert_eq!(told["answered"], true, "{action}: {told}");
    }
}

#[test]
fn gaps_are_told_once_and_what_was_filled_in_stays() {
    let sandbox = Sandbox::at(NOON);
    let mut agent = Agent::able(&sandbox, Era::Discover, FORMS);
    let (_, state) = wish(&mut agent, CALL);
    let replies = reply("accept", r#"{"db":"SQLite"}"#);
    let again = agent.call_again("ask_user", CALL, &state, &replies);
    let result = agent.result(again);
    let (wish, state) = wished(&result);
    let message = text(&wish, "message");
    assert!(message.starts_with("Not sent yet:"), "{message}");
    let fields = &wish["requestedSchema"]["properties"];
    assert_eq!(fields["db"]["default"], "SQLite", "{fields}");
    let again = agent.call_again("ask_user", CALL, &state, &replies);
    let told = json(&agent.told(again));
    assert_eq!(told["answers"][0]["values"], json(r#"["SQLite"]"#));
}

#[test]
fn beside_an_open_surface_a_round_begins_only_if_the_person_said_always() {
    for (setting, begins) in [("auto", false), ("always", true)] {
        let sandbox = Sandbox::at(NOON);
        sandbox.settings(&format!("[dialogs]\nuse = \"{setting}\"\n"));
        let mut person = Person::at(&sandbox);
        let earlier = sandbox.asks(&["Is anybody there?"]);
        assert_eq!(person.asked(), earlier);
        let mut surface = Host::start(&sandbox, &["--surface"]);
        assert_eq!(surface.shows(), earlier, "a surface is open");
        let mut agent = Agent::able(&sandbox, Era::Discover, FORMS);
        let call = agent.call("ask_user", ONE);
        let id = person.asked();
        if begins {
            wished(&agent.result(call));
            let record = person.shows(&id);
            assert_eq!(record["waiters"], 1, "the agent comes back: {record}");
        }
        person.answers(&id, &["--set", "A"]);
        if !begins {
            agent.told(call);
        }
    }
}

#[test]
fn no_wish_goes_to_a_client_that_declared_no_dialog() {
    let sandbox = Sandbox::at(NOON);
    sandbox.settings("[dialogs]\nuse = \"always\"\n");
    let mut person = Person::at(&sandbox);
    let mut agent = Agent::able(&sandbox, Era::Discover, "{}");
    let call = agent.call("ask_user", ONE);
    let id = person.asked();
    agent.nothing("a reply", |message| message["id"] == call);
    person.answers(&id, &["--set", "A"]);
    agent.told(call);
}
