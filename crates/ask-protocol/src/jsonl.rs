//! The lines of programs that embed ask-user: one JSON object per line, each with its `type`. A
//! host may ask like an agent, show asks to its person like a surface, or both over one stream.
//! `docs/reference/protocol.md` describes them for those who write hosts.

mod parse;
mod serialize;

pub use parse::{read, read_draft, read_verdict};
pub use serialize::{closed, fetched, hello, left, mistake, opened, reply, request};

use serde_json::Number;

use ask_core::id::AskId;
use ask_core::record::{Asker, Record};
use ask_core::{Json, json};

/// The version of these lines. A host that knows another one must not continue.
pub(crate) const PROTOCOL: u64 = 1;

/// The longest line that is read, in bytes.
pub const MAX_LINE_BYTES: usize = json::MAX_CALL_BYTES;

/// The messages about asks for a surface that another program shows. Each text is one message.
pub struct Words {
    /// An ask that the program should show.
    pub request: fn(&Record) -> String,
    /// An ask that is closed or removed. The flag says whether this host closed it.
    pub closed: fn(&AskId, Option<&Record>, bool) -> String,
    /// Why something failed.
    pub mistake: fn(&ProtocolError) -> String,
    /// What the program can do about questions that its answer leaves out.
    pub gaps: &'static str,
    /// What the program can do about an empty answer.
    pub empty: &'static str,
}

/// The messages of this protocol.
pub static LINES: Words = Words {
    request,
    closed,
    mistake,
    gaps: "send all answers again, or \"partial\": true to leave these out",
    empty: "send answers, or \"cancelled\": true if the person won't answer",
};

/// A host's own id for one request: a string or a number, which is sent back unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestId(Name);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Name {
    Text(String),
    Number(Number),
}

impl RequestId {
    /// The id of an ask, for requests of ours.
    pub(crate) fn from_ask_id(id: &AskId) -> Self {
        Self(Name::Text(id.to_string()))
    }

    /// A key that only equal ids share: 1 and "1" are two.
    pub fn key(&self) -> String {
        self.json().to_string()
    }

    /// The id as an ask's id or the beginning of one; empty for a number.
    pub fn text(&self) -> &str {
        match &self.0 {
            Name::Text(text) => text,
            Name::Number(_) => "",
        }
    }

    pub(crate) fn read(value: &Json) -> Option<Self> {
        match value {
            Json::String(text) => Some(Self(Name::Text(text.clone()))),
            Json::Number(number) => Some(Self(Name::Number(number.clone()))),
            Json::Null | Json::Bool(_) | Json::Array(_) | Json::Object(_) => None,
        }
    }

    pub(crate) fn json(&self) -> Json {
        match &self.0 {
            Name::Text(text) => text.as_str().into(),
            Name::Number(number) => Json::Number(number.clone()),
        }
    }
}

/// A message of a host.
#[derive(Clone, Debug, PartialEq)]
pub enum HostMessage {
    /// Says who asks from here on.
    Hello(Box<Asker>),
    /// A call in the stream's dialect.
    Ask {
        /// The host's id for it.
        request: RequestId,
        /// The call's arguments.
        call: Json,
    },
    /// Withdraws an ask, so that nobody has to answer it.
    Withdraw {
        /// The id of the request.
        request: RequestId,
    },
    /// Stops waiting; the ask stays open.
    Leave {
        /// The id of the request.
        request: RequestId,
    },
    /// Fetches the outcomes of its earlier asks that nobody has received.
    Fetch {
        /// The host's id for it.
        request: RequestId,
    },
    /// A person's response to an ask that the host shows.
    Respond {
        /// The id of the request.
        request: RequestId,
        /// The response, for [`read_verdict`].
        response: Json,
    },
    /// What a person has filled in so far.
    Draft {
        /// The id of the request.
        request: RequestId,
        /// The response, for [`read_draft`].
        response: Json,
    },
    /// A person can see the ask now.
    Shown {
        /// The id of the request.
        request: RequestId,
    },
}

/// Why a line, or what it asks for, fails. The stream continues.
#[derive(Clone, Debug, PartialEq)]
pub struct ProtocolError {
    /// The request that it belongs to, if the line could be read that far.
    pub request: Option<RequestId>,
    /// The kind, for programs.
    pub kind: Kind,
    /// What happened, and where.
    pub problem: String,
    /// How to correct it.
    pub hint: Option<String>,
}

/// The kinds of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The line is not part of this protocol.
    Malformed,
    /// The line is too long.
    TooLong,
    /// The dialect can't make an ask of the call, a limit is reached, or no answer is accepted from
    /// there.
    Refused,
    /// A request with this id waits already.
    Taken,
    /// No request with this id waits, or no such ask is shown.
    Unknown,
    /// The answers don't fit the questions, or leave some out.
    Unfinished,
    /// Somebody else closed it first.
    Closed,
    /// The hub can't be reached, or can't store anything.
    Hub,
}

impl Kind {
    /// Its word for `code`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Malformed => "malformed",
            Self::TooLong => "too-long",
            Self::Refused => "refused",
            Self::Taken => "taken",
            Self::Unknown => "unknown",
            Self::Unfinished => "unfinished",
            Self::Closed => "closed",
            Self::Hub => "hub",
        }
    }
}

impl ProtocolError {
    /// An error about a request.
    pub fn for_request(request: &RequestId, kind: Kind, problem: impl Into<String>) -> Self {
        Self {
            request: Some(request.clone()),
            kind,
            problem: problem.into(),
            hint: None,
        }
    }

    /// The same error with a hint.
    #[must_use]
    pub fn mend(self, hint: impl Into<String>) -> Self {
        Self {
            hint: Some(hint.into()),
            ..self
        }
    }
}
