//! The documentation of the commands comes from one table: help, completions, the manual page, and
//! the pages under `docs/`.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use ask_dialects::DIALECTS;

use super::Still;
use crate::support::sandbox::{BINARY, ended};

#[test]
fn the_printed_pages_are_in_the_tree() {
    let still = Still::new();
    for (page, path) in [
        ("cli", "docs/reference/cli.md"),
        ("clients", "docs/reference/clients.md"),
        ("config", "crates/ask-config/src/config.default.toml"),
        ("dialects", "docs/reference/dialects.md"),
        ("metrics", "docs/reference/metrics.md"),
        ("settings", "docs/reference/settings.md"),
    ] {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
        let kept = std::fs::read_to_string(root.join(path)).unwrap_or_default();
        assert!(
            kept == still.prints(&["docs", page]),
            "{path} is not what the program says; refresh it from the root of the tree with\n  \
             cargo run -p ask-user -- docs {page} > {path}"
        );
    }
}

#[test]
fn what_holds_for_a_client_can_be_looked_up() {
    let still = Still::new();
    let said = |name: &str| still.prints(&["docs", "clients", name]);
    assert!(said("codex-mcp-client").contains("a call: returns after 4 min 45 s"));
    assert!(said("mine").contains("not known; a call waits"));
    let config =
        "[clients.codex]\nlimit_ms = 0\n[clients.mine]\nnames = ['mine*']\nlimit_ms = 60000\n";
    std::fs::write(still.sandbox.home().join("config.toml"), config).expect("a writable home");
    assert!(said("codex-mcp-client").contains("a call: waits"));
    assert!(said("mine-2").contains("a call: returns after 57 s"));
    let mut command = still.sandbox.command(BINARY);
    command
        .env("ASK_USER_LIMIT_MS", "10000")
        .args(["docs", "clients", "mine"]);
    let output = ended(command);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("a call: returns after 8 s"), "{said}");
}

#[test]
fn every_command_has_help_in_one_manner() {
    let still = Still::new();
    let help = still.prints(&["--help"]);
    assert_eq!(
        still.prints(&["--version"]).trim(),
        concat!("ask-user ", env!("CARGO_PKG_VERSION"))
    );
    let listed = help.split("Commands:\n").nth(1).expect("commands");
    let listed = listed.split("\n\n").next().expect("commands");
    let names: Vec<&str> = listed
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    for name in [
        "mcp",
        "hub",
        "ask",
        "list",
        "show",
        "wait",
        "answer",
        "decline",
        "clarify",
        "prompt",
        "inbox",
        "validate",
        "schema",
        "status",
        "watch",
        "history",
        "forget",
        "skill",
        "doctor",
        "completions",
        "man",
    ] {
        assert!(names.contains(&name), "{name} is listed:\n{help}");
    }
    for name in names.into_iter().filter(|name| *name != "help") {
        let page = still.prints(&[name, "--help"].map(|part| part));
        let first = page.lines().next().unwrap_or_default();
        assert!(
            !first.ends_with('.') && !first.is_empty(),
            "{name}: {first}"
        );
    }
    let said = still.fails(2, &["nonsense"]);
    assert!(
        said.contains("nonsense") && said.contains("--help"),
        "{said}"
    );
}

#[test]
fn completions_can_be_read_by_their_shells() {
    let still = Still::new();
    for (shell, check) in [
        ("bash", "bash"),
        ("zsh", "zsh"),
        ("fish", "fish"),
        ("elvish", ""),
    ] {
        let text = still.prints(&["completions", shell]);
        assert!(
            text.contains("ask-user") && text.contains("inbox"),
            "{shell}: {text}"
        );
        let file = still.sandbox.home().join(shell);
        std::fs::write(&file, text).expect("a writable home");
        let mut parse = Command::new(check);
        parse.arg("-n").arg(&file).stdin(Stdio::null());
        // A shell that isn't installed can't check its completions.
        if let Ok(parsed) = parse.output() {
            assert!(parsed.status.success(), "{shell}: {parsed:?}");
        }
    }
    still.fails(2, &["completions", "tcl"]);
}

#[test]
fn the_manual_page_names_every_command() {
    let still = Still::new();
    let page = still.prints(&["man"]);
    assert!(page.contains(".TH ask-user 1"), "a page of section 1");
    for name in ["mcp", "answer", "history", "completions"] {
        assert!(page.contains(&format!("ask-user {name}")), "{name}");
    }
}

#[test]
fn contracts_and_calls_are_checked_without_asking() {
    let still = Still::new();
    assert_eq!(
        still.prints(&["validate", r#"{"question":"Fine?"}"#]),
        "valid\n"
    );
    let said = still.fails(1, &["validate", r#"{"questions":[]}"#]);
    assert!(
        said.contains("questions: must have at least 1 question"),
        "{said}"
    );
    let call = r#"{"questions":[{"prompt":"?","title":"T","options":[]}],"extra":1}"#;
    let said = still.fails(1, &["validate", "--dialect", "auq", call]);
    for problem in [
        "questions.0.multiSelect: Invalid input: expected boolean, received undefined",
        "questions.0.options: Too small: expected array to have >=2 items",
        "Unrecognized key: \"extra\"",
    ] {
        assert!(said.contains(problem), "every problem: {said}");
    }
    let unknown = r#"{"question":"Fine?","colour":"red"}"#;
    assert_eq!(still.prints(&["validate", unknown]), "valid\n");
    let said = still.fails(1, &["validate", "--strict", unknown]);
    assert!(said.contains("colour"), "{said}");
    let said = still.fails(1, &["validate", "{"]);
    assert!(said.contains("not valid JSON"), "{said}");
    assert!(!said.contains("< FILE"), "it names no file: {said}");
    let file = still.sandbox.home().join("call.json");
    std::fs::write(&file, "{}").expect("a writable home");
    let said = still.fails(1, &["validate", &file.to_string_lossy()]);
    assert!(said.contains("ask-user validate < FILE"), "{said}");
    for dialect in DIALECTS.iter().map(|dialect| dialect.name()) {
        assert!(
            still
                .prints(&["schema", "--dialect", dialect])
                .contains("inputSchema")
        );
    }
    let said = still.fails(2, &["schema", "--dialect", "latin"]);
    assert!(said.contains("the dialects are native"), "{said}");
    assert!(
        !still.sandbox.home().join("hub.json").exists(),
        "nothing was started"
    );
}
