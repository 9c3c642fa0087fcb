//! The listener for devices: one address, for a limited time, restored after the hub was killed,
//! and closed at once.

use std::net::TcpStream;

use rustix::process::Signal;

use crate::support::hub::{Hub, address, send_signal};
use crate::support::phone::{ADDRESS, invite, pair_device, pair_request, secret, unpaired_client};
use crate::support::sandbox::Sandbox;
use crate::support::text;
use crate::support::web::{Web, cookie, key, kind};

fn authority(pairing: &ask_core::Json) -> String {
    let url = text(pairing, "url");
    url.split_once("://").expect("a URL").1.to_owned()
}

#[test]
fn the_device_listener_opens_and_closes_on_command() {
    let sandbox = Sandbox::new();
    let computer = Web::page(&sandbox);
    let port = address(&sandbox).and_then(|address| address.http);
    let port = port.expect("the hub serves HTTP").port;
    assert!(TcpStream::connect((ADDRESS, port)).is_err());
    assert_eq!(computer.get_json("/v1/pairing")["on"], false);

    let pairing = invite(&computer, "answer");
    assert_eq!(
        authority(&pairing),
        format!("{ADDRESS}:{port}"),
        "the same port"
    );
    let phone = pair_device(&sandbox, "answer", "iPhone");
    let mut listening = phone.open_events();
    let pairing = invite(&computer, "answer");
    let waiting = unpaired_client(&sandbox, &pairing);
    let body = pair_request("secret", &secret(&pairing), "second");
    let asked = waiting.expect_status(202, "POST", "/v1/pair", &body);

    computer.expect_status(204, "DELETE", "/v1/pairing", "");
    assert!(TcpStream::connect((ADDRESS, port)).is_err(), "it is closed");
    while listening.0.line().is_some() {}
    let off = computer.get_json("/v1/pairing");
    assert_eq!(off["on"], false);
    assert!(off.get("invitation").is_none() && off.get("url").is_none());
    assert_eq!(off["devices"][0]["name"], "iPhone", "it stays in the list");

    invite(&computer, "answer");
    phone.get_json("/v1/asks");
    let asking = format!("/v1/pair/{}", text(&asked, "request"));
    assert_eq!(waiting.get_json(&asking)["state"], "over");
}

#[test]
fn the_device_listener_survives_a_kill_and_expires() {
    let sandbox = Sandbox::with_clock("2026-03-01T10:00:00Z");
    let phone = pair_device(&sandbox, "answer", "iPhone");
    let waiting = invite(&Web::page(&sandbox), "answer");
    let waiter = unpaired_client(&sandbox, &waiting);
    let body = pair_request("secret", &secret(&waiting), "iPad");
    let asked = waiter.expect_status(202, "POST", "/v1/pair", &body);
    let before = Web::page(&sandbox).get_json("/v1/pairing");
    assert_eq!(sandbox.notes("web.pairing").len(), 1);
    send_signal(address(&sandbox).expect("a hub runs").pid, Signal::KILL);
    Hub::start(&sandbox);
    let computer = Web::page(&sandbox);
    let again = computer.get_json("/v1/pairing");
    assert_eq!(again["on"], true);
    assert_eq!(again["url"], before["url"]);
    assert_eq!(again["until"], before["until"]);
    assert!(
        again.get("invitation").is_none(),
        "no invitation outlives its hub"
    );
    phone.get_json("/v1/asks");
    let asking = format!("/v1/pair/{}", text(&asked, "request"));
    assert_eq!(
        waiter.get_json(&asking)["state"],
        "anew",
        "it asks once more"
    );

    let mut told = computer.open_events();
    told.receive("pairing");
    Hub::connect(&sandbox).set_clock("2026-03-01T11:00:00Z");
    while told.receive("pairing").data["on"] == true {}
    // Signing in is stored after that.
    Web::page(&sandbox);
    assert!(sandbox.notes("web.pairing").is_empty());
    let place = authority(&before);
    assert!(TcpStream::connect(&place).is_err(), "{place}");
    send_signal(address(&sandbox).expect("a hub runs").pid, Signal::KILL);
    Hub::start(&sandbox);
    assert_eq!(Web::page(&sandbox).get_json("/v1/pairing")["on"], false);
}

#[test]
fn expired_pairing_refuses_devices_before_the_timer() {
    let sandbox = Sandbox::with_clock("2026-03-01T10:00:00Z");
    let phone = pair_device(&sandbox, "answer", "iPhone");
    sandbox.set_clock("2026-03-01T10:59:59Z");
    phone.get_json("/v1/asks");
    // As after a suspend of the machine, during which timers stop.
    sandbox.set_clock("2026-03-01T11:00:00Z");
    let refused = phone.expect_status(403, "GET", "/v1/asks", "");
    assert_eq!(kind(&refused), "devices-off");
}

#[test]
fn the_device_listener_waits_for_its_address() {
    let sandbox = Sandbox::with_clock("2026-03-01T10:00:00Z");
    let phone = pair_device(&sandbox, "answer", "iPhone");
    let before = Web::page(&sandbox).get_json("/v1/pairing");
    let file = sandbox.home().join("away");
    std::fs::write(&file, "").expect("a writable home");
    let running = Web::page(&sandbox).get_json("/v1/pairing");
    let gone = format!("{ADDRESS} is not an address of this machine");
    assert!(text(&running, "remark").starts_with(&gone), "{running}");
    let killed = || send_signal(address(&sandbox).expect("a hub runs").pid, Signal::KILL);
    killed();
    Hub::start(&sandbox);
    let place = authority(&before);
    let computer = Web::page(&sandbox);
    let away = computer.get_json("/v1/pairing");
    for field in ["on", "until", "url"] {
        assert_eq!(away[field], before[field], "{field}: {away}");
    }
    assert!(text(&away, "remark").starts_with(&gone), "{away}");
    assert!(TcpStream::connect(&place).is_err(), "{place}");
    let listed = sandbox.run_ok(&["pair", "--devices"]);
    assert!(listed.contains(&format!("Note: {gone}")), "{listed}");
    let doctor = sandbox.run(&["doctor"]);
    let said = String::from_utf8_lossy(&doctor.stdout).into_owned();
    assert!(said.contains(&gone), "{said}");

    let mut told = computer.open_events();
    told.receive("pairing");
    Hub::connect(&sandbox).set_clock("2026-03-01T10:00:10Z");
    assert!(TcpStream::connect(&place).is_err(), "{place}");
    std::fs::remove_file(&file).expect("an existing file");
    Hub::connect(&sandbox).set_clock("2026-03-01T10:00:20Z");
    while told.receive("pairing").data.get("remark").is_some() {}
    phone.get_json("/v1/asks");

    std::fs::write(&file, "").expect("a writable home");
    killed();
    Hub::start(&sandbox);
    let computer = Web::page(&sandbox);
    let mut told = computer.open_events();
    assert_eq!(told.receive("pairing").data["on"], true);
    Hub::connect(&sandbox).set_clock("2026-03-01T11:00:00Z");
    while told.receive("pairing").data["on"] == true {}
    // Signing in is stored after that.
    Web::page(&sandbox);
    let kept = sandbox.notes("web.pairing");
    assert!(kept.is_empty(), "its hour is over: {kept:?}");
}

#[test]
fn pairing_files_of_an_earlier_version_are_migrated() {
    let sandbox = Sandbox::new();
    let phone = pair_device(&sandbox, "answer", "iPhone");
    let signed = Web::anonymous(&sandbox).sign_in(&key(&sandbox));
    let cookie = cookie(&signed);
    let before = Web::page(&sandbox).get_json("/v1/pairing");
    let kill = || send_signal(address(&sandbox).expect("a hub runs").pid, Signal::KILL);
    kill();
    let lines = |notes: Vec<(String, String)>| -> String {
        notes.iter().map(|(_, note)| format!("{note}\n")).collect()
    };
    let files = [("sessions", "web.session."), ("pairing", "web.pairing")];
    for (name, begins) in files {
        let kept = lines(sandbox.notes(begins));
        std::fs::write(sandbox.home().join(name), kept).expect("a writable home");
    }
    sandbox.forget_notes("web.");
    assert!(sandbox.notes("web.").is_empty());
    for _ in 0..2 {
        Hub::start(&sandbox);
        let page = Web::anonymous(&sandbox).with_cookie(&cookie);
        let again = page.get_json("/v1/pairing");
        assert_eq!(
            (&again["on"], &again["url"]),
            (&before["on"], &before["url"])
        );
        phone.get_json("/v1/asks");
        for (name, begins) in files {
            assert!(!sandbox.home().join(name).exists(), "{name}");
            assert!(!sandbox.notes(begins).is_empty(), "{name}");
        }
        kill();
    }
}

#[test]
fn a_taken_device_port_is_replaced_and_reported() {
    let sandbox = Sandbox::new();
    let computer = Web::page(&sandbox);
    let port = address(&sandbox).and_then(|address| address.http);
    let port = port.expect("the hub serves HTTP").port;
    let _taken = std::net::TcpListener::bind((ADDRESS, port)).expect("the port is free");
    let pairing = invite(&computer, "answer");
    let remark = text(&pairing, "remark");
    assert!(
        remark.contains(&format!("port {port} is taken")),
        "{remark}"
    );
    assert_ne!(authority(&pairing), format!("{ADDRESS}:{port}"));
    unpaired_client(&sandbox, &pairing).expect_status(400, "POST", "/v1/pair", "{}");
}

#[test]
fn the_device_address_must_be_of_this_machine() {
    let sandbox = Sandbox::new();
    let computer = Web::page(&sandbox);
    for address in ["0.0.0.0", "8.8.8.8", "::", "desk.local", ""] {
        let body = format!(r#"{{"address":"{address}","forMs":3600000}}"#);
        let refused = computer.expect_status(409, "POST", "/v1/pairing", &body);
        assert_eq!(kind(&refused), "pairing-unavailable", "{address}");
        assert!(text(&refused, "detail").contains("not an address of this machine"));
    }
    for body in [r#"{"forMs":0}"#, r#"{"forMs":"1h"}"#, r#"{"scope":"all"}"#] {
        computer.expect_status(400, "POST", "/v1/pairing", body);
    }
    assert_eq!(computer.get_json("/v1/pairing")["on"], false);
    let listed = computer.get_json("/v1/pairing")["addresses"].clone();
    let listed = listed.as_array().expect("an array");
    assert!(listed.iter().all(|one| text(one, "address") != "127.0.0.1"));
}

#[test]
fn the_state_of_pairing_is_reported() {
    let sandbox = Sandbox::with_clock("2026-03-01T10:00:00Z");
    let said = sandbox.run_ok(&["pair", "--devices"]);
    assert!(
        said.contains("and none can come: `ask-user pair`"),
        "{said}"
    );
    let for_a_minute = ["pair", "--json", "--address", ADDRESS, "--for", "1m"];
    let pairing = crate::support::json(&sandbox.run_ok(&for_a_minute));
    let until = text(&pairing, "until");
    assert_eq!(text(&pairing["invitation"], "until"), until);
    let said = sandbox.run_ok(&["pair", "--devices"]);
    let url = text(&pairing, "url");
    assert!(
        said.contains(&format!("Devices may come to {url} until")),
        "{said}"
    );
    assert!(said.contains("; one is invited until"), "{said}");
    assert!(said.contains("No device was let in.\n"), "{said}");
    let body = pair_request("secret", &secret(&pairing), "iPhone");
    let asked = unpaired_client(&sandbox, &pairing).expect_status(202, "POST", "/v1/pair", &body);
    assert_eq!(text(&asked, "until"), until);
    let said = sandbox.run_ok(&["pair", "--devices"]);
    assert!(
        said.contains("\n\"iPhone\" at 127.0.0.1 waits for your yes until 10:01: "),
        "{said}"
    );
}
