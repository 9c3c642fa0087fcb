//! How a device is paired: by a link or a code, and by the person's confirmation of its number.

use crate::support::hub::Hub;
use crate::support::phone::{ADDRESS, invite, pair_device, pair_request, secret, unpaired_client};
use crate::support::sandbox::Sandbox;
use crate::support::text;
use crate::support::web::{Web, cookie, kind};

#[test]
fn a_phone_is_paired_by_its_link_and_confirmation() {
    let sandbox = Sandbox::new();
    let computer = Web::page(&sandbox);
    let mut told = computer.open_events();
    let first = told.receive("pairing");
    assert_eq!(first.data["on"], false);
    let pairing = invite(&computer, "answer");
    let invitation = &pairing["invitation"];
    let size = invitation["svg"]["size"].as_u64().expect("a drawing");
    assert!(size > 20 && text(&invitation["svg"], "path").starts_with('M'));
    let shown = told.receive("pairing").data;
    assert_eq!(text(&shown["invitation"], "code").len(), 6);
    assert_eq!(shown["invitation"]["svg"], ask_core::Json::Null);

    let phone = unpaired_client(&sandbox, &pairing);
    let body = pair_request("secret", &secret(&pairing), "iPhone, Safari");
    let asked = phone.expect_status(202, "POST", "/v1/pair", &body);
    let again = phone.expect_status(401, "POST", "/v1/pair", &body);
    assert_eq!(kind(&again), "wrong-key", "one invitation lets one ask");
    let told_of = told.receive("pairing").data;
    let request = told_of["requests"][0].clone();
    assert_eq!(request["name"], "iPhone, Safari");
    assert_eq!(request["number"], asked["number"]);
    assert_eq!(request["address"], "127.0.0.1");
    assert_eq!(told_of["invitation"], ask_core::Json::Null);

    let asking = format!("/v1/pair/{}", text(&asked, "request"));
    let polling = std::thread::spawn({
        let (phone, asking) = (phone.clone(), asking.clone());
        move || phone.send("GET", &asking, "")
    });
    let said = format!("/v1/pairing/requests/{}", text(&request, "id"));
    let decided = computer.post_json(&said, r#"{"allow":true}"#);
    assert_eq!(decided["requests"].as_array().map(Vec::len), Some(0));
    let mut allowed = polling.join().expect("the phone is told");
    let set = allowed.header("set-cookie").expect("a cookie").to_owned();
    assert!(set.contains("HttpOnly; SameSite=Strict; Path=/"), "{set}");
    assert!(!set.contains("Secure"), "{set}");
    let cookie = cookie(&allowed);
    assert!(allowed.text().contains("\"allowed\""));
    assert_eq!(
        phone.get_json(&asking)["state"],
        "over",
        "the result is returned once"
    );
    computer.expect_status(404, "POST", &said, r#"{"allow":true}"#);

    let phone = phone.with_cookie(&cookie);
    let mut listening = phone.open_events();
    assert_eq!(listening.next().name, "hello");
    assert_eq!(listening.next().name, "snapshot");
    let device = computer.get_json("/v1/pairing")["devices"][0].clone();
    assert_eq!(device["name"], "iPhone, Safari");
    assert_eq!(device["here"], true);
    assert_eq!(device["scope"], "answer");

    let gone = format!("/v1/devices/{}", text(&device, "id"));
    computer.expect_status(204, "DELETE", &gone, "");
    while listening.0.line().is_some() {}
    phone.expect_status(401, "GET", "/v1/asks", "");
    computer.expect_status(404, "DELETE", &gone, "");
    let kept = sandbox.notes("web.session.");
    assert!(
        kept.iter().all(|(_, note)| !note.contains("iPhone")),
        "{kept:?}"
    );
}

#[test]
fn revoking_stops_requests_in_flight() {
    let sandbox = Sandbox::new();
    let id = sandbox.ask(&["Which?"]);
    let answer = format!("/v1/asks/{id}/answer");
    for (method, path) in [("POST", answer.as_str()), ("GET", "/v1/events")] {
        let phone = pair_device(&sandbox, "answer", "iPhone");
        let computer = Web::page(&sandbox);
        let shut_out = || {
            let device = text(&computer.get_json("/v1/pairing")["devices"][0], "id");
            computer.expect_status(204, "DELETE", &format!("/v1/devices/{device}"), "");
        };
        let body = r#"{"answers":["A"]}"#;
        let refused = phone.send_slowly((method, path), body, shut_out);
        assert_eq!(refused.status, 401, "{method} {path}");
    }
    let ask = Web::page(&sandbox).get_json(&format!("/v1/asks/{id}"));
    assert_eq!(ask["state"], "waiting", "{ask}");
}

#[test]
fn a_pairing_request_is_refused_or_expires() {
    let sandbox = Sandbox::with_clock("2026-03-01T10:00:00Z");
    let computer = Web::page(&sandbox);
    let asks = |name: &str| {
        let pairing = invite(&computer, "answer");
        let phone = unpaired_client(&sandbox, &pairing);
        let body = pair_request("secret", &secret(&pairing), name);
        let asked = phone.expect_status(202, "POST", "/v1/pair", &body);
        (phone, asked)
    };
    let (phone, refused) = asks("first");
    let (_, silent) = asks("second");
    assert_ne!(refused["number"], silent["number"]);
    let requests = computer.get_json("/v1/pairing")["requests"].clone();
    assert_eq!(requests.as_array().map(Vec::len), Some(2));
    let said = format!("/v1/pairing/requests/{}", text(&requests[0], "id"));
    computer.post_json(&said, r#"{"allow":false}"#);
    let asking = format!("/v1/pair/{}", text(&refused, "request"));
    assert_eq!(phone.get_json(&asking)["state"], "refused");
    sandbox.set_clock("2026-03-01T10:03:00Z");
    let asking = format!("/v1/pair/{}", text(&silent, "request"));
    assert_eq!(phone.get_json(&asking)["state"], "over");
    let said = format!("/v1/pairing/requests/{}", text(&requests[1], "id"));
    computer.expect_status(404, "POST", &said, r#"{"allow":true}"#);
    assert_eq!(phone.get_json("/v1/pair/nothing")["state"], "over");
    let devices = computer.get_json("/v1/pairing")["devices"].clone();
    assert_eq!(devices.as_array().map(Vec::len), Some(0));
}

#[test]
fn pairing_requests_need_the_own_origin() {
    let sandbox = Sandbox::new();
    let computer = Web::page(&sandbox);
    let pairing = invite(&computer, "see");
    let phone = unpaired_client(&sandbox, &pairing);
    for body in ["{}", "[]", r#"{"name":"x"}"#, "not JSON"] {
        phone.expect_status(400, "POST", "/v1/pair", body);
    }
    let url = text(&pairing, "url");
    let page = phone.with_header("origin", &url);
    let body = pair_request("secret", &secret(&pairing), "  \\u202ephone\\n");
    page.expect_status(202, "POST", "/v1/pair", &body);
    let request = computer.get_json("/v1/pairing")["requests"][0].clone();
    assert_eq!(request["scope"], "see");
    let name = text(&request, "name");
    assert!(
        !name.contains('\u{202e}') && name.contains("phone"),
        "{name}"
    );
    let said = format!("/v1/pairing/requests/{}", text(&request, "id"));
    computer.expect_status(400, "POST", &said, r#"{"allow":"yes"}"#);
    computer.expect_status(400, "POST", &said, r#"{"allow":true,"scope":"all"}"#);
    computer.post_json(&said, r#"{"allow":true,"scope":"answer"}"#);
}

#[test]
fn a_device_session_expires() {
    let sandbox = Sandbox::with_clock("2026-03-01T10:00:00Z");
    let computer = Web::page(&sandbox);
    let body = format!(r#"{{"address":"{ADDRESS}","forMs":null}}"#);
    assert!(
        computer
            .post_json("/v1/pairing", &body)
            .get("until")
            .is_none()
    );
    let phone = pair_device(&sandbox, "answer", "iPhone");
    let pairing = computer.post_json("/v1/pairing", &body);
    assert!(pairing.get("until").is_none(), "{pairing}");
    let mut listening = phone.open_events();
    sandbox.set_clock("2026-03-31T09:59:59Z");
    phone.get_json("/v1/asks");
    let seen = text(
        &Web::page(&sandbox).get_json("/v1/pairing")["devices"][0],
        "lastSeen",
    );
    assert!(seen.starts_with("2026-03-31T09:59:59"), "{seen}");
    Hub::connect(&sandbox).set_clock("2026-03-31T10:00:00Z");
    while listening.0.line().is_some() {}
    phone.expect_status(401, "GET", "/v1/asks", "");
    let devices = Web::page(&sandbox).get_json("/v1/pairing")["devices"].clone();
    assert_eq!(devices.as_array().map(Vec::len), Some(0));
}
