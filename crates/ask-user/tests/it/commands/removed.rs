//! Automatic removal of records, by age and by folder, and the cases in which it stops.

use std::path::Path;

use super::NOON;
use crate::support::hub::Hub;
use crate::support::sandbox::{BINARY, Sandbox, run_to_end};
use crate::support::{json, text};

/// An ask that was answered and whose answer was delivered.
fn ask_and_deliver(sandbox: &Sandbox, folder: &Path, question: &str) -> String {
    std::fs::create_dir_all(folder).expect("a writable home");
    let mut command = sandbox.command(BINARY);
    command
        .current_dir(folder)
        .args(["ask", question, "--no-wait"]);
    let asked = run_to_end(command);
    let id = String::from_utf8_lossy(&asked.stdout).trim().to_owned();
    sandbox.run_ok(&["answer", &id, "--set", "yes"]);
    sandbox.run_ok(&["wait", &id]);
    id
}

/// The ids in history.
fn history_ids(sandbox: &Sandbox) -> Vec<String> {
    let history = json(&sandbox.run_ok(&["history", "--json"]));
    let records = history.as_array().expect("an array").iter();
    let mut ids: Vec<String> = records.map(|record| text(record, "askId")).collect();
    ids.sort();
    ids
}

fn sorted(mut ids: Vec<String>) -> Vec<String> {
    ids.sort();
    ids
}

fn read_log(sandbox: &Sandbox) -> String {
    std::fs::read_to_string(sandbox.home().join("hub.log")).expect("a hub has begun one")
}

/// Waits until the hub's log contains a text.
fn wait_for_log(sandbox: &Sandbox, said: &str) {
    let mut tail = std::process::Command::new("tail");
    tail.args(["-n", "+1", "-F"])
        .arg(sandbox.home().join("hub.log"));
    let mut log = sandbox.start("hub.log", tail);
    log.out.find(said, |line| line.contains(said).then_some(()));
}

/// Stops the hub; the next one starts at another time.
fn restart_at(sandbox: &Sandbox, now: &str) {
    Hub::start(sandbox);
    sandbox.run_ok(&["hub", "--stop"]);
    sandbox.set_clock(now);
}

#[test]
fn invalid_settings_stop_automatic_removal() {
    let sandbox = Sandbox::with_clock(NOON);
    let secret = sandbox.home().join("secret");
    let meant = format!("[history]\nkeep_days = 1\nskip_projects = [{secret:?}]\n");
    sandbox.write_settings(&meant);
    let all = sorted(vec![
        ask_and_deliver(&sandbox, &secret, "In the folder?"),
        ask_and_deliver(&sandbox, sandbox.home(), "Elsewhere?"),
    ]);
    let said = "while the settings have a mistake, nothing is removed by itself";
    for mistake in [
        format!("{meant}[terminal]\nmouse = tru\n"),
        format!("foo = 1\n{meant}"),
        meant.replace("keep_days = 1", "keep_days = \"forever\""),
    ] {
        restart_at(&sandbox, "2026-02-06T00:00:00Z");
        sandbox.write_settings(&mistake);
        assert_eq!(history_ids(&sandbox), all, "{mistake}");
        let undelivered = sandbox.ask(&["Anything else?"]);
        sandbox.run_ok(&["answer", &undelivered, "--set", "no"]);
        sandbox.run_ok(&["forget", &undelivered, "--yes"]);
        assert_eq!(history_ids(&sandbox), all, "{mistake}");
        let doctor = sandbox.run(&["doctor"]);
        let doctor = String::from_utf8_lossy(&doctor.stdout).into_owned();
        assert!(
            doctor.contains(&format!("warn  history     {said}")),
            "{doctor}"
        );
    }
    assert_eq!(read_log(&sandbox).matches(said).count(), 3, "once a start");
    // The settings are a link to a file that doesn't exist.
    restart_at(&sandbox, "2026-02-06T00:00:00Z");
    let settings = sandbox.home().join("config.toml");
    std::fs::remove_file(&settings).expect("a writable file");
    std::os::unix::fs::symlink("elsewhere.toml", &settings).expect("a writable home");
    assert_eq!(history_ids(&sandbox), all);
    assert_eq!(read_log(&sandbox).matches(said).count(), 4);
    // After the settings are repaired, removal continues.
    sandbox.run_ok(&["hub", "--stop"]);
    std::fs::write(sandbox.home().join("elsewhere.toml"), meant).expect("a writable home");
    sandbox.run_ok(&["list"]);
    wait_for_log(
        &sandbox,
        "1 asks that ended more than 1 days ago were removed",
    );
    wait_for_log(
        &sandbox,
        "1 asks were removed, because the settings keep no history",
    );
    assert!(history_ids(&sandbox).is_empty());
}

#[test]
fn a_clock_jump_delays_automatic_removal() {
    let sandbox = Sandbox::with_clock(NOON);
    sandbox.write_settings("[history]\nkeep_days = 1\n");
    let here = sandbox.home().to_owned();
    let before = ask_and_deliver(&sandbox, &here, "Before?");
    restart_at(&sandbox, "2027-02-06T00:00:00Z");
    let after = ask_and_deliver(&sandbox, &here, "After?");
    wait_for_log(&sandbox, "the clock may be wrong");
    assert_eq!(history_ids(&sandbox), sorted(vec![before, after]));
    restart_at(&sandbox, "2027-02-07T12:00:00Z");
    sandbox.run_ok(&["list"]);
    wait_for_log(
        &sandbox,
        "2 asks that ended more than 1 days ago were removed",
    );
    assert!(history_ids(&sandbox).is_empty());
}

#[test]
fn a_forgotten_ask_is_in_no_file() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["Is the password swordfish?"]);
    sandbox.run_ok(&["answer", &id, "--set", "it is halibut"]);
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
    sandbox.run_ok(&["forget", &id, "--yes"]);
    assert_eq!((with("swordfish"), with("halibut")), (vec![], vec![]));
}
