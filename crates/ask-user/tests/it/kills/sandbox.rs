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
fn eight_that_race_for_it_are_served_by_one_hub() {
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
    let waiting = json(&sandbox.done(&["list", "--json"]));
    assert_eq!(waiting.as_array().map(Vec::len), Some(8), "{waiting}");
    let log = std::fs::read_to_string(sandbox.home().join("hub.log")).expect("a log");
    let begun = log.lines().filter(|line| line.contains("listens at"));
    assert_eq!(begun.count(), 1, "one hub in all:\n{log}");
    let status = json(&sandbox.done(&["hub", "--status", "--json"]));
    let address = address(&sandbox).expect("the hub has written its address");
    assert_eq!(status["pid"], address.pid, "{status}");
}

#[test]
fn what_a_crash_left_is_in_nobodys_way() {
    let sandbox = Sandbox::new();
    sandbox.asks(&["Still there?"]);
    Hub::of(&sandbox).kill();
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
    assert!(sandbox.done(&["list"]).contains("Still there?"));
}

#[test]
fn an_address_that_is_garbage_or_leads_nowhere_is_replaced() {
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
        let listed = sandbox.done(&["list"]);
        assert_eq!(listed, "Nothing waits for an answer.\n", "{garbage:?}");
        assert!(address(&sandbox).is_some(), "{garbage:?} is replaced");
    }
}

#[test]
fn a_file_where_the_socket_shall_be_is_replaced() {
    let sandbox = Sandbox::new();
    std::fs::write(sandbox.home().join("hub.sock"), "old").expect("a writable home");
    assert_eq!(sandbox.done(&["list"]), "Nothing waits for an answer.\n");
    let sandbox = Sandbox::new();
    // A socket that was bound once and has no listener.
    drop(UnixListener::bind(sandbox.home().join("hub.sock")).expect("a socket"));
    assert_eq!(sandbox.done(&["list"]), "Nothing waits for an answer.\n");
}

#[test]
fn two_homes_do_not_disturb_each_other() {
    let (mine, yours) = (Sandbox::new(), Sandbox::new());
    let mut person = Person::at(&mine);
    let mut agent = Agent::of(&mine, "native");
    let call = agent.call("ask_user", r#"{"question":"Mine?"}"#);
    let id = person.asked();
    assert_eq!(yours.done(&["list"]), "Nothing waits for an answer.\n");
    let theirs = yours.run(&["answer", &id, "--set", "yours"]);
    assert_eq!(theirs.status.code(), Some(1), "{theirs:?}");
    Hub::of(&yours).kill();
    yours.done(&["hub", "--stop"]);
    person.answers(&id, &["--set", "mine"]);
    assert!(agent.told(call).contains("mine"));
}

#[test]
fn a_hub_whose_home_was_removed_ends_and_its_agents_go_to_the_next() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let mut agent = Agent::of(&sandbox, "native");
    let call = agent.call("ask_user", r#"{"question":"Still asked?"}"#);
    person.asked();
    drop(person);
    let mut old = Hub::of(&sandbox);
    std::fs::remove_dir_all(sandbox.home()).expect("a writable file");
    std::fs::create_dir(sandbox.home()).expect("a writable home");
    // The hub reports it by closing the connection. The agent starts the next hub, unless this test
    // does.
    while old.hear().is_some() {}
    let mut person = Person::at(&sandbox);
    let id = person.asked();
    person.answers(&id, &["--set", "by the next"]);
    assert!(agent.told(call).contains("by the next"));
    assert!(
        address(&sandbox).is_some(),
        "the old one removed nothing of it"
    );
}

#[test]
fn a_number_that_a_dead_hub_left_is_nobody_to_be_ended() {
    let sandbox = Sandbox::new();
    let path = sandbox.home().join("hub.lock");
    let mut other = std::process::Command::new("sleep")
        .arg("60")
        .spawn()
        .expect("a process");
    std::fs::write(&path, format!("{}\n", other.id())).expect("a writable home");
    let lock = std::fs::File::open(&path).expect("an existing file");
    lock.lock().expect("no process holds the lock");
    assert_eq!(sandbox.done(&["hub", "--stop"]), "No hub runs.\n");
    assert!(
        other.try_wait().expect("our child process").is_none(),
        "it goes on"
    );
    other.kill().expect("our child process");
    other.wait().expect("our child process");
}
