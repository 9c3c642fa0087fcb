//! Requests over HTTP in the log, each with an id that its response has, too.

use ask_config::clock;
use axum::extract::Request;
use axum::http::{Extensions, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use tracing::Instrument as _;

use super::reply;
use crate::http::Refused;

/// What a request is called in its response.
const REQUEST_ID: &str = "x-request-id";

/// What a request is called, in its response and in the log.
#[derive(Clone)]
pub struct RequestId(String);

impl RequestId {
    /// One that no request has yet.
    fn new() -> Self {
        let bytes = clock::random();
        let bytes = bytes.iter().take(8);
        Self(bytes.map(|byte| format!("{byte:02x}")).collect())
    }

    /// The one that a request has, if it came through [`log_request`].
    pub fn of(extensions: &Extensions) -> Option<&str> {
        extensions.get().map(|Self(id)| id.as_str())
    }
}

/// Names every request, and notes it in the log, whoever answers it.
pub async fn log_request(mut request: Request, next: Next) -> Response {
    let id = RequestId::new();
    let span = tracing::info_span!("http", request = %id.0);
    request.extensions_mut().insert(id.clone());
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let mut response = next.run(request).instrument(span.clone()).await;
    if let Some(refused) = response.extensions().get::<Refused>().cloned() {
        response = refused.response(response.status(), &id.0);
    }
    span.in_scope(|| note(&method, &path, response.status()));
    if let Ok(id) = HeaderValue::from_str(&id.0) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    reply::harden(&mut response);
    response
}

/// The query and the body of a request may hold somebody's words.
fn note(method: &Method, path: &str, status: StatusCode) {
    let status = status.as_u16();
    if status >= 500 {
        tracing::error!(%method, %path, status, "answered");
    } else {
        tracing::debug!(%method, %path, status, "answered");
    }
}
