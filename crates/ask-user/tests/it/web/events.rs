//! The event stream, and the events that a client missed.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;

use crate::support::http::Http;
use crate::support::hub::Hub;
use crate::support::sandbox::Sandbox;
use crate::support::web::Web;

#[test]
fn a_stream_resumes_after_its_last_event() {
    let sandbox = Sandbox::new();
    let page = Web::page(&sandbox);
    let mut events = page.open_events();
    assert_eq!(events.next().name, "hello");
    let snapshot = events.next();
    assert_eq!(snapshot.name, "snapshot");
    assert_eq!(snapshot.data["asks"], ask_core::Json::Array(Vec::new()));
    assert_eq!(events.next().name, "pairing", "the state of pairing");
    let first = sandbox.ask(&["First?"]);
    let created = events.next();
    assert_eq!(
        (created.name.as_str(), &created.data["askId"]),
        ("ask.created", &first.as_str().into())
    );
    let seen = created.id.expect("the event has an id to resume from");
    drop(events);
    let second = sandbox.ask(&["Second?"]);
    sandbox.run_ok(&["answer", &first, "--set", "yes"]);
    let mut again = page.resume_events(&seen);
    assert_eq!(again.next().name, "hello");
    let mut told: Vec<(String, String)> = Vec::new();
    while told.len() < 2 {
        let event = again.next();
        if let Some(id) = event.data["askId"].as_str() {
            told.push((event.name, id.to_owned()));
        }
    }
    told.sort();
    let wanted = [
        ("ask.created".to_owned(), second),
        ("ask.resolved".to_owned(), first),
    ];
    assert_eq!(told, wanted);
    let largest = u64::MAX.to_string();
    for unknown in ["999999", "never", &largest] {
        let mut anew = page.resume_events(unknown);
        assert_eq!(
            anew.receive("snapshot").data["asks"][0]["state"],
            "waiting",
            "{unknown}"
        );
    }
    let all = page.get_json(&format!("/v1/asks?first={largest}"));
    assert_eq!(all["asks"][0]["state"], "waiting", "{all}");
}

#[test]
fn a_burst_opens_no_more_streams_than_a_token_may_have() {
    let sandbox = Sandbox::new();
    let port = Http::of_hub(&sandbox).port;
    let token = std::fs::read_to_string(sandbox.home().join("answer-token")).expect("a token");
    let request = format!(
        "GET /v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {}\r\n\r\n",
        token.trim()
    );
    let connect = || {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("the hub listens");
        let sent = stream.write_all(request.as_bytes());
        sent.expect("the hub reads requests");
        stream
    };
    let all: Vec<TcpStream> = (0..100).map(|_| connect()).collect();
    let status = |stream: &TcpStream| {
        let mut line = String::new();
        let read = BufReader::new(stream).read_line(&mut line);
        read.expect("the hub responds");
        line
    };
    let replies: Vec<String> = all.iter().map(status).collect();
    let opened = replies.iter().filter(|line| line.contains(" 200 "));
    assert_eq!(opened.count(), 64, "{replies:?}");
    let refused = replies.iter().filter(|line| line.contains(" 429 "));
    assert_eq!(refused.count(), 36, "{replies:?}");
}

#[test]
fn a_stream_reports_every_change() {
    let sandbox = Sandbox::with_clock("2026-03-01T10:00:00Z");
    let page = Web::page(&sandbox);
    let mut events = page.open_events();
    events.receive("snapshot");
    let agent = Web::with_token(&sandbox, "token");
    let asked = agent.expect_status(
        201,
        "POST",
        "/v1/asks",
        r#"{"question":"Go?","timeout":60000}"#,
    );
    events.receive("ask.created");
    let ask = format!("/v1/asks/{}", asked["askId"].as_str().expect("an id"));
    page.expect_status(
        200,
        "PUT",
        &format!("{ask}/draft"),
        r#"{"draft":{"answers":[{"own":"y"}]},"builtOn":0}"#,
    );
    let updated = events.receive("ask.updated");
    assert_eq!(updated.data["draft"]["revision"], 1);
    Hub::connect(&sandbox).set_clock("2026-03-01T10:01:01Z");
    assert_eq!(events.receive("ask.expired").data["state"], "expired");
    page.post_json(&format!("{ask}/answer"), r#"{"answers":["yes"]}"#);
    assert_eq!(events.receive("ask.late").data["state"], "answered");
    page.expect_status(204, "PUT", "/v1/mute", r#"{"on":true}"#);
    while events.receive("day").data["muted"] != true {}
    page.expect_status(204, "DELETE", &format!("{ask}?undelivered=true"), "");
    assert_eq!(events.receive("ask.gone").data["askId"], asked["askId"]);
}

#[test]
fn a_listening_page_counts_as_a_surface_and_reports_presence() {
    let sandbox = Sandbox::new();
    let page = Web::page(&sandbox);
    assert_eq!(page.get_json("/v1/status")["surfaces"], 0);
    page.expect_status(
        204,
        "POST",
        "/v1/presence",
        r#"{"focused":true,"input":true}"#,
    );
    let mut events = page.open_events();
    events.receive("snapshot");
    assert_eq!(page.get_json("/v1/status")["surfaces"], 1);
    page.expect_status(
        204,
        "POST",
        "/v1/presence",
        r#"{"focused":false,"input":false,"rings":true}"#,
    );
    drop(events);
    // However often other clients request the hub's state meanwhile.
    let gone = |_: &u32| page.get_json("/v1/status")["surfaces"] == 0;
    assert!((0..20_000).any(|tries| gone(&tries)), "the page is gone");
}

#[test]
fn streams_continue_after_a_killed_hub() {
    let sandbox = Sandbox::new();
    let page = Web::page(&sandbox);
    let id = sandbox.ask(&["Still there?"]);
    let mut events = page.open_events();
    let seen = events
        .receive("snapshot")
        .id
        .expect("the event has an id to resume from");
    Hub::connect(&sandbox).kill();
    let other = sandbox.ask(&["And this?"]);
    // The next hub has another port: in tests several hubs share a machine.
    let page = page.at_hub_of(&sandbox);
    // It numbers its changes from the start, so it sends a snapshot.
    let mut again = page.resume_events(&seen);
    let asks = &again.receive("snapshot").data["asks"];
    assert_eq!(
        (&asks[0]["askId"], &asks[1]["askId"]),
        (&id.as_str().into(), &other.as_str().into())
    );
    let sent = page.post_json(&format!("/v1/asks/{id}/answer"), r#"{"answers":["yes"]}"#);
    assert_eq!(sent["won"], true);
}

#[test]
fn a_page_of_another_version_is_told_to_reload() {
    let sandbox = Sandbox::new();
    let page = Web::page(&sandbox);
    let hello = page.open_events().next();
    let version = hello.data["page"].as_str().expect("a version").to_owned();
    let listening = |page_version: &str| {
        let reply = page.send("GET", &format!("/v1/events?page={page_version}"), "");
        crate::support::web::Events(reply).second()
    };
    assert_eq!(listening(&version), "snapshot");
    assert_eq!(listening("old"), "reload");
}

#[test]
fn the_most_urgent_asks_are_sent_first() {
    let sandbox = Sandbox::new();
    let agent = Web::with_token(&sandbox, "token");
    for number in 1..=60 {
        let call = format!(r#"{{"question":"Ask {number}?"}}"#);
        agent.expect_status(201, "POST", "/v1/asks", &call);
    }
    let hasty = agent.expect_status(
        201,
        "POST",
        "/v1/asks",
        r#"{"questions":[{"question":"Now?"}],"timeout":3600000}"#,
    );
    let page = Web::page(&sandbox);
    let mut events = page.open_events();
    let (first, all) = (events.receive("snapshot"), events.receive("snapshot"));
    let ids = |data: &ask_core::Json| -> Vec<String> {
        let asks = data["asks"].as_array().expect("an array");
        let id = |ask: &ask_core::Json| ask["askId"].as_str().map(str::to_owned);
        asks.iter().filter_map(id).collect()
    };
    let hasty = hasty["askId"].as_str().expect("its id").to_owned();
    assert_eq!(ids(&first.data).len(), 40);
    assert!(ids(&first.data).contains(&hasty), "it has a deadline");
    assert_eq!(first.data["day"]["more"], 21);
    assert_eq!(first.id, None, "the first page has no id to resume from");
    assert_eq!(ids(&all.data).len(), 61);
    assert_eq!(all.data["day"]["more"], 0);
    assert!(all.id.is_some());
}
