//! Devices that come through a proxy with another address: `http.public_url`.

use ask_core::Json;

use crate::support::hub::Hub;
use crate::support::phone::{pair_request, secret};
use crate::support::sandbox::Sandbox;
use crate::support::text;
use crate::support::web::{Web, cookie, kind};

const HOST: &str = "desk.example.ts.net";

fn tunnel_client(sandbox: &Sandbox) -> Web {
    let tunnel = Web::anonymous(sandbox).behind_proxy(HOST);
    // Any client could set this header, so the hub must not trust it.
    tunnel.with_header("x-forwarded-for", "127.0.0.1")
}

/// A device that was paired through the proxy.
fn pair_device(tunnel: &Web, computer: &Web, pairing: &Json) -> Web {
    let body = pair_request("secret", &secret(pairing), "iPad");
    let asked = tunnel.expect_status(202, "POST", "/v1/pair", &body);
    let request = text(&computer.get_json("/v1/pairing")["requests"][0], "id");
    let said = format!("/v1/pairing/requests/{request}");
    computer.post_json(&said, r#"{"allow":true}"#);
    let asking = format!("/v1/pair/{}", text(&asked, "request"));
    let allowed = tunnel.send("GET", &asking, "");
    let set = allowed.header("set-cookie").expect("a cookie");
    assert!(set.ends_with("; Secure"), "{set}");
    tunnel
        .with_cookie(&cookie(&allowed))
        .without_header("sec-fetch-site")
}

#[test]
fn pairing_off_closes_the_public_address() {
    let sandbox = Sandbox::with_clock("2026-03-01T10:00:00Z");
    sandbox.write_settings(&format!("[http]\npublic_url = \"https://{HOST}\"\n"));
    let id = sandbox.ask(&["Which?"]);
    let computer = Web::page(&sandbox);
    let tunnel = tunnel_client(&sandbox);
    let pairing = computer.post_json("/v1/pairing", r#"{"forMs":3600000}"#);
    let device = pair_device(&tunnel, &computer, &pairing);
    let mut listening = device.open_events();
    let printed = sandbox.run_ok(&["pair", "--off"]);
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
        let refused = device.expect_status(403, method, path, body);
        assert_eq!(kind(&refused), "devices-off", "{path}");
        let said = text(&refused, "detail");
        assert!(said.contains("ask-user pair"), "{said}");
    }
    for method in ["GET", "HEAD"] {
        let alive = tunnel.send(method, "/healthz", "");
        assert_eq!(alive.status, 200, "everybody may use the health check");
    }
    let browser = device.with_header("accept", "text/html");
    let mut shown = browser.send("GET", "/nothing", "");
    assert_eq!(shown.status, 403);
    let page = shown.text();
    assert!(page.contains("Devices aren’t let in"), "{page}");
    assert_eq!(device.send("GET", "/", "").status, 200, "the page says it");
    assert_eq!(computer.get_json("/v1/pairing")["on"], false);
    let listed = sandbox.run_ok(&["pair", "--devices"]);
    assert!(listed.contains("None of them can come"), "{listed}");
    let printed = sandbox.run_ok(&["web", "--print"]);
    assert_eq!(printed.lines().count(), 1, "{printed}");

    let body = r#"{"forMs":3600000}"#;
    assert_eq!(computer.post_json("/v1/pairing", body)["on"], true);
    device.get_json("/v1/asks");
    let mut listening = device.open_events();
    Hub::connect(&sandbox).set_clock("2026-03-01T11:00:00Z");
    while listening.0.line().is_some() {}
    let ended = device.expect_status(403, "POST", &answer, r#"{"answers":["A"]}"#);
    assert_eq!(kind(&ended), "devices-off", "its hour is over");
    sandbox.run_ok(&["pair", "--json"]);
    let answered = device.post_json(&answer, r#"{"answers":["A"]}"#);
    assert_eq!(answered["record"]["answeredDevice"], "iPad");
}

#[test]
fn a_device_is_paired_through_the_public_address() {
    let sandbox = Sandbox::new();
    sandbox.write_settings(&format!("[http]\npublic_url = \"https://{HOST}\"\n"));
    let id = sandbox.ask(&["Which?"]);
    let computer = Web::page(&sandbox);
    let tunnel = tunnel_client(&sandbox);
    let pairing = computer.post_json("/v1/pairing", r#"{"forMs":3600000}"#);
    tunnel.expect_status(401, "GET", "/v1/asks", "");
    for file in ["token", "answer-token"] {
        let token = std::fs::read_to_string(sandbox.home().join(file)).expect("a token");
        let shown = tunnel.with_header("authorization", &format!("Bearer {}", token.trim()));
        shown.expect_status(401, "GET", "/v1/asks", "");
        assert_eq!(shown.send("POST", "/mcp", "{}").status, 403);
        assert_ne!(shown.send("GET", "/bridge", "").status, 200);
    }
    assert_eq!(text(&pairing, "url"), format!("https://{HOST}"));
    assert_eq!(pairing["encrypted"], true);
    let device = pair_device(&tunnel, &computer, &pairing);
    let session = device.get_json("/v1/session");
    assert_eq!(
        (&session["local"], &session["encrypted"]),
        (&false.into(), &true.into())
    );
    let here = device
        .without_header("host")
        .expect_status(401, "GET", "/v1/asks", "");
    assert_eq!(
        kind(&here),
        "no-credential",
        "its cookie opens nothing here"
    );
    device.expect_status(403, "GET", "/v1/pairing", "");
    let origin = device.with_header("origin", "https://other.example.ts.net");
    origin.expect_status(403, "POST", &format!("/v1/asks/{id}/decline"), "{}");
    let plain = device.with_header("origin", &format!("http://{HOST}"));
    plain.expect_status(403, "GET", "/v1/asks", "");
    let own = device.with_header("origin", &format!("https://{HOST}"));
    let declined = own.post_json(&format!("/v1/asks/{id}/decline"), "{}");
    assert_eq!(declined["record"]["answeredDevice"], "iPad");
}

#[test]
fn a_public_link_signs_in_once() {
    let sandbox = Sandbox::new();
    sandbox.write_settings(&format!("[http]\npublic_url = \"https://{HOST}\"\n"));
    sandbox.run_ok(&["pair", "--json"]);
    let printed = sandbox.run_ok(&["web", "--print"]);
    let links: Vec<&str> = printed.lines().collect();
    assert!(links[0].starts_with("http://127.0.0.1:"), "{printed}");
    let key = links[1].strip_prefix(&format!("https://{HOST}/#k="));
    let tunnel = tunnel_client(&sandbox).with_header("user-agent", "Firefox on a train");
    let signed = tunnel.sign_in(key.expect("a link for elsewhere"));
    assert_eq!(signed.status, 204);
    tunnel.with_cookie(&cookie(&signed)).get_json("/v1/asks");
    let listed = sandbox.run_ok(&["pair", "--devices"]);
    assert!(listed.contains("Firefox on a train"), "{listed}");
    for agent in ["curl/8.5.0", ""] {
        let printed = sandbox.run_ok(&["web", "--print"]);
        let (_, key) = printed.trim_end().rsplit_once("#k=").expect("a link");
        let tunnel = tunnel_client(&sandbox).with_header("user-agent", agent);
        assert_eq!(tunnel.sign_in(key).status, 204);
    }
    let listed = sandbox.run_ok(&["pair", "--devices"]);
    assert!(
        listed.contains("  curl  ") && listed.contains("  a device  "),
        "{listed}"
    );
    let other = Web::anonymous(&sandbox).with_header("host", "desk.example.org");
    assert_eq!(
        kind(&other.expect_status(421, "GET", "/", "")),
        "foreign-host"
    );
}
