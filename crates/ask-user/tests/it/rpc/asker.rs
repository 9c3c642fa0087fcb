//! A host that asks waits like any agent: any surface may answer, the host may leave, be killed and
//! come back, and its hub may be killed. No answer is lost, and none is delivered twice.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use rustix::process::Signal;

use super::{NO, SHIP};
use crate::support::host::Host;
use crate::support::hub::{Hub, send_signal};
use crate::support::person::Person;
use crate::support::sandbox::{BINARY, Sandbox, ended};
use crate::support::{json, text};

#[test]
fn an_answer_from_anywhere_is_told_and_counts_as_delivered() {
    let sandbox = Sandbox::new();
    let mut host = Host::start(&sandbox, &["--client", "my-editor"]);
    let mut person = Person::at(&sandbox);
    host.asks("r1", SHIP);
    let id = host.opened("r1");
    assert_eq!(person.asked(), id);
    person.answers(&id, &["--set", "No"]);
    let facts = host.told("r1", NO);
    assert_eq!(facts["ask-user/askId"], *id);
    assert_eq!(facts["ask-user/answeredBy"], "cli");
    let told = person.sees("the answer is delivered", |record| {
        record["delivered"] == true
    });
    assert_eq!(told["asker"]["client"], "my-editor");
    assert!(host.ends().success());
}

#[test]
fn several_requests_wait_at_once_and_their_names_come_back_as_they_were() {
    let sandbox = Sandbox::new();
    let mut host = Host::start(&sandbox, &[]);
    let mut person = Person::at(&sandbox);
    let mut ids = Vec::new();
    for name in ["7", r#""seven""#, r#""7""#] {
        host.says(&format!(
            r#"{{"requestId":{name},"type":"ask_user_request","questions":[{{"question":"Number {}?"}}]}}"#,
            name.replace('"', "'")
        ));
        ids.push(text(&host.hears("ask_user_opened"), "askId"));
        person.asked();
    }
    for (id, name) in ids.iter().zip(["7", r#""seven""#, r#""7""#]).rev() {
        person.answers(id, &["--other", &format!("to {name}")]);
        let told = host.hears("ask_user_response");
        assert_eq!(told["requestId"].to_string(), name);
        assert_eq!(told["answers"][0]["answer"], format!("to {name}"));
    }
}

#[test]
fn one_ask_too_many_is_refused() {
    let sandbox = Sandbox::new();
    sandbox.settings("[limits]\nopen_asks_per_agent = 1\n");
    let mut host = Host::start(&sandbox, &[]);
    host.asks("r1", SHIP);
    host.opened("r1");
    host.says(r#"{"type":"ask_user_request","requestId":"r2","questions":[{"question":"And?"}]}"#);
    let mistake = host.hears("ask_user_error");
    assert_eq!(mistake["requestId"], "r2", "{mistake}");
    assert_eq!(mistake["code"], "refused", "{mistake}");
    let said = text(&mistake, "message");
    assert!(
        said.starts_with("1 questions") && said.contains("limits."),
        "{mistake}"
    );
}

#[test]
fn every_dialect_is_spoken_to_the_letter() {
    let declined = [
        ("native", r#""questions":[{"question":"Ship it?"}]"#, ""),
        (
            "claude",
            r#""questions":[{"question":"Ship it?","header":"Ship","multiSelect":false,"options":[{"label":"Yes","description":"now"},{"label":"No","description":"later"}]}]"#,
            r#"{"text":"The user declined to answer these questions. Reason: no time","isError":true}"#,
        ),
        (
            "codenomad",
            r#""questions":[{"question":"Ship it?","type":"confirm"}]"#,
            r#"{"answered":false,"cancelled":true,"timedOut":false,"answers":[],"reason":"no time"}"#,
        ),
        (
            "auq",
            r#""questions":[{"prompt":"Ship it?","title":"Ship","multiSelect":false,"options":[{"label":"Yes"},{"label":"No"}]}]"#,
            r#"{"text":"[Session: SHORT | Questions: 1]\n\nUser rejected this question set.\n\nRejection reason: \"no time\"\n\n"}"#,
        ),
    ];
    for (dialect, call, reply) in declined {
        let sandbox = Sandbox::new();
        let mut host = Host::start(&sandbox, &["--dialect", dialect]);
        host.says(&format!(
            r#"{{"type":"ask_user_request","requestId":"r",{call}}}"#
        ));
        let id = host.opened("r");
        sandbox.done(&["decline", &id, "--reason", "no time"]);
        if reply.is_empty() {
            let told = host.hears("ask_user_response");
            assert_eq!(told["cancelled"], true, "{told}");
            assert_eq!(told["reason"], "no time", "{told}");
        } else {
            host.told("r", &reply.replace("SHORT", &id[..8]));
        }
    }
}

#[test]
fn a_killed_host_leaves_its_ask_and_the_next_one_takes_it_up() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let mut host = Host::start(&sandbox, &[]);
    host.asks("r1", SHIP);
    let id = host.opened("r1");
    person.asked();
    send_signal(host.process.child.id(), Signal::KILL);
    person.sees("no call waits", |record| {
        record["askId"] == *id && record.get("waiters").is_none()
    });

    let mut again = Host::start(&sandbox, &[]);
    again.asks("other-name", SHIP);
    assert_eq!(again.opened("other-name"), id, "the same ask, still open");
    send_signal(again.process.child.id(), Signal::KILL);
    drop(again);
    person.answers(&id, &["--set", "No"]);
    assert_eq!(person.shows(&id)["delivered"], false);

    let mut last = Host::start(&sandbox, &[]);
    last.asks("r1", SHIP);
    let facts = last.told("r1", NO);
    assert_eq!(facts["ask-user/late"], true, "{facts}");
    person.sees("the answer is delivered", |record| {
        record["delivered"] == true
    });
    last.asks("r2", SHIP);
    assert_ne!(last.opened("r2"), id, "delivered once; this is a new ask");
}

#[test]
fn a_killed_hub_is_not_noticed() {
    let sandbox = Sandbox::new();
    let mut host = Host::start(&sandbox, &[]);
    host.asks("r1", SHIP);
    let id = host.opened("r1");
    Hub::of(&sandbox).kill();
    sandbox.done(&["answer", &id, "--set", "No"]);
    host.told("r1", NO);
    host.asks("r2", r#"[{"question":"And then?"}]"#);
    host.opened("r2");
}

#[test]
fn an_outcome_that_nobody_reads_is_kept() {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command(BINARY);
    command.arg("rpc");
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("the process starts");
    let mut input = child.stdin.take().expect("its input is piped");
    let mut output = BufReader::new(child.stdout.take().expect("its output is piped"));
    let line = format!(r#"{{"type":"ask_user_request","requestId":1,"questions":{SHIP}}}"#);
    writeln!(input, "{line}").expect("the process reads its input");
    let mut line = String::new();
    while !line.contains("ask_user_opened") {
        line.clear();
        output
            .read_line(&mut line)
            .expect("the process writes a line");
    }
    drop(output);
    let id = text(&json(&line), "askId");
    sandbox.done(&["answer", &id, "--set", "No"]);
    let status = child.wait().expect("our child process");
    assert!(status.success(), "a host that goes is no failure");
    let record = json(&sandbox.done(&["show", &id, "--json"]));
    assert_eq!(record["delivered"], false);
    drop(input);
}

#[test]
fn what_was_said_before_the_end_is_asked() {
    let sandbox = Sandbox::new();
    let file = sandbox.home().join("lines");
    let lines = format!(r#"{{"type":"ask_user_request","requestId":1,"questions":{SHIP}}}"#);
    std::fs::write(&file, lines).expect("a writable home");
    let mut command = sandbox.command(BINARY);
    command.arg("rpc");
    command.stdin(std::fs::File::open(file).expect("a written file"));
    let output = ended(command);
    assert!(output.status.success());
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("ask_user_opened"), "{said}");
    assert!(sandbox.done(&["list"]).contains("Ship it?"));
}

#[test]
fn a_host_takes_an_ask_back_or_only_stops_waiting() {
    let sandbox = Sandbox::new();
    let mut host = Host::start(&sandbox, &[]);
    host.asks("r1", SHIP);
    let id = host.opened("r1");
    host.says(r#"{"type":"ask_user_leave","requestId":"r1"}"#);
    assert_eq!(text(&host.hears("ask_user_left"), "askId"), id);
    assert!(sandbox.done(&["list"]).contains("stopped waiting"));
    // The host asks the same again under another request id.
    host.asks("r2", SHIP);
    assert_eq!(host.opened("r2"), id);
    host.says(r#"{"type":"ask_user_withdraw","requestId":"r2"}"#);
    host.told("r2", r#"{"answered":false,"answers":[],"withdrawn":true}"#);
    let record = json(&sandbox.done(&["show", &id, "--json"]));
    assert_eq!(record["state"], "withdrawn");
    host.says(r#"{"type":"ask_user_withdraw","requestId":"r2"}"#);
    host.errs("unknown");
}

#[test]
fn a_host_says_who_asks() {
    let sandbox = Sandbox::new();
    let folder = sandbox.home().join("shop");
    std::fs::create_dir(&folder).expect("a writable home");
    let mut host = Host::with(&sandbox, &[], &[("ASK_USER_SESSION", "s0")]);
    host.asks("r1", SHIP);
    let first = json(&sandbox.done(&["show", &host.opened("r1"), "--json"]));
    assert_eq!(first["asker"]["client"], "ask-user rpc");
    assert_eq!(first["asker"]["session"], "s0");
    host.says(&format!(
        r#"{{"type":"ask_user_hello","client":"my-editor","version":"2","agent":"helper","session":"s1","directory":"{}"}}"#,
        folder.display()
    ));
    host.asks("r2", SHIP);
    let second = json(&sandbox.done(&["show", &host.opened("r2"), "--json"]));
    let asker = &second["asker"];
    assert_eq!(asker["client"], "my-editor");
    assert_eq!(asker["clientVersion"], "2");
    assert_eq!(asker["agent"], "helper");
    assert_eq!(asker["session"], "s1");
    assert_eq!(asker["project"], "shop");
    assert_eq!(asker["directory"], folder.display().to_string());
}

#[test]
fn what_was_told_to_nobody_can_be_fetched_without_asking_again() {
    let sandbox = Sandbox::new();
    for (dialect, name) in [("pi", "one"), ("pi", "two"), ("native", "three")] {
        let mut host = Host::start(&sandbox, &["--dialect", dialect]);
        host.says(&format!(
            r#"{{"type":"ask_user_request","requestId":"r","questions":[{{"question":"Number {name}?"}}],"metadata":{{"mine":"{name}"}}}}"#
        ));
        let id = host.opened("r");
        host.ends();
        sandbox.done(&["answer", &id, "--set", name]);
    }
    let mut host = Host::start(&sandbox, &[]);
    let mut fetched = |names: &[&str]| {
        host.says(r#"{"type":"ask_user_fetch","requestId":"f"}"#);
        let line = host.hears("ask_user_fetched");
        let asks = line["asks"].as_array().expect("an array").clone();
        let found: Vec<&str> = asks
            .iter()
            .filter_map(|ask| ask["metadata"]["mine"].as_str())
            .collect();
        assert_eq!(found, names, "{line}");
        for ask in &asks {
            assert_eq!(ask["answers"][0]["answer"], ask["metadata"]["mine"]);
        }
    };
    fetched(&["one", "two"]);
    fetched(&[]);
    // The first host has to end: while one program runs two hosts, it isn't clear which of them
    // continues an ask.
    host.ends();
    let mut other = Host::start(&sandbox, &["--dialect", "native"]);
    other.says(r#"{"type":"ask_user_fetch","requestId":1}"#);
    let line = other.hears("ask_user_fetched");
    assert_eq!(
        line["asks"][0]["answers"][0]["values"][0], "three",
        "{line}"
    );
}
