//! Every outcome of an ask, as the reply to the blocked call.

use ask_core::Json;

use crate::support::agent::{Agent, Era};
use crate::support::hub::Hub;
use crate::support::person::Person;
use crate::support::sandbox::Sandbox;
use crate::support::{json, text};

const ONE: &str =
    r#"{"questions":[{"id":"db","question":"Which database?","options":["SQLite","PostgreSQL"]}]}"#;

/// Asks one question; returns the outcome after a command has settled it.
fn outcome(sandbox: &Sandbox, era: Era, call: &str, arguments: &[&str]) -> Json {
    let mut agent = Agent::start(sandbox, &[]);
    agent.open(era);
    let mut person = Person::new(sandbox);
    let call = agent.call("ask_user", call);
    let id = person.next_ask();
    let mut command = vec![arguments[0], &id];
    command.extend(&arguments[1..]);
    sandbox.run_ok(&command);
    let result = agent.result(call);
    assert_ne!(result["isError"], true, "an outcome is no error: {result}");
    let reply = json(&text(&result["content"][0], "text"));
    assert_eq!(result["structuredContent"], reply, "the reply as a value");
    assert_eq!(reply["askId"], *id, "{reply}");
    let facts = &result["_meta"];
    assert_eq!(
        facts["ask-user/askId"], *id,
        "facts travel beside: {result}"
    );
    person.wait_for("it is delivered", |record| {
        record["askId"] == *id && record["delivered"] == true
    });
    reply
}

#[test]
fn an_answer() {
    for era in [Era::Initialize("2024-11-05"), Era::Discover] {
        let sandbox = Sandbox::new();
        let reply = outcome(&sandbox, era, ONE, &["answer", "--set", "PostgreSQL"]);
        assert_eq!(reply["answered"], true, "{reply}");
        assert_eq!(
            reply["answers"],
            json(
                r#"[{"questionId":"db","question":"Which database?","status":"answered","values":["PostgreSQL"]}]"#
            )
        );
    }
}

#[test]
fn own_words_beside_a_pick_with_a_note() {
    let sandbox = Sandbox::new();
    let command = [
        "answer", "--set", "2", "--other", "on RDS", "--note", "ask Ann",
    ];
    let reply = outcome(&sandbox, Era::Discover, ONE, &command);
    let answer = &reply["answers"][0];
    assert_eq!(answer["values"], json(r#"["PostgreSQL"]"#), "{reply}");
    assert_eq!(answer["customText"], "on RDS", "{reply}");
    assert_eq!(reply["note"], "ask Ann", "{reply}");
}

#[test]
fn declined_with_a_reason() {
    let sandbox = Sandbox::new();
    let era = Era::Initialize("2025-11-25");
    let reply = outcome(&sandbox, era, ONE, &["decline", "--reason", "not now"]);
    assert_eq!(reply["cancelled"], true, "{reply}");
    assert_eq!(reply["answered"], false, "{reply}");
    assert_eq!(reply["reason"], "not now", "{reply}");
    assert_eq!(reply["answers"][0]["status"], "unanswered", "{reply}");
}

#[test]
fn asked_back() {
    let sandbox = Sandbox::new();
    let era = Era::Initialize("2025-11-25");
    let reply = outcome(&sandbox, era, ONE, &["clarify", "how much data?"]);
    assert_eq!(reply["clarify"], "how much data?", "{reply}");
    for flag in ["answered", "cancelled", "timedOut"] {
        assert_eq!(reply[flag], false, "{flag}: {reply}");
    }
}

#[test]
fn a_part_of_the_answers() {
    let sandbox = Sandbox::new();
    let call = r#"{"questions":[{"id":"a","question":"First?"},{"id":"b","question":"Second?","required":false},{"id":"c","question":"Third?"}]}"#;
    let command = ["answer", "--set", "a=yes", "--partial"];
    let reply = outcome(&sandbox, Era::Initialize("2025-11-25"), call, &command);
    let statuses: Vec<&str> = (0..3)
        .filter_map(|at| reply["answers"][at]["status"].as_str())
        .collect();
    assert_eq!(statuses, ["answered", "skipped", "unanswered"], "{reply}");
}

#[test]
fn an_ask_expires_at_its_deadline() {
    let sandbox = Sandbox::new();
    let mut agent = Agent::connect(&sandbox, "native");
    let mut person = Person::new(&sandbox);
    let call = agent.call("ask_user", r#"{"question":"Now?","timeout":600000}"#);
    let id = person.next_ask();
    let deadline = text(&person.record(&id), "deadlineAt");
    let mut hub = Hub::connect(&sandbox);
    hub.set_clock(&deadline);
    let reply = json(&agent.receive_reply(call));
    assert_eq!(reply["timedOut"], true, "{reply}");
    assert_eq!(reply["answered"], false, "{reply}");
    let said = sandbox.run_ok(&["answer", &id, "--set", "yes"]);
    assert!(said.contains("kept for"), "{said}");
    let late = sandbox.run(&["answer", &id, "--set", "no"]);
    assert_eq!(
        late.status.code(),
        Some(5),
        "only an expired ask can still be answered"
    );
    let call = agent.call("ask_user", r#"{"question":"Now?","timeout":600000}"#);
    let reply = json(&agent.receive_reply(call));
    assert_eq!(reply["answers"][0]["values"][0], "yes", "{reply}");
    person.wait_for("it is delivered", |record| {
        record["state"] == "answered" && record["delivered"] == true
    });
}

#[test]
fn codenomad_waits_five_minutes_unless_the_environment_sets_a_limit() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    for (variable, seconds) in [(None, 300), (Some("60000"), 60), (Some("300"), 10)] {
        let mut command = sandbox.command(crate::support::sandbox::BINARY);
        command.args(["mcp", "--dialect", "codenomad"]);
        command.stdin(std::process::Stdio::piped());
        if let Some(ms) = variable {
            command.env("CN_MCP_TIMEOUT", ms);
        }
        let mut running = sandbox.start("mcp", command);
        let input = running.child.stdin.take().expect("its input is piped");
        let mut agent = Agent::from_streams(running, input);
        agent.open(Era::Initialize("2025-06-18"));
        agent.call("ask_user", r#"{"questions":[{"question":"Now?"}]}"#);
        let id = person.next_ask();
        let record = person.record(&id);
        let time = |key| ask_core::Time::parse(&text(&record, key)).expect("a time");
        let limit_ms = time("deadlineAt").since_ms(time("askedAt"));
        assert_eq!(limit_ms, seconds * 1000, "{record}");
    }
}
