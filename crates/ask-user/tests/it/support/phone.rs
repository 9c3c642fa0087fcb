//! A phone: a browser that comes over the network and is let in by its person at the computer. In
//! a sandbox, which has no network, another address of this machine stands for the one of a network.

use ask_core::Json;

use super::sandbox::Sandbox;
use super::text;
use super::web::{Web, cookie};

/// Where phones come in a sandbox.
pub const ADDRESS: &str = "127.0.0.2";

/// Lets phones come, for an hour; how pairing stands then.
pub fn invited(computer: &Web, scope: &str) -> Json {
    let body = format!(r#"{{"address":"{ADDRESS}","forMs":3600000,"scope":"{scope}"}}"#);
    computer.posts("/v1/pairing", &body)
}

/// Somebody at the address where phones come in.
pub fn stranger(sandbox: &Sandbox, pairing: &Json) -> Web {
    let url = text(pairing, "url");
    let (_, authority) = url.split_once("://").expect("a URL");
    Web::of(sandbox).at_address(authority)
}

/// The secret of an invitation's link.
pub fn secret(pairing: &Json) -> String {
    let url = text(&pairing["invitation"], "url");
    url.split_once("/pair#").expect("a link").1.to_owned()
}

/// What a phone says to be let in.
pub fn shows(key: &str, value: &str, name: &str) -> String {
    format!(r#"{{"{key}":"{value}","name":"{name}"}}"#)
}

/// A phone that was let in.
pub fn let_in(sandbox: &Sandbox, scope: &str, name: &str) -> Web {
    let computer = Web::page(sandbox);
    let pairing = invited(&computer, scope);
    let phone = stranger(sandbox, &pairing);
    let body = shows("secret", &secret(&pairing), name);
    let asked = phone.says(202, "POST", "/v1/pair", &body);
    let waiting = computer.gets("/v1/pairing");
    let request = text(&waiting["requests"][0], "id");
    let said = format!("/v1/pairing/requests/{request}");
    computer.posts(&said, r#"{"allow":true}"#);
    let asking = format!("/v1/pair/{}", text(&asked, "request"));
    let allowed = phone.send("GET", &asking, "");
    assert_eq!(allowed.status, 200);
    phone
        .with_cookie(&cookie(&allowed))
        .without("sec-fetch-site")
}
