//! Certificates that are replaced while the hub runs, and certificates that expire.

use std::net::TcpStream;
use std::path::Path;

use rustix::process::Signal;

use super::https::device_address;
use crate::support::authority::Authority;
use crate::support::hub::{Hub, address, send_signal};
use crate::support::phone::{ADDRESS, invite};
use crate::support::sandbox::Sandbox;
use crate::support::text;
use crate::support::web::Web;

pub(super) fn configure(sandbox: &Sandbox, cert: &Path, key: &Path) {
    let (cert, key) = (cert.display(), key.display());
    sandbox.write_settings(&format!(
        "[http]\ntls_cert = \"{cert}\"\ntls_key = \"{key}\"\n"
    ));
}

pub(super) fn doctor(sandbox: &Sandbox) -> String {
    let out = sandbox.run(&["doctor"]);
    String::from_utf8_lossy(&out.stdout).into_owned()
}

pub(super) fn read_log(sandbox: &Sandbox) -> String {
    std::fs::read_to_string(sandbox.home().join("hub.log")).expect("a log")
}

#[test]
fn a_renewed_certificate_is_served_at_once_and_a_broken_one_is_not() {
    let sandbox = Sandbox::new();
    let authority = Authority::new();
    let (cert, key) = authority.issue(sandbox.home(), &["desk.lan"]);
    configure(&sandbox, &cert, &key);
    let computer = Web::page(&sandbox);
    let url = text(&invite(&computer, "answer"), "url");
    let at = url.replace("https://desk.lan", ADDRESS);
    let trust = authority.trust_for("desk.lan");
    let shown = || {
        trust
            .presented_certificate(&at)
            .expect("a trusted certificate")
    };
    let first = shown();
    assert_eq!(shown(), first);
    authority.issue(sandbox.home(), &["desk.lan", "desk.local"]);
    let second = shown();
    assert_ne!(second, first, "the new one");
    assert!(read_log(&sandbox).contains("cert.pem was renewed and is valid until"));

    let good = std::fs::read(&cert).expect("an existing file");
    for (broken, why) in [
        (
            &b"-----BEGIN CERTIFICATE-----\n"[..],
            "is not a certificate in PEM",
        ),
        (b"", "holds no certificate"),
    ] {
        std::fs::write(&cert, broken).expect("a writable file");
        assert_eq!(shown(), second, "the one before");
        let said = text(&computer.get_json("/v1/pairing"), "remark");
        assert!(
            said.contains(why) && said.contains("previous certificate is served"),
            "{said}"
        );
        assert!(read_log(&sandbox).contains(why));
        let doctor = doctor(&sandbox);
        assert!(doctor.contains("FAIL") && doctor.contains(why), "{doctor}");
        assert_eq!(doctor.matches(why).count(), 1, "said once: {doctor}");
        assert!(doctor.contains("previous certificate is served until then"));
    }
    let other = sandbox.home().join("other");
    std::fs::create_dir(&other).expect("a writable folder");
    authority.issue(&other, &["other.lan"]);
    std::fs::copy(other.join("key.pem"), &key).expect("writable files");
    std::fs::copy(other.join("cert.pem"), &cert).expect("writable files");
    assert_eq!(shown(), second);
    let said = text(&computer.get_json("/v1/pairing"), "remark");
    assert!(
        said.contains("is now for other.lan, but devices connect to desk.lan"),
        "{said}"
    );
    let moved = invite(&computer, "answer");
    assert!(
        text(&moved, "url").starts_with("https://other.lan:"),
        "{moved}"
    );
    std::fs::write(&cert, good).expect("a writable file");
    let said = text(&computer.get_json("/v1/pairing"), "remark");
    assert!(said.contains("is not the key of the certificate"), "{said}");
}

#[test]
fn devices_are_served_once_a_broken_certificate_is_fixed() {
    let sandbox = Sandbox::with_clock("2026-03-01T10:00:00Z");
    let authority = Authority::new();
    let (cert, key) = authority.issue(sandbox.home(), &["desk.lan", ADDRESS]);
    configure(&sandbox, &cert, &key);
    let before = invite(&Web::page(&sandbox), "answer");
    let place = device_address(&before);
    let trust = authority.trust_for(ADDRESS);
    trust
        .presented_certificate(&place)
        .expect("a trusted certificate");
    let good = std::fs::read(&cert).expect("an existing file");
    std::fs::write(&cert, "").expect("a writable file");
    let killed = || send_signal(address(&sandbox).expect("a hub runs").pid, Signal::KILL);
    killed();
    Hub::start(&sandbox);
    let computer = Web::page(&sandbox);
    let waits = computer.get_json("/v1/pairing");
    for field in ["on", "until"] {
        assert_eq!(waits[field], before[field], "{field}: {waits}");
    }
    let why = "cert.pem holds no certificate";
    assert!(text(&waits, "remark").contains(why), "{waits}");
    assert!(TcpStream::connect(&place).is_err(), "{place}");
    let listed = sandbox.run_ok(&["pair", "--devices"]);
    assert!(
        listed.contains("Note: ") && listed.contains(why),
        "{listed}"
    );
    let said = doctor(&sandbox);
    assert_eq!(said.matches(why).count(), 1, "said once: {said}");
    assert!(said.contains("that keeps devices out"), "{said}");

    let mut told = computer.open_events();
    told.receive("pairing");
    Hub::connect(&sandbox).set_clock("2026-03-01T10:00:10Z");
    Hub::connect(&sandbox).set_clock("2026-03-01T10:00:20Z");
    std::fs::write(&cert, good).expect("a writable file");
    Hub::connect(&sandbox).set_clock("2026-03-01T10:00:30Z");
    while told.receive("pairing").data.get("remark").is_some() {}
    trust
        .presented_certificate(&place)
        .expect("the certificate is served again");
    let said = read_log(&sandbox).matches("devices can't connect").count();
    assert_eq!(said, 1, "a reason is said once");

    std::fs::write(&cert, "").expect("a writable file");
    killed();
    Hub::start(&sandbox);
    sandbox.run_ok(&["pair", "--off"]);
    assert_eq!(Web::page(&sandbox).get_json("/v1/pairing")["on"], false);
    assert!(sandbox.notes("web.pairing").is_empty(), "off is off");
}

#[test]
fn an_expired_certificate_is_reported() {
    let sandbox = Sandbox::with_clock("2027-12-31T12:00:00Z");
    let authority = Authority::new();
    let (cert, key) = authority.issue_until(sandbox.home(), &["desk.lan"], 2028);
    configure(&sandbox, &cert, &key);
    let computer = Web::page(&sandbox);
    let pairing = invite(&computer, "answer");
    let remark = text(&pairing, "remark");
    assert!(remark.starts_with("desk.lan must resolve to"), "{remark}");
    let soon = doctor(&sandbox);
    assert!(
        soon.contains("warn") && soon.contains("renew it: the hub takes"),
        "{soon}"
    );
    let body = format!(r#"{{"address":"{ADDRESS}","scope":"see"}}"#);
    computer.post_json("/v1/pairing", &body);
    Hub::connect(&sandbox).set_clock("2028-01-01T00:00:00Z");
    let remark = text(&computer.get_json("/v1/pairing"), "remark");
    assert!(
        remark.contains("expired at 2028-01-01T00:00:00Z: renew it"),
        "{remark}"
    );
    authority.issue_until(sandbox.home(), &["desk.lan"], 2029);
    let remark = text(&computer.get_json("/v1/pairing"), "remark");
    assert!(remark.starts_with("desk.lan must resolve to"), "{remark}");
}
