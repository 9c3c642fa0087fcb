//! Invitations: how long they are valid, and what happens after wrong codes.

use crate::support::phone::{invite, pair_request, secret, unpaired_client};
use crate::support::sandbox::Sandbox;
use crate::support::text;
use crate::support::web::{Web, kind};

#[test]
fn an_invitation_is_too_old_after_three_minutes() {
    let sandbox = Sandbox::with_clock("2026-03-01T10:00:00Z");
    let computer = Web::page(&sandbox);
    let pairing = invite(&computer, "answer");
    let phone = unpaired_client(&sandbox, &pairing);
    sandbox.set_clock("2026-03-01T10:03:00Z");
    let code = text(&pairing["invitation"], "code");
    for body in [
        pair_request("secret", &secret(&pairing), ""),
        pair_request("code", &code, ""),
    ] {
        let refused = phone.expect_status(401, "POST", "/v1/pair", &body);
        assert_eq!(kind(&refused), "wrong-key");
    }
    assert!(computer.get_json("/v1/pairing").get("invitation").is_none());
    let anew = invite(&computer, "answer");
    assert_ne!(secret(&anew), secret(&pairing));
    assert_eq!(anew["url"], pairing["url"], "the listener stays");
    let code = text(&anew["invitation"], "code");
    let gap = format!("{} {}", &code[..3], &code[3..]);
    phone.expect_status(202, "POST", "/v1/pair", &pair_request("code", &gap, ""));
    let request = computer.get_json("/v1/pairing")["requests"][0].clone();
    assert_eq!(request["name"], "a device");
}

#[test]
fn wrong_codes_replace_the_code_and_are_rate_limited() {
    let sandbox = Sandbox::with_clock("2026-03-01T10:00:00Z");
    let computer = Web::page(&sandbox);
    let pairing = invite(&computer, "answer");
    let phone = unpaired_client(&sandbox, &pairing);
    let code = text(&pairing["invitation"], "code");
    let wrong = if code == "123456" { "123457" } else { "123456" };
    let first = phone.expect_status(401, "POST", "/v1/pair", &pair_request("code", wrong, ""));
    assert_eq!(first["triesLeft"], 4);
    let tries = |count: usize| {
        for _ in 0..count {
            phone.expect_status(401, "POST", "/v1/pair", &pair_request("code", wrong, ""));
        }
    };
    tries(3);
    assert_eq!(
        text(&computer.get_json("/v1/pairing")["invitation"], "code"),
        code
    );
    let fifth = phone.expect_status(401, "POST", "/v1/pair", &pair_request("code", wrong, ""));
    assert!(text(&fifth, "detail").contains("shows another"), "{fifth}");
    assert_eq!(fifth["triesLeft"], 0);
    assert_eq!(fifth["anotherCode"], true);
    let second = text(&computer.get_json("/v1/pairing")["invitation"], "code");
    assert_ne!(second, code);
    tries(5);
    let reply = phone.send("POST", "/v1/pair", &pair_request("code", wrong, ""));
    assert_eq!(reply.status, 429);
    let seconds = reply
        .header("retry-after")
        .expect("the reply has a time to retry");
    assert!(seconds.parse::<u64>().is_ok_and(|seconds| seconds <= 60));
    let right = pair_request("secret", &secret(&pairing), "");
    phone.expect_status(429, "POST", "/v1/pair", &right);
    sandbox.set_clock("2026-03-01T10:01:00Z");
    tries(10);
    let ended = computer.get_json("/v1/pairing")["invitation"].clone();
    assert!(ended.get("code").is_none(), "{ended}");
    sandbox.set_clock("2026-03-01T10:02:00Z");
    phone.expect_status(202, "POST", "/v1/pair", &right);
}
