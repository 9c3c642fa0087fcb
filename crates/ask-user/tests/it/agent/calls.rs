//! Calls that don't simply block: in parallel, fetched later, with progress, and cancelled.

use std::process::Stdio;

use rustix::process::Signal;

use crate::support::agent::{Agent, Era};
use crate::support::hub::{Hub, send_signal};
use crate::support::json;
use crate::support::person::Person;
use crate::support::sandbox::{BINARY, Sandbox};

fn call_with(question: &str) -> String {
    format!(r#"{{"questions":[{{"question":"{question}"}}]}}"#)
}

#[test]
fn parallel_calls_are_answered_in_any_order() {
    let sandbox = Sandbox::new();
    let mut agent = Agent::connect(&sandbox, "native");
    let mut person = Person::new(&sandbox);
    let mut open = Vec::new();
    for number in 0..5 {
        let call = agent.call("ask_user", &call_with(&format!("Question {number}?")));
        open.push((number, call, person.next_ask()));
    }
    for at in [3, 0, 4, 2, 1] {
        let (number, call, id) = &open[at];
        person.answer(id, &["--set", &format!("answer {number}")]);
        let reply = json(&agent.receive_reply(*call));
        assert_eq!(reply["askId"], **id, "{reply}");
        let said = &reply["answers"][0];
        assert_eq!(said["question"], *format!("Question {number}?"), "{reply}");
        assert_eq!(said["values"][0], *format!("answer {number}"), "{reply}");
    }
}

#[test]
fn auq_submits_now_and_fetches_later() {
    let sandbox = Sandbox::new();
    let mut agent = Agent::connect(&sandbox, "auq");
    let submit = |agent: &mut Agent| {
        let call = agent.call(
            "ask_user_questions",
            r#"{"nonBlocking":true,"questions":[{"prompt":"Which?","title":"Which","multiSelect":false,"options":[{"label":"A","description":"first"},{"label":"B"}]}]}"#,
        );
        let said = agent.receive_reply(call);
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
        agent.receive_reply(call)
    };
    let short = submit(&mut agent);
    assert_eq!(
        fetch(&mut agent, &short),
        format!("[Session: {short} | Status: pending]\n\nNo answers yet.")
    );
    sandbox.run_ok(&["answer", &short, "--set", "A", "--other", "it's"]);
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
    let mut person = Person::new(&sandbox);
    person.wait_for("the fetch waits", |record| record["waiters"] == 1);
    sandbox.run_ok(&["decline", &short, "--reason", "no"]);
    assert_eq!(
        agent.receive_reply(waiting),
        format!(
            "[Session: {short} | Status: rejected]\n\nUser rejected this question set. Reason: \"no\""
        )
    );
    let call = agent.call("get_answered_questions", r#"{"session_id":"deadbeef"}"#);
    assert_eq!(agent.error_text(call), "Session not found: deadbeef");
}

#[test]
fn a_late_answer_is_fetched_with_or_without_its_id() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let mut agent = Agent::connect(&sandbox, "native");
    let call = agent.call("ask_user", &call_with("Late?"));
    let id = person.next_ask();
    agent.cancel(call);
    person.wait_for("the agent stopped waiting", |record| {
        record.get("waiters").is_none()
    });
    let fetch = agent.call(
        "ask_user_result",
        &format!(r#"{{"askId":"{id}","wait":1}}"#),
    );
    let reply = json(&agent.receive_reply(fetch));
    assert_eq!(reply["waiting"], true, "{reply}");
    let how = reply["howToAnswer"].as_str().unwrap_or_default();
    assert!(
        how.contains("has not refused") && how.contains(&id),
        "{how}"
    );

    person.answer(&id, &["--set", "at last"]);
    let fetch = agent.call("ask_user_result", "{}");
    let reply = json(&agent.receive_reply(fetch));
    assert_eq!(reply["askId"], *id, "{reply}");
    assert_eq!(reply["late"], true, "{reply}");
    assert!(reply["answeredAt"].is_string(), "{reply}");
    assert_eq!(reply["answers"][0]["values"][0], "at last", "{reply}");
    person.wait_for("it counts as delivered", |record| {
        record["delivered"] == true
    });

    let fetch = agent.call("ask_user_result", "{}");
    let reply = json(&agent.receive_reply(fetch));
    assert_eq!(
        reply["asks"],
        json("[]"),
        "a delivered answer isn't delivered again: {reply}"
    );
    let fetch = agent.call("ask_user_result", r#"{"askId":"a_never"}"#);
    let said = agent.error_text(fetch);
    assert!(said.contains("no ask \"a_never\""), "{said}");
}

#[test]
fn another_agents_answer_cannot_be_fetched() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let mut asks = Agent::connect(&sandbox, "native");
    let call = asks.call("ask_user", &call_with("Mine?"));
    let id = person.next_ask();
    let mut other = Agent::connect(&sandbox, "auq");
    let fetch = other.call(
        "get_answered_questions",
        &format!(r#"{{"session_id":"{id}"}}"#),
    );
    assert_eq!(other.error_text(fetch), format!("Session not found: {id}"));
    person.answer(&id, &["--set", "yours"]);
    assert!(asks.receive_reply(call).contains("yours"));
}

#[test]
fn an_agent_must_name_the_whole_id_of_an_ask() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let mut asks = Agent::connect(&sandbox, "native");
    let call = asks.call("ask_user", &call_with("Mine?"));
    let id = person.next_ask();
    asks.cancel(call);
    person.wait_for("no call waits", |record| record.get("waiters").is_none());
    person.answer(&id, &["--set", "yours"]);
    let mut other = Agent::connect(&sandbox, "native");
    let (most, short) = (&id[..id.len() - 1], &id[..8]);
    for part in ["latest", &id[..4], short, &id[2..], most, "a_zz", "a"] {
        for agent in [&mut other, &mut asks] {
            let call = agent.call("ask_user_result", &format!(r#"{{"askId":"{part}"}}"#));
            let said = agent.error_text(call);
            let none = format!("There is no ask \"{part}\"");
            assert!(said.contains(&none), "whether it begins an id: {said}");
        }
    }
    let told = asks.call("ask_user_result", "{}");
    assert!(
        asks.receive_reply(told).contains("yours"),
        "it is its asker's still"
    );
    let named = other.call("ask_user_result", &format!(r#"{{"askId":"{id}"}}"#));
    assert!(
        other.receive_reply(named).contains("yours"),
        "it was given the id"
    );
}

#[test]
fn a_client_that_works_in_several_folders_keeps_their_answers_apart() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let server_in = |name: &str| {
        let folder = sandbox.home().join(name);
        std::fs::create_dir_all(&folder).expect("the folder is made");
        let mut command = sandbox.command(BINARY);
        command.arg("mcp").stdin(Stdio::piped()).current_dir(folder);
        let mut agent = Agent::from_command(&sandbox, command);
        agent.open(Era::Initialize("2025-11-25"));
        agent
    };
    let mut one = server_in("one");
    one.call("ask_user", &call_with("Deploy?"));
    let id = person.next_ask();
    one.end();
    person.wait_for("no call waits", |record| record.get("waiters").is_none());
    person.answer(&id, &["--set", "ship it"]);

    let fetched_in = |folder: &str| {
        let mut agent = server_in(folder);
        let fetch = agent.call("ask_user_result", "{}");
        agent.receive_reply(fetch)
    };
    assert_eq!(json(&fetched_in("two"))["asks"], json("[]"));
    let reply = fetched_in("one");
    assert!(
        reply.contains("ship it"),
        "the server was restarted: {reply}"
    );
}

#[test]
fn short_ids_of_auq_find_only_the_agents_own_asks() {
    let sandbox = Sandbox::new();
    let mut asks = Agent::connect(&sandbox, "auq");
    let call = asks.call(
        "ask_user_questions",
        r#"{"nonBlocking":true,"questions":[{"prompt":"Which?","title":"Which","multiSelect":false,"options":[{"label":"A"},{"label":"B"}]}]}"#,
    );
    asks.receive_reply(call);
    let listed = json(&sandbox.run_ok(&["list", "--json"]));
    let id = listed[0]["askId"].as_str().expect("an id").to_owned();
    sandbox.run_ok(&["answer", &id, "--set", "A"]);
    let fetches = |agent: &mut Agent, id: &str| {
        let call = agent.call(
            "get_answered_questions",
            &format!(r#"{{"session_id":"{id}"}}"#),
        );
        agent.result(call)["content"][0]["text"].to_string()
    };
    let mut other = Agent::connect(&sandbox, "auq");
    for part in [&id[..4], &id[..8], "latest"] {
        let said = fetches(&mut other, part);
        assert_eq!(said, format!("\"Session not found: {part}\""));
    }
    let said = fetches(&mut asks, &id[..7]);
    assert!(said.contains("Session not found"), "{said}");
    for _ in 0..2 {
        let said = fetches(&mut asks, &id[..8]);
        assert!(said.contains("→ A"), "{said}");
    }
    let said = fetches(&mut other, &id);
    assert!(said.contains("→ A"), "it was given the id: {said}");
}

#[test]
fn progress_is_sent_at_once_for_a_progress_token() {
    for era in [Era::Initialize("2025-06-18"), Era::Discover] {
        let sandbox = Sandbox::new();
        let mut agent = Agent::start(&sandbox, &[]);
        agent.open(era);
        let mut person = Person::new(&sandbox);
        for token in ["7", "\"seven\""] {
            let meta = format!(r#"{{"progressToken":{token}}}"#);
            let call = agent.call_with("ask_user", &call_with("Which way?"), &meta);
            let progress = agent.receive("progress", |message| {
                message["method"] == "notifications/progress"
            });
            let params = &progress["params"];
            assert_eq!(params["progressToken"], json(token), "its type, too");
            assert!(params["progress"].is_number(), "{progress}");
            let said = params["message"].as_str().unwrap_or_default();
            assert!(said.contains("Which way?"), "what waits: {progress}");
            let id = person.next_ask();
            person.answer(&id, &["--set", "left"]);
            agent.receive_reply(call);
        }
        let call = agent.call("ask_user", &call_with("And now?"));
        let id = person.next_ask();
        person.answer(&id, &["--set", "right"]);
        agent.receive_reply(call);
        agent.assert_silent("progress without a token, or after the result", |message| {
            message["method"] == "notifications/progress"
        });
    }
}

#[test]
fn a_cancelled_call_gets_no_reply_and_its_ask_stays_open() {
    for era in [Era::Initialize("2025-11-25"), Era::Discover] {
        let sandbox = Sandbox::new();
        let mut agent = Agent::start(&sandbox, &[]);
        agent.open(era);
        let mut person = Person::new(&sandbox);
        agent.cancel(4711);
        let call = agent.call("ask_user", &call_with("Still there?"));
        let id = person.next_ask();
        agent.cancel(call);
        person.wait_for("no call waits any more", |record| {
            record["state"] == "waiting" && record.get("waiters").is_none()
        });
        let listed = sandbox.run_ok(&["list"]);
        assert!(listed.contains("the agent stopped waiting"), "{listed}");
        person.answer(&id, &["--set", "here"]);
        agent.assert_silent("a reply to a call taken back", |message| {
            message["id"] == call
        });
        agent.cancel(call);

        let status = sandbox.run_ok(&["status"]);
        assert!(status.contains("1 answer is kept"), "{status}");
        let (ended, rest) = agent.end();
        assert!(ended.success() && rest.is_empty(), "{ended}: {rest:?}");
    }
}

#[test]
fn an_answer_whose_fetch_was_cancelled_is_fetched_by_the_next() {
    let sandbox = Sandbox::new();
    let mut agent = Agent::connect(&sandbox, "native");
    let mut person = Person::new(&sandbox);
    let call = agent.call("ask_user", &call_with("Late?"));
    let id = person.next_ask();
    agent.cancel(call);
    person.wait_for("the agent stopped waiting", |record| {
        record.get("waiters").is_none()
    });
    person.answer(&id, &["--set", "at last"]);
    let hub = Hub::connect(&sandbox).pid;
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
        json(&agent.receive_reply(fetch))
    });
    let told = again.find(|reply| reply["askId"] == *id);
    assert!(
        told.is_some(),
        "the answer is neither delivered nor mentioned"
    );
}

#[test]
fn a_call_may_be_cancelled_at_once() {
    let sandbox = Sandbox::new();
    let mut agent = Agent::connect(&sandbox, "native");
    let calls: Vec<i64> = (0..20)
        .map(|number| {
            let call = agent.call("ask_user", &call_with(&format!("Number {number}?")));
            agent.cancel(call);
            call
        })
        .collect();
    agent.assert_silent("a reply to a call taken back", |message| {
        calls.iter().any(|call| message["id"] == *call)
    });
}
