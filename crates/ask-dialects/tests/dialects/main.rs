//! Tests every dialect, case by case. A case is a file: the call as JSON text, a line `---`, what
//! happened then (see `dialects/scene.rs`), and, where a specification or the contract prints it,
//! the expected reply to the letter below `=== text` or `=== json`. A snapshot keeps what was read
//! and replied.

#![expect(clippy::disallowed_methods, reason = "cases are files")]

mod scene;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use ask_core::record::summary;
use ask_core::{Ask, AskId, Json, json};
use ask_dialects::{Call, DIALECTS, Dialect, Setting, ToolAction, Word};
use ask_protocol::{Reply, native};

use scene::{RANDOM, Scene};

#[test]
fn cases() {
    let mut failures = String::new();
    for dialect in DIALECTS {
        let paths = paths(*dialect);
        assert!(!paths.is_empty(), "{} has no cases", dialect.name());
        for path in paths {
            let name = path
                .file_stem()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            let text = std::fs::read_to_string(&path).expect("a readable case");
            let (picture, failure) = run(*dialect, &text);
            if let Some(failure) = failure {
                failures += &format!("{}/{name}: {failure}\n", dialect.name());
            }
            insta::with_settings!({
                snapshot_path => "../snapshots",
                prepend_module_to_snapshot => false,
                omit_expression => true,
            }, {
                insta::assert_snapshot!(format!("{}__{name}", dialect.name()), picture);
            });
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}

fn paths(dialect: &dyn Dialect) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/dialects")
        .join(dialect.name());
    let entries = std::fs::read_dir(folder).expect("a folder of cases");
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    paths
}

/// Runs a case. Returns a description of what was read and replied, and how it differs from what
/// the case itself expects.
fn run(dialect: &dyn Dialect, text: &str) -> (String, Option<String>) {
    let mut parts = text.split("\n=== ");
    let body = parts.next().expect("a body");
    let (call, steps) = body.split_once("\n---").expect("a line ---");
    let scene = Scene::read(steps);
    let tool = scene.tool.as_deref().unwrap_or(dialect.tools()[0].name);
    let setting = Setting {
        limit_ms: scene.limit,
    };
    let mut picture = String::new();
    let read = json::parse(call)
        .map_err(ask_core::Refusal::from)
        .and_then(|arguments| {
            for problem in dialect.strict(tool, &arguments) {
                picture += &format!("strict: {problem}\n");
            }
            dialect.read(tool, &arguments, &setting)
        });
    let reply = match read {
        Err(refusal) => {
            for problem in &refusal.problems {
                picture += &format!("problem: {problem}\n");
            }
            assert!(scene.refused, "refused: {refusal}\n{text}");
            dialect.write(Word::Refused(&refusal))
        }
        Ok(call) => {
            assert!(!scene.refused, "read, but should be refused:\n{text}");
            match tell(dialect, call, &scene, &mut picture) {
                Some(reply) => reply,
                None => return (picture, None),
            }
        }
    };
    describe(&reply, &mut picture);
    (picture, parts.find_map(|part| differs(part, &reply)))
}

fn tell(dialect: &dyn Dialect, call: Call, scene: &Scene, picture: &mut String) -> Option<Reply> {
    let Call::Ask {
        ask,
        agent,
        detached,
    } = call
    else {
        *picture += &format!("{call:?}\n");
        return scene
            .fetch
            .as_deref()
            .and_then(|what| what.split_once(' '))
            .map(|(_, id)| dialect.write(Word::NoSuchAsk(id)));
    };
    describe_ask(&ask, picture);
    for (fact, value) in [
        ("agent", agent),
        ("detached", detached.then(|| "yes".to_owned())),
    ] {
        if let Some(value) = value {
            *picture += &format!("{fact}: {value}\n");
        }
    }
    if scene.only_read {
        return None;
    }
    let record = scene.record(dialect, *ask);
    *picture += &format!("summary: {}\n", summary(&record));
    if let Some(words) = &scene.fail {
        return Some(dialect.write(Word::Failed(words)));
    }
    let Some(what) = &scene.fetch else {
        let word = if record.is_open() {
            Word::Open(&record)
        } else {
            Word::Closed(&record)
        };
        return Some(dialect.write(word));
    };
    Some(match what.as_str() {
        "nothing" => dialect.write(Word::Fetched(&[])),
        "two" => dialect.write(Word::Fetched(&[record.clone(), record])),
        _ => dialect.write(Word::Fetched(&[record])),
    })
}

fn describe_ask(ask: &Ask, picture: &mut String) {
    let limit = ask.limit_ms.map(|limit| limit.to_string());
    for (fact, value) in [
        ("title", &ask.title),
        ("context", &ask.context),
        ("metadata", &ask.metadata),
        ("limit", &limit),
    ] {
        if let Some(value) = value {
            *picture += &format!("{fact}: {}\n", short(value));
        }
    }
    for question in &ask.questions {
        let required = if question.required {
            "required"
        } else {
            "optional"
        };
        let word = native::input_word(&question.input);
        *picture += &format!(
            "{} | {word} | {required} | {}",
            question.id,
            short(&question.text)
        );
        facts(
            picture,
            &[
                ("header", &question.label),
                ("placeholder", &question.placeholder),
                ("default", &question.default),
            ],
        );
        for choice in question.input.choices().iter().take(12) {
            *picture += &format!("  - {}", short(&choice.label));
            facts(
                picture,
                &[
                    ("description", &choice.description),
                    ("preview", &choice.preview),
                ],
            );
        }
    }
}

fn facts(picture: &mut String, facts: &[(&str, &Option<String>)]) {
    for (fact, value) in facts {
        if let Some(value) = value {
            *picture += &format!(" | {fact}: {}", short(value));
        }
    }
    picture.push('\n');
}

fn short(text: &str) -> String {
    match text.char_indices().nth(200) {
        None => text
            .escape_debug()
            .to_string()
            .replace("\\\"", "\"")
            .replace("\\'", "'"),
        Some((end, _)) => {
            let tail = text
                .chars()
                .rev()
                .take(30)
                .collect::<Vec<_>>()
                .into_iter()
                .rev();
            format!(
                "{} … {} [{} bytes]",
                &text[..end],
                tail.collect::<String>(),
                text.len()
            )
        }
    }
}

fn describe(reply: &Reply, picture: &mut String) {
    let kind = if reply.is_error { "error" } else { "reply" };
    let value = reply.structured.as_ref().map(Json::to_string);
    let same = match &value {
        None => "text only",
        Some(value) if value == &reply.text => "text and the same value",
        Some(value) => panic!("text and value differ: {value}\n{}", reply.text),
    };
    write!(picture, "--- {kind}, {same}\n{}\n---\n", reply.text).expect("a string");
    for (key, value) in &reply.meta {
        *picture += &format!("{key} = {value}\n");
    }
    if let Some(named) = reply.names_files() {
        *picture += &format!("--- files\n{named}\n");
    }
    for words in [&reply.mention, &reply.doubt].into_iter().flatten() {
        *picture += &format!("--- also\n{words}\n");
    }
    assert!(
        !reply.is_error || reply.structured.is_none(),
        "an error has no value"
    );
}

fn differs(part: &str, reply: &Reply) -> Option<String> {
    let (kind, expected) = part.split_once('\n').expect("a kind and what is expected");
    let (expected, got) = match kind.trim() {
        "text" => (
            expected.strip_suffix('\n').unwrap_or(expected).to_owned(),
            reply.text.clone(),
        ),
        // Compared as text, because the order of keys is part of the contract.
        "json" => {
            let compact = |text: &str| json::parse(text).expect("JSON").to_string();
            (compact(expected), compact(&reply.text))
        }
        other => panic!("no such expectation: {other}"),
    };
    (expected != got).then(|| format!("expected\n{expected}\nbut got\n{got}"))
}

#[test]
fn contracts_are_published_under_their_tools_names() {
    for dialect in DIALECTS {
        for tool in dialect.tools() {
            let contract = json::parse(tool.contract).expect("a contract in JSON");
            assert_eq!(contract["name"], tool.name);
            assert_eq!(contract["inputSchema"]["type"], "object");
            let keys: Vec<&String> = contract.as_object().expect("an object").keys().collect();
            assert_eq!(keys, ["name", "description", "inputSchema"]);
        }
        assert_eq!(dialect.tools()[0].does, ToolAction::Ask);
        let instructions = dialect.instructions();
        let size = instructions.len();
        assert!((100..=450).contains(&size), "{}: {size}", dialect.name());
        assert!(!instructions.contains("  "), "{}", dialect.name());
        assert!(AskId::parse(dialect.id(RANDOM).as_str()).is_some());
    }
}

/// Every request of every agent contains them, so their size is limited.
#[test]
fn native_contracts_keep_to_their_budget() {
    let native = ask_dialects::find("native").expect("the native dialect");
    let weigh =
        |tool: &ask_dialects::Tool| json::parse(tool.contract).expect("JSON").to_string().len();
    let whole: usize = native.tools().iter().map(weigh).sum();
    assert!(whole <= 1_450, "{whole} bytes");
    assert!(
        native
            .tools()
            .iter()
            .all(|tool| !tool.contract.contains("anyOf"))
    );
}

/// The foreign schemas are those of their specifications: a strict reader finds no problem in any
/// example of a specification.
#[test]
fn examples_are_strictly_valid() {
    for dialect in DIALECTS {
        for path in paths(*dialect) {
            if !path
                .file_stem()
                .is_some_and(|name| name.to_string_lossy().starts_with("spec_"))
            {
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("a readable case");
            let (call, _) = text.split_once("\n---").expect("a line ---");
            let arguments: Json = json::parse(call).expect("JSON");
            let problems = dialect.strict(dialect.tools()[0].name, &arguments);
            assert_eq!(problems, [], "{}", path.display());
        }
    }
}
