//! Agents with a shell that stop waiting: by their own choice, by their command's time limit, by a
//! kill. No answer is lost, nobody is asked twice, and two agents stay apart.

use std::process::{Command, Stdio};

use ask_core::Json;
use rustix::process::Signal;

use crate::support::hub::send_signal;
use crate::support::json;
use crate::support::person::Person;
use crate::support::sandbox::{BINARY, Running, Sandbox, ended};

const ASK: [&str; 5] = ["Which way?", "--option", "left", "--option", "right"];

/// Starts a command that asks.
fn asks(sandbox: &Sandbox, arguments: &[&str]) -> Running {
    asks_as(sandbox, arguments, &[])
}

fn asks_as(sandbox: &Sandbox, arguments: &[&str], variables: &[(&str, &str)]) -> Running {
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
fn ends(mut asks: Running) -> (String, String, i32) {
    let (out, err) = (asks.out.rest(), asks.err.rest());
    let status = asks.child.wait().expect("our child process");
    (out, err, status.code().expect("no signal ended it"))
}

/// Runs the command that a reply names to continue waiting, in a shell, as an agent would.
fn goes_on(sandbox: &Sandbox, reply: &str) -> Command {
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
    let all = json(&sandbox.done(&["list", "--json"]));
    let all = all.as_array().expect("an array").clone();
    let waits = |record: &Json| record["state"] == "waiting";
    all.into_iter().filter(waits).collect()
}

#[test]
fn a_command_returns_before_its_agents_limit_and_says_how_to_go_on() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let (out, err, code) = ends(asks(&sandbox, &["--return-after", "1ms"]));
    let id = person.asked();
    assert_eq!((err.as_str(), code), ("", 8));
    insta::assert_snapshot!(out.replace(&id, "ID"), @"Not answered yet; the question stays open, and the user can answer it with `ask-user inbox --id ID`. The user has not refused and has not agreed: don't claim either and don't decide in their place. To go on waiting, run: ask-user wait ID --return-after 1ms");
    assert_eq!(
        waiting(&sandbox)[0]["waiters"],
        1,
        "it comes back, and the person sees that"
    );
    let again = ended(goes_on(&sandbox, &out));
    assert_eq!(again.status.code(), Some(8), "{again:?}");
    assert_eq!(
        String::from_utf8_lossy(&again.stdout).trim(),
        out,
        "the same output"
    );
    person.answers(&id, &["--set", "left"]);
    let told = ended(goes_on(&sandbox, &out));
    assert_eq!(told.status.code(), Some(0), "{told:?}");
    assert_eq!(String::from_utf8_lossy(&told.stdout), "left\n");
    person.sees("it is delivered", |record| record["delivered"] == true);
}

#[test]
fn in_json_it_is_the_dialects_reply_with_a_command_in_place_of_a_tool() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let (out, _, code) = ends(asks(&sandbox, &["--return-after", "1ms", "--json"]));
    let id = person.asked();
    assert_eq!(code, 8);
    insta::assert_snapshot!(out.replace(&id, "ID"), @r#"{"answered":false,"cancelled":false,"timedOut":false,"waiting":true,"askId":"ID","howToAnswer":"Not answered yet; the question stays open, and the user can answer it with `ask-user inbox --id ID`. The user has not refused and has not agreed: don't claim either and don't decide in their place. To go on waiting, run: ask-user wait ID --json --return-after 1ms","answers":[{"questionId":"q1","question":"Which way?","status":"unanswered","values":[]}]}"#);
    person.answers(&id, &["--set", "right"]);
    let told = ended(goes_on(&sandbox, &out));
    let told = json(&String::from_utf8_lossy(&told.stdout));
    assert_eq!(told["answers"][0]["values"][0], "right", "{told}");
}

#[test]
fn a_dialect_of_texts_says_it_below_its_own_words() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
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
    let (out, _, code) = ends(asks);
    let id = person.asked();
    assert_eq!(code, 8);
    let short: String = id.chars().take(8).collect();
    insta::assert_snapshot!(out.replace(&id, "ID").replace(&short, "SHORT"), @r#"
    [Session: SHORT | Questions: 1 | Status: pending]

    Questions submitted successfully.
    Use get_answered_questions(session_id="SHORT") or `ask-user show SHORT` to retrieve answers.

    Not answered yet; the question stays open, and the user can answer it with `ask-user inbox --id ID`. The user has not refused and has not agreed: don't claim either and don't decide in their place. To go on waiting, run: ask-user wait ID --json --return-after 1ms
    "#);
    person.answers(&id, &["--set", "left"]);
    let told = ended(goes_on(&sandbox, &out));
    let told = String::from_utf8_lossy(&told.stdout);
    assert!(told.contains("→ left"), "{told}");
}

#[test]
fn a_command_that_is_ended_by_its_agent_says_how_to_go_on() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let asks = asks(&sandbox, &[]);
    let id = person.asked();
    send_signal(asks.child.id(), Signal::TERM);
    let (out, _, code) = ends(asks);
    assert_eq!(code, 8);
    let on = format!("run: ask-user wait {id} --return-after 100s");
    assert!(out.ends_with(&on), "{out}");
}

#[test]
fn who_asks_again_after_a_kill_takes_up_the_question() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let first = asks(&sandbox, &[]);
    let id = person.asked();
    kill(first);
    let again = asks(&sandbox, &[]);
    person.sees("a call waits again", |record| {
        record["waiters"] == 1 && record["askId"] == *id
    });
    assert_eq!(waiting(&sandbox).len(), 1, "one question for the person");
    person.answers(&id, &["--set", "left"]);
    assert_eq!(ends(again), ("left".to_owned(), String::new(), 0));
    person.sees("it is delivered", |record| record["delivered"] == true);
    let fresh = asks(&sandbox, &[]);
    assert_ne!(person.asked(), id, "a delivered ask isn't taken up");
    kill(fresh);
}

#[test]
fn who_asks_again_after_the_answer_is_told_it_at_once() {
    for as_json in [false, true] {
        let sandbox = Sandbox::new();
        let mut person = Person::at(&sandbox);
        let first = asks(&sandbox, &[]);
        let id = person.asked();
        kill(first);
        person.answers(&id, &["--set", "right"]);
        let arguments: &[&str] = if as_json { &["--json"] } else { &[] };
        let (out, err, code) = ends(asks(&sandbox, arguments));
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
        person.sees("it is delivered", |record| record["delivered"] == true);
    }
}

#[test]
fn two_that_wait_at_once_are_two_with_equal_words() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let one = asks(&sandbox, &[]);
    let first = person.asked();
    let other = asks(&sandbox, &[]);
    let second = person.asked();
    assert_ne!(first, second);
    person.answers(&second, &["--set", "right"]);
    assert_eq!(ends(other).0, "right");
    person.answers(&first, &["--set", "left"]);
    assert_eq!(ends(one).0, "left");
}

#[test]
fn another_session_and_who_wants_it_anew_take_up_nothing() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let session = |name| [("ASK_USER_SESSION", name)];
    let first = asks_as(&sandbox, &[], &session("a"));
    let id = person.asked();
    kill(first);
    let other = asks_as(&sandbox, &[], &session("b"));
    let second = person.asked();
    assert_ne!(second, id, "another agent, as it says");
    kill(other);
    let anew = asks_as(&sandbox, &["--anew"], &session("a"));
    let third = person.asked();
    assert!(third != id && third != second);
    kill(anew);
    assert_eq!(waiting(&sandbox).len(), 3);
}

#[test]
fn a_hub_that_begins_waits_for_those_who_come_back() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let one = asks(&sandbox, &[]);
    let first = person.asked();
    crate::support::hub::Hub::of(&sandbox).kill();
    let other = asks(&sandbox, &[]);
    let second = person.asked();
    assert_ne!(
        first, second,
        "the first one still waits, through the next hub"
    );
    person.answers(&first, &["--set", "left"]);
    person.answers(&second, &["--set", "right"]);
    assert_eq!(
        (ends(one).0, ends(other).0),
        ("left".to_owned(), "right".to_owned())
    );
}
