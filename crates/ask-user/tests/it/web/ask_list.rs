//! Waiting asks filtered over HTTP, with the parameters of history and their meaning.

use crate::support::sandbox::Sandbox;
use crate::support::text;
use crate::support::web::{Web, kind};

/// A query, and which of the three asks it finds.
const FOUND: &[(&str, &[usize])] = &[
    ("q=orange", &[0]),
    ("q=ORANGE%20data", &[0]),
    ("q=deploy", &[0, 2]),
    ("q=%22", &[]),
    ("q=zzzz", &[]),
    ("q=%E8%B2%A8", &[1]),
    ("agent=Deploy-Bot", &[0, 2]),
    ("agent=deploy", &[]),
    ("project=shop", &[0, 1]),
    ("project=/srv/blog", &[2]),
    ("agent=deploy-bot&project=shop", &[0]),
    ("since=2026-03-01T11:00:00Z", &[1, 2]),
    ("until=2026-03-01T11:00:00Z", &[0]),
    (
        "since=2026-03-01T11:00:00Z&until=2026-03-01T12:00:00Z",
        &[1],
    ),
    ("branch=main", &[]),
    ("agent=zzz", &[]),
];

#[test]
fn filters_apply_to_open_and_closed_asks() {
    let sandbox = Sandbox::with_clock("2026-03-01T10:00:00Z");
    let agent = Web::with_token(&sandbox, "token");
    let program = Web::with_token(&sandbox, "answer-token");
    let mut ids = Vec::new();
    for (hour, query, question) in [
        (
            10,
            "agent=deploy-bot&project=shop",
            "Use the orange database?",
        ),
        (11, "agent=other&project=shop", "出貨?"),
        (
            12,
            "agent=deploy-bot&project=blog&directory=/srv/blog",
            "Ship it?",
        ),
    ] {
        sandbox.set_clock(&format!("2026-03-01T{hour}:00:00Z"));
        let call = format!(r#"{{"question":"{question}"}}"#);
        let asked = agent.expect_status(201, "POST", &format!("/v1/asks?{query}"), &call);
        ids.push(text(&asked, "askId"));
    }
    let finds = |state: &str| {
        for (query, wanted) in FOUND {
            let found = program.get_json(&format!("/v1/asks?{state}{query}"));
            let found = found["asks"].as_array().expect("an array").iter();
            let mut found: Vec<String> = found.map(|ask| text(ask, "askId")).collect();
            found.sort();
            let mut wanted: Vec<String> = wanted.iter().map(|at| ids[*at].clone()).collect();
            wanted.sort();
            assert_eq!(found, wanted, "{state}{query}");
        }
    };
    finds("state=waiting&");
    finds("");
    let found = program.get_json("/v1/asks?project=shop&first=1");
    assert_eq!(text(&found["asks"][0], "askId"), ids[0], "the oldest");
    assert_eq!(found["day"]["more"], 1);
    let later = r#"{"until":"2026-03-02T10:00:00Z"}"#;
    program.post_json(&format!("/v1/asks/{}/snooze", ids[0]), later);
    let found = program.get_json("/v1/asks?project=shop&first=1");
    assert_eq!(
        text(&found["asks"][0], "askId"),
        ids[1],
        "snoozed asks come last"
    );
    for id in &ids {
        program.post_json(&format!("/v1/asks/{id}/decline"), "{}");
    }
    // An answer that its agent hasn't fetched is listed as well.
    finds("");
    finds("state=closed&");
    let waiting = program.get_json("/v1/asks?state=waiting&agent=deploy-bot");
    assert_eq!(waiting["asks"].as_array().map(Vec::len), Some(0));
}

#[test]
fn invalid_parameters_are_refused_and_named() {
    let sandbox = Sandbox::new();
    sandbox.ask(&["Ship it?"]);
    let program = Web::with_token(&sandbox, "answer-token");
    for (query, word, hint) in [
        ("outcome=declined", "outcome", "state=closed"),
        ("state=waiting&outcome=nope", "outcome", "state=closed"),
        ("surface=web", "surface", "state=closed"),
        ("recommended=true", "recommended", "state=closed"),
        ("before=7", "before", "state=closed"),
        ("limit=abc", "limit", "first"),
        ("state=closed&first=1", "first", "limit"),
        ("since=2026", "since", "RFC 3339"),
        ("first=few", "first", "a whole number"),
        ("agents=deploy-bot", "agents", "agent"),
        ("agent=", "agent", "leave it out"),
        ("agent=one&agent=two", "agent", "repeated"),
        ("state=", "state", "leave it out"),
        ("state=open", "state", "waiting or closed"),
        ("state=closed&agents=deploy-bot", "agents", "agent"),
        ("q=%00", "q", "U+0000"),
    ] {
        let refused = program.expect_status(400, "GET", &format!("/v1/asks?{query}"), "");
        assert_eq!(kind(&refused), "malformed", "{query}");
        let said = text(&refused, "detail");
        assert!(
            said.contains(word) && said.contains(hint),
            "{query}: {said}"
        );
    }
    for path in ["history/stats", "history/export"] {
        for query in ["agents=deploy-bot", "agent=", "agent=one&agent=two"] {
            let refused = program.expect_status(400, "GET", &format!("/v1/{path}?{query}"), "");
            assert_eq!(kind(&refused), "malformed", "{path}?{query}");
        }
    }
    let twice = "/v1/asks?count=true&agent=one&agent=two";
    program.expect_status(400, "DELETE", twice, "");
}
