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
    sandbox.write_settings(ON);
    sandbox
}

/// Calls a tool; returns the task that the call ends with.
fn start_task(agent: &mut Agent) -> String {
    let call = agent.call("ask_user", ONE);
    let task = agent.result(call);
    assert_eq!(task["resultType"], "task", "{task}");
    assert_eq!(task["status"], "working", "{task}");
    assert_eq!(task.get("ttlMs"), Some(&Json::Null), "{task}");
    text(&task, "taskId")
}

fn task_params(id: &str) -> String {
    format!(r#"{{"taskId":"{id}"}}"#)
}

fn task_state(agent: &mut Agent, id: &str) -> Json {
    let asked = agent.request("tasks/get", &task_params(id));
    let task = agent.result(asked);
    assert_eq!(task["resultType"], "complete", "{task}");
    assert_eq!(task["taskId"], id, "{task}");
    task
}

#[test]
fn a_task_is_its_ask_also_for_the_next_process() {
    let sandbox = home();
    let mut person = Person::new(&sandbox);
    let mut agent = Agent::with_capabilities(&sandbox, Era::Discover, TASKS);
    let task = start_task(&mut agent);
    assert_eq!(person.next_ask(), task);
    let working = task_state(&mut agent, &task);
    assert_eq!(working["status"], "working", "{working}");
    let message = text(&working, "statusMessage");
    assert!(message.contains("A or B?"), "{message}");
    let record = person.record(&task);
    assert_eq!(record["waiters"], 1, "the agent comes back: {record}");
    agent.end();

    let mut agent = Agent::with_capabilities(&sandbox, Era::Discover, TASKS);
    assert_eq!(task_state(&mut agent, &task)["status"], "working");
    person.answer(&task, &["--set", "B"]);
    let done = task_state(&mut agent, &task);
    assert_eq!(done["status"], "completed", "{done}");
    let told = json(&text(&done["result"]["content"][0], "text"));
    assert_eq!(told["answers"][0]["values"], json(r#"["B"]"#), "{told}");
    assert_eq!(done["result"]["structuredContent"], told, "{done}");
    person.wait_for("the answer delivered", |record| record["delivered"] == true);
    assert_eq!(task_state(&mut agent, &task)["status"], "completed");
}

#[test]
fn a_cancelled_task_withdraws_its_ask() {
    let sandbox = home();
    let mut agent = Agent::with_capabilities(&sandbox, Era::Discover, TASKS);
    let task = start_task(&mut agent);
    let cancel = agent.request("tasks/cancel", &task_params(&task));
    agent.result(cancel);
    assert_eq!(task_state(&mut agent, &task)["status"], "cancelled");
    let record = json(&sandbox.run_ok(&["show", &task, "--json"]));
    assert_eq!(record["state"], "withdrawn", "{record}");
    // A repeated cancellation changes nothing.
    let cancel = agent.request("tasks/cancel", &task_params(&task));
    agent.result(cancel);
}

#[test]
fn an_answer_before_the_cancellation_stays() {
    let sandbox = home();
    let mut agent = Agent::with_capabilities(&sandbox, Era::Discover, TASKS);
    let task = start_task(&mut agent);
    sandbox.run_ok(&["answer", &task, "--set", "A"]);
    let cancel = agent.request("tasks/cancel", &task_params(&task));
    agent.result(cancel);
    assert_eq!(task_state(&mut agent, &task)["status"], "completed");
}

#[test]
fn a_dialog_comes_before_the_task() {
    let sandbox = home();
    let able = r#"{"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}"#;
    let mut agent = Agent::with_capabilities(&sandbox, Era::Discover, able);
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
