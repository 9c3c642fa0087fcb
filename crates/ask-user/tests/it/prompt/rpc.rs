//! `prompt --mode rpc`: one call, shown by the program on standard streams and by all other
//! surfaces. A program that ends hasn't answered.

use super::{CALL, PICKED, write};
use crate::support::host::Host;
use crate::support::hub::Hub;
use crate::support::json;
use crate::support::sandbox::Sandbox;

/// The host's exit code and its last line.
fn ends(mut host: Host) -> (Option<i32>, String) {
    let said = host.process.out.rest();
    let status = host.process.child.wait().expect("our child process");
    let last = said.lines().last().unwrap_or_default();
    (status.code(), last.to_owned())
}

fn prompt(sandbox: &Sandbox, dialect: &str, file: &str) -> Host {
    write(sandbox, "call.json", CALL);
    let arguments = ["prompt", "--mode", "rpc", "--dialect", dialect, file];
    Host::silent(sandbox, &arguments, &[])
}

#[test]
fn the_program_shows_the_call_and_its_answer_is_the_reply() {
    for file in ["call.json", "-"] {
        let sandbox = Sandbox::new();
        let mut host = prompt(&sandbox, "pi", file);
        if file == "-" {
            host.says(CALL);
        }
        let id = host.shows();
        host.says("nonsense");
        host.errs("malformed");
        host.responds("a_another", r#""answers":["1"]"#);
        host.errs("unknown");
        host.responds(&id, r#""answers":[]"#);
        host.errs("unfinished");
        host.responds(&id, r#""answers":["PostgreSQL"]"#);
        assert_eq!(ends(host), (Some(0), PICKED.to_owned()), "{file}");
        let record = json(&sandbox.done(&["show", &id, "--json"]));
        assert_eq!(record["delivered"], true);
        assert_eq!(record["answeredBy"], "rpc");
    }
}

#[test]
fn a_program_that_goes_has_not_answered() {
    let sandbox = Sandbox::new();
    let mut host = prompt(&sandbox, "pi", "call.json");
    let id = host.shows();
    host.closes();
    let lost = r#"{"answered":false,"answers":[],"connectionLost":true}"#;
    assert_eq!(ends(host), (Some(8), lost.to_owned()));
    // The ask stays. The same call takes it up, first unanswered and then with its answer.
    let mut host = prompt(&sandbox, "pi", "call.json");
    assert_eq!(host.shows(), id);
    host.closes();
    ends(host);
    sandbox.done(&["answer", &id, "--set", "PostgreSQL"]);
    let host = prompt(&sandbox, "pi", "call.json");
    assert_eq!(ends(host), (Some(0), PICKED.to_owned()));

    let mut host = prompt(&sandbox, "native", "call.json");
    host.shows();
    host.closes();
    let (code, reply) = ends(host);
    assert_eq!(code, Some(8));
    assert_eq!(json(&reply)["waiting"], true, "{reply}");
}

#[test]
fn an_answer_from_elsewhere_wins_too() {
    let sandbox = Sandbox::new();
    let mut host = prompt(&sandbox, "pi", "call.json");
    let id = host.shows();
    Hub::of(&sandbox).kill();
    sandbox.done(&["answer", &id, "--set", "PostgreSQL"]);
    assert_eq!(ends(host), (Some(0), PICKED.to_owned()));
    for (verb, code, word) in [
        (&["decline"][..], 3, "cancelled"),
        (&["clarify", "Why?"][..], 7, "clarify"),
    ] {
        let mut host = prompt(&sandbox, "pi", "call.json");
        let id = host.shows();
        sandbox.done(&[&verb[..1], &[&id], &verb[1..]].concat());
        let (ended, reply) = ends(host);
        assert_eq!(ended, Some(code), "{reply}");
        assert!(reply.contains(word), "{reply}");
    }
}
