//! Checks before a request is handled: it must name this machine, must not come from a web page of
//! another site, and must carry the token. Refusals are problem documents (RFC 9457).

use std::future::poll_fn;
use std::pin::Pin;

use ask_core::Json;
use ask_core::secret::same;
use ask_protocol::api::{bearer, is_one_of, origin_host};
use ask_protocol::{json_text, text_json};
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::Response;
use futures_core::Stream;

use super::Guard;
use super::problem::ProblemKind;
use super::rejection::rejection;

/// A body is read up to this multiple of the limit, so that its client gets the refusal.
const READ_FACTOR: usize = 4;

/// Checks the host, the origin and the token of a request.
///
/// # Errors
/// The response to a request that is refused.
pub fn check_request(guard: &Guard, uri: &Uri, headers: &HeaderMap) -> Result<(), Box<Response>> {
    let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or(""));
    let are_ours = |hosts: Vec<&str>| hosts.iter().all(|host| is_one_of(&guard.hosts, host));
    if !named_hosts(uri, headers).is_some_and(are_ours) {
        return Err(refuse(
            ProblemKind::ForeignHost,
            StatusCode::FORBIDDEN,
            "this address is not one of this machine: use http://127.0.0.1, http://[::1] or http://localhost with the port",
        ));
    }
    // Browsers send one, whatever a proxy adds.
    let mut origins = headers.get_all(header::ORIGIN).iter();
    let origin_fits = origins.all(|origin| {
        let host = origin_host(origin.to_str().unwrap_or(""), &["http", "https"]);
        host.is_some_and(|host| is_one_of(&guard.origins, host))
    });
    if !origin_fits {
        return Err(refuse(
            ProblemKind::ForeignOrigin,
            StatusCode::FORBIDDEN,
            "a web page of another site may not call this server",
        ));
    }
    let Some(token) = &guard.token else {
        return Ok(());
    };
    match text(header::AUTHORIZATION).and_then(bearer) {
        Some(sent) if same(sent, token) => Ok(()),
        Some(_) => Err(unauthorized("this is not the token", guard)),
        None => Err(unauthorized("a token is needed", guard)),
    }
}

/// The hosts that a request names, in its `Host` header and in its target. `None` if there is no
/// host, or if there is more than one `Host` header: another server could read the other one (RFC
/// 9112, section 3.2).
pub fn named_hosts<'a>(uri: &'a Uri, headers: &'a HeaderMap) -> Option<Vec<&'a str>> {
    let mut hosts = headers.get_all(header::HOST).iter();
    let first = hosts.next().map(|value| value.to_str().unwrap_or(""));
    let target = uri.authority().map(|authority| authority.as_str());
    let named: Vec<&str> = first.into_iter().chain(target).collect();
    (hosts.next().is_none() && !named.is_empty()).then_some(named)
}

fn unauthorized(problem: &str, guard: &Guard) -> Box<Response> {
    let detail = format!(
        "{problem}: send the header `Authorization: Bearer TOKEN`. {}",
        guard.token_hint
    );
    refuse(
        ProblemKind::NoCredential,
        StatusCode::UNAUTHORIZED,
        detail.trim_end(),
    )
}

fn refuse(kind: ProblemKind, status: StatusCode, detail: &str) -> Box<Response> {
    Box::new(rejection(kind, status, detail))
}

/// Reads a body, also if it exceeds the limit, up to a multiple of it. A tool call that is too
/// large gets a reply of its own protocol, and a client that is refused while it still sends may
/// not read the reply.
pub async fn read_body(body: Body, max_bytes: usize) -> Result<Bytes, Box<Response>> {
    let mut stream = body.into_data_stream();
    let mut bytes = Vec::new();
    while let Some(chunk) = poll_fn(|context| Pin::new(&mut stream).poll_next(context)).await {
        let Ok(chunk) = chunk else {
            let detail = "the request ended before its body was complete: send it again";
            return Err(refuse(
                ProblemKind::Malformed,
                StatusCode::BAD_REQUEST,
                detail,
            ));
        };
        if bytes.len() + chunk.len() > READ_FACTOR * max_bytes {
            return Err(Box::new(too_large(max_bytes)));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(Bytes::from(bytes))
}

/// A tool call without its arguments, small enough to be handled; `None` for any other message.
pub fn without_arguments(body: &[u8]) -> Option<Bytes> {
    let mut message = text_json(&String::from_utf8_lossy(body)).ok()?;
    if message.get("method")?.as_str()? != "tools/call" {
        return None;
    }
    message.get("id")?;
    let arguments = message.get_mut("params")?.get_mut("arguments")?;
    *arguments = Json::Object(Default::default());
    let cut = json_text(&message).into_bytes();
    (cut.len() < body.len()).then(|| Bytes::from(cut))
}

/// Whether a message begins an MCP session: its method is `initialize`.
pub fn is_initialize(body: &[u8]) -> bool {
    let message = text_json(&String::from_utf8_lossy(body));
    message.is_ok_and(|message| {
        message
            .get("method")
            .is_some_and(|method| method == "initialize")
    })
}

/// Refuses a body that isn't JSON with a parse error of JSON-RPC 2.0 (section 5.1, -32700).
pub fn check_json(body: &[u8]) -> Result<(), Box<Response>> {
    let text = String::from_utf8_lossy(body);
    if text_json(&text).is_ok() {
        return Ok(());
    }
    let error = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"the request is not JSON, or nested too deeply"}}"#;
    let mut response = Response::new(Body::from(error));
    *response.status_mut() = StatusCode::BAD_REQUEST;
    let json = header::HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, json);
    Err(Box::new(response))
}

/// The response to a request that is too large.
pub fn too_large(max_bytes: usize) -> Response {
    let detail = format!(
        "the request has more than {max_bytes} bytes, which is the limit: send a shorter one"
    );
    rejection(
        ProblemKind::TooLarge,
        StatusCode::PAYLOAD_TOO_LARGE,
        &detail,
    )
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
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.insert(name, HeaderValue::from_str(value).unwrap());
        }
        match check_request(&guard, &Uri::from_static("/mcp"), &map) {
            Ok(()) => 200,
            Err(response) => response.status().as_u16(),
        }
    }

    #[test]
    fn only_requests_to_this_machine_with_the_token_and_without_a_foreign_page_are_admitted() {
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
        let two = ["http://127.0.0.1", "http://evil.example"].map(|origin| (ORIGIN, origin));
        assert_eq!(
            status(&[here.clone(), two[0].clone(), two[1].clone(), token.clone()]),
            403
        );
        for sent in [
            "Bearer secre",
            "Bearer secrets",
            "Bearer Secret",
            "Basic secret",
            "secret",
            "",
        ] {
            let headers = [here.clone(), (AUTHORIZATION, sent)];
            assert_eq!(status(&headers), 401, "{sent}");
        }
        assert_eq!(status(&[here, (AUTHORIZATION, "bearer  secret")]), 200);
    }
}
