//! `prompt --mode rpc`: one call, shown by the program on standard streams and by all other
//! surfaces. A program that ends hasn't answered.

use super::{CALL, PICKED, write};
use crate::support::host::Host;
use crate::support::hub::Hub;
use crate::support::json;
use crate::support::sandbox::Sandbox;

/// The host's exit code and its last line.
fn finish(mut host: Host) -> (Option<i32>, String) {
    let said = host.process.out.rest();
    let status = host.process.child.wait().expect("our child process");
    let last = said.lines().last().unwrap_or_default();
    (status.code(), last.to_owned())
}

fn start_prompt(sandbox: &Sandbox, dialect: &str, file: &str) -> Host {
    write(sandbox, "call.json", CALL);
    let arguments = ["prompt", "--mode", "rpc", "--dialect", dialect, file];
    Host::start_command(sandbox, &arguments, &[])
}

#[test]
fn the_hosts_answer_is_the_reply() {
    for file in ["call.json", "-"] {
        let sandbox = Sandbox::new();
        let mut host = start_prompt(&sandbox, "pi", file);
        if file == "-" {
            host.send_message(CALL);
        }
        let id = host.next_shown();
        host.send_message("nonsense");
        host.receive_error("malformed");
        host.respond("a_another", r#""answers":["1"]"#);
        host.receive_error("unknown");
        host.respond(&id, r#""answers":[]"#);
        host.receive_error("unfinished");
        host.respond(&id, r#""answers":["PostgreSQL"]"#);
        assert_eq!(finish(host), (Some(0), PICKED.to_owned()), "{file}");
        let record = json(&sandbox.run_ok(&["show", &id, "--json"]));
        assert_eq!(record["delivered"], true);
        assert_eq!(record["answeredBy"], "rpc");
    }
}

#[test]
fn a_host_answers_only_the_call_of_its_prompt() {
    let sandbox = Sandbox::new();
    let other = sandbox.ask(&["Drop the table?", "--confirm"]);
    let mut host = start_prompt(&sandbox, "pi", "call.json");
    let id = host.next_shown();
    for response in [r#""answers":["yes"]"#, r#""cancelled":true"#] {
        host.respond(&other, response);
        host.receive_error("unknown");
    }
    let record = json(&sandbox.run_ok(&["show", &other, "--json"]));
    assert_eq!(record["state"], "waiting", "{record}");
    host.respond(&id, r#""answers":["PostgreSQL"]"#);
    assert_eq!(finish(host), (Some(0), PICKED.to_owned()));
}

#[test]
fn a_host_that_ends_has_not_answered() {
    let sandbox = Sandbox::new();
    let mut host = start_prompt(&sandbox, "pi", "call.json");
    let id = host.next_shown();
    host.close_input();
    let lost = r#"{"answered":false,"answers":[],"connectionLost":true}"#;
    assert_eq!(finish(host), (Some(8), lost.to_owned()));
    // The ask stays. The same call takes it up, first unanswered and then with its answer.
    let mut host = start_prompt(&sandbox, "pi", "call.json");
    assert_eq!(host.next_shown(), id);
    host.close_input();
    finish(host);
    sandbox.run_ok(&["answer", &id, "--set", "PostgreSQL"]);
    let host = start_prompt(&sandbox, "pi", "call.json");
    assert_eq!(finish(host), (Some(0), PICKED.to_owned()));

    let mut host = start_prompt(&sandbox, "native", "call.json");
    host.next_shown();
    host.close_input();
    let (code, reply) = finish(host);
    assert_eq!(code, Some(8));
    assert_eq!(json(&reply)["waiting"], true, "{reply}");
}

#[test]
fn an_answer_from_elsewhere_ends_the_prompt() {
    let sandbox = Sandbox::new();
    let mut host = start_prompt(&sandbox, "pi", "call.json");
    let id = host.next_shown();
    Hub::connect(&sandbox).kill();
    sandbox.run_ok(&["answer", &id, "--set", "PostgreSQL"]);
    assert_eq!(finish(host), (Some(0), PICKED.to_owned()));
    for (verb, code, word) in [
        (&["decline"][..], 3, "cancelled"),
        (&["clarify", "Why?"][..], 7, "clarify"),
    ] {
        let mut host = start_prompt(&sandbox, "pi", "call.json");
        let id = host.next_shown();
        sandbox.run_ok(&[&verb[..1], &[&id], &verb[1..]].concat());
        let (ended, reply) = finish(host);
        assert_eq!(ended, Some(code), "{reply}");
        assert!(reply.contains(word), "{reply}");
    }
}
