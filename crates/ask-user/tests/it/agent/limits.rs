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
fn a_call_returns_before_its_client_gives_up_and_the_person_notices_nothing() {
    let sandbox = Sandbox::new();
    let (dialect, tool, call, told) = DIALECTS[0];
    let mut person = Person::at(&sandbox);
    let mut agent = Agent::with(&sandbox, dialect, LIMIT);
    let asked = agent.call(tool, call);
    let id = person.asked();
    let reply = json(&agent.told(asked));
    assert_eq!(reply["waiting"], true, "{reply}");
    assert_eq!(reply["askId"], id.as_str(), "{reply}");
    assert!(
        text(&reply, "howToAnswer").contains("ask_user_result"),
        "{reply}"
    );
    // The agent will come back soon, so the person sees it as still waiting.
    assert_eq!(person.shows(&id)["waiters"], 1);

    // The next calls report that the ask waits, and then return the answer.
    let ask_id = format!(r#"{{"askId":"{id}"}}"#);
    let waits = agent.call("ask_user_result", &ask_id);
    assert_eq!(json(&agent.told(waits))["waiting"], true);
    person.answers(&id, &["--set", "A"]);
    let fetched = agent.call("ask_user_result", &ask_id);
    assert!(agent.told(fetched).contains(told));
    person.sees("the answer delivered", |record| record["delivered"] == true);
}

#[test]
fn without_a_tool_to_fetch_with_the_same_ask_again_has_the_answer() {
    for (dialect, tool, call, told) in DIALECTS {
        let sandbox = Sandbox::new();
        let mut person = Person::at(&sandbox);
        let mut agent = Agent::with(&sandbox, dialect, LIMIT);
        let asked = agent.call(tool, call);
        let id = person.asked();
        agent.result(asked);
        assert_eq!(person.shows(&id)["waiters"], 1, "{dialect}");
        person.answers(&id, &["--set", "A"]);
        let again = agent.call(tool, call);
        assert!(agent.told(again).contains(told), "{dialect}");
        let all = json(&sandbox.done(&["list", "--all", "--json"]));
        assert_eq!(all.as_array().map(Vec::len), Some(1), "{dialect}: {all}");
    }
}

#[test]
fn an_agent_that_said_it_comes_back_and_is_gone_is_seen_to_be_gone() {
    let sandbox = Sandbox::new();
    let (dialect, tool, call, _) = DIALECTS[0];
    let mut person = Person::at(&sandbox);
    let mut agent = Agent::with(&sandbox, dialect, LIMIT);
    let asked = agent.call(tool, call);
    let id = person.asked();
    agent.result(asked);
    agent.end();
    person.sees("the agent gone", |record| {
        record["askId"] == id.as_str() && record.get("waiters").is_none()
    });
}

#[test]
fn a_call_that_returns_early_says_that_nobody_refused_and_how_to_go_on() {
    for (dialect, tool, call, _) in DIALECTS {
        let sandbox = Sandbox::new();
        let mut agent = Agent::with(&sandbox, dialect, LIMIT);
        let asked = agent.call(tool, call);
        let said = agent.result(asked)["content"].to_string();
        let says = |words: &str| said.contains(words);
        assert!(says("efused") && says("agreed"), "{dialect}: {said}");
        let how = ["ask_user_result", "blocking true", "Asking the same again"];
        assert!(how.iter().any(|how| says(how)), "{dialect}: {said}");
    }
}

#[test]
fn an_agent_that_lost_the_id_finds_what_it_waits_for() {
    let sandbox = Sandbox::new();
    let (dialect, tool, call, told) = DIALECTS[0];
    let mut person = Person::at(&sandbox);
    let mut agent = Agent::of(&sandbox, dialect);
    let left = agent.call(tool, call);
    let id = person.asked();
    agent.cancel(left);
    person.sees("the call gone", |record| record.get("waiters").is_none());
    let looked = agent.call("ask_user_result", "{}");
    let reply = json(&agent.told(looked));
    assert_eq!(reply["askId"], id.as_str(), "{reply}");
    assert_eq!(reply["waiting"], true, "{reply}");
    let waits = agent.call("ask_user_result", r#"{"wait":600000}"#);
    person.sees("it waits again", |record| record["waiters"] == 1);
    person.answers(&id, &["--set", "A"]);
    assert!(agent.told(waits).contains(told));
}

#[test]
fn what_another_client_asked_is_not_there() {
    let sandbox = Sandbox::new();
    let (dialect, tool, call, _) = DIALECTS[0];
    let mut person = Person::at(&sandbox);
    let mut agent = Agent::of(&sandbox, dialect);
    agent.call(tool, call);
    let id = person.asked();
    let mut other = Agent::start(&sandbox, &[]);
    other.name("another-agent");
    other.open(Era::Initialize("2025-11-25"));
    let looked = other.call("ask_user_result", &format!(r#"{{"askId":"{id}"}}"#));
    assert!(other.refused(looked).contains("There is no ask"));
}

#[test]
fn where_nobody_could_answer_patience_ends_and_says_so() {
    let sandbox = Sandbox::new();
    let config = sandbox.home().join("config.toml");
    std::fs::write(config, "[asks]\npatience_seconds = 1\n").expect("the home is writable");
    let (dialect, tool, call, told) = DIALECTS[0];
    let mut person = Person::at(&sandbox);
    let mut agent = Agent::of(&sandbox, dialect);
    let asked = agent.call(tool, call);
    let id = person.asked();
    // From here on no surface is open.
    drop(person);
    let reply = json(&agent.told(asked));
    assert_eq!(reply["waiting"], true, "{reply}");
    assert_eq!(reply["cancelled"], false, "{reply}");
    assert_eq!(reply["answered"], false, "{reply}");
    assert!(
        text(&reply, "howToAnswer").contains("ask-user inbox"),
        "{reply}"
    );

    let person = Person::at(&sandbox);
    person.answers(&id, &["--set", "A"]);
    let again = agent.call(tool, call);
    assert!(agent.told(again).contains(told));
}
