//! Limits on the size of a request and on asks per minute.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use crate::support::http::Http;
use crate::support::sandbox::Sandbox;
use crate::support::text;
use crate::support::web::{Web, kind};

#[test]
fn a_body_that_is_too_large_is_refused() {
    let sandbox = Sandbox::new();
    let agent = Web::with_token(&sandbox, "token");
    let call = |length: usize| format!(r#"{{"question":"{}"}}"#, "x".repeat(length));
    let refused = agent.expect_status(413, "POST", "/v1/asks", &call(256 * 1024));
    assert_eq!(kind(&refused), "too-large");
    assert_eq!(
        text(&refused, "detail"),
        "the body has more than 262144 bytes, which is the limit: shorten the questions, and name files that hold the long texts"
    );
    agent.expect_status(201, "POST", "/v1/asks", &call(100 * 1024));
    let page = Web::page(&sandbox);
    let large = "x".repeat(1024 * 1024);
    page.expect_status(201, "POST", "/v1/files?name=large.txt", &large);
    let too_large = "x".repeat(10 * 1024 * 1024 + 1);
    let refused = page.expect_status(413, "POST", "/v1/files", &too_large);
    let said = text(&refused, "detail");
    assert!(
        said.ends_with("bytes, which is the limit: send a smaller file"),
        "{said}"
    );
    let ask = format!("/v1/asks/{}", sandbox.ask(&["Why?"]));
    let words = "x".repeat(400 * 1024);
    for (method, deed, body) in [
        ("POST", "answer", format!(r#"{{"answers":["{words}"]}}"#)),
        (
            "PUT",
            "draft",
            format!(r#"{{"draft":{{"answers":[{{"own":"{words}"}}]}}}}"#),
        ),
    ] {
        let refused = page.expect_status(413, method, &format!("{ask}/{deed}"), &body);
        let said = text(&refused, "detail");
        let wanted =
            "262144 bytes, which is the limit: send less text, or attach long texts as files";
        assert!(said.ends_with(wanted), "{deed}: {said}");
    }
}

#[test]
fn a_body_without_end_is_cut_off_with_a_reply() {
    let sandbox = Sandbox::new();
    let port = Http::of_hub(&sandbox).port;
    let token = std::fs::read_to_string(sandbox.home().join("token")).expect("a token");
    let piece = "x".repeat(64 * 1024);
    for (framing, length, piece) in [
        ("Content-Length: 67108864", 1_024, piece.clone()),
        (
            "Transfer-Encoding: chunked",
            64,
            format!("10000\r\n{piece}\r\n"),
        ),
    ] {
        let mut connection = TcpStream::connect(("127.0.0.1", port)).expect("it listens");
        let limit = Some(Duration::from_secs(60));
        connection.set_read_timeout(limit).expect("a timeout");
        connection.set_write_timeout(limit).expect("a timeout");
        let head = format!(
            "POST /v1/asks HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n{framing}\r\n\r\n",
            token.trim()
        );
        let mut sent = connection.write_all(head.as_bytes());
        for _ in 0..length {
            sent = sent.and_then(|()| connection.write_all(piece.as_bytes()));
        }
        let mut reply = [0; 12];
        connection.read_exact(&mut reply).expect("the reply comes");
        assert_eq!(&reply, b"HTTP/1.1 413", "{framing}");
    }
}

#[test]
fn asks_per_minute_are_limited() {
    let sandbox = Sandbox::with_clock("2026-03-01T10:00:00Z");
    sandbox.write_settings("[http]\nasks_per_minute = 3\nmax_request_kb = 1\n");
    let agent = Web::with_token(&sandbox, "token");
    let ask = |web: &Web| web.send("POST", "/v1/asks", r#"{"question":"Go?"}"#);
    for _ in 0..3 {
        assert_eq!(ask(&agent).status, 201);
    }
    sandbox.set_clock("2026-03-01T10:00:05Z");
    let refused = ask(&agent);
    assert_eq!(
        (refused.status, refused.header("retry-after")),
        (429, Some("15"))
    );
    let program = Web::with_token(&sandbox, "answer-token");
    assert_eq!(ask(&program).status, 201, "each token has its own");
    sandbox.set_clock("2026-03-01T10:00:20Z");
    assert_eq!(ask(&agent).status, 201, "one comes back every 20 s");
    assert_eq!(ask(&agent).status, 429);
    let large = format!(r#"{{"question":"{}"}}"#, "x".repeat(1024));
    assert_eq!(agent.send("POST", "/v1/asks", &large).status, 413);
}
