//! opencode's `question` tool through its plugin's events.

use ask_core::Json;

use super::Hooked;
use crate::support::json;
use crate::support::person::Person;
use crate::support::sandbox::Sandbox;

const ASKED: &str = r#"{"id":"evt_1","type":"question.asked","directory":"/srv/shop","properties":{"id":"que_1","sessionID":"ses_1","questions":[{"question":"Which database?","header":"Database","options":[{"label":"PostgreSQL","description":"One server"},{"label":"SQLite","description":"One file"}]},{"question":"Which features?","header":"Features","multiple":true,"options":[{"label":"Auth","description":"Logins"},{"label":"Search","description":"Full text"}]}],"tool":{"messageID":"msg_1","callID":"call_1"}}}"#;

fn asks(sandbox: &Sandbox) -> Hooked {
    Hooked::by(sandbox, "opencode", ASKED)
}

#[test]
fn what_the_person_does_becomes_a_request_to_opencode() {
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
        let mut person = Person::at(&sandbox);
        let hooked = asks(&sandbox);
        let id = person.asked();
        assert_eq!(person.shows(&id)["asker"]["directory"], "/srv/shop");
        sandbox.done(&[deed[0], &id, deed[1]]);
        assert_eq!(hooked.prints(), Some(json(request)));
        assert_eq!(person.shows(&id)["delivered"], true);
    }
}

#[test]
fn what_was_answered_in_opencode_is_answered_here() {
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
        let mut person = Person::at(&sandbox);
        let mut hooked = asks(&sandbox);
        let id = person.asked();
        hooked.says(event);
        assert_eq!(hooked.prints(), None, "opencode knows");
        let record = person.shows(&id);
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
fn an_opencode_that_is_gone_leaves_its_question() {
    let sandbox = Sandbox::new();
    let mut person = Person::at(&sandbox);
    let mut hooked = asks(&sandbox);
    let id = person.asked();
    hooked.hushes();
    assert_eq!(hooked.prints(), None);
    person.answers(&id, &["--answers", "[\"SQLite\",[\"Auth\"]]"]);
    assert_eq!(person.shows(&id)["delivered"], false);
    let again = asks(&sandbox);
    assert_eq!(
        again.prints(),
        Some(json(r#"{"answers":[["SQLite"],["Auth"]]}"#)),
        "asked again, it receives the stored answer"
    );
}

#[test]
fn what_is_no_question_is_left_to_opencode() {
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
        let said = Hooked::by(&sandbox, "opencode", said).declines_to_decide();
        assert!(said.contains(why), "{said} must contain {why}");
    }
}
