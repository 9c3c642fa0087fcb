//! The two passes of print mode: questions into a file, answers from the file, the command line or
//! another surface; several asks in one folder; and `pending`.

use std::path::PathBuf;

use ask_core::SafeText;

use super::{CALL, Came, PICKED, run, write};
use crate::support::json;
use crate::support::sandbox::{BINARY, Sandbox, ended};
use crate::support::traps::{TRAPS, clear};

const FILE: &str = ".pi/pending-questions.json";
/// A call with two questions.
const TWO: &str = r#"{"questions":[{"question":"What name?"},{"question":"Which parts?","multiSelect":true,"options":["Auth","Docs"]}]}"#;

fn pass(sandbox: &Sandbox, call: &str) -> Came {
    write(sandbox, "call.json", call);
    run(
        sandbox,
        &[
            "prompt",
            "--dialect",
            "pi",
            "--mode",
            "pending",
            "call.json",
        ],
    )
}

/// Runs the first pass; returns the file that it names.
fn first(sandbox: &Sandbox, call: &str) -> String {
    let came = pass(sandbox, call);
    assert_eq!(came.code, 8, "{}", came.err);
    let reply = json(&came.out);
    reply["pendingFile"].as_str().expect("a file").to_owned()
}

fn read(sandbox: &Sandbox, file: &str) -> String {
    std::fs::read_to_string(sandbox.home().join(file)).expect("the file is there")
}

/// Fills in a file, answer by answer.
fn fill(sandbox: &Sandbox, file: &str, answers: &[&str]) {
    let mut text = read(sandbox, file);
    for answer in answers {
        text = text.replacen("\"answer\": null", &format!("\"answer\": {answer}"), 1);
    }
    write(sandbox, file, &text);
}

fn files(sandbox: &Sandbox) -> Vec<PathBuf> {
    let listed = std::fs::read_dir(sandbox.home().join(".pi")).expect("the folder is there");
    listed
        .map(|entry| entry.expect("the entry is readable").path())
        .collect()
}

#[test]
fn the_file_is_filled_in_and_the_same_call_again_is_answered() {
    let sandbox = Sandbox::new();
    assert_eq!(first(&sandbox, CALL), FILE);
    assert_eq!(
        first(&sandbox, CALL),
        FILE,
        "the file stays the same while it is blank"
    );
    fill(&sandbox, FILE, &["\"PostgreSQL\""]);
    let came = pass(&sandbox, CALL);
    assert_eq!((came.code, came.out.as_str()), (0, PICKED), "{}", came.err);
    assert!(files(&sandbox).is_empty(), "the file is removed");
    assert_eq!(first(&sandbox, CALL), FILE, "and now it is a new question");
}

#[test]
fn half_a_file_is_kept_and_a_broken_one_is_mended() {
    let sandbox = Sandbox::new();
    let file = first(&sandbox, TWO);
    fill(&sandbox, &file, &["\"shop\""]);
    let came = pass(&sandbox, TWO);
    assert_eq!(came.code, 8);
    assert!(
        came.err.contains("not answered: question 2"),
        "{}",
        came.err
    );
    let record = json(&sandbox.done(&["show", "latest", "--json"]));
    assert_eq!(record["draft"]["answers"][0]["own"], "shop", "{record}");
    let good = read(&sandbox, &file);
    write(&sandbox, &file, &good.replace(']', ""));
    let came = pass(&sandbox, TWO);
    assert_eq!((came.code, came.out.as_str()), (2, ""));
    assert!(came.err.contains("mend the file"), "{}", came.err);
    // If the file names an ask that isn't known, the questions are written to another file beside
    // it.
    let id = json(&good)["sessionId"].clone();
    let id = id.as_str().expect("the ask's id");
    write(&sandbox, &file, &good.replace(id, "a_gone"));
    let beside = first(&sandbox, TWO);
    assert_ne!(beside, file);
    assert!(read(&sandbox, &file).contains("shop"));
    write(&sandbox, &file, &good);
    fill(&sandbox, &file, &["[\"Docs\"]"]);
    let came = pass(&sandbox, TWO);
    assert_eq!(came.code, 0, "{}", came.err);
    assert!(came.out.contains(r#""answer":["Docs"]"#), "{}", came.out);
    assert!(files(&sandbox).is_empty(), "both files are removed");
}

#[test]
fn two_asks_in_one_folder_keep_a_file_each() {
    let sandbox = Sandbox::new();
    let one = first(&sandbox, CALL);
    let two = first(&sandbox, TWO);
    assert_ne!(one, two);
    fill(&sandbox, &one, &["\"PostgreSQL\""]);
    fill(&sandbox, &two, &["\"shop\"", "[]"]);
    let third = first(&sandbox, r#"{"questions":[{"question":"And?"}]}"#);
    assert!(third != one && third != two, "{third}");
    assert_eq!(pass(&sandbox, CALL).out, PICKED);
    let came = pass(&sandbox, TWO);
    assert!(
        came.out.contains(r#""answer":[]"#),
        "none of these: {}",
        came.out
    );
    assert_eq!(files(&sandbox).len(), 1, "the third waits");
}

/// A file as a person may leave it: the questions cut short, and no id.
const SHORT: &str = r#"{"questions":[{"question":"Database?","answer":"PostgreSQL"}]}"#;
/// The same with the question as it was asked.
const WHOLE: &str = r#"{"questions":[{"question":"Which database?","answer":"PostgreSQL"}]}"#;

#[test]
fn a_file_without_its_id_belongs_to_the_ask_that_it_was_written_for() {
    let again: [&[&str]; 3] = [
        &[
            "prompt",
            "--dialect",
            "pi",
            "--mode",
            "pending",
            "call.json",
        ],
        &["prompt", "--dialect", "pi", "--mode", "pending", FILE],
        &["pending", "answer"],
    ];
    for (edited, arguments) in [SHORT, WHOLE]
        .iter()
        .flat_map(|edited| again.map(|arguments| (*edited, arguments)))
    {
        let sandbox = Sandbox::new();
        assert_eq!(first(&sandbox, CALL), FILE);
        write(&sandbox, FILE, edited);
        let came = run(&sandbox, arguments);
        assert_eq!(came.code, 0, "{edited} {arguments:?}: {}", came.err);
        if arguments[0] == "prompt" {
            assert_eq!(came.out, PICKED, "{edited} {arguments:?}");
        }
        assert!(files(&sandbox).is_empty(), "{edited} {arguments:?}");
        let record = json(&sandbox.done(&["show", "latest", "--json"]));
        assert_eq!(record["state"], "answered", "{record}");
    }
}

#[test]
fn of_several_asks_a_file_without_an_id_is_taken_by_its_questions_only() {
    let sandbox = Sandbox::new();
    assert_eq!(first(&sandbox, CALL), FILE);
    let other = first(&sandbox, TWO);
    write(&sandbox, FILE, SHORT);
    let beside = first(&sandbox, CALL);
    assert!(beside != FILE && beside != other, "{beside}");
    write(&sandbox, FILE, WHOLE);
    let came = pass(&sandbox, CALL);
    assert_eq!((came.code, came.out.as_str()), (0, PICKED), "{}", came.err);
    assert_eq!(files(&sandbox).len(), 1, "the other ask waits");
}

#[test]
fn a_file_without_an_id_that_a_checkout_brings_answers_nothing_by_itself() {
    for planted in [SHORT, WHOLE] {
        let sandbox = Sandbox::new();
        std::fs::create_dir(sandbox.home().join(".pi")).expect("a writable home");
        write(&sandbox, FILE, planted);
        let own = first(&sandbox, CALL);
        assert_ne!(own, FILE);
        assert_eq!(first(&sandbox, CALL), own, "{planted}");
        assert_eq!(
            run(&sandbox, &["pending", "answer"]).code,
            2,
            "there are several files"
        );
        std::fs::remove_file(sandbox.home().join(&own)).expect("our own file");
        let came = run(&sandbox, &["pending", "answer"]);
        assert_eq!(came.code, 1, "{planted}: {}", came.err);
        assert!(came.err.contains("belongs to no ask"), "{}", came.err);
        // A file is meant where the person names it.
        let came = run(&sandbox, &["pending", "answer", FILE]);
        assert_eq!(came.code, 0, "{planted}: {}", came.err);
        assert_eq!(pass(&sandbox, CALL).out, PICKED);
    }
}

#[test]
fn what_comes_in_place_of_a_removed_file_was_not_written_here() {
    let sandbox = Sandbox::new();
    assert_eq!(first(&sandbox, CALL), FILE);
    run(&sandbox, &["pending", "clear"]);
    write(&sandbox, FILE, WHOLE);
    assert_ne!(first(&sandbox, CALL), FILE, "it answers nothing");
}

#[test]
fn an_answer_from_elsewhere_comes_with_the_next_pass_and_the_file_is_kept_aside() {
    let sandbox = Sandbox::new();
    let file = first(&sandbox, CALL);
    sandbox.done(&["answer", "latest", "--set", "PostgreSQL"]);
    let came = pass(&sandbox, CALL);
    assert_eq!((came.code, came.out.as_str()), (0, PICKED), "{}", came.err);
    assert_eq!(came.err, "", "nothing was filled in, so nothing was lost");

    first(&sandbox, CALL);
    fill(&sandbox, &file, &["\"SQLite, but later\""]);
    let id = json(&read(&sandbox, &file))["sessionId"].clone();
    let id = id.as_str().expect("an id");
    sandbox.done(&["answer", id, "--set", "PostgreSQL"]);
    let refused = run(&sandbox, &["pending", "answer", &file]);
    assert_eq!(refused.code, 5);
    assert!(
        refused.err.contains("closed before: answered on cli"),
        "{}",
        refused.err
    );
    let came = pass(&sandbox, CALL);
    assert_eq!((came.code, came.out.as_str()), (0, PICKED), "{}", came.err);
    assert!(
        came.err.contains("closed before: answered on cli"),
        "{}",
        came.err
    );
    let aside = format!(".pi/pending-questions-{id}.unsent.json");
    assert!(came.err.contains(&aside), "{}", came.err);
    assert!(read(&sandbox, &aside).contains("but later"));
    assert!(!sandbox.home().join(&file).exists());
}

#[test]
fn answers_with_the_call_go_to_the_ask_of_the_first_pass() {
    for again in ["call.json", FILE] {
        let sandbox = Sandbox::new();
        first(&sandbox, CALL);
        let answers = r#"["PostgreSQL"]"#;
        let came = run(
            &sandbox,
            &["prompt", "--dialect", "pi", "--answers", answers, again],
        );
        assert_eq!((came.code, came.out.as_str()), (0, PICKED), "{}", came.err);
        assert!(files(&sandbox).is_empty(), "{again}");
        assert!(
            sandbox.done(&["list"]).contains("Nothing"),
            "one ask, and it is answered"
        );
    }
    // Another surface was faster: its answer counts, and the reply says so.
    let sandbox = Sandbox::new();
    first(&sandbox, CALL);
    sandbox.done(&["answer", "latest", "--set", "PostgreSQL"]);
    let came = run(
        &sandbox,
        &[
            "prompt",
            "--dialect",
            "pi",
            "--answers",
            r#"["SQLite"]"#,
            "call.json",
        ],
    );
    assert_eq!((came.code, came.out.as_str()), (0, PICKED));
    assert!(came.err.contains("given now were not sent"), "{}", came.err);
}

#[test]
fn pending_shows_answers_and_clears() {
    let sandbox = Sandbox::new();
    let none = run(&sandbox, &["pending"]);
    assert_eq!(
        (none.code, none.out.as_str()),
        (0, "No questions are pending in this folder.")
    );
    assert_eq!(run(&sandbox, &["pending", "clear"]).code, 0);
    let came = run(&sandbox, &["pending", "answer", "--set", "x"]);
    assert_eq!(came.code, 2, "{}", came.err);

    let file = first(&sandbox, TWO);
    let shown = run(&sandbox, &["pending"]).out;
    for words in [FILE, "What name?", "2) Docs", "Nothing is filled in"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    fill(&sandbox, &file, &["\"shop\""]);
    let shown = run(&sandbox, &["pending", "show"]).out;
    assert!(
        shown.contains("=> shop") && shown.contains("1 of 2"),
        "{shown}"
    );
    let shown = json(&run(&sandbox, &["pending", "show", "--json"]).out);
    assert_eq!(shown[0]["file"], FILE);
    assert_eq!(shown[0]["ask"]["state"], "waiting");
    assert_eq!(shown[0]["filled"]["answers"][0]["own"], "shop");

    let came = run(&sandbox, &["pending", "answer"]);
    assert_eq!(came.code, 2);
    assert!(came.err.contains("2 (Which parts?)"), "{}", came.err);
    let came = run(&sandbox, &["pending", "clear"]);
    assert_eq!(came.code, 2, "{}", came.out);
    assert!(came.err.contains("not sent"), "{}", came.err);
    let came = run(&sandbox, &["pending", "answer", &file, "--set", "2=Docs"]);
    assert_eq!(came.code, 0, "{}", came.err);
    assert!(
        came.out.contains("answered; kept for ask-user"),
        "{}",
        came.out
    );
    assert!(files(&sandbox).is_empty());
    let came = pass(&sandbox, TWO);
    assert!(
        came.out.contains(r#""answer":"shop""#),
        "file and flag together: {}",
        came.out
    );
    assert!(came.out.contains(r#""answer":["Docs"]"#), "{}", came.out);

    first(&sandbox, CALL);
    let came = run(&sandbox, &["pending", "clear"]);
    assert_eq!(came.code, 0, "{}", came.err);
    assert!(came.out.contains("still waits"), "{}", came.out);
    assert!(sandbox.done(&["list"]).contains("Which database?"));
    first(&sandbox, CALL);
    fill(&sandbox, FILE, &["\"SQLite\""]);
    let came = run(&sandbox, &["pending", "clear", "--force"]);
    assert_eq!(came.code, 0, "{}", came.err);
    assert!(files(&sandbox).is_empty());
}

#[test]
fn pipes_and_devices_of_a_checkout_stop_nobody() {
    let sandbox = Sandbox::new();
    let folder = sandbox.home().join(".pi");
    std::fs::create_dir(&folder).expect("a writable folder");
    let pipe = sandbox.home().join(FILE);
    let made = std::process::Command::new("mkfifo").arg(pipe).status();
    assert!(made.expect("mkfifo runs").success());
    let device = folder.join("pending-questions-a.json");
    std::os::unix::fs::symlink("/dev/zero", device).expect("a new link");
    let no_text = folder.join("pending-questions-b.json");
    std::fs::write(no_text, b"\xff\xfe").expect("a writable file");

    let none = run(&sandbox, &["pending"]).out;
    assert_eq!(none, "No questions are pending in this folder.");
    let file = first(&sandbox, CALL);
    assert_ne!(file, FILE, "that name is taken");
    fill(&sandbox, &file, &["\"SQLite\""]);
    let came = pass(&sandbox, CALL);
    assert!(came.out.contains("SQLite"), "{}{}", came.out, came.err);
}

#[test]
fn pending_shows_nothing_of_what_is_no_file_of_the_checkout() {
    let sandbox = Sandbox::new();
    let checkout = sandbox.home().join("checkout");
    std::fs::create_dir_all(checkout.join(".pi")).expect("a writable folder");
    first(&sandbox, CALL);
    let outside = sandbox.home().join(FILE);
    let pending = |arguments: &[&str]| {
        let mut command = sandbox.command(BINARY);
        command.arg("pending").args(arguments);
        command.current_dir(&checkout);
        Came::of(&ended(command))
    };
    let file = checkout.join(FILE);
    for (what, put) in TRAPS {
        put(&file, &outside);
        let came = pending(&[]);
        let none = "No questions are pending in this folder.";
        assert_eq!(came.out, none, "{what}: {}", came.err);
        let came = pending(&["show", "--json"]);
        assert_eq!(json(&came.out), json("[]"), "{what}: {}", came.err);
        clear(&file);
    }
    std::fs::copy(&outside, &file).expect("a file");
    assert!(pending(&[]).out.contains(FILE), "a file is shown");
}

#[test]
fn what_names_no_file_is_told_apart_from_a_call() {
    let sandbox = Sandbox::new();
    let came = run(&sandbox, &["prompt", r#"{"question":"x"}"#]);
    assert_eq!(came.code, 2, "{}{}", came.out, came.err);
    assert!(
        came.err.contains("give the call on standard input"),
        "{}",
        came.err
    );
    let came = run(&sandbox, &["prompt", "nofile.json"]);
    assert_eq!(came.code, 2, "{}{}", came.out, came.err);
    assert!(
        came.err.contains("there is no file nofile.json"),
        "{}",
        came.err
    );
}

#[test]
fn only_a_file_is_read_where_one_is_named() {
    let sandbox = Sandbox::new();
    let checkout = sandbox.home().join("checkout");
    std::fs::create_dir_all(checkout.join(".pi")).expect("a writable folder");
    write(&sandbox, "outside.json", CALL);
    let outside = sandbox.home().join("outside.json");
    let call = checkout.join(FILE);
    let prompt = |file: &str| {
        let mut command = sandbox.command(BINARY);
        command.args(["prompt", "--dialect", "pi", "--answers"]);
        command.args([r#"["SQLite"]"#, file]).current_dir(&checkout);
        Came::of(&ended(command))
    };
    for (what, put) in TRAPS {
        put(&call, &outside);
        let came = prompt(FILE);
        assert_eq!(came.code, 1, "{what}: {}{}", came.out, came.err);
        assert!(
            came.err.contains(&format!("reading {FILE}")),
            "{what}: {}",
            came.err
        );
        clear(&call);
    }
    std::fs::copy(&outside, checkout.join("call.json")).expect("a file");
    std::os::unix::fs::symlink("../call.json", &call).expect("a new link");
    let outside = outside.to_string_lossy();
    for file in [FILE, "call.json", "../outside.json", &*outside] {
        let came = prompt(file);
        assert!(
            came.out.contains("SQLite"),
            "{file}: {}{}",
            came.out,
            came.err
        );
    }
}

#[test]
fn what_a_shell_hands_over_is_read_as_far_as_a_call_may_be_long() {
    let sandbox = Sandbox::new();
    write(&sandbox, "call.json", CALL);
    let runs = |script: &str| {
        let mut command = sandbox.command("sh");
        command.args(["-c", script, BINARY]);
        Came::of(&ended(command))
    };
    let prompt = r#""$0" prompt --dialect pi --answers '["SQLite"]'"#;
    for file in ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"] {
        let came = runs(&format!("cat call.json | {prompt} {file}"));
        assert!(
            came.out.contains("SQLite"),
            "{file}: {}{}",
            came.out,
            came.err
        );
        let came = runs(&format!("{prompt} {file} </dev/zero"));
        assert_eq!(came.code, 1, "{file}: {}", came.out);
        assert!(came.err.contains("more than 1048576 bytes"), "{}", came.err);
    }
    let came = runs(&format!(
        "cat call.json | {prompt} /dev/fd/3 3<&0 </dev/null"
    ));
    assert!(came.out.contains("SQLite"), "{}{}", came.out, came.err);
    let id = sandbox.asks(&["Which?"]);
    for command in [
        "ask --stdin".to_owned(),
        "validate".to_owned(),
        format!("answer {id} --answers -"),
        "pending answer call.json --answers -".to_owned(),
        "hook claude-code".to_owned(),
    ] {
        let came = runs(&format!("\"$0\" {command} </dev/zero"));
        assert!(
            came.err.contains("more than 1048576 bytes"),
            "{command}: {}{}",
            came.out,
            came.err
        );
    }
}

#[test]
fn the_name_of_a_file_moves_no_cursor() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.home().join(".ask-user")).expect("a writable folder");
    let file = ".ask-user/pending-questions-\u{1b}[2J\u{202e}x\n.json";
    write(
        &sandbox,
        file,
        r#"{"sessionId":"a_gone","questions":[{"question":"?","answer":"mine"}]}"#,
    );
    for arguments in [
        &["pending"][..],
        &["pending", "show", "--json"],
        &["pending", "answer"],
        &["pending", "answer", file],
        &["pending", "clear"],
        &["pending", "clear", ".ask-user/\u{1b}[2J"],
        &["pending", "clear", "--force"],
        &["prompt", "\u{1b}[2J"],
        &["show", "\u{9b}2J\u{202e}"],
        &["show", "a_1", "--\u{1b}[2J"],
        &["\u{1b}[2J"],
        &["mcp", "--\u{1b}[2J"],
    ] {
        let came = run(&sandbox, arguments);
        let said = came.out + &came.err;
        let is_raw = |one: char| one != '\n' && SafeText::hides(one);
        assert!(
            !said.is_empty() && !said.contains(is_raw),
            "{arguments:?}: {said:?}"
        );
        assert!(!said.contains("x\n."), "{arguments:?}: {said:?}");
    }
}

#[test]
fn nothing_is_written_through_a_link_of_a_checkout() {
    let sandbox = Sandbox::new();
    let elsewhere = sandbox.home().join("elsewhere");
    std::fs::create_dir(&elsewhere).expect("a writable folder");
    std::os::unix::fs::symlink(&elsewhere, sandbox.home().join(".pi")).expect("a new link");
    let came = pass(&sandbox, CALL);
    assert_eq!(came.code, 1, "{}", came.out);
    assert!(came.err.contains("no folder of its own"), "{}", came.err);
    let written = std::fs::read_dir(&elsewhere)
        .expect("an existing folder")
        .count();
    assert_eq!(written, 0, "nothing is written there");
}

#[test]
fn a_file_of_nobodys_is_left_alone() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.home().join(".pi")).expect("a writable home");
    let foreign = r#"{"sessionId":"a_gone","questions":[{"question":"?","answer":"mine"}]}"#;
    write(&sandbox, FILE, foreign);
    let shown = run(&sandbox, &["pending"]).out;
    assert!(shown.contains("names no ask that is known here"), "{shown}");
    assert_ne!(first(&sandbox, CALL), FILE);
    assert_eq!(read(&sandbox, FILE), foreign);
    let came = run(&sandbox, &["pending", "answer", FILE]);
    assert_eq!(came.code, 1, "{}", came.err);
    assert!(came.err.contains("belongs to no ask"), "{}", came.err);
    // A file without answers may be overwritten: nobody would miss it.
    write(&sandbox, FILE, &foreign.replace("\"mine\"", "null"));
    assert_eq!(first(&sandbox, TWO), FILE);
}
