//! Calls as large and as awkward as are accepted: each is read or refused.

use ask_core::testing::calls;
use ask_core::{AskId, Asker, Json, SafeText, Time, json, lifecycle};
use ask_dialects::{DIALECTS, Setting, Word};

use ask_core::testing::calls::SIZE;

#[test]
fn awkward_calls_are_read_or_refused() {
    for (shape, text) in calls::calls() {
        assert!(text.len() <= SIZE + 8, "{shape}: {}", text.len());
        let Ok(call) = json::parse(&text) else {
            continue;
        };
        for dialect in DIALECTS {
            let tool = dialect.tools()[0].name;
            assert!(dialect.strict(tool, &call).len() < 30, "{shape}");
            if let Err(refusal) = dialect.read(tool, &call, &Setting::default()) {
                let reply = dialect.write(Word::Refused(&refusal));
                assert!(reply.text.len() < 16_000, "{shape}");
            }
        }
    }
}

#[test]
fn awkward_texts_do_not_grow() {
    for (piece, text) in calls::texts() {
        assert!(
            SafeText::block(&text).as_str().len() <= text.len(),
            "{piece:?}"
        );
    }
}

/// A call that is built in memory can be larger than any text that is parsed.
#[test]
fn a_value_that_is_too_large_is_refused() {
    let call = serde_json::json!({"question": "x".repeat(SIZE), "questions": [{"question": "Q?"}]});
    for dialect in DIALECTS {
        let read = dialect.read(dialect.tools()[0].name, &call, &Setting::default());
        assert!(read.is_err(), "{}", dialect.name());
    }
    let ask = ask_core::Ask::default();
    let record = lifecycle::open(
        AskId::native([0; 16]),
        "native",
        ask,
        Asker::default(),
        Time(0),
    );
    for dialect in DIALECTS {
        let reply = dialect.write(Word::Open(&record));
        assert_ne!(reply.structured, Some(Json::Null));
    }
}
