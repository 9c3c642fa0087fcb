//! A person's actions over HTTP, and what the agent receives.

use std::thread;

use crate::support::agent::Agent;
use crate::support::hub::Hub;
use crate::support::json;
use crate::support::sandbox::Sandbox;
use crate::support::web::{Web, kind};

const CALL: &str = r##"{"question":"Which *one*?","title":"Pick","context":"# Why\n\n- [x] because","options":[{"label":"A (Recommended)","description":"the **first**","preview":"| a | b |\n|---|--:|\n| 1 | 2 |"},{"label":"B"}]}"##;

#[test]
fn a_question_over_mcp_is_answered_from_the_page() {
    let sandbox = Sandbox::new();
    let page = Web::page(&sandbox);
    let mut events = page.open_events();
    events.receive("snapshot");
    let mut agent = Agent::connect(&sandbox, "native");
    let call = agent.call("ask_user", CALL);
    let asked = events.receive("ask.created").data;
    assert_eq!(asked["shown"]["title"], "Pick");
    let ask = format!("/v1/asks/{}", asked["askId"].as_str().expect("an id"));
    let one = page.get_json(&ask);
    let shown = &one["shown"];
    assert_eq!(shown["context"]["blocks"][0]["kind"], "heading");
    assert_eq!(shown["context"]["blocks"][1]["items"][0]["done"], true);
    let choice = &shown["questions"][0]["choices"][0];
    assert_eq!(
        (&choice["label"], &choice["recommended"]),
        (&json("\"A\""), &json("true"))
    );
    assert_eq!(
        choice["description"]["blocks"][0]["lines"][0][1],
        json(r#"{"text":"first","strong":true}"#)
    );
    assert_eq!(choice["preview"]["blocks"][0]["aligned"][1], "right");
    page.expect_status(204, "POST", &format!("{ask}/shown"), "");
    let kept = page.expect_status(
        200,
        "PUT",
        &format!("{ask}/draft"),
        r#"{"draft":{"answers":[{"picks":[1]}]},"builtOn":0}"#,
    );
    assert_eq!(kept["revision"], 1);
    let body = r#"{"draft":{"answers":[{"picks":[0],"note":"surely"}],"note":"go"}}"#;
    let won = page.post_json(&format!("{ask}/answer"), body);
    assert_eq!(won["won"], true);
    assert_eq!(won["record"]["answeredBy"], "web");
    let told = json(&agent.receive_reply(call));
    assert_eq!(told["answers"][0]["values"][0], "A (Recommended)");
    assert_eq!(told["answers"][0]["note"], "surely");
    let resolved = events.receive("ask.resolved").data;
    assert_eq!(resolved["askId"], asked["askId"]);
}

#[test]
fn the_first_of_two_answers_wins() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["Which?", "--option", "A", "--option", "B"]);
    let pages = [Web::page(&sandbox), Web::page(&sandbox)];
    let path = format!("/v1/asks/{id}/answer");
    let tries: Vec<_> = pages
        .into_iter()
        .zip(["A", "B"])
        .map(|(page, label)| {
            let path = path.clone();
            let body = format!(r#"{{"answers":["{label}"]}}"#);
            thread::spawn(move || {
                let mut reply = page.send("POST", &path, &body);
                (reply.status, label, json(&reply.text()))
            })
        })
        .collect();
    let mut came: Vec<_> = tries
        .into_iter()
        .map(|one| one.join().expect("it ends"))
        .collect();
    came.sort_by_key(|(status, ..)| *status);
    let [(200, label, _), (409, _, lost)] = &came[..] else {
        panic!("one wins: {came:?}");
    };
    assert_eq!(kind(lost), "closed");
    assert_eq!(lost["record"]["outcome"]["answers"][0]["values"][0], *label);
}

#[test]
fn a_repeated_attempt_succeeds_again() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["Which?", "--option", "A", "--option", "B"]);
    let program = Web::with_token(&sandbox, "answer-token");
    let path = format!("/v1/asks/{id}/answer");
    let mine = program.with_header("idempotency-key", "mine");
    let first = mine.post_json(&path, r#"{"answers":["A"]}"#);
    assert_eq!(first["record"]["answeredBy"], "api");
    assert_eq!(mine.post_json(&path, r#"{"answers":["A"]}"#)["won"], true);
    let other = program.with_header("idempotency-key", "another");
    assert_eq!(
        kind(&other.expect_status(409, "POST", &path, r#"{"answers":["A"]}"#)),
        "closed"
    );
    // A changed body is no repetition: it returns the outcome that counts.
    for (deed, body) in [("answer", r#"{"answers":["B"]}"#), ("decline", "{}")] {
        let changed = mine.expect_status(409, "POST", &format!("/v1/asks/{id}/{deed}"), body);
        assert_eq!(kind(&changed), "closed");
        assert_eq!(changed["record"]["outcome"]["answers"][0]["values"][0], "A");
    }

    // When the request is repeated, `latest` may be another ask.
    sandbox.ask(&["Another?", "--confirm"]);
    let latest = mine.expect_status(
        400,
        "POST",
        "/v1/asks/latest/answer",
        r#"{"answers":["yes"]}"#,
    );
    assert_eq!(kind(&latest), "malformed");
    program.post_json("/v1/asks/latest/answer", r#"{"answers":["yes"]}"#);

    let agent = Web::with_token(&sandbox, "token").with_header("idempotency-key", "ask-1");
    let call = r#"{"question":"Go?","type":"confirm"}"#;
    let one = agent.expect_status(201, "POST", "/v1/asks?agent=bot", call);
    let two = agent.expect_status(201, "POST", "/v1/asks?agent=bot", call);
    assert_eq!(one["askId"], two["askId"]);
    assert_eq!(one["asker"]["agent"], "bot");
    // Nobody can find out the id from the request: the hub of another home gives it another one.
    let elsewhere = Sandbox::new();
    let stranger = Web::with_token(&elsewhere, "token").with_header("idempotency-key", "ask-1");
    let found_out = stranger.expect_status(201, "POST", "/v1/asks?agent=bot", call);
    assert_ne!(one["askId"], found_out["askId"]);
    // The key of another request doesn't return this one's answer.
    let other = r#"{"question":"Stop?","type":"confirm"}"#;
    for (place, call) in [("/v1/asks?agent=bot", other), ("/v1/asks?agent=pop", call)] {
        assert_eq!(
            kind(&agent.expect_status(422, "POST", place, call)),
            "key-reused"
        );
    }
}

#[test]
fn missing_and_wrong_answers_are_named() {
    let sandbox = Sandbox::new();
    let agent = Web::with_token(&sandbox, "token");
    let call = r#"{"questions":[{"id":"a","question":"A?"},{"id":"b","question":"B?","options":["x","y"]}]}"#;
    let asked = agent.expect_status(201, "POST", "/v1/asks", call);
    let page = Web::page(&sandbox);
    let path = format!(
        "/v1/asks/{}/answer",
        asked["askId"].as_str().expect("an id")
    );
    let gap = page.expect_status(
        422,
        "POST",
        &path,
        r#"{"draft":{"answers":[{"own":"yes"}]}}"#,
    );
    assert_eq!(
        gap["problems"],
        json(r#"[{"question":2,"questionId":"b","text":"this question needs an answer"}]"#)
    );
    for wrong in [
        r#"{"draft":{"answers":[{},{"picks":[7]}]}}"#,
        r#"{"draft":{"answers":[{},{"picks":[0,1]}]}}"#,
        r#"{"draft":{"answers":[{},{},{}]}}"#,
        r#"{"answers":[{"questionId":"nothing","values":["x"]}]}"#,
        r#"{"draft":{"answers":[{"own":"a","attachments":[{"name":"f","mediaType":"text/plain","sha256":"00"}]}]}}"#,
        "{}",
    ] {
        let refused = page.expect_status(422, "POST", &path, wrong);
        assert_eq!(kind(&refused), "invalid-answer", "{wrong}: {refused}");
    }
    for unread in ["{", "[", "\u{0}"] {
        assert_eq!(page.send("POST", &path, unread).status, 400, "{unread}");
    }
    let refused = agent.expect_status(422, "POST", "/v1/asks", r#"{"questions":[]}"#);
    assert_eq!(kind(&refused), "invalid-ask");
    assert_eq!(refused["problems"][0]["path"], "questions");
    let sent = page.post_json(
        &path,
        r#"{"draft":{"answers":[{"own":"yes"}]},"leaveGaps":true}"#,
    );
    assert_eq!(sent["record"]["state"], "answered");
}

#[test]
fn picks_with_none_of_them_are_refused() {
    let sandbox = Sandbox::new();
    let agent = Web::with_token(&sandbox, "token");
    let call =
        r#"{"questions":[{"id":"a","question":"A?","options":["x","y"],"multiSelect":true}]}"#;
    let asked = agent.expect_status(201, "POST", "/v1/asks", call);
    let page = Web::page(&sandbox);
    let path = format!(
        "/v1/asks/{}/answer",
        asked["askId"].as_str().expect("an id")
    );
    let torn = r#"{"draft":{"answers":[{"picks":[1],"none":true}]}}"#;
    let refused = page.expect_status(422, "POST", &path, torn);
    assert_eq!(
        refused["problems"],
        json(
            r#"[{"question":1,"questionId":"a","text":"question 1: \"none of these\" excludes other choices"}]"#
        )
    );
    let sent = page.post_json(&path, r#"{"draft":{"answers":[{"none":true}]}}"#);
    assert_eq!(
        sent["record"]["outcome"]["answers"][0]["values"],
        json("[]")
    );
}

#[test]
fn whitespace_in_text_is_kept_and_empty_text_is_refused() {
    let sandbox = Sandbox::new();
    let agent = Web::with_token(&sandbox, "token");
    let page = Web::page(&sandbox);
    let call = r#"{"questions":[{"id":"a","question":"A?","required":false},{"id":"b","question":"B?","required":false}]}"#;
    let asked = agent.expect_status(201, "POST", "/v1/asks", call);
    let path = format!("/v1/asks/{}", asked["askId"].as_str().expect("an id"));
    for unknown in [
        r#"{"answers":[{"text":"my words"},null]}"#,
        r#"{"answers":[{"questionId":"a","value":"my words"}]}"#,
    ] {
        let refused = page.expect_status(400, "POST", &format!("{path}/answer"), unknown);
        assert_eq!(kind(&refused), "malformed", "{unknown}: {refused}");
    }
    for nothing in [
        r#"{"answers":[{"questionId":"a"}]}"#,
        r#"{"answers":[{"questionId":"a","values":["x"],"note":5}]}"#,
        r#"{"draft":{"answers":[{"own":5},{}]}}"#,
        r#"{"draft":{"answers":[{"picks":"0"},{}]}}"#,
    ] {
        let refused = page.expect_status(422, "POST", &format!("{path}/answer"), nothing);
        assert_eq!(kind(&refused), "invalid-answer", "{nothing}: {refused}");
    }
    let unread = r#"{"draft":{"answers":[{"own":5},{}]},"builtOn":0}"#;
    page.expect_status(400, "PUT", &format!("{path}/draft"), unread);
    let sent = page.post_json(
        &format!("{path}/answer"),
        r#"{"answers":[{"questionId":"a","values":["one","two"]},{"questionId":"b","values":["three"],"customText":"four"}]}"#,
    );
    let answers = &sent["record"]["outcome"]["answers"];
    assert_eq!(answers[0]["values"], json(r#"["one, two"]"#));
    assert_eq!(answers[1]["values"], json(r#"["three, four"]"#));
}

#[test]
fn stale_drafts_are_refused() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["Which?"]);
    let path = format!("/v1/asks/{id}/draft");
    let (one, two) = (Web::page(&sandbox), Web::page(&sandbox));
    let body = |own: &str, on: u64| {
        format!(r#"{{"draft":{{"answers":[{{"own":"{own}"}}]}},"builtOn":{on}}}"#)
    };
    assert_eq!(
        one.expect_status(200, "PUT", &path, &body("mine", 0))["revision"],
        1
    );
    let changed = two.expect_status(409, "PUT", &path, &body("theirs", 0));
    assert_eq!(kind(&changed), "draft-changed");
    assert_eq!(changed["record"]["draft"]["answers"][0]["own"], "mine");
    assert_eq!(
        two.expect_status(200, "PUT", &path, &body("theirs", 1))["revision"],
        2
    );
    sandbox.run_ok(&["decline", &id]);
    // A closed ask has no draft, which is revision 0.
    for built_on in [0, 2] {
        let closed = one.expect_status(409, "PUT", &path, &body("late", built_on));
        assert_eq!(kind(&closed), "closed");
    }
    let forced = r#"{"draft":{"answers":[]}}"#;
    assert_eq!(
        kind(&one.expect_status(409, "PUT", &path, forced)),
        "closed"
    );
}

#[test]
fn an_ask_is_snoozed_extended_and_clarified() {
    let sandbox = Sandbox::with_clock("2026-03-01T10:00:00Z");
    let agent = Web::with_token(&sandbox, "token");
    let call = r#"{"question":"Go?","timeout":600000}"#;
    let asked = agent.expect_status(201, "POST", "/v1/asks", call);
    let page = Web::page(&sandbox);
    let ask = format!("/v1/asks/{}", asked["askId"].as_str().expect("an id"));
    let aside = page.post_json(
        &format!("{ask}/snooze"),
        r#"{"until":"2026-03-01T10:05:00Z"}"#,
    );
    assert_eq!(aside["snoozedUntil"], "2026-03-01T10:05:00Z");
    let back = page.post_json(&format!("{ask}/snooze"), r#"{"until":null}"#);
    assert_eq!(back.get("snoozedUntil"), None);
    let again = page.post_json(&format!("{ask}/snooze"), r#"{"until":"askedAgain"}"#);
    assert_eq!(again["snoozedUntil"], "asked-again");
    let more = page.post_json(
        &format!("{ask}/extend"),
        r#"{"until":"2026-03-01T10:20:00Z"}"#,
    );
    assert_eq!(more["deadlineAt"], "2026-03-01T10:20:00Z");
    let over = r#"{"until":"2026-03-01T10:00:00Z"}"#;
    let refused = page.expect_status(422, "POST", &format!("{ask}/extend"), over);
    assert_eq!(
        (kind(&refused), refused["detail"].clone()),
        (
            "invalid-value".into(),
            "2026-03-01T10:00:00Z is in the past; give a later time".into()
        )
    );
    assert_eq!(page.get_json(&ask)["deadlineAt"], "2026-03-01T10:20:00Z");
    assert_eq!(
        page.send("POST", &format!("{ask}/snooze"), r#"{"until":"soon"}"#)
            .status,
        400
    );
    assert_eq!(
        page.send("POST", &format!("{ask}/clarify"), r#"{"text":" "}"#)
            .status,
        422
    );
    let asked_back = page.post_json(&format!("{ask}/clarify"), r#"{"text":"Where to?"}"#);
    assert_eq!(asked_back["record"]["outcome"]["clarify"], "Where to?");
    let gone = page.expect_status(409, "POST", &format!("{ask}/snooze"), r#"{"until":null}"#);
    assert_eq!(kind(&gone), "not-waiting");
}

#[test]
fn a_program_waits_for_its_outcome() {
    let sandbox = Sandbox::new();
    let agent = Web::with_token(&sandbox, "token");
    let asked = agent.expect_status(
        201,
        "POST",
        "/v1/asks",
        r#"{"question":"Go?","type":"confirm"}"#,
    );
    let ask = format!("/v1/asks/{}", asked["askId"].as_str().expect("an id"));
    let page = Web::page(&sandbox);
    let mut events = page.open_events();
    events.receive("snapshot");
    let mut waiting = agent.send("GET", &format!("{ask}/wait"), "");
    let wrong = agent.expect_status(400, "GET", &format!("{ask}/wait?timeout=60"), "");
    assert_eq!(
        wrong["detail"],
        "Unknown query parameter `timeout`. Known: client."
    );
    page.post_json(&format!("{ask}/answer"), r#"{"answers":["yes"]}"#);
    let reply = json(waiting.text().trim_start());
    assert_eq!(reply["answers"][0]["values"][0], "yes");
    while events.next().data["delivered"] != true {}
    let again = agent.get_json(&format!("{ask}/wait"));
    assert_eq!(again, reply, "a later request returns the same");
}

#[test]
fn a_surface_that_waits_takes_no_delivery() {
    let sandbox = Sandbox::new();
    let page = Web::page(&sandbox);
    let mut events = page.open_events();
    events.receive("snapshot");
    let mut agent = Agent::connect(&sandbox, "native");
    let call = agent.call("ask_user", CALL);
    let asked = events.receive("ask.created").data;
    let ask = format!("/v1/asks/{}", asked["askId"].as_str().expect("an id"));
    agent.cancel(call);
    while events.next().data.get("waiters").is_some() {}
    let mut looking =
        Web::with_token(&sandbox, "answer-token").send("GET", &format!("{ask}/wait"), "");
    while events.next().data["waiters"] != 1 {}
    page.post_json(&format!("{ask}/answer"), r#"{"answers":["B"]}"#);
    let seen = json(looking.text().trim_start());
    assert_eq!(seen["answers"][0]["values"][0], "B");
    let again = agent.call("ask_user", CALL);
    let told = json(&agent.receive_reply(again));
    assert_eq!(told["answers"][0]["values"][0], "B", "{told}");
    assert_eq!(told["late"], true, "{told}");
}

#[test]
fn a_program_without_asker_only_observes() {
    let sandbox = Sandbox::new();
    let person = Web::with_token(&sandbox, "answer-token");
    let asked = Web::with_token(&sandbox, "token").expect_status(
        201,
        "POST",
        "/v1/asks",
        r#"{"question":"Go?","type":"confirm"}"#,
    );
    let ask = format!("/v1/asks/{}", asked["askId"].as_str().expect("an id"));
    let page = Web::page(&sandbox);
    page.post_json(&format!("{ask}/answer"), r#"{"answers":["yes"]}"#);
    let mut events = page.open_events();
    events.receive("snapshot");
    for _ in 0..2 {
        assert_eq!(person.get_json(&format!("{ask}/wait"))["answered"], true);
    }
    assert_eq!(
        person.get_json(&ask)["delivered"],
        false,
        "it belongs to the agent"
    );
    person.get_json(&format!("{ask}/wait?client=http"));
    while events.next().data["delivered"] != true {}
}

#[test]
fn an_observer_does_not_prevent_a_late_answer() {
    let sandbox = Sandbox::with_clock("2026-03-01T10:00:00Z");
    let page = Web::page(&sandbox);
    let mut events = page.open_events();
    events.receive("snapshot");
    let id = sandbox.ask(&["Go?", "--confirm", "--timeout", "60s"]);
    events.receive("ask.created");
    let ask = format!("/v1/asks/{id}");
    let mut looking =
        Web::with_token(&sandbox, "answer-token").send("GET", &format!("{ask}/wait"), "");
    while events.next().data["waiters"] != 1 {}
    Hub::connect(&sandbox).set_clock("2026-03-01T10:01:00Z");
    let seen = json(looking.text().trim_start());
    assert_eq!(seen["timedOut"], true, "{seen}");
    let answered = page.post_json(&format!("{ask}/answer"), r#"{"answers":["yes"]}"#);
    assert_eq!(answered["record"]["state"], "answered", "{answered}");
}

#[test]
fn stored_files_are_served_inert() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["What does it look like?"]);
    let page = Web::page(&sandbox);
    let file = page.expect_status(
        201,
        "POST",
        "/v1/files?name=..%2Fevil.html",
        "<script>alert(1)</script>",
    );
    assert_eq!(file["name"], "evil.html");
    assert_eq!(file["mediaType"], "text/plain");
    let mut shown = page.send(
        "GET",
        &format!("/v1/files/{}", file["sha256"].as_str().expect("a digest")),
        "",
    );
    assert_eq!(
        shown.header("content-type"),
        Some("application/octet-stream")
    );
    assert_eq!(shown.header("content-disposition"), Some("attachment"));
    let policy = shown
        .header("content-security-policy")
        .unwrap_or_default()
        .to_owned();
    assert!(policy.contains("sandbox"), "{policy}");
    assert_eq!(shown.text(), "<script>alert(1)</script>");
    let body = format!(r#"{{"draft":{{"answers":[{{"attachments":[{file}]}}]}}}}"#);
    let sent = page.post_json(&format!("/v1/asks/{id}/answer"), &body);
    let attached = &sent["record"]["outcome"]["answers"][0]["attachments"][0];
    assert_eq!(attached["sha256"], file["sha256"]);
    let empty = page.expect_status(422, "POST", "/v1/files", "");
    assert_eq!(kind(&empty), "invalid-value");
    assert_eq!(
        page.send("GET", &format!("/v1/files/{}", "0".repeat(64)), "")
            .status,
        404
    );
    assert_eq!(page.send("GET", "/v1/files/nothing", "").status, 404);
}
