//! Permissions over the network: every route without credentials, with the tokens of this machine,
//! with the computer's own cookie, and as a device of each kind.

use crate::support::phone::{invite, pair_device, unpaired_client};
use crate::support::routes::Route;
use crate::support::sandbox::Sandbox;
use crate::support::text;
use crate::support::web::{Web, cookie, cookie_name, key, kind};

/// The routes for devices that aren't paired yet.
const STRANGERS: [&str; 3] = ["alive", "pair", "pairState"];

#[test]
fn over_the_network_only_devices_are_accepted() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["A secret question?"]);
    let computer = Web::page(&sandbox);
    let pairing = invite(&computer, "answer");
    let stranger = unpaired_client(&sandbox, &pairing);
    let bearer = |file: &str| {
        let token = std::fs::read_to_string(sandbox.home().join(file)).expect("a token");
        stranger.with_header("authorization", &format!("Bearer {}", token.trim()))
    };
    let own = Web::anonymous(&sandbox).sign_in(&key(&sandbox));
    let wrong = [
        stranger.clone(),
        bearer("token"),
        bearer("answer-token"),
        stranger.with_cookie(&cookie(&own)),
        stranger.with_cookie(&format!("{}={}", cookie_name(&sandbox), "0".repeat(64))),
    ];
    let (routes, digest) = (Route::all(&sandbox), "a".repeat(64));
    let is_closed = |route: &&Route| !STRANGERS.contains(&route.name.as_str());
    for route in routes.iter().filter(is_closed) {
        for web in &wrong {
            let mut reply = web.send(&route.method, &route.path_for(&id, &digest), "{}");
            let said = reply.text();
            assert_eq!(reply.status, 401, "{} {}: {said}", route.method, route.path);
            assert!(!said.contains("secret question"), "{said}");
            let home = sandbox.home().display().to_string();
            assert!(!said.contains(&home), "no paths are revealed: {said}");
        }
    }
    for path in ["/mcp", "/mcp/claude", "/bridge", "/nothing", "/v1"] {
        for web in &wrong {
            assert_eq!(web.send("POST", path, "{}").status, 401, "{path}");
            assert_eq!(web.send("GET", path, "").status, 401, "{path}");
        }
    }
    let page = [
        "/",
        "/pair",
        "/a/latest",
        "/history",
        "/history/latest",
        "/stats",
        "/settings",
    ];
    for place in page
        .into_iter()
        .chain(["/assets/app.js", "/sw.js", "/healthz"])
    {
        let mut shell = stranger.send("GET", place, "");
        assert_eq!(shell.status, 200, "{place}");
        assert!(!shell.text().contains("secret question"), "{place}");
    }
    let key = key(&sandbox);
    assert_eq!(stranger.sign_in(&key).status, 401, "no key opens here");
    assert_eq!(
        Web::anonymous(&sandbox).sign_in(&key).status,
        204,
        "it was not used up"
    );
}

#[test]
fn a_device_has_the_permissions_of_its_scope() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["Which?"]);
    let routes = Route::all(&sandbox);
    for scope in ["answer", "see"] {
        let phone = pair_device(&sandbox, scope, scope);
        for route in &routes {
            let refused = match route.device_scope() {
                Some("answer") => scope == "see",
                Some(_) => false,
                None => !STRANGERS.contains(&route.name.as_str()),
            };
            if refused {
                let path = route.path_for(&id, &"a".repeat(64));
                let mut reply = phone.send(&route.method, &path, "{}");
                let said = reply.text();
                let place = format!("{scope}: {} {}: {said}", route.method, route.path);
                assert_eq!(reply.status, 403, "{place}");
                assert!(said.contains("wrong-scope"), "{place}");
            }
        }
        for seen in ["/v1/asks", "/v1/status", "/v1/history/stats"] {
            phone.get_json(seen);
        }
        let session = phone.get_json("/v1/session");
        assert_eq!(session["device"]["name"], scope);
        assert_eq!(session["device"]["scope"], scope);
        assert_eq!(session["local"], false);
        assert_eq!(session["encrypted"], false);
        let hello = phone.open_events().next();
        assert_eq!(hello.name, "hello");
        assert_eq!(hello.data["scope"], scope);
    }
    let phone = pair_device(&sandbox, "answer", "iPhone, Safari");
    let answer = format!("/v1/asks/{id}/answer");
    let bare = phone.without_header("x-ask-user");
    let refused = bare.expect_status(403, "POST", &answer, r#"{"answers":["A"]}"#);
    assert_eq!(kind(&refused), "no-csrf-header");
    let answered = phone.post_json(&answer, r#"{"answers":["A"]}"#);
    assert_eq!(answered["record"]["answeredBy"], "web");
    assert_eq!(answered["record"]["answeredDevice"], "iPhone, Safari");
    let shown = sandbox.run_ok(&["show", &id]);
    assert!(shown.contains("on web (iPhone, Safari)"), "{shown}");
    let exported = sandbox.run_ok(&["export", "--format", "csv"]);
    assert!(exported.contains(",\"iPhone, Safari\""), "{exported}");
    let markdown = sandbox.run_ok(&["export", "--format", "md"]);
    assert!(markdown.contains("(iPhone, Safari)"), "{markdown}");
}

#[test]
fn foreign_origins_and_hosts_are_refused_over_the_network() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["Which?"]);
    let phone = pair_device(&sandbox, "answer", "iPhone");
    let port = Web::page(&sandbox).get_json("/v1/pairing")["url"].to_string();
    let port = port
        .trim_matches('"')
        .rsplit_once(':')
        .expect("a port")
        .1
        .to_owned();
    for host in [
        "evil.example",
        "127.0.0.2",
        "127.0.0.2:1",
        "localhost",
        "127.0.0.1",
        "[::1]",
        "",
        "127.0.0.2.nip.io",
    ] {
        let host = match host {
            "127.0.0.2" | "127.0.0.2:1" | "" => host.to_owned(),
            name => format!("{name}:{port}"),
        };
        for path in ["/v1/asks", "/", "/pair"] {
            let refused = phone
                .with_header("host", &host)
                .expect_status(421, "GET", path, "");
            assert_eq!(kind(&refused), "foreign-host", "{host} {path}");
        }
    }
    let decline = format!("/v1/asks/{id}/decline");
    for origin in [
        "null",
        "https://evil.example",
        "http://127.0.0.2",
        &format!("http://127.0.0.1:{port}"),
    ] {
        let page = phone.with_header("origin", origin);
        for (method, path) in [("POST", decline.as_str()), ("GET", "/v1/events")] {
            let refused = page.expect_status(403, method, path, "{}");
            assert_eq!(kind(&refused), "foreign-origin", "{origin}");
        }
        let pairing = page.expect_status(403, "POST", "/v1/pair", r#"{"code":"000000"}"#);
        assert_eq!(kind(&pairing), "foreign-origin", "{origin}");
    }
    for site in ["cross-site", "same-site"] {
        let page = phone.with_header("sec-fetch-site", site);
        page.expect_status(403, "POST", &decline, "{}");
    }
    let own = format!("http://127.0.0.2:{port}");
    let declined = phone.with_header("origin", &own).post_json(&decline, "{}");
    assert_eq!(declined["record"]["answeredDevice"], "iPhone");
}

#[test]
fn a_devices_cookie_opens_nothing_at_the_computer() {
    let sandbox = Sandbox::new();
    sandbox.ask(&["Which?"]);
    let phone = pair_device(&sandbox, "answer", "iPhone");
    let port = Web::anonymous(&sandbox);
    let there = phone.at_hub_of(&sandbox);
    let refused = there.expect_status(401, "GET", "/v1/asks", "");
    assert_eq!(kind(&refused), "no-credential");
    let refused = there.expect_status(401, "GET", "/v1/pairing", "");
    assert_eq!(kind(&refused), "no-credential");
    let challenge = phone.without_header("cookie").send("GET", "/v1/asks", "");
    let challenge = challenge.header("www-authenticate");
    assert_eq!(
        challenge,
        Some("Cookie realm=\"ask-user\""),
        "the challenge asks for no token"
    );
    let here = port.expect_status(403, "POST", "/v1/pair", r#"{"code":"000000"}"#);
    assert_eq!(kind(&here), "wrong-scope");
    let agent = Web::with_token(&sandbox, "token");
    for (method, path) in [
        ("GET", "/v1/pairing"),
        ("POST", "/v1/pairing"),
        ("POST", "/v1/pairing/requests/nothing"),
        ("DELETE", "/v1/devices/nothing"),
    ] {
        let refused = agent.expect_status(403, method, path, "{}");
        assert_eq!(kind(&refused), "wrong-scope", "{path}");
    }
    assert_eq!(
        text(&phone.get_json("/v1/session")["device"], "name"),
        "iPhone"
    );
}

#[test]
fn a_read_only_device_does_not_count_as_a_surface() {
    let sandbox = Sandbox::new();
    let (answers, sees) = (
        pair_device(&sandbox, "answer", "answer"),
        pair_device(&sandbox, "see", "see"),
    );
    let surfaces = || Web::page(&sandbox).get_json("/v1/status")["surfaces"].clone();
    let mut looks_on = sees.open_events();
    looks_on.receive("snapshot");
    assert_eq!(surfaces(), 0);
    let mut surface = answers.open_events();
    surface.receive("snapshot");
    assert_eq!(surfaces(), 1);
    // It receives new asks all the same.
    let id = sandbox.ask(&["Which way?"]);
    assert_eq!(looks_on.receive("ask.created").data["askId"], id);
}
