//! SDKs with a dialog of their own: a filled-in dialog answers; a dialog declined at once doesn't
//! count as the person's refusal.

use super::{CASES, PEERS, Peer, json, part, text};
use crate::support::http::Http;
use crate::support::person::Person;
use crate::support::sandbox::{BINARY, Running, Sandbox};

/// The content of each client's dialog, which answers the first of [`CASES`].
const FILLED_IN: &str =
    r#"{"action":"accept","content":{"db":"PostgreSQL","parts":["Auth","Docs"]}}"#;

#[test]
fn every_sdk_with_elicitation_answers_in_its_dialog() {
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
        assert_eq!(told, reply, "{}: the filled-in answer", peer.name);
    }
}

#[test]
fn a_named_sdk_answers_in_its_dialog_over_http() {
    for peer in &PEERS {
        let sandbox = Sandbox::new();
        // The name by which the SDKs of both languages introduce themselves.
        sandbox.write_settings("[dialogs]\nover_http = \"peer-typescript MCP\"\n");
        let mut agent = over_http(&sandbox, peer);
        agent.out.find("a dialog", |line| part(line, "dialog"));
        let result = agent.out.find("its result", |line| part(line, "result"));
        let told = json(&text(&result["content"][0], "text").expect("a text"));
        assert_eq!(told["answered"], true, "{}: {told}", peer.name);
    }
}

/// Any client with the token could declare a dialog and answer in it itself, so the setting has to
/// name it.
#[test]
fn an_unnamed_sdk_gets_no_dialog_over_http() {
    for peer in [&PEERS[0], &PEERS[2]] {
        let sandbox = Sandbox::new();
        // Without this setting, the open surface alone would prevent the dialog.
        sandbox.write_settings("[dialogs]\nuse = \"always\"\n");
        let mut person = Person::new(&sandbox);
        let mut agent = over_http(&sandbox, peer);
        let id = person.next_ask();
        person.answer(&id, &["--set", "1=SQLite", "--set", "2=Docs"]);
        agent.out.find("its result", |line| {
            assert_eq!(part(line, "dialog"), None, "{}: no dialog", peer.name);
            part(line, "result")
        });
        let record = person.record(&id);
        assert_eq!(record["answeredBy"], "cli", "{}: {record}", peer.name);
    }
}

/// An SDK over HTTP with a dialog that it fills in by itself.
fn over_http(sandbox: &Sandbox, peer: &Peer) -> Running {
    let case = &CASES[0];
    let http = Http::of_hub(sandbox);
    let mut command = peer.command(sandbox, case.tool, case.call);
    command.arg(format!(
        "http://127.0.0.1:{}/mcp/{}",
        http.port, case.dialect
    ));
    command.env("TOKEN", http.token).env("DIALOG", FILLED_IN);
    sandbox.start(peer.name, command)
}

#[test]
fn an_sdk_that_declines_at_once_still_gets_the_answer() {
    let case = &CASES[0];
    for peer in &PEERS {
        // Time is fixed, so the refusal comes at once even on a slow machine.
        let sandbox = Sandbox::with_clock("2026-02-04T12:00:00Z");
        let mut command = peer.command(&sandbox, case.tool, case.call);
        command.args([BINARY, "mcp", "--dialect", case.dialect]);
        command.env("DIALOG", r#"{"action":"decline"}"#);
        let mut agent = sandbox.start(peer.name, command);
        agent.out.find("a dialog", |line| part(line, "dialog"));
        let sets = ["--set", "1=PostgreSQL", "--set", "2=Auth,Docs"];
        sandbox.run_ok(&[["answer", "latest"].as_slice(), &sets].concat());
        let result = agent.out.find("its result", |line| part(line, "result"));
        let told = json(&text(&result["content"][0], "text").expect("a text"));
        assert_eq!(told["answered"], true, "{}: {told}", peer.name);
    }
}
