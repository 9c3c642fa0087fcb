//! Claude Code's AskUserQuestion through its PreToolUse hook.

use std::process::Stdio;

use ask_core::Json;
use rustix::process::Signal;

use super::HookProcess;
use crate::support::hub::{Hub, send_signal};
use crate::support::json;
use crate::support::person::Person;
use crate::support::sandbox::{BINARY, Sandbox, run_to_end};

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

fn start_hook(sandbox: &Sandbox) -> HookProcess {
    let mut hooked = HookProcess::start(sandbox, "claude-code", &event(QUESTIONS));
    hooked.close_input();
    hooked
}

/// The hook's decision after a command has settled the ask.
fn decision_after(deed: impl Fn(&Sandbox, &str)) -> Json {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let hooked = start_hook(&sandbox);
    let id = person.next_ask();
    deed(&sandbox, &id);
    let decision = hooked.decision().expect("a decision is made");
    person.wait_for("it is delivered", |record| record["delivered"] == true);
    assert_eq!(
        decision["hookSpecificOutput"]["hookEventName"],
        "PreToolUse"
    );
    decision["hookSpecificOutput"].clone()
}

#[test]
fn an_answer_becomes_the_input_of_the_tool() {
    let decision = decision_after(|sandbox, id| {
        let record = json(&sandbox.run_ok(&["show", id, "--json"]));
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
        sandbox.run_ok(&[&["answer", id], answers.as_slice()].concat());
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
fn notes_and_unanswered_questions_are_added_as_context() {
    let decision = decision_after(|sandbox, id| {
        let answers = r#"{"answers":[
            {"questionId":"q1","values":["PostgreSQL (Recommended)"],"note":"version 17"}]}"#;
        let note = "we are in a hurry";
        sandbox.run_ok(&[
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

/// Its own model must learn that its program, and not its person, may have answered.
#[test]
fn an_outcome_from_below_an_agent_is_marked() {
    let doubt = "This came from a program that was started below an agent";
    for (deed, place) in [
        (
            &["answer", "--answers=[\"SQLite\",[\"Auth\"]]"][..],
            "additionalContext",
        ),
        (&["decline", "--json"], "permissionDecisionReason"),
    ] {
        let sandbox = Sandbox::new().below_agents();
        let mut person = Person::new(&sandbox);
        let hooked = start_hook(&sandbox);
        let id = person.next_ask();
        sandbox.run_ok(&[deed[0], &id, deed[1]]);
        let decision = hooked.decision().expect("a decision is made");
        let said = &decision["hookSpecificOutput"][place];
        let said = said.as_str().unwrap_or_default();
        assert!(said.contains(doubt), "{decision}");
        assert!(said.contains("below claude-code"), "{decision}");
    }
}

#[test]
fn declining_and_clarifying_deny_the_tool_call() {
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
        let decision = decision_after(|sandbox, id| {
            sandbox.run_ok(&[deed[0], id, deed[1]]);
        });
        assert_eq!(decision["permissionDecision"], "deny");
        assert_eq!(decision["permissionDecisionReason"], reason);
        assert_eq!(decision.get("updatedInput"), None);
    }
}

#[test]
fn a_question_that_is_handed_back_is_left_to_claude_code() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let hooked = start_hook(&sandbox);
    let id = person.next_ask();
    let own = sandbox.ask(&["Which way?"]);
    let output = sandbox.run(&["hook", "--hand-back", &own]);
    assert_eq!(output.status.code(), Some(2), "it belongs to no client");
    let said = sandbox.run_ok(&["hook", "--hand-back", &id]);
    assert_eq!(said, "Given back: claude-code asks in its own dialog.\n");
    assert_eq!(hooked.decision(), None, "no decision is made");
}

#[test]
fn invalid_events_are_left_to_claude_code() {
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
        let mut hooked = HookProcess::start(&sandbox, "claude-code", &said);
        hooked.close_input();
        let said = hooked.reason_for_no_decision();
        assert!(said.contains(why), "{said} must contain {why}");
        assert!(!said.contains('\u{1b}'), "{said:?} is safe to show");
    }
    let all = json(&sandbox.run_ok(&["list", "--all", "--json"]));
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
    let output = run_to_end(command);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(output.stdout, b"", "no decision is made");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("left to claude-code itself"), "{said}");
}

#[test]
fn the_next_hook_takes_up_the_ask_of_a_killed_one() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    // Claude Code kills a hook at its time limit and opens its own dialog.
    let first = start_hook(&sandbox);
    let id = person.next_ask();
    send_signal(first.running.child.id(), Signal::TERM);
    person.wait_for("no hook waits", |record| {
        record["waiters"].is_null() || record["waiters"] == 0
    });
    let second = start_hook(&sandbox);
    person.wait_for("it is waited for again", |record| record["waiters"] == 1);
    send_signal(second.running.child.id(), Signal::KILL);
    person.wait_for("no hook waits", |record| {
        record["waiters"].is_null() || record["waiters"] == 0
    });
    person.answer(&id, &["--set", "1=SQLite", "--set", "2=Auth"]);
    let decision = start_hook(&sandbox)
        .decision()
        .expect("the answer was kept for it");
    assert_eq!(
        decision["hookSpecificOutput"]["updatedInput"]["answers"]["Which features?"],
        "Auth"
    );
    let all = json(&sandbox.run_ok(&["list", "--all", "--json"]));
    assert_eq!(all.as_array().map(Vec::len), Some(1), "one question: {all}");
    assert_eq!(person.record(&id)["delivered"], true);
}

#[test]
fn a_hook_of_a_killed_client_ends_and_the_answer_stays() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let file = sandbox.home().join("event.json");
    std::fs::write(&file, event(QUESTIONS)).expect("a writable home");
    let mut command = sandbox.command(BINARY);
    command
        .args(["hook", "claude-code"])
        .stdin(std::fs::File::open(&file).expect("a written file"))
        .stdout(Stdio::piped());
    let mut hook = command.spawn().expect("the process starts");
    let id = person.next_ask();
    drop(hook.stdout.take());
    let status = hook.wait().expect("a child process");
    assert!(status.success(), "{status}");
    person.answer(&id, &["--set", "1=SQLite", "--set", "2=Auth"]);
    assert_eq!(person.record(&id)["delivered"], Json::Bool(false));
}

#[test]
fn a_killed_hub_changes_nothing_for_a_hook() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let hooked = start_hook(&sandbox);
    let id = person.next_ask();
    Hub::connect(&sandbox).kill();
    person.wait_for("it is waited for again", |record| {
        record["askId"] == *id && record["waiters"] == 1
    });
    person.answer(&id, &["--set", "1=SQLite", "--set", "2=Auth"]);
    let decision = hooked.decision().expect("a decision is made");
    assert_eq!(
        decision["hookSpecificOutput"]["permissionDecision"],
        "allow"
    );
}

#[test]
fn an_answer_in_claude_codes_dialog_closes_the_ask() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let hooked = start_hook(&sandbox);
    let id = person.next_ask();
    send_signal(hooked.running.child.id(), Signal::TERM);
    let report_answer = |session: &str| {
        let response = r#""tool_response":{"questions":[],"answers":{
            "Which database should we use?":"MySQL","Which features?":"Auth, Export, Sync"}}}"#;
        let said = event(QUESTIONS)
            .replace("PreToolUse", "PostToolUse")
            .replace("c482ccee", session);
        let said = format!("{},{response}", said.trim_end_matches('}')).replace('\n', "");
        let mut hooked = HookProcess::start(&sandbox, "claude-code", &said);
        hooked.close_input();
        assert_eq!(
            hooked.decision(),
            None,
            "there is nothing to decide any more"
        );
    };
    report_answer("another");
    assert_eq!(person.record(&id)["state"], "waiting", "another session's");
    report_answer("c482ccee");
    let record = person.record(&id);
    assert_eq!(record["state"], "answered");
    assert_eq!(record["answeredBy"], "claude-code");
    assert_eq!(record["delivered"], true);
    let answers = &record["outcome"]["answers"];
    assert_eq!(answers[0]["customText"], "MySQL");
    assert_eq!(answers[1]["values"], json(r#"["Auth","Export"]"#));
    assert_eq!(answers[1]["customText"], "Sync");
    report_answer("c482ccee");
}
