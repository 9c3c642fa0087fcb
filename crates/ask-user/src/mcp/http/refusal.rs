//! Why somebody is refused before a request is anybody's: problem documents as RFC 9457 has them, in the
//! words of the API.

use ask_core::dialect::api::{self, Trouble};
use ask_core::dialect::{Json, json_text};
use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;

/// Why somebody is refused: by the words that the API has for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// No token, or none that holds.
    NoCredential,
    /// A name that is not one of this machine.
    ForeignHost,
    /// A page of another site.
    ForeignOrigin,
    /// No such path.
    NoRoute,
    /// It can't be read.
    Malformed,
    /// It is too large.
    TooLarge,
    /// The desk can't be reached.
    NoHub,
}

impl Why {
    fn row(self) -> (&'static str, &'static str) {
        match self {
            Self::NoCredential => ("no-credential", "A credential is needed"),
            Self::ForeignHost => ("foreign-host", "This is not the host of that name"),
            Self::ForeignOrigin => ("foreign-origin", "Another site may not do that"),
            Self::NoRoute => ("no-route", "There is nothing here"),
            Self::Malformed => ("malformed", "It can't be read"),
            Self::TooLarge => ("too-large", "It is too large"),
            Self::NoHub => ("no-hub", "The hub can't be reached"),
        }
    }
}

/// What a refusal says; kept with its response, for whoever names that.
#[derive(Clone, Debug)]
pub struct Refused {
    why: Why,
    said: String,
}

impl Refused {
    /// A refusal as a program reads it, and a person in a client's log. `instance` names the request.
    pub fn response(self, status: StatusCode, instance: &str) -> Response {
        let (kind, title) = self.why.row();
        let document = api::write_trouble(&Trouble {
            kind,
            status: status.as_u16(),
            title,
            detail: &self.said,
            instance,
            record: None,
            problems: Json::Null,
            tries: None,
        });
        let mut response = Response::new(Body::from(json_text(&document)));
        *response.status_mut() = status;
        let problem = HeaderValue::from_static("application/problem+json");
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, problem);
        response.extensions_mut().insert(self);
        response
    }
}

/// A refusal that nobody has named yet.
pub fn refusal(why: Why, status: StatusCode, said: &str) -> Response {
    let said = said.to_owned();
    Refused { why, said }.response(status, "")
}
