//! Clients whose card takes an answer only after the call has returned: the call returns at once,
//! and the answer follows as the person's message.

use ask_core::Json;

use super::{AFTER_RETURN, Chat, ONE};
use crate::support::sandbox::Sandbox;
use crate::support::{json, text};

fn show_record(sandbox: &Sandbox, id: &str) -> Json {
    json(&sandbox.run_ok(&["show", id, "--json"]))
}

#[test]
fn the_call_returns_at_once_and_the_card_forwards_the_answer() {
    let sandbox = Sandbox::new();
    let mut chat = Chat::open(&sandbox, AFTER_RETURN);
    let call = chat.agent.call("ask_user", ONE);
    let result = chat.agent.result(call);
    let said = result["content"].to_string();
    assert!(said.contains("comes as their next message"), "{said}");
    assert!(said.contains("has not agreed"), "{said}");
    assert!(result.get("structuredContent").is_none(), "{result}");
    let state = chat.call_card("ask_ui_state", &format!(r#"{{"call":{call}}}"#));
    let state = state.expect("the card reads its ask");
    let id = text(&state["ask"], "askId");
    assert_eq!(state["ask"]["waiters"], 1, "its agent expects it");
    assert!(state["tell"].is_null(), "{state}");
    // A fetch that would wait is refused: the card couldn't be answered meanwhile.
    let fetch = chat
        .agent
        .call("ask_user_result", &format!(r#"{{"askId":"{id}"}}"#));
    let so_far = chat.agent.receive_reply(fetch);
    assert!(so_far.contains("\"waiting\":true"), "{so_far}");

    let answer = format!(r#"{{"askId":"{id}","draft":{{"answers":[{{"picks":[1]}}]}}}}"#);
    let done = chat
        .call_card("ask_ui_submit", &answer)
        .expect("it is accepted");
    let tell = text(&done, "tell");
    assert!(tell.contains("A or B?") && tell.contains(&id), "{tell}");
    assert!(tell.contains(r#""values":["B"]"#), "{tell}");
    assert_ne!(
        show_record(&sandbox, &id)["delivered"],
        true,
        "not delivered yet"
    );
    chat.call_card("ask_ui_told", &format!(r#"{{"askId":"{id}"}}"#))
        .expect("the acknowledgement is accepted");
    assert_eq!(show_record(&sandbox, &id)["delivered"], true);
}

#[test]
fn an_answer_that_was_not_forwarded_is_mentioned_in_the_next_call() {
    let sandbox = Sandbox::new();
    let mut chat = Chat::open(&sandbox, AFTER_RETURN);
    let call = chat.agent.call("ask_user", ONE);
    chat.agent.result(call);
    let state = chat.call_card("ask_ui_state", &format!(r#"{{"call":{call}}}"#));
    let id = text(&state.expect("the card reads its ask")["ask"], "askId");
    // Answered by a command, which the card learns with its next request.
    sandbox.run_ok(&["answer", &id, "--set", "A"]);
    let state = chat.call_card("ask_ui_state", &format!(r#"{{"askId":"{id}"}}"#));
    let tell = text(&state.expect("the card reads its ask"), "tell");
    assert!(tell.contains(r#""values":["A"]"#), "{tell}");
    // The client forwards nothing and nothing is acknowledged, so the answer waits for the agent.
    let call = chat.agent.call("ask_user", r#"{"question":"And then?"}"#);
    let said = chat.agent.result(call)["content"].to_string();
    assert!(said.contains(&id), "{said}");
    let fetch = chat.agent.call("ask_user_result", "{}");
    let told = json(&chat.agent.receive_reply(fetch));
    assert_eq!(told["answers"][0]["values"][0], "A", "{told}");
}

#[test]
fn an_existing_answer_is_returned_at_once() {
    let sandbox = Sandbox::new();
    let mut chat = Chat::open(&sandbox, AFTER_RETURN);
    let call = chat.agent.call("ask_user", ONE);
    chat.agent.result(call);
    sandbox.run_ok(&["answer", "latest", "--set", "A"]);
    let again = chat.agent.call("ask_user", ONE);
    let told = json(&chat.agent.receive_reply(again));
    assert_eq!(told["answers"][0]["values"][0], "A", "{told}");
}
