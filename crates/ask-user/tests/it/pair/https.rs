//! HTTPS with the person's own certificate: what a phone sees at the certificate's name, and the
//! reply to plain HTTP.

use std::io::{Read, Write};
use std::net::TcpStream;

use ask_core::Json;

use crate::support::authority::{Authority, Trust};
use crate::support::hub::address;
use crate::support::phone::{ADDRESS, invited, secret, shows};
use crate::support::sandbox::Sandbox;
use crate::support::text;
use crate::support::web::{Web, cookie, key, kind};

/// Lets the hub serve HTTPS for these names.
pub(super) fn certified(sandbox: &Sandbox, names: &[&str]) -> Authority {
    let authority = Authority::new();
    let (cert, key) = authority.certifies(sandbox.home(), names);
    let (cert, key) = (cert.display(), key.display());
    sandbox.settings(&format!(
        "[http]\ntls_cert = \"{cert}\"\ntls_key = \"{key}\"\n"
    ));
    authority
}

/// The address for devices, as a number with its port.
pub(super) fn place(pairing: &Json) -> String {
    let url = text(pairing, "url");
    let (_, port) = url.rsplit_once(':').expect("a port");
    format!("{ADDRESS}:{port}")
}

/// A phone that was paired there.
pub(super) fn let_in(sandbox: &Sandbox, pairing: &Json, trust: &Trust) -> Web {
    let computer = Web::page(sandbox);
    let phone = Web::of(sandbox)
        .at_address(&place(pairing))
        .trusting(trust)
        .with("origin", &text(pairing, "url"));
    let body = shows("secret", &secret(pairing), "iPhone");
    let asked = phone.says(202, "POST", "/v1/pair", &body);
    let request = text(&computer.gets("/v1/pairing")["requests"][0], "id");
    let said = format!("/v1/pairing/requests/{request}");
    computer.posts(&said, r#"{"allow":true}"#);
    let asking = format!("/v1/pair/{}", text(&asked, "request"));
    let allowed = phone.send("GET", &asking, "");
    let set = allowed.header("set-cookie").expect("a cookie");
    assert!(set.ends_with("; Secure"), "{set}");
    phone.with_cookie(&cookie(&allowed))
}

#[test]
fn a_phone_comes_by_the_name_of_the_certificate_and_nobody_reads_along() {
    let sandbox = Sandbox::new();
    let authority = certified(&sandbox, &["desk.lan"]);
    let id = sandbox.asks(&["Which?"]);
    let computer = Web::page(&sandbox);
    assert_eq!(computer.gets("/v1/pairing")["encrypted"], true);
    let pairing = invited(&computer, "answer");
    let url = text(&pairing, "url");
    assert!(url.starts_with("https://desk.lan:"), "{url}");
    assert_eq!(pairing["encrypted"], true);
    let remark = text(&pairing, "remark");
    assert!(
        remark.starts_with("desk.lan must resolve to 127.0.0.2"),
        "{remark}"
    );

    let trust = authority.trusted_for("desk.lan");
    let phone = let_in(&sandbox, &pairing, &trust);
    let session = phone.gets("/v1/session");
    assert_eq!(session["encrypted"], true);
    let by_number = phone
        .with("host", &place(&pairing))
        .with("origin", &format!("https://{}", place(&pairing)));
    by_number.gets("/v1/asks");
    let foreign = phone.with("host", "evil.example");
    assert_eq!(
        kind(&foreign.says(421, "GET", "/v1/asks", "")),
        "foreign-host"
    );
    let plain = phone.with("origin", &url.replace("https", "http"));
    let refused = plain.says(403, "GET", "/v1/asks", "");
    assert_eq!(kind(&refused), "foreign-origin");
    let declined = phone.posts(&format!("/v1/asks/{id}/decline"), "{}");
    assert_eq!(declined["record"]["answeredDevice"], "iPhone");
    assert!(
        Authority::new()
            .trusted_for("desk.lan")
            .is_shown(&place(&pairing))
            .is_err()
    );

    let printed = sandbox.done(&["pair", "--address", ADDRESS]);
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
fn who_speaks_plain_http_is_told_and_who_says_nothing_is_in_nobodys_way() {
    let sandbox = Sandbox::new();
    let authority = certified(&sandbox, &["desk.lan"]);
    let pairing = invited(&Web::page(&sandbox), "answer");
    let (url, at) = (text(&pairing, "url"), place(&pairing));
    let plain = Web::of(&sandbox).at_address(&at);
    let mut led = plain.send("GET", "/pair", "");
    assert_eq!(led.status, 307);
    assert_eq!(led.header("location"), Some(format!("{url}/pair").as_str()));
    assert!(led.text().contains(&format!("speaks HTTPS: use {url}")));
    let ask = plain.send("GET", "/a/ask_1?from=notice", "");
    let there = format!("{url}/a/ask_1?from=notice");
    assert_eq!(ask.header("location"), Some(there.as_str()));
    let body = shows("secret", &secret(&pairing), "iPhone");
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
    let phone = let_in(&sandbox, &pairing, &authority.trusted_for("desk.lan"));
    phone.gets("/v1/asks");
    let mut listening = phone.listens();
    sandbox.done(&["pair", "--off"]);
    assert!(TcpStream::connect(&at).is_err(), "it is closed");
    while listening.0.line().is_some() {}
}

#[test]
fn a_page_that_says_it_came_encrypted_is_believed_where_that_can_be() {
    let sandbox = Sandbox::new();
    let page = Web::page(&sandbox);
    let port = address(&sandbox).and_then(|address| address.http);
    let port = port.expect("the hub serves HTTP").port;
    let claims = |page: &Web| page.with("origin", &format!("https://127.0.0.1:{port}"));
    let refused = claims(&page).says(403, "GET", "/v1/asks", "");
    assert_eq!(kind(&refused), "foreign-origin");
    page.with("origin", &format!("http://127.0.0.1:{port}"))
        .gets("/v1/asks");
}

#[test]
fn a_link_signs_in_where_public_url_is_the_name_of_the_certificate() {
    let sandbox = Sandbox::new();
    let authority = certified(&sandbox, &["desk.lan"]);
    let pairing = invited(&Web::page(&sandbox), "see");
    let phone = Web::of(&sandbox)
        .at_address(&place(&pairing))
        .trusting(&authority.trusted_for("desk.lan"));
    assert_eq!(phone.sign_in(&key(&sandbox)).status, 204);
}
