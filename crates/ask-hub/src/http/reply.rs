//! Responses, with the headers that let nobody else do anything with them.

use ask_protocol::json_text;
use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use serde::Serialize;

/// What a browser may do with what is no page: nothing.
const NOTHING: &str = "default-src 'none'; frame-ancestors 'none'";

/// Headers that every response has, unless it says otherwise itself.
const ALWAYS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, NOTHING),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    // Other sites are told nothing. With less, a browser says of our own form that it is from nowhere.
    (header::REFERRER_POLICY, "same-origin"),
    (header::CACHE_CONTROL, "no-store"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];

/// Adds what every response has.
pub fn harden(response: &mut Response) {
    for (name, value) in ALWAYS {
        let headers = response.headers_mut();
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    }
}

/// Says what a response holds.
pub fn kind(response: &mut Response, kind: &'static str) {
    let kind = HeaderValue::from_static(kind);
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
}

/// A value.
pub fn json(value: &impl Serialize) -> Response {
    let mut response = Response::new(Body::from(json_text(value)));
    kind(&mut response, "application/json");
    response
}

/// A value with another status.
pub fn json_as(status: StatusCode, value: &impl Serialize) -> Response {
    let mut response = json(value);
    *response.status_mut() = status;
    response
}

/// A text.
pub fn text(text: impl Into<Body>) -> Response {
    let mut response = Response::new(text.into());
    kind(&mut response, "text/plain; charset=utf-8");
    response
}

/// Done, and there is nothing to say.
pub fn done() -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    response
}
