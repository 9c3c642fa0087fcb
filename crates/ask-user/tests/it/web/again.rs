//! Agents that ask over HTTP, poll, and ask again: what waits for them, what they receive, and what
//! they take up.

use ask_core::Json;

use crate::support::hub::Hub;
use crate::support::sandbox::Sandbox;
use crate::support::web::{Web, kind};

const CALL: &str = r#"{"question":"Ship it?","type":"confirm"}"#;

fn asks(agent: &Web, place: &str) -> Json {
    agent.says(201, "POST", place, CALL)
}

fn path(asked: &Json) -> String {
    format!("/v1/asks/{}", asked["askId"].as_str().expect("an id"))
}

fn answers(sandbox: &Sandbox, asked: &Json) {
    let id = asked["askId"].as_str().expect("an id");
    let said = sandbox.done(&["answer", id, "--set", "yes"]);
    assert!(said.contains("; sent to "), "{said}");
}

#[test]
fn an_agent_that_looks_now_and_then_waits_and_is_told() {
    let sandbox = Sandbox::at("2026-03-01T10:00:00Z");
    let agent = Web::program(&sandbox, "token");
    let person = Web::program(&sandbox, "answer-token");
    let asked = asks(&agent, "/v1/asks");
    assert_eq!(asked["waiters"], 1, "it has only just asked: {asked}");
    let mut hub = Hub::of(&sandbox);
    hub.clock("2026-03-01T10:04:59Z");
    assert_eq!(agent.gets(&path(&asked))["waiters"], 1);
    hub.clock("2026-03-01T10:09:58Z");
    assert_eq!(person.gets(&path(&asked))["waiters"], 1, "it has looked");
    hub.clock("2026-03-01T10:10:00Z");
    let left = person.gets(&path(&asked));
    assert_eq!(left.get("waiters"), None, "{left}");
    assert!(
        sandbox
            .done(&["list"])
            .contains("the agent stopped waiting")
    );
    assert_eq!(agent.gets(&path(&asked))["waiters"], 1, "it was late");
    let listed = sandbox.done(&["list"]);
    assert!(!listed.contains("stopped waiting"), "{listed}");

    answers(&sandbox, &asked);
    let one = asked["askId"].as_str().expect("an id");
    let shown = sandbox.done(&["show", one]);
    assert!(!shown.contains("kept until"), "it comes for it: {shown}");
    assert_eq!(person.gets(&path(&asked))["delivered"], false, "nobody's");
    let mut events = Web::page(&sandbox).listens();
    events.hears("snapshot");
    let told = agent.gets(&path(&asked));
    assert_eq!(told["outcome"]["answers"][0]["values"][0], "yes");
    while events.next().data["delivered"] != true {}
}

#[test]
fn what_was_answered_while_its_agent_counted_as_waiting_is_not_late() {
    let sandbox = Sandbox::at("2026-03-01T10:00:00Z");
    let agent = Web::program(&sandbox, "token");
    let page = Web::page(&sandbox);
    let ended = |outcome: &str| {
        let found = page.gets(&format!("/v1/asks?state=closed&outcome={outcome}"));
        let ids = found["asks"].as_array().expect("an array").iter();
        let ids = ids.map(|ask| (ask["askId"].clone(), ask["end"].clone()));
        ids.collect::<Vec<_>>()
    };
    let asked = asks(&agent, "/v1/asks");
    answers(&sandbox, &asked);
    let in_time = [(asked["askId"].clone(), Json::from("answered"))];
    assert_eq!(ended("answered"), in_time);
    assert_eq!(ended("late"), [], "its agent would have polled again");
    assert_eq!(ended("undelivered"), in_time);
    // The change arrives in the background.
    let mut hub = Hub::of(&sandbox);
    hub.clock("2026-03-01T10:04:00Z");
    let told = agent.gets(&path(&asked));
    assert_eq!(told["outcome"]["answers"][0]["values"][0], "yes");
    let others = asks(&agent, "/v1/asks");
    hub.clock("2026-03-01T10:09:00Z");
    sandbox.done(&[
        "answer",
        others["askId"].as_str().expect("an id"),
        "--set",
        "no",
    ]);
    assert_eq!(ended("answered").len(), 2, "late ones were answered, too");
    assert_eq!(
        ended("late"),
        [(others["askId"].clone(), Json::from("late"))]
    );
    let late = sandbox.done(&["history", "--state", "late", "--json"]);
    let kept = asked["askId"].as_str().expect("an id");
    assert!(!late.contains(kept), "{late}");
    let stats = page.gets("/v1/history/stats");
    assert_eq!(
        (&stats["outcomes"]["answered"], &stats["outcomes"]["late"]),
        (&Json::from(1), &Json::from(1)),
        "{stats}"
    );
}

/// An agent that names its client and its folder.
const SHOP: &str = "/v1/asks?client=ci&directory=/srv/shop";

#[test]
fn the_same_asked_again_takes_up_what_was_left() {
    let sandbox = Sandbox::at("2026-03-01T10:00:00Z");
    let agent = Web::program(&sandbox, "token");
    let person = Web::program(&sandbox, "answer-token");
    let first = asks(&agent, SHOP);
    // The request doesn't say which agent it is. While the first one may poll again, it counts as
    // another.
    let other = asks(&agent, SHOP);
    assert_ne!(first["askId"], other["askId"]);
    answers(&sandbox, &first);
    let third = asks(&agent, SHOP);
    assert_eq!(third["state"], "waiting", "the answer is the first's");
    Hub::of(&sandbox).clock("2026-03-01T10:05:00Z");
    let shown = sandbox.done(&["show", first["askId"].as_str().expect("an id")]);
    assert!(shown.contains("kept until the agent asks again"), "{shown}");
    for left in [&other, &third] {
        person.says(200, "POST", &format!("{}/withdraw", path(left)), "");
    }

    let mut events = Web::page(&sandbox).listens();
    events.hears("snapshot");
    let again = asks(&agent, SHOP);
    assert_eq!(again["askId"], first["askId"]);
    assert_eq!(again["outcome"]["answers"][0]["values"][0], "yes");
    while events.next().data["delivered"] != true {}
    let anew = asks(&agent, SHOP);
    assert_eq!(anew["state"], "waiting", "the answer was delivered: {anew}");
    assert_ne!(anew["askId"], first["askId"]);
}

#[test]
fn what_was_asked_from_nowhere_is_given_to_nobody_by_its_words() {
    let sandbox = Sandbox::at("2026-03-01T10:00:00Z");
    let agent = Web::program(&sandbox, "token");
    let first = asks(&agent, "/v1/asks");
    answers(&sandbox, &first);
    Hub::of(&sandbox).clock("2026-03-01T10:20:00Z");
    let again = asks(&agent, "/v1/asks");
    assert_ne!(again["askId"], first["askId"], "it could be anybody's");
    let elsewhere = asks(&agent, SHOP);
    assert_ne!(elsewhere["askId"], first["askId"]);
    // A client that knows the id receives the answer.
    let told = agent.gets(&path(&first));
    assert_eq!(told["outcome"]["answers"][0]["values"][0], "yes");
}

#[test]
fn a_request_that_took_something_up_takes_it_up_again_when_its_reply_was_lost() {
    let sandbox = Sandbox::at("2026-03-01T10:00:00Z");
    let agent = Web::program(&sandbox, "token");
    for answered in [false, true] {
        let left = asks(&agent, SHOP);
        if answered {
            answers(&sandbox, &left);
        }
        let mut hub = Hub::of(&sandbox);
        let later = match answered {
            false => "2026-03-01T10:05:00Z",
            true => "2026-03-01T10:20:00Z",
        };
        hub.clock(later);
        let key = agent.with("idempotency-key", if answered { "k2" } else { "k1" });
        for _ in 0..2 {
            assert_eq!(asks(&key, SHOP)["askId"], left["askId"]);
        }
        let other = r#"{"question":"Another?","type":"confirm"}"#;
        let refused = key.says(422, "POST", SHOP, other);
        assert_eq!(kind(&refused), "key-reused", "{refused}");
        if !answered {
            sandbox.done(&["decline", left["askId"].as_str().expect("an id")]);
            agent.gets(&path(&left));
        }
    }
}

#[test]
fn who_waited_and_looks_again_waits() {
    let sandbox = Sandbox::new();
    let agent = Web::program(&sandbox, "token");
    let person = Web::program(&sandbox, "answer-token");
    let asked = asks(&agent, "/v1/asks");
    let mut events = Web::page(&sandbox).listens();
    events.hears("snapshot");
    drop(agent.send("GET", &format!("{}/wait", path(&asked)), ""));
    let is_left = |data: &Json| data["askId"] == asked["askId"] && data.get("waiters").is_none();
    while !is_left(&events.next().data) {}
    assert_eq!(agent.gets(&path(&asked))["waiters"], 1);
    assert_eq!(person.gets(&path(&asked))["waiters"], 1);
}

#[test]
fn what_waits_is_listed_alone_where_that_is_wanted() {
    let sandbox = Sandbox::new();
    let id = sandbox.asks(&["Which?"]);
    let page = Web::page(&sandbox);
    sandbox.done(&["answer", &id, "--set", "this"]);
    for (query, count) in [("", 1), ("?state=waiting", 0)] {
        let listed = page.gets(&format!("/v1/asks{query}"));
        let asks = listed["asks"].as_array().map(Vec::len);
        assert_eq!(asks, Some(count), "{query}: {listed}");
    }
}
