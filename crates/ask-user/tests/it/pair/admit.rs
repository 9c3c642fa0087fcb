//! How a device is paired: by a link or a code, and by the person's confirmation of its number.

use crate::support::hub::Hub;
use crate::support::phone::{ADDRESS, invited, let_in, secret, shows, stranger};
use crate::support::sandbox::Sandbox;
use crate::support::text;
use crate::support::web::{Web, cookie, kind};

#[test]
fn a_phone_comes_in_by_its_link_and_the_persons_yes() {
    let sandbox = Sandbox::new();
    let computer = Web::page(&sandbox);
    let mut told = computer.listens();
    let first = told.hears("pairing");
    assert_eq!(first.data["on"], false);
    let pairing = invited(&computer, "answer");
    let invitation = &pairing["invitation"];
    let size = invitation["svg"]["size"].as_u64().expect("a drawing");
    assert!(size > 20 && text(&invitation["svg"], "path").starts_with('M'));
    let shown = told.hears("pairing").data;
    assert_eq!(text(&shown["invitation"], "code").len(), 6);
    assert_eq!(shown["invitation"]["svg"], ask_core::Json::Null);

    let phone = stranger(&sandbox, &pairing);
    let body = shows("secret", &secret(&pairing), "iPhone, Safari");
    let asked = phone.says(202, "POST", "/v1/pair", &body);
    let again = phone.says(401, "POST", "/v1/pair", &body);
    assert_eq!(kind(&again), "wrong-key", "one invitation lets one ask");
    let told_of = told.hears("pairing").data;
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
    let decided = computer.posts(&said, r#"{"allow":true}"#);
    assert_eq!(decided["requests"].as_array().map(Vec::len), Some(0));
    let mut allowed = polling.join().expect("the phone is told");
    let set = allowed.header("set-cookie").expect("a cookie").to_owned();
    assert!(set.contains("HttpOnly; SameSite=Strict; Path=/"), "{set}");
    assert!(!set.contains("Secure"), "{set}");
    let cookie = cookie(&allowed);
    assert!(allowed.text().contains("\"allowed\""));
    assert_eq!(
        phone.gets(&asking)["state"],
        "over",
        "the result is returned once"
    );
    computer.says(404, "POST", &said, r#"{"allow":true}"#);

    let phone = phone.with_cookie(&cookie);
    let mut listening = phone.listens();
    assert_eq!(listening.next().name, "hello");
    assert_eq!(listening.next().name, "snapshot");
    let device = computer.gets("/v1/pairing")["devices"][0].clone();
    assert_eq!(device["name"], "iPhone, Safari");
    assert_eq!(device["here"], true);
    assert_eq!(device["scope"], "answer");

    let gone = format!("/v1/devices/{}", text(&device, "id"));
    computer.says(204, "DELETE", &gone, "");
    while listening.0.line().is_some() {}
    phone.says(401, "GET", "/v1/asks", "");
    computer.says(404, "DELETE", &gone, "");
    let kept = sandbox.notes("web.session.");
    assert!(
        kept.iter().all(|(_, note)| !note.contains("iPhone")),
        "{kept:?}"
    );
}

#[test]
fn whoever_is_shut_out_while_a_request_is_on_its_way_comes_too_late() {
    let sandbox = Sandbox::new();
    let id = sandbox.asks(&["Which?"]);
    let answer = format!("/v1/asks/{id}/answer");
    for (method, path) in [("POST", answer.as_str()), ("GET", "/v1/events")] {
        let phone = let_in(&sandbox, "answer", "iPhone");
        let computer = Web::page(&sandbox);
        let shut_out = || {
            let device = text(&computer.gets("/v1/pairing")["devices"][0], "id");
            computer.says(204, "DELETE", &format!("/v1/devices/{device}"), "");
        };
        let body = r#"{"answers":["A"]}"#;
        let refused = phone.sends_slowly((method, path), body, shut_out);
        assert_eq!(refused.status, 401, "{method} {path}");
    }
    let ask = Web::page(&sandbox).gets(&format!("/v1/asks/{id}"));
    assert_eq!(ask["state"], "waiting", "{ask}");
}

#[test]
fn no_means_no_and_silence_ends() {
    let sandbox = Sandbox::at("2026-03-01T10:00:00Z");
    let computer = Web::page(&sandbox);
    let asks = |name: &str| {
        let pairing = invited(&computer, "answer");
        let phone = stranger(&sandbox, &pairing);
        let body = shows("secret", &secret(&pairing), name);
        let asked = phone.says(202, "POST", "/v1/pair", &body);
        (phone, asked)
    };
    let (phone, refused) = asks("first");
    let (_, silent) = asks("second");
    assert_ne!(refused["number"], silent["number"]);
    let requests = computer.gets("/v1/pairing")["requests"].clone();
    assert_eq!(requests.as_array().map(Vec::len), Some(2));
    let said = format!("/v1/pairing/requests/{}", text(&requests[0], "id"));
    computer.posts(&said, r#"{"allow":false}"#);
    let asking = format!("/v1/pair/{}", text(&refused, "request"));
    assert_eq!(phone.gets(&asking)["state"], "refused");
    sandbox.set_clock("2026-03-01T10:03:00Z");
    let asking = format!("/v1/pair/{}", text(&silent, "request"));
    assert_eq!(phone.gets(&asking)["state"], "over");
    let said = format!("/v1/pairing/requests/{}", text(&requests[1], "id"));
    computer.says(404, "POST", &said, r#"{"allow":true}"#);
    assert_eq!(phone.gets("/v1/pair/nothing")["state"], "over");
    let devices = computer.gets("/v1/pairing")["devices"].clone();
    assert_eq!(devices.as_array().map(Vec::len), Some(0));
}

#[test]
fn only_the_page_of_its_own_address_asks_to_be_let_in() {
    let sandbox = Sandbox::new();
    let computer = Web::page(&sandbox);
    let pairing = invited(&computer, "see");
    let phone = stranger(&sandbox, &pairing);
    for body in ["{}", "[]", r#"{"name":"x"}"#, "not JSON"] {
        phone.says(400, "POST", "/v1/pair", body);
    }
    let url = text(&pairing, "url");
    let page = phone.with("origin", &url);
    let body = shows("secret", &secret(&pairing), "  \\u202ephone\\n");
    page.says(202, "POST", "/v1/pair", &body);
    let request = computer.gets("/v1/pairing")["requests"][0].clone();
    assert_eq!(request["scope"], "see");
    let name = text(&request, "name");
    assert!(
        !name.contains('\u{202e}') && name.contains("phone"),
        "{name}"
    );
    let said = format!("/v1/pairing/requests/{}", text(&request, "id"));
    computer.says(400, "POST", &said, r#"{"allow":"yes"}"#);
    computer.says(400, "POST", &said, r#"{"allow":true,"scope":"all"}"#);
    computer.posts(&said, r#"{"allow":true,"scope":"answer"}"#);
}

#[test]
fn a_device_is_shut_out_when_its_time_is_over() {
    let sandbox = Sandbox::at("2026-03-01T10:00:00Z");
    let computer = Web::page(&sandbox);
    let body = format!(r#"{{"address":"{ADDRESS}","forMs":null}}"#);
    assert!(computer.posts("/v1/pairing", &body).get("until").is_none());
    let phone = let_in(&sandbox, "answer", "iPhone");
    let pairing = computer.posts("/v1/pairing", &body);
    assert!(pairing.get("until").is_none(), "{pairing}");
    let mut listening = phone.listens();
    sandbox.set_clock("2026-03-31T09:59:59Z");
    phone.gets("/v1/asks");
    let seen = text(
        &Web::page(&sandbox).gets("/v1/pairing")["devices"][0],
        "lastSeen",
    );
    assert!(seen.starts_with("2026-03-31T09:59:59"), "{seen}");
    Hub::of(&sandbox).clock("2026-03-31T10:00:00Z");
    while listening.0.line().is_some() {}
    phone.says(401, "GET", "/v1/asks", "");
    let devices = Web::page(&sandbox).gets("/v1/pairing")["devices"].clone();
    assert_eq!(devices.as_array().map(Vec::len), Some(0));
}
