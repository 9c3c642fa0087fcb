//! The event stream, and the events that a client missed.

use crate::support::hub::Hub;
use crate::support::sandbox::Sandbox;
use crate::support::web::Web;

#[test]
fn a_stream_goes_on_where_it_was_cut() {
    let sandbox = Sandbox::new();
    let page = Web::page(&sandbox);
    let mut events = page.listens();
    assert_eq!(events.next().name, "hello");
    let snapshot = events.next();
    assert_eq!(snapshot.name, "snapshot");
    assert_eq!(snapshot.data["asks"], ask_core::Json::Array(Vec::new()));
    assert_eq!(events.next().name, "pairing", "the state of pairing");
    let first = sandbox.asks(&["First?"]);
    let created = events.next();
    assert_eq!(
        (created.name.as_str(), &created.data["askId"]),
        ("ask.created", &first.as_str().into())
    );
    let seen = created.id.expect("the event has an id to resume from");
    drop(events);
    let second = sandbox.asks(&["Second?"]);
    sandbox.done(&["answer", &first, "--set", "yes"]);
    let mut again = page.listens_after(&seen);
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
        let mut anew = page.listens_after(unknown);
        assert_eq!(
            anew.hears("snapshot").data["asks"][0]["state"],
            "waiting",
            "{unknown}"
        );
    }
    let all = page.gets(&format!("/v1/asks?first={largest}"));
    assert_eq!(all["asks"][0]["state"], "waiting", "{all}");
}

#[test]
fn a_stream_tells_what_becomes_of_an_ask() {
    let sandbox = Sandbox::at("2026-03-01T10:00:00Z");
    let page = Web::page(&sandbox);
    let mut events = page.listens();
    events.hears("snapshot");
    let agent = Web::program(&sandbox, "token");
    let asked = agent.says(
        201,
        "POST",
        "/v1/asks",
        r#"{"question":"Go?","timeout":60000}"#,
    );
    events.hears("ask.created");
    let ask = format!("/v1/asks/{}", asked["askId"].as_str().expect("an id"));
    page.says(
        200,
        "PUT",
        &format!("{ask}/draft"),
        r#"{"draft":{"answers":[{"own":"y"}]},"builtOn":0}"#,
    );
    let updated = events.hears("ask.updated");
    assert_eq!(updated.data["draft"]["revision"], 1);
    Hub::of(&sandbox).clock("2026-03-01T10:01:01Z");
    assert_eq!(events.hears("ask.expired").data["state"], "expired");
    page.posts(&format!("{ask}/answer"), r#"{"answers":["yes"]}"#);
    assert_eq!(events.hears("ask.late").data["state"], "answered");
    page.says(204, "PUT", "/v1/mute", r#"{"on":true}"#);
    while events.hears("day").data["muted"] != true {}
    page.says(204, "DELETE", &format!("{ask}?undelivered=true"), "");
    assert_eq!(events.hears("ask.gone").data["askId"], asked["askId"]);
}

#[test]
fn a_page_that_listens_is_a_surface_and_says_whether_its_person_is_there() {
    let sandbox = Sandbox::new();
    let page = Web::page(&sandbox);
    assert_eq!(page.gets("/v1/status")["surfaces"], 0);
    page.says(
        204,
        "POST",
        "/v1/presence",
        r#"{"focused":true,"input":true}"#,
    );
    let mut events = page.listens();
    events.hears("snapshot");
    assert_eq!(page.gets("/v1/status")["surfaces"], 1);
    page.says(
        204,
        "POST",
        "/v1/presence",
        r#"{"focused":false,"input":false,"rings":true}"#,
    );
    drop(events);
    // However often other clients request the hub's state meanwhile.
    let gone = |_: &u32| page.gets("/v1/status")["surfaces"] == 0;
    assert!((0..20_000).any(|tries| gone(&tries)), "the page is gone");
}

#[test]
fn a_killed_hub_is_followed_by_one_that_goes_on() {
    let sandbox = Sandbox::new();
    let page = Web::page(&sandbox);
    let id = sandbox.asks(&["Still there?"]);
    let mut events = page.listens();
    let seen = events
        .hears("snapshot")
        .id
        .expect("the event has an id to resume from");
    Hub::of(&sandbox).kill();
    let other = sandbox.asks(&["And this?"]);
    // The next hub has another port: in tests several hubs share a machine.
    let page = page.at(&sandbox);
    // It numbers its changes from the start, so it sends a snapshot.
    let mut again = page.listens_after(&seen);
    let asks = &again.hears("snapshot").data["asks"];
    assert_eq!(
        (&asks[0]["askId"], &asks[1]["askId"]),
        (&id.as_str().into(), &other.as_str().into())
    );
    let sent = page.posts(&format!("/v1/asks/{id}/answer"), r#"{"answers":["yes"]}"#);
    assert_eq!(sent["won"], true);
}

#[test]
fn a_page_of_another_version_is_told_to_load_itself_again() {
    let sandbox = Sandbox::new();
    let page = Web::page(&sandbox);
    let hello = page.listens().next();
    let version = hello.data["page"].as_str().expect("a version").to_owned();
    let listening = |page_version: &str| {
        let reply = page.send("GET", &format!("/v1/events?page={page_version}"), "");
        crate::support::web::Events(reply).second()
    };
    assert_eq!(listening(&version), "snapshot");
    assert_eq!(listening("old"), "reload");
}

#[test]
fn of_many_asks_the_most_urgent_are_told_first() {
    let sandbox = Sandbox::new();
    let agent = Web::program(&sandbox, "token");
    for number in 1..=60 {
        let call = format!(r#"{{"question":"Ask {number}?"}}"#);
        agent.says(201, "POST", "/v1/asks", &call);
    }
    let hasty = agent.says(
        201,
        "POST",
        "/v1/asks",
        r#"{"questions":[{"question":"Now?"}],"timeout":3600000}"#,
    );
    let page = Web::page(&sandbox);
    let mut events = page.listens();
    let (first, all) = (events.hears("snapshot"), events.hears("snapshot"));
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
