//! Bodies that can't be read at all, over HTTP: what they are, where, and what to send instead.

use crate::support::sandbox::Sandbox;
use crate::support::text;
use crate::support::web::{Web, kind};

#[test]
fn what_is_no_json_is_told_where_and_what_to_send() {
    let sandbox = Sandbox::new();
    let ask = format!("/v1/asks/{}", sandbox.asks(&["Which?"]));
    let program = Web::program(&sandbox, "answer-token");
    for (path, body, wanted) in [
        (
            "/v1/asks".to_owned(),
            r#"{"question":"#,
            r#"the body is not valid JSON (line 1, column 12): it ends within a value; send an object, such as {"question":"Ship it?"}"#,
        ),
        (
            format!("{ask}/answer"),
            "{\n  'answers': []}",
            "the body is not valid JSON (line 2, column 3): key must be a string; send an object with draft, answers, note, leaveGaps",
        ),
        (
            format!("{ask}/extend"),
            "until=tomorrow",
            "the body is not valid JSON (line 1, column 1): expected value; send an object with until",
        ),
    ] {
        let refused = program.says(400, "POST", &path, body);
        assert_eq!(kind(&refused), "malformed", "{path}");
        assert_eq!(text(&refused, "detail"), wanted, "{path}");
    }
}
