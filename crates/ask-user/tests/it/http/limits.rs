//! Limits on agents over HTTP. A call beyond them fails as its tool's error: an HTTP status would
//! end the client's session.

use crate::support::agent::Agent;
use crate::support::http::Http;
use crate::support::hub::Hub;
use crate::support::person::Person;
use crate::support::sandbox::Sandbox;
use crate::support::text;

const ASK: &str = r#"{"question":"Go?"}"#;

/// The error text of a failed call.
fn error_of(reply: &ask_core::Json) -> String {
    let result = &reply["result"];
    assert_eq!(result["isError"], true, "{reply}");
    text(&result["content"][0], "text")
}

#[test]
fn asks_per_minute_are_limited_on_every_interface() {
    let sandbox = Sandbox::with_clock("2026-03-01T10:00:00Z");
    sandbox.write_settings("[http]\nasks_per_minute = 2\n");
    Hub::start(&sandbox);
    let http = Http::of_hub(&sandbox);
    let mut person = Person::new(&sandbox);
    let session = http.session();
    let mut first = session.call(1, "ask_user", ASK);
    let id = person.next_ask();
    let api = Http {
        path: "/v1/asks".to_owned(),
        ..http.clone()
    };
    assert_eq!(
        api.send("POST", &[], r#"{"question":"By the API?"}"#)
            .status,
        201
    );

    person.next_ask();
    sandbox.set_clock("2026-03-01T10:00:20Z");
    let told = error_of(
        &session
            .call(2, "ask_user", r#"{"question":"More?"}"#)
            .message(),
    );
    assert!(told.contains("ask again in 10 s"), "{told}");
    let told = error_of(
        &http
            .call(3, "ask_user", r#"{"question":"More?"}"#)
            .message(),
    );
    assert!(told.contains("Nobody has been asked"), "{told}");
    assert_eq!(api.send("POST", &[], r#"{"question":"More?"}"#).status, 429);
    // Requests that ask nothing aren't counted: lists, pings, and fetching answers.
    let list = r#"{"jsonrpc":"2.0","id":4,"method":"tools/list"}"#;
    assert!(session.send_message(list).message()["result"]["tools"].is_array());
    let ping = r#"{"jsonrpc":"2.0","id":5,"method":"ping"}"#;
    assert!(session.send_message(ping).message()["result"].is_object());
    let waits = format!(r#"{{"askId":"{id}","wait":0}}"#);
    let looked = session.call(6, "ask_user_result", &waits).message();
    assert!(looked.to_string().contains("waiting"), "{looked}");
    // An agent that starts a process of its own has a limit of its own.
    let mut agent = Agent::connect(&sandbox, "native");
    agent.call("ask_user", r#"{"question":"On stdio?"}"#);
    person.next_ask();
    // The session is still usable, and its call is answered.
    person.answer(&id, &["--set", "go"]);
    let told = first.message().to_string();
    assert!(told.contains("go"), "{told}");
    sandbox.set_clock("2026-03-01T10:00:30Z");
    let again = std::thread::spawn(move || session.call(7, "ask_user", ASK).message());
    let id = person.next_ask();
    person.answer(&id, &["--set", "again"]);
    let told = again.join().expect("the call ends").to_string();
    assert!(told.contains("again"), "{told}");
}

#[test]
fn a_call_that_is_too_large_is_a_tool_error() {
    let sandbox = Sandbox::new();
    Hub::start(&sandbox);
    let http = Http::of_hub(&sandbox);
    let large = format!(r#"{{"question":"{}"}}"#, "x".repeat(300 * 1024));
    let session = http.session();
    for reply in [
        http.call(1, "ask_user", &large).message(),
        session.call(2, "ask_user", &large).message(),
    ] {
        let told = error_of(&reply);
        assert!(told.contains("at most 262144 are read"), "{told}");
    }
    assert_eq!(
        sandbox.run_ok(&["list"]).trim(),
        "Nothing waits for an answer."
    );
    let huge = format!(r#"{{"question":"{}"}}"#, "x".repeat(2 * 1024 * 1024));
    assert_eq!(session.call(3, "ask_user", &huge).status, 413);
    let other = format!(
        r#"{{"jsonrpc":"2.0","id":4,"method":"ping","params":{{"x":"{}"}}}}"#,
        "x".repeat(300 * 1024)
    );
    assert_eq!(session.send_message(&other).status, 413);
    let greeting = |bytes: usize| {
        let name = "x".repeat(bytes);
        let client = format!(r#"{{"name":"{name}","version":"1"}}"#);
        let params = format!(
            r#"{{"protocolVersion":"2025-11-25","capabilities":{{}},"clientInfo":{client}}}"#
        );
        format!(r#"{{"jsonrpc":"2.0","id":5,"method":"initialize","params":{params}}}"#)
    };
    assert_eq!(http.send("POST", &[], &greeting(1_000)).status, 200);
    assert_eq!(http.send("POST", &[], &greeting(64 * 1024)).status, 413);
}

#[test]
fn the_size_limit_of_calls_is_a_setting() {
    let sandbox = Sandbox::new();
    sandbox.write_settings("[http]\nmax_request_kb = 1\n");
    Hub::start(&sandbox);
    let session = Http::of_hub(&sandbox).session();
    let large = format!(r#"{{"question":"{}"}}"#, "x".repeat(1024));
    let told = error_of(&session.call(1, "ask_user", &large).message());
    assert!(told.contains("at most 1024 are read"), "{told}");
}

#[test]
fn failed_calls_are_counted_on_every_interface() {
    let sandbox = Sandbox::with_clock("2026-03-01T10:00:00Z");
    sandbox.write_settings("[http]\nasks_per_minute = 1\n");
    Hub::start(&sandbox);
    let http = Http::of_hub(&sandbox);
    let mut agent = Agent::connect(&sandbox, "native");
    let call = agent.call("ask_user", "{}");
    agent.error_text(call);
    let large = format!(r#"{{"question":"{}"}}"#, "x".repeat(300 * 1024));
    http.call(1, "ask_user", &large).message();
    http.call(2, "ask_user", "{}").message();
    error_of(&http.call(3, "ask_user", ASK).message());
    let metrics = Http {
        path: "/metrics".to_owned(),
        ..http
    };
    // The hub learns of it in the background, so the count may follow a moment later.
    let wanted = [("invalid-call", 2), ("too-large", 1), ("too-many", 1)]
        .map(|(kind, count)| format!("mcp_errors_total{{type=\"{kind}\"}} {count}\n"));
    let counted = |text: &str| wanted.iter().all(|line| text.contains(line));
    let tells = || counted(&metrics.send("GET", &[], "").text());
    assert!((0..20_000).any(|_| tells()), "{wanted:?}");
}

#[test]
fn a_slash_at_the_end_is_the_same_endpoint() {
    let sandbox = Sandbox::new();
    Hub::start(&sandbox);
    for path in ["/mcp/", "/mcp/codenomad/"] {
        let http = Http {
            path: path.to_owned(),
            ..Http::of_hub(&sandbox)
        };
        let session = http.session();
        let list = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
        let listed = session.send_message(list).message();
        assert_eq!(listed["result"]["tools"][0]["name"], "ask_user", "{path}");
    }
}
