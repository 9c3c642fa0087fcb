//! The two passes of print mode: questions into a file, answers from the file, the command line or
//! another surface; several asks in one folder; and `pending`.

use std::path::PathBuf;

use ask_core::SafeText;

use super::{CALL, CommandOutput, PICKED, run, write};
use crate::support::json;
use crate::support::sandbox::{BINARY, Sandbox, run_to_end};
use crate::support::traps::{TRAPS, clear};

const FILE: &str = ".pi/pending-questions.json";
/// A call with two questions.
const TWO: &str = r#"{"questions":[{"question":"What name?"},{"question":"Which parts?","multiSelect":true,"options":["Auth","Docs"]}]}"#;

fn run_pass(sandbox: &Sandbox, call: &str) -> CommandOutput {
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
fn first_pass(sandbox: &Sandbox, call: &str) -> String {
    let output = run_pass(sandbox, call);
    assert_eq!(output.code, 8, "{}", output.err);
    let reply = json(&output.out);
    reply["pendingFile"].as_str().expect("a file").to_owned()
}

fn read_file(sandbox: &Sandbox, file: &str) -> String {
    std::fs::read_to_string(sandbox.home().join(file)).expect("the file is there")
}

/// Fills in a file, answer by answer.
fn fill_in(sandbox: &Sandbox, file: &str, answers: &[&str]) {
    let mut text = read_file(sandbox, file);
    for answer in answers {
        text = text.replacen("\"answer\": null", &format!("\"answer\": {answer}"), 1);
    }
    write(sandbox, file, &text);
}

fn pending_files(sandbox: &Sandbox) -> Vec<PathBuf> {
    let listed = std::fs::read_dir(sandbox.home().join(".pi")).expect("the folder is there");
    listed
        .map(|entry| entry.expect("the entry is readable").path())
        .collect()
}

#[test]
fn answers_beside_a_file_that_shows_something_else_are_refused() {
    let sandbox = Sandbox::new();
    let file = first_pass(&sandbox, TWO);
    let asked = read_file(&sandbox, &file);
    let prompt = |answers| ["prompt", &file, "--dialect", "pi", "--answers", answers];
    for (from, to, what) in [
        ("What name?", "What colour?", "questions[0].question"),
        ("\"Auth\"", "\"All\"", "questions[1].options"),
    ] {
        write(&sandbox, &file, &asked.replace(from, to));
        for arguments in [
            &["pending", "answer", "--set", "2=1", "--other", "1=shop"][..],
            &["pending", "answer", &file, "--answers", r#"["shop",[1]]"#],
            &prompt(r#"["shop",[1]]"#),
        ] {
            let output = run(&sandbox, arguments);
            assert_eq!(output.code, 2, "{arguments:?}: {}", output.out);
            assert!(output.err.contains(what), "{arguments:?}: {}", output.err);
        }
    }
    write(&sandbox, &file, &asked.replace("What name?", "name"));
    let output = run(&sandbox, &prompt(r#"["shop",[1]]"#));
    assert_eq!(output.code, 0, "cut short by hand: {}", output.err);
    assert!(output.out.contains("Auth"), "{}", output.out);
}

#[test]
fn the_second_pass_sends_the_filled_in_file() {
    let sandbox = Sandbox::new();
    assert_eq!(first_pass(&sandbox, CALL), FILE);
    assert_eq!(
        first_pass(&sandbox, CALL),
        FILE,
        "the file stays the same while it is blank"
    );
    fill_in(&sandbox, FILE, &["\"PostgreSQL\""]);
    let output = run_pass(&sandbox, CALL);
    assert_eq!(
        (output.code, output.out.as_str()),
        (0, PICKED),
        "{}",
        output.err
    );
    assert!(pending_files(&sandbox).is_empty(), "the file is removed");
    assert_eq!(
        first_pass(&sandbox, CALL),
        FILE,
        "and now it is a new question"
    );
}

#[test]
fn an_incomplete_file_is_kept_and_a_broken_one_reported() {
    let sandbox = Sandbox::new();
    let file = first_pass(&sandbox, TWO);
    fill_in(&sandbox, &file, &["\"shop\""]);
    let output = run_pass(&sandbox, TWO);
    assert_eq!(output.code, 8);
    assert!(
        output.err.contains("not answered: question 2"),
        "{}",
        output.err
    );
    let record = json(&sandbox.run_ok(&["show", "latest", "--json"]));
    assert_eq!(record["draft"]["answers"][0]["own"], "shop", "{record}");
    let good = read_file(&sandbox, &file);
    write(&sandbox, &file, &good.replace(']', ""));
    let output = run_pass(&sandbox, TWO);
    assert_eq!((output.code, output.out.as_str()), (2, ""));
    assert!(output.err.contains("mend the file"), "{}", output.err);
    // If the file names an ask that isn't known, the questions are written to another file beside
    // it.
    let id = json(&good)["sessionId"].clone();
    let id = id.as_str().expect("the ask's id");
    write(&sandbox, &file, &good.replace(id, "a_gone"));
    let beside = first_pass(&sandbox, TWO);
    assert_ne!(beside, file);
    assert!(read_file(&sandbox, &file).contains("shop"));
    write(&sandbox, &file, &good);
    fill_in(&sandbox, &file, &["[\"Docs\"]"]);
    let output = run_pass(&sandbox, TWO);
    assert_eq!(output.code, 0, "{}", output.err);
    assert!(
        output.out.contains(r#""answer":["Docs"]"#),
        "{}",
        output.out
    );
    assert!(pending_files(&sandbox).is_empty(), "both files are removed");
}

#[test]
fn a_file_in_another_encoding_is_reported_and_kept() {
    let sandbox = Sandbox::new();
    let file = first_pass(&sandbox, TWO);
    let latin1 = [read_file(&sandbox, &file).as_bytes(), b"gr\xf6\xdfe"].concat();
    let path = sandbox.home().join(&file);
    std::fs::write(&path, &latin1).expect("a writable home");
    let output = run_pass(&sandbox, TWO);
    assert_eq!(
        (output.code, output.out.as_str()),
        (2, ""),
        "{}",
        output.err
    );
    assert!(output.err.contains("save it as UTF-8"), "{}", output.err);
    assert_eq!(std::fs::read(&path).expect("it is kept"), latin1);
}

#[test]
fn two_asks_in_one_folder_keep_a_file_each() {
    let sandbox = Sandbox::new();
    let one = first_pass(&sandbox, CALL);
    let two = first_pass(&sandbox, TWO);
    assert_ne!(one, two);
    fill_in(&sandbox, &one, &["\"PostgreSQL\""]);
    fill_in(&sandbox, &two, &["\"shop\"", "[]"]);
    let third = first_pass(&sandbox, r#"{"questions":[{"question":"And?"}]}"#);
    assert!(third != one && third != two, "{third}");
    assert_eq!(run_pass(&sandbox, CALL).out, PICKED);
    let output = run_pass(&sandbox, TWO);
    assert!(
        output.out.contains(r#""answer":[]"#),
        "none of these: {}",
        output.out
    );
    assert_eq!(pending_files(&sandbox).len(), 1, "the third waits");
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
        assert_eq!(first_pass(&sandbox, CALL), FILE);
        write(&sandbox, FILE, edited);
        let output = run(&sandbox, arguments);
        assert_eq!(output.code, 0, "{edited} {arguments:?}: {}", output.err);
        if arguments[0] == "prompt" {
            assert_eq!(output.out, PICKED, "{edited} {arguments:?}");
        }
        assert!(pending_files(&sandbox).is_empty(), "{edited} {arguments:?}");
        let record = json(&sandbox.run_ok(&["show", "latest", "--json"]));
        assert_eq!(record["state"], "answered", "{record}");
    }
}

#[test]
fn of_several_asks_a_file_without_an_id_is_taken_by_its_questions_only() {
    let sandbox = Sandbox::new();
    assert_eq!(first_pass(&sandbox, CALL), FILE);
    let other = first_pass(&sandbox, TWO);
    write(&sandbox, FILE, SHORT);
    let beside = first_pass(&sandbox, CALL);
    assert!(beside != FILE && beside != other, "{beside}");
    write(&sandbox, FILE, WHOLE);
    let output = run_pass(&sandbox, CALL);
    assert_eq!(
        (output.code, output.out.as_str()),
        (0, PICKED),
        "{}",
        output.err
    );
    assert_eq!(pending_files(&sandbox).len(), 1, "the other ask waits");
}

#[test]
fn a_file_without_an_id_that_a_checkout_brings_answers_nothing_by_itself() {
    for planted in [SHORT, WHOLE] {
        let sandbox = Sandbox::new();
        std::fs::create_dir(sandbox.home().join(".pi")).expect("a writable home");
        write(&sandbox, FILE, planted);
        let own = first_pass(&sandbox, CALL);
        assert_ne!(own, FILE);
        assert_eq!(first_pass(&sandbox, CALL), own, "{planted}");
        assert_eq!(
            run(&sandbox, &["pending", "answer"]).code,
            2,
            "there are several files"
        );
        std::fs::remove_file(sandbox.home().join(&own)).expect("our own file");
        let output = run(&sandbox, &["pending", "answer"]);
        assert_eq!(output.code, 1, "{planted}: {}", output.err);
        assert!(output.err.contains("belongs to no ask"), "{}", output.err);
        // A file is meant where the person names it.
        let output = run(&sandbox, &["pending", "answer", FILE]);
        assert_eq!(output.code, 0, "{planted}: {}", output.err);
        assert_eq!(run_pass(&sandbox, CALL).out, PICKED);
    }
}

#[test]
fn a_replaced_pending_file_is_ignored() {
    let sandbox = Sandbox::new();
    assert_eq!(first_pass(&sandbox, CALL), FILE);
    run(&sandbox, &["pending", "clear"]);
    write(&sandbox, FILE, WHOLE);
    assert_ne!(first_pass(&sandbox, CALL), FILE, "it answers nothing");
}

#[test]
fn an_answer_from_elsewhere_wins_and_the_file_is_kept() {
    let sandbox = Sandbox::new();
    let file = first_pass(&sandbox, CALL);
    sandbox.run_ok(&["answer", "latest", "--set", "PostgreSQL"]);
    let output = run_pass(&sandbox, CALL);
    assert_eq!(
        (output.code, output.out.as_str()),
        (0, PICKED),
        "{}",
        output.err
    );
    assert_eq!(output.err, "", "nothing was filled in, so nothing was lost");

    first_pass(&sandbox, CALL);
    fill_in(&sandbox, &file, &["\"SQLite, but later\""]);
    let id = json(&read_file(&sandbox, &file))["sessionId"].clone();
    let id = id.as_str().expect("an id");
    sandbox.run_ok(&["answer", id, "--set", "PostgreSQL"]);
    let refused = run(&sandbox, &["pending", "answer", &file]);
    assert_eq!(refused.code, 5);
    assert!(
        refused.err.contains("closed before: answered on cli"),
        "{}",
        refused.err
    );
    let output = run_pass(&sandbox, CALL);
    assert_eq!(
        (output.code, output.out.as_str()),
        (0, PICKED),
        "{}",
        output.err
    );
    assert!(
        output.err.contains("closed before: answered on cli"),
        "{}",
        output.err
    );
    let aside = format!(".pi/pending-questions-{id}.unsent.json");
    assert!(output.err.contains(&aside), "{}", output.err);
    assert!(read_file(&sandbox, &aside).contains("but later"));
    assert!(!sandbox.home().join(&file).exists());
}

#[test]
fn answers_with_the_call_go_to_the_ask_of_the_first_pass() {
    for again in ["call.json", FILE] {
        let sandbox = Sandbox::new();
        first_pass(&sandbox, CALL);
        let answers = r#"["PostgreSQL"]"#;
        let output = run(
            &sandbox,
            &["prompt", "--dialect", "pi", "--answers", answers, again],
        );
        assert_eq!(
            (output.code, output.out.as_str()),
            (0, PICKED),
            "{}",
            output.err
        );
        assert!(pending_files(&sandbox).is_empty(), "{again}");
        assert!(
            sandbox.run_ok(&["list"]).contains("Nothing"),
            "one ask, and it is answered"
        );
    }
    // Another surface was faster: its answer counts, and the reply says so.
    let sandbox = Sandbox::new();
    first_pass(&sandbox, CALL);
    sandbox.run_ok(&["answer", "latest", "--set", "PostgreSQL"]);
    let output = run(
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
    assert_eq!((output.code, output.out.as_str()), (0, PICKED));
    assert!(
        output.err.contains("given now were not sent"),
        "{}",
        output.err
    );
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
    let output = run(&sandbox, &["pending", "answer", "--set", "x"]);
    assert_eq!(output.code, 2, "{}", output.err);

    let file = first_pass(&sandbox, TWO);
    let shown = run(&sandbox, &["pending"]).out;
    for words in [FILE, "What name?", "2) Docs", "Nothing is filled in"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    fill_in(&sandbox, &file, &["\"shop\""]);
    let shown = run(&sandbox, &["pending", "show"]).out;
    assert!(
        shown.contains("=> shop") && shown.contains("1 of 2"),
        "{shown}"
    );
    let shown = json(&run(&sandbox, &["pending", "show", "--json"]).out);
    assert_eq!(shown[0]["file"], FILE);
    assert_eq!(shown[0]["ask"]["state"], "waiting");
    assert_eq!(shown[0]["filled"]["answers"][0]["own"], "shop");

    let output = run(&sandbox, &["pending", "answer"]);
    assert_eq!(output.code, 2);
    assert!(output.err.contains("2 (Which parts?)"), "{}", output.err);
    let output = run(&sandbox, &["pending", "clear"]);
    assert_eq!(output.code, 2, "{}", output.out);
    assert!(output.err.contains("not sent"), "{}", output.err);
    let output = run(&sandbox, &["pending", "answer", &file, "--set", "2=Docs"]);
    assert_eq!(output.code, 0, "{}", output.err);
    assert!(
        output.out.contains("answered; kept for ask-user"),
        "{}",
        output.out
    );
    assert!(pending_files(&sandbox).is_empty());
    let output = run_pass(&sandbox, TWO);
    assert!(
        output.out.contains(r#""answer":"shop""#),
        "file and flag together: {}",
        output.out
    );
    assert!(
        output.out.contains(r#""answer":["Docs"]"#),
        "{}",
        output.out
    );

    first_pass(&sandbox, CALL);
    let output = run(&sandbox, &["pending", "clear"]);
    assert_eq!(output.code, 0, "{}", output.err);
    assert!(output.out.contains("still waits"), "{}", output.out);
    assert!(sandbox.run_ok(&["list"]).contains("Which database?"));
    first_pass(&sandbox, CALL);
    fill_in(&sandbox, FILE, &["\"SQLite\""]);
    let output = run(&sandbox, &["pending", "clear", "--force"]);
    assert_eq!(output.code, 0, "{}", output.err);
    assert!(pending_files(&sandbox).is_empty());

    for text in ["", "[]", r#"{"questions":[]}"#, "my notes"] {
        let notes = sandbox.home().join("notes");
        std::fs::write(&notes, text).expect("a writable home");
        let notes = notes.to_str().expect("a path of ASCII");
        let output = run(&sandbox, &["pending", "clear", notes, "--force"]);
        assert_eq!(output.code, 2, "{}", output.out);
        assert!(output.err.contains("names no ask"), "{}", output.err);
        assert_eq!(std::fs::read_to_string(notes).expect("it stays"), text);
    }
}

#[test]
fn pipes_and_devices_in_a_checkout_do_not_block() {
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
    let file = first_pass(&sandbox, CALL);
    assert_ne!(file, FILE, "that name is taken");
    fill_in(&sandbox, &file, &["\"SQLite\""]);
    let output = run_pass(&sandbox, CALL);
    assert!(
        output.out.contains("SQLite"),
        "{}{}",
        output.out,
        output.err
    );
}

#[test]
fn pending_shows_nothing_outside_the_checkout() {
    let sandbox = Sandbox::new();
    let checkout = sandbox.home().join("checkout");
    std::fs::create_dir_all(checkout.join(".pi")).expect("a writable folder");
    first_pass(&sandbox, CALL);
    let outside = sandbox.home().join(FILE);
    let pending = |arguments: &[&str]| {
        let mut command = sandbox.command(BINARY);
        command.arg("pending").args(arguments);
        command.current_dir(&checkout);
        CommandOutput::new(&run_to_end(command))
    };
    let file = checkout.join(FILE);
    for (what, put) in TRAPS {
        put(&file, &outside);
        let output = pending(&[]);
        let none = "No questions are pending in this folder.";
        assert_eq!(output.out, none, "{what}: {}", output.err);
        let output = pending(&["show", "--json"]);
        assert_eq!(json(&output.out), json("[]"), "{what}: {}", output.err);
        clear(&file);
    }
    std::fs::copy(&outside, &file).expect("a file");
    assert!(pending(&[]).out.contains(FILE), "a file is shown");
}

#[test]
fn a_call_in_place_of_a_file_name_gets_a_hint() {
    let sandbox = Sandbox::new();
    let output = run(&sandbox, &["prompt", r#"{"question":"x"}"#]);
    assert_eq!(output.code, 2, "{}{}", output.out, output.err);
    assert!(
        output.err.contains("give the call on standard input"),
        "{}",
        output.err
    );
    let output = run(&sandbox, &["prompt", "nofile.json"]);
    assert_eq!(output.code, 2, "{}{}", output.out, output.err);
    assert!(
        output.err.contains("there is no file nofile.json"),
        "{}",
        output.err
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
        CommandOutput::new(&run_to_end(command))
    };
    for (what, put) in TRAPS {
        put(&call, &outside);
        let output = prompt(FILE);
        assert_eq!(output.code, 1, "{what}: {}{}", output.out, output.err);
        assert!(
            output.err.contains(&format!("reading {FILE}")),
            "{what}: {}",
            output.err
        );
        clear(&call);
    }
    std::fs::copy(&outside, checkout.join("call.json")).expect("a file");
    std::os::unix::fs::symlink("../call.json", &call).expect("a new link");
    let outside = outside.to_string_lossy();
    for file in [FILE, "call.json", "../outside.json", &*outside] {
        let output = prompt(file);
        assert!(
            output.out.contains("SQLite"),
            "{file}: {}{}",
            output.out,
            output.err
        );
    }
}

#[test]
fn process_substitution_is_read_up_to_the_limit() {
    let sandbox = Sandbox::new();
    write(&sandbox, "call.json", CALL);
    let runs = |script: &str| {
        let mut command = sandbox.command("sh");
        command.args(["-c", script, BINARY]);
        CommandOutput::new(&run_to_end(command))
    };
    let prompt = r#""$0" prompt --dialect pi --answers '["SQLite"]'"#;
    for file in ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"] {
        let output = runs(&format!("cat call.json | {prompt} {file}"));
        assert!(
            output.out.contains("SQLite"),
            "{file}: {}{}",
            output.out,
            output.err
        );
        let output = runs(&format!("{prompt} {file} </dev/zero"));
        assert_eq!(output.code, 1, "{file}: {}", output.out);
        assert!(
            output.err.contains("more than 1048576 bytes"),
            "{}",
            output.err
        );
    }
    let output = runs(&format!(
        "cat call.json | {prompt} /dev/fd/3 3<&0 </dev/null"
    ));
    assert!(
        output.out.contains("SQLite"),
        "{}{}",
        output.out,
        output.err
    );
    let id = sandbox.ask(&["Which?"]);
    for command in [
        "ask --stdin".to_owned(),
        "validate".to_owned(),
        format!("answer {id} --answers -"),
        "pending answer call.json --answers -".to_owned(),
        "hook claude-code".to_owned(),
    ] {
        let output = runs(&format!("\"$0\" {command} </dev/zero"));
        assert!(
            output.err.contains("more than 1048576 bytes"),
            "{command}: {}{}",
            output.out,
            output.err
        );
    }
}

#[test]
fn file_names_are_escaped() {
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
        let output = run(&sandbox, arguments);
        let said = output.out + &output.err;
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
    let output = run_pass(&sandbox, CALL);
    assert_eq!(output.code, 1, "{}", output.out);
    assert!(
        output.err.contains("no folder of its own"),
        "{}",
        output.err
    );
    let written = std::fs::read_dir(&elsewhere)
        .expect("an existing folder")
        .count();
    assert_eq!(written, 0, "nothing is written there");
}

#[test]
fn an_unknown_pending_file_is_unchanged() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.home().join(".pi")).expect("a writable home");
    let foreign = r#"{"sessionId":"a_gone","questions":[{"question":"?","answer":"mine"}]}"#;
    write(&sandbox, FILE, foreign);
    let shown = run(&sandbox, &["pending"]).out;
    assert!(shown.contains("names no ask that is known here"), "{shown}");
    assert_ne!(first_pass(&sandbox, CALL), FILE);
    assert_eq!(read_file(&sandbox, FILE), foreign);
    let output = run(&sandbox, &["pending", "answer", FILE]);
    assert_eq!(output.code, 1, "{}", output.err);
    assert!(output.err.contains("belongs to no ask"), "{}", output.err);
    // A file without answers may be overwritten: nobody would miss it.
    write(&sandbox, FILE, &foreign.replace("\"mine\"", "null"));
    assert_eq!(first_pass(&sandbox, TWO), FILE);
}
