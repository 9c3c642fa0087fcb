//! opencode's `question` tool through its plugin's events.

use ask_core::Json;

use super::HookProcess;
use crate::support::json;
use crate::support::person::Person;
use crate::support::sandbox::Sandbox;

const ASKED: &str = r#"{"id":"evt_1","type":"question.asked","directory":"/srv/shop","properties":{"id":"que_1","sessionID":"ses_1","questions":[{"question":"Which database?","header":"Database","options":[{"label":"PostgreSQL","description":"One server"},{"label":"SQLite","description":"One file"}]},{"question":"Which features?","header":"Features","multiple":true,"options":[{"label":"Auth","description":"Logins"},{"label":"Search","description":"Full text"}]}],"tool":{"messageID":"msg_1","callID":"call_1"}}}"#;

fn start_hook(sandbox: &Sandbox) -> HookProcess {
    HookProcess::start(sandbox, "opencode", ASKED)
}

#[test]
fn outcomes_become_requests_to_opencode() {
    for (deed, request) in [
        (
            ["answer", "--answers=[\"SQLite\",[\"Search\",\"Auth\"]]"],
            r#"{"answers":[["SQLite"],["Auth","Search"]]}"#,
        ),
        (
            ["answer", "--answers=[\"MySQL\",[\"Auth\",\"Sync\"]]"],
            r#"{"answers":[["MySQL"],["Auth","Sync"]]}"#,
        ),
        (["decline", "--json"], r#"{"reject":true}"#),
        (
            ["decline", "--reason=not today"],
            r#"{"answers":[["(declined to answer: not today)"],[]]}"#,
        ),
        (
            ["clarify", "what load?"],
            r#"{"answers":[["(no answer yet; wants to clarify first: what load?)"],[]]}"#,
        ),
    ] {
        let sandbox = Sandbox::new();
        let mut person = Person::new(&sandbox);
        let hooked = start_hook(&sandbox);
        let id = person.next_ask();
        assert_eq!(person.record(&id)["asker"]["directory"], "/srv/shop");
        sandbox.run_ok(&[deed[0], &id, deed[1]]);
        assert_eq!(hooked.decision(), Some(json(request)));
        assert_eq!(person.record(&id)["delivered"], true);
    }
}

#[test]
fn an_outcome_from_below_an_agent_is_marked() {
    let doubt = "(This came from a program that was started below an agent";
    for (deed, before) in [
        (["answer", "--answers=[\"SQLite\",[\"Auth\"]]"], "SQLite"),
        (["decline", "--json"], "(declined to answer)"),
        (
            ["clarify", "what load?"],
            "(no answer yet; wants to clarify first: what load?)",
        ),
    ] {
        let sandbox = Sandbox::new().below_agents();
        let mut person = Person::new(&sandbox);
        let hooked = start_hook(&sandbox);
        let id = person.next_ask();
        sandbox.run_ok(&[deed[0], &id, deed[1]]);
        let decision = hooked.decision().expect("a decision is made");
        let first = &decision["answers"][0];
        assert_eq!(first[0], before, "{decision}");
        let said = first[1].as_str().unwrap_or_default();
        assert!(said.starts_with(doubt), "{decision}");
        assert!(said.contains("below opencode"), "{decision}");
    }
}

#[test]
fn an_answer_in_opencode_closes_the_ask() {
    for (event, state, values) in [
        (
            r#"{"type":"question.replied","properties":{"requestID":"que_1","answers":[["SQLite"],["Auth","Sync"]]}}"#,
            "answered",
            r#"[["SQLite"],["Auth"]]"#,
        ),
        (
            r#"{"type":"question.rejected","properties":{"requestID":"que_1"}}"#,
            "declined",
            "[[],[]]",
        ),
    ] {
        let sandbox = Sandbox::new();
        let mut person = Person::new(&sandbox);
        let mut hooked = start_hook(&sandbox);
        let id = person.next_ask();
        hooked.send_message(event);
        assert_eq!(hooked.decision(), None, "opencode knows");
        let record = person.record(&id);
        assert_eq!(record["state"], state);
        assert_eq!(record["answeredBy"], "opencode");
        assert_eq!(record["delivered"], true);
        let answers = record["outcome"]["answers"].as_array().expect("an array");
        let said: Vec<Json> = answers.iter().map(|one| one["values"].clone()).collect();
        if state == "answered" {
            assert_eq!(Json::from(said), json(values));
            assert_eq!(answers[1]["customText"], "Sync");
        }
    }
}

#[test]
fn the_ask_of_an_ended_opencode_stays() {
    let sandbox = Sandbox::new();
    let mut person = Person::new(&sandbox);
    let mut hooked = start_hook(&sandbox);
    let id = person.next_ask();
    hooked.close_input();
    assert_eq!(hooked.decision(), None);
    person.answer(&id, &["--answers", "[\"SQLite\",[\"Auth\"]]"]);
    assert_eq!(person.record(&id)["delivered"], false);
    let again = start_hook(&sandbox);
    assert_eq!(
        again.decision(),
        Some(json(r#"{"answers":[["SQLite"],["Auth"]]}"#)),
        "asked again, it receives the stored answer"
    );
}

#[test]
fn invalid_events_are_left_to_opencode() {
    let sandbox = Sandbox::new();
    for (said, why) in [
        ("hello", "JSON"),
        (r#"{"type":"session.idle","properties":{}}"#, "session.idle"),
        (
            r#"{"type":"question.rejected","properties":{}}"#,
            "over already",
        ),
        (
            r#"{"type":"question.asked","properties":{"questions":[]}}"#,
            "at least 1 question",
        ),
    ] {
        let said = HookProcess::start(&sandbox, "opencode", said).reason_for_no_decision();
        assert!(said.contains(why), "{said} must contain {why}");
    }
}
