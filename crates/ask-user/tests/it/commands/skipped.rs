//! Folders whose records are removed soon after their agents have received the outcome.

use std::path::Path;

use super::NOON;
use crate::support::hub::Hub;
use crate::support::person::Person;
use crate::support::sandbox::{BINARY, Running, Sandbox, run_to_end};
use crate::support::{json, text};

/// An agent that asks in a folder and waits.
fn start_ask(sandbox: &Sandbox, folder: &Path, question: &str) -> Running {
    std::fs::create_dir_all(folder).expect("a writable home");
    let mut command = sandbox.command(BINARY);
    command.current_dir(folder).args(["ask", question]);
    sandbox.start("ask", command)
}

/// Moves the clock and waits until the hub's log says what it has removed.
fn remove_at(sandbox: &Sandbox, to: &str, said: &str) {
    sandbox.set_clock(to);
    Hub::connect(sandbox).set_clock(to);
    let mut tail = std::process::Command::new("tail");
    tail.args(["-n", "+1", "-F"])
        .arg(sandbox.home().join("hub.log"));
    let mut log = sandbox.start("hub.log", tail);
    log.out.find("the log reports the removal", |line| {
        line.contains(said).then_some(())
    });
}

#[test]
fn skipped_projects_lose_delivered_asks_after_minutes() {
    let sandbox = Sandbox::with_clock(NOON);
    let secret = sandbox.home().join("se_cret");
    std::fs::create_dir(&secret).expect("a writable home");
    // The setting names the folder by a link to it.
    let link = sandbox.home().join("link");
    std::os::unix::fs::symlink(&secret, &link).expect("a writable home");
    sandbox.write_settings(&format!("[history]\nskip_projects = [{link:?}]\n"));
    let mut person = Person::new(&sandbox);
    let mut asked = |folder: &Path, question: &str| {
        let agent = start_ask(&sandbox, folder, question);
        let record = person.wait_for("it is asked", |record| {
            record["questions"][0]["question"] == question
        });
        let id = text(&record, "askId");
        person.answer(&id, &["--set", "yes"]);
        person.wait_for("the answer is delivered", |record| {
            record["askId"] == *id && record["delivered"] == true
        });
        drop(agent);
        id
    };
    asked(&secret, "In the folder itself?");
    asked(&secret.join("deep/down"), "Within?");
    let beside = asked(&sandbox.home().join("se_cret-not"), "Beside it?");
    let alike = asked(&sandbox.home().join("seXcret"), "Somewhere alike?");
    // No call waits for these.
    let left = |arguments: &[&str]| {
        let mut command = sandbox.command(BINARY);
        command.current_dir(&secret).arg("ask").args(arguments);
        command.arg("--no-wait");
        let left = run_to_end(command);
        String::from_utf8_lossy(&left.stdout).trim().to_owned()
    };
    let undelivered = left(&["Left behind?"]);
    sandbox.run_ok(&["answer", &undelivered, "--set", "kept"]);
    let late = left(&["Too late?", "--timeout", "1m"]);

    remove_at(
        &sandbox,
        "2026-02-04T12:10:01Z",
        "2 asks were removed, because the settings keep no history of their folders",
    );
    let history = json(&sandbox.run_ok(&["history", "--json"]));
    let kept = history.as_array().expect("an array").iter();
    let mut kept: Vec<String> = kept.map(|record| text(record, "askId")).collect();
    let mut wanted = vec![beside, alike, undelivered, late.clone()];
    kept.sort();
    wanted.sort();
    assert_eq!(kept, wanted);

    // An ask that can still be answered late stays, while others are removed.
    asked(&secret, "Once more?");
    remove_at(
        &sandbox,
        "2026-02-04T12:30:00Z",
        "1 asks were removed, because the settings keep no history of their folders",
    );
    sandbox.run_ok(&["answer", &late, "--set", "after all"]);
}
