//! Signing in: a key works once and for a short time, its cookie survives the hub, and signing out
//! ends it.

use std::os::unix::fs::PermissionsExt;

use rustix::process::Signal;

use crate::support::hub::{Hub, address, send_signal};
use crate::support::sandbox::Sandbox;
use crate::support::web::{Web, cookie, key, kind};

#[test]
fn a_sign_in_key_works_once() {
    let sandbox = Sandbox::new();
    let web = Web::anonymous(&sandbox);
    let key = key(&sandbox);
    let signed = web.sign_in(&key);
    assert_eq!(signed.status, 204);
    let set = signed.header("set-cookie").expect("a cookie");
    for part in ["HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=2592000"] {
        assert!(set.contains(part), "{set}");
    }
    assert_eq!(
        kind(&web.expect_status(401, "POST", "/v1/session", &format!(r#"{{"key":"{key}"}}"#))),
        "wrong-key"
    );
    assert_eq!(web.sign_in("").status, 401);
    assert_eq!(web.send("POST", "/v1/session", "{}").status, 400);
    let other = web.with_header("sec-fetch-site", "cross-site");
    assert_eq!(other.sign_in(&self::key(&sandbox)).status, 403);
}

#[test]
fn a_sign_in_key_expires_after_two_minutes() {
    let sandbox = Sandbox::with_clock("2026-03-01T10:00:00Z");
    let web = Web::anonymous(&sandbox);
    let (first, second) = (key(&sandbox), key(&sandbox));
    sandbox.set_clock("2026-03-01T10:01:59Z");
    assert_eq!(web.sign_in(&first).status, 204);
    sandbox.set_clock("2026-03-01T10:02:00Z");
    assert_eq!(web.sign_in(&second).status, 401);
}

#[test]
fn a_browser_stays_signed_in_when_its_hub_is_killed_and_for_thirty_days() {
    let sandbox = Sandbox::with_clock("2026-03-01T10:00:00Z");
    let web = Web::anonymous(&sandbox);
    let signed = web.sign_in(&key(&sandbox));
    let cookie = cookie(&signed);
    send_signal(address(&sandbox).expect("a hub runs").pid, Signal::KILL);
    Hub::start(&sandbox);
    let page = Web::anonymous(&sandbox).with_cookie(&cookie);
    assert_eq!(page.send("GET", "/v1/asks", "").status, 200);
    let file = sandbox.home().join("ask-user.db");
    let about = std::fs::metadata(&file).expect("a store");
    assert_eq!(about.permissions().mode() & 0o777, 0o600);
    let kept = sandbox.notes("web.session.");
    let secret = cookie.split_once('=').expect("a cookie").1;
    assert_eq!(kept.len(), 1, "{kept:?}");
    assert!(!kept[0].1.contains(secret), "only a hash is kept");
    sandbox.set_clock("2026-03-31T09:59:59Z");
    assert_eq!(page.send("GET", "/v1/asks", "").status, 200);
    sandbox.set_clock("2026-03-31T10:00:00Z");
    assert_eq!(page.send("GET", "/v1/asks", "").status, 401);
}

#[test]
fn signing_out_ends_the_session_and_its_streams() {
    let sandbox = Sandbox::new();
    let (page, other) = (Web::page(&sandbox), Web::page(&sandbox));
    let mut listening = page.send("GET", "/v1/events", "");
    page.expect_status(204, "DELETE", "/v1/session", "");
    assert_eq!(page.send("GET", "/v1/asks", "").status, 401);
    while listening.line().is_some() {}
    assert_eq!(other.send("GET", "/v1/asks", "").status, 200);
}

#[test]
fn signing_out_survives_a_killed_hub() {
    let sandbox = Sandbox::new();
    let signed = || cookie(&Web::anonymous(&sandbox).sign_in(&key(&sandbox)));
    let (gone, other) = (signed(), signed());
    let page = Web::anonymous(&sandbox).with_cookie(&gone);
    page.expect_status(204, "DELETE", "/v1/session", "");
    send_signal(address(&sandbox).expect("a hub runs").pid, Signal::KILL);
    Hub::start(&sandbox);
    let as_before = |cookie: &str| {
        let page = Web::anonymous(&sandbox).with_cookie(cookie);
        page.send("GET", "/v1/asks", "").status
    };
    assert_eq!((as_before(&gone), as_before(&other)), (401, 200));
}

#[test]
fn without_http_there_is_no_page() {
    let sandbox = Sandbox::new();
    sandbox.write_settings("[http]\nenabled = false\n");
    let output = sandbox.run(&["web", "--print"]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("enabled = true"), "{said}");
}

#[test]
fn signing_in_again_replaces_the_session() {
    let sandbox = Sandbox::new();
    let first = Web::page(&sandbox);
    let again = first.sign_in(&key(&sandbox));
    assert_eq!(again.status, 204);
    let again = Web::anonymous(&sandbox).with_cookie(&cookie(&again));
    assert_eq!(first.send("GET", "/v1/asks", "").status, 401, "replaced");
    assert_eq!(again.send("GET", "/v1/asks", "").status, 200);

    let unheard = Web::page(&sandbox);
    for _ in 0..62 {
        Web::page(&sandbox);
    }
    assert_eq!(again.send("GET", "/v1/asks", "").status, 200);
    Web::page(&sandbox);
    assert_eq!(again.send("GET", "/v1/asks", "").status, 200, "in use");
    assert_eq!(unheard.send("GET", "/v1/asks", "").status, 401);
}
