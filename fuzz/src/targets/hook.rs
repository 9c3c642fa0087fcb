//! Messages of clients whose question tool is taken over: any text is an event or a clear refusal, and each
//! ask that comes of one gets replies that the client can read.

use ask_core::{Asker, Draft, Gaps, Outcome, Record, State, Time, lifecycle};
use ask_dialects::hook::{Asked, Closed, HOOKS, Hook, HookEvent};
use ask_protocol::ipc::Verdict;
use ask_protocol::text_json;

use super::{assert_is_clear, by_person, draft};

/// Fragments of messages.
pub const PIECES: &[&str] = &[
    "\"hook_event_name\":\"PreToolUse\"",
    "\"hook_event_name\":\"PostToolUse\"",
    "\"tool_name\":\"AskUserQuestion\"",
    "\"tool_input\":{\"questions\":[",
    "{\"question\":\"Which?\",\"header\":\"One\",\"multiSelect\":true,\"options\":[{\"label\":\"A, B\"},{\"label\":\"A\"}]}",
    "\"tool_response\":{\"answers\":{\"Which?\":\"A, B, A, own\"}}",
    "\"agent_type\":\"\"",
    "\"type\":\"question.asked\"",
    "\"type\":\"question.replied\"",
    "\"type\":\"question.v2.rejected\"",
    "\"properties\":{\"id\":\"que_1\",\"sessionID\":\"ses_1\",\"questions\":[",
    "\"requestID\":\"que_1\",\"answers\":[[\"A\"],[]]",
    "\"multiple\":true",
];

/// Reads the input as a message of each client.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let choice = [bytes.first(), bytes.last()].map(|byte| byte.copied().unwrap_or_default());
    for hook in HOOKS {
        match hook.read(&text) {
            Err(problem) => assert_is_clear(&problem),
            Ok(HookEvent::Asked(asked)) => reply(*hook, &asked, choice),
            // It belongs to an ask of an earlier message.
            Ok(HookEvent::Closed(closed)) => assert_is_verdict(&closed, &super::two_questions()),
            Ok(HookEvent::Overtaken(asked, closed)) => {
                assert_is_verdict(&closed, &asked.ask);
                reply(*hook, &asked, choice);
            }
        }
    }
}

/// An answer that a client reports can be sent.
fn assert_is_verdict(closed: &Closed, ask: &ask_core::Ask) {
    if let Verdict::Answer { draft, gaps } = closed.verdict(ask) {
        draft.finish(ask, gaps).expect("it was checked");
    }
}

/// Closes the ask in each way. The client can read each reply.
fn reply(hook: &dyn Hook, asked: &Asked, choice: [u8; 2]) {
    let id = ask_dialects::find(hook.dialect())
        .expect("a dialect")
        .id([0; 16]);
    let open = lifecycle::open(
        id,
        hook.dialect(),
        asked.ask.clone(),
        Asker::default(),
        Time(0),
    );
    assert_eq!(hook.write(asked, &open), None, "nobody has answered");
    let reason = Some("no\n\"never\"".to_owned());
    let answered = |draft: Draft| {
        draft
            .finish(&open.ask, Gaps::Send)
            .ok()
            .map(Outcome::Answered)
    };
    let outcomes = [
        answered(draft(&asked.ask, choice)),
        Some(Outcome::Declined { reason }),
        Some(Outcome::Expired),
        Some(Outcome::Withdrawn),
    ];
    for outcome in outcomes.into_iter().flatten() {
        let settlement = by_person(outcome, 1, 1);
        let state = State::Closed {
            settlement,
            delivered_at: None,
        };
        let closed = Record {
            state,
            ..open.clone()
        };
        if let Some(reply) = hook.write(asked, &closed) {
            let is_object = text_json(&reply).is_ok_and(|reply| reply.is_object());
            assert!(is_object && !reply.contains('\n'), "{reply}");
        }
    }
}
