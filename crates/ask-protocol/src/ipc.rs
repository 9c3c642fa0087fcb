//! The messages between the hub and its clients: one JSON object a line, many
//! requests at once over one connection, each with a number of its own.
//!
//! Every request may be sent again after a lost connection: opening names its
//! ask, closing names its attempt, and the rest only read or overwrite. Records
//! and drafts travel in the form of [`crate::native`].

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
    /// Its dialect can't make an ask of it. Servers that were started before an update say `unfit`.
    #[serde(alias = "unfit")]
    InvalidCall,
    /// It is too large.
    TooLarge,
    /// Its agent has asked too much in a minute.
    TooMany,
}

impl CallFailure {
    /// What it is counted as.
    pub fn word(self) -> &'static str {
        match self {
            Self::InvalidCall => "invalid-call",
            Self::TooLarge => "too-large",
            Self::TooMany => "too-many",
        }
    }
}

/// A line longer than this is not read.
pub const MAX_LINE_BYTES: usize = 16 * 1024 * 1024;

/// What a client wants.
#[serde_as]
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Request {
    /// Says who calls; the first request of a connection.
    Hello {
        /// The caller's version.
        version: String,
    },
    /// Opens an ask, or finds it open already.
    Open {
        /// As [`ask_core::lifecycle::open`] made it.
        #[serde_as(as = "Box<native::Record<'static>>")]
        record: Box<Record>,
        /// Whether the caller waits for the outcome.
        #[serde(default)]
        wait: bool,
        /// Whether the same ask, left behind by its agent, is taken up in its place.
        #[serde(default)]
        take_up: TakeUp,
    },
    /// Waits for the outcome of an ask; its id or the beginning of it.
    Wait {
        /// Which.
        id: String,
    },
    /// Stops waiting.
    Leave {
        /// The number of the request that waits.
        #[serde(default)]
        request: u64,
        /// Within how many milliseconds its agent comes back for the outcome; 0 if it doesn't.
        #[serde(default)]
        back_ms: u64,
        /// Whether it comes over another connection, because this one ends with its command.
        #[serde(default)]
        elsewhere: bool,
    },
    /// The outcome was written to a waiter that still stood.
    Delivered {
        /// Of which ask.
        #[serde_as(as = "Id")]
        id: AskId,
        /// Whose attempt the outcome was that was written; older clients don't say.
        attempt: Option<u64>,
    },
    /// The outcome, on its way to a waiter, has not reached it: the agent left at that moment.
    NotDelivered {
        /// Of which ask.
        #[serde_as(as = "Id")]
        id: AskId,
    },
    /// One record; its id, the beginning of it, or `latest`.
    Get {
        /// Which.
        id: String,
    },
    /// An ask of this asker's own, by what its dialect shows it in place of the id.
    Own {
        /// The id's first characters.
        short: String,
        /// Who wants it.
        #[serde_as(as = "Box<native::Asker<'static>>")]
        asker: Box<Asker>,
    },
    /// What a person can still act on.
    Waiting {
        /// Only so many of those that wait, the most urgent first.
        first: Option<u64>,
    },
    /// Outcomes of this asker that have not reached it.
    #[serde(rename = "undelivered")]
    Fetch {
        /// Who asks for them.
        #[serde_as(as = "Box<native::Asker<'static>>")]
        #[serde(default)]
        asker: Box<Asker>,
        /// Whether it is told them now: until it was, or was not, they are nobody else's.
        #[serde(default)]
        take: bool,
        /// Whether its asks that still wait are listed where there is none.
        #[serde(default)]
        or_open: bool,
    },
    /// The asks that calls of this connection wait for and that have changed since a cursor.
    Changes {
        /// The cursor of an earlier response.
        #[serde(default)]
        after: u64,
    },
    /// Closed asks, newest first.
    History {
        /// How to narrow it down.
        #[serde(flatten, with = "FilterForm")]
        filter: Filter,
    },
    /// The statistics over closed asks.
    Stats {
        /// How to narrow them down; the page doesn't matter.
        #[serde(flatten, with = "FilterForm")]
        filter: Filter,
    },
    /// Removes the closed asks that a filter finds for good; their number first.
    ForgetSome {
        /// Which.
        #[serde(with = "FilterForm")]
        filter: Filter,
        /// Whether they are only counted.
        #[serde(default)]
        count: bool,
        /// The process that sent it to the hub's HTTP side. Nobody says that over a socket.
        #[serde(skip)]
        sender: Option<Arc<Ancestry>>,
    },
    /// Has every change pushed from now on, over this connection. The response is a listing of
    /// everything, or one without records where what came after the cursor follows.
    Subscribe {
        /// The last change that is known, from a subscription of before.
        after: Option<u64>,
        /// Whether its person can't answer there.
        #[serde(default)]
        only_looks: bool,
        /// The process at the other end of the hub's HTTP side. Nobody says that over a socket.
        #[serde(skip)]
        sender: Option<Arc<Ancestry>>,
    },
    /// A surface says whether its person is there.
    Present {
        /// Whether it has the focus, where it can know; `None` where it can't.
        focused: Option<bool>,
        /// Whether it makes itself heard while it has no focus.
        #[serde(default)]
        rings: bool,
        /// Whether a key was just pressed there.
        #[serde(default)]
        input: bool,
    },
    /// Keeps a half-filled form.
    #[serde(rename = "keep")]
    SaveDraft {
        /// Of which ask.
        #[serde_as(as = "Id")]
        id: AskId,
        /// The form.
        #[serde_as(as = "native::Draft<'static>")]
        draft: Draft,
        /// Where it is being filled in.
        surface: String,
        /// The revision that it was built on, for who minds what was saved elsewhere since: then
        /// nothing is kept, and the record comes back. Else the last that is saved wins.
        built_on: Option<u64>,
        /// The process that sent it to the hub's HTTP side. Nobody says that over a socket.
        #[serde(skip)]
        sender: Option<Arc<Ancestry>>,
    },
    /// Puts an open ask aside, or back.
    Snooze {
        /// Which; its id or the beginning of it.
        id: String,
        /// For how long; `None` puts it back.
        #[serde_as(as = "Option<Until>")]
        #[serde(rename = "until")]
        snooze: Option<Snooze>,
    },
    /// Gives an open ask's person more time, as far as its agent can expect it.
    Extend {
        /// Which; its id or the beginning of it.
        id: String,
        /// Until when. A moment, not a length: it may be said twice.
        #[serde_as(as = "Moment")]
        until: Time,
    },
    /// The agent's client asks the same itself, or no more. Ends with the connection.
    #[serde(rename = "inClient")]
    InClient {
        /// Of which ask.
        #[serde_as(as = "Id")]
        id: AskId,
        /// How.
        #[serde_as(as = "DefaultOnError<Option<How>>")]
        #[serde(default)]
        how: Option<InClient>,
    },
    /// Mutes notifications, or no more.
    Mute {
        /// Whether.
        #[serde(default)]
        on: bool,
    },
    /// Counts a call of an agent that came to nothing before there was an ask.
    Failed {
        /// Why.
        why: CallFailure,
    },
    /// Keeps the bytes of a file, before the draft or the answers that name it.
    PutFile {
        /// All of them.
        #[serde_as(as = "Base64")]
        bytes: Vec<u8>,
    },
    /// The bytes of a file.
    GetFile {
        /// Under which they are kept.
        #[serde_as(as = "Sha256")]
        digest: Digest,
    },
    /// A person can see the ask.
    Shown {
        /// Which.
        #[serde_as(as = "Id")]
        id: AskId,
        /// Where.
        surface: String,
    },
    /// Closes an ask.
    Settle {
        /// Which.
        #[serde_as(as = "Id")]
        id: AskId,
        /// How.
        #[serde_as(as = "VerdictForm<'static>")]
        verdict: Verdict,
        /// Where.
        surface: String,
        /// By which device, where it was one that the person let in.
        device: Option<String>,
        /// Random; the same for every retry.
        #[serde(default)]
        attempt: u64,
        /// The process that sent it to the hub's HTTP side. Nobody says that over a socket.
        #[serde(skip)]
        sender: Option<Arc<Ancestry>>,
    },
    /// Removes closed asks for good.
    Forget {
        /// Ids or beginnings of ids.
        #[serde(default)]
        ids: Vec<String>,
        /// Whether that is meant of answers that no agent has been told, too. Else nothing goes.
        #[serde(default)]
        undelivered: bool,
        /// The process that sent it to the hub's HTTP side. Nobody says that over a socket.
        #[serde(skip)]
        sender: Option<Arc<Ancestry>>,
    },
    /// How the hub is.
    Status,
    /// A one-time key for the page.
    PageKey,
    /// About devices that may answer.
    Pairing {
        /// What the person wants.
        #[serde_as(as = "native::Wish<'static>")]
        #[serde(flatten)]
        command: PairingCommand,
        /// The process that sent it to the hub's HTTP side. Nobody says that over a socket.
        #[serde(skip)]
        sender: Option<Arc<Ancestry>>,
    },
    /// Ends the hub. Its waiters come back to the next one.
    Stop,
    /// Moves the hub's clock; only hubs built for tests obey.
    Clock {
        /// Milliseconds since the epoch.
        #[serde(rename = "now", default)]
        now_ms: i64,
    },
}

/// Whether the same ask, left behind by its agent, is taken up in place of a new one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "TakeUpForm", into = "TakeUpForm")]
pub enum TakeUp {
    /// It never is.
    #[default]
    Never,
    /// Where nobody waits for it. A shell's command that waits is alive, because its connection
    /// ends with it: the same ask from another shell meanwhile is another's. Once it was killed, or
    /// returned early, whoever asks the same in the same directory is most likely the agent that was
    /// cut off; and if it isn't, the first agent still knows its id and gets the answer, too.
    WhenLeft,
    /// Also where another call seems to wait: an agent over MCP may have given up on that call
    /// without saying so.
    Always,
}

/// How messages have it: yes, no, or a word.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum TakeUpForm {
    Always(bool),
    Word(Cow<'static, str>),
}

/// How messages word the one that is neither yes nor no.
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
    /// With answers.
    Answer {
        /// The form.
        draft: Draft,
        /// What to do about gaps.
        gaps: Gaps,
    },
    /// Without.
    Decline {
        /// Why.
        reason: Option<String>,
    },
    /// By asking back.
    Clarify {
        /// What the person wants to know.
        words: String,
    },
    /// By the agent.
    Withdraw,
}

/// What the hub says.
#[derive(Clone, Debug, PartialEq)]
pub enum Response {
    /// To [`Request::Hello`].
    Welcome {
        /// The hub's version.
        version: String,
        /// Its process.
        pid: u32,
    },
    /// To [`Request::Open`] and [`Request::Wait`]: kept, and waited for if so wanted.
    Opened {
        /// Which ask it is; another than was sent, where one was taken up.
        id: AskId,
    },
    /// One record.
    Record(Arc<Record>),
    /// The outcome, to a waiter.
    Told {
        /// How it ended.
        record: Arc<Record>,
        /// Whether its asker has not been told of other outcomes.
        missed: bool,
    },
    /// To [`Request::Settle`].
    Settled {
        /// Whether this attempt closed it.
        won: bool,
        /// How it stands.
        record: Arc<Record>,
    },
    /// Several records.
    Records {
        /// They.
        records: Vec<Arc<Record>>,
        /// So many more there are of the outcomes that are only named.
        more: u64,
        /// Ids of records that are no more.
        gone: Vec<String>,
        /// For [`Request::Changes`] and [`Request::Subscribe`]; for a history, the `before` of the
        /// next page, or zero.
        cursor: u64,
        /// These are all: what the client holds must be thrown away. Belongs to no request where a
        /// subscriber has missed too much.
        reset: bool,
        /// What else a list of waiting asks says.
        day: Option<Day>,
    },
    /// To [`Request::ForgetSome`].
    Forgotten {
        /// How many were, or would be.
        count: u64,
        /// How many are not, because no agent has been told how they ended.
        undelivered: u64,
    },
    /// Done, with a count where there is one.
    Done {
        /// Of what the request was about.
        count: u64,
    },
    /// To [`Request::Stats`].
    Stats(Box<HistoryStats>),
    /// To [`Request::PutFile`].
    Filed {
        /// Under which it is kept.
        digest: Digest,
    },
    /// To [`Request::GetFile`].
    File {
        /// All of it.
        bytes: Vec<u8>,
    },
    /// To [`Request::Status`].
    Status(Status),
    /// To [`Request::PageKey`].
    PageKey {
        /// What opens the page, once and soon.
        key: String,
        /// Where the page is; `None` where the hub serves none.
        port: Option<u16>,
    },
    /// To [`Request::Pairing`]: how it stands then.
    Pairing(Box<Pairing>),
    /// Something changed. Belongs to no request.
    Change(Arc<Change>),
    /// It can't be done.
    Fault {
        /// Which kind.
        kind: ErrorKind,
        /// What happened and what to do.
        text: String,
    },
}

impl Response {
    /// The variant, without what people ask and answer: for the log.
    pub fn name(&self) -> String {
        let whole = format!("{self:?}");
        let name = whole.chars().take_while(char::is_ascii_alphanumeric);
        name.collect()
    }
}

/// What a list of asks says besides them.
#[skip_serializing_none]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Day {
    /// How many asks the person has answered since midnight.
    pub answered: u64,
    /// Whether notifications are muted.
    pub muted: bool,
    /// How many asks that wait are not in the list, because only the most urgent were wanted.
    pub more: u64,
    /// Where the hub serves its page.
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
}

/// The kinds of fault, for exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorKind {
    /// No such ask.
    NotFound,
    /// Several asks begin with that.
    Ambiguous,
    /// The answers don't fit the questions.
    Unfinished,
    /// A file can't be attached: it is empty or too large.
    Unfit,
    /// The ask is still open; only a closed one can be removed.
    StillOpen,
    /// No agent has been told how it ended; what would remove it has to say that it means that.
    Undelivered,
    /// The person's settings take no answer from there.
    NotAllowed,
    /// So much is open or kept already that no more is taken.
    TooMany,
    /// The store failed; nothing was changed.
    Store,
    /// The request can't be understood.
    #[serde(other)]
    Malformed,
}

/// Where a hub can be found: what `hub.json` holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Address {
    /// The hub's version.
    pub version: String,
    /// Its process.
    #[serde(default)]
    pub pid: u32,
    /// The path of its Unix socket.
    pub socket: String,
    /// Where it listens for HTTP, if it does.
    #[serde(flatten)]
    pub http: Option<HttpAddress>,
}

/// Where a hub listens for HTTP: on 127.0.0.1, and on `[::1]` where there is one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HttpAddress {
    /// The port.
    pub port: u16,
    /// What its clients must show.
    pub token: String,
}
