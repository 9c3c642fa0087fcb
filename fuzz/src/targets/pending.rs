//! Pending files, which a person edits and a checkout may bring along: a file of any content is read as
//! answers or as a clear problem, and what a person writes into a fresh one is what is sent.

use ask_core::{Ask, Input, Json, Record};
use ask_dialects::pi;
use ask_protocol::text_json;

use super::{assert_is_clear, open_record, question, two_questions};

/// Fragments of pending files.
pub const PIECES: &[&str] = &[
    "\"sessionId\": \"q-00000000000000000000000000\"",
    "\"questions\": [",
    "{\"question\": \"Which?\", \"answer\": null}",
    "\"options\": [\"a\", \"b\"]",
    "\"multiSelect\": true",
    "\"answer\": ",
    "\"answer\": \"yes\"",
    "\"answer\": true",
    "\"answer\": [\"a\", 1]",
    "\"timestamp\": \"2026-01-01T00:00:00Z\"",
];

/// Reads the input as a file, and writes it as an answer into a fresh file.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let record = open_record(two_questions());
    read(&record, &text);
    write(&text);
}

fn read(record: &Record, text: &str) {
    // They must not panic.
    let _ = (pi::pending_id(text), pi::is_pending_for(&record.ask, text));
    match pi::read_pending(&record.ask, text) {
        Ok(None) => {}
        Ok(Some(draft)) => {
            assert!(!pi::is_blank_pending(text), "{text}");
            assert!(draft.answers.len() <= record.ask.questions.len());
        }
        Err(problem) => assert_is_clear(&problem.to_string()),
    }
}

fn write(answer: &str) {
    let record = open_record(Ask {
        questions: vec![question(Input::Text, 0)],
        ..Ask::default()
    });
    let fresh = pi::write_pending(&record, record.asked_at);
    assert!(pi::is_blank_pending(&fresh));
    assert!(pi::is_pending_for(&record.ask, &fresh));
    assert_eq!(pi::pending_id(&fresh).as_deref(), Some(record.id.as_str()));
    assert_eq!(pi::read_pending(&record.ask, &fresh), Ok(None));

    let mut file = text_json(&fresh).expect("a file is JSON");
    file["questions"][0]["answer"] = Json::from(answer);
    match pi::read_pending(&record.ask, &file.to_string()) {
        Ok(None) => assert!(answer.trim().is_empty(), "{answer:?} is lost"),
        Ok(Some(draft)) => {
            let own = draft.answers[0].own.as_deref().unwrap_or_default();
            assert_eq!(own.trim(), answer.trim());
        }
        Err(problem) => assert_is_clear(&problem.to_string()),
    }
}
