//! What is not a task: other people's asks, and calls of clients that don't declare tasks or whose
//! settings don't allow them.

use super::{ON, ONE, TASKS, about, begun, home};
use crate::support::agent::{Agent, Era};
use crate::support::json;
use crate::support::person::Person;
use crate::support::sandbox::Sandbox;

#[test]
fn other_peoples_asks_are_no_tasks() {
    let sandbox = home();
    let mut agent = Agent::able(&sandbox, Era::Discover, TASKS);
    let task = begun(&mut agent);
    let foreign = sandbox.asks(&["Not an agent's?"]);
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
    let record = json(&sandbox.done(&["show", &foreign, "--json"]));
    assert_eq!(record["state"], "waiting", "{record}");
}

#[test]
fn a_client_that_declares_no_tasks_is_given_none() {
    for era in [Era::Discover, Era::Initialize("2025-11-25")] {
        let sandbox = home();
        let mut person = Person::at(&sandbox);
        let able = match era {
            Era::Discover => "{}",
            // Before protocol revision 2026-07-28, tasks were a different capability.
            Era::Initialize(_) => TASKS,
        };
        let mut agent = Agent::able(&sandbox, era, able);
        let call = agent.call("ask_user", ONE);
        let id = person.asked();
        if era == Era::Discover {
            let asked = agent.request("tasks/get", &about(&id));
            assert_eq!(agent.error(asked)["code"], -32021);
        }
        person.answers(&id, &["--set", "A"]);
        let told = json(&agent.told(call));
        assert_eq!(told["answered"], true, "{told}");
    }
}

#[test]
fn without_the_setting_there_are_no_tasks() {
    for (settings, offered) in [("", false), (ON, true)] {
        let sandbox = Sandbox::new();
        sandbox.settings(settings);
        let mut agent = Agent::start(&sandbox, &[]);
        let opened = agent.open(Era::Discover);
        let extension = &opened["capabilities"]["extensions"]["io.modelcontextprotocol/tasks"];
        assert_eq!(extension.is_object(), offered, "{opened}");
    }
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let mut agent = Agent::able(&sandbox, Era::Discover, TASKS);
    let call = agent.call("ask_user", ONE);
    let id = person.asked();
    let asked = agent.request("tasks/get", &about(&id));
    assert_eq!(agent.error(asked)["code"], -32601);
    person.answers(&id, &["--set", "A"]);
    agent.told(call);
}
