//! SDKs with a dialog of their own: filled in, it answers; declined at once, it is
//! nobody's refusal.

use super::{CASES, PEERS, json, part, text};
use crate::support::http::Http;
use crate::support::sandbox::{BINARY, Sandbox};

/// What each client's dialog is filled in with, and how the reply to [`CASES`]' first call has it.
const FILLED_IN: &str =
    r#"{"action":"accept","content":{"db":"PostgreSQL","parts":["Auth","Docs"]}}"#;

#[test]
fn every_peer_with_a_dialog_of_its_own_answers_in_it() {
    let case = &CASES[0];
    for peer in &PEERS {
        let sandbox = Sandbox::new();
        let mut command = peer.command(&sandbox, case.tool, case.call);
        command.args([BINARY, "mcp", "--dialect", case.dialect]);
        command.env("DIALOG", FILLED_IN);
        let mut agent = sandbox.start(peer.name, command);
        let dialog = agent.out.find("a dialog", |line| part(line, "dialog"));
        let fields = &dialog["requestedSchema"]["properties"];
        let names: Vec<_> = fields.as_object().expect("fields").keys().collect();
        let expected = ["db", "db_own_words", "parts", "parts_own_words"];
        assert_eq!(names, expected, "{}: {dialog}", peer.name);
        let result = agent.out.find("its result", |line| part(line, "result"));
        let told = json(&text(&result["content"][0], "text").expect("a text"));
        let id = text(&told, "askId").expect("an id");
        let reply = json(&case.reply.replace("ASK", &id));
        assert_eq!(told, reply, "{}: what was filled in", peer.name);
    }
}

#[test]
fn every_peer_with_a_dialog_of_its_own_answers_in_it_over_http_too() {
    let case = &CASES[0];
    for peer in &PEERS {
        let sandbox = Sandbox::new();
        let http = Http::of(&sandbox);
        let mut command = peer.command(&sandbox, case.tool, case.call);
        command.arg(format!(
            "http://127.0.0.1:{}/mcp/{}",
            http.port, case.dialect
        ));
        command.env("TOKEN", http.token).env("DIALOG", FILLED_IN);
        let mut agent = sandbox.start(peer.name, command);
        agent.out.find("a dialog", |line| part(line, "dialog"));
        let result = agent.out.find("its result", |line| part(line, "result"));
        let told = json(&text(&result["content"][0], "text").expect("a text"));
        assert_eq!(told["answered"], true, "{}: {told}", peer.name);
    }
}

#[test]
fn a_peer_that_declines_at_once_still_gets_its_persons_answer() {
    let case = &CASES[0];
    for peer in &PEERS {
        // Time stands still, so however slow this machine is, it is at once.
        let sandbox = Sandbox::at("2026-02-04T12:00:00Z");
        let mut command = peer.command(&sandbox, case.tool, case.call);
        command.args([BINARY, "mcp", "--dialect", case.dialect]);
        command.env("DIALOG", r#"{"action":"decline"}"#);
        let mut agent = sandbox.start(peer.name, command);
        agent.out.find("a dialog", |line| part(line, "dialog"));
        let sets = ["--set", "1=PostgreSQL", "--set", "2=Auth,Docs"];
        sandbox.done(&[["answer", "latest"].as_slice(), &sets].concat());
        let result = agent.out.find("its result", |line| part(line, "result"));
        let told = json(&text(&result["content"][0], "text").expect("a text"));
        assert_eq!(told["answered"], true, "{}: {told}", peer.name);
    }
}
