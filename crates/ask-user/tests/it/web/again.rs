//! Agents that ask over HTTP, poll, and ask again: what waits for them, what they receive, and what
//! they take up.

use ask_core::Json;

use crate::support::http::Http;
use crate::support::hub::Hub;
use crate::support::json;
use crate::support::sandbox::{Sandbox, run_to_end};
use crate::support::web::{Web, kind};

const CALL: &str = r#"{"question":"Ship it?","type":"confirm"}"#;

fn ask(agent: &Web, place: &str) -> Json {
    agent.expect_status(201, "POST", place, CALL)
}

fn ask_path(asked: &Json) -> String {
    format!("/v1/asks/{}", asked["askId"].as_str().expect("an id"))
}

fn answer(sandbox: &Sandbox, asked: &Json) {
    let id = asked["askId"].as_str().expect("an id");
    let said = sandbox.run_ok(&["answer", id, "--set", "yes"]);
    assert!(said.contains("; sent to "), "{said}");
}

#[test]
fn a_polling_agent_counts_as_waiting_and_gets_the_answer() {
    let sandbox = Sandbox::with_clock("2026-03-01T10:00:00Z");
    let agent = Web::with_token(&sandbox, "token");
    let person = Web::with_token(&sandbox, "answer-token");
    let asked = ask(&agent, "/v1/asks");
    assert_eq!(asked["waiters"], 1, "it has only just asked: {asked}");
    let mut hub = Hub::connect(&sandbox);
    hub.set_clock("2026-03-01T10:04:59Z");
    assert_eq!(agent.get_json(&ask_path(&asked))["waiters"], 1);
    hub.set_clock("2026-03-01T10:09:58Z");
    assert_eq!(
        person.get_json(&ask_path(&asked))["waiters"],
        1,
        "it has looked"
    );
    hub.set_clock("2026-03-01T10:10:00Z");
    let left = person.get_json(&ask_path(&asked));
    assert_eq!(left.get("waiters"), None, "{left}");
    assert!(
        sandbox
            .run_ok(&["list"])
            .contains("the agent stopped waiting")
    );
    assert_eq!(
        agent.get_json(&ask_path(&asked))["waiters"],
        1,
        "it was late"
    );
    let listed = sandbox.run_ok(&["list"]);
    assert!(!listed.contains("stopped waiting"), "{listed}");

    answer(&sandbox, &asked);
    let one = asked["askId"].as_str().expect("an id");
    let shown = sandbox.run_ok(&["show", one]);
    assert!(!shown.contains("kept until"), "it comes for it: {shown}");
    assert_eq!(
        person.get_json(&ask_path(&asked))["delivered"],
        false,
        "nobody's"
    );
    let mut events = Web::page(&sandbox).open_events();
    events.receive("snapshot");
    let told = agent.get_json(&ask_path(&asked));
    assert_eq!(told["outcome"]["answers"][0]["values"][0], "yes");
    while events.next().data["delivered"] != true {}
}

#[test]
fn an_answer_to_a_polling_agent_is_not_late() {
    let sandbox = Sandbox::with_clock("2026-03-01T10:00:00Z");
    let agent = Web::with_token(&sandbox, "token");
    let page = Web::page(&sandbox);
    let ended = |outcome: &str| {
        let found = page.get_json(&format!("/v1/asks?state=closed&outcome={outcome}"));
        let ids = found["asks"].as_array().expect("an array").iter();
        let ids = ids.map(|ask| (ask["askId"].clone(), ask["end"].clone()));
        ids.collect::<Vec<_>>()
    };
    let asked = ask(&agent, "/v1/asks");
    answer(&sandbox, &asked);
    let in_time = [(asked["askId"].clone(), Json::from("answered"))];
    assert_eq!(ended("answered"), in_time);
    assert_eq!(ended("late"), [], "its agent would have polled again");
    assert_eq!(ended("undelivered"), in_time);
    // The change arrives in the background.
    let mut hub = Hub::connect(&sandbox);
    hub.set_clock("2026-03-01T10:04:00Z");
    let told = agent.get_json(&ask_path(&asked));
    assert_eq!(told["outcome"]["answers"][0]["values"][0], "yes");
    let others = ask(&agent, "/v1/asks");
    hub.set_clock("2026-03-01T10:09:00Z");
    sandbox.run_ok(&[
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
    let late = sandbox.run_ok(&["history", "--state", "late", "--json"]);
    let kept = asked["askId"].as_str().expect("an id");
    assert!(!late.contains(kept), "{late}");
    let stats = page.get_json("/v1/history/stats");
    assert_eq!(
        (&stats["outcomes"]["answered"], &stats["outcomes"]["late"]),
        (&Json::from(1), &Json::from(1)),
        "{stats}"
    );
}

/// An agent that names its client and its folder.
const SHOP: &str = "/v1/asks?client=ci&directory=/srv/shop";

#[test]
fn asking_again_takes_up_the_abandoned_ask() {
    let sandbox = Sandbox::with_clock("2026-03-01T10:00:00Z");
    let agent = Web::with_token(&sandbox, "token");
    let person = Web::with_token(&sandbox, "answer-token");
    let first = ask(&agent, SHOP);
    // The request doesn't say which agent it is. While the first one may poll again, it counts as
    // another.
    let other = ask(&agent, SHOP);
    assert_ne!(first["askId"], other["askId"]);
    answer(&sandbox, &first);
    let third = ask(&agent, SHOP);
    assert_eq!(third["state"], "waiting", "the answer is the first's");
    Hub::connect(&sandbox).set_clock("2026-03-01T10:05:00Z");
    let shown = sandbox.run_ok(&["show", first["askId"].as_str().expect("an id")]);
    assert!(shown.contains("kept until the agent asks again"), "{shown}");
    for left in [&other, &third] {
        person.expect_status(200, "POST", &format!("{}/withdraw", ask_path(left)), "");
    }

    let mut events = Web::page(&sandbox).open_events();
    events.receive("snapshot");
    let again = ask(&agent, SHOP);
    assert_eq!(again["askId"], first["askId"]);
    assert_eq!(again["outcome"]["answers"][0]["values"][0], "yes");
    while events.next().data["delivered"] != true {}
    let anew = ask(&agent, SHOP);
    assert_eq!(anew["state"], "waiting", "the answer was delivered: {anew}");
    assert_ne!(anew["askId"], first["askId"]);
}

#[test]
fn an_ask_without_a_folder_is_not_taken_up() {
    let sandbox = Sandbox::with_clock("2026-03-01T10:00:00Z");
    let agent = Web::with_token(&sandbox, "token");
    let first = ask(&agent, "/v1/asks");
    answer(&sandbox, &first);
    Hub::connect(&sandbox).set_clock("2026-03-01T10:20:00Z");
    let again = ask(&agent, "/v1/asks");
    assert_ne!(again["askId"], first["askId"], "it could be anybody's");
    let elsewhere = ask(&agent, SHOP);
    assert_ne!(elsewhere["askId"], first["askId"]);
    // A client that knows the id receives the answer.
    let told = agent.get_json(&ask_path(&first));
    assert_eq!(told["outcome"]["answers"][0]["values"][0], "yes");
}

#[test]
fn a_repeated_take_up_request_returns_the_same_ask() {
    let sandbox = Sandbox::with_clock("2026-03-01T10:00:00Z");
    let agent = Web::with_token(&sandbox, "token");
    for answered in [false, true] {
        let left = ask(&agent, SHOP);
        if answered {
            answer(&sandbox, &left);
        }
        let mut hub = Hub::connect(&sandbox);
        let later = match answered {
            false => "2026-03-01T10:05:00Z",
            true => "2026-03-01T10:20:00Z",
        };
        hub.set_clock(later);
        let key = agent.with_header("idempotency-key", if answered { "k2" } else { "k1" });
        for _ in 0..2 {
            assert_eq!(ask(&key, SHOP)["askId"], left["askId"]);
        }
        let other = r#"{"question":"Another?","type":"confirm"}"#;
        let refused = key.expect_status(422, "POST", SHOP, other);
        assert_eq!(kind(&refused), "key-reused", "{refused}");
        if !answered {
            sandbox.run_ok(&["decline", left["askId"].as_str().expect("an id")]);
            agent.get_json(&ask_path(&left));
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_key_of_a_program_that_runs_belongs_to_it() {
    let sandbox = Sandbox::new();
    let agent = Web::with_token(&sandbox, "token").with_header("idempotency-key", "1");
    let twin = r#"
import sys, urllib.error, urllib.request
headers = {"Authorization": "Bearer " + sys.argv[2], "Content-Type": "application/json", "Idempotency-Key": sys.argv[3]}
request = urllib.request.Request(sys.argv[1], sys.argv[4].encode(), headers)
try:
    print(urllib.request.urlopen(request).read().decode())
except urllib.error.HTTPError as error:
    print(error.read().decode())
"#;
    let http = Http::of_hub(&sandbox);
    let url = format!("http://127.0.0.1:{}{SHOP}", http.port);
    let ask_as_twin = |key: &str| {
        let mut command = sandbox.command("python3");
        command.args(["-c", twin, &url, &http.token, key, CALL]);
        json(&String::from_utf8_lossy(&run_to_end(command).stdout))
    };
    ask(&agent, SHOP);
    let refused = ask_as_twin("1");
    assert_eq!(kind(&refused), "key-reused", "{refused}");
    let asked = ask_as_twin("2");
    let successor = Web::with_token(&sandbox, "token").with_header("idempotency-key", "2");
    assert_eq!(ask(&successor, SHOP)["askId"], asked["askId"]);
}

#[test]
fn a_poll_after_a_wait_counts_as_waiting() {
    let sandbox = Sandbox::new();
    let agent = Web::with_token(&sandbox, "token");
    let person = Web::with_token(&sandbox, "answer-token");
    let asked = ask(&agent, "/v1/asks");
    let mut events = Web::page(&sandbox).open_events();
    events.receive("snapshot");
    drop(agent.send("GET", &format!("{}/wait", ask_path(&asked)), ""));
    let is_left = |data: &Json| data["askId"] == asked["askId"] && data.get("waiters").is_none();
    while !is_left(&events.next().data) {}
    assert_eq!(agent.get_json(&ask_path(&asked))["waiters"], 1);
    assert_eq!(person.get_json(&ask_path(&asked))["waiters"], 1);
}

#[test]
fn open_asks_can_be_listed_alone() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["Which?"]);
    let page = Web::page(&sandbox);
    sandbox.run_ok(&["answer", &id, "--set", "this"]);
    for (query, count) in [("", 1), ("?state=waiting", 0)] {
        let listed = page.get_json(&format!("/v1/asks{query}"));
        let asks = listed["asks"].as_array().map(Vec::len);
        assert_eq!(asks, Some(count), "{query}: {listed}");
    }
}
