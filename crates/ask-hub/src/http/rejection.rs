//! Why somebody is refused before a request is anybody's: problem documents as RFC 9457 has them, in the
//! words of the API.

use ask_protocol::api::ProblemDocument;
use ask_protocol::json_text;
use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;

use super::problem::ProblemKind;

/// What a refusal says; kept with its response, for whoever names that.
#[derive(Clone, Debug)]
pub struct Refused {
    kind: ProblemKind,
    said: String,
    /// Whether it says what would be taken.
    challenges: bool,
}

/// What whoever shows no token is asked for.
pub const BEARER: &str = "Bearer realm=\"ask-user\"";

impl Refused {
    /// A refusal as a program reads it, and a person in a client's log. `instance` names the request.
    pub fn response(self, status: StatusCode, instance: &str) -> Response {
        let mut response = Response::new(Body::from(self.document(status, instance)));
        *response.status_mut() = status;
        let problem = HeaderValue::from_static("application/problem+json");
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, problem);
        if self.challenges {
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
            &self.said,
            instance,
        ))
    }
}

/// What is written to a connection that there is no room for, of which nothing was read.
pub(crate) fn no_room(said: &str, seconds: u64) -> Vec<u8> {
    let refused = Refused {
        kind: ProblemKind::Overloaded,
        said: said.to_owned(),
        challenges: false,
    };
    let document = refused.document(StatusCode::SERVICE_UNAVAILABLE, "");
    let length = document.len();
    format!(
        "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/problem+json\r\n\
         content-length: {length}\r\nretry-after: {seconds}\r\nconnection: close\r\n\r\n{document}"
    )
    .into_bytes()
}

/// A refusal that nobody has named yet.
pub fn rejection(kind: ProblemKind, status: StatusCode, said: &str) -> Response {
    let refused = Refused {
        kind,
        said: said.to_owned(),
        challenges: false,
    };
    refused.response(status, "")
}

/// The same of whoever shows no token, with what would be taken, as HTTP wants it said. A client of MCP
/// would go looking for an OAuth server.
pub fn challenging(response: Response) -> Response {
    match response.extensions().get::<Refused>() {
        Some(refused) if refused.kind == ProblemKind::NoCredential => {
            let challenges = true;
            let refused = refused.clone();
            Refused {
                challenges,
                ..refused
            }
            .response(response.status(), "")
        }
        Some(_) | None => response,
    }
}
