//! The lines that programs embed ask-user by: one JSON object a line, each with its
//! `type`. A host may ask like an agent, show asks to its person like a surface, or
//! both over one stream. `docs/reference/protocol.md` tells it to those who write hosts.

mod parse;
mod serialize;

pub use parse::{read, read_draft, read_verdict};
pub use serialize::{closed, fetched, hello, left, mistake, opened, reply, request};

use serde_json::Number;

use ask_core::id::AskId;
use ask_core::record::{Asker, Record};
use ask_core::{Json, json};

/// What these lines mean; a host that knows another number must not go on.
pub const PROTOCOL: u64 = 1;

/// A line longer than this is not read.
pub const MAX_LINE_BYTES: usize = json::MAX_CALL_BYTES;

/// How a surface that programs show is told of asks: each text is one message.
pub struct Words {
    /// An ask to show.
    pub request: fn(&Record) -> String,
    /// One that is closed, or is no more; whether by this very host.
    pub closed: fn(&AskId, Option<&Record>, bool) -> String,
    /// Why something came to nothing.
    pub mistake: fn(&ProtocolError) -> String,
    /// What it can do about questions that its answer leaves out.
    pub gaps: &'static str,
    /// What it can do about an answer in which there is nothing.
    pub empty: &'static str,
}

/// The words of this protocol.
pub static LINES: Words = Words {
    request,
    closed,
    mistake,
    gaps: "send all answers again, or \"partial\": true to leave these out",
    empty: "send answers, or \"cancelled\": true if the person won't answer",
};

/// A host's own name for one request: a string or a number, given back as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestId(Name);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Name {
    Text(String),
    Number(Number),
}

impl RequestId {
    /// The name of an ask, for requests of ours.
    pub fn from_ask_id(id: &AskId) -> Self {
        Self(Name::Text(id.to_string()))
    }

    /// The same for equal names alone: 1 and "1" are two.
    pub fn key(&self) -> String {
        self.json().to_string()
    }

    /// The name as an ask's id or the beginning of one.
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

/// What a host says.
#[derive(Clone, Debug, PartialEq)]
pub enum HostMessage {
    /// Who asks from here on.
    Hello(Box<Asker>),
    /// A call in the words of the stream's dialect.
    Ask {
        /// The host's name for it.
        request: RequestId,
        /// The call's arguments.
        call: Json,
    },
    /// Takes an ask back: nobody need answer it any more.
    Withdraw {
        /// Which.
        request: RequestId,
    },
    /// Stops waiting; the ask stays open.
    Leave {
        /// For which.
        request: RequestId,
    },
    /// Wants what became of its earlier asks and was told to nobody.
    Fetch {
        /// The host's name for it.
        request: RequestId,
    },
    /// What a person says to an ask that the host shows.
    Respond {
        /// Which.
        request: RequestId,
        /// For [`read_verdict`].
        response: Json,
    },
    /// What a person has filled in so far.
    Draft {
        /// Where.
        request: RequestId,
        /// For [`read_draft`].
        response: Json,
    },
    /// A person can see the ask now.
    Shown {
        /// Which.
        request: RequestId,
    },
}

/// Why a line, or what it wants, comes to nothing. The stream goes on.
#[derive(Clone, Debug, PartialEq)]
pub struct ProtocolError {
    /// Which request it belongs to, as far as the line could be read.
    pub request: Option<RequestId>,
    /// Which kind, for programs.
    pub kind: Kind,
    /// What happened, and where.
    pub problem: String,
    /// How to mend it.
    pub hint: Option<String>,
}

/// The kinds of mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The line is not what this protocol has.
    Malformed,
    /// The line is too long.
    TooLong,
    /// The dialect can't make an ask of the call, no more is taken, or no answer from there.
    Refused,
    /// A request of that name waits already.
    Taken,
    /// No request of that name waits, or no such ask is shown.
    Unknown,
    /// The answers don't fit the questions, or leave some out.
    Unfinished,
    /// Somebody else was first.
    Closed,
    /// The hub can't be had, or can't keep anything.
    Hub,
}

impl Kind {
    /// Its word in `code`.
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
    /// One about a request.
    pub fn for_request(request: &RequestId, kind: Kind, problem: impl Into<String>) -> Self {
        Self {
            request: Some(request.clone()),
            kind,
            problem: problem.into(),
            hint: None,
        }
    }

    /// With a way out.
    #[must_use]
    pub fn mend(self, hint: impl Into<String>) -> Self {
        Self {
            hint: Some(hint.into()),
            ..self
        }
    }
}
