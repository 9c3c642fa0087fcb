//! Values of a wrong type in a body are refused with their path, never silently dropped.

use crate::support::sandbox::Sandbox;
use crate::support::text;
use crate::support::web::{Web, kind};

#[test]
fn values_of_a_wrong_type_are_refused() {
    let sandbox = Sandbox::new();
    let ask = format!("/v1/asks/{}", sandbox.ask(&["Which?", "--option", "A"]));
    let program = Web::with_token(&sandbox, "answer-token");
    for (status, method, deed, body, named) in [
        (
            422,
            "POST",
            "answer",
            r#"{"answers":["A"],"leaveGaps":"yes"}"#,
            "leaveGaps",
        ),
        (
            422,
            "POST",
            "answer",
            r#"{"answers":["A"],"note":5}"#,
            "note",
        ),
        (
            422,
            "POST",
            "answer",
            r#"{"draft":{"answers":[{"picks":[0]}]},"note":"a word"}"#,
            "note",
        ),
        (422, "POST", "answer", r#""A""#, "an object"),
        (
            400,
            "PUT",
            "draft",
            r#"{"draft":{"answers":[]},"builtOn":"1"}"#,
            "builtOn",
        ),
        (
            400,
            "PUT",
            "draft",
            r#"{"draft":{"answers":[{"none":"yes"}]}}"#,
            "none",
        ),
        (400, "POST", "decline", r#"{"reason":5}"#, "reason"),
        (400, "POST", "decline", r#""no""#, "an object"),
        (400, "POST", "decline", r#"["no"]"#, "an object"),
        (
            400,
            "PUT",
            "draft",
            r#"{"draft":[[]]}"#,
            "body.draft: must be an object",
        ),
        (400, "POST", "snooze", r#"{"until":5}"#, "until"),
        (400, "POST", "snooze", "", "body.until: is missing"),
        (400, "POST", "snooze", "{}", "body.until: is missing"),
        // A field that isn't known was meant all the same, so it is refused.
        (
            400,
            "POST",
            "answer",
            r#"{"answers":["A"],"nott":"only on Mondays"}"#,
            "body.nott: there is no such field; there are draft, answers, note, leaveGaps",
        ),
        (
            400,
            "PUT",
            "draft",
            r#"{"draft":{"answers":[{"picks":[0],"Note":"x"}]}}"#,
            "body.draft.answers[0].Note: there is no such field",
        ),
        (
            400,
            "POST",
            "answer",
            r#"{"answers":[{"values":["A"],"nott":"only on Mondays"}]}"#,
            "body.answers[0].nott: there is no such field; there are questionId, question, status, values, customText, note",
        ),
        (400, "POST", "decline", r#"{"why":"no"}"#, "body.why"),
    ] {
        let refused = program.expect_status(status, method, &format!("{ask}/{deed}"), body);
        let said = text(&refused, "detail");
        assert!(said.contains(named), "{deed} {body}: {said}");
    }
    for (path, body, named) in [
        ("/v1/presence", r#"{"focused":"x"}"#, "focused"),
        ("/v1/presence", r#"{"rings":1}"#, "rings"),
        ("/v1/pairing", r#"{"address":5}"#, "address"),
        ("/v1/pairing", r#"{"scope":5}"#, "scope"),
    ] {
        let refused = program.expect_status(400, "POST", path, body);
        assert_eq!(kind(&refused), "malformed", "{path}");
        let said = text(&refused, "detail");
        assert!(said.contains(named), "{path} {body}: {said}");
    }
    let refused = program.expect_status(422, "POST", "/v1/asks", r#""Ship it?""#);
    let said = text(&refused, "detail");
    assert!(
        said.contains("an object") && said.contains("not a string"),
        "{said}"
    );
    assert_eq!(
        program.get_json(&ask)["state"],
        "waiting",
        "nothing was sent"
    );
}

#[test]
fn past_times_are_refused_and_the_maximum_is_accepted() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["Which?"]);
    let program = Web::with_token(&sandbox, "answer-token");
    let path = format!("/v1/asks/{id}/snooze");
    let refused = program.expect_status(422, "POST", &path, r#"{"until":"2001-01-01T00:00:00Z"}"#);
    assert_eq!(kind(&refused), "invalid-value");
    let last = r#"{"until":"9999-12-31T23:59:59Z"}"#;
    let snoozed = text(&program.post_json(&path, last), "snoozedUntil");
    assert!(snoozed.starts_with("9999-12-30"), "{snoozed}");
    let listed = program.get_json("/v1/asks?until=9999-12-31T23:59:59Z");
    assert_eq!(listed["asks"].as_array().map(Vec::len), Some(1));
}
