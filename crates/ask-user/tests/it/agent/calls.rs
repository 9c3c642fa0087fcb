//! Calls that don't simply block: in parallel, fetched later, with progress, and cancelled.

use rustix::process::Signal;

use crate::support::agent::{Agent, Era};
use crate::support::hub::{Hub, send_signal};
use crate::support::json;
use crate::support::person::Person;
use crate::support::sandbox::Sandbox;

fn asking(question: &str) -> String {
    format!(r#"{{"questions":[{{"question":"{question}"}}]}}"#)
}

#[test]
fn parallel_calls_are_answered_in_any_order() {
    let sandbox = Sandbox::new();
    let mut agent = Agent::of(&sandbox, "native");
    let mut person = Person::at(&sandbox);
    let mut open = Vec::new();
    for number in 0..5 {
        let call = agent.call("ask_user", &asking(&format!("Question {number}?")));
        open.push((number, call, person.asked()));
    }
    for at in [3, 0, 4, 2, 1] {
        let (number, call, id) = &open[at];
        person.answers(id, &["--set", &format!("answer {number}")]);
        let reply = json(&agent.told(*call));
        assert_eq!(reply["askId"], **id, "{reply}");
        let said = &reply["answers"][0];
        assert_eq!(said["question"], *format!("Question {number}?"), "{reply}");
        assert_eq!(said["values"][0], *format!("answer {number}"), "{reply}");
    }
}

#[test]
fn auq_submits_now_and_fetches_later() {
    let sandbox = Sandbox::new();
    let mut agent = Agent::of(&sandbox, "auq");
    let submit = |agent: &mut Agent| {
        let call = agent.call(
            "ask_user_questions",
            r#"{"nonBlocking":true,"questions":[{"prompt":"Which?","title":"Which","multiSelect":false,"options":[{"label":"A","description":"first"},{"label":"B"}]}]}"#,
        );
        let said = agent.told(call);
        let short = said.split([' ', ']']).nth(1).unwrap_or_default().to_owned();
        assert_eq!(
            said,
            format!(
                "[Session: {short} | Questions: 1 | Status: pending]\n\nQuestions submitted successfully.\nUse \
                 get_answered_questions(session_id=\"{short}\") or `ask-user show {short}` to retrieve answers."
            )
        );
        short
    };
    let fetch = |agent: &mut Agent, short: &str| {
        let arguments = format!(r#"{{"session_id":"{short}"}}"#);
        let call = agent.call("get_answered_questions", &arguments);
        agent.told(call)
    };
    let short = submit(&mut agent);
    assert_eq!(
        fetch(&mut agent, &short),
        format!("[Session: {short} | Status: pending]\n\nNo answers yet.")
    );
    sandbox.done(&["answer", &short, "--set", "A", "--other", "it's"]);
    assert_eq!(
        fetch(&mut agent, &short),
        format!(
            "[Session: {short} | Questions: 1]\n\nHere are the user's answers:\n\n1. Which?\n→ A — first\n→ Other: 'it\\'s'"
        )
    );

    let short = submit(&mut agent);
    let waiting = agent.call(
        "get_answered_questions",
        &format!(r#"{{"session_id":"{short}","blocking":true}}"#),
    );
    let mut person = Person::at(&sandbox);
    person.sees("the fetch waits", |record| record["waiters"] == 1);
    sandbox.done(&["decline", &short, "--reason", "no"]);
    assert_eq!(
        agent.told(waiting),
        format!(
            "[Session: {short} | Status: rejected]\n\nUser rejected this question set. Reason: \"no\""
        )
    );
    let call = agent.call("get_answered_questions", r#"{"session_id":"deadbeef"}"#);
    assert_eq!(agent.refused(call), "Session not found: deadbeef");
}

#[test]
fn an_answer_that_came_late_is_fetched_by_its_id_or_without() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let mut agent = Agent::of(&sandbox, "native");
    let call = agent.call("ask_user", &asking("Late?"));
    let id = person.asked();
    agent.cancel(call);
    person.sees("the agent stopped waiting", |record| {
        record.get("waiters").is_none()
    });
    let fetch = agent.call(
        "ask_user_result",
        &format!(r#"{{"askId":"{id}","wait":1}}"#),
    );
    let reply = json(&agent.told(fetch));
    assert_eq!(reply["waiting"], true, "{reply}");
    let how = reply["howToAnswer"].as_str().unwrap_or_default();
    assert!(
        how.contains("has not refused") && how.contains(&id),
        "{how}"
    );

    person.answers(&id, &["--set", "at last"]);
    let fetch = agent.call("ask_user_result", "{}");
    let reply = json(&agent.told(fetch));
    assert_eq!(reply["askId"], *id, "{reply}");
    assert_eq!(reply["late"], true, "{reply}");
    assert!(reply["answeredAt"].is_string(), "{reply}");
    assert_eq!(reply["answers"][0]["values"][0], "at last", "{reply}");
    person.sees("it counts as delivered", |record| {
        record["delivered"] == true
    });

    let fetch = agent.call("ask_user_result", "{}");
    let reply = json(&agent.told(fetch));
    assert_eq!(
        reply["asks"],
        json("[]"),
        "a delivered answer isn't delivered again: {reply}"
    );
    let fetch = agent.call("ask_user_result", r#"{"askId":"a_never"}"#);
    let said = agent.refused(fetch);
    assert!(said.contains("no ask \"a_never\""), "{said}");
}

#[test]
fn another_agents_answer_is_not_for_the_taking() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let mut asks = Agent::of(&sandbox, "native");
    let call = asks.call("ask_user", &asking("Mine?"));
    let id = person.asked();
    let mut peeks = Agent::of(&sandbox, "auq");
    let fetch = peeks.call(
        "get_answered_questions",
        &format!(r#"{{"session_id":"{id}"}}"#),
    );
    assert_eq!(peeks.refused(fetch), format!("Session not found: {id}"));
    person.answers(&id, &["--set", "yours"]);
    assert!(asks.told(call).contains("yours"));
}

#[test]
fn an_agent_names_an_ask_by_the_whole_id_alone() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let mut asks = Agent::of(&sandbox, "native");
    let call = asks.call("ask_user", &asking("Mine?"));
    let id = person.asked();
    asks.cancel(call);
    person.sees("no call waits", |record| record.get("waiters").is_none());
    person.answers(&id, &["--set", "yours"]);
    let mut peeks = Agent::of(&sandbox, "native");
    let (most, short) = (&id[..id.len() - 1], &id[..8]);
    for part in ["latest", &id[..4], short, &id[2..], most, "a_zz", "a"] {
        for agent in [&mut peeks, &mut asks] {
            let call = agent.call("ask_user_result", &format!(r#"{{"askId":"{part}"}}"#));
            let said = agent.refused(call);
            let none = format!("There is no ask \"{part}\"");
            assert!(said.contains(&none), "whether it begins an id: {said}");
        }
    }
    let told = asks.call("ask_user_result", "{}");
    assert!(asks.told(told).contains("yours"), "it is its asker's still");
    let named = peeks.call("ask_user_result", &format!(r#"{{"askId":"{id}"}}"#));
    assert!(peeks.told(named).contains("yours"), "it was given the id");
}

#[test]
fn auqs_short_ids_name_an_agents_own_asks() {
    let sandbox = Sandbox::new();
    let mut asks = Agent::of(&sandbox, "auq");
    let call = asks.call(
        "ask_user_questions",
        r#"{"nonBlocking":true,"questions":[{"prompt":"Which?","title":"Which","multiSelect":false,"options":[{"label":"A"},{"label":"B"}]}]}"#,
    );
    asks.told(call);
    let listed = json(&sandbox.done(&["list", "--json"]));
    let id = listed[0]["askId"].as_str().expect("an id").to_owned();
    sandbox.done(&["answer", &id, "--set", "A"]);
    let fetches = |agent: &mut Agent, id: &str| {
        let call = agent.call(
            "get_answered_questions",
            &format!(r#"{{"session_id":"{id}"}}"#),
        );
        agent.result(call)["content"][0]["text"].to_string()
    };
    let mut peeks = Agent::of(&sandbox, "auq");
    for part in [&id[..4], &id[..8], "latest"] {
        let said = fetches(&mut peeks, part);
        assert_eq!(said, format!("\"Session not found: {part}\""));
    }
    let said = fetches(&mut asks, &id[..7]);
    assert!(said.contains("Session not found"), "{said}");
    for _ in 0..2 {
        let said = fetches(&mut asks, &id[..8]);
        assert!(said.contains("→ A"), "{said}");
    }
    let said = fetches(&mut peeks, &id);
    assert!(said.contains("→ A"), "it was given the id: {said}");
}

#[test]
fn progress_comes_at_once_where_a_token_wants_it() {
    for era in [Era::Initialize("2025-06-18"), Era::Discover] {
        let sandbox = Sandbox::new();
        let mut agent = Agent::start(&sandbox, &[]);
        agent.open(era);
        let mut person = Person::at(&sandbox);
        for token in ["7", "\"seven\""] {
            let meta = format!(r#"{{"progressToken":{token}}}"#);
            let call = agent.call_with("ask_user", &asking("Which way?"), &meta);
            let progress = agent.hear("progress", |message| {
                message["method"] == "notifications/progress"
            });
            let params = &progress["params"];
            assert_eq!(params["progressToken"], json(token), "its type, too");
            assert!(params["progress"].is_number(), "{progress}");
            let said = params["message"].as_str().unwrap_or_default();
            assert!(said.contains("Which way?"), "what waits: {progress}");
            let id = person.asked();
            person.answers(&id, &["--set", "left"]);
            agent.told(call);
        }
        let call = agent.call("ask_user", &asking("And now?"));
        let id = person.asked();
        person.answers(&id, &["--set", "right"]);
        agent.told(call);
        agent.nothing("progress without a token, or after the result", |message| {
            message["method"] == "notifications/progress"
        });
    }
}

#[test]
fn a_call_that_is_taken_back_gets_no_reply_and_its_ask_stays() {
    for era in [Era::Initialize("2025-11-25"), Era::Discover] {
        let sandbox = Sandbox::new();
        let mut agent = Agent::start(&sandbox, &[]);
        agent.open(era);
        let mut person = Person::at(&sandbox);
        agent.cancel(4711);
        let call = agent.call("ask_user", &asking("Still there?"));
        let id = person.asked();
        agent.cancel(call);
        person.sees("no call waits any more", |record| {
            record["state"] == "waiting" && record.get("waiters").is_none()
        });
        let listed = sandbox.done(&["list"]);
        assert!(listed.contains("the agent stopped waiting"), "{listed}");
        person.answers(&id, &["--set", "here"]);
        agent.nothing("a reply to a call taken back", |message| {
            message["id"] == call
        });
        agent.cancel(call);

        let status = sandbox.done(&["status"]);
        assert!(status.contains("1 answer is kept"), "{status}");
        let (ended, rest) = agent.end();
        assert!(ended.success() && rest.is_empty(), "{ended}: {rest:?}");
    }
}

#[test]
fn an_answer_whose_fetch_was_taken_back_is_fetched_by_the_next() {
    let sandbox = Sandbox::new();
    let mut agent = Agent::of(&sandbox, "native");
    let mut person = Person::at(&sandbox);
    let call = agent.call("ask_user", &asking("Late?"));
    let id = person.asked();
    agent.cancel(call);
    person.sees("the agent stopped waiting", |record| {
        record.get("waiters").is_none()
    });
    person.answers(&id, &["--set", "at last"]);
    let hub = Hub::of(&sandbox).pid;
    send_signal(hub, Signal::STOP);
    let fetch = agent.call("ask_user_result", "{}");
    agent.cancel(fetch);
    // The reply to this request proves that the server has handled the cancellation before it.
    let list = agent.request("tools/list", "{}");
    agent.result(list);
    send_signal(hub, Signal::CONT);
    // The hub learns a moment later that the answer wasn't delivered.
    let mut again = (0..100).map(|_| {
        let fetch = agent.call("ask_user_result", "{}");
        json(&agent.told(fetch))
    });
    let told = again.find(|reply| reply["askId"] == *id);
    assert!(
        told.is_some(),
        "the answer is neither delivered nor mentioned"
    );
}

#[test]
fn a_call_may_be_taken_back_before_anything_came_of_it() {
    let sandbox = Sandbox::new();
    let mut agent = Agent::of(&sandbox, "native");
    let calls: Vec<i64> = (0..20)
        .map(|number| {
            let call = agent.call("ask_user", &asking(&format!("Number {number}?")));
            agent.cancel(call);
            call
        })
        .collect();
    agent.nothing("a reply to a call taken back", |message| {
        calls.iter().any(|call| message["id"] == *call)
    });
}
