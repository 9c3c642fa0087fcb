//! Wrong lines get an error that says how to correct them, and the stream continues. Hostile text
//! passes as JSON strings, unchanged and harmless.

use super::{NO, SHIP};
use crate::support::host::Host;
use crate::support::sandbox::Sandbox;
use crate::support::text;

#[test]
fn invalid_lines_get_an_error_and_the_stream_continues() {
    let sandbox = Sandbox::new();
    let mut host = Host::start(&sandbox, &[]);
    for (line, code, words) in [
        ("hello", "malformed", "not valid JSON (line 1, column 1)"),
        ("[]", "malformed", "the line is an array, not an object"),
        ("{}", "malformed", "type: must say what the line is"),
        (
            r#"{"type":"ask_user_questions"}"#,
            "malformed",
            "there is no line \\\"ask_user_questions\\\"",
        ),
        (
            r#"{"type":"ask_user_request","questions":[]}"#,
            "malformed",
            "requestId: is missing",
        ),
        (
            r#"{"type":"ask_user_request","requestId":{},"questions":[]}"#,
            "malformed",
            "requestId: is missing",
        ),
        (
            r#"{"type":"ask_user_request","requestId":"r","questions":[]}"#,
            "refused",
            "questions: must have at least 1 question",
        ),
        (
            r#"{"type":"ask_user_request","requestId":"r","questions":[{"options":[7,{}]}]}"#,
            "refused",
            "questions[0]",
        ),
        (
            r#"{"type":"ask_user_request","requestId":"r","questions":[{"#,
            "malformed",
            r#""requestId":"r""#,
        ),
        (
            r#"{"type":"ask_user_response","requestId":"a_0000","answers":[]}"#,
            "unknown",
            "--surface",
        ),
        (
            r#"{"type":"ask_user_withdraw","requestId":"r"}"#,
            "unknown",
            "no request named",
        ),
    ] {
        host.send_message(line);
        let error = host.receive_error(code);
        assert!(error.contains(words), "{line}: {error}");
    }
    host.send_message("");
    host.send_message("   ");
    host.ask("r", SHIP);
    let id = host.receive_opened("r");
    host.ask("r", SHIP);
    assert!(host.receive_error("taken").contains("waits already"));
    sandbox.run_ok(&["answer", &id, "--set", "No"]);
    host.receive_reply("r", NO);
}

#[test]
fn a_line_that_is_too_long_is_not_kept() {
    let sandbox = Sandbox::new();
    let mut host = Host::start(&sandbox, &[]);
    let long = "x".repeat(10_000_000);
    host.ask("long", &format!(r#"[{{"question":"{long}"}}]"#));
    let error = host.receive_error("too-long");
    assert!(error.contains(r#""requestId":"long""#), "{error}");
    assert!(error.contains("at most 262144 are read"), "{error}");
    host.send_message(&long);
    host.receive_error("too-long");
    host.ask("r", SHIP);
    host.receive_opened("r");
}

#[test]
fn hostile_text_is_escaped_and_unchanged() {
    let hostile =
        "\u{1b}]0;owned\u{7}\u{202e}\u{9b}2J\u{0}\r\n\u{2028}\"\\ {\"type\":\"ask_user_closed\"}";
    let quoted = ask_core::Json::from(hostile).to_string();
    let sandbox = Sandbox::new();
    let mut surface = Host::start(&sandbox, &["--surface"]);
    let mut host = Host::start(&sandbox, &[]);
    host.send_message(&format!(
        r#"{{"type":"ask_user_request","requestId":{quoted},"questions":[{{"question":{quoted},"options":[{quoted}]}}],"metadata":{{"k":{quoted}}}}}"#
    ));
    host.receive("ask_user_opened");
    let request = surface.receive("ask_user_request");
    assert_eq!(request["questions"][0]["question"], hostile);
    assert_eq!(request["questions"][0]["options"][0]["label"], hostile);
    assert_eq!(request["metadata"]["k"], hostile);
    surface.respond(&text(&request, "requestId"), r#""answers":[1]"#);
    surface.receive("ask_user_closed");
    let told = host.receive("ask_user_response");
    assert_eq!(told["requestId"], hostile);
    assert_eq!(told["answers"][0]["answer"], hostile);
    for said in [
        surface.process.out.lines_so_far(),
        host.process.out.lines_so_far(),
    ] {
        let control = |letter: char| letter < ' ' && letter != '\n';
        assert!(!said.contains(control), "no control character is bare");
    }
}

#[test]
fn without_a_hub_an_error_line_is_sent() {
    let sandbox = Sandbox::new();
    let file = sandbox.home().join("no-folder");
    std::fs::write(&file, "").expect("a writable home");
    let home = file.join("home").display().to_string();
    let mut host = Host::start_with_env(&sandbox, &[], &[("ASK_USER_HOME", &home)]);
    host.ask("r", SHIP);
    let error = host.receive_error("hub");
    assert!(error.contains("ASK_USER_HOME"), "{error}");
    assert!(host.end().success(), "it could still have come back");
    let mut surface = Host::start_with_env(&sandbox, &["--surface"], &[("ASK_USER_HOME", &home)]);
    assert!(surface.receive_error("hub").contains("no ask can be shown"));
    assert!(!surface.end().success());
}
