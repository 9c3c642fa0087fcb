//! Automatic removal of records, by age and by folder, and the cases in which it stops.

use std::path::Path;

use super::NOON;
use crate::support::hub::Hub;
use crate::support::sandbox::{BINARY, Sandbox, ended};
use crate::support::{json, text};

/// An ask that was answered and whose answer was delivered.
fn told(sandbox: &Sandbox, folder: &Path, question: &str) -> String {
    std::fs::create_dir_all(folder).expect("a writable home");
    let mut command = sandbox.command(BINARY);
    command
        .current_dir(folder)
        .args(["ask", question, "--no-wait"]);
    let asked = ended(command);
    let id = String::from_utf8_lossy(&asked.stdout).trim().to_owned();
    sandbox.done(&["answer", &id, "--set", "yes"]);
    sandbox.done(&["wait", &id]);
    id
}

/// The ids in history.
fn kept(sandbox: &Sandbox) -> Vec<String> {
    let history = json(&sandbox.done(&["history", "--json"]));
    let records = history.as_array().expect("an array").iter();
    let mut ids: Vec<String> = records.map(|record| text(record, "askId")).collect();
    ids.sort();
    ids
}

fn sorted(mut ids: Vec<String>) -> Vec<String> {
    ids.sort();
    ids
}

fn log(sandbox: &Sandbox) -> String {
    std::fs::read_to_string(sandbox.home().join("hub.log")).expect("a hub has begun one")
}

/// Waits until the hub's log contains a text.
fn logged(sandbox: &Sandbox, said: &str) {
    let mut tail = std::process::Command::new("tail");
    tail.args(["-n", "+1", "-F"])
        .arg(sandbox.home().join("hub.log"));
    let mut log = sandbox.start("hub.log", tail);
    log.out.find(said, |line| line.contains(said).then_some(()));
}

/// Stops the hub; the next one starts at another time.
fn later(sandbox: &Sandbox, now: &str) {
    Hub::started(sandbox);
    sandbox.done(&["hub", "--stop"]);
    sandbox.set_clock(now);
}

#[test]
fn while_the_settings_have_a_mistake_nothing_is_removed_by_itself() {
    let sandbox = Sandbox::at(NOON);
    let secret = sandbox.home().join("secret");
    let meant = format!("[history]\nkeep_days = 1\nskip_projects = [{secret:?}]\n");
    sandbox.settings(&meant);
    let all = sorted(vec![
        told(&sandbox, &secret, "In the folder?"),
        told(&sandbox, sandbox.home(), "Elsewhere?"),
    ]);
    let said = "while the settings have a mistake, nothing is removed by itself";
    for mistake in [
        format!("{meant}[terminal]\nmouse = tru\n"),
        format!("foo = 1\n{meant}"),
        meant.replace("keep_days = 1", "keep_days = \"forever\""),
    ] {
        later(&sandbox, "2026-02-06T00:00:00Z");
        sandbox.settings(&mistake);
        assert_eq!(kept(&sandbox), all, "{mistake}");
        let undelivered = sandbox.asks(&["Anything else?"]);
        sandbox.done(&["answer", &undelivered, "--set", "no"]);
        sandbox.done(&["forget", &undelivered, "--yes"]);
        assert_eq!(kept(&sandbox), all, "{mistake}");
        let doctor = sandbox.run(&["doctor"]);
        let doctor = String::from_utf8_lossy(&doctor.stdout).into_owned();
        assert!(
            doctor.contains(&format!("warn  history     {said}")),
            "{doctor}"
        );
    }
    assert_eq!(log(&sandbox).matches(said).count(), 3, "once a start");
    // The settings are a link to a file that doesn't exist.
    later(&sandbox, "2026-02-06T00:00:00Z");
    let settings = sandbox.home().join("config.toml");
    std::fs::remove_file(&settings).expect("a writable file");
    std::os::unix::fs::symlink("elsewhere.toml", &settings).expect("a writable home");
    assert_eq!(kept(&sandbox), all);
    assert_eq!(log(&sandbox).matches(said).count(), 4);
    // After the settings are repaired, removal continues.
    sandbox.done(&["hub", "--stop"]);
    std::fs::write(sandbox.home().join("elsewhere.toml"), meant).expect("a writable home");
    sandbox.done(&["list"]);
    logged(
        &sandbox,
        "1 asks that ended more than 1 days ago were removed",
    );
    logged(&sandbox, "1 asks were removed, because nothing is kept");
    assert!(kept(&sandbox).is_empty());
}

#[test]
fn a_clock_that_leaps_ahead_removes_nothing_until_days_have_passed_by_it() {
    let sandbox = Sandbox::at(NOON);
    sandbox.settings("[history]\nkeep_days = 1\n");
    let here = sandbox.home().to_owned();
    let before = told(&sandbox, &here, "Before?");
    later(&sandbox, "2027-02-06T00:00:00Z");
    let after = told(&sandbox, &here, "After?");
    logged(&sandbox, "the clock may be wrong");
    assert_eq!(kept(&sandbox), sorted(vec![before, after]));
    later(&sandbox, "2027-02-07T12:00:00Z");
    sandbox.done(&["list"]);
    logged(
        &sandbox,
        "2 asks that ended more than 1 days ago were removed",
    );
    assert!(kept(&sandbox).is_empty());
}

#[test]
fn what_was_forgotten_is_in_no_file_once_that_was_said() {
    let sandbox = Sandbox::new();
    let id = sandbox.asks(&["Is the password swordfish?"]);
    sandbox.done(&["answer", &id, "--set", "it is halibut"]);
    let with = |words: &str| -> Vec<String> {
        let files = std::fs::read_dir(sandbox.home()).expect("the home exists");
        let paths = files.map(|file| file.expect("a writable file").path());
        let has = |path: &Path| {
            let bytes = std::fs::read(path).unwrap_or_default();
            bytes
                .windows(words.len())
                .any(|some| some == words.as_bytes())
        };
        paths
            .filter(|path| has(path))
            .map(|path| path.display().to_string())
            .collect()
    };
    assert!(!with("swordfish").is_empty() && !with("halibut").is_empty());
    sandbox.done(&["forget", &id, "--yes"]);
    assert_eq!((with("swordfish"), with("halibut")), (vec![], vec![]));
}
