//! Closed asks on the command line: found by every filter, counted, exported, removed.

use std::os::unix::fs::symlink;
use std::path::Path;

use super::{NOON, Still};
use crate::support::agent::Agent;
use crate::support::json;
use crate::support::person::Person;
use crate::support::sandbox::{BINARY, Sandbox, ended};

/// A home with four closed asks and one that waits.
struct Past {
    still: Still,
    /// Answered as recommended, from project "shop"; declined; answered with own text; asked back.
    ids: [String; 4],
}

impl Past {
    fn new() -> Self {
        let still = Still::new();
        let ask = |seed, text: &str| {
            let id = still.asks(
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
        still.prints(&["answer", &ids[0], "--set", "1", "--note", "mind the gutter"]);
        still.prints(&["decline", &ids[1], "--reason", "ask Ada"]);
        still.prints(&["answer", &ids[2], "--other", "数据库 grün"]);
        still.prints(&["clarify", &ids[3], "which gate?"]);
        still.asks(5, &["Still open?"]);
        Self { still, ids }
    }

    /// Which of the four a filter finds, by their indices, the newest first.
    fn found(&self, arguments: &[&str]) -> Vec<usize> {
        let mut all = vec!["history", "--json"];
        all.extend(arguments);
        let records = self.still.json(&all);
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
fn every_filter_narrows_the_history_down() {
    let past = Past::new();
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
        assert_eq!(past.found(arguments), found, "{arguments:?}");
    }
    let said = past.still.fails(2, &["history", "--state", "pending"]);
    assert!(said.contains("ask-back"), "it says what there is: {said}");
    // A call that fetches the answer before the deadline makes it an answer in time.
    past.still.prints(&["wait", &past.ids[2]]);
    assert_eq!(past.found(&["--state", "late"]), [3, 1, 0]);
    assert_eq!(past.found(&["--state", "undelivered"]), [3, 1, 0]);
    let counted = past
        .still
        .json(&["stats", "--json", "--state", "undelivered"]);
    assert_eq!(counted["asks"], 3);
    assert_eq!(past.found(&["--state", "answered"]), [2, 0]);
}

#[test]
fn figures_count_what_the_filter_finds() {
    let past = Past::new();
    past.still.prints(&["wait", &past.ids[2]]);
    let stats = past.still.json(&["stats", "--json"]);
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
    let one = past.still.json(&["stats", "--json", "--search", "door"]);
    assert_eq!(
        (&one["asks"], &one["outcomes"]["declined"]),
        (&1.into(), &1.into())
    );
    let text = past.still.prints(&["stats"]);
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
fn a_history_is_written_out_in_three_forms() {
    let past = Past::new();
    let all = json(&past.still.prints(&["export"]));
    assert_eq!(all.as_array().map(Vec::len), Some(4));
    assert_eq!(all[0]["askId"], *past.ids[3], "the newest first");
    assert_eq!(
        past.still.prints(&["export", "--search", "nothing"]),
        "[]\n"
    );

    let table = past
        .still
        .prints(&["export", "--format", "csv", "--state", "answered"]);
    let rows: Vec<&str> = table.split_terminator("\r\n").collect();
    assert_eq!(rows.len(), 3, "{table}");
    assert!(rows[0].starts_with("ask_id,asked_at,closed_at,"));
    assert!(rows[2].contains("mind the gutter"), "{table}");

    let text = past
        .still
        .prints(&["export", "--format", "md", "--search", "roof"]);
    for words in [
        "## Which colour for the roof?\n",
        "- [x] Red (Recommended)\n- [ ] Blue",
        "mind the gutter",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }

    let file = past.still.sandbox.home().join("past.json");
    let path = file.to_str().expect("UTF-8");
    let came = past
        .still
        .run(&["export", "--output", path, "--state", "declined"]);
    assert_eq!((came.code, &*came.out), (0, ""), "{}", came.err);
    assert!(came.err.contains("1 ask in"), "{}", came.err);
    let written = std::fs::read_to_string(&file).expect("a written file");
    assert_eq!(json(&written)[0]["askId"], *past.ids[1]);
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::metadata(&file)
        .expect("an existing file")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600, "only its person reads it");
    let said = past
        .still
        .fails(1, &["export", "--output", "/nowhere/at/all.json"]);
    assert!(said.contains("/nowhere/at/all.json"), "{said}");
}

#[test]
fn an_export_writes_through_no_link() {
    let still = Still::new();
    let home = still.sandbox.home();
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
    let mut command = still.sandbox.command("sh");
    command.args(["-c", script, BINARY]).current_dir(&checkout);
    let exported = ended(command);
    assert!(exported.status.success(), "{exported:?}");
    let read = |path: &Path| std::fs::read_to_string(path).expect("a file");
    assert_eq!(read(&outside), "precious");
    let file = checkout.join("out.json");
    assert!(!file.is_symlink(), "the link is replaced");
    assert_eq!(read(&file), "[]\n");
}

#[test]
fn an_export_stays_in_the_checkout_that_it_is_named_in() {
    let still = Still::new();
    let outside = still.sandbox.home().join("outside");
    let checkout = still.sandbox.home().join("checkout");
    for folder in [&outside, &checkout.join("own")] {
        std::fs::create_dir_all(folder).expect("a writable home");
    }
    symlink("../outside", checkout.join("out")).expect("a new link");
    symlink("own", checkout.join("in")).expect("a new link");
    for (file, code) in [("in/file.json", 0), ("out/file.json", 1)] {
        let mut command = still.sandbox.command(BINARY);
        command
            .args(["export", "--output", file])
            .current_dir(&checkout);
        let exported = ended(command);
        assert_eq!(exported.status.code(), Some(code), "{file}: {exported:?}");
        let said = String::from_utf8_lossy(&exported.stderr);
        assert_eq!(said.contains("out of the project"), code == 1, "{said}");
    }
    assert!(checkout.join("own/file.json").exists());
    assert!(!outside.join("file.json").exists());
}

#[test]
fn a_hostile_ask_is_only_text_in_every_form() {
    let still = Still::new();
    let call = r##"{"title":"=cmd|' /C calc'!A0","questions":[{"id":"q","question":"# Head [x](javascript:alert) \u001b[2J\u202e<b>?","type":"select","options":[{"label":"@SUM(1)"},{"label":"-2+3"}]}]}"##;
    let id = still.asks_call(1, call);
    still.prints(&[
        "answer",
        &id,
        "--set",
        "1",
        "--note",
        "+1,\"quoted\"\n`code`",
    ]);
    let table = still.prints(&["export", "--format", "csv"]);
    for cell in [
        "\"'=cmd|' /C calc'!A0\"",
        "\"'@SUM(1)\n-2+3\"",
        "\"'+1,\"\"quoted\"\"\n`code`\"",
    ] {
        assert!(table.contains(cell), "{cell}: {table}");
    }
    let text = still.prints(&["export", "--format", "md"]);
    for part in [
        "## \\=cmd\\|",
        "\\# Head \\[x\\](javascript:alert)",
        "\\<b\\>",
        "\\`code\\`",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let listing = still.prints(&["history"]);
    for out in [table, text, listing] {
        assert!(!out.contains(['\u{1b}', '\u{202e}']), "{out:?}");
    }
}

#[test]
fn many_are_forgotten_only_when_it_is_said_twice() {
    let past = Past::new();
    let still = &past.still;
    assert!(still.fails(2, &["forget"]).contains("forget what?"));
    still.fails(2, &["forget", &past.ids[0], "--project", "shop"]);
    // None of the answers has been delivered yet.
    let said = still.prints(&["forget", "--project", "shop", "--yes"]);
    assert!(said.starts_with("0 asks forgotten.\n4 asks kept"), "{said}");
    still.prints(&["wait", &past.ids[0]]);
    still.prints(&["wait", &past.ids[2]]);
    let said = still.prints(&["forget", "--before", "2026-02-05"]);
    assert!(said.starts_with("2 asks would be forgotten."), "{said}");
    assert!(said.contains("2 asks kept"), "{said}");
    assert_eq!(past.found(&[]), [3, 2, 1, 0], "it was only counted");
    assert!(
        still
            .prints(&["forget", "--before", "2026-02-04"])
            .starts_with("Nothing to forget.")
    );
    let said = still.prints(&["forget", "--search", "roof", "--yes"]);
    assert_eq!(said, "1 ask forgotten.\n");
    assert!(
        still
            .prints(&["forget", "--all", "--yes"])
            .starts_with("1 ask forgotten.\n2 asks kept")
    );
    assert_eq!(past.found(&[]), [3, 1]);
    let why = still.fails(1, &["forget", &past.ids[1]]);
    assert!(
        why.contains("no agent has been told; nothing was removed"),
        "{why}"
    );
    assert_eq!(past.found(&[]), [3, 1]);
    still.prints(&["forget", &past.ids[1], "--yes"]);
    assert_eq!(past.found(&[]), [3], "by its id anything goes that is over");
}

/// The output of a command at this time.
fn at(sandbox: &Sandbox, now: &str, arguments: &[&str]) -> String {
    let mut command = sandbox.command(BINARY);
    command.env("ASK_USER_NOW", now).args(arguments);
    let output = ended(command);
    assert!(matches!(output.status.code(), Some(0 | 8)), "{output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The output of `history` at this time.
fn listed(sandbox: &Sandbox, now: &str) -> String {
    at(sandbox, now, &["history"])
}

#[test]
fn what_is_over_for_long_is_removed_and_an_unheard_answer_much_later() {
    let still = Still::new();
    let [told, kept] = [still.asks(1, &["Told?"]), still.asks(2, &["Kept?"])];
    for id in [&told, &kept] {
        still.prints(&["answer", id, "--set", "yes"]);
    }
    still.prints(&["wait", &told]);
    still.prints(&["hub", "--stop"]);
    let sandbox = &still.sandbox;
    let ends = || {
        let lock = std::fs::File::open(sandbox.home().join("hub.lock")).expect("a lock file");
        lock.lock().expect("a released lock");
    };
    ends();
    assert_eq!(
        listed(sandbox, "2026-04-30T12:00:00Z").lines().count(),
        2,
        "asked at {NOON}"
    );
    still.prints(&["hub", "--stop"]);
    ends();
    let log = || std::fs::read_to_string(sandbox.home().join("hub.log")).unwrap_or_default();
    let until = |before: &str, now: &str, gone: &str| {
        // An ask two days earlier shows the hub that the clock hasn't jumped.
        at(sandbox, before, &["ask", "--no-wait", "And now?"]);
        still.prints(&["hub", "--stop"]);
        ends();
        // The hub removes records when it starts; a listing may be faster.
        let is_gone = |_| !listed(sandbox, now).contains(gone);
        assert!((0..1_000).any(is_gone), "{gone} at {now}");
        still.prints(&["hub", "--stop"]);
        ends();
    };
    until("2026-05-04T12:00:00Z", "2026-05-06T12:00:00Z", "Told?");
    assert!(listed(sandbox, "2026-05-06T12:00:00Z").contains("Kept?"));
    still.prints(&["hub", "--stop"]);
    ends();
    until("2026-08-08T12:00:00Z", "2026-08-10T12:00:00Z", "Kept?");
    let names = |line: &str| line.contains("no agent has come for") && line.contains(&kept);
    assert!(log().lines().any(names), "the log names it: {}", log());
}

#[test]
fn what_was_forgotten_is_not_filled_in_when_the_same_is_asked_again() {
    const CALL: &str = r#"{"questions":[{"question":"Which password?","type":"text"}]}"#;
    let sandbox = Sandbox::new();
    let mut agent = Agent::of(&sandbox, "native");
    let mut person = Person::at(&sandbox);
    let mut asked = |answered: bool| {
        let call = agent.call("ask_user", CALL);
        let id = person.asked();
        let shown = sandbox.done(&["show", &id, "--json"]);
        if answered {
            sandbox.done(&["answer", &id, "hunter2"]);
            assert!(agent.told(call).contains("hunter2"));
        }
        (id, shown.contains("hunter2"))
    };
    let (first, is_filled_in) = asked(true);
    assert!(!is_filled_in);
    let (second, is_filled_in) = asked(true);
    assert!(is_filled_in, "in case the agent missed it");
    for id in [first, second] {
        sandbox.done(&["forget", &id, "--yes"]);
    }
    let (_, is_filled_in) = asked(false);
    assert!(!is_filled_in, "it was forgotten");
}
