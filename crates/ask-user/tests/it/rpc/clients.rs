//! Runs the clients of `examples/`: each asks and shows, with either one at the other end, and
//! neither notices that the hub was killed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use std::io::Write;

use crate::support::hub::Hub;
use crate::support::sandbox::{BINARY, Running, Sandbox, run_to_end};
use crate::support::{json, text};

const CALL: &str = r#"{"questions":[{"question":"Ship it?","options":["Yes","No"]},
    {"question":"Which parts?","options":["Auth","Docs","Tests"],"multiSelect":true}]}"#;

#[derive(Clone, Copy)]
enum Example {
    Python,
    TypeScript,
}

#[test]
fn python_asks_and_typescript_shows() {
    ask_and_show(Example::Python, Example::TypeScript);
}

#[test]
fn typescript_asks_and_python_shows() {
    ask_and_show(Example::TypeScript, Example::Python);
}

fn ask_and_show(asks: Example, shows: Example) {
    let sandbox = Sandbox::new();
    let mut surface = shows.start(&sandbox, &["show"]);
    let mut input = surface.child.stdin.take().expect("its input is piped");
    let mut asker = asks.start(&sandbox, &["ask", CALL]);
    let id = surface.out.find("it shows the request", |line| {
        line.strip_prefix("asked ").map(str::to_owned)
    });
    surface.out.find("it shows the options", |line| {
        (line == "  2 \"No\"").then_some(())
    });
    Hub::connect(&sandbox).kill();
    input
        .write_all(b"2\nAuth,3\n")
        .expect("the process reads its input");
    let closed = surface.out.find("it has answered", |line| {
        line.starts_with('{').then(|| json(line))
    });
    assert_eq!(closed["yours"], true, "{closed}");
    assert_eq!(closed["requestId"].to_string(), id);

    let reply = json(&asker.out.next().expect("the reply"));
    assert_eq!(reply["answered"], true, "{reply}");
    assert_eq!(reply["answers"][0]["answer"], "No", "{reply}");
    assert_eq!(
        reply["answers"][1]["answer"].to_string(),
        r#"["Auth","Tests"]"#
    );
    assert!(asker.child.wait().expect("our child process").success());
    let record = json(&sandbox.run_ok(&["show", id.trim_matches('"'), "--json"]));
    assert_eq!(record["delivered"], true, "{record}");
    assert_eq!(text(&record["asker"], "client"), asks.name());
}

#[test]
fn both_examples_report_an_invalid_call() {
    for example in [Example::Python, Example::TypeScript] {
        let sandbox = Sandbox::new();
        let mut asker = example.start(&sandbox, &["ask", r#"{"questions":[]}"#]);
        assert!(!asker.child.wait().expect("our child process").success());
        let said = asker.err.rest();
        assert!(said.contains("must have at least 1 question"), "{said}");
    }
}

impl Example {
    fn name(self) -> &'static str {
        match self {
            Self::Python => "python-example",
            Self::TypeScript => "typescript-example",
        }
    }

    fn start(self, sandbox: &Sandbox, arguments: &[&str]) -> Running {
        let (program, script) = match self {
            Self::Python => ("python3", folder().join("python/ask_user.py")),
            Self::TypeScript => ("node", compiled("typescript", "ask-user")),
        };
        let mut command = sandbox.command(program);
        let binary = Path::new(BINARY)
            .parent()
            .expect("the binary is in a folder");
        let path = std::env::var("PATH").unwrap_or_default();
        command.env("PATH", format!("{}:{path}", binary.display()));
        command.arg(script).args(arguments).stdin(Stdio::piped());
        sandbox.start(self.name(), command)
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// A TypeScript example compiled to JavaScript and type-checked, once in a test run, for versions
/// of Node that can't run TypeScript.
pub(crate) fn compiled(example: &'static str, script: &str) -> PathBuf {
    static COMPILED: Mutex<BTreeMap<&str, PathBuf>> = Mutex::new(BTreeMap::new());
    let mut compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    let out = compiled.entry(example).or_insert_with(|| compile(example));
    out.join(script).with_extension("js")
}

fn compile(example: &str) -> PathBuf {
    let peers = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/peers/node_modules");
    let compiler = peers.join("typescript/bin/tsc");
    assert!(
        compiler.exists(),
        "TypeScript is not installed: run ./test once, or tests/peers/install"
    );
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("example-{example}"));
    let mut command = Command::new("node");
    command.arg(compiler).arg("-p").arg(folder().join(example));
    command.arg("--typeRoots").arg(peers.join("@types"));
    command.arg("--outDir").arg(&out).stdin(Stdio::null());
    let output = run_to_end(command);
    assert!(output.status.success(), "it compiles: {output:?}");
    let package = folder().join(example).join("package.json");
    std::fs::copy(package, out.join("package.json")).expect("the target folder is writable");
    out
}
