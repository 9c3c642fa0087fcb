//! Requests over HTTP in the log, each with an id that its response has, too.

use ask_config::clock;
use ask_config::log::{self, Level};
use ask_core::SafeText;
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::Response;

use super::reply;
use crate::http::Refused;

/// What a request is called in its response.
pub const REQUEST_ID: &str = "x-request-id";

/// Names every request, and notes it in the log, whoever answers it.
pub async fn noted(request: Request, next: Next) -> Response {
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let mut response = next.run(request).await;
    if !response.headers().contains_key(REQUEST_ID) {
        let number = number();
        if let Some(refused) = response.extensions().get::<Refused>().cloned() {
            response = refused.response(response.status(), &number);
        }
        note(&number, method.as_str(), &path, response.status());
        if let Ok(number) = HeaderValue::from_str(&number) {
            response.headers_mut().insert(REQUEST_ID, number);
        }
        reply::harden(&mut response);
    }
    response
}

/// Notes a request in the log; its query and its body may hold somebody's words.
pub fn note(number: &str, method: &str, path: &str, status: StatusCode) {
    let level = match status.is_server_error() {
        true => Level::Error,
        false => Level::Debug,
    };
    let path = SafeText::line(path);
    let status = status.as_u16();
    let line = format!("http request={number} method={method} path={path} status={status}");
    log::say(level, &line);
}

/// Names a request, in its response and in the log.
pub fn number() -> String {
    let bytes = clock::random();
    bytes
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
