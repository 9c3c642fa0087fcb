//! A certificate named on the command line is used until the person turns it off, and HTTPS never
//! becomes plain HTTP.

use std::net::TcpStream;

use ask_core::Json;
use rustix::process::Signal;

use super::https::place;
use crate::support::authority::Authority;
use crate::support::hub::{Hub, address, send_signal};
use crate::support::phone::{ADDRESS, invited, let_in};
use crate::support::sandbox::Sandbox;
use crate::support::web::Web;
use crate::support::{json, text};

/// Runs `ask-user pair` with these arguments; returns its JSON.
fn paired(sandbox: &Sandbox, more: &[&str]) -> Json {
    let words = [&["pair", "--json", "--address", ADDRESS], more].concat();
    json(&sandbox.done(&words))
}

#[test]
fn it_holds_when_the_time_is_over_and_for_the_hub_after_that() {
    let sandbox = Sandbox::at("2026-03-01T10:00:00Z");
    let authority = Authority::new();
    let (cert, key) = authority.certifies(sandbox.home(), &["desk.lan", ADDRESS]);
    let (cert, key) = (cert.display().to_string(), key.display().to_string());
    let files = ["--for", "1h", "--tls-cert", &cert, "--tls-key", &key];
    let first = paired(&sandbox, &files);
    let url = text(&first, "url");
    assert!(url.starts_with("https://127.0.0.2:"), "{url}");
    let computer = Web::page(&sandbox);
    let mut told = computer.listens();
    told.hears("pairing");
    Hub::of(&sandbox).clock("2026-03-01T11:00:00Z");
    while told.hears("pairing").data["on"] == true {}
    assert!(TcpStream::connect(place(&first)).is_err(), "it is closed");
    let off = computer.gets("/v1/pairing");
    assert_eq!(off["encrypted"], true, "it would be");
    let again = paired(&sandbox, &["--for", "1h"]);
    assert_eq!(text(&again, "url"), url);
    authority
        .trusted_for(ADDRESS)
        .is_shown(&place(&again))
        .expect("a trusted certificate");

    Hub::of(&sandbox).clock("2026-03-01T12:00:00Z");
    while told.hears("pairing").data["on"] == true {}
    // Signing in is stored after that.
    Web::page(&sandbox);
    for _ in 0..2 {
        send_signal(address(&sandbox).expect("a hub runs").pid, Signal::KILL);
        Hub::started(&sandbox);
    }
    assert_eq!(Web::page(&sandbox).gets("/v1/pairing")["on"], false);
    let next = paired(&sandbox, &["--for", "1h"]);
    assert!(text(&next, "url").starts_with("https://"), "{next}");

    sandbox.done(&["pair", "--off"]);
    let plain = paired(&sandbox, &[]);
    assert!(text(&plain, "url").starts_with("http://"), "{plain}");
}

#[test]
fn one_that_is_gone_is_said_with_what_forgets_it() {
    let sandbox = Sandbox::at("2026-03-01T10:00:00Z");
    let (cert, key) = Authority::new().certifies(sandbox.home(), &[ADDRESS]);
    let (file, key) = (cert.display().to_string(), key.display().to_string());
    let files = ["--for", "1h", "--tls-cert", &file, "--tls-key", &key];
    paired(&sandbox, &files);
    std::fs::remove_file(&cert).expect("an existing file");
    send_signal(address(&sandbox).expect("a hub runs").pid, Signal::KILL);
    Hub::started(&sandbox);
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
fn who_wants_https_and_cannot_have_it_is_left_with_nothing_less() {
    let sandbox = Sandbox::new();
    let phone = let_in(&sandbox, "answer", "iPhone");
    let plain = invited(&Web::page(&sandbox), "answer");
    phone.gets("/v1/asks");
    let wrong = ["--tls-cert", "nope.pem", "--tls-key", "nope-key.pem"];
    let refuse = || {
        let out = sandbox.run(&[&["pair", "--address", ADDRESS], &wrong[..]].concat());
        assert_eq!(out.status.code(), Some(1));
        String::from_utf8_lossy(&out.stderr).into_owned()
    };
    let said = refuse();
    for part in ["there is no", "Plain HTTP was turned off too"] {
        assert!(said.contains(part), "{said}");
    }
    assert!(TcpStream::connect(place(&plain)).is_err(), "it is closed");
    let off = Web::page(&sandbox).gets("/v1/pairing");
    assert_eq!(off["on"], false, "{off}");
    assert_eq!(off["devices"][0]["name"], "iPhone", "it stays in the list");
    assert!(!refuse().contains("Plain HTTP"), "nothing was on");

    let authority = Authority::new();
    let (cert, key) = authority.certifies(sandbox.home(), &[ADDRESS]);
    let (cert, key) = (cert.display().to_string(), key.display().to_string());
    let encrypted = paired(&sandbox, &["--tls-cert", &cert, "--tls-key", &key]);
    let said = refuse();
    let url = text(&encrypted, "url");
    let goes_on = format!("Devices still connect to {url}: `ask-user pair --off` turns that off");
    assert!(said.contains(&goes_on), "{said}");
    authority
        .trusted_for(ADDRESS)
        .is_shown(&place(&encrypted))
        .expect("the certificate is served");
}
