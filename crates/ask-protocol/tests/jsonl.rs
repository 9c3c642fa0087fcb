//! The lines of programs that embed us: how they are parsed, and the errors for wrong ones.

use ask_core::{Ask, Gaps, Input, Json, Question};
use ask_protocol::ipc::Verdict;
use ask_protocol::jsonl::{self, HostMessage, Kind};

fn read(line: &str) -> Result<Option<HostMessage>, jsonl::ProtocolError> {
    jsonl::read(line.as_bytes(), line.len())
}

fn one_question() -> Ask {
    let question = Question {
        id: "q1".to_owned(),
        text: "Now?".to_owned(),
        label: None,
        input: Input::Confirm,
        required: true,
        placeholder: None,
        default: None,
    };
    Ask {
        questions: vec![question],
        ..Ask::default()
    }
}

fn verdict(response: &str) -> Result<Verdict, String> {
    let response: Json = response.parse().expect("JSON");
    jsonl::read_verdict(&one_question(), &response).map_err(|problem| problem.to_string())
}

#[test]
fn a_call_has_the_fields_of_its_line_in_their_order() {
    let line = r#"{"title":"T","type":"ask_user_request","questions":[],"requestId":1.5,"metadata":{"b":1,"a":2}}"#;
    let Ok(Some(HostMessage::Ask { request, call })) = read(line) else {
        panic!("an ask");
    };
    assert_eq!(request.key(), "1.5");
    assert_eq!(
        call.to_string(),
        r#"{"title":"T","questions":[],"metadata":{"b":1,"a":2}}"#
    );
}

#[test]
fn an_error_names_its_request_if_that_can_be_read() {
    for (line, key) in [
        (r#"{"requestId":"r","x":"#, Some("\"r\"")),
        (r#"{"x":{"requestId":"inner"},"requestId":7,]"#, Some("7")),
        (r#"{"x":"requestId","y":[}"#, None),
        (r#"{"requestId":{"a":1},"y":[}"#, None),
        (r#""requestId""#, None),
    ] {
        let mistake = read(line).expect_err("the line is wrong");
        assert_eq!(mistake.kind, Kind::Malformed, "{line}");
        let found = mistake.request.map(|request| request.key());
        assert_eq!(found.as_deref(), key, "{line}");
    }
    let long = jsonl::read(br#"{"requestId":"r","questions":[{"q"#, 10_000_000);
    let mistake = long.expect_err("the line is too long");
    assert_eq!(mistake.kind, Kind::TooLong);
    assert_eq!(
        mistake.request.map(|request| request.key()).as_deref(),
        Some("\"r\"")
    );
}

#[test]
fn a_response_is_answers_a_refusal_or_a_question_back() {
    assert_eq!(
        verdict(r#"{"clarify":"Why?","cancelled":true,"answers":["yes"]}"#),
        Ok(Verdict::Clarify {
            words: "Why?".to_owned()
        })
    );
    assert_eq!(
        verdict(r#"{"cancelled":true,"reason":"  "}"#),
        Ok(Verdict::Decline { reason: None })
    );
    for (response, gaps) in [
        (
            r#"{"answers":["yes"],"cancelled":false,"clarify":null}"#,
            Gaps::Refuse,
        ),
        (r#"{"answers":[true],"partial":true}"#, Gaps::Send),
    ] {
        let Ok(Verdict::Answer { draft, gaps: found }) = verdict(response) else {
            panic!("{response} answers");
        };
        assert_eq!(draft.answers[0].picks, [0]);
        assert_eq!(found, gaps);
    }
    for (response, problem) in [
        ("{}", "answers: is missing"),
        (r#"{"answers":null}"#, "answers: is missing"),
        (
            r#"{"answered":false,"connectionLost":true}"#,
            "answers: is missing",
        ),
        (r#"{"answers":7}"#, "answers: must be an array"),
        (
            r#"{"clarify":" "}"#,
            "clarify: must say what the person wants to know",
        ),
    ] {
        assert_eq!(verdict(response), Err(problem.to_owned()), "{response}");
    }
}
