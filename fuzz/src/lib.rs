//! The targets. Each takes any bytes and panics only where the pure crates are wrong.

use std::collections::HashSet;

use ask_core::lifecycle::{self, Closing};
use ask_core::record::summary;
use ask_core::{
    Answer, Ask, Asker, Draft, Gaps, Input, Json, Outcome, Record, SafeText, Settlement, State,
    Time, json,
};
use ask_dialects::elicit::{self, Edition};
use ask_dialects::{Call, DIALECTS, Dialect, Setting, Word, pi};
use ask_protocol::{Reply, json_text, jsonl, native};
use serde_json::json;

/// A target by its name.
pub type Target = fn(&[u8]);

/// Every target there is.
pub const TARGETS: [(&str, Target); 4] = [
    ("read_call", read_call),
    ("lifecycle", lifecycle),
    ("plain", plain),
    ("lines", host_lines),
];

/// Reads bytes as a call of every dialect, answers it, and reads the answer back.
pub fn read_call(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Ok(call) = json::parse(&text) else { return };
    for dialect in DIALECTS {
        for tool in dialect.tools() {
            let _ = dialect.strict(tool.name, &call);
            match dialect.read(tool.name, &call, &Setting::default()) {
                Ok(Call::Ask { ask, .. }) => {
                    fill_it_in(&ask, &call);
                    answer_it(*dialect, *ask, bytes);
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

/// Puts an ask in a client's dialog, and reads whatever comes back.
fn fill_it_in(ask: &Ask, content: &Json) {
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

/// Closes one ask in any order of operations; the first outcome must win.
pub fn lifecycle(bytes: &[u8]) {
    let mut bytes = bytes.iter().copied();
    let mut next = || bytes.next();
    let ask = Ask {
        questions: vec![question(Input::Confirm, 0), question(Input::Text, 1)],
        limit_ms: next().map(|limit| u64::from(limit) * 10),
        ..Ask::default()
    };
    let native = DIALECTS[0];
    let mut record = lifecycle::open(
        native.id([0; 16]),
        native.name(),
        ask,
        Asker::default(),
        Time(0),
    );
    let mut first: Option<Settlement> = None;
    let mut clock = 0;
    while let Some(operation) = next() {
        clock += i64::from(operation);
        let attempt = u64::from(next().unwrap_or(0) % 4);
        let settlement = match operation % 5 {
            0 => lifecycle::expire(&record, Time(clock), attempt),
            1 => Some(Outcome::Declined { reason: None })
                .map(|outcome| by_person(outcome, clock, attempt)),
            2 => Some(Outcome::Withdrawn).map(|outcome| by_person(outcome, clock, attempt)),
            3 => draft(&record.ask, [operation, next().unwrap_or(0)])
                .finish(&record.ask, Gaps::Send)
                .ok()
                .map(|answered| by_person(Outcome::Answered(answered), clock, attempt)),
            _ => {
                deliver(&mut record, clock);
                None
            }
        };
        if let Some(settlement) = settlement {
            settle(&mut record, settlement, &mut first);
        }
        assert_eq!(record.settlement(), first.as_ref());
        assert_eq!(
            lifecycle::next_look(&record).is_none(),
            !record.is_waiting() || record.deadline_at.is_none()
        );
        let written = json_text(&native::Record::from(&record));
        assert_eq!(native::read_record(&written).expect("a record"), record);
    }
}

/// Reads bytes as a host's line, and as the response of one; what is said of it is one line.
pub fn host_lines(bytes: &[u8]) {
    if let Err(mistake) = jsonl::read(bytes, bytes.len()) {
        assert_is_line(&jsonl::mistake(&mistake));
    }
    let text = String::from_utf8_lossy(bytes);
    let Ok(response) = json::parse(&text) else {
        return;
    };
    let line = json!({"type": "ask_user_response", "requestId": text, "answers": response});
    let line = line.to_string();
    let said = jsonl::read(line.as_bytes(), line.len());
    let Ok(Some(jsonl::Said::Respond { request, response })) = said else {
        // It is too long or too deep now.
        return;
    };
    let ask = Ask {
        questions: vec![question(Input::Confirm, 0), question(Input::Text, 1)],
        ..Ask::default()
    };
    let reply = Reply::json(response.clone());
    assert_is_line(&jsonl::reply(&request, &reply));
    if let Err(problem) = jsonl::read_verdict(&ask, &response) {
        assert!(!problem.problem.is_empty());
    }
}

fn assert_is_line(line: &str) {
    let text = line.strip_suffix('\n').expect("it ends");
    assert!(!text.contains(|c: char| c < ' '), "{text:?}");
    assert!(text.parse::<Json>().is_ok(), "{text:?}");
}

/// Cleans bytes; what comes out must be clean and stay as it is.
pub fn plain(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (line, block) = (SafeText::line(&text), SafeText::block(&text));
    for plain in [&line, &block] {
        let foul =
            |c: char| (c.is_control() && c != '\n') || ('\u{202a}'..='\u{202e}').contains(&c);
        assert!(!plain.as_str().contains(foul), "{plain:?}");
        let _ = plain.width();
    }
    assert!(!line.as_str().contains('\n'));
    assert_eq!(SafeText::line(line.as_str()), line);
    assert_eq!(SafeText::block(block.as_str()), block);
}

fn answer_it(dialect: &dyn Dialect, ask: Ask, bytes: &[u8]) {
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

fn settle(record: &mut Record, settlement: Settlement, first: &mut Option<Settlement>) {
    let closing = lifecycle::close(record, &settlement);
    let expected = match first {
        None => Closing::Close,
        // An attempt is repeated by the same words alone.
        Some(first)
            if first.attempt == settlement.attempt && first.outcome == settlement.outcome =>
        {
            Closing::Again
        }
        // The clock's word gives way to a person's.
        Some(first) if first.outcome == Outcome::Expired && settlement.outcome.is_human() => {
            Closing::Close
        }
        Some(_) => Closing::TooLate,
    };
    assert_eq!(closing, expected);
    if closing == Closing::Close {
        *first = Some(settlement.clone());
        record.state = State::Closed {
            settlement,
            delivered_at: None,
        };
    }
}

fn deliver(record: &mut Record, clock: i64) {
    if lifecycle::may_deliver(record, None)
        && let State::Closed { delivered_at, .. } = &mut record.state
    {
        assert!(delivered_at.is_none());
        *delivered_at = Some(Time(clock));
    }
}

fn by_person(outcome: Outcome, clock: i64, attempt: u64) -> Settlement {
    Settlement {
        outcome,
        surface: "fuzz".to_owned(),
        device: None,
        origin: None,
        at: Time(clock),
        attempt,
        awaited: false,
    }
}

fn draft(ask: &Ask, choice: [u8; 2]) -> Draft {
    let [pick, own] = choice.map(usize::from);
    let answers = ask.questions.iter().map(|question| Answer {
        picks: (pick % 3 > 0 && !question.input.is_empty())
            .then(|| pick % question.input.len())
            .into_iter()
            .collect(),
        own: (own % 3 > 0).then(|| "own 'words'\n→ x".to_owned()),
        note: (own % 5 == 0).then(|| "note".to_owned()),
        none: pick % 2 == 0,
        ..Answer::default()
    });
    Draft {
        answers: answers.collect(),
        note: None,
    }
}

fn question(input: Input, at: usize) -> ask_core::Question {
    ask_core::Question {
        id: format!("q{at}"),
        text: "Which?".to_owned(),
        label: None,
        input,
        required: at == 0,
        placeholder: None,
        default: None,
    }
}
