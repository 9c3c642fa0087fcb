//! Stores that earlier versions wrote must load, and say what they said then.
//! `tests/stores/README.md` tells how they were made.

use ask_core::dialect::Json;

use crate::support::json;
use crate::support::sandbox::{BINARY, Sandbox};

/// A home with the store of an earlier version.
fn home_of(version: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    let kept = format!(
        "{}/tests/stores/{version}/ask-user.db",
        env!("CARGO_MANIFEST_DIR")
    );
    std::fs::copy(kept, sandbox.home().join("ask-user.db")).expect("the store is in the tree");
    sandbox
}

/// What a command prints at the time when the store was made.
fn then(sandbox: &Sandbox, arguments: &[&str]) -> String {
    let mut command = sandbox.command(BINARY);
    command
        .env("ASK_USER_NOW", "2026-02-04T12:00:00Z")
        .args(arguments);
    let output = crate::support::sandbox::ended(command);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn version_1_loads_and_says_what_it_said() {
    let sandbox = home_of("v1");
    assert_eq!(
        then(&sandbox, &["list", "--all"]),
        "\
a_kn3dtaw6     0s  ask-user       shop                 Now or never?  [expired]
a_x48wdjtp     0s  ask-user       shop                 Delete 15 stale envs?  [declined on cli, kept until the agent asks again]
a_6kca0tr7     0s  ask-user       shop                 Which parts?  [answered on cli, kept until the agent asks again]
a_f2hrj2nq     0s  ask-user       shop                 Which region?  [answered]
a_shn65ak8     0s  ask-user       shop                 Set-up  [the agent stopped waiting, draft 1/1]
"
    );
    assert_eq!(
        then(&sandbox, &["status"]),
        "1 question waits for an answer. 2 answers are kept until their agents come for them.\n"
    );
    let parts = then(&sandbox, &["show", "a_6kca"]);
    assert!(
        parts.ends_with(
            "   => Docs\n   => Tests\n   => and a logo\n\nNote: soon\n\nAnswered on cli, 0s ago.\n"
        ),
        "{parts}"
    );
    let found = then(&sandbox, &["history", "--search", "friday"]);
    assert!(
        found.contains("Delete 15 stale envs?"),
        "by the reason: {found}"
    );
    let record = |id: &str| -> Json { json(&then(&sandbox, &["show", id, "--json"])) };
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
fn version_1_goes_on_where_it_was() {
    let sandbox = home_of("v1");
    // It is older by now than a history is kept by itself.
    sandbox.settings("[history]\nkeep_days = 0\n");
    sandbox.done(&["answer", "a_shn6", "--set", "SQLite"]);
    sandbox.asks(&["And now?"]);
    let listed = sandbox.done(&["list", "--all", "--json"]);
    assert_eq!(json(&listed).as_array().map(Vec::len), Some(6), "{listed}");
    sandbox.done(&["forget", "a_kn3d", "a_x48w", "--yes"]);
    assert_eq!(
        sandbox.done(&["history", "--search", "friday"]),
        "Nothing found.\n"
    );
}
