//! Bodies that can't be parsed, wholly or in part: what is wrong, where, and what to send instead.

use crate::support::sandbox::Sandbox;
use crate::support::text;
use crate::support::web::{Web, kind};

#[test]
fn invalid_json_is_reported_with_its_place() {
    let sandbox = Sandbox::new();
    let ask = format!("/v1/asks/{}", sandbox.ask(&["Which?"]));
    let program = Web::with_token(&sandbox, "answer-token");
    for (path, body, wanted) in [
        (
            "/v1/asks".to_owned(),
            r#"{"question":"#,
            r#"the body is not valid JSON (line 1, column 12): it ends within a value; send an object, such as {"question":"Ship it?"}"#,
        ),
        (
            format!("{ask}/answer"),
            "{\n  'answers': []}",
            "the body is not valid JSON (line 2, column 3): key must be a string; send an object with draft, answers, note, leaveGaps, hold",
        ),
        (
            format!("{ask}/extend"),
            "until=tomorrow",
            "the body is not valid JSON (line 1, column 1): expected value; send an object with until",
        ),
    ] {
        let refused = program.expect_status(400, "POST", &path, body);
        assert_eq!(kind(&refused), "malformed", "{path}");
        assert_eq!(text(&refused, "detail"), wanted, "{path}");
    }
}

#[test]
fn invalid_bodies_name_the_path() {
    let sandbox = Sandbox::new();
    let ask = format!("/v1/asks/{}", sandbox.ask(&["Which?", "--option", "A"]));
    let program = Web::with_token(&sandbox, "answer-token");
    for (body, path, said) in [
        (
            r#"{"answers":["A"],"leaveGaps":"yes"}"#,
            "body.leaveGaps",
            "must be true or false",
        ),
        (
            r#"{"answers":[{"questionId":"zz","values":["A"]}]}"#,
            "answers[0].questionId",
            "\"zz\" is no question of this ask; there are q1",
        ),
        (
            r#"{"answers":[{"values":["A"]},{"values":["A"]}]}"#,
            "answers[1]",
            "is one too many: 1 were asked for",
        ),
        (
            r#"{"answers":[{"values":["B"]}]}"#,
            "answers[0].values",
            "\"B\" is no choice of this question",
        ),
    ] {
        let refused = program.expect_status(422, "POST", &format!("{ask}/answer"), body);
        let problem = &refused["problems"][0];
        assert_eq!(
            (&problem["path"], &problem["text"]),
            (&path.into(), &said.into())
        );
        assert_eq!(text(&refused, "detail"), format!("{path}: {said}"));
    }
    // The form of a reply is accepted as a body.
    let echoed = r#"{"answers":[{"questionId":"q1","question":"Which?","status":"answered","values":["A"]}]}"#;
    program.expect_status(200, "POST", &format!("{ask}/answer"), echoed);
}

#[test]
fn metadata_is_nested_no_deeper_than_every_reader_reads() {
    let sandbox = Sandbox::new();
    let agent = Web::with_token(&sandbox, "token");
    let call = |levels: usize| {
        let (open, close) = ("[".repeat(levels - 1), "]".repeat(levels - 1));
        format!(r#"{{"question":"Ship it?","metadata":{{"m":{open}{close}}}}}"#)
    };
    let refused = agent.expect_status(422, "POST", "/v1/asks", &call(65));
    assert_eq!(
        text(&refused, "detail"),
        "metadata: is nested too deeply: at most 64 levels are kept"
    );
    agent.expect_status(201, "POST", "/v1/asks", &call(64));
    let listed = sandbox.run_ok(&["list", "--json"]);
    assert!(listed.contains("Ship it?"), "{listed}");
}
