//! A thousand asks at once from ten agents: each reply carries its own answer.

use std::sync::Arc;
use std::thread;

use ask_core::{Answer, Draft, Gaps, Record};
use ask_protocol::ipc::{Changed, Request, Response, Verdict};

use crate::support::agent::Agent;
use crate::support::hub::Hub;
use crate::support::json;
use crate::support::sandbox::Sandbox;

const AGENTS: usize = 10;
const EACH: usize = 100;

#[test]
fn a_thousand_concurrent_asks_get_their_own_answers() {
    let sandbox = Sandbox::new();
    // The hub sees them as the asks of one program, so its limit is off.
    sandbox.write_settings("[limits]\nopen_asks_per_agent = 0\n");
    let mut hub = Hub::start(&sandbox);
    let (right, wrong) = thread::scope(|scope| {
        let agents: Vec<_> = (0..AGENTS)
            .map(|number| {
                scope.spawn({
                    let sandbox = &sandbox;
                    move || ask_and_count(sandbox, number)
                })
            })
            .collect();
        answer_all(&mut hub);
        agents
            .into_iter()
            .map(|agent| agent.join().expect("an agent hears every reply"))
            .fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
    });
    assert_eq!(
        (right, wrong),
        (AGENTS * EACH, 0),
        "right and wrong replies"
    );
    // A delivery is stored after its reply was read, so the test waits for it.
    hub.subscribe();
    while undelivered(&mut hub) > 0 {
        hub.next_change();
    }
}

fn undelivered(hub: &mut Hub) -> usize {
    let Response::Records { records, .. } = hub.call(&Request::Waiting { first: None }) else {
        panic!("records");
    };
    records.len()
}

/// Asks many questions at once; returns how many replies were right and how many wrong.
fn ask_and_count(sandbox: &Sandbox, number: usize) -> (usize, usize) {
    let mut agent = Agent::connect(sandbox, "native");
    let calls: Vec<(String, i64)> = (0..EACH)
        .map(|at| {
            let question = format!("{number}/{at}");
            let arguments = format!(r#"{{"question":"{question}"}}"#);
            let call = agent.call("ask_user", &arguments);
            (question, call)
        })
        .collect();
    let (mut right, mut wrong) = (0, 0);
    for (question, call) in calls {
        let reply = json(&agent.receive_reply(call));
        let said = &reply["answers"][0];
        if said["question"] == *question && said["values"][0] == *answer_to(&question) {
            right += 1;
        } else {
            wrong += 1;
        }
    }
    // The agent ends as soon as it has its replies.
    agent.end();
    (right, wrong)
}

fn answer_to(question: &str) -> String {
    format!("the answer to {question}")
}

/// Answers each ask that appears, until all are answered.
fn answer_all(hub: &mut Hub) {
    let mut told = hub.subscribe();
    let mut answered = std::collections::HashSet::new();
    while answered.len() < AGENTS * EACH {
        let new = |record: &Arc<Record>| record.is_open() && answered.insert(record.id.clone());
        // In one batch, because the disk takes the same time for all of them.
        let answers: Vec<Request> = told.drain(..).filter(new).map(answer).collect();
        for settled in hub.call_all(&answers) {
            let won = matches!(settled, Response::Settled { won: true, .. });
            assert!(won, "{settled:?}");
        }
        if answered.len() < AGENTS * EACH
            && let Changed::Record(record) = &hub.next_change().what
        {
            told.push(Arc::clone(record));
        }
    }
}

fn answer(record: Arc<Record>) -> Request {
    let own = Answer {
        own: Some(answer_to(&record.ask.questions[0].text)),
        ..Answer::default()
    };
    let draft = Draft {
        answers: vec![own],
        note: None,
    };
    Request::Settle {
        id: record.id.clone(),
        verdict: Verdict::Answer {
            draft,
            gaps: Gaps::Refuse,
        },
        surface: "story".to_owned(),
        device: None,
        attempt: 1,
        hold: false,
        relayed: false,
        sender: None,
    }
}
