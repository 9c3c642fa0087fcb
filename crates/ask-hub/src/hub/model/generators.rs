//! The model's asks, callers and verdicts.

use ask_core::{Answer, Ask, AskId, Asker, Caller, Draft, Gaps, Question, Record, Time, lifecycle};
use ask_protocol::ipc::{Request, Verdict};

use super::WITHDRAWALS;
use crate::http::agent_sessions::AgentSessions;

/// The deadline of the question that has one.
pub(super) const LIMIT_MS: u64 = 60 * 60 * 1_000;

/// How an attempt closes an ask.
pub(super) fn verdict(attempt: u64) -> Verdict {
    let words = format!("attempt {attempt}");
    match attempt {
        1 => Verdict::Decline {
            reason: Some(words),
        },
        2 => Verdict::Clarify { words },
        WITHDRAWALS.. => Verdict::Withdraw,
        _ => Verdict::Answer {
            draft: Draft {
                answers: vec![Answer::saying(words)],
                note: None,
            },
            gaps: Gaps::Refuse,
        },
    }
}

pub(super) fn settle(id: &AskId, attempt: u64) -> Request {
    Request::Settle {
        id: id.clone(),
        verdict: verdict(attempt),
        surface: "model".to_owned(),
        device: None,
        attempt,
        hold: false,
        relayed: false,
        sender: None,
    }
}

pub(super) fn record(number: u64, question: usize, caller: usize) -> Record {
    let ask = Ask {
        questions: vec![Question {
            id: "q1".to_owned(),
            text: format!("{question}"),
            label: None,
            input: ask_core::Input::Text,
            required: true,
            placeholder: None,
            default: None,
        }],
        limit_ms: (question == 2).then_some(LIMIT_MS),
        ..Ask::default()
    };
    let id = AskId::parse(&format!("a_{number:06}"));
    let id = id.expect("a six-digit number makes a valid id");
    let now: Time = ask_config::clock::now();
    lifecycle::open(id, "native", ask, asker(caller), now)
}

/// Every caller asks from the same directory, in a session of its own.
pub(super) fn asker(caller: usize) -> Asker {
    Asker {
        directory: Some("/here".to_owned()),
        caller: Some(Caller {
            instance: instance(caller),
            process: None,
            client: None,
            agent: None,
            senders: Vec::new(),
            above: Vec::new(),
            started_at: Time(0),
        }),
        ..Asker::default()
    }
}

/// The HTTP session of a caller.
pub(super) fn session(caller: usize) -> String {
    format!("session {caller}")
}

fn instance(caller: usize) -> String {
    let sessions = AgentSessions::default();
    drop(sessions.begin(&session(caller), String::new()));
    let caller = sessions.caller(&session(caller));
    caller.expect("the session has begun").instance
}

pub(super) fn question_of(record: &Record) -> usize {
    record.ask.questions[0]
        .text
        .parse()
        .expect("the question's text is its number")
}
