//! No dialect panics, accepts anything unbounded or presents silence as an answer, and the native
//! one loses nothing.

use std::collections::HashSet;

use ask_core::record::summary;
use ask_core::testing::strategies;
use ask_core::{Ask, Asker, Input, Json, Outcome, Record, SafeText, Time, json, lifecycle};
use ask_dialects::{Call, DIALECTS, Setting, Word, pi};
use ask_protocol::{native, to_json};
use proptest::prelude::{ProptestConfig, prop_assert, prop_assert_eq, prop_oneof, proptest};

/// A call that has become an ask, as a record.
fn opened(dialect: &dyn ask_dialects::Dialect, ask: Ask, random: [u8; 16]) -> Record {
    lifecycle::open(
        dialect.id(random),
        dialect.name(),
        ask,
        Asker::default(),
        Time(0),
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// A reply of the native dialect contains the whole outcome.
    #[test]
    fn native_replies_lose_nothing(record in strategies::record()) {
        let native = ask_dialects::find("native").expect("native");
        let reply = native.write(Word::Closed(&record));
        let value: Json = json::parse(&reply.text).expect("JSON");
        prop_assert_eq!(Some(&value), reply.structured.as_ref());
        if let Some(settlement) = record.settlement() {
            let outcome = native::read_outcome(&record.ask, &value).expect("an outcome");
            prop_assert_eq!(&outcome, &settlement.outcome);
        } else {
            prop_assert_eq!(&value["waiting"], &Json::Bool(true));
        }
        prop_assert_eq!(value["answers"].as_array().map(Vec::len), Some(record.ask.questions.len()));
    }

    /// The native form of an ask is a native call for the same ask.
    #[test]
    fn native_reads_its_own_form(call in prop_oneof![strategies::call(), strategies::json()]) {
        let native = ask_dialects::find("native").expect("native");
        let setting = Setting::default();
        if let Ok(Call::Ask { ask, .. }) = native.read("ask_user", &call, &setting) {
            let record = opened(native, (*ask).clone(), [0; 16]);
            let again = native.read("ask_user", &to_json(&native::Record::from(&record)), &setting);
            match again {
                Ok(Call::Ask { ask: again, .. }) => prop_assert_eq!(again, ask),
                other => prop_assert!(false, "{other:?}"),
            }
        }
    }

    /// Each dialect reads any call into a sound ask, or says why it can't.
    #[test]
    fn every_dialect_survives_every_call(
        call in prop_oneof![strategies::call(), strategies::json()],
    ) {
        let setting = Setting::default();
        for dialect in DIALECTS {
            for tool in dialect.tools() {
                let _ = dialect.strict(tool.name, &call);
                match dialect.read(tool.name, &call, &setting) {
                    Err(refusal) => {
                        prop_assert!(!refusal.problems.is_empty());
                        let reply = dialect.write(Word::Refused(&refusal));
                        prop_assert!(reply.is_error && reply.structured.is_none());
                        prop_assert!(reply.text.len() < 16_000);
                    }
                    Ok(Call::Ask { ask, .. }) => sound(&ask),
                    Ok(Call::Fetch { id, .. }) => prop_assert!(id.is_none_or(|id| id.len() <= 200)),
                }
            }
        }
    }

    /// A text and its value never differ, an error has no value, and an unanswered ask never claims
    /// to be answered.
    #[test]
    fn every_dialect_has_a_reply_for_every_end(record in strategies::record()) {
        prop_assert!(!summary(&record).contains('\n'));
        for dialect in DIALECTS {
            let mut record = record.clone();
            record.dialect = dialect.name().to_owned();
            let records = [record.clone(), record.clone()];
            for word in [Word::Closed(&record), Word::Open(&record), Word::Fetched(&records[..1]), Word::Fetched(&records)] {
                let reply = dialect.write(word);
                match &reply.structured {
                    Some(value) => prop_assert_eq!(&value.to_string(), &reply.text),
                    None => prop_assert!(!reply.text.is_empty()),
                }
                prop_assert!(!reply.is_error || reply.structured.is_none());
            }
            let answered = matches!(record.settlement().map(|end| &end.outcome), Some(Outcome::Answered(_)));
            let value = dialect.write(Word::Closed(&record)).structured.unwrap_or_default();
            prop_assert!(answered || value["answered"] != true);
        }
    }

    /// An ask without an answer doesn't look answered, in any dialect.
    #[test]
    fn no_dialect_presents_silence_as_an_answer(record in strategies::record()) {
        for dialect in DIALECTS.iter().filter(|dialect| dialect.name() != "native") {
            let outcome = record.settlement().map(|end| &end.outcome);
            let reply = dialect.write(Word::Closed(&record));
            let answers = reply.structured.map(|mut value| value["answers"].take()).unwrap_or_default();
            let Some(Outcome::Answered(answered)) = outcome else {
                let none = [Json::Null, serde_json::json!([]), serde_json::json!({})];
                prop_assert!(none.contains(&answers), "{}: {answers}", dialect.name());
                for sign in ["User has answered", "<user_message>"] {
                    prop_assert!(!reply.text.starts_with(sign), "{}", reply.text);
                }
                continue;
            };
            let given = answered.answers().iter().filter(|answer| answer.is_given()).count();
            let worded = match dialect.name() {
                "gemini" => answers.as_object().map(serde_json::Map::len),
                "codex" => answers.as_object().map(|answers| {
                    let said = |answer: &&Json| answer["answers"] != serde_json::json!([]);
                    answers.values().filter(said).count()
                }),
                "roo" => Some(reply.text.matches("</user_message>").count()),
                _ => continue,
            };
            prop_assert!(worded.is_none_or(|worded| worded <= given), "{}: {}", dialect.name(), reply.text);
        }
    }

    #[test]
    fn pending_files_are_read_or_refused(
        (record, answers) in (strategies::record(), strategies::json()),
    ) {
        let _ = pi::read_pending(&record.ask, &answers.to_string());
    }

    #[test]
    fn pending_files_come_back(record in strategies::record()) {
        let file = pi::write_pending(&record, Time(0));
        prop_assert!(!file.contains(|letter| letter != '\n' && SafeText::hides(letter)));
        prop_assert_eq!(pi::read_pending(&record.ask, &file).expect("readable"), None);
    }

}

fn sound(ask: &Ask) {
    assert!((1..=20).contains(&ask.questions.len()));
    let ids: HashSet<&str> = ask
        .questions
        .iter()
        .map(|question| question.id.as_str())
        .collect();
    assert_eq!(ids.len(), ask.questions.len(), "{ask:?}");
    assert!(
        ask.limit_ms
            .is_none_or(|limit| (10_000..=86_400_000).contains(&limit))
    );
    assert!(ask.metadata.as_deref() != Some("null"));
    for question in &ask.questions {
        assert!(!SafeText::line(&question.text).as_str().trim().is_empty());
        let choices = question.input.choices();
        assert!(choices.len() <= 200);
        assert!(
            !matches!(&question.input, Input::One(choices) | Input::Many(choices) if choices.is_empty())
        );
        let labels: HashSet<String> = choices
            .iter()
            .map(|choice| SafeText::line(&choice.label).as_str().trim().to_owned())
            .collect();
        assert_eq!(labels.len(), choices.len(), "{choices:?}");
        assert!(choices.iter().all(|choice| choice.label.len() <= 2_000));
    }
}
