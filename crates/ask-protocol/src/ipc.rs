//! The messages between the hub and its clients: one JSON object per line. A connection carries
//! many requests at once, each with its own number.
//!
//! Every request may be sent again after a lost connection: opening names its ask, closing names
//! its attempt, and the rest only read or overwrite. Records and drafts are sent in the form of
//! [`crate::native`].

mod base64;
mod change;
mod filter;
mod response;
mod serialize;
mod verdict;

pub use base64::{base64, unbase64};
pub use change::{Change, Changed};
pub use response::{read_response, write_response};
pub use serialize::{
    hub_json, line, read_address, read_request, status_json, unline, write_address, write_request,
};

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_with::base64::Base64;
use serde_with::{DefaultOnError, serde_as, skip_serializing_none};
use utoipa::ToSchema;

use self::filter::FilterForm;
use self::verdict::VerdictForm;
use crate::native::{self, How, Id, Moment, Sha256, Until};
use ask_core::attachment::Digest;
use ask_core::caller::Ancestry;
use ask_core::devices::{Pairing, PairingCommand};
use ask_core::draft::{Draft, Gaps};
pub use ask_core::history::Filter;
use ask_core::id::AskId;
use ask_core::record::{Asker, InClient, Record, Snooze};
use ask_core::stats::HistoryStats;
use ask_core::time::Time;

/// Why a call failed before there was an ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CallFailure {
    /// Its dialect can't make an ask of it. Servers that were started before an update send
    /// `unfit`.
    #[serde(alias = "unfit")]
    InvalidCall,
    /// The call is too large.
    TooLarge,
    /// Its agent has asked too often within a minute.
    TooMany,
}

impl CallFailure {
    /// The word under which it is counted.
    pub fn word(self) -> &'static str {
        match self {
            Self::InvalidCall => "invalid-call",
            Self::TooLarge => "too-large",
            Self::TooMany => "too-many",
        }
    }
}

/// The longest line that is read, in bytes.
pub const MAX_LINE_BYTES: usize = 16 * 1024 * 1024;

/// A request of a client.
#[serde_as]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Request {
    /// Introduces the client. It is the first request of a connection.
    Hello {
        /// The caller's version.
        version: String,
    },
    /// Opens an ask, or finds it open already.
    Open {
        /// The record, as [`ask_core::lifecycle::open`] made it.
        #[serde_as(as = "Box<native::Opened>")]
        record: Box<Record>,
        /// Whether the caller waits for the outcome.
        #[serde(default)]
        wait: bool,
        /// Whether the same ask, if its agent left it, is taken up instead.
        #[serde(default)]
        take_up: TakeUp,
    },
    /// Waits for the outcome of an ask.
    Wait {
        /// The id of the ask, or the beginning of it.
        id: String,
    },
    /// Stops waiting.
    Leave {
        /// The number of the request that waits.
        #[serde(default)]
        request: u64,
        /// Within how many milliseconds the agent comes back for the outcome; 0 if it doesn't.
        #[serde(default)]
        back_ms: u64,
        /// Whether it comes back over another connection, because this one ends with its command.
        #[serde(default)]
        elsewhere: bool,
    },
    /// Reports that an outcome was written to a waiter that was still connected.
    Delivered {
        /// The id of the ask.
        #[serde_as(as = "Id")]
        id: AskId,
        /// The attempt of the outcome that was written. Older clients don't send it.
        attempt: Option<u64>,
    },
    /// Reports that an outcome has not reached its waiter, because the agent left at that moment.
    NotDelivered {
        /// The id of the ask.
        #[serde_as(as = "Id")]
        id: AskId,
    },
    /// Reports that an HTTP session of this server has ended.
    SessionEnded {
        /// Its instance, as callers have it.
        instance: String,
    },
    /// Returns one record.
    Get {
        /// Its id, the beginning of it, or `latest`.
        id: String,
    },
    /// Returns an ask of this asker, by what its dialect shows in place of the id.
    Own {
        /// The first characters of the id.
        short: String,
        /// The asker that wants it.
        #[serde_as(as = "Box<native::Asker<'static>>")]
        asker: Box<Asker>,
    },
    /// Returns the asks that a person can still act on.
    Waiting {
        /// How many open asks are returned at most, the most urgent first.
        first: Option<u64>,
    },
    /// Returns the outcomes of this asker that have not reached it.
    #[serde(rename = "undelivered")]
    Fetch {
        /// The asker that wants them.
        #[serde_as(as = "Box<native::Asker<'static>>")]
        #[serde(default)]
        asker: Box<Asker>,
        /// Whether they are delivered to it now. Until that has succeeded or failed, nobody else
        /// gets them.
        #[serde(default)]
        take: bool,
        /// Whether the asker's open asks are returned if there is no outcome.
        #[serde(default)]
        or_open: bool,
    },
    /// Returns the asks that calls of this connection wait for and that have changed since a
    /// cursor.
    Changes {
        /// The cursor of an earlier response.
        #[serde(default)]
        after: u64,
    },
    /// Returns closed asks, newest first.
    History {
        /// Which closed asks are returned.
        #[serde(flatten, with = "FilterForm")]
        filter: Filter,
    },
    /// Returns the statistics over closed asks.
    Stats {
        /// Which closed asks are counted. The page doesn't matter.
        #[serde(flatten, with = "FilterForm")]
        filter: Filter,
    },
    /// Removes the closed asks that a filter finds, for good. A client can count them first.
    ForgetSome {
        /// Which closed asks are removed.
        #[serde(with = "FilterForm")]
        filter: Filter,
        /// Whether they are only counted.
        #[serde(default)]
        count: bool,
        /// The process that sent it to the hub over HTTP. It is never sent over a socket.
        #[serde(skip)]
        sender: Option<Arc<Ancestry>>,
    },
    /// Pushes every change over this connection from now on. The response lists everything, or has
    /// no records if the changes since `after` follow.
    Subscribe {
        /// The last change that is known from an earlier subscription.
        after: Option<u64>,
        /// Whether the person can't answer there.
        #[serde(default)]
        only_looks: bool,
        /// The process at the other end of an HTTP connection. It is never sent over a socket.
        #[serde(skip)]
        sender: Option<Arc<Ancestry>>,
    },
    /// Reports whether the person is at a surface.
    Present {
        /// Whether the surface has the focus; `None` if it can't know.
        focused: Option<bool>,
        /// Whether the surface rings while it has no focus.
        #[serde(default)]
        rings: bool,
        /// Whether a key was just pressed there.
        #[serde(default)]
        input: bool,
    },
    /// Stores a partly filled form.
    #[serde(rename = "keep")]
    SaveDraft {
        /// The id of the ask.
        #[serde_as(as = "Id")]
        id: AskId,
        /// The form as filled in.
        #[serde_as(as = "native::Draft<'static>")]
        draft: Draft,
        /// The surface on which it is filled in.
        surface: String,
        /// The revision that it is based on. If another one was saved elsewhere since, nothing is
        /// stored and the record is returned. Without a revision, the last form that is saved wins.
        built_on: Option<u64>,
        /// The process that sent it to the hub over HTTP. It is never sent over a socket.
        #[serde(skip)]
        sender: Option<Arc<Ancestry>>,
    },
    /// Snoozes an open ask, or ends its snooze.
    Snooze {
        /// Its id, or the beginning of it.
        id: String,
        /// How long it is snoozed; `None` ends the snooze.
        #[serde_as(as = "Option<Until>")]
        #[serde(rename = "until")]
        snooze: Option<Snooze>,
    },
    /// Extends the deadline of an open ask, as far as its agent can expect.
    Extend {
        /// Its id, or the beginning of it.
        id: String,
        /// The new deadline. It is a time and not a duration, so that the request can be repeated.
        #[serde_as(as = "Moment")]
        until: Time,
    },
    /// Reports that the agent's client also asks the same itself, or no longer does. This ends with
    /// the connection.
    #[serde(rename = "inClient")]
    InClient {
        /// The id of the ask.
        #[serde_as(as = "Id")]
        id: AskId,
        /// How the client asks; `None` if it doesn't.
        #[serde_as(as = "DefaultOnError<Option<How>>")]
        #[serde(default)]
        how: Option<InClient>,
    },
    /// Mutes notifications, or unmutes them.
    Mute {
        /// Whether they are muted.
        #[serde(default)]
        on: bool,
    },
    /// Counts a call of an agent that failed before there was an ask.
    Failed {
        /// Why the call failed.
        why: CallFailure,
    },
    /// Stores the bytes of a file, before the draft or the answers that refer to it.
    PutFile {
        /// All bytes of the file.
        #[serde_as(as = "Base64")]
        bytes: Vec<u8>,
    },
    /// Returns the bytes of a file.
    GetFile {
        /// The digest under which they are stored.
        #[serde_as(as = "Sha256")]
        digest: Digest,
    },
    /// Reports that a person can see the ask.
    Shown {
        /// The id of the ask.
        #[serde_as(as = "Id")]
        id: AskId,
        /// The surface that shows it.
        surface: String,
    },
    /// Closes an ask.
    Settle {
        /// The id of the ask.
        #[serde_as(as = "Id")]
        id: AskId,
        /// How it is closed.
        #[serde_as(as = "VerdictForm<'static>")]
        verdict: Verdict,
        /// The surface on which it is closed.
        surface: String,
        /// The name of the paired device on which it is closed, if it is one.
        device: Option<String>,
        /// A random number, which is the same for every retry.
        #[serde(default)]
        attempt: u64,
        /// Whether one key or tap gave it, so that the person can take it back before the agent has it:
        /// for `surfaces.undo_seconds`.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        hold: bool,
        /// Whether the sender only passes on what it found in the files of an agent that has ended.
        /// Any program may have written them.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        relayed: bool,
        /// The process that sent it to the hub over HTTP. It is never sent over a socket.
        #[serde(skip)]
        sender: Option<Arc<Ancestry>>,
    },
    /// Takes back an outcome that no agent has. The ask is open again, with the answer as its draft.
    TakeBack {
        /// The id of the ask.
        #[serde_as(as = "Id")]
        id: AskId,
        /// The attempt that closed it.
        attempt: u64,
        /// The surface on which it is taken back.
        surface: String,
        /// The name of the paired device on which it is taken back, if it is one.
        device: Option<String>,
        /// The process that sent it to the hub over HTTP. It is never sent over a socket.
        #[serde(skip)]
        sender: Option<Arc<Ancestry>>,
    },
    /// Gives the agent an outcome at once that is still held.
    EndHold {
        /// The id of the ask.
        #[serde_as(as = "Id")]
        id: AskId,
        /// The attempt that closed it.
        attempt: u64,
    },
    /// Removes closed asks for good.
    Forget {
        /// Ids or beginnings of ids.
        #[serde(default)]
        ids: Vec<String>,
        /// Whether answers that no agent has received are removed, too. Without it, nothing is
        /// removed then.
        #[serde(default)]
        undelivered: bool,
        /// The process that sent it to the hub over HTTP. It is never sent over a socket.
        #[serde(skip)]
        sender: Option<Arc<Ancestry>>,
    },
    /// Returns the status of the hub.
    Status,
    /// Returns a one-time key for the page.
    PageKey {
        /// Whether the link leads to `http.public_url`. Otherwise it leads to this machine's own
        /// address. The key is valid there alone.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        public: bool,
    },
    /// Carries out a command about pairing.
    Pairing {
        /// What the person wants.
        #[serde_as(as = "native::PairingCommandForm<'static>")]
        #[serde(flatten)]
        command: PairingCommand,
        /// The process that sent it to the hub over HTTP. It is never sent over a socket.
        #[serde(skip)]
        sender: Option<Arc<Ancestry>>,
    },
    /// Ends the hub. Its waiters reconnect to the next one.
    Stop,
    /// Sets the hub's clock. Only hubs built for tests obey.
    Clock {
        /// The time in milliseconds since the epoch.
        #[serde(rename = "now", default)]
        now_ms: i64,
    },
}

/// Whether the same ask, if its agent left it, is taken up instead of opening a new one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "TakeUpForm", into = "TakeUpForm")]
pub enum TakeUp {
    /// It is never taken up.
    #[default]
    Never,
    /// If nobody waits for it. A shell's command that waits is alive, because its connection ends
    /// with it: meanwhile, the same ask from another shell belongs to somebody else. Once the
    /// command was killed, or returned early, whoever asks the same in the same directory is most
    /// likely the agent that was cut off. If it isn't, the first agent still knows the id and gets
    /// the answer, too.
    WhenLeft,
    /// Also if another call seems to wait: an agent over MCP may have given up on that call without
    /// reporting it.
    Always,
}

/// Its form in messages: a boolean or a word.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum TakeUpForm {
    Always(bool),
    Word(Cow<'static, str>),
}

/// The word for [`TakeUp::WhenLeft`] in messages.
const WHEN_LEFT: &str = "left";

impl From<TakeUp> for TakeUpForm {
    fn from(take_up: TakeUp) -> Self {
        match take_up {
            TakeUp::Never => Self::Always(false),
            TakeUp::WhenLeft => Self::Word(WHEN_LEFT.into()),
            TakeUp::Always => Self::Always(true),
        }
    }
}

impl From<TakeUpForm> for TakeUp {
    fn from(form: TakeUpForm) -> Self {
        match form {
            TakeUpForm::Always(always) => always.into(),
            TakeUpForm::Word(word) if word == WHEN_LEFT => Self::WhenLeft,
            TakeUpForm::Word(_) => Self::Never,
        }
    }
}

impl From<bool> for TakeUp {
    fn from(always: bool) -> Self {
        match always {
            true => Self::Always,
            false => Self::Never,
        }
    }
}

/// How a person, or the agent, closes an ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The person answers the questions.
    Answer {
        /// The form as filled in.
        draft: Draft,
        /// What to do about gaps.
        gaps: Gaps,
    },
    /// The person declines to answer.
    Decline {
        /// The person's reason, if any.
        reason: Option<String>,
    },
    /// The person asks back.
    Clarify {
        /// What the person wants to know.
        words: String,
    },
    /// The agent withdraws it.
    Withdraw,
}

/// A response of the hub.
#[derive(Clone, Debug, PartialEq)]
pub enum Response {
    /// The response to [`Request::Hello`].
    Welcome {
        /// The hub's version.
        version: String,
        /// The id of its process.
        pid: u32,
    },
    /// The response to [`Request::Open`] and [`Request::Wait`]: the ask is stored, and waited for
    /// if that was wanted.
    Opened {
        /// The id of the ask. It is another one than was sent if an ask was taken up.
        id: AskId,
    },
    /// One record, in full.
    Record(Arc<Record>),
    /// The outcome, for a waiter.
    Outcome {
        /// The closed record.
        record: Arc<Record>,
        /// Whether other outcomes of its asker are undelivered.
        missed: bool,
    },
    /// The response to [`Request::Settle`].
    Settled {
        /// Whether this attempt closed it.
        won: bool,
        /// The record as it is now.
        record: Arc<Record>,
    },
    /// Several records.
    Records {
        /// The records, in order.
        records: Vec<Arc<Record>>,
        /// How many more outcomes there are, of those that are only named.
        more: u64,
        /// Ids of records that were removed.
        gone: Vec<String>,
        /// The cursor for [`Request::Changes`] and [`Request::Subscribe`]. For a history, it is the
        /// `before` of the next page, or zero.
        cursor: u64,
        /// Whether these are all records, so that the client must discard what it has. If a
        /// subscriber has missed too much, such a response belongs to no request.
        reset: bool,
        /// What a list of open asks contains besides the asks.
        day: Option<Day>,
    },
    /// The response to [`Request::ForgetSome`].
    Forgotten {
        /// How many were removed, or would be.
        count: u64,
        /// How many were not, because no agent has received their outcome.
        undelivered: u64,
    },
    /// The request was carried out.
    Done {
        /// How many things it affected, if it counts them.
        count: u64,
    },
    /// The response to [`Request::Stats`].
    Stats(Box<HistoryStats>),
    /// The response to [`Request::PutFile`].
    Filed {
        /// The digest under which it is stored.
        digest: Digest,
    },
    /// The response to [`Request::GetFile`].
    File {
        /// All bytes of the file.
        bytes: Vec<u8>,
    },
    /// The response to [`Request::Status`].
    Status(Status),
    /// The response to [`Request::PageKey`].
    PageKey {
        /// The key that opens the page, once and for a short time.
        key: String,
        /// The port of the page; `None` if the hub serves none.
        port: Option<u16>,
    },
    /// The response to [`Request::Pairing`]: the state of pairing afterwards.
    Pairing(Box<Pairing>),
    /// Something changed. This belongs to no request.
    Change(Arc<Change>),
    /// The request can't be carried out.
    Fault {
        /// The kind of error.
        kind: ErrorKind,
        /// What happened, and what to do.
        text: String,
    },
}

impl Response {
    /// The name of the variant for the log, without what people ask and answer.
    pub fn name(&self) -> String {
        let whole = format!("{self:?}");
        let name = whole.chars().take_while(char::is_ascii_alphanumeric);
        name.collect()
    }
}

/// What a list of asks contains besides the asks.
#[skip_serializing_none]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Day {
    /// How many asks the person has answered since midnight.
    pub answered: u64,
    /// Whether notifications are muted.
    pub muted: bool,
    /// How many open asks are not in the list, because only the most urgent ones were wanted.
    pub more: u64,
    /// The port of the hub's page.
    pub port: Option<u16>,
}

/// The status of a hub.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
#[schema(as = HubStatus)]
pub struct Status {
    /// The version of the hub.
    pub version: String,
    /// The process id of the hub.
    pub pid: u32,
    /// The number of open asks.
    pub waiting: u64,
    /// How many of them the person has snoozed.
    pub snoozed: u64,
    /// How many asks the person has answered since midnight.
    pub answered_today: u64,
    /// Whether notifications are muted.
    pub muted: bool,
    /// The number of outcomes that were not delivered.
    pub undelivered: u64,
    /// The number of connected clients.
    pub clients: u64,
    /// The number of calls that wait.
    pub waiters: u64,
    /// The number of surfaces: clients that have subscribed to changes.
    pub surfaces: u64,
    /// For how many milliseconds there has been no surface.
    pub alone_ms: u64,
    /// The port on which the hub serves HTTP, if it does.
    pub port: Option<u16>,
    /// The port that the hub was configured to use when it started; 0 for any.
    pub wanted_port: Option<u16>,
    /// The path of a damaged store that was set aside, if there is one.
    pub set_aside: Option<String>,
    /// The ids of open asks and undelivered answers in the store that can't be read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unreadable: Vec<String>,
}

/// The kinds of errors, for exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorKind {
    /// There is no such ask.
    NotFound,
    /// Several asks begin with these characters.
    Ambiguous,
    /// The answers don't fit the questions.
    Unfinished,
    /// A file can't be attached: it is empty or too large.
    Unfit,
    /// The ask is still open; only a closed one can be removed.
    StillOpen,
    /// No agent has received the outcome. A request that removes it must say that this is intended.
    Undelivered,
    /// The person's settings accept no answer from there.
    NotAllowed,
    /// So much is open or stored already that nothing more is accepted.
    TooMany,
    /// The store failed; nothing was changed.
    Store,
    /// The request can't be understood.
    #[serde(other)]
    Malformed,
}

/// Where a hub can be reached: the content of `hub.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Address {
    /// The hub's version.
    pub version: String,
    /// The id of its process.
    #[serde(default)]
    pub pid: u32,
    /// The path of its Unix socket.
    pub socket: String,
    /// The path of its settings file. `None` from older hubs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settings: Option<String>,
    /// Where it listens for HTTP, if it does.
    #[serde(flatten)]
    pub http: Option<HttpAddress>,
}

/// Where a hub listens for HTTP: on 127.0.0.1, and on `[::1]` where there is one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HttpAddress {
    /// The port of both addresses.
    pub port: u16,
    /// The token that its clients must send.
    pub token: String,
}
