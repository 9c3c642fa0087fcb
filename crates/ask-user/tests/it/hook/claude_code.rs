//! Claude Code's AskUserQuestion through its PreToolUse hook.

use std::process::Stdio;

use ask_core::Json;
use rustix::process::Signal;

use super::Hooked;
use crate::support::hub::{Hub, send_signal};
use crate::support::json;
use crate::support::person::Person;
use crate::support::sandbox::{BINARY, Sandbox, ended};

const QUESTIONS: &str = r#"[
 {"question":"Which database should we use?","header":"Database","multiSelect":false,"options":[
  {"label":"PostgreSQL (Recommended)","description":"One server"},
  {"label":"SQLite","description":"One file","preview":"a.db"}]},
 {"question":"Which features?","header":"Features","multiSelect":true,"options":[
  {"label":"Auth","description":"Logins"},{"label":"Search","description":"Full text"},
  {"label":"Export","description":"CSV"}]}]"#;

/// The event that Claude Code writes to a PreToolUse hook.
fn event(questions: &str) -> String {
    json(&format!(
        r#"{{"session_id":"c482ccee","transcript_path":"/t.jsonl","cwd":"/srv/shop",
        "permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"AskUserQuestion",
        "tool_input":{{"questions":{questions},"metadata":{{"source":"remember"}}}},
        "tool_use_id":"toolu_1"}}"#
    ))
    .to_string()
}

fn asks(sandbox: &Sandbox) -> Hooked {
    let mut hooked = Hooked::by(sandbox, "claude-code", &event(QUESTIONS));
    hooked.hushes();
    hooked
}

/// The hook's decision after a command has settled the ask.
fn after(deed: impl Fn(&Sandbox, &str)) -> Json {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let hooked = asks(&sandbox);
    let id = person.asked();
    deed(&sandbox, &id);
    let decision = hooked.prints().expect("a decision is made");
    person.sees("it is delivered", |record| record["delivered"] == true);
    assert_eq!(
        decision["hookSpecificOutput"]["hookEventName"],
        "PreToolUse"
    );
    decision["hookSpecificOutput"].clone()
}

#[test]
fn an_answer_comes_back_as_the_tools_own_input() {
    let decision = after(|sandbox, id| {
        let record = json(&sandbox.done(&["show", id, "--json"]));
        assert_eq!(record["asker"]["client"], "claude-code");
        assert_eq!(record["asker"]["session"], "c482ccee");
        assert_eq!(record["asker"]["directory"], "/srv/shop");
        assert_eq!(record["dialect"], "claude");
        let answers = [
            "--set",
            "Database=SQLite",
            "--set",
            "Features=Export,Auth",
            "--other",
            "Features=a \"dark\" mode",
        ];
        sandbox.done(&[&["answer", id], answers.as_slice()].concat());
    });
    let input = json(&format!(
        r#"{{"questions":{QUESTIONS},"metadata":{{"source":"remember"}},"answers":{{
        "Which database should we use?":"SQLite",
        "Which features?":"Auth, Export, a \"dark\" mode"}},
        "annotations":{{"Which database should we use?":{{"preview":"a.db"}}}}}}"#
    ));
    assert_eq!(decision["permissionDecision"], "allow");
    assert_eq!(decision["updatedInput"], input);
    assert_eq!(decision.get("additionalContext"), None);
}

#[test]
fn notes_and_what_was_left_open_are_told_besides() {
    let decision = after(|sandbox, id| {
        let answers = r#"{"answers":[
            {"questionId":"q1","values":["PostgreSQL (Recommended)"],"note":"version 17"}]}"#;
        let note = "we are in a hurry";
        sandbox.done(&[
            "answer",
            id,
            "--answers",
            answers,
            "--note",
            note,
            "--partial",
        ]);
    });
    let input = &decision["updatedInput"];
    assert_eq!(
        input["answers"],
        json(r#"{"Which database should we use?":"PostgreSQL (Recommended)"}"#)
    );
    assert_eq!(
        input["annotations"],
        json(r#"{"Which database should we use?":{"notes":"version 17"}}"#)
    );
    assert_eq!(
        decision["additionalContext"],
        "The user left unanswered, and so has neither agreed nor refused: \"Which features?\".\n\
         The user's note on all of these questions: we are in a hurry"
    );
}

#[test]
fn what_is_no_answer_is_a_denial_in_the_persons_words() {
    for (deed, reason) in [
        (
            ["decline", "--reason=not today"],
            "The user declined to answer these questions. Reason: not today",
        ),
        (
            ["clarify", "what load?"],
            "The user wants to clarify these questions before answering:\nwhat load?\n\n\
             The questions:\n- Which database should we use?\n- Which features?",
        ),
    ] {
        let decision = after(|sandbox, id| {
            sandbox.done(&[deed[0], id, deed[1]]);
        });
        assert_eq!(decision["permissionDecision"], "deny");
        assert_eq!(decision["permissionDecisionReason"], reason);
        assert_eq!(decision.get("updatedInput"), None);
    }
}

#[test]
fn a_question_that_is_given_back_is_left_to_claude_code() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let hooked = asks(&sandbox);
    let id = person.asked();
    let own = sandbox.asks(&["Which way?"]);
    let output = sandbox.run(&["hook", "--hand-back", &own]);
    assert_eq!(output.status.code(), Some(2), "it belongs to no client");
    let said = sandbox.done(&["hook", "--hand-back", &id]);
    assert_eq!(said, "Given back: claude-code asks in its own dialog.\n");
    assert_eq!(hooked.prints(), None, "no decision is made");
}

#[test]
fn what_is_not_understood_is_left_to_claude_code() {
    let sandbox = Sandbox::new();
    let other = |from: &str, to: &str| event(QUESTIONS).replace(from, to);
    for (said, why) in [
        (String::new(), "it ends within a value"),
        ("{\"hook_event_name\":".to_owned(), "JSON"),
        ("[1]".to_owned(), "must be an object, not an array"),
        (
            other("PreToolUse", "Notification"),
            "hook_event_name: is \"Notification\", only PreToolUse or PostToolUse is taken over",
        ),
        (
            other("\"AskUserQuestion\"", "\"Bash\\u001b[31m\""),
            "only AskUserQuestion is taken over",
        ),
        (
            other("\"tool_input\"", "\"input\""),
            "tool_input: is missing",
        ),
        (event("[]"), "must have at least 1 question"),
        (event("[{\"question\":\"Why?\"}]"), "options: is missing"),
    ] {
        let mut hooked = Hooked::by(&sandbox, "claude-code", &said);
        hooked.hushes();
        let said = hooked.declines_to_decide();
        assert!(said.contains(why), "{said} must contain {why}");
        assert!(!said.contains('\u{1b}'), "{said:?} is safe to show");
    }
    let all = json(&sandbox.done(&["list", "--all", "--json"]));
    assert_eq!(all, json("[]"), "nothing was asked");
}

#[test]
fn without_a_hub_the_question_is_left_to_claude_code() {
    let sandbox = Sandbox::new();
    // A file takes the place of the hub's folder.
    let place = sandbox.home().join("taken");
    std::fs::write(&place, "").expect("a writable home");
    let file = sandbox.home().join("event.json");
    std::fs::write(&file, event(QUESTIONS)).expect("a writable home");
    let mut command = sandbox.command(BINARY);
    command
        .env("ASK_USER_HOME", &place)
        .args(["hook", "claude-code"])
        .stdin(std::fs::File::open(&file).expect("a written file"));
    let output = ended(command);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(output.stdout, b"", "no decision is made");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("left to claude-code itself"), "{said}");
}

#[test]
fn a_killed_hook_leaves_its_question_to_the_next_one() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    // Claude Code kills a hook at its time limit and opens its own dialog.
    let first = asks(&sandbox);
    let id = person.asked();
    send_signal(first.running.child.id(), Signal::TERM);
    person.sees("no hook waits", |record| {
        record["waiters"].is_null() || record["waiters"] == 0
    });
    let second = asks(&sandbox);
    person.sees("it is waited for again", |record| record["waiters"] == 1);
    send_signal(second.running.child.id(), Signal::KILL);
    person.sees("no hook waits", |record| {
        record["waiters"].is_null() || record["waiters"] == 0
    });
    person.answers(&id, &["--set", "1=SQLite", "--set", "2=Auth"]);
    let decision = asks(&sandbox).prints().expect("the answer was kept for it");
    assert_eq!(
        decision["hookSpecificOutput"]["updatedInput"]["answers"]["Which features?"],
        "Auth"
    );
    let all = json(&sandbox.done(&["list", "--all", "--json"]));
    assert_eq!(all.as_array().map(Vec::len), Some(1), "one question: {all}");
    assert_eq!(person.shows(&id)["delivered"], true);
}

#[test]
fn a_hook_whose_client_was_killed_ends_without_taking_the_answer_along() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let file = sandbox.home().join("event.json");
    std::fs::write(&file, event(QUESTIONS)).expect("a writable home");
    let mut command = sandbox.command(BINARY);
    command
        .args(["hook", "claude-code"])
        .stdin(std::fs::File::open(&file).expect("a written file"))
        .stdout(Stdio::piped());
    let mut hook = command.spawn().expect("the process starts");
    let id = person.asked();
    drop(hook.stdout.take());
    let status = hook.wait().expect("a child process");
    assert!(status.success(), "{status}");
    person.answers(&id, &["--set", "1=SQLite", "--set", "2=Auth"]);
    assert_eq!(person.shows(&id)["delivered"], Json::Bool(false));
}

#[test]
fn a_killed_hub_changes_nothing_for_a_hook() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let hooked = asks(&sandbox);
    let id = person.asked();
    Hub::of(&sandbox).kill();
    person.sees("it is waited for again", |record| {
        record["askId"] == *id && record["waiters"] == 1
    });
    person.answers(&id, &["--set", "1=SQLite", "--set", "2=Auth"]);
    let decision = hooked.prints().expect("a decision is made");
    assert_eq!(
        decision["hookSpecificOutput"]["permissionDecision"],
        "allow"
    );
}

#[test]
fn what_was_answered_in_claude_codes_own_dialog_is_answered_here() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let hooked = asks(&sandbox);
    let id = person.asked();
    send_signal(hooked.running.child.id(), Signal::TERM);
    let after = |session: &str| {
        let response = r#""tool_response":{"questions":[],"answers":{
            "Which database should we use?":"MySQL","Which features?":"Auth, Export, Sync"}}}"#;
        let said = event(QUESTIONS)
            .replace("PreToolUse", "PostToolUse")
            .replace("c482ccee", session);
        let said = format!("{},{response}", said.trim_end_matches('}')).replace('\n', "");
        let mut hooked = Hooked::by(&sandbox, "claude-code", &said);
        hooked.hushes();
        assert_eq!(hooked.prints(), None, "there is nothing to decide any more");
    };
    after("another");
    assert_eq!(person.shows(&id)["state"], "waiting", "another session's");
    after("c482ccee");
    let record = person.shows(&id);
    assert_eq!(record["state"], "answered");
    assert_eq!(record["answeredBy"], "claude-code");
    assert_eq!(record["delivered"], true);
    let answers = &record["outcome"]["answers"];
    assert_eq!(answers[0]["customText"], "MySQL");
    assert_eq!(answers[1]["values"], json(r#"["Auth","Export"]"#));
    assert_eq!(answers[1]["customText"], "Sync");
    after("c482ccee");
}
