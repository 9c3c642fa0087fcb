//! Devices that come through a proxy with another address: `http.public_url`.

use ask_core::Json;

use crate::support::hub::Hub;
use crate::support::phone::{secret, shows};
use crate::support::sandbox::Sandbox;
use crate::support::text;
use crate::support::web::{Web, cookie, kind};

const HOST: &str = "desk.example.ts.net";

fn through(sandbox: &Sandbox) -> Web {
    let tunnel = Web::of(sandbox).passed_on_by(HOST);
    // Any client could set this header, so the hub must not trust it.
    tunnel.with("x-forwarded-for", "127.0.0.1")
}

/// A device that was paired through the proxy.
fn let_in(tunnel: &Web, computer: &Web, pairing: &Json) -> Web {
    let body = shows("secret", &secret(pairing), "iPad");
    let asked = tunnel.says(202, "POST", "/v1/pair", &body);
    let request = text(&computer.gets("/v1/pairing")["requests"][0], "id");
    let said = format!("/v1/pairing/requests/{request}");
    computer.posts(&said, r#"{"allow":true}"#);
    let asking = format!("/v1/pair/{}", text(&asked, "request"));
    let allowed = tunnel.send("GET", &asking, "");
    let set = allowed.header("set-cookie").expect("a cookie");
    assert!(set.ends_with("; Secure"), "{set}");
    tunnel
        .with_cookie(&cookie(&allowed))
        .without("sec-fetch-site")
}

#[test]
fn off_shuts_out_who_comes_by_the_public_address_until_it_is_on_again() {
    let sandbox = Sandbox::at("2026-03-01T10:00:00Z");
    sandbox.settings(&format!("[http]\npublic_url = \"https://{HOST}\"\n"));
    let id = sandbox.asks(&["Which?"]);
    let computer = Web::page(&sandbox);
    let tunnel = through(&sandbox);
    let pairing = computer.posts("/v1/pairing", r#"{"forMs":3600000}"#);
    let device = let_in(&tunnel, &computer, &pairing);
    let mut listening = device.listens();
    let printed = sandbox.done(&["pair", "--off"]);
    assert!(printed.contains("No device can come"), "{printed}");
    while listening.0.line().is_some() {}
    let answer = format!("/v1/asks/{id}/answer");
    for (method, path, body) in [
        ("POST", answer.as_str(), r#"{"answers":["A"]}"#),
        ("GET", "/v1/asks", ""),
        ("GET", "/v1/events", ""),
        ("GET", "/v1/session", ""),
        ("POST", "/v1/pair", r#"{"code":"123456","name":"other"}"#),
        ("GET", "/v1/pair/nothing", ""),
        ("POST", "/v1/session", r#"{"key":"x"}"#),
        ("GET", "/nothing", ""),
    ] {
        let refused = device.says(403, method, path, body);
        assert_eq!(kind(&refused), "devices-off", "{path}");
        let said = text(&refused, "detail");
        assert!(said.contains("ask-user pair"), "{said}");
    }
    for method in ["GET", "HEAD"] {
        let alive = tunnel.send(method, "/healthz", "");
        assert_eq!(alive.status, 200, "everybody may use the health check");
    }
    let browser = device.with("accept", "text/html");
    let mut shown = browser.send("GET", "/nothing", "");
    assert_eq!(shown.status, 403);
    let page = shown.text();
    assert!(page.contains("Devices aren’t let in"), "{page}");
    assert_eq!(device.send("GET", "/", "").status, 200, "the page says it");
    assert_eq!(computer.gets("/v1/pairing")["on"], false);
    let listed = sandbox.done(&["pair", "--devices"]);
    assert!(listed.contains("None of them can come"), "{listed}");
    let printed = sandbox.done(&["web", "--print"]);
    assert_eq!(printed.lines().count(), 1, "{printed}");

    let body = r#"{"forMs":3600000}"#;
    assert_eq!(computer.posts("/v1/pairing", body)["on"], true);
    device.gets("/v1/asks");
    let mut listening = device.listens();
    Hub::of(&sandbox).clock("2026-03-01T11:00:00Z");
    while listening.0.line().is_some() {}
    let ended = device.says(403, "POST", &answer, r#"{"answers":["A"]}"#);
    assert_eq!(kind(&ended), "devices-off", "its hour is over");
    sandbox.done(&["pair", "--json"]);
    let answered = device.posts(&answer, r#"{"answers":["A"]}"#);
    assert_eq!(answered["record"]["answeredDevice"], "iPad");
}

#[test]
fn a_device_comes_by_the_public_address_and_is_a_device() {
    let sandbox = Sandbox::new();
    sandbox.settings(&format!("[http]\npublic_url = \"https://{HOST}\"\n"));
    let id = sandbox.asks(&["Which?"]);
    let computer = Web::page(&sandbox);
    let tunnel = through(&sandbox);
    let pairing = computer.posts("/v1/pairing", r#"{"forMs":3600000}"#);
    tunnel.says(401, "GET", "/v1/asks", "");
    for file in ["token", "answer-token"] {
        let token = std::fs::read_to_string(sandbox.home().join(file)).expect("a token");
        let shown = tunnel.with("authorization", &format!("Bearer {}", token.trim()));
        shown.says(401, "GET", "/v1/asks", "");
        assert_eq!(shown.send("POST", "/mcp", "{}").status, 403);
        assert_ne!(shown.send("GET", "/bridge", "").status, 200);
    }
    assert_eq!(text(&pairing, "url"), format!("https://{HOST}"));
    assert_eq!(pairing["encrypted"], true);
    let device = let_in(&tunnel, &computer, &pairing);
    let session = device.gets("/v1/session");
    assert_eq!(
        (&session["local"], &session["encrypted"]),
        (&false.into(), &true.into())
    );
    let here = device.without("host").says(401, "GET", "/v1/asks", "");
    assert_eq!(
        kind(&here),
        "no-credential",
        "its cookie opens nothing here"
    );
    device.says(403, "GET", "/v1/pairing", "");
    let origin = device.with("origin", "https://other.example.ts.net");
    origin.says(403, "POST", &format!("/v1/asks/{id}/decline"), "{}");
    let plain = device.with("origin", &format!("http://{HOST}"));
    plain.says(403, "GET", "/v1/asks", "");
    let own = device.with("origin", &format!("https://{HOST}"));
    let declined = own.posts(&format!("/v1/asks/{id}/decline"), "{}");
    assert_eq!(declined["record"]["answeredDevice"], "iPad");
}

#[test]
fn a_link_for_elsewhere_signs_a_device_in_once() {
    let sandbox = Sandbox::new();
    sandbox.settings(&format!("[http]\npublic_url = \"https://{HOST}\"\n"));
    sandbox.done(&["pair", "--json"]);
    let printed = sandbox.done(&["web", "--print"]);
    let links: Vec<&str> = printed.lines().collect();
    assert!(links[0].starts_with("http://127.0.0.1:"), "{printed}");
    let key = links[1].strip_prefix(&format!("https://{HOST}/#k="));
    let tunnel = through(&sandbox).with("user-agent", "Firefox on a train");
    let signed = tunnel.sign_in(key.expect("a link for elsewhere"));
    assert_eq!(signed.status, 204);
    tunnel.with_cookie(&cookie(&signed)).gets("/v1/asks");
    let listed = sandbox.done(&["pair", "--devices"]);
    assert!(listed.contains("Firefox on a train"), "{listed}");
    for agent in ["curl/8.5.0", ""] {
        let printed = sandbox.done(&["web", "--print"]);
        let (_, key) = printed.trim_end().rsplit_once("#k=").expect("a link");
        let tunnel = through(&sandbox).with("user-agent", agent);
        assert_eq!(tunnel.sign_in(key).status, 204);
    }
    let listed = sandbox.done(&["pair", "--devices"]);
    assert!(
        listed.contains("  curl  ") && listed.contains("  a device  "),
        "{listed}"
    );
    let other = Web::of(&sandbox).with("host", "desk.example.org");
    assert_eq!(kind(&other.says(421, "GET", "/", "")), "foreign-host");
}
