//! Dialogs up to protocol revision 2025-11-25: a request from the server beside the waiting call.

use ask_core::Json;

use super::{CALL, FORMS, LAST_INITIALIZE, LATER, NOON, ONE, latest};
use crate::support::agent::{Agent, Era, MODERN};
use crate::support::http::Http;
use crate::support::hub::Hub;
use crate::support::json;
use crate::support::person::Person;
use crate::support::sandbox::Sandbox;

#[test]
fn a_filled_in_dialog_is_the_answer() {
    let sandbox = Sandbox::with_clock(NOON);
    let mut agent = Agent::with_capabilities(&sandbox, LAST_INITIALIZE, FORMS);
    let call = agent.call("ask_user", CALL);
    let dialog = agent.next_dialog();
    assert_eq!(dialog["params"]["mode"], "form");
    let fields = dialog["params"]["requestedSchema"]["properties"].as_object();
    let names: Vec<_> = fields.expect("a form has fields").keys().collect();
    let expected = ["db", "db_own_words", "parts", "parts_own_words", "name"];
    assert_eq!(names, expected);
    let content = r#"{"db":"PostgreSQL","parts":["Docs","Auth"],"parts_own_words":"a page"}"#;
    agent.respond(
        &dialog,
        &format!(r#"{{"action":"accept","content":{content}}}"#),
    );
    let told = json(&agent.receive_reply(call));
    assert_eq!(told["answered"], true, "{told}");
    assert_eq!(told["answers"][0]["values"], json(r#"["PostgreSQL"]"#));
    assert_eq!(told["answers"][1]["values"], json(r#"["Auth","Docs"]"#));
    assert_eq!(told["answers"][1]["customText"], "a page");
    assert_eq!(told["answers"][2]["status"], "skipped", "{told}");
    let record = latest(&sandbox);
    assert_eq!(record["answeredBy"], "dialog", "{record}");
}

#[test]
fn the_reply_says_that_the_clients_dialog_answered() {
    let sandbox = Sandbox::with_clock(NOON);
    let mut agent = Agent::with_capabilities(&sandbox, LAST_INITIALIZE, FORMS);
    let call = agent.call("ask_user", ONE);
    let dialog = agent.next_dialog();
    agent.respond(&dialog, r#"{"action":"accept","content":{"q1":"A"}}"#);
    let result = agent.result(call);
    let words = result["content"][1]["text"].as_str().unwrap_or_default();
    assert!(words.contains("the dialog of your own client"), "{result}");
}

#[test]
fn an_ask_taken_up_from_another_agent_is_shown_in_no_dialog() {
    for era in [LAST_INITIALIZE, Era::Discover] {
        let sandbox = Sandbox::new();
        let mut person = Person::new(&sandbox);
        let mut first = Agent::connect(&sandbox, "native");
        first.call("ask_user", ONE);
        let id = person.next_ask();
        first.end();
        let gone = |record: &Json| record.get("waiters").is_none();
        person.wait_for("its agent is gone", gone);
        // No open surface replaces the dialog.
        sandbox.write_settings("[dialogs]\nuse = \"always\"\n");
        let mut second = Agent::with_capabilities(&sandbox, era, FORMS);
        let call = second.call("ask_user", ONE);
        person.wait_for("it is taken up", |record| record.get("waiters").is_some());
        second.assert_silent("a dialog", |message| {
            message["method"] == "elicitation/create" || message["id"] == call
        });
        person.answer(&id, &["--set", "B"]);
        let told = json(&second.receive_reply(call));
        assert_eq!(told["askId"], id.as_str(), "{told}");
    }
}

/// A call over HTTP by a client that declares a dialog, with more parameters.
fn call_over_http(http: &Http, client: &str, more: &str) -> Json {
    let body = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"ask_user","arguments":{ONE}{more},"_meta":{{"io.modelcontextprotocol/protocolVersion":"{MODERN}","io.modelcontextprotocol/clientCapabilities":{FORMS},"io.modelcontextprotocol/clientInfo":{{"name":"{client}","version":"1"}}}}}}}}"#
    );
    let headers = [
        ("mcp-protocol-version", MODERN),
        ("mcp-method", "tools/call"),
        ("mcp-name", "ask_user"),
    ];
    http.send("POST", &headers, &body).message()
}

#[test]
fn an_ask_taken_up_over_http_is_shown_in_no_dialog() {
    let sandbox = Sandbox::new();
    sandbox.write_settings("[dialogs]\nuse = \"always\"\nover_http = \"fake-agent\"\n");
    let mut person = Person::new(&sandbox);
    let mut first = Agent::connect(&sandbox, "native");
    first.call("ask_user", ONE);
    let id = person.next_ask();
    first.end();
    let gone = |record: &Json| record.get("waiters").is_none();
    person.wait_for("its agent is gone", gone);
    let folder = sandbox.home().display();
    let http = Http::of_hub(&sandbox).with_query(&format!("directory={folder}"));
    let second = std::thread::spawn(move || call_over_http(&http, "fake-agent", ""));
    person.wait_for("it is taken up", |record| record.get("waiters").is_some());
    person.answer(&id, &["--set", "B"]);
    let told = second.join().expect("the call ends").to_string();
    assert!(
        told.contains(&id) && !told.contains("input_required"),
        "{told}"
    );
}

#[test]
fn a_dialog_that_is_disabled_meanwhile_gives_no_answer() {
    let sandbox = Sandbox::new();
    let allowed = "[dialogs]\nuse = \"always\"\nover_http = \"raw-http\"\n";
    sandbox.write_settings(allowed);
    let requested = call_over_http(&Http::of_hub(&sandbox), "raw-http", "");
    let requested = &requested["result"];
    assert_eq!(requested["resultType"], "input_required", "{requested}");
    let state = requested["requestState"].as_str().expect("a state");
    let replies = r#"{"answer":{"action":"accept","content":{"q1":"B"}}}"#;
    let again = format!(r#","requestState":"{state}","inputResponses":{replies}"#);
    Hub::connect(&sandbox).kill();
    sandbox.write_settings("[dialogs]\nuse = \"always\"\n");
    let refused = call_over_http(&Http::of_hub(&sandbox), "raw-http", &again).to_string();
    assert!(refused.contains("requestState"), "{refused}");
    assert_eq!(latest(&sandbox)["state"], "waiting");
    Hub::connect(&sandbox).kill();
    sandbox.write_settings(allowed);
    let told = call_over_http(&Http::of_hub(&sandbox), "raw-http", &again).to_string();
    assert!(told.contains("answered"), "{told}");
    assert_eq!(latest(&sandbox)["answeredBy"], "dialog");
}

#[test]
fn an_early_client_gets_an_early_form() {
    let sandbox = Sandbox::with_clock(NOON);
    // Forms were the only mode then, so an empty object declares them.
    let mut agent = Agent::with_capabilities(
        &sandbox,
        Era::Initialize("2025-06-18"),
        r#"{"elicitation":{}}"#,
    );
    let call = agent.call("ask_user", CALL);
    let dialog = agent.next_dialog();
    assert!(dialog["params"].get("mode").is_none(), "{dialog}");
    let fields = &dialog["params"]["requestedSchema"]["properties"];
    assert_eq!(
        fields["db"]["enumNames"][1], "PostgreSQL — Battle-tested",
        "{fields}"
    );
    assert_eq!(fields["parts_2"]["type"], "boolean", "{fields}");
    let content = r#"{"db":"SQLite","parts_1":true,"parts_2":false,"parts_3":true,"name":"x"}"#;
    agent.respond(
        &dialog,
        &format!(r#"{{"action":"accept","content":{content}}}"#),
    );
    let told = json(&agent.receive_reply(call));
    assert_eq!(told["answers"][1]["values"], json(r#"["Auth","Tests"]"#));
}

#[test]
fn a_person_may_decline() {
    let sandbox = Sandbox::with_clock(NOON);
    let mut agent = Agent::with_capabilities(&sandbox, LAST_INITIALIZE, FORMS);
    let call = agent.call("ask_user", ONE);
    let dialog = agent.next_dialog();
    sandbox.set_clock(LATER);
    agent.respond(&dialog, r#"{"action":"decline"}"#);
    let told = json(&agent.receive_reply(call));
    assert_eq!(told["cancelled"], true, "{told}");
    let record = latest(&sandbox);
    assert_eq!(record["state"], "declined", "{record}");
}

#[test]
fn missing_answers_are_reported_once_and_the_draft_stays() {
    let sandbox = Sandbox::with_clock(NOON);
    let mut agent = Agent::with_capabilities(&sandbox, LAST_INITIALIZE, FORMS);
    let call = agent.call("ask_user", CALL);
    let dialog = agent.next_dialog();
    let content = r#"{"db":"PostgreSQL","name":"orders"}"#;
    let accept = format!(r#"{{"action":"accept","content":{content}}}"#);
    agent.respond(&dialog, &accept);
    let again = agent.next_dialog();
    let message = again["params"]["message"].as_str().expect("a message");
    assert!(
        message.starts_with("Not sent yet: required and not answered: question 2."),
        "{message}"
    );
    let fields = &again["params"]["requestedSchema"]["properties"];
    assert_eq!(fields["db"]["default"], "PostgreSQL", "{fields}");
    assert_eq!(fields["name"]["default"], "orders", "{fields}");
    let draft = latest(&sandbox);
    assert_eq!(draft["state"], "waiting", "{draft}");
    agent.respond(&again, &accept);
    let told = json(&agent.receive_reply(call));
    assert_eq!(told["answers"][0]["values"], json(r#"["PostgreSQL"]"#));
    assert_ne!(told["answers"][1]["status"], "answered", "{told}");
}
