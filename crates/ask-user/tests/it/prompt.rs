//! `ask-user prompt` in each mode, with a terminal and without, and the files of its print mode:
//! who may answer where, whose answer counts, and that no text is lost.

mod pending;
mod rpc;

use std::process::Output;

use crate::support::sandbox::{BINARY, Sandbox, run_to_end};
use crate::support::screen::Screen;

/// A call that both dialects accept.
const CALL: &str = r#"{"questions":[{"question":"Which database?","header":"Database","options":[{"label":"SQLite"},{"label":"PostgreSQL","description":"Battle-tested"}]}]}"#;
/// The reply in pi's dialect when the second option was picked.
const PICKED: &str = r#"{"answered":true,"answers":[{"question":"Which database?","answer":"PostgreSQL","selectedOption":"PostgreSQL","wasCustom":false}]}"#;

/// The result of a command: its exit code, output and errors.
struct CommandOutput {
    code: i32,
    out: String,
    err: String,
}

impl CommandOutput {
    fn new(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_owned();
        Self {
            code: output.status.code().expect("no signal ended it"),
            out: text(&output.stdout),
            err: text(&output.stderr),
        }
    }
}

/// Runs a command without a terminal, even if this test has one.
fn run(sandbox: &Sandbox, arguments: &[&str]) -> CommandOutput {
    let mut command = sandbox.command("setsid");
    command.arg("--wait").arg(BINARY).args(arguments);
    CommandOutput::new(&run_to_end(command))
}

fn write(sandbox: &Sandbox, name: &str, text: &str) {
    std::fs::write(sandbox.home().join(name), text).expect("a writable home");
}

#[test]
fn prompt_modes_without_a_terminal() {
    for (dialect, folder) in [("pi", ".pi"), ("native", ".ask-user")] {
        for (mode, code, file) in [
            ("auto", 8, true),
            ("pending", 8, true),
            ("rpc", 8, false),
            ("tui", 2, false),
            ("plain", 2, false),
        ] {
            let sandbox = Sandbox::new();
            write(&sandbox, "call.json", CALL);
            let output = run(
                &sandbox,
                &["prompt", "--dialect", dialect, "--mode", mode, "call.json"],
            );
            let who = format!("{dialect} {mode}: {} {}", output.out, output.err);
            assert_eq!(output.code, code, "{who}");
            let path = format!("{folder}/pending-questions.json");
            assert_eq!(sandbox.home().join(&path).exists(), file, "{who}");
            let waits = sandbox.run_ok(&["list"]).contains("Which database?");
            assert_eq!(waits, code == 8, "asked and open, or not asked: {who}");
            if file && dialect == "pi" {
                let reply = format!(r#"{{"answered":false,"answers":[],"pendingFile":"{path}"}}"#);
                assert_eq!(output.out, reply);
                assert!(output.err.ends_with(&format!("Questions saved to: {path}")));
            } else if code == 8 {
                let word = match (dialect, mode) {
                    ("pi", _) => r#""connectionLost":true"#,
                    _ => r#""waiting":true"#,
                };
                assert!(output.out.contains(word), "{who}");
            } else {
                assert_eq!(output.out, "");
                assert!(output.err.contains("--mode pending"), "a way out: {who}");
            }
        }
    }
}

#[test]
fn prompt_modes_on_a_terminal() {
    for dialect in ["pi", "native"] {
        for (mode, drawn) in [("auto", true), ("tui", true), ("plain", false)] {
            let sandbox = Sandbox::new();
            write(&sandbox, "call.json", CALL);
            let script =
                format!(r#""$0" prompt --dialect {dialect} --mode {mode} call.json >reply"#);
            let screen = Screen::start(&sandbox, &[], &["sh", "-c", &script, BINARY]);
            screen.wait_for("Which database?");
            if drawn {
                screen.wait_until_ready();
                screen.press(&["2"]);
                screen.wait_for("✓ chosen");
                screen.press(&["Enter"]);
            } else {
                screen.wait_for("Your choice (number");
                screen.press(&["2", "Enter"]);
                screen.wait_for("Send?");
                screen.press(&["y", "Enter"]);
            }
            assert_eq!(screen.wait_for_exit(), 0, "{dialect} {mode}");
            let reply = std::fs::read_to_string(sandbox.home().join("reply"));
            let reply = reply.expect("a written file");
            assert!(reply.contains("PostgreSQL"), "{reply}");
            assert!(
                !reply.contains('\u{1b}'),
                "nothing but the reply: {reply:?}"
            );
            if dialect == "pi" {
                assert_eq!(reply.trim_end(), PICKED);
            }
        }
        for (mode, code) in [("pending", 8), ("rpc", 8)] {
            let sandbox = Sandbox::new();
            write(&sandbox, "call.json", CALL);
            let script = format!(
                r#""$0" prompt --dialect {dialect} --mode {mode} call.json </dev/null >reply"#
            );
            let screen = Screen::start(&sandbox, &[], &["sh", "-c", &script, BINARY]);
            assert_eq!(
                screen.wait_for_exit(),
                code,
                "{dialect} {mode}: the terminal is left alone"
            );
            let reply = std::fs::read_to_string(sandbox.home().join("reply"));
            assert!(
                reply
                    .expect("a written file")
                    .contains("\"answered\":false")
            );
        }
    }
}

#[test]
fn answers_that_come_with_the_call_need_no_surface() {
    let sandbox = Sandbox::new();
    write(&sandbox, "call.json", CALL);
    let answered = |answers: &str| {
        let arguments = [
            "prompt",
            "--dialect",
            "pi",
            "--answers",
            answers,
            "call.json",
        ];
        run(&sandbox, &arguments)
    };
    let output = answered(r#"["PostgreSQL"]"#);
    assert_eq!(
        (output.code, output.out.as_str()),
        (0, PICKED),
        "{}",
        output.err
    );
    for (answers, words) in [
        ("[]", "nothing is answered yet"),
        ("nonsense", "--answers: not valid JSON"),
        (r#"["a","b"]"#, "2 answers for 1 question"),
    ] {
        let output = answered(answers);
        assert_eq!((output.code, output.out.as_str()), (2, ""), "{answers}");
        assert!(output.err.contains(words), "{answers}: {}", output.err);
    }
    assert!(
        sandbox.run_ok(&["list"]).contains("Nothing"),
        "nothing waits"
    );
}
