//! The lines of host programs that embed us, and the events of desktop apps: the reply to any of them is
//! one line.

use ask_core::{Json, json};
use ask_protocol::{Reply, bridge, jsonl};
use serde_json::json;

use super::{assert_is_line, two_questions};

/// Fragments of the lines.
pub const PIECES: &[&str] = &[
    "\"type\":\"ask_user\"",
    "\"type\":\"ask_user_response\"",
    "\"requestId\":",
    "\"answers\":",
    "\"cancelled\":true",
    "\"partial\":true",
    "\"hello\"",
    "\"type\":\"cn_ask_user.answered\"",
    "\"type\":\"cn_ask_user.cancelled\"",
    "\"values\":[",
    "\"reason\":",
    "1e999",
];

/// Reads the input as a host's line, as an app's event, and as a host's response; each reply is one line.
pub fn run(bytes: &[u8]) {
    if let Err(mistake) = jsonl::read(bytes, bytes.len()) {
        assert_is_line(&jsonl::mistake(&mistake));
    }
    let text = String::from_utf8_lossy(bytes);
    match bridge::read(&text) {
        Ok(jsonl::HostMessage::Respond { response, .. }) => check_response(&response),
        Ok(message) => panic!("an app only responds: {message:?}"),
        Err(mistake) => assert_is_line(&((bridge::EVENTS.mistake)(&mistake) + "\n")),
    }
    let Ok(response) = json::parse(&text) else {
        return;
    };
    let line = json!({"type": "ask_user_response", "requestId": text, "answers": response});
    let line = line.to_string();
    let read = jsonl::read(line.as_bytes(), line.len());
    let Ok(Some(jsonl::HostMessage::Respond { request, response })) = read else {
        // The line around the response is now too long or too deep.
        return;
    };
    let reply = Reply::json(response.clone());
    assert_is_line(&jsonl::reply(&request, &reply));
    check_response(&response);
}

fn check_response(response: &Json) {
    if let Err(problem) = jsonl::read_verdict(&two_questions(), response) {
        assert!(!problem.problem.is_empty());
    }
}
