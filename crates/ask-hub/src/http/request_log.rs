//! The log of HTTP requests. Each has an id, which its response carries too.

use ask_config::clock;
use ask_core::secret::hex;
use axum::extract::Request;
use axum::http::{Extensions, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use tracing::Instrument as _;

use super::reply;
use crate::http::Rejection;

/// The response header with the request's id.
const REQUEST_ID: &str = "x-request-id";

/// A request's id, in its response and in the log.
#[derive(Clone)]
pub struct RequestId(String);

impl RequestId {
    /// A new random id.
    fn new() -> Self {
        Self(hex(&clock::random()[..8]))
    }

    /// The id of a request that came through [`log_request`].
    pub fn from_extensions(extensions: &Extensions) -> Option<&str> {
        extensions.get().map(|Self(id)| id.as_str())
    }
}

/// Gives every request an id, logs its response, and adds the common headers.
pub async fn log_request(mut request: Request, next: Next) -> Response {
    let id = RequestId::new();
    let span = tracing::info_span!("http", request = %id.0);
    request.extensions_mut().insert(id.clone());
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let mut response = next.run(request).instrument(span.clone()).await;
    if let Some(rejection) = response.extensions().get::<Rejection>().cloned() {
        response = rejection.response(response.status(), &id.0);
    }
    span.in_scope(|| log_response(&method, &path, response.status()));
    if let Ok(id) = HeaderValue::from_str(&id.0) {
        response.headers_mut().insert(REQUEST_ID, id);
    }
    reply::add_default_headers(&mut response);
    response
}

/// Logs the method, path and status. The query and the body are left out, because they may
/// contain text that a person or an agent wrote.
fn log_response(method: &Method, path: &str, status: StatusCode) {
    let status = status.as_u16();
    if status >= 500 {
        tracing::error!(%method, %path, status, "answered");
    } else {
        tracing::debug!(%method, %path, status, "answered");
    }
}
