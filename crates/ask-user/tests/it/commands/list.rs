//! `list`, `show`, `status`, `watch`, `history` and `forget`: their text and their JSON.

use super::Still;
use crate::support::json;
use crate::support::sandbox::{BINARY, Sandbox};

#[test]
fn lists_are_empty_until_something_waits() {
    let still = Still::new();
    assert_eq!(still.prints(&["status"]), "Nothing waits (no hub runs).\n");
    assert_eq!(still.prints(&["status", "--tmux"]), "");
    let status = still.json(&["status", "--json"]);
    assert_eq!(status["running"], false);
    let hub = still.sandbox.run(&["hub", "--status", "--json"]);
    let hub = json(&String::from_utf8_lossy(&hub.stdout));
    for said in [status, hub] {
        // `kill 0` signals the caller's whole process group, so a missing process must not be 0.
        assert!(said.get("pid").is_none(), "{said}");
    }
    assert!(
        !still.sandbox.home().join("hub.json").exists(),
        "nothing was started"
    );
    assert_eq!(still.prints(&["list"]), "Nothing waits for an answer.\n");
    assert_eq!(still.prints(&["list", "--json"]), "[]\n");
    assert_eq!(still.prints(&["history"]), "Nothing found.\n");
    assert_eq!(still.prints(&["history", "--json"]), "[]\n");
    let said = still.fails(1, &["show", "latest"]);
    assert!(said.contains("nothing has been asked yet"), "{said}");
}

#[test]
fn an_ask_reads_the_same_everywhere() {
    let still = Still::new();
    let id = still.asks(
        1,
        &[
            "Which database?",
            "--option",
            "PostgreSQL=Battle-tested",
            "--option",
            "SQLite",
            "--title",
            "Set-up",
            "--context",
            "We need one.",
            "--timeout",
            "10m",
        ],
    );
    assert_eq!(
        still.prints(&["list"]),
        format!(
            "{}     0s  ask-user       shop                 Set-up  [the agent stopped waiting, 10m left]\n",
            &id[..10]
        )
    );
    assert_eq!(
        still.prints(&["show", &id]),
        format!(
            "Set-up\n{id} asked from a shell, for shop, in HOME, 0s ago.\nState: the agent stopped waiting, 10m \
             left.\n\nWe need one.\n\nWhich database?  (choose one)\n   1) PostgreSQL - Battle-tested\n   2) SQLite\n"
        )
    );
    let wanted = format!(
        r#"{{"askId":"{id}","state":"waiting","title":"Set-up","context":"We need one.","questions":[{{"questionId":"q1","question":"Which database?","type":"select","options":[{{"label":"PostgreSQL","description":"Battle-tested"}},{{"label":"SQLite"}}],"required":true}}],"timeout":600000,"asker":{{"client":"ask-user","clientVersion":"{}","project":"shop","directory":"HOME"}},"dialect":"native","askedAt":"2026-02-04T12:00:00Z","deadlineAt":"2026-02-04T12:10:00Z"}}"#,
        env!("CARGO_PKG_VERSION")
    );
    let shown = still.prints(&["show", &id, "--json"]);
    assert_eq!(without_caller(&shown), format!("{wanted}\n"));
    let listed = still.prints(&["list", "--json"]);
    assert_eq!(without_caller(&listed), format!("[{wanted}]\n"));
    assert_eq!(
        still.prints(&["show", &id, "--summary"]),
        "User was asked about 'Which database?' and has not answered yet.\n"
    );
    assert_eq!(
        still.prints(&["status"]),
        "1 question waits for an answer.\n"
    );
    assert_eq!(still.prints(&["status", "--tmux"]), "ask 1\n");
    assert!(
        still.prints(&[]).starts_with("1 question waits"),
        "the short status"
    );
}

#[test]
fn a_closed_ask_tells_how_it_ended() {
    let still = Still::new();
    let id = still.asks(1, &["Which way?", "--option", "left", "--option", "right"]);
    still.prints(&["answer", &id, "--set", "right", "--note", "soon"]);
    let shown = still.prints(&["show", &id]);
    assert!(
        shown.ends_with("   2) right\n   => right\n\nNote: soon\n\nAnswered on cli, 0s ago.\n"),
        "{shown}"
    );
    let record = still.json(&["show", &id, "--json"]);
    assert_eq!(record["state"], "answered", "{record}");
    assert_eq!(record["delivered"], false, "{record}");
    assert_eq!(record["answeredBy"], "cli", "{record}");
    assert_eq!(record["answeredAt"], "2026-02-04T12:00:00Z", "{record}");
    assert_eq!(record["outcome"]["askId"], *id, "{record}");
    assert_eq!(
        still.prints(&["status"]),
        "Nothing waits for an answer. 1 answer is kept until its agent comes for it.\n"
    );
    assert_eq!(still.prints(&["status", "--tmux"]), "");
    let summary = still.prints(&["show", &id, "--summary"]);
    assert!(
        summary.contains("Which way?") && summary.contains("right"),
        "{summary}"
    );
}

#[test]
fn an_outcome_that_was_left_is_kept_until_the_ask_is_too_old_to_continue() {
    let still = Still::new();
    let id = still.asks(1, &["Which way?"]);
    still.prints(&["answer", &id, "left"]);
    for (now, how) in [
        ("2026-02-05T12:00:00Z", "kept until the agent asks again"),
        ("2026-02-05T12:00:01Z", "kept; its agent can fetch it"),
    ] {
        for arguments in [&["show", &id][..], &["history"], &["list", "--all"]] {
            let mut command = still.sandbox.command(BINARY);
            command.env("ASK_USER_NOW", now).args(arguments);
            let output = crate::support::sandbox::ended(command);
            let said = String::from_utf8_lossy(&output.stdout);
            let wanted = format!("answered on cli, {how}");
            assert!(said.contains(&wanted), "{now} {arguments:?}: {said}");
        }
    }
}

#[test]
fn history_is_searched_by_words_project_and_time() {
    let still = Still::new();
    let database = still.asks(
        1,
        &[
            "Which database?",
            "--option",
            "PostgreSQL",
            "--option",
            "SQLite",
        ],
    );
    still.prints(&["answer", &database, "--other", "DuckDB, perhaps"]);
    let colour = still.asks(2, &["Which colour?"]);
    still.prints(&["decline", &colour, "--reason", "colour-blind"]);
    still.asks(3, &["Still open?"]);
    let found = |arguments: &[&str]| {
        let mut all = vec!["history", "--json"];
        all.extend(arguments);
        let records = still.json(&all);
        let ids = records.as_array().expect("an array").iter();
        ids.filter_map(|record| Some(record["askId"].as_str()?.to_owned()))
            .collect::<Vec<_>>()
    };
    let (database, colour) = (&database, &colour);
    assert_eq!(
        found(&[]),
        [&**colour, database],
        "newest first, and none that waits"
    );
    assert_eq!(found(&["--limit", "1"]), [&**colour]);
    for words in ["database", "postgres", "DuckDB", "DATABASE sqlite"] {
        assert_eq!(found(&["--search", words]), [&**database], "{words}");
    }
    assert_eq!(found(&["--search", "colour-blind"]), [&**colour]);
    for words in ["\"", "AND", "x OR", "nothing", "*", "(", "NEAR(", "a\"b"] {
        assert_eq!(found(&["--search", words]).len(), 0, "{words}");
    }
    assert_eq!(found(&["--project", "shop"]).len(), 2);
    assert_eq!(found(&["--project", "other"]).len(), 0);
    for since in [
        "2026-02-04T11:00:00Z",
        "2026-02-03",
        "90s",
        "90m",
        "7d",
        "2w",
    ] {
        assert_eq!(found(&["--since", since]).len(), 2, "{since}");
    }
    assert_eq!(found(&["--since", "2026-02-04T12:00:01Z"]).len(), 0);
    let said = still.fails(2, &["history", "--since", "yesterday"]);
    assert!(
        said.contains("\"yesterday\" is no time") && said.contains("90s"),
        "{said}"
    );
    let said = still.fails(2, &["history", "--limit", "x"]);
    assert!(said.contains("must be a whole number, such as"), "{said}");
    let said = still.fails(2, &["mcp", "--port", "70000"]);
    assert!(said.contains("a whole number from 0 to 65535"), "{said}");
    let all = still.json(&["list", "--all", "--json"]);
    assert_eq!(
        all.as_array().map(Vec::len),
        Some(3),
        "waiting ones, too: {all}"
    );
}

#[test]
fn what_is_forgotten_is_gone_for_good() {
    let still = Still::new();
    let id = still.asks(1, &["A secret?"]);
    let said = still.fails(1, &["forget", &id]);
    assert!(
        said.contains("still waiting") && said.contains("decline it first"),
        "{said}"
    );
    still.prints(&["answer", &id, "--set", "xyzzy"]);
    assert_eq!(
        still.prints(&["forget", &id, "--yes"]),
        "1 ask forgotten.\n"
    );
    assert_eq!(
        still.prints(&["history", "--search", "xyzzy"]),
        "Nothing found.\n"
    );
    still.fails(1, &["show", &id]);
    assert!(still.prints(&["hub", "--stop"]).contains("has ended"));
    let lock = std::fs::File::open(still.sandbox.home().join("hub.lock")).expect("a lock file");
    lock.lock().expect("a released lock");
    for entry in std::fs::read_dir(still.sandbox.home())
        .expect("the home")
        .flatten()
    {
        let bytes = std::fs::read(entry.path()).unwrap_or_default();
        let left = bytes.windows(5).any(|window| window == b"xyzzy");
        assert!(!left, "not a byte is left in {}", entry.path().display());
    }
}

#[test]
fn watch_prints_what_waits_and_then_every_change() {
    let still = Still::new();
    let first = still.asks(1, &["First?"]);
    let watch = |arguments: &[&str]| {
        let mut command = still.sandbox.command(BINARY);
        command.arg("watch").args(arguments);
        still.sandbox.start("watch", command)
    };
    let (mut lines, mut text) = (watch(&["--json"]), watch(&[]));
    let row = text.out.next().expect("what waits comes first");
    assert!(
        row.starts_with("waiting   ") && row.contains("First?"),
        "{row}"
    );
    let record = json(&lines.out.next().expect("what waits comes first"));
    assert_eq!(record["askId"], *first, "{record}");
    let second = still.asks(2, &["Second?"]);
    let is = |state: &'static str, id: &str| {
        let id = id.to_owned();
        move |line: &str| {
            let record = json(line);
            (record["askId"] == *id && record["state"] == state).then_some(())
        }
    };
    lines.out.find("the second", is("waiting", &second));
    still.prints(&["decline", &first]);
    lines.out.find("the first ends", is("declined", &first));
    text.out.find("the first ends", |line| {
        (line.starts_with("declined") && line.contains("First?")).then_some(())
    });
}

#[test]
fn an_answer_that_nobody_fetches_leaves_the_list_after_a_day_and_is_still_told() {
    let sandbox = Sandbox::at("2026-02-04T12:00:00Z");
    let id = sandbox.asks(&["Which way?"]);
    sandbox.done(&["answer", &id, "--set", "left"]);
    let inbox = || String::from_utf8_lossy(&sandbox.run(&["inbox", "--plain"]).stdout).into_owned();
    let kept = "1 answer is kept until its agent fetches it";
    sandbox.set_clock("2026-02-05T11:59:00Z");
    assert!(inbox().contains(kept), "{}", inbox());
    sandbox.set_clock("2026-02-05T12:01:00Z");
    assert!(!inbox().contains(kept), "{}", inbox());
    let past = sandbox.done(&["history"]);
    assert!(past.contains("Which way?"), "{past}");
    let told = sandbox.done(&["wait", &id]);
    assert!(told.contains("left"), "{told}");
}

/// A record without the asking process, which differs in each run.
fn without_caller(record: &str) -> String {
    let (before, caller) = record
        .split_once(",\"caller\":{")
        .expect("the hub knows who asked");
    let (_, after) = caller.split_once('}').expect("a closing mark");
    format!("{before}{after}")
}
