//! The lines of host programs that embed us: the reply to any line is one line.

use ask_core::json;
use ask_protocol::{Reply, jsonl};
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
    "1e999",
];

/// Reads the input as a host's line and as a host's response; each reply is one line.
pub fn run(bytes: &[u8]) {
    if let Err(mistake) = jsonl::read(bytes, bytes.len()) {
        assert_is_line(&jsonl::mistake(&mistake));
    }
    let text = String::from_utf8_lossy(bytes);
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
    let ask = two_questions();
    let reply = Reply::json(response.clone());
    assert_is_line(&jsonl::reply(&request, &reply));
    if let Err(problem) = jsonl::read_verdict(&ask, &response) {
        assert!(!problem.problem.is_empty());
    }
}
