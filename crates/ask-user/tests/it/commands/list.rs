//! `list`, `show`, `status`, `watch`, `history` and `forget`: their text and their JSON.

use super::FixedHome;
use crate::support::json;
use crate::support::sandbox::{BINARY, Sandbox};

#[test]
fn lists_are_empty_until_something_waits() {
    let fixed = FixedHome::new();
    assert_eq!(
        fixed.stdout_of(&["status"]),
        "Nothing waits (no hub runs).\n"
    );
    assert_eq!(fixed.stdout_of(&["status", "--tmux"]), "");
    let status = fixed.json(&["status", "--json"]);
    assert_eq!(status["running"], false);
    let hub = fixed.sandbox.run(&["hub", "--status", "--json"]);
    let hub = json(&String::from_utf8_lossy(&hub.stdout));
    for said in [status, hub] {
        // `kill 0` signals the caller's whole process group, so a missing process must not be 0.
        assert!(said.get("pid").is_none(), "{said}");
    }
    assert!(
        !fixed.sandbox.home().join("hub.json").exists(),
        "nothing was started"
    );
    assert_eq!(fixed.stdout_of(&["list"]), "Nothing waits for an answer.\n");
    assert_eq!(fixed.stdout_of(&["list", "--json"]), "[]\n");
    assert_eq!(fixed.stdout_of(&["history"]), "Nothing found.\n");
    assert_eq!(fixed.stdout_of(&["history", "--json"]), "[]\n");
    let said = fixed.stderr_of(1, &["show", "latest"]);
    assert!(said.contains("nothing has been asked yet"), "{said}");
}

#[test]
fn an_ask_is_printed_alike_by_all_commands() {
    let fixed = FixedHome::new();
    let id = fixed.ask(
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
        fixed.stdout_of(&["list"]),
        format!(
            "{}     0s  ask-user       shop                 Set-up  [the agent stopped waiting, 10m left]\n",
            &id[..10]
        )
    );
    assert_eq!(
        fixed.stdout_of(&["show", &id]),
        format!(
            "Set-up\n{id} asked from a shell, for shop, in HOME, 0s ago.\nState: the agent stopped waiting, 10m \
             left.\n\nWe need one.\n\nWhich database?  (choose one)\n   1) PostgreSQL - Battle-tested\n   2) SQLite\n"
        )
    );
    let wanted = format!(
        r#"{{"askId":"{id}","state":"waiting","title":"Set-up","context":"We need one.","questions":[{{"questionId":"q1","question":"Which database?","type":"select","options":[{{"label":"PostgreSQL","description":"Battle-tested"}},{{"label":"SQLite"}}],"required":true}}],"timeout":600000,"asker":{{"client":"ask-user","clientVersion":"{}","project":"shop","directory":"HOME"}},"dialect":"native","askedAt":"2026-02-04T12:00:00Z","deadlineAt":"2026-02-04T12:10:00Z"}}"#,
        env!("CARGO_PKG_VERSION")
    );
    let shown = fixed.stdout_of(&["show", &id, "--json"]);
    assert_eq!(without_caller(&shown), format!("{wanted}\n"));
    let listed = fixed.stdout_of(&["list", "--json"]);
    assert_eq!(without_caller(&listed), format!("[{wanted}]\n"));
    assert_eq!(
        fixed.stdout_of(&["show", &id, "--summary"]),
        "User was asked about 'Which database?' and has not answered yet.\n"
    );
    assert_eq!(
        fixed.stdout_of(&["status"]),
        "1 question waits for an answer.\n"
    );
    assert_eq!(fixed.stdout_of(&["status", "--tmux"]), "ask 1\n");
    assert!(
        fixed.stdout_of(&[]).starts_with("1 question waits"),
        "the short status"
    );
}

#[test]
fn a_closed_ask_shows_how_it_ended() {
    let fixed = FixedHome::new();
    let id = fixed.ask(1, &["Which way?", "--option", "left", "--option", "right"]);
    fixed.stdout_of(&["answer", &id, "--set", "right", "--note", "soon"]);
    let shown = fixed.stdout_of(&["show", &id]);
    assert!(
        shown.ends_with("   2) right\n   => right\n\nNote: soon\n\nAnswered on cli, 0s ago.\n"),
        "{shown}"
    );
    let record = fixed.json(&["show", &id, "--json"]);
    assert_eq!(record["state"], "answered", "{record}");
    assert_eq!(record["delivered"], false, "{record}");
    assert_eq!(record["answeredBy"], "cli", "{record}");
    assert_eq!(record["answeredAt"], "2026-02-04T12:00:00Z", "{record}");
    assert_eq!(record["outcome"]["askId"], *id, "{record}");
    assert_eq!(
        fixed.stdout_of(&["status"]),
        "Nothing waits for an answer. 1 answer is kept until its agent comes for it.\n"
    );
    assert_eq!(fixed.stdout_of(&["status", "--tmux"]), "");
    let summary = fixed.stdout_of(&["show", &id, "--summary"]);
    assert!(
        summary.contains("Which way?") && summary.contains("right"),
        "{summary}"
    );
}

#[test]
fn an_undelivered_outcome_is_kept_until_it_cannot_be_taken_up() {
    let fixed = FixedHome::new();
    let id = fixed.ask(1, &["Which way?"]);
    fixed.stdout_of(&["answer", &id, "left"]);
    for (now, how) in [
        ("2026-02-05T12:00:00Z", "kept until the agent asks again"),
        ("2026-02-05T12:00:01Z", "kept; its agent can fetch it"),
    ] {
        for arguments in [&["show", &id][..], &["history"], &["list", "--all"]] {
            let mut command = fixed.sandbox.command(BINARY);
            command.env("ASK_USER_NOW", now).args(arguments);
            let output = crate::support::sandbox::run_to_end(command);
            let said = String::from_utf8_lossy(&output.stdout);
            let wanted = format!("answered on cli, {how}");
            assert!(said.contains(&wanted), "{now} {arguments:?}: {said}");
        }
    }
}

#[test]
fn history_is_searched_by_words_project_and_time() {
    let fixed = FixedHome::new();
    let database = fixed.ask(
        1,
        &[
            "Which database?",
            "--option",
            "PostgreSQL",
            "--option",
            "SQLite",
        ],
    );
    fixed.stdout_of(&["answer", &database, "--other", "DuckDB, perhaps"]);
    let colour = fixed.ask(2, &["Which colour?"]);
    fixed.stdout_of(&["decline", &colour, "--reason", "colour-blind"]);
    fixed.ask(3, &["Still open?"]);
    let found = |arguments: &[&str]| {
        let mut all = vec!["history", "--json"];
        all.extend(arguments);
        let records = fixed.json(&all);
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
    let said = fixed.stderr_of(2, &["history", "--since", "yesterday"]);
    assert!(
        said.contains("\"yesterday\" is no time") && said.contains("90s"),
        "{said}"
    );
    let said = fixed.stderr_of(2, &["history", "--limit", "x"]);
    assert!(said.contains("must be a whole number, such as"), "{said}");
    let said = fixed.stderr_of(2, &["mcp", "--port", "70000"]);
    assert!(said.contains("a whole number from 0 to 65535"), "{said}");
    let all = fixed.json(&["list", "--all", "--json"]);
    assert_eq!(
        all.as_array().map(Vec::len),
        Some(3),
        "waiting ones, too: {all}"
    );
}

#[test]
fn a_forgotten_ask_leaves_no_bytes() {
    let fixed = FixedHome::new();
    let id = fixed.ask(1, &["A secret?"]);
    let said = fixed.stderr_of(1, &["forget", &id]);
    assert!(
        said.contains("still waiting") && said.contains("decline it first"),
        "{said}"
    );
    fixed.stdout_of(&["answer", &id, "--set", "xyzzy"]);
    assert_eq!(
        fixed.stdout_of(&["forget", &id, "--yes"]),
        "1 ask forgotten.\n"
    );
    assert_eq!(
        fixed.stdout_of(&["history", "--search", "xyzzy"]),
        "Nothing found.\n"
    );
    fixed.stderr_of(1, &["show", &id]);
    assert!(fixed.stdout_of(&["hub", "--stop"]).contains("has ended"));
    let lock = std::fs::File::open(fixed.sandbox.home().join("hub.lock")).expect("a lock file");
    lock.lock().expect("a released lock");
    for entry in std::fs::read_dir(fixed.sandbox.home())
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
    let fixed = FixedHome::new();
    let first = fixed.ask(1, &["First?"]);
    let watch = |arguments: &[&str]| {
        let mut command = fixed.sandbox.command(BINARY);
        command.arg("watch").args(arguments);
        fixed.sandbox.start("watch", command)
    };
    let (mut lines, mut text) = (watch(&["--json"]), watch(&[]));
    let row = text.out.next().expect("what waits comes first");
    assert!(
        row.starts_with("waiting   ") && row.contains("First?"),
        "{row}"
    );
    let record = json(&lines.out.next().expect("what waits comes first"));
    assert_eq!(record["askId"], *first, "{record}");
    let second = fixed.ask(2, &["Second?"]);
    let is = |state: &'static str, id: &str| {
        let id = id.to_owned();
        move |line: &str| {
            let record = json(line);
            (record["askId"] == *id && record["state"] == state).then_some(())
        }
    };
    lines.out.find("the second", is("waiting", &second));
    fixed.stdout_of(&["decline", &first]);
    lines.out.find("the first ends", is("declined", &first));
    text.out.find("the first ends", |line| {
        (line.starts_with("declined") && line.contains("First?")).then_some(())
    });
}

#[test]
fn an_undelivered_answer_leaves_the_list_after_a_day_and_can_be_fetched() {
    let sandbox = Sandbox::with_clock("2026-02-04T12:00:00Z");
    let id = sandbox.ask(&["Which way?"]);
    sandbox.run_ok(&["answer", &id, "--set", "left"]);
    let inbox = || String::from_utf8_lossy(&sandbox.run(&["inbox", "--plain"]).stdout).into_owned();
    let kept = "1 answer is kept until its agent fetches it";
    sandbox.set_clock("2026-02-05T11:59:00Z");
    assert!(inbox().contains(kept), "{}", inbox());
    sandbox.set_clock("2026-02-05T12:01:00Z");
    assert!(!inbox().contains(kept), "{}", inbox());
    let past = sandbox.run_ok(&["history"]);
    assert!(past.contains("Which way?"), "{past}");
    let told = sandbox.run_ok(&["wait", &id]);
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
