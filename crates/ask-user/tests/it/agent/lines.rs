//! Whatever line an agent sends, the reply says what is wrong with it, and the server continues.

use ask_core::Json;

use crate::support::agent::Agent;
use crate::support::person::Person;
use crate::support::sandbox::Sandbox;
use crate::support::{json, text};

/// Checks that the server still lists its tools.
fn well(agent: &mut Agent) {
    let id = agent.request("tools/list", "{}");
    assert!(agent.result(id)["tools"].is_array());
}

fn error_of(message: &Json) -> (i64, String) {
    let code = message["error"]["code"].as_i64().unwrap_or_default();
    (code, text(&message["error"], "message"))
}

#[test]
fn lines_that_are_no_messages_are_answered_and_forgotten() {
    let sandbox = Sandbox::new();
    let mut agent = Agent::of(&sandbox, "native");
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
        agent.say(line);
        let message = agent.hear("an error", is_error);
        let (found, said) = error_of(&message);
        assert_eq!(found, code, "{line}: {said}");
        assert!(said.contains(words), "{line}: {said}");
        well(&mut agent);
    }
    for line in ["", "   ", "\r", "\t"] {
        agent.say(line);
    }
    agent.say(r#"{"jsonrpc":"2.0","method":"notifications/nobody/knows","params":{"x":1}}"#);
    agent.nothing("an answer to nothing", is_error);
}

#[test]
fn an_unreadable_line_is_answered_under_its_own_id_or_under_none() {
    let sandbox = Sandbox::new();
    let mut agent = Agent::of(&sandbox, "native");
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
        agent.say(line);
        let message = agent.hear("an error", is_error);
        let found = message.get("id").map_or("null".to_owned(), Json::to_string);
        assert_eq!(found, id, "{line}: {message}");
    }
}

#[test]
fn wrong_types_are_refused_under_the_id_of_the_request() {
    let sandbox = Sandbox::new();
    let mut agent = Agent::of(&sandbox, "native");
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
        agent.say(&format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{params}}}"#
        ));
        let reply = agent.reply(id);
        let wrong = reply.get("error").is_some() || reply["result"]["isError"] == true;
        assert!(wrong, "{params}: {reply}");
        well(&mut agent);
    }
    let id = agent.call("ask_user", r#"{"questions":{"question":[]}}"#);
    let said = agent.refused(id);
    assert!(said.contains("question"), "names what is wrong: {said}");
}

#[test]
fn half_a_character_is_asked_and_shown_as_a_mark() {
    let sandbox = Sandbox::new();
    let mut agent = Agent::of(&sandbox, "native");
    let mut person = Person::at(&sandbox);
    agent.say(
        r#"{"jsonrpc":"2.0","id":"half","method":"tools/call","params":{"name":"ask_user","arguments":{"question":"Is \ud83d fine?","options":["\udc00","\ud83d\ude00"]}}}"#,
    );
    let id = person.asked();
    let shown = sandbox.done(&["show", &id]);
    assert!(shown.contains("Is \u{fffd} fine?"), "{shown}");
    assert!(
        shown.contains("1) \u{fffd}") && shown.contains("2) 😀"),
        "{shown}"
    );
    person.answers(&id, &["--set", "2"]);
    let reply = agent.hear("the reply", |message| message["id"] == "half");
    let told = json(&text(&reply["result"]["content"][0], "text"));
    assert_eq!(told["answers"][0]["values"][0], "😀", "{told}");
}

#[test]
fn a_call_that_is_too_large_is_refused_with_a_sentence() {
    let sandbox = Sandbox::new();
    let mut agent = Agent::of(&sandbox, "native");
    let long = "x".repeat(300 * 1024);
    let id = agent.call("ask_user", &format!(r#"{{"question":"{long}"}}"#));
    let said = agent.refused(id);
    assert!(said.contains("262144"), "names the limit: {said}");
    assert!(said.len() < 2_000, "is short itself: {said}");
    well(&mut agent);
    assert!(
        !sandbox.home().join("hub.json").exists(),
        "no hub was needed"
    );
}

#[test]
fn a_line_that_is_too_long_is_refused_under_its_id() {
    let sandbox = Sandbox::new();
    let mut agent = Agent::of(&sandbox, "native");
    let long = "x".repeat(17 * 1024 * 1024);
    for (id, quoted) in [(json("77"), "77"), (json("\"big\""), "\"big\"")] {
        agent.say(&format!(
            r#"{{"jsonrpc":"2.0","id":{quoted},"method":"tools/call","params":{{"name":"ask_user","arguments":{{"question":"{long}"}}}}}}"#
        ));
        let message = agent.hear("its error", |message| message["id"] == id);
        let (code, said) = error_of(&message);
        assert_eq!(code, -32600, "{said}");
        assert!(
            said.contains("16777216") && said.contains("shorter"),
            "{said}"
        );
        well(&mut agent);
    }
}

#[test]
fn lines_may_end_as_on_windows_and_come_in_pieces() {
    let sandbox = Sandbox::new();
    let mut agent = Agent::of(&sandbox, "native");
    agent.bytes(b"{\"jsonrpc\":\"2.0\",\"id\":501,\"method\":\"tools/list\"}\r\n");
    agent.result(501);
    agent.bytes(b"{\"jsonrpc\":\"2.0\",\"id\":502,");
    well_after_the_rest(&mut agent);
    agent.bytes(
        b"{\"jsonrpc\":\"2.0\",\"id\":503,\"method\":\"ping\"}\n{\"jsonrpc\":\"2.0\",\"id\":504,\"method\":\"ping\"}\n",
    );
    agent.result(504);
    agent.result(503);
}

fn well_after_the_rest(agent: &mut Agent) {
    agent.bytes(b"\"method\":\"tools/list\"}\n");
    agent.result(502);
}

#[test]
fn what_the_server_does_is_told_on_standard_error_to_whoever_wants_that() {
    let refused = |variable| {
        let sandbox = Sandbox::new();
        let mut agent = Agent::with(&sandbox, "native", variable);
        let call = agent.call("ask_user", r#"{"context":"Zebra"}"#);
        agent.refused(call);
        agent.logged()
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
