//! Calls of the modern protocol: one request, one stream, and closing the stream leaves the call.

use super::{ASK, RIGHT};
use crate::support::agent::MODERN;
use crate::support::http::Http;
use crate::support::hub::Hub;
use crate::support::person::Person;
use crate::support::sandbox::Sandbox;

/// The query of an agent without an MCP session: its folder and its name. Without them and without
/// a known process, its asks could belong to anybody.
const SHOP: &str = "directory=/srv/shop&session=one";

#[test]
fn headers_are_sent_before_the_answer() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    // A status means that the headers have arrived, before anybody has answered.
    let mut call = Http::of_hub(&sandbox).call(1, "ask_user", ASK);
    assert_eq!(call.status, 200);
    assert_eq!(call.header("content-type"), Some("text/event-stream"));
    assert_eq!(call.line().as_deref(), Some(": waiting"));
    let id = person.next_ask();
    person.answer(&id, &["--set", "right"]);
    let told = call.tool_text();
    assert!(told.contains(RIGHT), "{told}");
    assert_eq!(call.event(), None, "the reply is the end of the stream");
    person.wait_for("it is delivered", |record| record["delivered"] == true);
}

#[test]
fn a_client_that_closes_its_stream_with_the_reply_has_received_it() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let http = Http::of_hub(&sandbox);
    for (id, with_progress) in [(1, false), (2, true), (3, false), (4, true)] {
        let token = match with_progress {
            true => format!(r#""progressToken":{id},"#),
            false => String::new(),
        };
        let body = format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"ask_user","arguments":{ASK},"_meta":{{{token}"io.modelcontextprotocol/protocolVersion":"{MODERN}","io.modelcontextprotocol/clientCapabilities":{{}},"io.modelcontextprotocol/clientInfo":{{"name":"raw-http","version":"1"}}}}}}}}"#
        );
        let headers = [
            ("mcp-protocol-version", MODERN),
            ("mcp-method", "tools/call"),
            ("mcp-name", "ask_user"),
        ];
        let mut call = http.send("POST", &headers, &body);
        let ask = person.next_ask();
        person.answer(&ask, &["--set", "right"]);
        let reply = loop {
            let message = call.message();
            if message.get("result").is_some() {
                break message;
            }
            assert_eq!(message["method"], "notifications/progress", "{message}");
        };
        drop(call);
        assert!(reply.to_string().contains("right"), "{reply}");
        person.wait_for("it is delivered", |record| record["delivered"] == true);
    }
}

#[test]
fn a_refusal_is_sent_at_once_with_its_status() {
    let sandbox = Sandbox::new();
    Hub::start(&sandbox);
    let http = Http::of_hub(&sandbox);
    let told = http.call(1, "ask_user", r#"{"questions":[]}"#).tool_text();
    assert!(told.contains("questions"), "{told}");
    let nonsense = http.send("POST", &[("content-type", "text/plain")], "{}");
    assert_eq!(nonsense.status, 415);
}

#[test]
fn a_closed_stream_leaves_the_call() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let http = Http::of_hub(&sandbox).with_query(SHOP);
    let call = http.call(1, "ask_user", ASK);
    let id = person.next_ask();
    drop(call);
    person.wait_for("the agent gone", |record| record.get("waiters").is_none());
    person.answer(&id, &["--set", "right"]);
    assert_ne!(
        person.record(&id)["delivered"],
        true,
        "the answer is undelivered"
    );

    let mut again = http.call(2, "ask_user", ASK);
    let told = again.tool_text();
    assert!(
        told.contains(RIGHT) && told.contains(r#""late":true"#),
        "{told}"
    );
    person.wait_for("it is delivered", |record| record["delivered"] == true);
}

#[test]
fn an_answer_outlives_the_hub_that_held_the_call() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let call = Http::of_hub(&sandbox)
        .with_query(SHOP)
        .call(1, "ask_user", ASK);
    let id = person.next_ask();
    Hub::connect(&sandbox).kill();
    drop(call);
    person.answer(&id, &["--set", "right"]);

    let mut again = Http::of_hub(&sandbox)
        .with_query(SHOP)
        .call(1, "ask_user", ASK);
    let told = again.tool_text();
    assert!(
        told.contains(RIGHT) && told.contains(r#""late":true"#),
        "{told}"
    );
    person.wait_for("it is delivered", |record| record["delivered"] == true);
}
