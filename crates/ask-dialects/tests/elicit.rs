//! Asks as forms of MCP's elicitation: the forms, and the drafts from their content.

use ask_core::{Answer, Ask, Draft, Json, json};
use ask_dialects::elicit::{Edition, read, request};
use ask_dialects::{Call, Dialect, Setting, native};

const CALL: &str = r#"{"title":"Set-up","context":"We **start** a service.","questions":[
    {"id":"db","question":"Which database should we use?","header":"Database","options":[
        {"label":"PostgreSQL (Recommended)","description":"Battle-tested"},{"label":"SQLite"}]},
    {"id":"parts","question":"Which parts?","type":"multi-select","options":["Auth","Docs","Tests"],"required":false},
    {"id":"go","question":"Shall I start?","type":"confirm"},
    {"id":"name","question":"What is it called?","header":"Name","placeholder":"orders","default":"billing"}]}"#;

fn ask(call: &str) -> Ask {
    let call = json::parse(call).expect("JSON");
    match native::Native.read("ask_user", &call, &Setting::default()) {
        Ok(Call::Ask { ask, .. }) => *ask,
        other => panic!("{other:?}"),
    }
}

fn shown(form: &Json) -> String {
    format!("{form:#}")
}

#[test]
fn titled_form() {
    insta::assert_snapshot!(shown(&request(&ask(CALL), None, Edition::Titled, None)));
}

#[test]
fn early_form() {
    insta::assert_snapshot!(shown(&request(&ask(CALL), None, Edition::Early, None)));
}

#[test]
fn form_that_is_filled_in_again() {
    let ask = ask(CALL);
    let draft = Draft {
        answers: vec![
            Answer::picking([1]),
            Answer {
                own: Some("and a page".into()),
                ..Answer::picking([0, 2])
            },
        ],
        note: None,
    };
    let notice = "Not sent yet: required and not answered: question 3.";
    let form = request(&ask, Some(&draft), Edition::Titled, Some(notice));
    insta::assert_snapshot!(shown(&form));
}

#[test]
fn one_question_is_shown_once_and_its_preview_is_mentioned() {
    let ask = ask(
        r#"{"question":"Which \u001b[31mlayout\u202e?","options":[{"label":"A","preview":"| a |"},"B"]}"#,
    );
    insta::assert_snapshot!(shown(&request(&ask, None, Edition::Titled, None)));
}

#[test]
fn ids_that_cannot_be_names_are_numbered() {
    let ask = ask(r#"{"questions":[{"id":"a b","question":"A?"},{"id":"c","question":"C?"}]}"#);
    let form = request(&ask, None, Edition::Titled, None);
    let fields = form["requestedSchema"]["properties"].as_object();
    let names: Vec<_> = fields.expect("an object").keys().collect();
    assert_eq!(names, ["q1", "q2"]);
}

fn draft(edition: Edition, content: &str) -> Result<Vec<Answer>, String> {
    let content = json::parse(content).expect("JSON");
    match read(&ask(CALL), edition, Some(&content)) {
        Ok(draft) => Ok(draft.answers),
        Err(problem) => Err(problem.to_string()),
    }
}

#[test]
fn content_becomes_a_draft() {
    let content = r#"{"db":"SQLite","parts":["Tests","Auth"],"parts_own_words":"a page","go":"Yes","name":"x","more":1}"#;
    let parts = Answer {
        own: Some("a page".into()),
        ..Answer::picking([0, 2])
    };
    let expected = vec![
        Answer::picking([1]),
        parts.clone(),
        Answer::picking([0]),
        Answer::saying("x"),
    ];
    assert_eq!(draft(Edition::Titled, content), Ok(expected.clone()));
    let content = r#"{"db":"SQLite","parts_1":true,"parts_2":false,"parts_3":true,"parts_own_words":"a page","go":"Yes","name":"x"}"#;
    assert_eq!(draft(Edition::Early, content), Ok(expected));
    let nothing = r#"{"db":"","parts":[],"db_own_words":" ","name":""}"#;
    assert_eq!(
        draft(Edition::Titled, nothing),
        Ok(vec![Answer::default(); 4])
    );
    assert_eq!(
        read(&ask(CALL), Edition::Titled, None).map(|draft| draft.given()),
        Ok(0)
    );
}

#[test]
fn content_that_does_not_fit_names_its_field() {
    let said = |content| draft(Edition::Titled, content).unwrap_err();
    assert_eq!(said("[]"), "content: must be an object, not an array");
    assert_eq!(
        said(r#"{"db":"Oracle"}"#),
        "db: there is no choice \"Oracle\""
    );
    assert_eq!(
        said(r#"{"db":3}"#),
        "db: must name a choice, not be a number"
    );
    assert_eq!(
        said(r#"{"parts":["Auth","No"]}"#),
        "parts: there is no choice \"No\""
    );
    assert_eq!(
        said(r#"{"name":{}}"#),
        "name: must be a string, not an object"
    );
    let early = draft(Edition::Early, r#"{"parts_2":"on"}"#).unwrap_err();
    assert_eq!(early, "parts_2: must be a boolean, not a string");
}
