//! Agents' calls: each dialect reads a call as an ask or lists its problems, and an answer survives being
//! written and read.

use std::collections::HashSet;

use ask_core::record::summary;
use ask_core::{Ask, Asker, Gaps, Json, Outcome, State, Time, json, lifecycle};
use ask_dialects::elicit::{self, Edition};
use ask_dialects::{Call, DIALECTS, Dialect, Setting, Word, pi};
use ask_protocol::{json_text, native};

use super::{by_person, draft};

/// Fragments of calls.
pub const PIECES: &[&str] = &[
    "\"options\":",
    "\"label\":",
    "\"type\":\"select\"",
    "Other",
    "\"questions\":\"[",
    "\"follow_up\":",
    "<suggest mode='",
    "</suggest>",
    "\u{1b}[31m",
    "\u{202e}",
];

/// Reads the input as a call of each tool of each dialect, answers it, and reads the answer back.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Ok(call) = json::parse(&text) else { return };
    for dialect in DIALECTS {
        for tool in dialect.tools() {
            // It must not panic.
            let _ = dialect.strict(tool.name, &call);
            match dialect.read(tool.name, &call, &Setting::default()) {
                Ok(Call::Ask { ask, .. }) => {
                    fill_in_dialog(&ask, &call);
                    answer(*dialect, *ask, bytes);
                }
                Ok(Call::Fetch { .. }) => {}
                Err(refusal) => {
                    assert!(!refusal.problems.is_empty());
                    assert!(dialect.write(Word::Refused(&refusal)).is_error);
                }
            }
        }
    }
}

/// Writes an ask as a client's dialog, and reads `content` as the client's reply.
fn fill_in_dialog(ask: &Ask, content: &Json) {
    for edition in [Edition::Early, Edition::Titled] {
        let form = elicit::request(ask, None, edition, None);
        assert!(form["requestedSchema"]["properties"].is_object());
        match elicit::read(ask, edition, Some(content)) {
            Ok(draft) => {
                let given = draft.given();
                assert!(draft.finish(ask, Gaps::Send).is_ok() || given == 0);
            }
            Err(problem) => assert!(!problem.path.is_empty()),
        }
    }
}

fn answer(dialect: &dyn Dialect, ask: Ask, bytes: &[u8]) {
    let ids: HashSet<&str> = ask
        .questions
        .iter()
        .map(|question| question.id.as_str())
        .collect();
    assert_eq!(ids.len(), ask.questions.len());
    let mut record = lifecycle::open(
        dialect.id([3; 16]),
        dialect.name(),
        ask,
        Asker::default(),
        Time(0),
    );
    assert!(!dialect.write(Word::Open(&record)).text.is_empty());
    let file = pi::write_pending(&record, Time(0));
    if file.len() <= json::MAX_CALL_BYTES {
        assert_eq!(pi::read_pending(&record.ask, &file), Ok(None));
    }
    let choice = [bytes.len() as u8, bytes.first().copied().unwrap_or(0)];
    let Ok(answered) = draft(&record.ask, choice).finish(&record.ask, Gaps::Send) else {
        return;
    };
    record.state = State::Closed {
        settlement: by_person(Outcome::Answered(answered), 1, 1),
        delivered_at: None,
    };
    let written = json_text(&native::Record::from(&record));
    assert_eq!(native::read_record(&written).expect("a record"), record);
    let reply = dialect.write(Word::Closed(&record));
    if let Some(value) = reply.structured {
        let text = value.to_string();
        assert_eq!(text, reply.text);
    }
    assert!(!summary(&record).contains('\n'));
}
