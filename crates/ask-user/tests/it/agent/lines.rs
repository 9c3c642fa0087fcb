//! Whatever line an agent sends, the reply says what is wrong with it, and the server continues.

use ask_core::Json;

use crate::support::agent::Agent;
use crate::support::person::Person;
use crate::support::sandbox::Sandbox;
use crate::support::{json, text};

/// Checks that the server still lists its tools.
fn assert_alive(agent: &mut Agent) {
    let id = agent.request("tools/list", "{}");
    assert!(agent.result(id)["tools"].is_array());
}

fn error_of(message: &Json) -> (i64, String) {
    let code = message["error"]["code"].as_i64().unwrap_or_default();
    (code, text(&message["error"], "message"))
}

#[test]
fn invalid_lines_get_an_error_and_the_server_continues() {
    let sandbox = Sandbox::new();
    let mut agent = Agent::connect(&sandbox, "native");
    let is_error = |message: &Json| message.get("error").is_some();
    let cases = [
        ("{\"jsonrpc\":", -32700, "not JSON"),
        ("what?", -32700, "not JSON"),
        ("[]", -32600, "not a JSON-RPC 2.0 message"),
        ("17", -32600, "not a JSON-RPC 2.0 message"),
        (
            r#"[{"jsonrpc":"2.0","id":1,"method":"tools/list"},{"jsonrpc":"2.0","id":2,"method":"tools/list"}]"#,
            -32600,
            "not a JSON-RPC 2.0 message",
        ),
    ];
    for (line, code, words) in cases {
        agent.send_message(line);
        let message = agent.receive("an error", is_error);
        let (found, said) = error_of(&message);
        assert_eq!(found, code, "{line}: {said}");
        assert!(said.contains(words), "{line}: {said}");
        assert_alive(&mut agent);
    }
    for line in ["", "   ", "\r", "\t"] {
        agent.send_message(line);
    }
    agent.send_message(
        r#"{"jsonrpc":"2.0","method":"notifications/nobody/knows","params":{"x":1}}"#,
    );
    agent.assert_silent("an answer to nothing", is_error);
}

#[test]
fn an_error_for_an_invalid_line_has_its_id_or_null() {
    let sandbox = Sandbox::new();
    let mut agent = Agent::connect(&sandbox, "native");
    let is_error = |message: &Json| message.get("error").is_some();
    for (line, id) in [
        (r#"{"jsonrpc":"2.0","id":41,"method":"#, "41"),
        (r#"{"id" : "a\"b" ,"method":"#, r#""a\\\"b""#),
        (
            r#"{"jsonrpc":"2.0","method":"notifications/x","params":{"id":41,"#,
            "null",
        ),
        (r#"{"jsonrpc":"2.0","id":41.5,"method":"#, "null"),
        (r#"{"method":"id","x":"\"id\":41","#, "null"),
    ] {
        agent.send_message(line);
        let message = agent.receive("an error", is_error);
        let found = message.get("id").map_or("null".to_owned(), Json::to_string);
        assert_eq!(found, id, "{line}: {message}");
    }
}

#[test]
fn wrong_types_are_refused_under_the_id_of_the_request() {
    let sandbox = Sandbox::new();
    let mut agent = Agent::connect(&sandbox, "native");
    for (at, params) in [
        r#"{"name":7,"arguments":{}}"#,
        r#"{"arguments":{}}"#,
        r#""text""#,
        r#"{"name":"ask_user","arguments":"text"}"#,
        r#"{"name":"ask_user","arguments":[1]}"#,
    ]
    .iter()
    .enumerate()
    {
        let id = 900 + i64::try_from(at).expect("small");
        agent.send_message(&format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{params}}}"#
        ));
        let reply = agent.reply(id);
        let wrong = reply.get("error").is_some() || reply["result"]["isError"] == true;
        assert!(wrong, "{params}: {reply}");
        assert_alive(&mut agent);
    }
    let id = agent.call("ask_user", r#"{"questions":{"question":[]}}"#);
    let said = agent.error_text(id);
    assert!(said.contains("question"), "names what is wrong: {said}");
}

#[test]
fn a_lone_surrogate_is_shown_as_a_replacement_character() {
    let sandbox = Sandbox::new();
    let mut agent = Agent::connect(&sandbox, "native");
    let mut person = Person::new(&sandbox);
    agent.send_message(
        r#"{"jsonrpc":"2.0","id":"half","method":"tools/call","params":{"name":"ask_user","arguments":{"question":"Is \ud83d fine?","options":["\udc00","\ud83d\ude00"]}}}"#,
    );
    let id = person.next_ask();
    let shown = sandbox.run_ok(&["show", &id]);
    assert!(shown.contains("Is \u{fffd} fine?"), "{shown}");
    assert!(
        shown.contains("1) \u{fffd}") && shown.contains("2) 😀"),
        "{shown}"
    );
    person.answer(&id, &["--set", "2"]);
    let reply = agent.receive("the reply", |message| message["id"] == "half");
    let told = json(&text(&reply["result"]["content"][0], "text"));
    assert_eq!(told["answers"][0]["values"][0], "😀", "{told}");
}

#[test]
fn a_call_that_is_too_large_is_refused() {
    let sandbox = Sandbox::new();
    let mut agent = Agent::connect(&sandbox, "native");
    let long = "x".repeat(300 * 1024);
    let id = agent.call("ask_user", &format!(r#"{{"question":"{long}"}}"#));
    let said = agent.error_text(id);
    assert!(said.contains("262144"), "names the limit: {said}");
    assert!(said.len() < 2_000, "is short itself: {said}");
    assert_alive(&mut agent);
    assert!(
        !sandbox.home().join("hub.json").exists(),
        "no hub was needed"
    );
}

#[test]
fn a_line_that_is_too_long_is_refused_under_its_id() {
    let sandbox = Sandbox::new();
    let mut agent = Agent::connect(&sandbox, "native");
    let long = "x".repeat(17 * 1024 * 1024);
    for (id, quoted) in [(json("77"), "77"), (json("\"big\""), "\"big\"")] {
        agent.send_message(&format!(
            r#"{{"jsonrpc":"2.0","id":{quoted},"method":"tools/call","params":{{"name":"ask_user","arguments":{{"question":"{long}"}}}}}}"#
        ));
        let message = agent.receive("its error", |message| message["id"] == id);
        let (code, said) = error_of(&message);
        assert_eq!(code, -32600, "{said}");
        assert!(
            said.contains("16777216") && said.contains("shorter"),
            "{said}"
        );
        assert_alive(&mut agent);
    }
}

#[test]
fn lines_may_end_with_crlf_and_arrive_in_pieces() {
    let sandbox = Sandbox::new();
    let mut agent = Agent::connect(&sandbox, "native");
    agent.send_bytes(b"{\"jsonrpc\":\"2.0\",\"id\":501,\"method\":\"tools/list\"}\r\n");
    agent.result(501);
    agent.send_bytes(b"{\"jsonrpc\":\"2.0\",\"id\":502,");
    send_the_rest(&mut agent);
    agent.send_bytes(
        b"{\"jsonrpc\":\"2.0\",\"id\":503,\"method\":\"ping\"}\n{\"jsonrpc\":\"2.0\",\"id\":504,\"method\":\"ping\"}\n",
    );
    agent.result(504);
    agent.result(503);
}

fn send_the_rest(agent: &mut Agent) {
    agent.send_bytes(b"\"method\":\"tools/list\"}\n");
    agent.result(502);
}

#[test]
fn debug_logging_goes_to_standard_error() {
    let refused = |variable| {
        let sandbox = Sandbox::new();
        let mut agent = Agent::with_variable(&sandbox, "native", variable);
        let call = agent.call("ask_user", r#"{"context":"Zebra"}"#);
        agent.error_text(call);
        agent.close_and_read_log()
    };
    let said = refused(("CN_MCP_DEBUG", "1"));
    let (_, line) = said.split_once(' ').expect("a time");
    let call = "debug [MCP] call{request=2}: a call of ask_user\n";
    assert!(line.starts_with(call), "{said}");
    assert!(!said.contains("Zebra"), "{said}");
    assert_eq!(refused(("CN_MCP_DEBUG", "0")), "");
    assert_eq!(refused(("RUST_LOG", "ask_mcp=warn")), "");
    assert!(refused(("RUST_LOG", "ask_mcp=debug")).contains(call));
    assert!(refused(("RUST_LOG", "ask_mcp=loud")).contains("warn [MCP] RUST_LOG can't be read"));
}
