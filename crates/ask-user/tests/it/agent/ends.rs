//! How a server ends: with its input, on a signal, and when nobody reads its output; and which
//! kinds of streams it accepts.

use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;

use rustix::process::Signal;

use crate::support::agent::{Agent, Era};
use crate::support::hub::{Hub, send_signal};
use crate::support::json;
use crate::support::person::Person;
use crate::support::sandbox::{BINARY, Sandbox};

const ASK: &str = r#"{"question":"Which way?"}"#;

#[test]
fn end_of_input_ends_the_process_and_the_ask_stays_open() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let mut agent = Agent::connect(&sandbox, "native");
    let call = agent.call("ask_user", ASK);
    let id = person.next_ask();
    let (status, rest) = agent.end();
    assert!(status.success(), "{status}");
    assert!(rest.iter().all(|message| message["id"] != call), "{rest:?}");
    person.wait_for("no call waits any more", |record| {
        record["state"] == "waiting" && record.get("waiters").is_none()
    });
    person.answer(&id, &["--set", "left"]);
    let status = json(&sandbox.run_ok(&["status", "--json"]));
    assert_eq!(status["undelivered"], 1, "{status}");
}

#[test]
fn sigint_is_ignored_and_sigterm_ends_the_server() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let mut agent = Agent::connect(&sandbox, "native");
    let call = agent.call("ask_user", ASK);
    let id = person.next_ask();
    let pid = agent.server.child.id();
    send_signal(pid, Signal::INT);
    agent.assert_silent("anything about a key", |message| message["id"] == call);
    send_signal(pid, Signal::TERM);
    let (status, _) = agent.wait_for_exit();
    assert!(status.success() || status.signal().is_some(), "{status}");
    assert_eq!(person.record(&id)["state"], "waiting", "the ask stays");
}

#[test]
fn the_input_may_be_a_socket() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let (ours, theirs) = UnixStream::pair().expect("a pair of sockets");
    let mut command = sandbox.command(BINARY);
    command.arg("mcp").stdin(Stdio::from(OwnedFd::from(theirs)));
    let mut agent = Agent::from_streams(sandbox.start("mcp", command), ours);
    agent.open(Era::Initialize("2025-11-25"));
    let call = agent.call("ask_user", ASK);
    let id = person.next_ask();
    person.answer(&id, &["--set", "left"]);
    assert!(agent.receive_reply(call).contains("left"));
    let (status, _) = agent.end();
    assert!(status.success(), "{status}");
}

#[test]
fn the_output_may_be_a_socket() {
    let sandbox = Sandbox::new();
    let (mut ours, theirs) = UnixStream::pair().expect("a pair of sockets");
    let mut command = sandbox.command(BINARY);
    command
        .arg("mcp")
        .stdin(Stdio::from(OwnedFd::from(
            theirs.try_clone().expect("a socket can be shared"),
        )))
        .stdout(Stdio::from(OwnedFd::from(theirs)));
    let mut child = command.spawn().expect("mcp starts");
    drop(command);
    let line = br#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"s","version":"1"}}}"#;
    std::io::Write::write_all(&mut ours, line).expect("the server listens");
    std::io::Write::write_all(&mut ours, b"\n").expect("the server listens");
    let limit = Some(crate::support::lines::LIMIT);
    ours.set_read_timeout(limit).expect("a socket timeout");
    let mut reply = [0; 4096];
    let read = crate::support::lines::read_some(&mut ours, &mut reply)
        .expect("a reply within the time limit");
    let reply = String::from_utf8_lossy(&reply[..read]);
    assert_eq!(json(reply.trim())["id"], 1, "{reply}");
    drop(ours);
    let status = child.wait().expect("our child process");
    assert!(status.success(), "{status}");
}

#[test]
fn the_input_may_be_a_file() {
    let sandbox = Sandbox::new();
    let script = sandbox.home().join("script");
    let lines = concat!(
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"f","version":"1"}}}"#,
        "\n",
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        "\n",
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#,
        "\n",
    );
    std::fs::write(&script, lines).expect("the script is written");
    let file = std::fs::File::open(&script).expect("the script is there");
    let output = sandbox.command(BINARY).arg("mcp").stdin(file).output();
    let output = output.expect("mcp starts");
    assert!(output.status.success(), "{}", output.status);
    let said = String::from_utf8_lossy(&output.stdout);
    let ids: Vec<_> = said.lines().map(|line| json(line)["id"].clone()).collect();
    assert_eq!(ids, [1, 2], "both are answered before the end: {said}");
}

#[test]
fn an_agent_that_closes_its_output_counts_as_gone() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let mut command = sandbox.command(BINARY);
    command
        .arg("mcp")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut child = command.spawn().expect("mcp starts");
    let mut input = child.stdin.take().expect("its input is piped");
    let mut say = |line: &str| {
        std::io::Write::write_all(&mut input, line.as_bytes()).expect("the server listens");
    };
    say(
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"s\",\"version\":\"1\"}}}\n",
    );
    say(
        "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"ask_user\",\"arguments\":{\"question\":\"Hello?\"}}}\n",
    );
    let id = person.next_ask();
    drop(child.stdout.take());
    person.answer(&id, &["--set", "anybody?"]);
    let status = child.wait().expect("our child process");
    assert!(status.success(), "{status}");
    let record = person.record(&id);
    assert_eq!(
        record["delivered"], false,
        "the answer is undelivered: {record}"
    );
}

/// An agent that goes on when its server has ended.
#[cfg(target_os = "linux")]
const AGENT: [&str; 3] = [
    "python3",
    "-c",
    "import signal, subprocess, sys\nsubprocess.run(sys.argv[1:])\nsignal.pause()",
];

#[test]
#[cfg(target_os = "linux")]
fn an_agent_that_outlives_its_server_is_followed_by_none_that_ran_beside_it() {
    let noon = "2026-02-04T12:00:00Z";
    let sandbox = Sandbox::with_clock(noon);
    let mut person = Person::new(&sandbox);
    let mut first = Agent::start_below(&sandbox, &AGENT, &["--dialect", "native"]);
    first.open(Era::Initialize("2025-11-25"));
    first.call("ask_user", ASK);
    let id = person.next_ask();
    let caller = json(&sandbox.run_ok(&["show", &id, "--json"]))["asker"]["caller"].clone();
    let kill = |key: &str| {
        let (pid, _) = caller[key]
            .as_str()
            .and_then(|name| name.split_once(':'))
            .expect("a process");
        send_signal(pid.parse().expect("a number"), Signal::KILL);
    };
    kill("process");
    person.wait_for("no call waits any more", |record| {
        record.get("waiters").is_none()
    });
    person.answer(&id, &["--set", "left"]);

    let mut beside = Agent::connect(&sandbox, "native");
    let other = beside.call("ask_user", r#"{"question":"And which font?"}"#);
    let others = person.next_ask();
    person.answer(&others, &["--set", "Inter"]);
    beside.receive_reply(other);
    let later = "2026-02-04T12:10:00Z";
    sandbox.set_clock(later);
    Hub::connect(&sandbox).set_clock(later);
    kill("client");
    drop(first.wait_for_exit());
    beside.call("ask_user", ASK);
    assert_ne!(person.next_ask(), id, "it is a new ask");

    sandbox.set_clock("2026-02-04T12:20:00Z");
    let mut successor = Agent::of_another_client(&sandbox, "native");
    let fetch = successor.call("ask_user_result", "{}");
    let told = successor.result(fetch).to_string();
    assert!(told.contains("left"), "{told}");
}
