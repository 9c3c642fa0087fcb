//! HTTPS with the person's own certificate: what a phone sees at the certificate's name, and the
//! reply to plain HTTP.

use std::io::{Read, Write};
use std::net::TcpStream;

use ask_core::Json;
use ask_protocol::ipc::{Request, Response};

use crate::support::authority::{Authority, Trust};
use crate::support::hub::{Hub, address};
use crate::support::phone::{ADDRESS, invite, pair_request, secret};
use crate::support::sandbox::Sandbox;
use crate::support::text;
use crate::support::web::{Web, cookie, kind};

/// Lets the hub serve HTTPS for these names.
pub(super) fn serve_https(sandbox: &Sandbox, names: &[&str]) -> Authority {
    let authority = Authority::new();
    let (cert, key) = authority.issue(sandbox.home(), names);
    let (cert, key) = (cert.display(), key.display());
    sandbox.write_settings(&format!(
        "[http]\ntls_cert = \"{cert}\"\ntls_key = \"{key}\"\n"
    ));
    authority
}

/// The address for devices, as a number with its port.
pub(super) fn device_address(pairing: &Json) -> String {
    let url = text(pairing, "url");
    let (_, port) = url.rsplit_once(':').expect("a port");
    format!("{ADDRESS}:{port}")
}

/// A phone that was paired there.
pub(super) fn pair_device(sandbox: &Sandbox, pairing: &Json, trust: &Trust) -> Web {
    let computer = Web::page(sandbox);
    let phone = Web::anonymous(sandbox)
        .at_address(&device_address(pairing))
        .with_trust(trust)
        .with_header("origin", &text(pairing, "url"));
    let body = pair_request("secret", &secret(pairing), "iPhone");
    let asked = phone.expect_status(202, "POST", "/v1/pair", &body);
    let request = text(&computer.get_json("/v1/pairing")["requests"][0], "id");
    let said = format!("/v1/pairing/requests/{request}");
    computer.post_json(&said, r#"{"allow":true}"#);
    let asking = format!("/v1/pair/{}", text(&asked, "request"));
    let allowed = phone.send("GET", &asking, "");
    let set = allowed.header("set-cookie").expect("a cookie");
    assert!(set.ends_with("; Secure"), "{set}");
    phone.with_cookie(&cookie(&allowed))
}

#[test]
fn a_phone_connects_over_https_by_the_certificates_name() {
    let sandbox = Sandbox::new();
    let authority = serve_https(&sandbox, &["desk.lan"]);
    let id = sandbox.ask(&["Which?"]);
    let computer = Web::page(&sandbox);
    assert_eq!(computer.get_json("/v1/pairing")["encrypted"], true);
    let pairing = invite(&computer, "answer");
    let url = text(&pairing, "url");
    assert!(url.starts_with("https://desk.lan:"), "{url}");
    assert_eq!(pairing["encrypted"], true);
    let remark = text(&pairing, "remark");
    assert!(
        remark.starts_with("desk.lan must resolve to 127.0.0.2"),
        "{remark}"
    );

    let trust = authority.trust_for("desk.lan");
    let phone = pair_device(&sandbox, &pairing, &trust);
    let session = phone.get_json("/v1/session");
    assert_eq!(session["encrypted"], true);
    let by_number = phone
        .with_header("host", &device_address(&pairing))
        .with_header("origin", &format!("https://{}", device_address(&pairing)));
    by_number.get_json("/v1/asks");
    let foreign = phone.with_header("host", "evil.example");
    assert_eq!(
        kind(&foreign.expect_status(421, "GET", "/v1/asks", "")),
        "foreign-host"
    );
    let plain = phone.with_header("origin", &url.replace("https", "http"));
    let refused = plain.expect_status(403, "GET", "/v1/asks", "");
    assert_eq!(kind(&refused), "foreign-origin");
    let declined = phone.post_json(&format!("/v1/asks/{id}/decline"), "{}");
    assert_eq!(declined["record"]["answeredDevice"], "iPhone");
    assert!(
        Authority::new()
            .trust_for("desk.lan")
            .presented_certificate(&device_address(&pairing))
            .is_err()
    );

    let printed = sandbox.run_ok(&["pair", "--address", ADDRESS]);
    assert!(
        printed.contains(&format!("come to {url} until")),
        "{printed}"
    );
    assert!(!printed.contains("NOT ENCRYPTED"), "{printed}");
    let doctor = sandbox.run(&["doctor"]);
    let said = String::from_utf8_lossy(&doctor.stdout).into_owned();
    assert!(
        said.contains("cert.pem is for desk.lan until 2090-01-01"),
        "{said}"
    );
    assert!(said.contains(&format!("1 let in, at {url}")), "{said}");
}

#[test]
fn plain_http_on_the_https_port_gets_an_error() {
    let sandbox = Sandbox::new();
    let authority = serve_https(&sandbox, &["desk.lan"]);
    let pairing = invite(&Web::page(&sandbox), "answer");
    let (url, at) = (text(&pairing, "url"), device_address(&pairing));
    let plain = Web::anonymous(&sandbox).at_address(&at);
    let mut led = plain.send("GET", "/pair", "");
    assert_eq!(led.status, 307);
    assert_eq!(led.header("location"), Some(format!("{url}/pair").as_str()));
    assert!(led.text().contains(&format!("speaks HTTPS: use {url}")));
    let ask = plain.send("GET", "/a/ask_1?from=notice", "");
    let there = format!("{url}/a/ask_1?from=notice");
    assert_eq!(ask.header("location"), Some(there.as_str()));
    let body = pair_request("secret", &secret(&pairing), "iPhone");
    let mut told = plain.send("POST", "/v1/pair", &body);
    assert_eq!(told.status, 400);
    assert!(told.text().contains("HTTPS"));

    let silent: Vec<TcpStream> = (0..8)
        .map(|_| TcpStream::connect(&at).expect("the server listens"))
        .collect();
    for mut half in silent.iter().take(4) {
        half.write_all(&[0x16, 3, 1])
            .expect("the hub reads the bytes");
    }
    let mut broken = TcpStream::connect(&at).expect("the server listens");
    broken
        .write_all(&[0x16; 600])
        .expect("the hub reads the bytes");
    broken
        .read_to_end(&mut Vec::new())
        .expect("the hub closes the connection");
    let phone = pair_device(&sandbox, &pairing, &authority.trust_for("desk.lan"));
    phone.get_json("/v1/asks");
    let mut listening = phone.open_events();
    sandbox.run_ok(&["pair", "--off"]);
    assert!(TcpStream::connect(&at).is_err(), "it is closed");
    while listening.0.line().is_some() {}
}

#[test]
fn the_origin_must_match_the_encryption() {
    let sandbox = Sandbox::new();
    let page = Web::page(&sandbox);
    let port = address(&sandbox).and_then(|address| address.http);
    let port = port.expect("the hub serves HTTP").port;
    let claims = |page: &Web| page.with_header("origin", &format!("https://127.0.0.1:{port}"));
    let refused = claims(&page).expect_status(403, "GET", "/v1/asks", "");
    assert_eq!(kind(&refused), "foreign-origin");
    page.with_header("origin", &format!("http://127.0.0.1:{port}"))
        .get_json("/v1/asks");
}

#[test]
fn a_link_signs_in_where_public_url_is_the_name_of_the_certificate() {
    let sandbox = Sandbox::new();
    let authority = serve_https(&sandbox, &["desk.lan"]);
    let pairing = invite(&Web::page(&sandbox), "see");
    let phone = Web::anonymous(&sandbox)
        .at_address(&device_address(&pairing))
        .with_trust(&authority.trust_for("desk.lan"));
    let link = Hub::connect(&sandbox).call(&Request::PageKey { public: true });
    let Response::PageKey { key, .. } = link else {
        panic!("no key: {link:?}");
    };
    assert_eq!(phone.sign_in(&key).status, 204);
}
