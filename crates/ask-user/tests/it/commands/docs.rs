//! The documentation of the commands comes from one table: help, completions, the manual page, and
//! the pages under `docs/`.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use ask_dialects::DIALECTS;

use super::FixedHome;
use crate::support::sandbox::{BINARY, run_to_end};

#[test]
fn the_printed_pages_are_in_the_tree() {
    let fixed = FixedHome::new();
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
            kept == fixed.stdout_of(&["docs", page]),
            "{path} is not what the program says; refresh it from the root of the tree with\n  \
             cargo run -p ask-user -- docs {page} > {path}"
        );
    }
}

#[test]
fn docs_clients_prints_the_settings_of_a_client() {
    let fixed = FixedHome::new();
    let said = |name: &str| fixed.stdout_of(&["docs", "clients", name]);
    assert!(said("codex-mcp-client").contains("a call: returns after 4 min 45 s"));
    assert!(said("mine").contains("not known; a call waits"));
    let config =
        "[clients.codex]\nlimit_ms = 0\n[clients.mine]\nnames = ['mine*']\nlimit_ms = 60000\n";
    std::fs::write(fixed.sandbox.home().join("config.toml"), config).expect("a writable home");
    assert!(said("codex-mcp-client").contains("a call: waits"));
    assert!(said("mine-2").contains("a call: returns after 57 s"));
    let mut command = fixed.sandbox.command(BINARY);
    command
        .env("ASK_USER_LIMIT_MS", "10000")
        .args(["docs", "clients", "mine"]);
    let output = run_to_end(command);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("a call: returns after 8 s"), "{said}");
}

#[test]
fn every_command_has_help_in_one_style() {
    let fixed = FixedHome::new();
    let help = fixed.stdout_of(&["--help"]);
    assert_eq!(
        fixed.stdout_of(&["--version"]).trim(),
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
        let page = fixed.stdout_of(&[name, "--help"].map(|part| part));
        let first = page.lines().next().unwrap_or_default();
        assert!(
            !first.ends_with('.') && !first.is_empty(),
            "{name}: {first}"
        );
    }
    let said = fixed.stderr_of(2, &["nonsense"]);
    assert!(
        said.contains("nonsense") && said.contains("--help"),
        "{said}"
    );
}

#[test]
fn completions_parse_in_their_shells() {
    let fixed = FixedHome::new();
    for (shell, check) in [
        ("bash", "bash"),
        ("zsh", "zsh"),
        ("fish", "fish"),
        ("elvish", ""),
    ] {
        let text = fixed.stdout_of(&["completions", shell]);
        assert!(
            text.contains("ask-user") && text.contains("inbox"),
            "{shell}: {text}"
        );
        let file = fixed.sandbox.home().join(shell);
        std::fs::write(&file, text).expect("a writable home");
        let mut parse = Command::new(check);
        parse.arg("-n").arg(&file).stdin(Stdio::null());
        // A shell that isn't installed can't check its completions.
        if let Ok(parsed) = parse.output() {
            assert!(parsed.status.success(), "{shell}: {parsed:?}");
        }
    }
    fixed.stderr_of(2, &["completions", "tcl"]);
}

#[test]
fn the_manual_page_names_every_command() {
    let fixed = FixedHome::new();
    let page = fixed.stdout_of(&["man"]);
    assert!(page.contains(".TH ask-user 1"), "a page of section 1");
    for name in ["mcp", "answer", "history", "completions"] {
        assert!(page.contains(&format!("ask-user {name}")), "{name}");
    }
}

#[test]
fn contracts_and_calls_are_checked_without_asking() {
    let fixed = FixedHome::new();
    assert_eq!(
        fixed.stdout_of(&["validate", r#"{"question":"Fine?"}"#]),
        "valid\n"
    );
    let said = fixed.stderr_of(1, &["validate", r#"{"questions":[]}"#]);
    assert!(
        said.contains("questions: must have at least 1 question"),
        "{said}"
    );
    let call = r#"{"questions":[{"prompt":"?","title":"T","options":[]}],"extra":1}"#;
    let said = fixed.stderr_of(1, &["validate", "--dialect", "auq", call]);
    for problem in [
        "questions.0.multiSelect: Invalid input: expected boolean, received undefined",
        "questions.0.options: Too small: expected array to have >=2 items",
        "Unrecognized key: \"extra\"",
    ] {
        assert!(said.contains(problem), "every problem: {said}");
    }
    let unknown = r#"{"question":"Fine?","colour":"red"}"#;
    assert_eq!(fixed.stdout_of(&["validate", unknown]), "valid\n");
    let said = fixed.stderr_of(1, &["validate", "--strict", unknown]);
    assert!(said.contains("colour"), "{said}");
    let said = fixed.stderr_of(1, &["validate", "{"]);
    assert!(said.contains("not valid JSON"), "{said}");
    assert!(!said.contains("< FILE"), "it names no file: {said}");
    let file = fixed.sandbox.home().join("call.json");
    std::fs::write(&file, "{}").expect("a writable home");
    let said = fixed.stderr_of(1, &["validate", &file.to_string_lossy()]);
    assert!(said.contains("ask-user validate < FILE"), "{said}");
    for dialect in DIALECTS.iter().map(|dialect| dialect.name()) {
        assert!(
            fixed
                .stdout_of(&["schema", "--dialect", dialect])
                .contains("inputSchema")
        );
    }
    let said = fixed.stderr_of(2, &["schema", "--dialect", "latin"]);
    assert!(said.contains("the dialects are native"), "{said}");
    assert!(
        !fixed.sandbox.home().join("hub.json").exists(),
        "nothing was started"
    );
}
