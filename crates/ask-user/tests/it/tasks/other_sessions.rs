//! What is not a task: other people's asks, and calls of clients that don't declare tasks or whose
//! settings don't allow them.

use super::{ON, ONE, TASKS, home, start_task, task_params};
use crate::support::agent::{Agent, Era};
use crate::support::json;
use crate::support::person::Person;
use crate::support::sandbox::Sandbox;

#[test]
fn asks_of_others_are_no_tasks() {
    let sandbox = home();
    let mut agent = Agent::with_capabilities(&sandbox, Era::Discover, TASKS);
    let task = start_task(&mut agent);
    let foreign = sandbox.ask(&["Not an agent's?"]);
    for id in [foreign.as_str(), "a_0000000000000000", &task[..8]] {
        for (method, rest) in [
            ("tasks/get", ""),
            ("tasks/cancel", ""),
            ("tasks/update", r#","inputResponses":{}"#),
        ] {
            let params = format!(r#"{{"taskId":"{id}"{rest}}}"#);
            let asked = agent.request(method, &params);
            let error = agent.error(asked);
            assert_eq!(error["code"], -32602, "{method} of {id}: {error}");
        }
    }
    let params = format!(r#"{{"taskId":"{task}","inputResponses":{{"x":{{}}}}}}"#);
    let update = agent.request("tasks/update", &params);
    agent.result(update);
    for (method, params) in [
        ("tasks/get", "{}"),
        ("tasks/get", r#"{"taskId":7}"#),
        ("tasks/cancel", "{}"),
        ("tasks/update", r#"{"inputResponses":{}}"#),
    ] {
        let asked = agent.request(method, params);
        let error = agent.error(asked);
        assert_eq!(error["code"], -32602, "{method} with {params}: {error}");
    }
    let record = json(&sandbox.run_ok(&["show", &foreign, "--json"]));
    assert_eq!(record["state"], "waiting", "{record}");
}

#[test]
fn a_client_without_the_capability_gets_no_task() {
    for era in [Era::Discover, Era::Initialize("2025-11-25")] {
        let sandbox = home();
        let mut person = Person::new(&sandbox);
        let able = match era {
            Era::Discover => "{}",
            // Before protocol revision 2026-07-28, tasks were a different capability.
            Era::Initialize(_) => TASKS,
        };
        let mut agent = Agent::with_capabilities(&sandbox, era, able);
        let call = agent.call("ask_user", ONE);
        let id = person.next_ask();
        if era == Era::Discover {
            let asked = agent.request("tasks/get", &task_params(&id));
            assert_eq!(agent.error(asked)["code"], -32021);
        }
        person.answer(&id, &["--set", "A"]);
        let told = json(&agent.receive_reply(call));
        assert_eq!(told["answered"], true, "{told}");
    }
}

#[test]
fn without_the_setting_there_are_no_tasks() {
    for (settings, offered) in [("", false), (ON, true)] {
        let sandbox = Sandbox::new();
        sandbox.write_settings(settings);
        let mut agent = Agent::start(&sandbox, &[]);
        let opened = agent.open(Era::Discover);
        let extension = &opened["capabilities"]["extensions"]["io.modelcontextprotocol/tasks"];
        assert_eq!(extension.is_object(), offered, "{opened}");
    }
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let mut agent = Agent::with_capabilities(&sandbox, Era::Discover, TASKS);
    let call = agent.call("ask_user", ONE);
    let id = person.next_ask();
    let asked = agent.request("tasks/get", &task_params(&id));
    assert_eq!(agent.error(asked)["code"], -32601);
    person.answer(&id, &["--set", "A"]);
    agent.receive_reply(call);
}
