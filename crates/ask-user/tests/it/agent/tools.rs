//! What a server offers in both eras of the protocol, and what it refuses to offer. No test needs a
//! hub, and none is started.

use ask_core::Json;

use crate::support::agent::{Agent, Era, MODERN, REVISIONS};
use crate::support::json;
use crate::support::sandbox::Sandbox;

#[test]
fn every_dialect_lists_its_contract_byte_for_byte() {
    let sandbox = Sandbox::new();
    for dialect in ask_dialects::DIALECTS.iter().map(|dialect| dialect.name()) {
        let contracts = contracts(&sandbox, dialect);
        for era in [Era::Initialize("2025-11-25"), Era::Discover] {
            let listed = list(&sandbox, &["--dialect", dialect], era);
            assert_eq!(listed.len(), contracts.len(), "{dialect}: how many tools");
            for (tool, contract) in listed.iter().zip(&contracts) {
                assert_eq!(tool["name"], contract["name"], "{dialect}: the name");
                let told = ["description", "inputSchema"].map(|key| tool[key].to_string());
                let wanted = ["description", "inputSchema"].map(|key| contract[key].to_string());
                assert_eq!(told, wanted, "{dialect}: the contract, byte for byte");
                assert_annotated(dialect, tool);
            }
        }
    }
    assert_home_is_empty(&sandbox);
}

fn assert_annotated(dialect: &str, tool: &Json) {
    let annotations = json(
        r#"{"readOnlyHint":true,"destructiveHint":false,"idempotentHint":false,"openWorldHint":false}"#,
    );
    assert_eq!(tool["annotations"], annotations, "{dialect}: {tool}");
    assert_eq!(
        tool["_meta"],
        json(r#"{"anthropic/alwaysLoad":true}"#),
        "{dialect}: loaded without a search"
    );
    let title = tool["title"].as_str().unwrap_or_default();
    assert!(!title.is_empty(), "{dialect}: a title for people: {tool}");
}

#[test]
fn every_revision_with_initialize_is_spoken() {
    let sandbox = Sandbox::new();
    for revision in REVISIONS {
        let mut agent = Agent::start(&sandbox, &[]);
        let opened = agent.open(Era::Initialize(revision));
        assert_eq!(opened["protocolVersion"], *revision, "{opened}");
        assert_eq!(opened["serverInfo"]["name"], "ask-user", "{opened}");
        let instructions = opened["instructions"].as_str().unwrap_or_default();
        assert!(instructions.contains("not consent"), "{revision}: {opened}");
        assert!(
            instructions.ends_with(ask_dialects::INSTRUCTIONS),
            "{revision}: {opened}"
        );
        let id = agent.request("tools/list", "{}");
        let listed = agent.result(id);
        assert!(
            listed.get("ttlMs").is_none(),
            "{revision} knows no such hints: {listed}"
        );
        let (status, rest) = agent.end();
        assert!(status.success() && rest.is_empty(), "{status}: {rest:?}");
    }
    assert_home_is_empty(&sandbox);
}

#[test]
fn the_revision_without_initialize_is_spoken() {
    let sandbox = Sandbox::new();
    let mut agent = Agent::start(&sandbox, &["--dialect", "claude"]);
    let discovered = agent.open(Era::Discover);
    let versions = discovered["supportedVersions"].as_array();
    let versions = versions.unwrap_or_else(|| panic!("versions: {discovered}"));
    assert!(versions.iter().any(|version| *version == *MODERN));
    assert_eq!(discovered["resultType"], "complete", "{discovered}");
    let id = agent.request("tools/list", "{}");
    let listed = agent.result(id);
    assert_eq!(listed["resultType"], "complete", "{listed}");
    assert_eq!(listed["cacheScope"], "public", "{listed}");
    assert!(
        listed["ttlMs"].as_u64().is_some_and(|ms| ms > 0),
        "{listed}"
    );
    assert_home_is_empty(&sandbox);
}

#[test]
fn dialects_with_different_tools_share_a_server() {
    let sandbox = Sandbox::new();
    let era = Era::Initialize("2025-11-25");
    let both = list(&sandbox, &["--dialect", "claude,auq"], era);
    let wanted = [
        "AskUserQuestion",
        "ask_user_questions",
        "get_answered_questions",
    ];
    assert_eq!(names(&both), wanted);
    let all = "native,auq,claude,codex,opencode,roo";
    let wanted = [
        "ask_user",
        "ask_user_result",
        "ask_user_questions",
        "get_answered_questions",
        "AskUserQuestion",
        "request_user_input",
        "question",
        "ask_followup_question",
    ];
    assert_eq!(names(&list(&sandbox, &["--dialect", all], era)), wanted);
    let renamed = list(&sandbox, &["--tool-name", "ask_human"], era);
    assert_eq!(names(&renamed), ["ask_human", "ask_user_result"]);
    let renamed = list(
        &sandbox,
        &["--dialect", "codenomad", "--tool-name", "cn_ask_user"],
        era,
    );
    assert_eq!(names(&renamed), ["cn_ask_user"]);
}

#[test]
fn conflicting_tool_offers_are_refused_at_start() {
    let sandbox = Sandbox::new();
    let cases: [(&[&str], &[&str]); 7] = [
        (
            &["--dialect", "native,codenomad"],
            &[
                "native and codenomad both have a tool named ask_user",
                "one server for each",
            ],
        ),
        (
            &["--dialect", "native,pi"],
            &["both have a tool named ask_user"],
        ),
        (
            &["--dialect", "codex,gemini,pi"],
            &["gemini and pi both have a tool named ask_user"],
        ),
        (
            &["--dialect", "latin"],
            &[
                "no dialect named \"latin\"",
                "native, codenomad, auq",
                "roo",
            ],
        ),
        (
            &["--tool-name", "ask human"],
            &["\"ask human\" can't be the name", "letters"],
        ),
        (
            &["--tool-name", "ask_user_result"],
            &["both have a tool named ask_user_result"],
        ),
        (
            &["--dialect", "claude,auq", "--tool-name", "x"],
            &["needs a single dialect"],
        ),
    ];
    for (arguments, said) in cases {
        let mut all = vec!["mcp"];
        all.extend(arguments);
        let output = sandbox.run(&all);
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {complaint}");
        assert!(
            output.stdout.is_empty(),
            "{arguments:?}: stdout is for protocol"
        );
        for words in said {
            assert!(
                complaint.contains(words),
                "{arguments:?} says {words}: {complaint}"
            );
        }
    }
    assert_home_is_empty(&sandbox);
}

#[test]
fn an_unknown_tool_is_the_only_protocol_error() {
    let sandbox = Sandbox::new();
    let mut agent = Agent::connect(&sandbox, "native");
    let id = agent.call("AskUserQuestion", "{}");
    let error = agent.error(id);
    assert_eq!(error["code"], -32602, "{error}");
    let said = error["message"].as_str().unwrap_or_default();
    assert!(
        said.contains("AskUserQuestion") && said.contains("ask_user"),
        "{error}"
    );
    for method in [
        "prompts/list",
        "resources/list",
        "resources/templates/list",
        "no/such",
    ] {
        let id = agent.request(method, "{}");
        assert_eq!(agent.error(id)["code"], -32601, "{method} is not offered");
    }
    for arguments in ["{}", r#"{"questions":[]}"#, r#"{"questions":[[]]}"#] {
        let id = agent.call("ask_user", arguments);
        let said = agent.error_text(id);
        assert!(said.starts_with("Can't ask this: "), "{arguments}: {said}");
        assert!(
            said.contains("question"),
            "{arguments}: names the place: {said}"
        );
    }
    assert_home_is_empty(&sandbox);
}

/// The tools that a server lists.
fn list(sandbox: &Sandbox, arguments: &[&str], era: Era) -> Vec<Json> {
    let mut agent = Agent::start(sandbox, arguments);
    agent.open(era);
    let id = agent.request("tools/list", "{}");
    let listed = agent.result(id);
    let tools = listed["tools"].as_array().cloned();
    tools.unwrap_or_else(|| panic!("tools are a list: {listed}"))
}

fn names(tools: &[Json]) -> Vec<&str> {
    tools
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect()
}

/// The tools that `ask-user schema` prints.
fn contracts(sandbox: &Sandbox, dialect: &str) -> Vec<Json> {
    let printed = sandbox.run_ok(&["schema", "--dialect", dialect]);
    let whole = printed.replace("\n}\n{", "\n}\u{1e}{");
    let found: Vec<Json> = whole.split('\u{1e}').map(json).collect();
    match &found[..] {
        [Json::Array(tools)] => tools.clone(),
        _ => found,
    }
}

fn assert_home_is_empty(sandbox: &Sandbox) {
    let made: Vec<_> = std::fs::read_dir(sandbox.home())
        .expect("the home can be read")
        .flatten()
        .map(|entry| entry.file_name())
        .collect();
    assert!(made.is_empty(), "the home stays as it was: {made:?}");
}
