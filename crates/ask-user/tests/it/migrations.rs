//! Stores that earlier versions wrote must load with the same content. `tests/stores/README.md`
//! describes how they were made.

use std::path::{Path, PathBuf};

use ask_core::Json;

use crate::support::json;
use crate::support::sandbox::{BINARY, Sandbox};

/// A home with the store of an earlier version.
fn home_of(version: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    copy_folder(&store_folder(version), sandbox.home());
    sandbox
}

/// Where the tree keeps the store of a version.
fn store_folder(version: &str) -> PathBuf {
    let stores = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/stores");
    Path::new(stores).join(version)
}

/// The output of a command at the time when the store was made.
fn output_then(sandbox: &Sandbox, arguments: &[&str]) -> String {
    let mut command = sandbox.command(BINARY);
    command
        .env("ASK_USER_NOW", "2026-02-04T12:00:00Z")
        .args(arguments);
    let output = crate::support::sandbox::run_to_end(command);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn version_1_loads_with_the_same_content() {
    let sandbox = home_of("v1");
    assert_eq!(
        output_then(&sandbox, &["list", "--all"]),
        "\
a_kn3dtaw6     0s  ask-user       shop                 Now or never?  [expired]
a_x48wdjtp     0s  ask-user       shop                 Delete 15 stale envs?  [declined on cli, kept until the agent asks again]
a_6kca0tr7     0s  ask-user       shop                 Which parts?  [answered on cli, kept until the agent asks again]
a_f2hrj2nq     0s  ask-user       shop                 Which region?  [answered]
a_shn65ak8     0s  ask-user       shop                 Set-up  [the agent stopped waiting, draft 1/1]
"
    );
    assert_eq!(
        output_then(&sandbox, &["status"]),
        "1 question waits for an answer. 2 answers are kept until their agents come for them.\n"
    );
    let parts = output_then(&sandbox, &["show", "a_6kca"]);
    assert!(
        parts.ends_with(
            "   => Docs\n   => Tests\n   => and a logo\n\nNote: soon\n\nAnswered on cli, 0s ago.\n"
        ),
        "{parts}"
    );
    let found = output_then(&sandbox, &["history", "--search", "friday"]);
    assert!(
        found.contains("Delete 15 stale envs?"),
        "by the reason: {found}"
    );
    let record = |id: &str| -> Json { json(&output_then(&sandbox, &["show", id, "--json"])) };
    assert_eq!(record("a_f2hr")["delivered"], true);
    assert_eq!(record("a_kn3d")["outcome"]["timedOut"], true);
    assert_eq!(record("a_x48w")["outcome"]["reason"], "not on a Friday");
    let waits = record("a_shn6");
    assert_eq!(
        waits["draft"]["answers"],
        json(r#"[{"picks":[1],"own":"or DuckDB"}]"#),
        "{waits}"
    );
    assert_eq!(waits["shownOn"], "tui", "{waits}");
}

#[test]
fn version_1_can_be_continued() {
    let sandbox = home_of("v1");
    // By now the store is older than history is kept by default.
    sandbox.write_settings("[history]\nkeep_days = 0\n");
    sandbox.run_ok(&["answer", "a_shn6", "--set", "SQLite"]);
    sandbox.ask(&["And now?"]);
    let listed = sandbox.run_ok(&["list", "--all", "--json"]);
    assert_eq!(json(&listed).as_array().map(Vec::len), Some(6), "{listed}");
    sandbox.run_ok(&["forget", "a_kn3d", "a_x48w", "--yes"]);
    assert_eq!(
        sandbox.run_ok(&["history", "--search", "friday"]),
        "Nothing found.\n"
    );
}

/// The last time the store of version 2 was used.
const VERSION_2: &str = "2026-11-01T12:02:00Z";

/// The output of a command in the folder of version 2's asks, two minutes after them.
fn in_shop(sandbox: &Sandbox, arguments: &[&str]) -> String {
    in_shop_at(sandbox, VERSION_2, arguments)
}

/// The output of a command in that folder at this time.
fn in_shop_at(sandbox: &Sandbox, then: &str, arguments: &[&str]) -> String {
    let shop = Path::new("/tmp/shop");
    std::fs::create_dir_all(shop).expect("the folder that the asks name");
    let mut command = sandbox.command(BINARY);
    command
        .env("ASK_USER_NOW", then)
        .env("ASK_USER_PROJECT", "shop")
        .current_dir(shop)
        .args(arguments);
    let output = crate::support::sandbox::run_to_end(command);
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn version_2_loads_with_the_same_content() {
    let sandbox = home_of("v2");
    assert_eq!(
        in_shop(&sandbox, &["list", "--all"]),
        "\
a_cghhbjpj     2m  ask-user       shop                 Shall I go on with the refactoring?  [the agent stopped waiting, snoozed until 2026-11-02 09:00]
a_pzpzytk2     2m  ask-user       shop                 Now or never?  [expired]
a_zevdg2hk     2m  ask-user       shop                 Delete 15 stale envs?  [declined on cli, kept until the agent asks again]
a_8xzw3af3     2m  ask-user       shop                 Which parts?  [answered on cli, kept until the agent asks again]
a_jc4apjck     2m  ask-user       shop                 Which region?  [answered]
a_vv8r9ta4     2m  ask-user       shop                 Set-up  [the agent stopped waiting, draft 1/1]
"
    );
    let status = json(&in_shop(&sandbox, &["status", "--json"]));
    assert_eq!(status["muted"], true, "{status}");
    sandbox.run_ok(&["hub", "--stop"]);
    assert!(!sandbox.home().join("notices").exists());
    let snoozed = (
        "notice.ask.a_cghhbjpj41c2vxjh".to_owned(),
        "1793534400000 0 1793610000000 passed passed".to_owned(),
    );
    let notices = sandbox.notes("notice.ask.");
    assert!(notices.contains(&snoozed), "{notices:?}");
}

/// The hash of versions 1 and 2 depended on the compiler, so later builds couldn't find these asks
/// by it.
#[test]
fn abandoned_asks_of_version_2_are_taken_up() {
    let sandbox = home_of("v2");
    let database = "ask|Which database should we use?|--option|PostgreSQL (Recommended)=battle-tested|\
                    --option|SQLite|--title|Set-up|--return-after|1s";
    let database: Vec<&str> = database.split('|').collect();
    let open = in_shop(&sandbox, &database);
    assert!(open.contains("a_vv8r9ta4t5g1dgma"), "the open one: {open}");
    let parts = "ask|Which parts?|--multi|--option|Docs|--option|Tests|--option|Code";
    let parts: Vec<&str> = parts.split('|').collect();
    let answered = in_shop(&sandbox, &parts);
    assert_eq!(
        answered, "Docs\nTests\n",
        "the ask that was answered meanwhile"
    );
    let late = [
        "ask",
        "Now or never?",
        "--timeout",
        "60s",
        "--return-after",
        "1s",
    ];
    let late = in_shop(&sandbox, &late);
    assert!(
        late.contains("a_pzpzytk2v2025vc3"),
        "the one whose time had passed: {late}"
    );
}

/// The last time the store of version 3 was used.
const VERSION_3: &str = "2026-11-24T10:41:30Z";

#[test]
fn version_3_loads_and_its_abandoned_asks_are_taken_up() {
    let sandbox = home_of("v3");
    let in_shop = |arguments: &[&str]| in_shop_at(&sandbox, VERSION_3, arguments);
    let listed = in_shop(&["list", "--all"]);
    assert_eq!(
        listed,
        "\
a_wn4s5jr3     2m  ask-user       shop                 Delete 15 stale envs?  [declined on cli, kept until the agent asks again]
a_fcmqbf5m     2m  ask-user       shop                 Which parts?  [answered on cli, kept until the agent asks again]
a_a2zt6qzg     2m  ask-user       shop                 Set-up  [the agent stopped waiting]
"
    );
    let parts = "ask|Which parts?|--multi|--option|Docs|--option|Tests|--option|Code";
    let parts: Vec<&str> = parts.split('|').collect();
    assert_eq!(in_shop(&parts), "Docs\nTests\n");
    assert_eq!(
        in_shop(&["history", "--search", "friday"]).lines().count(),
        1,
        "the search is there"
    );
}

/// What the file `notices` had until version 4 is in the table `note`.
#[test]
fn the_notices_beside_version_3_become_rows() {
    let sandbox = home_of("v3");
    in_shop_at(&sandbox, VERSION_3, &["list"]);
    sandbox.run_ok(&["hub", "--stop"]);
    assert!(!sandbox.home().join("notices").exists());
    let row = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    assert_eq!(
        sandbox.notes("notice."),
        [
            row("notice.ask.a_a2zt6qzgf1fevpsp", "1795516731130 0 0 1 open"),
            row("notice.last", "1"),
        ]
    );
}

/// Version 4 had notes, but no counts by day.
#[test]
fn version_4_loads_and_is_counted_by_day() {
    let sandbox = home_of("v4");
    let in_shop = |arguments: &[&str]| in_shop_at(&sandbox, "2026-11-27T02:02:43Z", arguments);
    assert_eq!(
        in_shop(&["list", "--all"]),
        "\
a_veqtnv5d     1m  ask-user       shop                 Shall I go on with the refactoring?  [the agent stopped waiting, snoozed until 2026-11-28 09:00]
a_kmr8t2vd     1m  ask-user       shop                 Delete 15 stale envs?  [declined on cli (below ask-user), kept until the agent asks again]
a_ywxn8xgt     1m  ask-user       shop                 Which parts?  [answered on cli (below ask-user), kept until the agent asks again]
a_0ffpwks1     1m  ask-user       shop                 Set-up  [the agent stopped waiting]
"
    );
    let counted = in_shop(&["stats"]);
    assert!(counted.starts_with("2 asks, 50 % answered"), "{counted}");
    let status = json(&in_shop(&["status", "--json"]));
    assert_eq!(status["muted"], true, "{status}");
    sandbox.run_ok(&["hub", "--stop"]);
    let snoozed = (
        "notice.ask.a_veqtnv5dtbsfd88x".to_owned(),
        "1795744843602 0 1795856400000 passed passed".to_owned(),
    );
    let notices = sandbox.notes("notice.ask.");
    assert!(notices.contains(&snoozed), "{notices:?}");
}

/// Until version 5 the answer to the same ask shortly before was a draft.
#[test]
fn what_version_5_filled_in_by_itself_is_offered() {
    let sandbox = home_of("v5");
    let then = "2026-11-26T16:58:00Z";
    let in_shop = |arguments: &[&str]| in_shop_at(&sandbox, then, arguments);
    let record = json(&in_shop(&["show", "a_v7xq", "--json"]));
    assert!(record.get("draft").is_none(), "{record}");
    let earlier = &record["earlierAnswer"];
    assert_eq!(earlier["answers"][0]["picks"], json("[0]"), "{record}");
    assert_eq!(earlier["answers"][0]["note"], "as in staging", "{record}");
    assert_eq!(earlier["answeredAt"], "2026-11-26T16:56:08.333Z");
    let file = &earlier["answers"][0]["attachments"][0];
    let path = file["path"].as_str().expect("the file is kept");
    assert!(Path::new(path).exists(), "{path}");
    let listed = in_shop(&["list"]);
    assert!(
        !listed.contains("draft"),
        "nobody began to answer: {listed}"
    );
    let shown = in_shop(&["show", "a_v7xq"]);
    let offer = "The same was answered 1m ago: PostgreSQL";
    assert!(shown.contains(offer), "{shown}");
    in_shop(&["answer", "a_v7xq", "SQLite"]);
    let record = json(&in_shop(&["show", "a_v7xq", "--json"]));
    assert_eq!(record["outcome"]["answers"][0]["values"][0], "SQLite");
    assert!(record.get("earlierAnswer").is_none(), "{record}");
}

/// Copies a folder with all that is in it.
fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a writable folder");
    for entry in std::fs::read_dir(from).expect("the folder is in the tree") {
        let entry = entry.expect("it can be listed");
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy_folder(&from, &to);
        } else {
            std::fs::copy(from, to).expect("the file can be copied");
        }
    }
}

#[test]
fn a_whole_home_of_0_1_0_opens_with_everything_in_it() {
    let sandbox = home_of("home-0.1.0");
    let listed = json(&sandbox.run_ok(&["list", "--all", "--json"]));
    let mut states: Vec<(&str, &str)> = listed
        .as_array()
        .expect("a list")
        .iter()
        .map(|record| {
            let text = |key: &str| record[key].as_str().expect("a text");
            (text("askId"), text("state"))
        })
        .collect();
    states.sort_unstable();
    assert_eq!(
        states,
        [
            ("a_fshzkef6ww564amx", "answered"),
            ("a_nnwsvsqbvexb6hfw", "waiting"),
            ("a_nptfxbdmgzt2qadb", "declined"),
            ("a_q6d4rrksqevtv8fn", "clarify"),
        ]
    );
    let found = sandbox.run_ok(&["history", "--search", "friday"]);
    assert!(found.contains("Delete 15 stale envs?"), "{found}");
    let told = sandbox.run_ok(&["wait", "a_fshzkef6ww564amx"]);
    assert!(told.contains("attached image: logo.png"), "{told}");
    let told = sandbox.run_ok(&["answer", "a_nnwsvsqbvexb6hfw", "eu"]);
    assert!(told.contains("answered"), "{told}");
    for token in ["token", "answer-token"] {
        let read = |folder: &Path| std::fs::read_to_string(folder.join(token)).expect("a token");
        let kept = store_folder("home-0.1.0");
        assert_eq!(read(sandbox.home()), read(&kept), "{token}");
    }
    // Both files have been read. The one notice says only that its ask waits, which needs no row; those
    // of version 3 become rows. The browser's session had no key, so it is dropped, and the browser must
    // sign in again (decision 18).
    for file in ["notices", "sessions"] {
        assert!(!sandbox.home().join(file).exists(), "{file}");
    }
    assert_eq!(sandbox.notes("web.session."), []);
    let log = std::fs::read_to_string(sandbox.home().join("hub.log")).expect("the hub's log");
    let told = log.matches("without a key, which must sign in again: 1");
    assert_eq!(told.count(), 1, "{log}");
    let settings = sandbox.run_ok(&["doctor"]);
    assert!(
        settings.contains("terminal.esc = \"seed4\""),
        "the old word is read: {settings}"
    );
}
