//! Who may come in: requests for this machine, from no foreign web page, with the
//! token. Refusals are plain text that says what to do.

use std::future::poll_fn;
use std::pin::Pin;

use ask_core::dialect::text_json;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::Response;
use futures_core::Stream;

use super::{Guard, MAX_BODY_BYTES};

/// How many times the size of a request is read of one that is too large.
const PATIENTLY: usize = 8;

/// Refuses whoever may not come in.
pub fn check(guard: &Guard, uri: &Uri, headers: &HeaderMap) -> Result<(), Box<Response>> {
    let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or(""));
    let host = text(header::HOST).or_else(|| uri.authority().map(|authority| authority.as_str()));
    if !host.is_some_and(|host| is_one_of(&guard.hosts, host)) {
        return Err(refuse(
            StatusCode::FORBIDDEN,
            "this address is not one of this machine: use http://127.0.0.1, http://[::1] or http://localhost with the port",
        ));
    }
    let origin_fits = text(header::ORIGIN).is_none_or(|origin| {
        let page = origin.split_once("://");
        page.is_some_and(|(scheme, host)| {
            ["http", "https"].contains(&scheme) && is_one_of(&guard.origins, host)
        })
    });
    if !origin_fits {
        return Err(refuse(
            StatusCode::FORBIDDEN,
            "a web page of another site may not call this server",
        ));
    }
    let Some(token) = &guard.token else {
        return Ok(());
    };
    let given = text(header::AUTHORIZATION).and_then(|value| value.split_once(' '));
    let shown = given.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    match shown {
        Some((_, shown)) if same(shown.trim(), token) => Ok(()),
        Some(_) => Err(unauthorized("this is not the token", guard)),
        None => Err(unauthorized("a token is needed", guard)),
    }
}

fn unauthorized(what: &str, guard: &Guard) -> Box<Response> {
    let said = format!(
        "{what}: send the header `Authorization: Bearer TOKEN`. {}",
        guard.token_is
    );
    refuse(StatusCode::UNAUTHORIZED, said.trim_end())
}

fn refuse(status: StatusCode, said: &str) -> Box<Response> {
    Box::new(refusal(status, said))
}

/// A refusal as a person may meet it in a client's log.
pub fn refusal(status: StatusCode, said: &str) -> Response {
    let mut response = Response::new(Body::from(format!("{said}\n")));
    *response.status_mut() = status;
    let plain = header::HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, plain);
    response
}

/// Reads a body that is not too large. One that is gets read, too, because a client that is
/// refused while it still sends may never hear of it.
pub async fn read(body: Body) -> Result<Bytes, Box<Response>> {
    let mut coming = body.into_data_stream();
    let mut all = Vec::new();
    let mut length = 0;
    while let Some(more) = poll_fn(|context| Pin::new(&mut coming).poll_next(context)).await {
        let Ok(more) = more else {
            return Err(refuse(StatusCode::BAD_REQUEST, "the request broke off"));
        };
        length += more.len();
        if length > MAX_BODY_BYTES {
            all = Vec::new();
        } else {
            all.extend_from_slice(&more);
        }
        if length > PATIENTLY * MAX_BODY_BYTES {
            break;
        }
    }
    if length > MAX_BODY_BYTES {
        return Err(Box::new(too_large()));
    }
    Ok(Bytes::from(all))
}

/// Refuses what is not JSON as JSON-RPC does.
pub fn readable(body: &[u8]) -> Result<(), Box<Response>> {
    let text = String::from_utf8_lossy(body);
    if text_json(&text).is_ok() {
        return Ok(());
    }
    let said = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"the request is not JSON, or nested too deeply"}}"#;
    let mut refused = refusal(StatusCode::BAD_REQUEST, said);
    let json = header::HeaderValue::from_static("application/json");
    refused.headers_mut().insert(header::CONTENT_TYPE, json);
    Err(Box::new(refused))
}

fn too_large() -> Response {
    let said = format!(
        "the request has more than {MAX_BODY_BYTES} bytes, which is all that is read of one: send a shorter one"
    );
    refusal(StatusCode::PAYLOAD_TOO_LARGE, &said)
}

/// Whether an authority, on whatever port, is one of these hosts.
fn is_one_of(hosts: &[String], authority: &str) -> bool {
    let host = match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => authority,
    };
    hosts.iter().any(|known| known.eq_ignore_ascii_case(host))
}

/// Compares in a time that does not tell how much of it is right.
fn same(shown: &str, token: &str) -> bool {
    let (shown, token) = (shown.as_bytes(), token.as_bytes());
    let differences = shown.iter().zip(token).fold(0, |all, (one, other)| {
        std::hint::black_box(all | (one ^ other))
    });
    shown.len() == token.len() && differences == 0
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderName, HeaderValue};

    use super::*;

    fn status(headers: &[(HeaderName, &str)]) -> u16 {
        let guard = Guard {
            token: Some("secret".to_owned()),
            ..Guard::default()
        };
        let mut all = HeaderMap::new();
        for (name, value) in headers {
            all.insert(name, HeaderValue::from_str(value).unwrap());
        }
        match check(&guard, &Uri::from_static("/mcp"), &all) {
            Ok(()) => 200,
            Err(refused) => refused.status().as_u16(),
        }
    }

    #[test]
    fn this_machine_without_a_page_and_with_the_token_may_come_in() {
        use header::{AUTHORIZATION, HOST, ORIGIN};
        let token = (AUTHORIZATION, "Bearer secret");
        for host in [
            "127.0.0.1:4127",
            "localhost",
            "LOCALHOST:1",
            "[::1]:4127",
            "[::1]",
        ] {
            assert_eq!(status(&[(HOST, host), token.clone()]), 200, "{host}");
        }
        for host in [
            "evil.example",
            "localhost.evil.example:80",
            "",
            "127.0.0.1.nip.io",
        ] {
            assert_eq!(status(&[(HOST, host), token.clone()]), 403, "{host}");
        }
        let here = (HOST, "localhost:4127");
        for origin in [
            "http://localhost:3000",
            "http://127.0.0.1",
            "http://[::1]:5",
        ] {
            let headers = [here.clone(), (ORIGIN, origin), token.clone()];
            assert_eq!(status(&headers), 200, "{origin}");
        }
        for origin in [
            "http://evil.example",
            "null",
            "",
            "http://localhost:3000/x",
            "file://",
        ] {
            let headers = [here.clone(), (ORIGIN, origin), token.clone()];
            assert_eq!(status(&headers), 403, "{origin}");
        }
        for shown in [
            "Bearer secre",
            "Bearer secrets",
            "Bearer Secret",
            "Basic secret",
            "secret",
            "",
        ] {
            let headers = [here.clone(), (AUTHORIZATION, shown)];
            assert_eq!(status(&headers), 401, "{shown}");
        }
        assert_eq!(status(&[here, (AUTHORIZATION, "bearer  secret")]), 200);
    }
}
