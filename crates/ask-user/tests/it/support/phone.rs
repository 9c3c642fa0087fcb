//! A phone: a browser that connects over the network and is paired by the person at the computer. A
//! sandbox has no network, so another loopback address takes its place.

use ask_core::Json;

use super::sandbox::Sandbox;
use super::text;
use super::web::{Web, cookie};

/// The address for devices in a sandbox.
pub(crate) const ADDRESS: &str = "127.0.0.2";

/// Lets devices connect for an hour; returns the state of pairing.
pub(crate) fn invite(computer: &Web, scope: &str) -> Json {
    let body = format!(r#"{{"address":"{ADDRESS}","forMs":3600000,"scope":"{scope}"}}"#);
    computer.post_json("/v1/pairing", &body)
}

/// A client without credentials at the address for devices.
pub(crate) fn unpaired_client(sandbox: &Sandbox, pairing: &Json) -> Web {
    let url = text(pairing, "url");
    let (_, authority) = url.split_once("://").expect("a URL");
    Web::anonymous(sandbox).at_address(authority)
}

/// The secret of an invitation's link.
pub(crate) fn secret(pairing: &Json) -> String {
    let url = text(&pairing["invitation"], "url");
    url.split_once("/pair#").expect("a link").1.to_owned()
}

/// The body with which a phone asks to be paired.
pub(crate) fn pair_request(key: &str, value: &str, name: &str) -> String {
    format!(r#"{{"{key}":"{value}","name":"{name}"}}"#)
}

/// Pairs a phone; returns its client.
pub(crate) fn pair_device(sandbox: &Sandbox, scope: &str, name: &str) -> Web {
    let computer = Web::page(sandbox);
    let pairing = invite(&computer, scope);
    let phone = unpaired_client(sandbox, &pairing);
    let body = pair_request("secret", &secret(&pairing), name);
    let asked = phone.expect_status(202, "POST", "/v1/pair", &body);
    let waiting = computer.get_json("/v1/pairing");
    let request = text(&waiting["requests"][0], "id");
    let decision = format!("/v1/pairing/requests/{request}");
    computer.post_json(&decision, r#"{"allow":true}"#);
    let asking = format!("/v1/pair/{}", text(&asked, "request"));
    let allowed = phone.send("GET", &asking, "");
    assert_eq!(allowed.status, 200);
    phone
        .with_cookie(&cookie(&allowed))
        .without_header("sec-fetch-site")
}
