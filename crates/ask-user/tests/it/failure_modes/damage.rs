//! Damaged stores are moved away with all their bytes, and stores of a newer version are left
//! untouched.

use std::path::PathBuf;

use rusqlite::Connection;

use crate::support::hub::Hub;
use crate::support::json;
use crate::support::sandbox::Sandbox;

fn store_path(sandbox: &Sandbox) -> PathBuf {
    sandbox.home().join("ask-user.db")
}

/// A home with some asks and without a hub.
fn home_with_asks(count: usize) -> Sandbox {
    let sandbox = Sandbox::new();
    let long = "many words ".repeat(40);
    for number in 0..count {
        let question = format!("Number {number}? {long}");
        sandbox.ask(&[&question]);
    }
    sandbox.run_ok(&["list"]);
    Hub::connect(&sandbox).signal(rustix::process::Signal::TERM);
    // The lock is released last, so the next hub waits for it.
    sandbox.run_ok(&["hub"]);
    sandbox.run_ok(&["hub", "--stop"]);
    sandbox
}

/// The bytes of the store after the hub has released it.
fn store_bytes(sandbox: &Sandbox) -> Vec<u8> {
    let lock = std::fs::File::open(sandbox.home().join("hub.lock")).expect("a lock file");
    lock.lock().expect("a released lock");
    std::fs::read(store_path(sandbox)).expect("the store is there")
}

fn set_aside(sandbox: &Sandbox) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(sandbox.home()).expect("the home is there");
    let paths = entries.flatten().map(|entry| entry.path());
    let aside = |path: &PathBuf| {
        let name = path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        name.is_some_and(|name| {
            name.contains("damaged") && !name.ends_with("-wal") && !name.ends_with("-shm")
        })
    };
    paths.filter(aside).collect()
}

#[test]
fn a_store_of_a_newer_version_is_refused_and_untouched() {
    let sandbox = home_with_asks(2);
    store_bytes(&sandbox);
    let db = Connection::open(store_path(&sandbox)).expect("a store");
    db.pragma_update(None, "user_version", 99)
        .expect("a version");
    db.close().expect("closed");
    let before = store_bytes(&sandbox);
    for arguments in [&["list"][..], &["ask", "Really?"]] {
        let output = sandbox.run(arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(6), "{said}");
        assert!(said.contains("ask-user.db"), "where: {said}");
        assert!(
            said.contains("newer ask-user") && said.contains("99"),
            "what: {said}"
        );
        assert!(said.contains("install the newer"), "what to do: {said}");
    }
    assert!(store_bytes(&sandbox) == before, "byte for byte as it was");
    assert!(set_aside(&sandbox).is_empty());
}

#[test]
fn an_invalid_store_is_set_aside() {
    for garbage in [
        &b"This is no database at all, but a letter to a friend."[..],
        &[0xff; 9000],
    ] {
        let sandbox = Sandbox::new();
        std::fs::write(store_path(&sandbox), garbage).expect("a writable home");
        assert_set_aside(&sandbox, garbage);
    }
}

#[test]
fn a_store_with_a_damaged_header_is_set_aside() {
    let sandbox = home_with_asks(3);
    let mut damaged = store_bytes(&sandbox);
    damaged[..100].fill(b'#');
    std::fs::write(store_path(&sandbox), &damaged).expect("a writable home");
    assert_set_aside(&sandbox, &damaged);
}

#[test]
fn a_store_with_a_damaged_page_is_set_aside() {
    let sandbox = home_with_asks(40);
    let mut damaged = store_bytes(&sandbox);
    let middle = damaged.len() / 2 / 4096 * 4096;
    damaged[middle..middle + 4096].fill(0xa5);
    damaged[4096..8192].fill(0x5a);
    std::fs::write(store_path(&sandbox), &damaged).expect("a writable home");
    assert_set_aside(&sandbox, &damaged);
}

#[test]
fn an_empty_file_becomes_a_store() {
    let sandbox = Sandbox::new();
    std::fs::write(store_path(&sandbox), "").expect("a writable home");
    assert_eq!(sandbox.run_ok(&["list"]), "Nothing waits for an answer.\n");
    assert!(set_aside(&sandbox).is_empty());
}

#[test]
fn an_unreadable_ask_hides_no_other() {
    let sandbox = home_with_asks(4);
    store_bytes(&sandbox);
    let db = Connection::open(store_path(&sandbox)).expect("a store");
    // Text that isn't UTF-8.
    let not_utf8 = "UPDATE ask SET content = CAST(x'7BFF' || CAST(content AS BLOB) AS TEXT)
         WHERE content LIKE '%Number 3?%'";
    assert_eq!(db.execute(not_utf8, []), Ok(1));
    let flip = "UPDATE ask SET content = replace(content, 'questionId', 'qqestionId')
         WHERE content LIKE '%Number 1?%' RETURNING id";
    let id: String = db.query_row(flip, [], |row| row.get(0)).expect("one ask");
    db.close().expect("closed");
    let listed = sandbox.run_ok(&["list"]);
    assert!(
        listed.contains("Number 0?") && listed.contains("Number 2?"),
        "{listed}"
    );
    let all = sandbox.run_ok(&["list", "--all", "--json"]);
    assert!(
        all.contains("Number 0?") && all.contains("Number 2?"),
        "{all}"
    );
    let told = String::from_utf8_lossy(&sandbox.run(&["doctor"]).stdout).into_owned();
    assert!(
        told.contains(&format!(
            "can't be read, because something outside of ask-user changed them: {id}"
        )),
        "{told}"
    );

    let (_, fix) = told
        .split_once("ask-user forget --yes ")
        .expect("a way to mend it");
    let ids: Vec<&str> = fix.lines().next().unwrap_or_default().split(' ').collect();
    assert_eq!(ids.len(), 2, "{told}");
    let refused = sandbox.run(&["forget", ids[0]]);
    assert!(!refused.status.success(), "{refused:?}");
    let forget = [&["forget", "--yes"][..], &ids].concat();
    assert_eq!(sandbox.run_ok(&forget), "2 asks forgotten.\n");
    let told = String::from_utf8_lossy(&sandbox.run(&["doctor"]).stdout).into_owned();
    assert!(!told.contains("can't be read"), "{told}");
}

fn assert_set_aside(sandbox: &Sandbox, damaged: &[u8]) {
    assert_eq!(sandbox.run_ok(&["list"]), "Nothing waits for an answer.\n");
    let aside = set_aside(sandbox);
    assert_eq!(aside.len(), 1, "moved to one new name: {aside:?}");
    let kept = std::fs::read(&aside[0]).expect("a readable file");
    assert!(kept == damaged, "the moved store has every byte");
    let place = aside[0].to_str().expect("UTF-8");
    let status = sandbox.run_ok(&["hub", "--status"]);
    assert!(
        status.contains("damaged") && status.contains(place),
        "{status}"
    );
    let status = json(&sandbox.run_ok(&["hub", "--status", "--json"]));
    assert_eq!(status["setAside"], *place, "{status}");
    // Later hubs report it as well, so that nobody takes the empty list for the whole list.
    sandbox.run_ok(&["hub", "--stop"]);
    for arguments in [&["list"][..], &["history"], &["inbox", "--plain"]] {
        let output = sandbox.run(arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(place) && said.contains("not here"), "{said}");
    }
    let later = json(&sandbox.run_ok(&["hub", "--status", "--json"]));
    assert_eq!(later["setAside"], *place, "{later}");
    let id = sandbox.ask(&["Works?"]);
    sandbox.run_ok(&["answer", id.trim(), "--set", "it does"]);
    assert!(sandbox.run_ok(&["show", id.trim()]).contains("it does"));
}
