//! Agents with a shell that stop waiting: by their own choice, by their command's time limit, by a
//! kill. No answer is lost, nobody is asked twice, and two agents stay apart.

use std::process::{Command, Stdio};

use ask_core::Json;
use rustix::process::Signal;

use crate::support::hub::send_signal;
use crate::support::json;
use crate::support::person::Person;
use crate::support::sandbox::{BINARY, Running, Sandbox, run_to_end};

const ASK: [&str; 5] = ["Which way?", "--option", "left", "--option", "right"];

/// Starts a command that asks.
fn start_ask(sandbox: &Sandbox, arguments: &[&str]) -> Running {
    start_ask_with(sandbox, arguments, &[])
}

fn start_ask_with(sandbox: &Sandbox, arguments: &[&str], variables: &[(&str, &str)]) -> Running {
    let mut command = sandbox.command(BINARY);
    command.arg("ask").args(ASK).args(arguments);
    command.envs(variables.iter().copied());
    sandbox.start("ask", command)
}

fn kill(mut asks: Running) {
    send_signal(asks.child.id(), Signal::KILL);
    asks.child.wait().expect("our child process");
}

/// The output, the errors and the exit code of a command.
fn finish(mut asks: Running) -> (String, String, i32) {
    let (out, err) = (asks.out.rest(), asks.err.rest());
    let status = asks.child.wait().expect("our child process");
    (out, err, status.code().expect("no signal ended it"))
}

/// Runs the command that a reply names to continue waiting, in a shell, as an agent would.
fn continue_command(sandbox: &Sandbox, reply: &str) -> Command {
    let (_, command) = reply
        .split_once("run: ")
        .expect("the output says how to continue");
    let command = command.split('"').next().expect("a command").trim();
    let mut shell = sandbox.command("sh");
    let folder = std::path::Path::new(BINARY)
        .parent()
        .expect("a parent folder");
    let system = std::env::var("PATH").unwrap_or_default();
    shell.env("PATH", format!("{}:{system}", folder.display()));
    shell.args(["-c", command]);
    shell
}

fn waiting(sandbox: &Sandbox) -> Vec<Json> {
    let all = json(&sandbox.run_ok(&["list", "--json"]));
    let all = all.as_array().expect("an array").clone();
    let waits = |record: &Json| record["state"] == "waiting";
    all.into_iter().filter(waits).collect()
}

#[test]
fn return_after_prints_how_to_continue() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let (out, err, code) = finish(start_ask(&sandbox, &["--return-after", "1ms"]));
    let id = person.next_ask();
    assert_eq!((err.as_str(), code), ("", 8));
    insta::assert_snapshot!(out.replace(&id, "ID"), @"Not answered yet; the question stays open, and the user can answer it with `ask-user inbox --id ID`. The user has not refused and has not agreed: don't claim either and don't decide in their place. To go on waiting, run: ask-user wait ID --return-after 1ms");
    assert_eq!(
        waiting(&sandbox)[0]["waiters"],
        1,
        "it comes back, and the person sees that"
    );
    let again = run_to_end(continue_command(&sandbox, &out));
    assert_eq!(again.status.code(), Some(8), "{again:?}");
    assert_eq!(
        String::from_utf8_lossy(&again.stdout).trim(),
        out,
        "the same output"
    );
    person.answer(&id, &["--set", "left"]);
    let told = run_to_end(continue_command(&sandbox, &out));
    assert_eq!(told.status.code(), Some(0), "{told:?}");
    assert_eq!(String::from_utf8_lossy(&told.stdout), "left\n");
    person.wait_for("it is delivered", |record| record["delivered"] == true);
}

#[test]
fn return_after_as_json_names_a_command() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let (out, _, code) = finish(start_ask(&sandbox, &["--return-after", "1ms", "--json"]));
    let id = person.next_ask();
    assert_eq!(code, 8);
    insta::assert_snapshot!(out.replace(&id, "ID"), @r#"{"answered":false,"cancelled":false,"timedOut":false,"waiting":true,"askId":"ID","howToAnswer":"Not answered yet; the question stays open, and the user can answer it with `ask-user inbox --id ID`. The user has not refused and has not agreed: don't claim either and don't decide in their place. To go on waiting, run: ask-user wait ID --json --return-after 1ms","answers":[{"questionId":"q1","question":"Which way?","status":"unanswered","values":[]}]}"#);
    person.answer(&id, &["--set", "right"]);
    let told = run_to_end(continue_command(&sandbox, &out));
    let told = json(&String::from_utf8_lossy(&told.stdout));
    assert_eq!(told["answers"][0]["values"][0], "right", "{told}");
}

#[test]
fn return_after_in_a_text_dialect_appends_the_command() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let mut command = sandbox.command(BINARY);
    command.args([
        "ask",
        "--stdin",
        "--dialect",
        "auq",
        "--return-after",
        "1ms",
    ]);
    command.stdin(Stdio::piped());
    let mut asks = sandbox.start("ask", command);
    let mut input = asks.child.stdin.take().expect("its input is piped");
    let call = r#"{"questions":[{"prompt":"Which way?","title":"Way","multiSelect":false,"options":[{"label":"left"},{"label":"right"}]}]}"#;
    std::io::Write::write_all(&mut input, call.as_bytes()).expect("the process reads its input");
    drop(input);
    let (out, _, code) = finish(asks);
    let id = person.next_ask();
    assert_eq!(code, 8);
    let short: String = id.chars().take(8).collect();
    insta::assert_snapshot!(out.replace(&id, "ID").replace(&short, "SHORT"), @r#"
    [Session: SHORT | Questions: 1 | Status: pending]

    Questions submitted successfully.
    Use get_answered_questions(session_id="SHORT") or `ask-user show SHORT` to retrieve answers.

    Not answered yet; the question stays open, and the user can answer it with `ask-user inbox --id ID`. The user has not refused and has not agreed: don't claim either and don't decide in their place. To go on waiting, run: ask-user wait ID --json --return-after 1ms
    "#);
    person.answer(&id, &["--set", "left"]);
    let told = run_to_end(continue_command(&sandbox, &out));
    let told = String::from_utf8_lossy(&told.stdout);
    assert!(told.contains("→ left"), "{told}");
}

#[test]
fn sigterm_prints_how_to_continue() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let asks = start_ask(&sandbox, &[]);
    let id = person.next_ask();
    send_signal(asks.child.id(), Signal::TERM);
    let (out, _, code) = finish(asks);
    assert_eq!(code, 8);
    let on = format!("run: ask-user wait {id} --return-after 100s");
    assert!(out.ends_with(&on), "{out}");
}

#[test]
fn asking_again_after_a_kill_takes_up_the_ask() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let first = start_ask(&sandbox, &[]);
    let id = person.next_ask();
    kill(first);
    let again = start_ask(&sandbox, &[]);
    person.wait_for("a call waits again", |record| {
        record["waiters"] == 1 && record["askId"] == *id
    });
    assert_eq!(waiting(&sandbox).len(), 1, "one question for the person");
    person.answer(&id, &["--set", "left"]);
    assert_eq!(finish(again), ("left".to_owned(), String::new(), 0));
    person.wait_for("it is delivered", |record| record["delivered"] == true);
    let fresh = start_ask(&sandbox, &[]);
    assert_ne!(person.next_ask(), id, "a delivered ask isn't taken up");
    kill(fresh);
}

#[test]
fn asking_again_after_the_answer_returns_it_at_once() {
    for as_json in [false, true] {
        let sandbox = Sandbox::new();
        let mut person = Person::new(&sandbox);
        let first = start_ask(&sandbox, &[]);
        let id = person.next_ask();
        kill(first);
        person.answer(&id, &["--set", "right"]);
        let arguments: &[&str] = if as_json { &["--json"] } else { &[] };
        let (out, err, code) = finish(start_ask(&sandbox, arguments));
        assert_eq!(code, 0, "{out}{err}");
        if as_json {
            let reply = json(&out);
            assert_eq!(reply["answers"][0]["values"][0], "right", "{reply}");
            assert_eq!(reply["late"], true, "{reply}");
        } else {
            assert_eq!(out, "right");
            let said =
                format!("This was said before you asked again ({id}); --anew asks once more.");
            assert_eq!(err, said);
        }
        person.wait_for("it is delivered", |record| record["delivered"] == true);
    }
}

#[test]
fn equal_asks_of_two_waiting_commands_stay_separate() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let one = start_ask(&sandbox, &[]);
    let first = person.next_ask();
    let other = start_ask(&sandbox, &[]);
    let second = person.next_ask();
    assert_ne!(first, second);
    person.answer(&second, &["--set", "right"]);
    assert_eq!(finish(other).0, "right");
    person.answer(&first, &["--set", "left"]);
    assert_eq!(finish(one).0, "left");
}

#[test]
fn another_session_and_anew_take_up_nothing() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let session = |name| [("ASK_USER_SESSION", name)];
    let first = start_ask_with(&sandbox, &[], &session("a"));
    let id = person.next_ask();
    kill(first);
    let other = start_ask_with(&sandbox, &[], &session("b"));
    let second = person.next_ask();
    assert_ne!(second, id, "another agent, as it says");
    kill(other);
    let anew = start_ask_with(&sandbox, &["--anew"], &session("a"));
    let third = person.next_ask();
    assert!(third != id && third != second);
    kill(anew);
    assert_eq!(waiting(&sandbox).len(), 3);
}

#[test]
fn a_new_hub_waits_for_reconnecting_commands() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let one = start_ask(&sandbox, &[]);
    let first = person.next_ask();
    crate::support::hub::Hub::connect(&sandbox).kill();
    let other = start_ask(&sandbox, &[]);
    let second = person.next_ask();
    assert_ne!(
        first, second,
        "the first one still waits, through the next hub"
    );
    person.answer(&first, &["--set", "left"]);
    person.answer(&second, &["--set", "right"]);
    assert_eq!(
        (finish(one).0, finish(other).0),
        ("left".to_owned(), "right".to_owned())
    );
}
