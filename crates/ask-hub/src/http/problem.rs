//! Why a request failed: problem documents (RFC 9457).

use ask_core::Record;
use ask_protocol::api::{ProblemDocument, RecordView, Wrong};
use ask_protocol::ipc::{self, ErrorKind};
use ask_protocol::json_text;
use ask_protocol::native::Malformed;
use axum::Extension;
use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::limits::TooMany;
use super::reply;
use crate::client::{LimitReached, StoreFailed};

/// The kinds of problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// No token or cookie, or an invalid one.
    NoCredential,
    /// An invalid or used one-time key.
    WrongKey,
    /// A credential without the scope for this request.
    WrongScope,
    /// The person's settings don't allow answers from this origin.
    NotAllowed,
    /// Devices are turned off at the moment.
    DevicesOff,
    /// A web page of another site.
    ForeignOrigin,
    /// A cookie without the header that only the hub's page sends.
    NoCsrfHeader,
    /// A `Host` that is not a name of this machine.
    ForeignHost,
    /// No such ask or file.
    NotFound,
    /// Several asks begin with this prefix.
    Ambiguous,
    /// No route has this path.
    NoRoute,
    /// The path exists for other methods.
    MethodNotAllowed,
    /// The ask was closed before.
    Closed,
    /// Another draft was saved meanwhile.
    DraftChanged,
    /// The ask is not open, or doesn't allow this change.
    NotWaiting,
    /// The ask is still open.
    StillOpen,
    /// Pairing is not possible there, or not with these settings.
    PairingUnavailable,
    /// No agent has received the outcome.
    Undelivered,
    /// The idempotency key belongs to another request.
    KeyReused,
    /// The call can't become an ask.
    InvalidAsk,
    /// The answer doesn't fit the questions.
    InvalidAnswer,
    /// A time or a file can't be accepted.
    InvalidValue,
    /// The request can't be parsed.
    Malformed,
    /// The request is too large.
    TooLarge,
    /// The rate limit is reached.
    TooMany,
    /// The disk took too long.
    StorageTimeout,
    /// The store can't be read or written.
    StorageFailed,
    /// The hub can't be reached.
    HubUnavailable,
    /// A program of another account of this machine.
    ForeignAccount,
    /// The limit on connections is reached.
    Overloaded,
}

impl ProblemKind {
    /// The problem type's last path segment, the status, and the title.
    pub fn row(self) -> (&'static str, u16, &'static str) {
        match self {
            Self::NoCredential => (
                "no-credential",
                401,
                "Unauthorized: a token or a cookie is needed",
            ),
            Self::WrongKey => ("wrong-key", 401, "Unauthorized: the key is not valid"),
            Self::WrongScope => (
                "wrong-scope",
                403,
                "Forbidden: this credential may not do that",
            ),
            Self::NotAllowed => (
                "not-allowed",
                403,
                "Forbidden: no answer is taken from there",
            ),
            Self::DevicesOff => ("devices-off", 403, "Forbidden: devices are turned off"),
            Self::ForeignOrigin => ("foreign-origin", 403, "Forbidden: a page of another site"),
            Self::NoCsrfHeader => (
                "no-csrf-header",
                403,
                "Forbidden: the header of the page is missing",
            ),
            Self::ForeignAccount => (
                "foreign-account",
                403,
                "Forbidden: a program of another account",
            ),
            Self::ForeignHost => (
                "foreign-host",
                421,
                "Misdirected request: not a host name of the hub",
            ),
            Self::NotFound => ("not-found", 404, "Not found"),
            Self::Ambiguous => ("ambiguous", 404, "Not found: several asks begin like that"),
            Self::NoRoute => ("no-route", 404, "Not found: no such path"),
            Self::MethodNotAllowed => ("method-not-allowed", 405, "Method not allowed"),
            Self::Closed => ("closed", 409, "Conflict: the ask is already closed"),
            Self::DraftChanged => (
                "draft-changed",
                409,
                "Conflict: another draft was saved meanwhile",
            ),
            Self::NotWaiting => (
                "not-waiting",
                409,
                "Conflict: the state of the ask does not allow that",
            ),
            Self::StillOpen => ("still-open", 409, "Conflict: the ask is still open"),
            Self::PairingUnavailable => (
                "pairing-unavailable",
                409,
                "Conflict: pairing is not possible with these settings",
            ),
            Self::Undelivered => (
                "undelivered",
                409,
                "Conflict: no agent has received the outcome",
            ),
            Self::KeyReused => (
                "key-reused",
                422,
                "Unprocessable content: the key belongs to another request",
            ),
            Self::InvalidAsk => (
                "invalid-ask",
                422,
                "Unprocessable content: the ask is not valid",
            ),
            Self::InvalidValue => (
                "invalid-value",
                422,
                "Unprocessable content: a value is not accepted",
            ),
            Self::InvalidAnswer => (
                "invalid-answer",
                422,
                "Unprocessable content: the answer does not fit the questions",
            ),
            Self::Malformed => ("malformed", 400, "Bad request"),
            Self::TooLarge => ("too-large", 413, "Content too large"),
            Self::TooMany => ("too-many", 429, "Too many requests"),
            Self::StorageTimeout => (
                "storage-timeout",
                503,
                "Service unavailable: the disk does not respond",
            ),
            Self::StorageFailed => (
                "storage-failed",
                503,
                "Service unavailable: the store cannot be written",
            ),
            Self::HubUnavailable => (
                "hub-unavailable",
                503,
                "Service unavailable: the hub cannot be reached",
            ),
            Self::Overloaded => (
                "overloaded",
                503,
                "Service unavailable: too many connections",
            ),
        }
    }
}

/// Why a request failed. A handler's response carries it as an extension, and the layer that knows
/// the request's id replaces the body with the document.
#[derive(Clone)]
pub struct Problem(Box<Details>);

#[derive(Clone)]
struct Details {
    kind: ProblemKind,
    detail: String,
    record: Option<Record>,
    problems: Vec<Wrong>,
    /// How many attempts are left, and whether another code follows them.
    tries: Option<(u32, bool)>,
    /// Whether the hub has counted it already.
    is_counted: bool,
    headers: Vec<(HeaderName, String)>,
}

impl Problem {
    /// A problem with this detail.
    pub fn new(kind: ProblemKind, detail: impl Into<String>) -> Self {
        Self(Box::new(Details {
            kind,
            detail: detail.into(),
            record: None,
            problems: Vec::new(),
            tries: None,
            is_counted: false,
            headers: Vec::new(),
        }))
    }

    /// A 405 with the allowed methods, in `Allow` too.
    pub fn method_not_allowed(methods: &[&str]) -> Self {
        let methods = methods.join(", ");
        let problem = Self::new(ProblemKind::MethodNotAllowed, format!("use {methods}"));
        problem.with_header(header::ALLOW, methods)
    }

    /// A 429 with `Retry-After` in seconds.
    pub fn too_many(detail: impl Into<String>, seconds: u64) -> Self {
        let problem = Self::new(ProblemKind::TooMany, detail);
        problem.with_header(header::RETRY_AFTER, seconds.to_string())
    }

    /// Adds `WWW-Authenticate` with the credential that the client may send.
    pub fn with_challenge(self, challenge: &str) -> Self {
        self.with_header(header::WWW_AUTHENTICATE, challenge.to_owned())
    }

    /// Removes `WWW-Authenticate`. On a wrong path, that header makes agents' clients look for an
    /// OAuth server.
    pub fn without_challenge(mut self) -> Self {
        let is_challenge = |name: &HeaderName| *name == header::WWW_AUTHENTICATE;
        self.0.headers.retain(|(name, _)| !is_challenge(name));
        self
    }

    /// Sets a header, and replaces one of that name.
    pub fn with_header(mut self, name: HeaderName, value: String) -> Self {
        self.0.headers.retain(|(known, _)| *known != name);
        self.0.headers.push((name, value));
        self
    }

    /// A problem about an ask, with its current record.
    pub(crate) fn with_ask(kind: ProblemKind, detail: impl Into<String>, record: Record) -> Self {
        let mut problem = Self::new(kind, detail);
        problem.0.record = Some(record);
        problem
    }

    /// A problem for a response of the hub that doesn't fit the request. Logs the response's name.
    pub fn unexpected_response(response: &ipc::Response) -> Self {
        tracing::error!("the hub sent an unexpected response: {}", response.name());
        Self::new(
            ProblemKind::HubUnavailable,
            "The hub sent an unexpected response. hub.log has details.",
        )
    }

    /// The kind under which to count it; `None` if it was counted already.
    pub fn metric_kind(&self) -> Option<&'static str> {
        (!self.0.is_counted).then_some(self.0.kind.row().0)
    }

    /// Copies from another problem whether it was counted.
    pub fn counted_like(mut self, other: &Self) -> Self {
        self.0.is_counted = other.0.is_counted;
        self
    }

    /// Replaces [`ProblemKind::NotWaiting`], the hub's fault for an impossible request, where the
    /// request isn't about an ask.
    pub fn without_ask(mut self, kind: ProblemKind) -> Self {
        if self.0.kind == ProblemKind::NotWaiting {
            self.0.kind = kind;
        }
        self
    }

    /// Adds the list of wrong places.
    pub fn with_problems(mut self, problems: Vec<Wrong>) -> Self {
        self.0.problems = problems;
        self
    }

    /// Adds how many attempts are left, and whether another code follows them.
    pub fn with_tries(mut self, tries: Option<(u32, bool)>) -> Self {
        self.0.tries = tries;
        self
    }

    /// The kind of this problem.
    pub fn kind(&self) -> ProblemKind {
        self.0.kind
    }

    /// The HTTP status of its kind.
    pub fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.0.kind.row().1).unwrap_or_default()
    }

    /// The document (RFC 9457, section 3). `instance` names the request.
    pub fn to_document<'a>(&'a self, instance: &'a str) -> ProblemDocument<'a> {
        let details = &self.0;
        let (kind, status, title) = details.kind.row();
        let (tries_left, another_code) = details.tries.unzip();
        let view = |record| RecordView::whole(record, ask_dialects::reply_text(record));
        ProblemDocument {
            record: details.record.as_ref().map(view),
            problems: (!details.problems.is_empty()).then_some(&details.problems),
            tries_left,
            another_code,
            ..ProblemDocument::new(kind, status, title, &details.detail, instance)
        }
    }

    /// The whole response. `instance` names the request.
    pub fn into_document(self, instance: &str) -> Response {
        let status = self.status();
        let document = json_text(&self.to_document(instance));
        let mut response = Response::new(Body::from(document));
        *response.status_mut() = status;
        reply::set_content_type(&mut response, "application/problem+json");
        for (name, value) in self.0.headers {
            if let Ok(value) = HeaderValue::from_str(&value) {
                response.headers_mut().insert(name, value);
            }
        }
        response
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        (self.status(), Extension(self)).into_response()
    }
}

impl From<(ErrorKind, String)> for Problem {
    fn from((fault, text): (ErrorKind, String)) -> Self {
        let kind = match fault {
            ErrorKind::NotFound => ProblemKind::NotFound,
            ErrorKind::Ambiguous => ProblemKind::Ambiguous,
            ErrorKind::Unfinished => ProblemKind::InvalidAnswer,
            ErrorKind::Unfit => ProblemKind::InvalidValue,
            // The hub uses this fault for requests that the ask's state doesn't allow.
            ErrorKind::Malformed => ProblemKind::NotWaiting,
            ErrorKind::StillOpen => ProblemKind::StillOpen,
            ErrorKind::Undelivered => ProblemKind::Undelivered,
            ErrorKind::NotAllowed => ProblemKind::NotAllowed,
            ErrorKind::TooMany => ProblemKind::TooMany,
            ErrorKind::Store => ProblemKind::StorageFailed,
        };
        let mut problem = match fault {
            // The limit is on open asks, so a person has to answer first.
            ErrorKind::TooMany => Self::too_many(text, 60),
            _ => Self::new(kind, text),
        };
        problem.0.is_counted = true;
        problem
    }
}

impl From<TooMany> for Problem {
    fn from(too_many: TooMany) -> Self {
        Self::too_many(too_many.to_string(), too_many.seconds)
    }
}

impl From<Malformed> for Problem {
    fn from(malformed: Malformed) -> Self {
        Self::new(ProblemKind::Malformed, malformed.0)
    }
}

impl From<anyhow::Error> for Problem {
    fn from(error: anyhow::Error) -> Self {
        let kind = if error.is::<StoreFailed>() {
            ProblemKind::StorageFailed
        } else if error.is::<LimitReached>() {
            ProblemKind::TooMany
        } else {
            ProblemKind::HubUnavailable
        };
        Self::new(kind, format!("{error:#}"))
    }
}
