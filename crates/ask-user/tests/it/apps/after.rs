//! Clients whose card takes an answer only after the call has returned: the call returns at once,
//! and the answer follows as the person's message.

use ask_core::Json;

use super::{AFTER, Chat, ONE};
use crate::support::sandbox::Sandbox;
use crate::support::{json, text};

fn shows(sandbox: &Sandbox, id: &str) -> Json {
    json(&sandbox.done(&["show", id, "--json"]))
}

#[test]
fn the_call_returns_at_once_and_the_card_passes_the_answer_on() {
    let sandbox = Sandbox::new();
    let mut chat = Chat::open(&sandbox, AFTER);
    let call = chat.agent.call("ask_user", ONE);
    let result = chat.agent.result(call);
    let said = result["content"].to_string();
    assert!(said.contains("comes as their next message"), "{said}");
    assert!(said.contains("has not agreed"), "{said}");
    assert!(result.get("structuredContent").is_none(), "{result}");
    let standing = chat.does("ask_ui_state", &format!(r#"{{"call":{call}}}"#));
    let standing = standing.expect("the card reads its ask");
    let id = text(&standing["ask"], "askId");
    assert_eq!(standing["ask"]["waiters"], 1, "its agent expects it");
    assert!(standing["tell"].is_null(), "{standing}");
    // A fetch that would wait is refused: the card couldn't be answered meanwhile.
    let fetch = chat
        .agent
        .call("ask_user_result", &format!(r#"{{"askId":"{id}"}}"#));
    let so_far = chat.agent.told(fetch);
    assert!(so_far.contains("\"waiting\":true"), "{so_far}");

    let answer = format!(r#"{{"askId":"{id}","draft":{{"answers":[{{"picks":[1]}}]}}}}"#);
    let done = chat.does("ask_ui_submit", &answer).expect("it is accepted");
    let tell = text(&done, "tell");
    assert!(tell.contains("A or B?") && tell.contains(&id), "{tell}");
    assert!(tell.contains(r#""values":["B"]"#), "{tell}");
    assert_ne!(shows(&sandbox, &id)["delivered"], true, "not delivered yet");
    chat.does("ask_ui_told", &format!(r#"{{"askId":"{id}"}}"#))
        .expect("the acknowledgement is accepted");
    assert_eq!(shows(&sandbox, &id)["delivered"], true);
}

#[test]
fn what_was_not_passed_on_is_told_with_the_next_call() {
    let sandbox = Sandbox::new();
    let mut chat = Chat::open(&sandbox, AFTER);
    let call = chat.agent.call("ask_user", ONE);
    chat.agent.result(call);
    let standing = chat.does("ask_ui_state", &format!(r#"{{"call":{call}}}"#));
    let id = text(&standing.expect("the card reads its ask")["ask"], "askId");
    // Answered by a command, which the card learns with its next request.
    sandbox.done(&["answer", &id, "--set", "A"]);
    let standing = chat.does("ask_ui_state", &format!(r#"{{"askId":"{id}"}}"#));
    let tell = text(&standing.expect("the card reads its ask"), "tell");
    assert!(tell.contains(r#""values":["A"]"#), "{tell}");
    // The client forwards nothing and nothing is acknowledged, so the answer waits for the agent.
    let call = chat.agent.call("ask_user", r#"{"question":"And then?"}"#);
    let said = chat.agent.result(call)["content"].to_string();
    assert!(said.contains(&id), "{said}");
    let fetch = chat.agent.call("ask_user_result", "{}");
    let told = json(&chat.agent.told(fetch));
    assert_eq!(told["answers"][0]["values"][0], "A", "{told}");
}

#[test]
fn an_answer_that_is_there_already_comes_at_once() {
    let sandbox = Sandbox::new();
    let mut chat = Chat::open(&sandbox, AFTER);
    let call = chat.agent.call("ask_user", ONE);
    chat.agent.result(call);
    sandbox.done(&["answer", "latest", "--set", "A"]);
    let again = chat.agent.call("ask_user", ONE);
    let told = json(&chat.agent.told(again));
    assert_eq!(told["answers"][0]["values"][0], "A", "{told}");
}
