//! Certificates that are replaced while the hub runs, and certificates that expire.

use std::net::TcpStream;
use std::path::Path;

use rustix::process::Signal;

use super::https::place;
use crate::support::authority::Authority;
use crate::support::hub::{Hub, address, send_signal};
use crate::support::phone::{ADDRESS, invited};
use crate::support::sandbox::Sandbox;
use crate::support::text;
use crate::support::web::Web;

pub(super) fn set(sandbox: &Sandbox, cert: &Path, key: &Path) {
    let (cert, key) = (cert.display(), key.display());
    sandbox.settings(&format!(
        "[http]\ntls_cert = \"{cert}\"\ntls_key = \"{key}\"\n"
    ));
}

pub(super) fn doctor(sandbox: &Sandbox) -> String {
    let out = sandbox.run(&["doctor"]);
    String::from_utf8_lossy(&out.stdout).into_owned()
}

pub(super) fn log(sandbox: &Sandbox) -> String {
    std::fs::read_to_string(sandbox.home().join("hub.log")).expect("a log")
}

#[test]
fn what_was_renewed_is_shown_at_once_and_what_is_broken_is_not() {
    let sandbox = Sandbox::new();
    let authority = Authority::new();
    let (cert, key) = authority.certifies(sandbox.home(), &["desk.lan"]);
    set(&sandbox, &cert, &key);
    let computer = Web::page(&sandbox);
    let url = text(&invited(&computer, "answer"), "url");
    let at = url.replace("https://desk.lan", ADDRESS);
    let trust = authority.trusted_for("desk.lan");
    let shown = || trust.is_shown(&at).expect("a trusted certificate");
    let first = shown();
    assert_eq!(shown(), first);
    authority.certifies(sandbox.home(), &["desk.lan", "desk.local"]);
    let second = shown();
    assert_ne!(second, first, "the new one");
    assert!(log(&sandbox).contains("cert.pem was renewed and is valid until"));

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
        let said = text(&computer.gets("/v1/pairing"), "remark");
        assert!(
            said.contains(why) && said.contains("previous certificate is served"),
            "{said}"
        );
        assert!(log(&sandbox).contains(why));
        let doctor = doctor(&sandbox);
        assert!(doctor.contains("FAIL") && doctor.contains(why), "{doctor}");
        assert_eq!(doctor.matches(why).count(), 1, "said once: {doctor}");
        assert!(doctor.contains("previous certificate is served until then"));
    }
    let other = sandbox.home().join("other");
    std::fs::create_dir(&other).expect("a writable folder");
    authority.certifies(&other, &["other.lan"]);
    std::fs::copy(other.join("key.pem"), &key).expect("writable files");
    std::fs::copy(other.join("cert.pem"), &cert).expect("writable files");
    assert_eq!(shown(), second);
    let said = text(&computer.gets("/v1/pairing"), "remark");
    assert!(
        said.contains("is now for other.lan, but devices connect to desk.lan"),
        "{said}"
    );
    let moved = invited(&computer, "answer");
    assert!(
        text(&moved, "url").starts_with("https://other.lan:"),
        "{moved}"
    );
    std::fs::write(&cert, good).expect("a writable file");
    let said = text(&computer.gets("/v1/pairing"), "remark");
    assert!(said.contains("is not the key of the certificate"), "{said}");
}

#[test]
fn a_hub_that_begins_with_a_broken_certificate_has_devices_come_once_it_is_mended() {
    let sandbox = Sandbox::at("2026-03-01T10:00:00Z");
    let authority = Authority::new();
    let (cert, key) = authority.certifies(sandbox.home(), &["desk.lan", ADDRESS]);
    set(&sandbox, &cert, &key);
    let before = invited(&Web::page(&sandbox), "answer");
    let place = place(&before);
    let trust = authority.trusted_for(ADDRESS);
    trust.is_shown(&place).expect("a trusted certificate");
    let good = std::fs::read(&cert).expect("an existing file");
    std::fs::write(&cert, "").expect("a writable file");
    let killed = || send_signal(address(&sandbox).expect("a hub runs").pid, Signal::KILL);
    killed();
    Hub::started(&sandbox);
    let computer = Web::page(&sandbox);
    let waits = computer.gets("/v1/pairing");
    for field in ["on", "until"] {
        assert_eq!(waits[field], before[field], "{field}: {waits}");
    }
    let why = "cert.pem holds no certificate";
    assert!(text(&waits, "remark").contains(why), "{waits}");
    assert!(TcpStream::connect(&place).is_err(), "{place}");
    let listed = sandbox.done(&["pair", "--devices"]);
    assert!(
        listed.contains("Note: ") && listed.contains(why),
        "{listed}"
    );
    let said = doctor(&sandbox);
    assert_eq!(said.matches(why).count(), 1, "said once: {said}");
    assert!(said.contains("that keeps devices out"), "{said}");

    let mut told = computer.listens();
    told.hears("pairing");
    Hub::of(&sandbox).clock("2026-03-01T10:00:10Z");
    Hub::of(&sandbox).clock("2026-03-01T10:00:20Z");
    std::fs::write(&cert, good).expect("a writable file");
    Hub::of(&sandbox).clock("2026-03-01T10:00:30Z");
    while told.hears("pairing").data.get("remark").is_some() {}
    trust
        .is_shown(&place)
        .expect("the certificate is served again");
    let said = log(&sandbox).matches("devices can't connect").count();
    assert_eq!(said, 1, "a reason is said once");

    std::fs::write(&cert, "").expect("a writable file");
    killed();
    Hub::started(&sandbox);
    sandbox.done(&["pair", "--off"]);
    assert_eq!(Web::page(&sandbox).gets("/v1/pairing")["on"], false);
    assert!(sandbox.notes("web.pairing").is_empty(), "off is off");
}

#[test]
fn a_certificate_that_ended_while_it_was_served_is_said() {
    let sandbox = Sandbox::at("2027-12-31T12:00:00Z");
    let authority = Authority::new();
    let (cert, key) = authority.certifies_until(sandbox.home(), &["desk.lan"], 2028);
    set(&sandbox, &cert, &key);
    let computer = Web::page(&sandbox);
    let pairing = invited(&computer, "answer");
    let remark = text(&pairing, "remark");
    assert!(remark.starts_with("desk.lan must resolve to"), "{remark}");
    let soon = doctor(&sandbox);
    assert!(
        soon.contains("warn") && soon.contains("renew it: the hub takes"),
        "{soon}"
    );
    let body = format!(r#"{{"address":"{ADDRESS}","scope":"see"}}"#);
    computer.posts("/v1/pairing", &body);
    Hub::of(&sandbox).clock("2028-01-01T00:00:00Z");
    let remark = text(&computer.gets("/v1/pairing"), "remark");
    assert!(
        remark.contains("expired at 2028-01-01T00:00:00Z: renew it"),
        "{remark}"
    );
    authority.certifies_until(sandbox.home(), &["desk.lan"], 2029);
    let remark = text(&computer.gets("/v1/pairing"), "remark");
    assert!(remark.starts_with("desk.lan must resolve to"), "{remark}");
}
