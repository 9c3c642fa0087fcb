//! Calls as MCP tasks: used if the client declares them and the settings allow them, and nowhere
//! else.

mod other_sessions;

use ask_core::Json;

use crate::support::agent::{Agent, Era};
use crate::support::person::Person;
use crate::support::sandbox::Sandbox;
use crate::support::{json, text};

const TASKS: &str = r#"{"extensions":{"io.modelcontextprotocol/tasks":{}}}"#;
const ON: &str = "[tasks]\nuse = true\n";
const ONE: &str = r#"{"question":"A or B?","options":["A","B"]}"#;

/// A home whose settings allow tasks.
fn home() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.settings(ON);
    sandbox
}

/// Calls a tool; returns the task that the call ends with.
fn begun(agent: &mut Agent) -> String {
    let call = agent.call("ask_user", ONE);
    let task = agent.result(call);
    assert_eq!(task["resultType"], "task", "{task}");
    assert_eq!(task["status"], "working", "{task}");
    assert_eq!(task.get("ttlMs"), Some(&Json::Null), "{task}");
    text(&task, "taskId")
}

fn about(id: &str) -> String {
    format!(r#"{{"taskId":"{id}"}}"#)
}

fn stands(agent: &mut Agent, id: &str) -> Json {
    let asked = agent.request("tasks/get", &about(id));
    let task = agent.result(asked);
    assert_eq!(task["resultType"], "complete", "{task}");
    assert_eq!(task["taskId"], id, "{task}");
    task
}

#[test]
fn a_task_is_its_ask_also_for_the_next_process() {
    let sandbox = home();
    let mut person = Person::at(&sandbox);
    let mut agent = Agent::able(&sandbox, Era::Discover, TASKS);
    let task = begun(&mut agent);
    assert_eq!(person.asked(), task);
    let working = stands(&mut agent, &task);
    assert_eq!(working["status"], "working", "{working}");
    let message = text(&working, "statusMessage");
    assert!(message.contains("A or B?"), "{message}");
    let record = person.shows(&task);
    assert_eq!(record["waiters"], 1, "the agent comes back: {record}");
    agent.end();

    let mut agent = Agent::able(&sandbox, Era::Discover, TASKS);
    assert_eq!(stands(&mut agent, &task)["status"], "working");
    person.answers(&task, &["--set", "B"]);
    let done = stands(&mut agent, &task);
    assert_eq!(done["status"], "completed", "{done}");
    let told = json(&text(&done["result"]["content"][0], "text"));
    assert_eq!(told["answers"][0]["values"], json(r#"["B"]"#), "{told}");
    assert_eq!(done["result"]["structuredContent"], told, "{done}");
    person.sees("the answer delivered", |record| record["delivered"] == true);
    assert_eq!(stands(&mut agent, &task)["status"], "completed");
}

#[test]
fn a_task_taken_back_is_an_ask_withdrawn() {
    let sandbox = home();
    let mut agent = Agent::able(&sandbox, Era::Discover, TASKS);
    let task = begun(&mut agent);
    let cancel = agent.request("tasks/cancel", &about(&task));
    agent.result(cancel);
    assert_eq!(stands(&mut agent, &task)["status"], "cancelled");
    let record = json(&sandbox.done(&["show", &task, "--json"]));
    assert_eq!(record["state"], "withdrawn", "{record}");
    // A repeated cancellation changes nothing.
    let cancel = agent.request("tasks/cancel", &about(&task));
    agent.result(cancel);
}

#[test]
fn an_answer_that_was_faster_stays() {
    let sandbox = home();
    let mut agent = Agent::able(&sandbox, Era::Discover, TASKS);
    let task = begun(&mut agent);
    sandbox.done(&["answer", &task, "--set", "A"]);
    let cancel = agent.request("tasks/cancel", &about(&task));
    agent.result(cancel);
    assert_eq!(stands(&mut agent, &task)["status"], "completed");
}

#[test]
fn a_dialog_comes_before_the_task() {
    let sandbox = home();
    let able = r#"{"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}"#;
    let mut agent = Agent::able(&sandbox, Era::Discover, able);
    let call = agent.call("ask_user", ONE);
    let wish = agent.result(call);
    assert_eq!(wish["resultType"], "input_required", "{wish}");
    let state = text(&wish, "requestState");
    let declined = r#"{"answer":{"action":"decline"}}"#;
    let again = agent.call_again("ask_user", ONE, &state, declined);
    let task = agent.result(again);
    assert_eq!(
        task["resultType"], "task",
        "the outcome is undelivered: {task}"
    );
}
