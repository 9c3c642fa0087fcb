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
pub enum Kind {
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
    Method,
    /// It was closed before.
    Closed,
    /// Somebody saved another draft since.
    DraftChanged,
    /// It waits no more, or still does, or can't be changed so.
    NotWaiting,
    /// Devices can't come there, or not as was meant.
    NoWayIn,
    /// No agent has been told how it ended.
    Undelivered,
    /// A key that names another attempt.
    KeyReused,
    /// What was sent does not fit the questions.
    Unfit,
    /// What was sent can't be read.
    Malformed,
    /// What was sent is too large.
    TooLarge,
    /// Too much was asked in a minute.
    TooMany,
    /// A disk took too long.
    Unanswered,
    /// The store failed.
    Store,
    /// The desk can't be reached.
    NoHub,
}

impl Kind {
    /// Its name for programs, its status, and its name for people.
    pub fn row(self) -> (&'static str, u16, &'static str) {
        match self {
            Self::NoCredential => ("no-credential", 401, "A credential is needed"),
            Self::WrongKey => ("wrong-key", 401, "The key opens nothing"),
            Self::WrongScope => ("wrong-scope", 403, "This credential may not do that"),
            Self::NotAllowed => ("not-allowed", 403, "No answer is taken from there"),
            Self::DevicesOff => ("devices-off", 403, "No device may come now"),
            Self::ForeignOrigin => ("foreign-origin", 403, "Another site may not do that"),
            Self::NoCsrfHeader => ("no-csrf-header", 403, "Only the page may do that"),
            Self::ForeignHost => ("foreign-host", 421, "This is not the host of that name"),
            Self::NotFound => ("not-found", 404, "It is not there"),
            Self::Ambiguous => ("ambiguous", 404, "Several are meant"),
            Self::NoRoute => ("no-route", 404, "There is nothing here"),
            Self::Method => ("method", 405, "It can't be done so"),
            Self::Closed => ("closed", 409, "It was closed before"),
            Self::DraftChanged => ("draft-changed", 409, "Somebody saved since"),
            Self::NotWaiting => ("not-waiting", 409, "It doesn't stand so"),
            Self::NoWayIn => ("no-way-in", 409, "Devices can't come so"),
            Self::KeyReused => ("key-reused", 422, "The key is another's"),
            Self::Undelivered => ("undelivered", 409, "No agent has been told"),
            Self::Unfit => ("unfit", 422, "It does not fit"),
            Self::Malformed => ("malformed", 400, "It can't be read"),
            Self::TooLarge => ("too-large", 413, "It is too large"),
            Self::TooMany => ("too-many", 429, "It is too much at once"),
            Self::Unanswered => ("unanswered", 503, "The disk doesn't answer"),
            Self::Store => ("store", 503, "It can't be kept"),
            Self::NoHub => ("no-hub", 503, "The hub can't be reached"),
        }
    }
}

/// Why a request failed. As a response of a handler it is an extension of it, and whoever knows the
/// request's id puts the document in its place.
#[derive(Clone)]
pub struct Problem(Box<Told>);

#[derive(Clone)]
struct Told {
    kind: Kind,
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
    pub fn new(kind: Kind, detail: impl Into<String>) -> Self {
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
        let problem = Self::new(Kind::Method, format!("use {methods}"));
        problem.with_header(header::ALLOW, methods)
    }

    /// It may be tried again after so many seconds.
    pub fn too_many(detail: impl Into<String>, seconds: u64) -> Self {
        let problem = Self::new(Kind::TooMany, detail);
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
    pub fn about(kind: Kind, detail: impl Into<String>, record: Record) -> Self {
        let mut problem = Self::new(kind, detail);
        problem.0.record = Some(record);
        problem
    }

    /// The desk said something else than it was asked.
    pub fn odd(said: &ipc::Response) -> Self {
        let text = format!("the hub said something unexpected: {said:?}");
        Self::new(Kind::NoHub, text.chars().take(200).collect::<String>())
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
    pub fn of_no_ask(mut self, kind: Kind) -> Self {
        if self.0.kind == Kind::NotWaiting {
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
    pub fn kind(&self) -> Kind {
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
            Fault::NotFound => Kind::NotFound,
            Fault::Ambiguous => Kind::Ambiguous,
            Fault::Unfinished | Fault::Unfit => Kind::Unfit,
            // The desk says so of what can't be done as things stand.
            Fault::Malformed => Kind::NotWaiting,
            Fault::Undelivered => Kind::Undelivered,
            Fault::NotAllowed => Kind::NotAllowed,
            Fault::TooMany => Kind::TooMany,
            Fault::Store => Kind::Store,
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
        Self::new(Kind::Malformed, malformed.0)
    }
}

impl From<anyhow::Error> for Problem {
    fn from(error: anyhow::Error) -> Self {
        let kind = if error.is::<CannotKeep>() {
            Kind::Store
        } else if error.is::<TooMuch>() {
            Kind::TooMany
        } else {
            Kind::NoHub
        };
        Self::new(kind, format!("{error:#}"))
    }
}
