//! Which process may become the hub: one at a time, whatever files a crash has left, and each home
//! has its own.

use std::collections::HashSet;
use std::os::unix::net::UnixListener;

use crate::support::agent::Agent;
use crate::support::hub::{Hub, address};
use crate::support::json;
use crate::support::person::Person;
use crate::support::sandbox::{BINARY, Sandbox};

#[test]
fn eight_racing_commands_start_one_hub() {
    let sandbox = Sandbox::new();
    let racers: Vec<_> = (0..8)
        .map(|number| {
            let mut command = sandbox.command(BINARY);
            command.args(["ask", &format!("Racer {number}?"), "--no-wait"]);
            sandbox.start("racer", command)
        })
        .collect();
    let mut ids = HashSet::new();
    for mut racer in racers {
        let id = racer.out.rest();
        let status = racer.child.wait().expect("our child process");
        assert_eq!(status.code(), Some(8), "{status}: {}", racer.err.rest());
        ids.insert(id);
    }
    assert_eq!(ids.len(), 8, "each has its ask");
    let waiting = json(&sandbox.run_ok(&["list", "--json"]));
    assert_eq!(waiting.as_array().map(Vec::len), Some(8), "{waiting}");
    let log = std::fs::read_to_string(sandbox.home().join("hub.log")).expect("a log");
    let begun = log.lines().filter(|line| line.contains("listens at"));
    assert_eq!(begun.count(), 1, "one hub in all:\n{log}");
    let status = json(&sandbox.run_ok(&["hub", "--status", "--json"]));
    let address = address(&sandbox).expect("the hub has written its address");
    assert_eq!(status["pid"], address.pid, "{status}");
}

#[test]
fn files_of_a_crashed_hub_are_replaced() {
    let sandbox = Sandbox::new();
    sandbox.ask(&["Still there?"]);
    Hub::connect(&sandbox).kill();
    assert!(
        sandbox.home().join("hub.json").exists(),
        "left by the crash"
    );
    assert!(
        sandbox.home().join("hub.sock").exists(),
        "left by the crash"
    );
    let status = sandbox.run(&["hub", "--status"]);
    assert_eq!(status.status.code(), Some(6), "{status:?}");
    assert!(sandbox.run_ok(&["list"]).contains("Still there?"));
}

#[test]
fn an_invalid_address_file_is_replaced() {
    for garbage in [
        "",
        "{",
        "null",
        "[1,2]",
        "{\"version\":\"9.9.9\",\"pid\":1,\"socket\":\"/nowhere/hub.sock\"}",
        "\u{0}\u{1}\u{2}",
    ] {
        let sandbox = Sandbox::new();
        let file = sandbox.home().join("hub.json");
        std::fs::write(&file, garbage).expect("a writable home");
        let listed = sandbox.run_ok(&["list"]);
        assert_eq!(listed, "Nothing waits for an answer.\n", "{garbage:?}");
        assert!(address(&sandbox).is_some(), "{garbage:?} is replaced");
    }
}

#[test]
fn a_file_in_place_of_the_socket_is_replaced() {
    let sandbox = Sandbox::new();
    std::fs::write(sandbox.home().join("hub.sock"), "old").expect("a writable home");
    assert_eq!(sandbox.run_ok(&["list"]), "Nothing waits for an answer.\n");
    let sandbox = Sandbox::new();
    // A socket that was bound once and has no listener.
    drop(UnixListener::bind(sandbox.home().join("hub.sock")).expect("a socket"));
    assert_eq!(sandbox.run_ok(&["list"]), "Nothing waits for an answer.\n");
}

#[test]
fn two_homes_do_not_disturb_each_other() {
    let (mine, yours) = (Sandbox::new(), Sandbox::new());
    let mut person = Person::new(&mine);
    let mut agent = Agent::connect(&mine, "native");
    let call = agent.call("ask_user", r#"{"question":"Mine?"}"#);
    let id = person.next_ask();
    assert_eq!(yours.run_ok(&["list"]), "Nothing waits for an answer.\n");
    let theirs = yours.run(&["answer", &id, "--set", "yours"]);
    assert_eq!(theirs.status.code(), Some(1), "{theirs:?}");
    Hub::connect(&yours).kill();
    yours.run_ok(&["hub", "--stop"]);
    person.answer(&id, &["--set", "mine"]);
    assert!(agent.receive_reply(call).contains("mine"));
}

#[test]
fn a_hub_whose_home_was_removed_ends_and_agents_reconnect() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let mut agent = Agent::connect(&sandbox, "native");
    let call = agent.call("ask_user", r#"{"question":"Still asked?"}"#);
    person.next_ask();
    drop(person);
    let mut old = Hub::connect(&sandbox);
    // At once: the hub may write another file while they are removed one by one.
    let removed = sandbox.home().with_extension("removed");
    std::fs::rename(sandbox.home(), &removed).expect("a writable folder");
    std::fs::remove_dir_all(&removed).expect("a writable folder");
    std::fs::create_dir_all(sandbox.home()).expect("a writable home");
    // The hub reports it by closing the connection. The agent starts the next hub, unless this test
    // does.
    while old.receive().is_some() {}
    let mut person = Person::new(&sandbox);
    let id = person.next_ask();
    person.answer(&id, &["--set", "by the next"]);
    assert!(agent.receive_reply(call).contains("by the next"));
    assert!(
        address(&sandbox).is_some(),
        "the old one removed nothing of it"
    );
}

#[test]
fn a_stale_pid_in_the_lock_file_is_not_killed() {
    let sandbox = Sandbox::new();
    let path = sandbox.home().join("hub.lock");
    let mut other = std::process::Command::new("sleep")
        .arg("60")
        .spawn()
        .expect("a process");
    std::fs::write(&path, format!("{}\n", other.id())).expect("a writable home");
    let lock = std::fs::File::open(&path).expect("an existing file");
    lock.lock().expect("no process holds the lock");
    assert_eq!(sandbox.run_ok(&["hub", "--stop"]), "No hub runs.\n");
    assert!(
        other.try_wait().expect("our child process").is_none(),
        "it goes on"
    );
    other.kill().expect("our child process");
    other.wait().expect("our child process");
}
