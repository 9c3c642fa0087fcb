//! A host that asks waits like any agent: any surface may answer, the host may leave, be killed and
//! come back, and its hub may be killed. No answer is lost, and none is delivered twice.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use rustix::process::Signal;

use super::{NO, SHIP};
use crate::support::host::Host;
use crate::support::hub::{Hub, send_signal};
use crate::support::person::Person;
use crate::support::sandbox::{BINARY, Sandbox, run_to_end};
use crate::support::{json, text};

#[test]
fn an_answer_from_any_surface_is_delivered() {
    let sandbox = Sandbox::new();
    let mut host = Host::start(&sandbox, &["--client", "my-editor"]);
    let mut person = Person::new(&sandbox);
    host.ask("r1", SHIP);
    let id = host.receive_opened("r1");
    assert_eq!(person.next_ask(), id);
    person.answer(&id, &["--set", "No"]);
    let facts = host.receive_reply("r1", NO);
    assert_eq!(facts["ask-user/askId"], *id);
    assert_eq!(facts["ask-user/answeredBy"], "cli");
    let told = person.wait_for("the answer is delivered", |record| {
        record["delivered"] == true
    });
    assert_eq!(told["asker"]["client"], "my-editor");
    assert!(host.end().success());
}

#[test]
fn concurrent_requests_keep_their_ids() {
    let sandbox = Sandbox::new();
    let mut host = Host::start(&sandbox, &[]);
    let mut person = Person::new(&sandbox);
    let mut ids = Vec::new();
    for name in ["7", r#""seven""#, r#""7""#] {
        host.send_message(&format!(
            r#"{{"requestId":{name},"type":"ask_user_request","questions":[{{"question":"Number {}?"}}]}}"#,
            name.replace('"', "'")
        ));
        ids.push(text(&host.receive("ask_user_opened"), "askId"));
        person.next_ask();
    }
    for (id, name) in ids.iter().zip(["7", r#""seven""#, r#""7""#]).rev() {
        person.answer(id, &["--other", &format!("to {name}")]);
        let told = host.receive("ask_user_response");
        assert_eq!(told["requestId"].to_string(), name);
        assert_eq!(told["answers"][0]["answer"], format!("to {name}"));
    }
}

#[test]
fn one_ask_too_many_is_refused() {
    let sandbox = Sandbox::new();
    sandbox.write_settings("[limits]\nopen_asks_per_agent = 1\n");
    let mut host = Host::start(&sandbox, &[]);
    host.ask("r1", SHIP);
    host.receive_opened("r1");
    host.send_message(
        r#"{"type":"ask_user_request","requestId":"r2","questions":[{"question":"And?"}]}"#,
    );
    let mistake = host.receive("ask_user_error");
    assert_eq!(mistake["requestId"], "r2", "{mistake}");
    assert_eq!(mistake["code"], "refused", "{mistake}");
    let said = text(&mistake, "message");
    assert!(
        said.starts_with("1 questions") && said.contains("limits."),
        "{mistake}"
    );
}

#[test]
fn every_dialect_gets_exact_replies() {
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
        host.send_message(&format!(
            r#"{{"type":"ask_user_request","requestId":"r",{call}}}"#
        ));
        let id = host.receive_opened("r");
        sandbox.run_ok(&["decline", &id, "--reason", "no time"]);
        if reply.is_empty() {
            let told = host.receive("ask_user_response");
            assert_eq!(told["cancelled"], true, "{told}");
            assert_eq!(told["reason"], "no time", "{told}");
        } else {
            host.receive_reply("r", &reply.replace("SHORT", &id[..8]));
        }
    }
}

#[test]
fn a_killed_host_leaves_its_ask_and_the_next_one_takes_it_up() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let mut host = Host::start(&sandbox, &[]);
    host.ask("r1", SHIP);
    let id = host.receive_opened("r1");
    person.next_ask();
    send_signal(host.process.child.id(), Signal::KILL);
    person.wait_for("no call waits", |record| {
        record["askId"] == *id && record.get("waiters").is_none()
    });

    let mut again = Host::start(&sandbox, &[]);
    again.ask("other-name", SHIP);
    assert_eq!(
        again.receive_opened("other-name"),
        id,
        "the same ask, still open"
    );
    send_signal(again.process.child.id(), Signal::KILL);
    drop(again);
    person.answer(&id, &["--set", "No"]);
    assert_eq!(person.record(&id)["delivered"], false);

    let mut last = Host::start(&sandbox, &[]);
    last.ask("r1", SHIP);
    let facts = last.receive_reply("r1", NO);
    assert_eq!(facts["ask-user/late"], true, "{facts}");
    person.wait_for("the answer is delivered", |record| {
        record["delivered"] == true
    });
    last.ask("r2", SHIP);
    assert_ne!(
        last.receive_opened("r2"),
        id,
        "delivered once; this is a new ask"
    );
}

#[test]
fn a_killed_hub_does_not_affect_the_host() {
    let sandbox = Sandbox::new();
    let mut host = Host::start(&sandbox, &[]);
    host.ask("r1", SHIP);
    let id = host.receive_opened("r1");
    Hub::connect(&sandbox).kill();
    sandbox.run_ok(&["answer", &id, "--set", "No"]);
    host.receive_reply("r1", NO);
    host.ask("r2", r#"[{"question":"And then?"}]"#);
    host.receive_opened("r2");
}

#[test]
fn an_unread_outcome_stays_undelivered() {
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
    sandbox.run_ok(&["answer", &id, "--set", "No"]);
    let status = child.wait().expect("our child process");
    assert!(status.success(), "a host that goes is no failure");
    let record = json(&sandbox.run_ok(&["show", &id, "--json"]));
    assert_eq!(record["delivered"], false);
    drop(input);
}

#[test]
fn requests_before_end_of_input_are_asked() {
    let sandbox = Sandbox::new();
    let file = sandbox.home().join("lines");
    let lines = format!(r#"{{"type":"ask_user_request","requestId":1,"questions":{SHIP}}}"#);
    std::fs::write(&file, lines).expect("a writable home");
    let mut command = sandbox.command(BINARY);
    command.arg("rpc");
    command.stdin(std::fs::File::open(file).expect("a written file"));
    let output = run_to_end(command);
    assert!(output.status.success());
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("ask_user_opened"), "{said}");
    assert!(sandbox.run_ok(&["list"]).contains("Ship it?"));
}

#[test]
fn a_host_withdraws_or_leaves_an_ask() {
    let sandbox = Sandbox::new();
    let mut host = Host::start(&sandbox, &[]);
    host.ask("r1", SHIP);
    let id = host.receive_opened("r1");
    host.send_message(r#"{"type":"ask_user_leave","requestId":"r1"}"#);
    assert_eq!(text(&host.receive("ask_user_left"), "askId"), id);
    assert!(sandbox.run_ok(&["list"]).contains("stopped waiting"));
    // The host asks the same again under another request id.
    host.ask("r2", SHIP);
    assert_eq!(host.receive_opened("r2"), id);
    host.send_message(r#"{"type":"ask_user_withdraw","requestId":"r2"}"#);
    host.receive_reply("r2", r#"{"answered":false,"answers":[],"withdrawn":true}"#);
    let record = json(&sandbox.run_ok(&["show", &id, "--json"]));
    assert_eq!(record["state"], "withdrawn");
    host.send_message(r#"{"type":"ask_user_withdraw","requestId":"r2"}"#);
    host.receive_error("unknown");
}

#[test]
fn a_host_describes_the_asker() {
    let sandbox = Sandbox::new();
    let folder = sandbox.home().join("shop");
    std::fs::create_dir(&folder).expect("a writable home");
    let mut host = Host::start_with_env(&sandbox, &[], &[("ASK_USER_SESSION", "s0")]);
    host.ask("r1", SHIP);
    let first = json(&sandbox.run_ok(&["show", &host.receive_opened("r1"), "--json"]));
    assert_eq!(first["asker"]["client"], "ask-user rpc");
    assert_eq!(first["asker"]["session"], "s0");
    host.send_message(&format!(
        r#"{{"type":"ask_user_hello","client":"my-editor","version":"2","agent":"helper","session":"s1","directory":"{}"}}"#,
        folder.display()
    ));
    host.ask("r2", SHIP);
    let second = json(&sandbox.run_ok(&["show", &host.receive_opened("r2"), "--json"]));
    let asker = &second["asker"];
    assert_eq!(asker["client"], "my-editor");
    assert_eq!(asker["clientVersion"], "2");
    assert_eq!(asker["agent"], "helper");
    assert_eq!(asker["session"], "s1");
    assert_eq!(asker["project"], "shop");
    assert_eq!(asker["directory"], folder.display().to_string());
}

#[test]
fn undelivered_outcomes_can_be_fetched() {
    let sandbox = Sandbox::new();
    for (dialect, name) in [("pi", "one"), ("pi", "two"), ("native", "three")] {
        let mut host = Host::start(&sandbox, &["--dialect", dialect]);
        host.send_message(&format!(
            r#"{{"type":"ask_user_request","requestId":"r","questions":[{{"question":"Number {name}?"}}],"metadata":{{"mine":"{name}"}}}}"#
        ));
        let id = host.receive_opened("r");
        host.end();
        sandbox.run_ok(&["answer", &id, "--set", name]);
    }
    let mut host = Host::start(&sandbox, &[]);
    let mut fetched = |names: &[&str]| {
        host.send_message(r#"{"type":"ask_user_fetch","requestId":"f"}"#);
        let line = host.receive("ask_user_fetched");
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
    host.end();
    let mut other = Host::start(&sandbox, &["--dialect", "native"]);
    other.send_message(r#"{"type":"ask_user_fetch","requestId":1}"#);
    let line = other.receive("ask_user_fetched");
    assert_eq!(
        line["asks"][0]["answers"][0]["values"][0], "three",
        "{line}"
    );
}
