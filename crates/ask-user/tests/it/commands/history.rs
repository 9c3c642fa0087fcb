//! Closed asks on the command line: found by every filter, counted, exported, removed.

use std::os::unix::fs::symlink;
use std::path::Path;

use super::{FixedHome, NOON};
use crate::support::agent::Agent;
use crate::support::json;
use crate::support::person::Person;
use crate::support::sandbox::{BINARY, Sandbox, run_to_end};

/// A home with four closed asks and one that waits.
struct HistoryHome {
    fixed: FixedHome,
    /// Answered as recommended, from project "shop"; declined; answered with own text; asked back.
    ids: [String; 4],
}

impl HistoryHome {
    fn new() -> Self {
        let fixed = FixedHome::new();
        let ask = |seed, text: &str| {
            let id = fixed.ask(
                seed,
                &[
                    "--title",
                    text,
                    text,
                    "--option",
                    "Red (Recommended)",
                    "--option",
                    "Blue",
                ],
            );
            assert!(!id.is_empty());
            id
        };
        let ids = [
            ask(1, "Which colour for the roof?"),
            ask(2, "Which colour for the door?"),
            ask(3, "Which colour for the wall?"),
            ask(4, "Which colour for the gate?"),
        ];
        fixed.stdout_of(&["answer", &ids[0], "--set", "1", "--note", "mind the gutter"]);
        fixed.stdout_of(&["decline", &ids[1], "--reason", "ask Ada"]);
        fixed.stdout_of(&["answer", &ids[2], "--other", "数据库 grün"]);
        fixed.stdout_of(&["clarify", &ids[3], "which gate?"]);
        fixed.ask(5, &["Still open?"]);
        Self { fixed, ids }
    }

    /// Which of the four a filter finds, by their indices, the newest first.
    fn found(&self, arguments: &[&str]) -> Vec<usize> {
        let mut all = vec!["history", "--json"];
        all.extend(arguments);
        let records = self.fixed.json(&all);
        let records = records.as_array().expect("an array").iter();
        records
            .map(|record| {
                let is_it = |id: &String| record["askId"] == **id;
                self.ids
                    .iter()
                    .position(is_it)
                    .expect("the id is one of the four")
            })
            .collect()
    }
}

#[test]
fn every_filter_selects_the_right_asks() {
    let home = HistoryHome::new();
    for (arguments, found) in [
        (&[][..], &[3, 2, 1, 0][..]),
        (&["--search", "colour door"], &[1]),
        (&["--search", "gutter"], &[0]),
        (&["--search", "Ada"], &[1]),
        (&["--search", "数据"], &[2]),
        (&["--search", "据库"], &[2]),
        (&["--search", "grun"], &[2]),
        (&["--search", "which gate"], &[3]),
        (&["--project", "shop"], &[3, 2, 1, 0]),
        (&["--project", "SHOP", "--search", "roof"], &[0]),
        (&["--project", "house"], &[]),
        (&["--agent", "ask-user"], &[3, 2, 1, 0]),
        (&["--agent", "codex"], &[]),
        (&["--branch", "main"], &[]),
        (&["--state", "answered"], &[2, 0]),
        (&["--state", "declined"], &[1]),
        (&["--state", "ask-back"], &[3]),
        (&["--state", "late"], &[3, 2, 1, 0]),
        (&["--state", "undelivered"], &[3, 2, 1, 0]),
        (&["--state", "undelivered", "--search", "roof"], &[0]),
        (&["--state", "expired"], &[]),
        (&["--state", "withdrawn"], &[]),
        (&["--surface", "cli"], &[3, 2, 1, 0]),
        (&["--surface", "terminal"], &[]),
        (&["--recommended", "taken"], &[0]),
        (&["--recommended", "not-taken"], &[2]),
        (&["--since", "2026-02-04"], &[3, 2, 1, 0]),
        (
            &["--since", "2026-02-04T12:00:00Z", "--state", "declined"],
            &[1],
        ),
        (&["--since", "2026-02-04T12:00:01Z"], &[]),
        (&["--until", "2026-02-04T12:00:00Z"], &[]),
        (&["--until", "2026-02-04", "--search", "wall"], &[2]),
        (&["--until", "2026-02-03"], &[]),
        (&["--state", "answered", "--limit", "1"], &[2]),
    ] {
        assert_eq!(home.found(arguments), found, "{arguments:?}");
    }
    let said = home.fixed.stderr_of(2, &["history", "--state", "pending"]);
    assert!(said.contains("ask-back"), "it says what there is: {said}");
    // A call that fetches the answer before the deadline makes it an answer in time.
    home.fixed.stdout_of(&["wait", &home.ids[2]]);
    assert_eq!(home.found(&["--state", "late"]), [3, 1, 0]);
    assert_eq!(home.found(&["--state", "undelivered"]), [3, 1, 0]);
    let counted = home
        .fixed
        .json(&["stats", "--json", "--state", "undelivered"]);
    assert_eq!(counted["asks"], 3);
    assert_eq!(home.found(&["--state", "answered"]), [2, 0]);
}

#[test]
fn statistics_cover_the_filtered_asks() {
    let home = HistoryHome::new();
    home.fixed.stdout_of(&["wait", &home.ids[2]]);
    let stats = home.fixed.json(&["stats", "--json"]);
    assert_eq!(stats["asks"], 4);
    assert_eq!(stats["outcomes"]["answered"], 1, "{stats}");
    assert_eq!(stats["outcomes"]["late"], 1, "{stats}");
    assert_eq!(stats["waiting"], 1);
    assert_eq!(stats["agents"][0]["recommended"], 1, "{stats}");
    assert_eq!(stats["agents"][0]["ownWords"], 1, "{stats}");
    assert_eq!(stats["agents"][0]["notes"], 1, "{stats}");
    assert_eq!(stats["surfaces"][0]["surface"], "cli");
    let answers = "a no and a question back are no answers, and quick";
    for took in [&stats["took"], &stats["surfaces"][0], &stats["hours"][0]] {
        assert_eq!(took["count"], 2, "{answers}: {stats}");
    }
    assert_eq!(stats["projects"][0]["project"], "shop");
    let one = home.fixed.json(&["stats", "--json", "--search", "door"]);
    assert_eq!(
        (&one["asks"], &one["outcomes"]["declined"]),
        (&1.into(), &1.into())
    );
    let text = home.fixed.stdout_of(&["stats"]);
    for words in [
        "4 asks",
        "1 waits now",
        "How they ended",
        "cli",
        "2026-02-04",
        "ask-user",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let bars = text.contains(['█', '#', '…', '·']);
    assert!(
        !bars && text.contains("own words 50 %"),
        "numbers in words, nothing cut: {text}"
    );
}

#[test]
fn the_history_is_exported_in_three_formats() {
    let home = HistoryHome::new();
    let all = json(&home.fixed.stdout_of(&["export"]));
    assert_eq!(all.as_array().map(Vec::len), Some(4));
    assert_eq!(all[0]["askId"], *home.ids[3], "the newest first");
    assert_eq!(
        home.fixed.stdout_of(&["export", "--search", "nothing"]),
        "[]\n"
    );

    let table = home
        .fixed
        .stdout_of(&["export", "--format", "csv", "--state", "answered"]);
    let rows: Vec<&str> = table.split_terminator("\r\n").collect();
    assert_eq!(rows.len(), 3, "{table}");
    assert!(rows[0].starts_with("ask_id,asked_at,closed_at,"));
    assert!(rows[2].contains("mind the gutter"), "{table}");

    let text = home
        .fixed
        .stdout_of(&["export", "--format", "md", "--search", "roof"]);
    for words in [
        "## Which colour for the roof?\n",
        "- [x] Red (Recommended)\n- [ ] Blue",
        "mind the gutter",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }

    let file = home.fixed.sandbox.home().join("home.json");
    let path = file.to_str().expect("UTF-8");
    let output = home
        .fixed
        .run(&["export", "--output", path, "--state", "declined"]);
    assert_eq!((output.code, &*output.out), (0, ""), "{}", output.err);
    assert!(output.err.contains("1 ask in"), "{}", output.err);
    let written = std::fs::read_to_string(&file).expect("a written file");
    assert_eq!(json(&written)[0]["askId"], *home.ids[1]);
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::metadata(&file)
        .expect("an existing file")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600, "only its person reads it");
    let said = home
        .fixed
        .stderr_of(1, &["export", "--output", "/nowhere/at/all.json"]);
    assert!(said.contains("/nowhere/at/all.json"), "{said}");

    let pipe = home.fixed.sandbox.home().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.is_ok_and(|made| made.success()), "mkfifo runs");
    let path = pipe.to_str().expect("a plain path");
    let refused = home.fixed.stderr_of(1, &["export", "--output", path]);
    assert!(refused.contains("not a file"), "{refused}");
    let found = std::fs::symlink_metadata(&pipe).expect("the pipe is there");
    use std::os::unix::fs::FileTypeExt;
    assert!(found.file_type().is_fifo(), "a pipe is not replaced");
}

#[test]
fn an_export_follows_no_link() {
    let fixed = FixedHome::new();
    let home = fixed.sandbox.home();
    let outside = home.join("outside");
    std::fs::write(&outside, "precious").expect("a writable home");
    let checkout = home.join("checkout");
    std::fs::create_dir(&checkout).expect("a new folder");
    symlink(&outside, checkout.join("out.json")).expect("a new link");
    // Names that can be guessed: the shell becomes the program and keeps its number.
    let script = r#"for name in out.json.new-$$ out.json.$$ out.json.new out.json.tmp; do
        ln -s ../outside "$name" || exit
        done
        exec "$0" export --output out.json"#;
    let mut command = fixed.sandbox.command("sh");
    command.args(["-c", script, BINARY]).current_dir(&checkout);
    let exported = run_to_end(command);
    assert!(exported.status.success(), "{exported:?}");
    let read = |path: &Path| std::fs::read_to_string(path).expect("a file");
    assert_eq!(read(&outside), "precious");
    let file = checkout.join("out.json");
    assert!(!file.is_symlink(), "the link is replaced");
    assert_eq!(read(&file), "[]\n");
}

#[test]
fn an_export_stays_in_the_checkout_that_it_is_named_in() {
    let fixed = FixedHome::new();
    let outside = fixed.sandbox.home().join("outside");
    let checkout = fixed.sandbox.home().join("checkout");
    for folder in [&outside, &checkout.join("own")] {
        std::fs::create_dir_all(folder).expect("a writable home");
    }
    symlink("../outside", checkout.join("out")).expect("a new link");
    symlink("own", checkout.join("in")).expect("a new link");
    for (file, code) in [("in/file.json", 0), ("out/file.json", 1)] {
        let mut command = fixed.sandbox.command(BINARY);
        command
            .args(["export", "--output", file])
            .current_dir(&checkout);
        let exported = run_to_end(command);
        assert_eq!(exported.status.code(), Some(code), "{file}: {exported:?}");
        let said = String::from_utf8_lossy(&exported.stderr);
        assert_eq!(said.contains("out of the project"), code == 1, "{said}");
    }
    assert!(checkout.join("own/file.json").exists());
    assert!(!outside.join("file.json").exists());
}

#[test]
fn hostile_text_is_escaped_in_every_format() {
    let fixed = FixedHome::new();
    let call = r##"{"title":"=cmd|' /C calc'!A0","questions":[{"id":"q","question":"# Head [x](javascript:alert) \u001b[2J\u202e<b>?","type":"select","options":[{"label":"@SUM(1)"},{"label":"-2+3"}]}]}"##;
    let id = fixed.ask_call(1, call);
    fixed.stdout_of(&[
        "answer",
        &id,
        "--set",
        "1",
        "--note",
        "+1,\"quoted\"\n`code`",
    ]);
    let table = fixed.stdout_of(&["export", "--format", "csv"]);
    for cell in [
        "\"'=cmd|' /C calc'!A0\"",
        "\"'@SUM(1)\n-2+3\"",
        "\"'+1,\"\"quoted\"\"\n`code`\"",
    ] {
        assert!(table.contains(cell), "{cell}: {table}");
    }
    let text = fixed.stdout_of(&["export", "--format", "md"]);
    for part in [
        "## \\=cmd\\|",
        "\\# Head \\[x\\](javascript:alert)",
        "\\<b\\>",
        "\\`code\\`",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let listing = fixed.stdout_of(&["history"]);
    for out in [table, text, listing] {
        assert!(!out.contains(['\u{1b}', '\u{202e}']), "{out:?}");
    }
}

#[test]
fn forgetting_by_filter_needs_yes() {
    let home = HistoryHome::new();
    let fixed = &home.fixed;
    for options in [&["forget"][..], &["forget", "--search", " !", "--yes"]] {
        assert!(fixed.stderr_of(2, options).contains("forget what?"));
    }
    fixed.stderr_of(2, &["forget", &home.ids[0], "--project", "shop"]);
    // None of the answers has been delivered yet.
    let said = fixed.stdout_of(&["forget", "--project", "shop", "--yes"]);
    assert!(said.starts_with("0 asks forgotten.\n4 asks kept"), "{said}");
    fixed.stdout_of(&["wait", &home.ids[0]]);
    fixed.stdout_of(&["wait", &home.ids[2]]);
    let said = fixed.stdout_of(&["forget", "--before", "2026-02-05"]);
    assert!(said.starts_with("2 asks would be forgotten."), "{said}");
    assert!(said.contains("2 asks kept"), "{said}");
    assert_eq!(home.found(&[]), [3, 2, 1, 0], "it was only counted");
    assert!(
        fixed
            .stdout_of(&["forget", "--before", "2026-02-04"])
            .starts_with("Nothing to forget.")
    );
    let said = fixed.stdout_of(&["forget", "--search", "roof", "--yes"]);
    assert_eq!(said, "1 ask forgotten.\n");
    assert!(
        fixed
            .stdout_of(&["forget", "--all", "--yes"])
            .starts_with("1 ask forgotten.\n2 asks kept")
    );
    assert_eq!(home.found(&[]), [3, 1]);
    let why = fixed.stderr_of(1, &["forget", &home.ids[1]]);
    assert!(
        why.contains("no agent has been told; nothing was removed"),
        "{why}"
    );
    assert_eq!(home.found(&[]), [3, 1]);
    fixed.stdout_of(&["forget", &home.ids[1], "--yes"]);
    assert_eq!(home.found(&[]), [3], "by its id anything goes that is over");
}

/// The output of a command at this time.
fn output_at(sandbox: &Sandbox, now: &str, arguments: &[&str]) -> String {
    let mut command = sandbox.command(BINARY);
    command.env("ASK_USER_NOW", now).args(arguments);
    let output = run_to_end(command);
    assert!(matches!(output.status.code(), Some(0 | 8)), "{output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The output of `history` at this time.
fn history_at(sandbox: &Sandbox, now: &str) -> String {
    output_at(sandbox, now, &["history"])
}

#[test]
fn old_asks_are_removed_and_undelivered_ones_later() {
    let fixed = FixedHome::new();
    let [told, kept] = [fixed.ask(1, &["Told?"]), fixed.ask(2, &["Kept?"])];
    for id in [&told, &kept] {
        fixed.stdout_of(&["answer", id, "--set", "yes"]);
    }
    fixed.stdout_of(&["wait", &told]);
    fixed.stdout_of(&["hub", "--stop"]);
    let sandbox = &fixed.sandbox;
    let ends = || {
        let lock = std::fs::File::open(sandbox.home().join("hub.lock")).expect("a lock file");
        lock.lock().expect("a released lock");
    };
    ends();
    assert_eq!(
        history_at(sandbox, "2026-04-30T12:00:00Z").lines().count(),
        2,
        "asked at {NOON}"
    );
    fixed.stdout_of(&["hub", "--stop"]);
    ends();
    let log = || std::fs::read_to_string(sandbox.home().join("hub.log")).unwrap_or_default();
    let until = |before: &str, now: &str, gone: &str| {
        // An ask two days earlier shows the hub that the clock hasn't jumped.
        output_at(sandbox, before, &["ask", "--no-wait", "And now?"]);
        fixed.stdout_of(&["hub", "--stop"]);
        ends();
        // The hub removes records when it starts; a listing may be faster.
        let is_gone = |_| !history_at(sandbox, now).contains(gone);
        assert!((0..1_000).any(is_gone), "{gone} at {now}");
        fixed.stdout_of(&["hub", "--stop"]);
        ends();
    };
    until("2026-05-04T12:00:00Z", "2026-05-06T12:00:00Z", "Told?");
    assert!(history_at(sandbox, "2026-05-06T12:00:00Z").contains("Kept?"));
    fixed.stdout_of(&["hub", "--stop"]);
    ends();
    until("2026-08-08T12:00:00Z", "2026-08-10T12:00:00Z", "Kept?");
    let names = |line: &str| line.contains("no agent has come for") && line.contains(&kept);
    assert!(log().lines().any(names), "the log names it: {}", log());
}

#[test]
fn a_forgotten_answer_is_not_prefilled() {
    const CALL: &str = r#"{"questions":[{"question":"Which password?","type":"text"}]}"#;
    let sandbox = Sandbox::new();
    let mut agent = Agent::connect(&sandbox, "native");
    let mut person = Person::new(&sandbox);
    let mut asked = |answered: bool| {
        let call = agent.call("ask_user", CALL);
        let id = person.next_ask();
        let shown = sandbox.run_ok(&["show", &id, "--json"]);
        if answered {
            sandbox.run_ok(&["answer", &id, "hunter2"]);
            assert!(agent.receive_reply(call).contains("hunter2"));
        }
        (id, shown.contains("hunter2"))
    };
    let (first, is_filled_in) = asked(true);
    assert!(!is_filled_in);
    let (second, is_filled_in) = asked(true);
    assert!(is_filled_in, "in case the agent missed it");
    for id in [first, second] {
        sandbox.run_ok(&["forget", &id, "--yes"]);
    }
    let (_, is_filled_in) = asked(false);
    assert!(!is_filled_in, "it was forgotten");
}
