//! Calls that return before the person has answered, because the client would time out or no
//! surface could answer. The ask stays open, and its answer is delivered.

use super::again::DIALECTS;
use crate::support::agent::{Agent, Era};
use crate::support::person::Person;
use crate::support::sandbox::Sandbox;
use crate::support::{json, text};

/// A client that times out after this many milliseconds.
const LIMIT: (&str, &str) = ("ASK_USER_LIMIT_MS", "400");

#[test]
fn a_call_returns_before_the_client_times_out_and_still_counts_as_waiting() {
    let sandbox = Sandbox::new();
    let (dialect, tool, call, told) = DIALECTS[0];
    let mut person = Person::new(&sandbox);
    let mut agent = Agent::with_variable(&sandbox, dialect, LIMIT);
    let asked = agent.call(tool, call);
    let id = person.next_ask();
    let reply = json(&agent.receive_reply(asked));
    assert_eq!(reply["waiting"], true, "{reply}");
    assert_eq!(reply["askId"], id.as_str(), "{reply}");
    assert!(
        text(&reply, "howToAnswer").contains("ask_user_result"),
        "{reply}"
    );
    // The agent will come back soon, so the person sees it as still waiting.
    assert_eq!(person.record(&id)["waiters"], 1);

    // The next calls report that the ask waits, and then return the answer.
    let ask_id = format!(r#"{{"askId":"{id}"}}"#);
    let waits = agent.call("ask_user_result", &ask_id);
    assert_eq!(json(&agent.receive_reply(waits))["waiting"], true);
    person.answer(&id, &["--set", "A"]);
    let fetched = agent.call("ask_user_result", &ask_id);
    assert!(agent.receive_reply(fetched).contains(told));
    person.wait_for("the answer delivered", |record| record["delivered"] == true);
}

#[test]
fn asking_again_returns_the_answer_in_every_dialect() {
    for (dialect, tool, call, told) in DIALECTS {
        let sandbox = Sandbox::new();
        let mut person = Person::new(&sandbox);
        let mut agent = Agent::with_variable(&sandbox, dialect, LIMIT);
        let asked = agent.call(tool, call);
        let id = person.next_ask();
        agent.result(asked);
        assert_eq!(person.record(&id)["waiters"], 1, "{dialect}");
        person.answer(&id, &["--set", "A"]);
        let again = agent.call(tool, call);
        assert!(agent.receive_reply(again).contains(told), "{dialect}");
        let all = json(&sandbox.run_ok(&["list", "--all", "--json"]));
        assert_eq!(all.as_array().map(Vec::len), Some(1), "{dialect}: {all}");
    }
}

#[test]
fn an_agent_that_ended_no_longer_counts_as_waiting() {
    let sandbox = Sandbox::new();
    let (dialect, tool, call, _) = DIALECTS[0];
    let mut person = Person::new(&sandbox);
    let mut agent = Agent::with_variable(&sandbox, dialect, LIMIT);
    let asked = agent.call(tool, call);
    let id = person.next_ask();
    agent.result(asked);
    agent.end();
    person.wait_for("the agent gone", |record| {
        record["askId"] == id.as_str() && record.get("waiters").is_none()
    });
}

#[test]
fn an_early_return_says_that_nobody_refused_and_how_to_continue() {
    for (dialect, tool, call, _) in DIALECTS {
        let sandbox = Sandbox::new();
        let mut agent = Agent::with_variable(&sandbox, dialect, LIMIT);
        let asked = agent.call(tool, call);
        let said = agent.result(asked)["content"].to_string();
        let says = |words: &str| said.contains(words);
        assert!(says("efused") && says("agreed"), "{dialect}: {said}");
        let how = ["ask_user_result", "blocking true", "Asking the same again"];
        assert!(how.iter().any(|how| says(how)), "{dialect}: {said}");
    }
}

#[test]
fn an_agent_without_the_id_finds_its_open_ask() {
    let sandbox = Sandbox::new();
    let (dialect, tool, call, told) = DIALECTS[0];
    let mut person = Person::new(&sandbox);
    let mut agent = Agent::connect(&sandbox, dialect);
    let left = agent.call(tool, call);
    let id = person.next_ask();
    agent.cancel(left);
    person.wait_for("the call gone", |record| record.get("waiters").is_none());
    let looked = agent.call("ask_user_result", "{}");
    let reply = json(&agent.receive_reply(looked));
    assert_eq!(reply["askId"], id.as_str(), "{reply}");
    assert_eq!(reply["waiting"], true, "{reply}");
    let waits = agent.call("ask_user_result", r#"{"wait":600000}"#);
    person.wait_for("it waits again", |record| record["waiters"] == 1);
    person.answer(&id, &["--set", "A"]);
    assert!(agent.receive_reply(waits).contains(told));
}

#[test]
fn asks_of_another_client_are_not_found() {
    let sandbox = Sandbox::new();
    let (dialect, tool, call, _) = DIALECTS[0];
    let mut person = Person::new(&sandbox);
    let mut agent = Agent::connect(&sandbox, dialect);
    agent.call(tool, call);
    let id = person.next_ask();
    let mut other = Agent::start(&sandbox, &[]);
    other.set_name("another-agent");
    other.open(Era::Initialize("2025-11-25"));
    let looked = other.call("ask_user_result", &format!(r#"{{"askId":"{id}"}}"#));
    assert!(other.error_text(looked).contains("There is no ask"));
}

#[test]
fn without_a_surface_the_call_returns_after_the_patience_setting() {
    let sandbox = Sandbox::new();
    let config = sandbox.home().join("config.toml");
    std::fs::write(config, "[asks]\npatience_seconds = 1\n").expect("the home is writable");
    let (dialect, tool, call, told) = DIALECTS[0];
    let mut person = Person::new(&sandbox);
    let mut agent = Agent::connect(&sandbox, dialect);
    let asked = agent.call(tool, call);
    let id = person.next_ask();
    // From here on no surface is open.
    drop(person);
    let reply = json(&agent.receive_reply(asked));
    assert_eq!(reply["waiting"], true, "{reply}");
    assert_eq!(reply["cancelled"], false, "{reply}");
    assert_eq!(reply["answered"], false, "{reply}");
    assert!(
        text(&reply, "howToAnswer").contains("ask-user inbox"),
        "{reply}"
    );

    let person = Person::new(&sandbox);
    person.answer(&id, &["--set", "A"]);
    let again = agent.call(tool, call);
    assert!(agent.receive_reply(again).contains(told));
}
