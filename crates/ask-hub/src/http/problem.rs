//! Why a request failed: problem documents as RFC 9457 has them.

use ask_core::Record;
use ask_protocol::api::{ProblemDocument, RecordView, Wrong};
use ask_protocol::ipc::{self, Fault};
use ask_protocol::json_text;
use ask_protocol::native::Malformed;
use axum::Extension;
use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::limits::TooMany;
use super::reply;
use crate::client::{CannotKeep, TooMuch};

/// The kinds of problem there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// No token, no cookie, or none that holds.
    NoCredential,
    /// A one-time key that opens nothing.
    WrongKey,
    /// A token that may not do this.
    WrongScope,
    /// The person's settings take no answer from there.
    NotAllowed,
    /// No device may come at the moment.
    DevicesOff,
    /// A page of another site.
    ForeignOrigin,
    /// A cookie without the header that only our page sends.
    NoCsrfHeader,
    /// A name that is not one of this machine.
    ForeignHost,
    /// No such ask, or file.
    NotFound,
    /// Several asks begin so.
    Ambiguous,
    /// No such path.
    NoRoute,
    /// A path with other methods.
    MethodNotAllowed,
    /// It was closed before.
    Closed,
    /// Somebody saved another draft since.
    DraftChanged,
    /// It waits no more, or still does, or can't be changed so.
    NotWaiting,
    /// Devices can't come there, or not as was meant.
    PairingUnavailable,
    /// No agent has been told how it ended.
    Undelivered,
    /// A key that names another attempt.
    KeyReused,
    /// What was sent does not fit the questions.
    InvalidAnswer,
    /// What was sent can't be read.
    Malformed,
    /// What was sent is too large.
    TooLarge,
    /// Too much was asked in a minute.
    TooMany,
    /// A disk took too long.
    StorageTimeout,
    /// The store failed.
    StorageFailed,
    /// The hub can't be reached.
    HubUnavailable,
    /// A program of another account of this machine.
    ForeignAccount,
    /// There are too many connections.
    Overloaded,
}

impl ProblemKind {
    /// Its name for programs, its status, and its name for people.
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

/// Why a request failed. As a response of a handler it is an extension of it, and whoever knows the
/// request's id puts the document in its place.
#[derive(Clone)]
pub struct Problem(Box<Told>);

#[derive(Clone)]
struct Told {
    kind: ProblemKind,
    detail: String,
    record: Option<Record>,
    problems: Vec<Wrong>,
    /// How many tries are left, and whether something else can be tried after them.
    tries: Option<(u32, bool)>,
    /// Whether the desk has counted it already.
    is_counted: bool,
    headers: Vec<(HeaderName, String)>,
}

impl Problem {
    /// A problem that is said in words.
    pub fn new(kind: ProblemKind, detail: impl Into<String>) -> Self {
        Self(Box::new(Told {
            kind,
            detail: detail.into(),
            record: None,
            problems: Vec::new(),
            tries: None,
            is_counted: false,
            headers: Vec::new(),
        }))
    }

    /// Other methods would do.
    pub fn method(methods: &[&str]) -> Self {
        let methods = methods.join(", ");
        let problem = Self::new(ProblemKind::MethodNotAllowed, format!("use {methods}"));
        problem.with_header(header::ALLOW, methods)
    }

    /// It may be tried again after so many seconds.
    pub fn too_many(detail: impl Into<String>, seconds: u64) -> Self {
        let problem = Self::new(ProblemKind::TooMany, detail);
        problem.with_header(header::RETRY_AFTER, seconds.to_string())
    }

    /// With the credential that the client may send, in `WWW-Authenticate`.
    pub fn challenging(self, challenge: &str) -> Self {
        self.with_header(header::WWW_AUTHENTICATE, challenge.to_owned())
    }

    /// Without that: an agent's client at a wrong address would go looking for an OAuth server.
    pub fn unchallenging(mut self) -> Self {
        let is_challenge = |name: &HeaderName| *name == header::WWW_AUTHENTICATE;
        self.0.headers.retain(|(name, _)| !is_challenge(name));
        self
    }

    /// With a header, in place of one of that name.
    pub fn with_header(mut self, name: HeaderName, value: String) -> Self {
        self.0.headers.retain(|(known, _)| *known != name);
        self.0.headers.push((name, value));
        self
    }

    /// About an ask that stands so.
    pub fn about(kind: ProblemKind, detail: impl Into<String>, record: Record) -> Self {
        let mut problem = Self::new(kind, detail);
        problem.0.record = Some(record);
        problem
    }

    /// The desk said something else than it was asked.
    pub fn odd(said: &ipc::Response) -> Self {
        let text = format!("the hub said something unexpected: {said:?}");
        Self::new(
            ProblemKind::HubUnavailable,
            text.chars().take(200).collect::<String>(),
        )
    }

    /// What it is counted as, unless it was.
    pub fn counts_as(&self) -> Option<&'static str> {
        (!self.0.is_counted).then_some(self.0.kind.row().0)
    }

    /// The same in place of another one, which may have been counted already.
    pub fn for_another(mut self, other: &Self) -> Self {
        self.0.is_counted = other.0.is_counted;
        self
    }

    /// Another kind of what the desk calls impossible as things stand: what is wanted is no ask.
    pub fn of_no_ask(mut self, kind: ProblemKind) -> Self {
        if self.0.kind == ProblemKind::NotWaiting {
            self.0.kind = kind;
        }
        self
    }

    /// With what is wrong, one by one.
    pub fn naming(mut self, problems: Vec<Wrong>) -> Self {
        self.0.problems = problems;
        self
    }

    /// With how many tries are left, and whether another code follows them.
    pub fn with_tries(mut self, tries: Option<(u32, bool)>) -> Self {
        self.0.tries = tries;
        self
    }

    /// What kind it is.
    pub fn kind(&self) -> ProblemKind {
        self.0.kind
    }

    /// Its status.
    pub fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.0.kind.row().1).unwrap_or_default()
    }

    /// As a document tells it.
    pub fn trouble<'told>(&'told self, instance: &'told str) -> ProblemDocument<'told> {
        let told = &self.0;
        let (kind, status, title) = told.kind.row();
        let (tries_left, another_code) = told.tries.unzip();
        let view = |record| RecordView::whole(record, ask_dialects::reply_text(record));
        ProblemDocument {
            record: told.record.as_ref().map(view),
            problems: (!told.problems.is_empty()).then_some(&told.problems),
            tries_left,
            another_code,
            ..ProblemDocument::new(kind, status, title, &told.detail, instance)
        }
    }

    /// As the client is told.
    pub fn document(self, instance: &str) -> Response {
        let status = self.status();
        let document = json_text(&self.trouble(instance));
        let mut response = Response::new(Body::from(document));
        *response.status_mut() = status;
        reply::kind(&mut response, "application/problem+json");
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

impl From<(Fault, String)> for Problem {
    fn from((fault, text): (Fault, String)) -> Self {
        let kind = match fault {
            Fault::NotFound => ProblemKind::NotFound,
            Fault::Ambiguous => ProblemKind::Ambiguous,
            Fault::Unfinished | Fault::Unfit => ProblemKind::InvalidAnswer,
            // The desk says so of what can't be done as things stand.
            Fault::Malformed => ProblemKind::NotWaiting,
            Fault::Undelivered => ProblemKind::Undelivered,
            Fault::NotAllowed => ProblemKind::NotAllowed,
            Fault::TooMany => ProblemKind::TooMany,
            Fault::Store => ProblemKind::StorageFailed,
        };
        let mut problem = match fault {
            // Somebody has to answer first.
            Fault::TooMany => Self::too_many(text, 60),
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
        let kind = if error.is::<CannotKeep>() {
            ProblemKind::StorageFailed
        } else if error.is::<TooMuch>() {
            ProblemKind::TooMany
        } else {
            ProblemKind::HubUnavailable
        };
        Self::new(kind, format!("{error:#}"))
    }
}
