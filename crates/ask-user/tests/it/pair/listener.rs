//! The listener for devices: one address, for a limited time, restored after the hub was killed,
//! and closed at once.

use std::net::TcpStream;

use rustix::process::Signal;

use crate::support::hub::{Hub, address, send_signal};
use crate::support::phone::{ADDRESS, invited, let_in, secret, shows, stranger};
use crate::support::sandbox::Sandbox;
use crate::support::text;
use crate::support::web::{Web, cookie, key, kind};

fn authority(pairing: &ask_core::Json) -> String {
    let url = text(pairing, "url");
    url.split_once("://").expect("a URL").1.to_owned()
}

#[test]
fn nobody_is_listened_to_until_the_person_says_so_and_off_is_at_once() {
    let sandbox = Sandbox::new();
    let computer = Web::page(&sandbox);
    let port = address(&sandbox).and_then(|address| address.http);
    let port = port.expect("the hub serves HTTP").port;
    assert!(TcpStream::connect((ADDRESS, port)).is_err());
    assert_eq!(computer.gets("/v1/pairing")["on"], false);

    let pairing = invited(&computer, "answer");
    assert_eq!(
        authority(&pairing),
        format!("{ADDRESS}:{port}"),
        "the same port"
    );
    let phone = let_in(&sandbox, "answer", "iPhone");
    let mut listening = phone.listens();
    let pairing = invited(&computer, "answer");
    let waiting = stranger(&sandbox, &pairing);
    let body = shows("secret", &secret(&pairing), "second");
    let asked = waiting.says(202, "POST", "/v1/pair", &body);

    computer.says(204, "DELETE", "/v1/pairing", "");
    assert!(TcpStream::connect((ADDRESS, port)).is_err(), "it is closed");
    while listening.0.line().is_some() {}
    let off = computer.gets("/v1/pairing");
    assert_eq!(off["on"], false);
    assert!(off.get("invitation").is_none() && off.get("url").is_none());
    assert_eq!(off["devices"][0]["name"], "iPhone", "it stays in the list");

    invited(&computer, "answer");
    phone.gets("/v1/asks");
    let asking = format!("/v1/pair/{}", text(&asked, "request"));
    assert_eq!(waiting.gets(&asking)["state"], "over");
}

#[test]
fn it_goes_on_after_the_hub_was_killed_and_ends_with_its_time() {
    let sandbox = Sandbox::at("2026-03-01T10:00:00Z");
    let phone = let_in(&sandbox, "answer", "iPhone");
    let waiting = invited(&Web::page(&sandbox), "answer");
    let waiter = stranger(&sandbox, &waiting);
    let body = shows("secret", &secret(&waiting), "iPad");
    let asked = waiter.says(202, "POST", "/v1/pair", &body);
    let before = Web::page(&sandbox).gets("/v1/pairing");
    assert_eq!(sandbox.notes("web.pairing").len(), 1);
    send_signal(address(&sandbox).expect("a hub runs").pid, Signal::KILL);
    Hub::started(&sandbox);
    let computer = Web::page(&sandbox);
    let again = computer.gets("/v1/pairing");
    assert_eq!(again["on"], true);
    assert_eq!(again["url"], before["url"]);
    assert_eq!(again["until"], before["until"]);
    assert!(
        again.get("invitation").is_none(),
        "no invitation outlives its hub"
    );
    phone.gets("/v1/asks");
    let asking = format!("/v1/pair/{}", text(&asked, "request"));
    assert_eq!(waiter.gets(&asking)["state"], "anew", "it asks once more");

    let mut told = computer.listens();
    told.hears("pairing");
    Hub::of(&sandbox).clock("2026-03-01T11:00:00Z");
    while told.hears("pairing").data["on"] == true {}
    // Signing in is stored after that.
    Web::page(&sandbox);
    assert!(sandbox.notes("web.pairing").is_empty());
    let place = authority(&before);
    assert!(TcpStream::connect(&place).is_err(), "{place}");
    send_signal(address(&sandbox).expect("a hub runs").pid, Signal::KILL);
    Hub::started(&sandbox);
    assert_eq!(Web::page(&sandbox).gets("/v1/pairing")["on"], false);
}

#[test]
fn nobody_comes_once_the_time_is_over_also_where_no_timer_has_noticed() {
    let sandbox = Sandbox::at("2026-03-01T10:00:00Z");
    let phone = let_in(&sandbox, "answer", "iPhone");
    sandbox.set_clock("2026-03-01T10:59:59Z");
    phone.gets("/v1/asks");
    // As after a suspend of the machine, during which timers stop.
    sandbox.set_clock("2026-03-01T11:00:00Z");
    let refused = phone.says(403, "GET", "/v1/asks", "");
    assert_eq!(kind(&refused), "devices-off");
}

#[test]
fn it_waits_for_its_address_while_the_network_is_away() {
    let sandbox = Sandbox::at("2026-03-01T10:00:00Z");
    let phone = let_in(&sandbox, "answer", "iPhone");
    let before = Web::page(&sandbox).gets("/v1/pairing");
    let file = sandbox.home().join("away");
    std::fs::write(&file, "").expect("a writable home");
    let running = Web::page(&sandbox).gets("/v1/pairing");
    let gone = format!("{ADDRESS} is not an address of this machine");
    assert!(text(&running, "remark").starts_with(&gone), "{running}");
    let killed = || send_signal(address(&sandbox).expect("a hub runs").pid, Signal::KILL);
    killed();
    Hub::started(&sandbox);
    let place = authority(&before);
    let computer = Web::page(&sandbox);
    let away = computer.gets("/v1/pairing");
    for field in ["on", "until", "url"] {
        assert_eq!(away[field], before[field], "{field}: {away}");
    }
    assert!(text(&away, "remark").starts_with(&gone), "{away}");
    assert!(TcpStream::connect(&place).is_err(), "{place}");
    let listed = sandbox.done(&["pair", "--devices"]);
    assert!(listed.contains(&format!("Note: {gone}")), "{listed}");
    let doctor = sandbox.run(&["doctor"]);
    let said = String::from_utf8_lossy(&doctor.stdout).into_owned();
    assert!(said.contains(&gone), "{said}");

    let mut told = computer.listens();
    told.hears("pairing");
    Hub::of(&sandbox).clock("2026-03-01T10:00:10Z");
    assert!(TcpStream::connect(&place).is_err(), "{place}");
    std::fs::remove_file(&file).expect("an existing file");
    Hub::of(&sandbox).clock("2026-03-01T10:00:20Z");
    while told.hears("pairing").data.get("remark").is_some() {}
    phone.gets("/v1/asks");

    std::fs::write(&file, "").expect("a writable home");
    killed();
    Hub::started(&sandbox);
    let computer = Web::page(&sandbox);
    let mut told = computer.listens();
    assert_eq!(told.hears("pairing").data["on"], true);
    Hub::of(&sandbox).clock("2026-03-01T11:00:00Z");
    while told.hears("pairing").data["on"] == true {}
    // Signing in is stored after that.
    Web::page(&sandbox);
    let kept = sandbox.notes("web.pairing");
    assert!(kept.is_empty(), "its hour is over: {kept:?}");
}

#[test]
fn what_an_earlier_version_kept_in_files_goes_on() {
    let sandbox = Sandbox::new();
    let phone = let_in(&sandbox, "answer", "iPhone");
    let signed = Web::of(&sandbox).sign_in(&key(&sandbox));
    let cookie = cookie(&signed);
    let before = Web::page(&sandbox).gets("/v1/pairing");
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
        Hub::started(&sandbox);
        let page = Web::of(&sandbox).with_cookie(&cookie);
        let again = page.gets("/v1/pairing");
        assert_eq!(
            (&again["on"], &again["url"]),
            (&before["on"], &before["url"])
        );
        phone.gets("/v1/asks");
        for (name, begins) in files {
            assert!(!sandbox.home().join(name).exists(), "{name}");
            assert!(!sandbox.notes(begins).is_empty(), "{name}");
        }
        kill();
    }
}

#[test]
fn a_port_that_is_taken_gives_way_to_another_and_it_is_said() {
    let sandbox = Sandbox::new();
    let computer = Web::page(&sandbox);
    let port = address(&sandbox).and_then(|address| address.http);
    let port = port.expect("the hub serves HTTP").port;
    let _taken = std::net::TcpListener::bind((ADDRESS, port)).expect("the port is free");
    let pairing = invited(&computer, "answer");
    let remark = text(&pairing, "remark");
    assert!(
        remark.contains(&format!("port {port} is taken")),
        "{remark}"
    );
    assert_ne!(authority(&pairing), format!("{ADDRESS}:{port}"));
    stranger(&sandbox, &pairing).says(400, "POST", "/v1/pair", "{}");
}

#[test]
fn only_an_address_of_this_machine_can_be_chosen() {
    let sandbox = Sandbox::new();
    let computer = Web::page(&sandbox);
    for address in ["0.0.0.0", "8.8.8.8", "::", "desk.local", ""] {
        let body = format!(r#"{{"address":"{address}","forMs":3600000}}"#);
        let refused = computer.says(409, "POST", "/v1/pairing", &body);
        assert_eq!(kind(&refused), "pairing-unavailable", "{address}");
        assert!(text(&refused, "detail").contains("not an address of this machine"));
    }
    for body in [r#"{"forMs":0}"#, r#"{"forMs":"1h"}"#, r#"{"scope":"all"}"#] {
        computer.says(400, "POST", "/v1/pairing", body);
    }
    assert_eq!(computer.gets("/v1/pairing")["on"], false);
    let listed = computer.gets("/v1/pairing")["addresses"].clone();
    let listed = listed.as_array().expect("an array");
    assert!(listed.iter().all(|one| text(one, "address") != "127.0.0.1"));
}

#[test]
fn whoever_looks_is_told_whether_devices_may_come_and_nothing_outlives_that() {
    let sandbox = Sandbox::at("2026-03-01T10:00:00Z");
    let said = sandbox.done(&["pair", "--devices"]);
    assert!(
        said.contains("and none can come: `ask-user pair`"),
        "{said}"
    );
    let for_a_minute = ["pair", "--json", "--address", ADDRESS, "--for", "1m"];
    let pairing = crate::support::json(&sandbox.done(&for_a_minute));
    let until = text(&pairing, "until");
    assert_eq!(text(&pairing["invitation"], "until"), until);
    let said = sandbox.done(&["pair", "--devices"]);
    let url = text(&pairing, "url");
    assert!(
        said.contains(&format!("Devices may come to {url} until")),
        "{said}"
    );
    assert!(said.contains("; one is invited until"), "{said}");
    assert!(said.contains("No device was let in.\n"), "{said}");
    let body = shows("secret", &secret(&pairing), "iPhone");
    let asked = stranger(&sandbox, &pairing).says(202, "POST", "/v1/pair", &body);
    assert_eq!(text(&asked, "until"), until);
    let said = sandbox.done(&["pair", "--devices"]);
    assert!(
        said.contains("\n\"iPhone\" at 127.0.0.1 waits for your yes until 10:01: "),
        "{said}"
    );
}
