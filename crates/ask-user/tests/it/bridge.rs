//! CodeNomad from end to end: its server as its registration starts it, its app at the bridge, and
//! the hub's own bridge for all other asks.

mod example;
mod registered;
mod windows;

use std::process::Stdio;

use rustix::process::Signal;

use crate::support::agent::{Agent, Era};
use crate::support::app::App;
use crate::support::http::Http;
use crate::support::hub::send_signal;
use crate::support::person::Person;
use crate::support::sandbox::{BINARY, Sandbox};
use crate::support::{json, text};

const TOKEN: &str = "chosen-by-the-app";

const CALL: &str = r#"{"title":"Set-up","timeout":600000,"questions":[
    {"id":"db","question":"Which database?","type":"select","options":["PostgreSQL","SQLite"]},
    {"id":"name","question":"What name?","placeholder":"orders","required":false}]}"#;

/// A server as the registration in the client's settings starts it, and its port.
fn start_server(sandbox: &Sandbox) -> (Agent, u16) {
    let mut command = sandbox.command(BINARY);
    command.args(["mcp", "--dialect", "codenomad"]);
    command.args(["--tool-name", "cn_ask_user"]);
    command.args(["--port", "0"]).env("ASK_USER_TOKEN", TOKEN);
    let mut running = sandbox.start("mcp", command_with_input(command));
    let port = running.err.find("the port is named", |line| {
        let (_, rest) = line.split_once("http://127.0.0.1:")?;
        rest.strip_suffix("/mcp")?.parse().ok()
    });
    let input = running.child.stdin.take().expect("its input is piped");
    let mut agent = Agent::from_streams(running, input);
    agent.open(Era::Initialize("2025-11-25"));
    (agent, port)
}

fn command_with_input(mut command: std::process::Command) -> std::process::Command {
    command.stdin(Stdio::piped());
    command
}

fn connect_app(port: u16, token: &str) -> App {
    App::connect(port, token, &[]).unwrap_or_else(|status| panic!("refused with {status}"))
}

#[test]
fn the_bridge_delivers_questions_and_answers() {
    let sandbox = Sandbox::new();
    let (mut agent, port) = start_server(&sandbox);
    let mut wizard = connect_app(port, TOKEN);
    let call = agent.call("cn_ask_user", CALL);
    let asked = wizard.receive("cn_ask_user.asked");
    assert_eq!(asked["title"], "Set-up");
    let database = &asked["questions"][0];
    assert_eq!(
        [&database["id"], &database["type"], &database["options"][1]],
        ["db", "select", "SQLite"]
    );
    assert_eq!(asked["questions"][1]["placeholder"], "orders");
    let id = text(&asked, "requestId");

    wizard.send_message(&format!(
        r#"{{"type":"cn_ask_user.answered","requestId":"{id}","answers":[{{"questionId":"name","values":["orders"]}}]}}"#
    ));
    let error = wizard.receive("cn_ask_user.error");
    assert_eq!(error["code"], "unfinished", "{error}");
    let hint = text(&error, "hint");
    assert!(hint.contains("send all answers again. The"), "{hint}");
    wizard.send_message(&format!(
        r#"{{"type":"cn_ask_user.answered","requestId":"{id}","answers":[{{"questionId":"name","values":["orders"]}},{{"questionId":"name","values":["bills"]}}]}}"#
    ));
    let error = wizard.receive("cn_ask_user.error");
    assert_eq!(error["code"], "malformed", "{error}");
    let message = text(&error, "message");
    assert!(
        message.contains("answers[1]: answers a question"),
        "{message}"
    );
    wizard.send_message(&format!(
        r#"{{"type":"cn_ask_user.answered","requestId":"{id}","answers":[]}}"#
    ));
    let error = wizard.receive("cn_ask_user.error");
    assert_eq!(error["code"], "unfinished", "{error}");
    wizard.send_message(&format!(
        r#"{{"type":"cn_ask_user.answered","requestId":"{id}","answers":[{{"questionId":"db","values":[],"customText":"DuckDB"}},{{"questionId":"name","values":["orders"]}}]}}"#
    ));
    let told = agent.receive_reply(call);
    assert_eq!(
        told,
        r#"{"answered":true,"cancelled":false,"timedOut":false,"answers":[{"questionId":"db","values":[],"customText":"DuckDB"},{"questionId":"name","values":["orders"]}]}"#
    );
    wizard.receive("cn_ask_user.answered");

    let call = agent.call(
        "cn_ask_user",
        r#"{"questions":[{"question":"Sure?","type":"confirm"}]}"#,
    );
    let id = text(&wizard.receive("cn_ask_user.asked"), "requestId");
    wizard.send_message(&format!(
        r#"{{"type":"cn_ask_user.cancelled","requestId":"{id}"}}"#
    ));
    assert_eq!(
        agent.receive_reply(call),
        r#"{"answered":false,"cancelled":true,"timedOut":false,"answers":[]}"#
    );
    // The server ends with the client that started it.
    let (status, _) = agent.end();
    assert!(status.success(), "{status}");
    wizard.wait_for_close();
}

#[test]
fn the_hubs_bridge_shows_all_asks_and_reports_closed_ones() {
    let sandbox = Sandbox::new();
    let http = Http::of_hub(&sandbox);
    let token = std::fs::read_to_string(sandbox.home().join("answer-token"));
    let token = token.expect("the hub's token");
    let token = token.trim();
    let earlier = sandbox.ask(&["Before?"]);
    let mut wizard = connect_app(http.port, token);
    assert_eq!(wizard.receive("cn_ask_user.asked")["requestId"], earlier);
    let mut agent = Agent::connect(&sandbox, "native");
    let call = agent.call("ask_user", r#"{"question":"Which?","options":[{"label":"A","description":"the first"},{"label":"B"}]}"#);
    let asked = wizard.receive("cn_ask_user.asked");
    assert_eq!(asked["questions"][0]["descriptions"][0], "the first");
    sandbox.run_ok(&["answer", &earlier, "--set", "here"]);
    let closed = wizard.receive("cn_ask_user.answered");
    assert_eq!(closed["requestId"], earlier, "{closed}");
    assert_eq!(closed["by"], "cli", "{closed}");

    wizard.send_message("{\"type\":\"cn_ask_user.answered\"");
    assert_eq!(wizard.receive("cn_ask_user.error")["code"], "malformed");
    wizard.send_bytes(b"{}");
    let error = wizard.receive("cn_ask_user.error");
    assert_eq!(
        error["message"],
        "events are texts; this message was binary"
    );
    let id = &asked["requestId"];
    wizard.send_message(&format!(
        r#"{{"type":"cn_ask_user.cancelled","requestId":{id},"reason":5}}"#
    ));
    let error = wizard.receive("cn_ask_user.error");
    assert_eq!(error["message"], "reason: must be a text, or left out");
    let id = text(&asked, "requestId");
    wizard.send_message(&format!(
        r#"{{"type":"cn_ask_user.answered","requestId":"{id}","answers":[{{"values":["B"]}}]}}"#
    ));
    let told = json(&agent.receive_reply(call));
    assert_eq!(told["answers"][0]["values"][0], "B");
}

#[test]
fn the_bridge_refuses_the_agents_token_and_web_pages() {
    let sandbox = Sandbox::new();
    let http = Http::of_hub(&sandbox);
    let refused =
        |token: &str, headers: &[(&str, &str)]| App::connect(http.port, token, headers).err();
    assert_eq!(refused(&http.token, &[]), Some(401), "it asks");
    let token = std::fs::read_to_string(sandbox.home().join("answer-token"));
    let token = token.expect("the hub's token");
    let page = ("origin", "https://example.org");
    assert_eq!(refused(token.trim(), &[page]), Some(403), "a page");
    assert_eq!(refused(token.trim(), &[]), None, "an app");
    let asking = Http {
        token: token.trim().to_owned(),
        ..http.clone()
    };
    assert_eq!(asking.send("POST", &[], "{}").status, 401, "it answers");
}

#[test]
fn an_answer_sent_right_before_closing_counts() {
    let sandbox = Sandbox::new();
    let (mut agent, port) = start_server(&sandbox);
    let mut wizard = connect_app(port, TOKEN);
    let call = agent.call("cn_ask_user", CALL);
    let id = text(&wizard.receive("cn_ask_user.asked"), "requestId");
    wizard.send_and_close(&format!(
        r#"{{"type":"cn_ask_user.answered","requestId":"{id}","answers":[{{"questionId":"db","values":["SQLite"]}}]}}"#
    ));
    assert!(agent.receive_reply(call).contains("SQLite"));
}

#[test]
fn a_killed_app_and_a_killed_hub_lose_nothing() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let (mut agent, port) = start_server(&sandbox);
    let wizard = connect_app(port, TOKEN);
    let call = agent.call("cn_ask_user", CALL);
    let id = person.next_ask();
    drop(wizard);
    let hub = crate::support::hub::address(&sandbox)
        .expect("a hub runs")
        .pid;
    send_signal(hub, Signal::KILL);
    let mut wizard = connect_app(port, TOKEN);
    assert_eq!(wizard.receive("cn_ask_user.asked")["requestId"], id);
    wizard.send_message(&format!(
        r#"{{"type":"cn_ask_user.answered","requestId":"{id}","answers":[{{"questionId":"db","values":["SQLite"]}}]}}"#
    ));
    assert!(agent.receive_reply(call).contains("SQLite"));
}

#[test]
fn a_second_agent_with_the_same_port_is_served_on_its_streams() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let (_first, port) = start_server(&sandbox);
    let mut wizard = connect_app(port, TOKEN);
    let mut command = sandbox.command(BINARY);
    let port = port.to_string();
    command.args(["mcp", "--dialect", "codenomad", "--port", &port]);
    let mut running = sandbox.start("mcp", command_with_input(command));
    running.err.find("the port is named", |line| {
        line.contains("can't be had").then_some(())
    });
    let input = running.child.stdin.take().expect("its input is piped");
    let mut second = Agent::from_streams(running, input);
    second.open(Era::Initialize("2025-11-25"));
    let call = second.call("ask_user", r#"{"questions":[{"question":"Here?"}]}"#);
    let id = person.next_ask();
    let asked = wizard.receive("cn_ask_user.asked");
    assert_eq!(asked["requestId"], id.as_str(), "{asked}");
    person.answer(&id, &["--set", "here"]);
    assert!(second.receive_reply(call).contains("here"));
}

#[test]
fn an_apps_own_server_shows_and_answers_no_ask_of_another_dialect() {
    let sandbox = Sandbox::new();
    let (_agent, port) = start_server(&sandbox);
    let id = sandbox.ask(&["Somebody else's?"]);
    let mut wizard = connect_app(port, TOKEN);
    wizard.send_message(&format!(
        r#"{{"type":"cn_ask_user.answered","requestId":"{id}","answers":[{{"values":["yes"]}}]}}"#
    ));
    let refused = wizard.receive("cn_ask_user.error");
    assert_eq!(refused["code"], "unknown", "{refused}");
    let record = sandbox.run_ok(&["show", &id, "--json"]);
    assert!(record.contains(r#""state":"waiting""#), "{record}");
}
