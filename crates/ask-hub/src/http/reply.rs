//! Responses, with headers that restrict what a browser does with them.

use ask_protocol::json_text;
use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use serde::Serialize;

/// The content security policy of everything that is not a page: it forbids everything.
const CSP_NOTHING: &str = "default-src 'none'; frame-ancestors 'none'";

/// Headers of every response that doesn't set them itself.
const DEFAULT_HEADERS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, CSP_NOTHING),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    // Other sites receive no referrer. A stricter policy would make browsers send `Origin: null`
    // with the page's own form.
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

/// Adds the headers that every response has.
pub fn add_default_headers(response: &mut Response) {
    for (name, value) in DEFAULT_HEADERS {
        let headers = response.headers_mut();
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    }
}

/// Sets the content type.
pub fn set_content_type(response: &mut Response, content_type: &'static str) {
    let content_type = HeaderValue::from_static(content_type);
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, content_type);
}

/// A response with a JSON body.
pub fn json(value: &impl Serialize) -> Response {
    let mut response = Response::new(Body::from(json_text(value)));
    set_content_type(&mut response, "application/json");
    response
}

/// A response with a JSON body and another status.
pub fn json_with_status(status: StatusCode, value: &impl Serialize) -> Response {
    let mut response = json(value);
    *response.status_mut() = status;
    response
}

/// A response with a text body.
pub fn text(text: impl Into<Body>) -> Response {
    let mut response = Response::new(text.into());
    set_content_type(&mut response, "text/plain; charset=utf-8");
    response
}

/// A response without a body (204).
pub fn no_content() -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    response
}
