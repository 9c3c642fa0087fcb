//! The official TypeScript and Python SDKs of MCP, old and new: they ask in every dialect, commands
//! answer, and the replies are compared byte for byte. The new SDKs behave like the old ones in the
//! old protocol, so they ask in one dialect there.
//!
//! The client programs are in `tests/peers`; they print what they receive as JSON lines.

mod again;
mod app;
mod dialogs;

use std::path::{Path, PathBuf};
use std::process::Command;

use ask_core::Json;

use crate::support::http::Http;
use crate::support::sandbox::{BINARY, Running, Sandbox};

/// An SDK, and how it opens the conversation.
struct Peer {
    name: &'static str,
    program: &'static str,
    script: &'static str,
    era: &'static str,
    /// The protocol revision that the SDK must report, if it reports one.
    version: Option<&'static str>,
}

/// The transport between an SDK and the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Transport {
    Stdio,
    Http,
}

const LEGACY: Option<&str> = Some("2025-11-25");
const MODERN: Option<&str> = Some("2026-07-28");

#[rustfmt::skip]
const PEERS: [Peer; 6] = [
    Peer { name: "typescript-v1", program: "node", script: "v1.mjs", era: "legacy", version: None },
    Peer { name: "typescript-v2-legacy", program: "node", script: "v2.mjs", era: "legacy", version: LEGACY },
    Peer { name: "typescript-v2-auto", program: "node", script: "v2.mjs", era: "auto", version: MODERN },
    Peer { name: "python-v1", program: ".venv/v1/bin/python", script: "client.py", era: "legacy", version: LEGACY },
    Peer { name: "python-v2-legacy", program: ".venv/v2/bin/python", script: "client.py", era: "legacy", version: LEGACY },
    Peer { name: "python-v2-auto", program: ".venv/v2/bin/python", script: "client.py", era: "auto", version: MODERN },
];

/// A call in one dialect, the choices that answer it, and the expected reply. In the reply, `ASK`
/// is the ask's id and `SHORT` its first eight characters.
struct Case {
    dialect: &'static str,
    tool: &'static str,
    call: &'static str,
    /// The choices to pick, as arguments of `answer --set`.
    picks: &'static [&'static str],
    reply: &'static str,
    /// Whether the reply is JSON and comes as structured content as well.
    structured: bool,
}

/// The choices for two questions, the second of which takes several.
const BOTH: &[&str] = &["1=PostgreSQL", "2=Auth,Docs"];

const CASES: [Case; 9] = [
    Case {
        dialect: "native",
        tool: "ask_user",
        call: r#"{"title":"Set-up","questions":[
            {"id":"db","question":"Which database?","options":[{"label":"SQLite"},{"label":"PostgreSQL","description":"Battle-tested"}]},
            {"id":"parts","question":"Which parts?","multiSelect":true,"options":["Auth","Docs","Tests"]}]}"#,
        picks: BOTH,
        reply: r#"{"answered":true,"cancelled":false,"timedOut":false,"askId":"ASK","answers":[{"questionId":"db","question":"Which database?","status":"answered","values":["PostgreSQL"]},{"questionId":"parts","question":"Which parts?","status":"answered","values":["Auth","Docs"]}]}"#,
        structured: true,
    },
    Case {
        dialect: "codenomad",
        tool: "ask_user",
        call: r#"{"title":"Set-up","questions":[
            {"id":"db","question":"Which database?","type":"select","options":["SQLite","PostgreSQL"]},
            {"id":"parts","question":"Which parts?","type":"multi-select","options":["Auth","Docs","Tests"]}]}"#,
        picks: BOTH,
        reply: r#"{"answered":true,"cancelled":false,"timedOut":false,"answers":[{"questionId":"db","values":["PostgreSQL"]},{"questionId":"parts","values":["Auth","Docs"]}]}"#,
        structured: true,
    },
    Case {
        dialect: "auq",
        tool: "ask_user_questions",
        call: r#"{"questions":[
            {"prompt":"Which database?","title":"Database","multiSelect":false,"options":[{"label":"SQLite"},{"label":"PostgreSQL","description":"Battle-tested"}]},
            {"prompt":"Which parts?","title":"Parts","multiSelect":true,"options":[{"label":"Auth"},{"label":"Docs"},{"label":"Tests"}]}]}"#,
        picks: BOTH,
        reply: "[Session: SHORT | Questions: 2]\n\nHere are the user's answers:\n\n\
                1. Which database?\n→ PostgreSQL — Battle-tested\n\n2. Which parts?\n→ Auth\n→ Docs",
        structured: false,
    },
    Case {
        dialect: "claude",
        tool: "AskUserQuestion",
        call: r#"{"questions":[
            {"question":"Which database?","header":"Database","multiSelect":false,"options":[{"label":"SQLite","description":"One file"},{"label":"PostgreSQL","description":"Battle-tested"}]},
            {"question":"Which parts?","header":"Parts","multiSelect":true,"options":[{"label":"Auth","description":"Logins"},{"label":"Docs","description":"Pages"},{"label":"Tests","description":"Proofs"}]}]}"#,
        picks: BOTH,
        reply: r#"{"answers":{"Which database?":"PostgreSQL","Which parts?":"Auth, Docs"}}"#,
        structured: true,
    },
    Case {
        dialect: "pi",
        tool: "ask_user",
        call: r#"{"questions":[
            {"question":"Which database?","options":[{"label":"SQLite"},{"label":"PostgreSQL","description":"Battle-tested"}]},
            {"question":"Which parts?","multiSelect":true,"options":[{"label":"Auth"},{"label":"Docs"},{"label":"Tests"}]}]}"#,
        picks: BOTH,
        reply: r#"{"answered":true,"answers":[{"question":"Which database?","answer":"PostgreSQL","selectedOption":"PostgreSQL","wasCustom":false},{"question":"Which parts?","answer":["Auth","Docs"],"wasCustom":false}]}"#,
        structured: false,
    },
    Case {
        dialect: "gemini",
        tool: "ask_user",
        call: r#"{"questions":[
            {"question":"Which database?","header":"Database","type":"choice","options":[{"label":"SQLite","description":"One file"},{"label":"PostgreSQL","description":"Battle-tested"}]},
            {"question":"Which parts?","header":"Parts","type":"choice","multiSelect":true,"options":[{"label":"Auth","description":"Logins"},{"label":"Docs","description":"Pages"},{"label":"Tests","description":"Proofs"}]}]}"#,
        picks: BOTH,
        reply: r#"{"answers":{"0":"PostgreSQL","1":"Auth, Docs"}}"#,
        structured: true,
    },
    Case {
        dialect: "codex",
        tool: "request_user_input",
        call: r#"{"questions":[
            {"id":"db","header":"Database","question":"Which database?","options":[{"label":"SQLite","description":"One file"},{"label":"PostgreSQL","description":"Battle-tested"}]},
            {"id":"first","header":"First","question":"What first?","options":[{"label":"Auth","description":"Logins"},{"label":"Docs","description":"Pages"}]}]}"#,
        picks: &["1=PostgreSQL", "2=Docs"],
        reply: r#"{"answers":{"db":{"answers":["PostgreSQL"]},"first":{"answers":["Docs"]}}}"#,
        structured: true,
    },
    Case {
        dialect: "opencode",
        tool: "question",
        call: r#"{"questions":[
            {"question":"Which database?","header":"Database","options":[{"label":"SQLite","description":"One file"},{"label":"PostgreSQL","description":"Battle-tested"}]},
            {"question":"Which parts?","header":"Parts","multiple":true,"options":[{"label":"Auth","description":"Logins"},{"label":"Docs","description":"Pages"},{"label":"Tests","description":"Proofs"}]}]}"#,
        picks: BOTH,
        reply: "User has answered your questions: \"Which database?\"=\"PostgreSQL\", \
                \"Which parts?\"=\"Auth, Docs\". You can now continue with the user's answers in mind.",
        structured: false,
    },
    Case {
        dialect: "roo",
        tool: "ask_followup_question",
        call: r#"{"question":"Which database?","follow_up":[{"text":"SQLite","mode":null},{"text":"PostgreSQL","mode":"code"}]}"#,
        picks: &["1=PostgreSQL"],
        reply: "<user_message>\nPostgreSQL\n</user_message>",
        structured: false,
    },
];

#[test]
fn typescript_v1_receives_exact_replies() {
    assert_replies(&PEERS[..1], &CASES, Transport::Stdio);
}

#[test]
fn typescript_v2_receives_exact_replies_in_both_eras() {
    assert_replies(&PEERS[1..2], &CASES[..1], Transport::Stdio);
    assert_replies(&PEERS[2..3], &CASES, Transport::Stdio);
}

#[test]
fn python_v1_receives_exact_replies() {
    assert_replies(&PEERS[3..4], &CASES, Transport::Stdio);
}

#[test]
fn python_v2_receives_exact_replies_in_both_eras() {
    assert_replies(&PEERS[4..5], &CASES[..1], Transport::Stdio);
    assert_replies(&PEERS[5..], &CASES, Transport::Stdio);
}

#[test]
fn every_sdk_receives_exact_replies_over_http() {
    assert_replies(&PEERS, &CASES[..1], Transport::Http);
    assert_replies(&PEERS[2..3], &CASES[1..], Transport::Http);
}

fn assert_replies(peers: &[Peer], cases: &[Case], transport: Transport) {
    for (peer, case) in peers
        .iter()
        .flat_map(|peer| cases.iter().map(move |case| (peer, case)))
    {
        let sandbox = Sandbox::new();
        let mut watch = start_watch(&sandbox);
        let mut agent = peer.call_by(transport, &sandbox, case);
        let opening = agent.out.find("connecting", |line| part(line, "connected"));
        if let Some(version) = peer.version {
            assert_eq!(
                opening["version"], *version,
                "{}: the revision that was agreed on",
                peer.name
            );
        }
        let tools = agent.out.find("listing tools", |line| part(line, "tools"));
        same_contract(peer, case.dialect, &tools);

        let id = watch
            .out
            .find("an ask appeared", |line| text(&json(line), "askId"));
        let picks = case.picks.iter().flat_map(|pick| ["--set", pick]);
        sandbox.run_ok(
            &["answer", "latest"]
                .into_iter()
                .chain(picks)
                .collect::<Vec<_>>(),
        );

        let who = format!("{} in {}", peer.name, case.dialect);
        let result = agent.out.find("its result", |line| part(line, "result"));
        let reply = case.reply.replace("ASK", &id).replace("SHORT", &id[..8]);
        assert_eq!(result["content"][0]["text"], *reply, "{who}: the reply");
        assert_eq!(
            result["content"].as_array().map(Vec::len),
            Some(1),
            "{who}: the reply is one item"
        );
        assert_ne!(result["isError"], true, "{who}: an answer is no error");
        if case.structured {
            assert_eq!(
                result["structuredContent"],
                json(&reply),
                "{who}: the reply as a value"
            );
        }
        let said = agent.out.rest();
        assert!(
            said.contains("\"progress\""),
            "{who}: progress tells the client that its call is alive:\n{said}"
        );
        let ended = agent.child.wait().expect("the client can be waited for");
        assert!(
            ended.success(),
            "{who}: the client ends well:\n{}",
            agent.err.rest()
        );
    }
}

#[test]
fn every_sdk_receives_a_refusal_as_a_result() {
    for peer in &PEERS {
        let sandbox = Sandbox::new();
        let mut agent = peer.call(&sandbox, "auq", "ask_user_questions", r#"{"questions":[]}"#);
        let result = agent.out.find("its result", |line| part(line, "result"));
        assert_eq!(
            result["isError"], true,
            "{}: a refusal is an error",
            peer.name
        );
        assert_eq!(
            result["content"][0]["text"],
            "Tool 'ask_user_questions' parameter validation failed: questions: Too small: expected array to have >=1 \
             items. Please check the parameter types and values according to the tool's schema.",
            "{}: the refusal",
            peer.name
        );
    }
}

#[test]
fn every_sdk_receives_a_protocol_error_for_an_unknown_tool() {
    for peer in &PEERS {
        let sandbox = Sandbox::new();
        let mut agent = peer.call(&sandbox, "native", "no_such_tool", "{}");
        let error = agent.out.find("its error", |line| part(line, "error"));
        assert_eq!(error["code"], -32602, "{}: {error}", peer.name);
    }
}

/// Checks that the client received the tools of the contract.
fn same_contract(peer: &Peer, dialect: &str, listed: &Json) {
    let contract = ask_dialects::find(dialect)
        .expect("a dialect of the table")
        .tools();
    let listed = listed.as_array().expect("tools are a list");
    assert_eq!(
        listed.len(),
        contract.len(),
        "{} in {dialect}: the number of tools",
        peer.name
    );
    for (listed, tool) in listed.iter().zip(contract) {
        let wanted = json(tool.contract);
        for key in ["name", "description", "inputSchema"] {
            assert_eq!(
                listed[key], wanted[key],
                "{} in {dialect}: {key}",
                peer.name
            );
        }
        assert_eq!(
            listed["annotations"]["readOnlyHint"], true,
            "{}: asking changes nothing",
            peer.name
        );
    }
}

/// A process that reports waiting asks and then every change, so that the test misses none.
fn start_watch(sandbox: &Sandbox) -> Running {
    let mut command = sandbox.command(BINARY);
    command.args(["watch", "--json"]);
    sandbox.start("watch", command)
}

impl Peer {
    /// Starts the client and lets it call a tool.
    fn call(&self, sandbox: &Sandbox, dialect: &str, tool: &str, arguments: &str) -> Running {
        let mut command = self.command(sandbox, tool, arguments);
        command.args([BINARY, "mcp", "--dialect", dialect]);
        sandbox.start(self.name, command)
    }

    fn call_by(&self, transport: Transport, sandbox: &Sandbox, case: &Case) -> Running {
        if transport == Transport::Stdio {
            return self.call(sandbox, case.dialect, case.tool, case.call);
        }
        let http = Http::of_hub(sandbox);
        let url = format!("http://127.0.0.1:{}/mcp/{}", http.port, case.dialect);
        let mut command = self.command(sandbox, case.tool, case.call);
        command.arg(url).env("TOKEN", http.token);
        sandbox.start(self.name, command)
    }

    fn command(&self, sandbox: &Sandbox, tool: &str, arguments: &str) -> Command {
        let mut command = sandbox.command(self.program());
        command
            .arg(folder().join(self.script))
            .args([tool, arguments]);
        command.env("ERA", self.era);
        command
    }

    /// The SDK's interpreter, after its installation.
    fn program(&self) -> PathBuf {
        let installed = match self.program {
            "node" => folder().join("node_modules/@modelcontextprotocol"),
            venv => folder().join(venv),
        };
        assert!(
            installed.exists(),
            "the SDK of {} is not installed ({} is missing): run ./test once, or {}",
            self.name,
            installed.display(),
            folder().join("install").display()
        );
        match self.program {
            "node" => PathBuf::from("node"),
            venv => folder().join(venv),
        }
    }
}

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/peers"))
}

fn json(text: &str) -> Json {
    text.parse()
        .unwrap_or_else(|error| panic!("not JSON ({error}): {text}"))
}

fn part(line: &str, key: &str) -> Option<Json> {
    json(line).get(key).cloned()
}

fn text(value: &Json, key: &str) -> Option<String> {
    Some(value.get(key)?.as_str()?.to_owned())
}
