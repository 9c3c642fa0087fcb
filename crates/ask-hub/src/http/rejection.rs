//! Refusals before a request reaches a handler, as problem documents (RFC 9457).

use ask_protocol::api::ProblemDocument;
use ask_protocol::json_text;
use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;

use super::problem::ProblemKind;

/// A refusal. It is an extension of its response, so that the request's id can be filled in later.
#[derive(Clone, Debug)]
pub struct Rejection {
    kind: ProblemKind,
    detail: String,
    /// Whether the response has `WWW-Authenticate`.
    with_challenge: bool,
}

/// The challenge to a request without a token (RFC 6750, section 3).
pub const BEARER: &str = "Bearer realm=\"ask-user\"";

impl Rejection {
    /// The response. `instance` names the request.
    pub fn response(self, status: StatusCode, instance: &str) -> Response {
        let mut response = Response::new(Body::from(self.document(status, instance)));
        *response.status_mut() = status;
        let problem = HeaderValue::from_static("application/problem+json");
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, problem);
        if self.with_challenge {
            let bearer = HeaderValue::from_static(BEARER);
            headers.insert(header::WWW_AUTHENTICATE, bearer);
        }
        response.extensions_mut().insert(self);
        response
    }

    fn document(&self, status: StatusCode, instance: &str) -> String {
        let (kind, _, title) = self.kind.row();
        json_text(&ProblemDocument::new(
            kind,
            status.as_u16(),
            title,
            &self.detail,
            instance,
        ))
    }
}

/// The raw response to an excess connection. Nothing was read from it, so no HTTP library is
/// involved.
pub(crate) fn overloaded_response(detail: &str, seconds: u64) -> Vec<u8> {
    let rejection = Rejection {
        kind: ProblemKind::Overloaded,
        detail: detail.to_owned(),
        with_challenge: false,
    };
    let document = rejection.document(StatusCode::SERVICE_UNAVAILABLE, "");
    let length = document.len();
    format!(
        "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/problem+json\r\n\
         content-length: {length}\r\nretry-after: {seconds}\r\nconnection: close\r\n\r\n{document}"
    )
    .into_bytes()
}

/// A refusal whose request has no id yet.
pub fn rejection(kind: ProblemKind, status: StatusCode, detail: &str) -> Response {
    let rejection = Rejection {
        kind,
        detail: detail.to_owned(),
        with_challenge: false,
    };
    rejection.response(status, "")
}

/// Adds the challenge to a refusal for a missing token, as RFC 9110, section 15.5.2, requires. MCP
/// endpoints leave it out: their clients would look for an OAuth server.
pub fn add_challenge(response: Response) -> Response {
    match response.extensions().get::<Rejection>() {
        Some(rejection) if rejection.kind == ProblemKind::NoCredential => {
            let rejection = Rejection {
                with_challenge: true,
                ..rejection.clone()
            };
            rejection.response(response.status(), "")
        }
        Some(_) | None => response,
    }
}
