//! A certificate named on the command line is used until the person turns it off, and HTTPS never
//! becomes plain HTTP.

use std::net::TcpStream;

use ask_core::Json;
use rustix::process::Signal;

use super::https::device_address;
use crate::support::authority::Authority;
use crate::support::hub::{Hub, address, send_signal};
use crate::support::phone::{ADDRESS, invite, pair_device};
use crate::support::sandbox::Sandbox;
use crate::support::web::Web;
use crate::support::{json, text};

/// Runs `ask-user pair` with these arguments; returns its JSON.
fn run_pair_json(sandbox: &Sandbox, more: &[&str]) -> Json {
    let words = [&["pair", "--json", "--address", ADDRESS], more].concat();
    json(&sandbox.run_ok(&words))
}

#[test]
fn a_named_certificate_outlives_pairing_and_the_hub() {
    let sandbox = Sandbox::with_clock("2026-03-01T10:00:00Z");
    let authority = Authority::new();
    let (cert, key) = authority.issue(sandbox.home(), &["desk.lan", ADDRESS]);
    let (cert, key) = (cert.display().to_string(), key.display().to_string());
    let files = ["--for", "1h", "--tls-cert", &cert, "--tls-key", &key];
    let first = run_pair_json(&sandbox, &files);
    let url = text(&first, "url");
    assert!(url.starts_with("https://127.0.0.2:"), "{url}");
    let computer = Web::page(&sandbox);
    let mut told = computer.open_events();
    told.receive("pairing");
    Hub::connect(&sandbox).set_clock("2026-03-01T11:00:00Z");
    while told.receive("pairing").data["on"] == true {}
    assert!(
        TcpStream::connect(device_address(&first)).is_err(),
        "it is closed"
    );
    let off = computer.get_json("/v1/pairing");
    assert_eq!(off["encrypted"], true, "it would be");
    let again = run_pair_json(&sandbox, &["--for", "1h"]);
    assert_eq!(text(&again, "url"), url);
    authority
        .trust_for(ADDRESS)
        .presented_certificate(&device_address(&again))
        .expect("a trusted certificate");

    Hub::connect(&sandbox).set_clock("2026-03-01T12:00:00Z");
    while told.receive("pairing").data["on"] == true {}
    // Signing in is stored after that.
    Web::page(&sandbox);
    for _ in 0..2 {
        send_signal(address(&sandbox).expect("a hub runs").pid, Signal::KILL);
        Hub::start(&sandbox);
    }
    assert_eq!(Web::page(&sandbox).get_json("/v1/pairing")["on"], false);
    let next = run_pair_json(&sandbox, &["--for", "1h"]);
    assert!(text(&next, "url").starts_with("https://"), "{next}");

    sandbox.run_ok(&["pair", "--off"]);
    let plain = run_pair_json(&sandbox, &[]);
    assert!(text(&plain, "url").starts_with("http://"), "{plain}");
}

#[test]
fn a_missing_named_certificate_is_reported_with_a_fix() {
    let sandbox = Sandbox::with_clock("2026-03-01T10:00:00Z");
    let (cert, key) = Authority::new().issue(sandbox.home(), &[ADDRESS]);
    let (file, key) = (cert.display().to_string(), key.display().to_string());
    let files = ["--for", "1h", "--tls-cert", &file, "--tls-key", &key];
    run_pair_json(&sandbox, &files);
    std::fs::remove_file(&cert).expect("an existing file");
    send_signal(address(&sandbox).expect("a hub runs").pid, Signal::KILL);
    Hub::start(&sandbox);
    let refused = sandbox.run(&["pair", "--address", ADDRESS]);
    assert_eq!(refused.status.code(), Some(1));
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(
        said.contains("doesn't exist")
            && said.contains("stays in effect until `ask-user pair --off`"),
        "{said}"
    );
}

#[test]
fn failed_https_never_falls_back_to_http() {
    let sandbox = Sandbox::new();
    let phone = pair_device(&sandbox, "answer", "iPhone");
    let plain = invite(&Web::page(&sandbox), "answer");
    phone.get_json("/v1/asks");
    let wrong = ["--tls-cert", "nope.pem", "--tls-key", "nope-key.pem"];
    let refuse = || {
        let out = sandbox.run(&[&["pair", "--address", ADDRESS], &wrong[..]].concat());
        assert_eq!(out.status.code(), Some(1));
        String::from_utf8_lossy(&out.stderr).into_owned()
    };
    let said = refuse();
    for part in ["doesn't exist", "Plain HTTP was turned off too"] {
        assert!(said.contains(part), "{said}");
    }
    assert!(
        TcpStream::connect(device_address(&plain)).is_err(),
        "it is closed"
    );
    let off = Web::page(&sandbox).get_json("/v1/pairing");
    assert_eq!(off["on"], false, "{off}");
    assert_eq!(off["devices"][0]["name"], "iPhone", "it stays in the list");
    assert!(!refuse().contains("Plain HTTP"), "nothing was on");

    let authority = Authority::new();
    let (cert, key) = authority.issue(sandbox.home(), &[ADDRESS]);
    let (cert, key) = (cert.display().to_string(), key.display().to_string());
    let encrypted = run_pair_json(&sandbox, &["--tls-cert", &cert, "--tls-key", &key]);
    let said = refuse();
    let url = text(&encrypted, "url");
    let goes_on = format!("Devices still connect to {url}: `ask-user pair --off` turns that off");
    assert!(said.contains(&goes_on), "{said}");
    authority
        .trust_for(ADDRESS)
        .presented_certificate(&device_address(&encrypted))
        .expect("the certificate is served");
}
