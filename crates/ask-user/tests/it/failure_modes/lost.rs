//! Stores that were removed, emptied or replaced by an older copy. While no hub ran, the loss is
//! reported, and what is left is kept. Under a running hub, the store is written again.

use std::path::PathBuf;

use crate::support::json;
use crate::support::sandbox::Sandbox;

fn store_path(sandbox: &Sandbox) -> PathBuf {
    sandbox.home().join("ask-user.db")
}

fn stop(sandbox: &Sandbox) {
    sandbox.run_ok(&["hub", "--stop"]);
    wait_for_the_end(sandbox);
}

/// Waits until the hub has ended. It releases its lock last.
fn wait_for_the_end(sandbox: &Sandbox) {
    let lock = std::fs::File::open(sandbox.home().join("hub.lock")).expect("a lock file");
    lock.lock().expect("a released lock");
}

fn ask_and_stop(sandbox: &Sandbox, question: &str) {
    sandbox.ask(&[question]);
    stop(sandbox);
}

/// The warning above a list.
fn warning(sandbox: &Sandbox) -> String {
    let listed = sandbox.run(&["list"]);
    assert!(listed.status.success(), "{listed:?}");
    String::from_utf8_lossy(&listed.stderr).into_owned()
}

#[test]
fn a_removed_emptied_or_older_store_is_reported() {
    let sandbox = Sandbox::new();
    ask_and_stop(&sandbox, "First?");
    let older = std::fs::read(store_path(&sandbox)).expect("the store is there");
    ask_and_stop(&sandbox, "Second?");
    assert_eq!(warning(&sandbox), "", "nothing is missing");
    stop(&sandbox);

    let losses: [&dyn Fn(); 3] = [
        &|| std::fs::write(store_path(&sandbox), &older).expect("a writable home"),
        &|| std::fs::write(store_path(&sandbox), "").expect("a writable home"),
        &|| std::fs::remove_file(store_path(&sandbox)).expect("the store is there"),
    ];
    for (loses, still_there) in losses.into_iter().zip([1, 0, 0]) {
        loses();
        sandbox.run_ok(&["hub"]);
        let said = warning(&sandbox);
        assert!(
            said.contains("removed, emptied, cut or replaced by an older one"),
            "{said}"
        );
        let listed = sandbox.run_ok(&["list"]);
        assert_eq!(listed.matches("First?").count(), still_there, "{listed}");
        let status = json(&sandbox.run_ok(&["hub", "--status", "--json"]));
        let place = status["setAside"]
            .as_str()
            .expect("the acknowledgement is accepted");
        assert!(said.contains(place), "{said}");
        let doctor = sandbox.run(&["doctor"]);
        let doctor = String::from_utf8_lossy(&doctor.stdout).into_owned();
        assert!(doctor.contains(place), "{doctor}");
        // After the person has removed the file that the warning names, the loss isn't reported
        // again.
        std::fs::remove_file(place).expect("an existing file");
        stop(&sandbox);
        assert_eq!(warning(&sandbox), "");
        stop(&sandbox);
    }
}

#[test]
fn a_store_that_is_removed_under_a_running_hub_is_restored() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["Ship it?"]);
    sandbox.run_ok(&["answer", &id, "Tomorrow"]);
    for ending in ["db", "db-wal", "db-shm"] {
        let file = store_path(&sandbox).with_extension(ending);
        // The hub notices the loss of the first, and may remove the others.
        let removed = std::fs::remove_file(file);
        assert!(removed.is_ok() || ending != "db", "{removed:?}");
    }
    wait_for_the_end(&sandbox);
    assert_eq!(warning(&sandbox), "");
    let answer = sandbox.run_ok(&["wait", &id]);
    assert!(answer.contains("Tomorrow"), "{answer}");
    let log = std::fs::read_to_string(sandbox.home().join("hub.log")).expect("a log");
    assert!(log.contains("was removed while the hub ran"), "{log}");
}

#[test]
fn a_removed_clock_is_continued_from_the_store() {
    let sandbox = Sandbox::new();
    let clock = sandbox.home().join("clock");
    let earlier = ask_config::clock::for_this_boot(12_345);
    std::fs::write(&clock, &earlier).expect("a writable home");
    ask_and_stop(&sandbox, "Deploy?");
    std::fs::remove_file(&clock).expect("there is a clock");
    ask_and_stop(&sandbox, "Release?");
    let next = std::fs::read_to_string(&clock).expect("the hub has written it");
    assert_eq!(next, earlier);
}
