//! What goes into the engine and what comes out of it, as data.

use std::sync::Arc;

use ask_core::record::{InClient, Snooze};
use ask_core::{AskId, Asker, Draft, Gaps, Origin, Record, Time, Write, Written};

use crate::changes::{Change, Cursor};

/// One connection of a client; the hub's own has 0. Never used again after it has closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConnectionId(pub u64);

/// The number of a request within its connection, chosen by the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RequestId(pub u64);

/// Names what was handed to the store until the store has said what became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ticket(pub u64);

/// The time, on both clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Now {
    /// The calendar's, which people set.
    pub wall: Time,
    /// Milliseconds since the machine started, sleep included. Never goes back.
    pub boot_ms: u64,
}

/// What can happen.
#[derive(Clone, Debug)]
pub enum Event {
    /// A client connected.
    Opened(ConnectionId),
    /// A connection ended, for whatever reason.
    Closed(ConnectionId),
    /// A client wants something.
    Request {
        /// Over which connection.
        connection: ConnectionId,
        /// Under which number it is answered.
        request: RequestId,
        /// What.
        body: Request,
    },
    /// A connection has taken everything that was pushed to it so far.
    Drained(ConnectionId),
    /// The store has kept what it was handed.
    Stored(Ticket, Written),
    /// The store has kept nothing of it: a full disk, a lock.
    StoreFailed(Ticket, String),
    /// What [`Effect::Load`] asked for; `None` where there is no such ask.
    Loaded(AskId, Option<Box<Record>>),
    /// It could not be looked for.
    LoadFailed(AskId, String),
    /// The store removed these by itself: they were too old.
    Removed(Vec<AskId>),
    /// The time that [`crate::Engine::next_in_ms`] named has come.
    Tick,
}

/// What a client wants. Every request may be sent again after a lost connection: opening names its
/// ask, settling names its attempt, the rest only reads or overwrites.
#[derive(Clone, Debug)]
pub enum Request {
    /// Opens an ask, or takes up the same one that its caller left.
    Open {
        /// As [`ask_core::lifecycle::open`] made it, with its caller.
        record: Box<Record>,
        /// Whether the call waits for the outcome.
        wait: bool,
        /// Which asks may be taken up in its place.
        take_up: TakeUp,
    },
    /// Waits for the outcome of an ask that the caller knows by its id.
    Wait(AskId),
    /// Stops waiting.
    Leave {
        /// The request that waits.
        request: RequestId,
        /// Within how many milliseconds its agent comes back for the outcome; 0 if it doesn't.
        back_ms: u64,
        /// Whether it comes over another connection.
        elsewhere: bool,
    },
    /// The caller's own outcomes that have not reached it.
    Fetch {
        /// Who asks for them.
        asker: Box<Asker>,
        /// Whether they are on their way to it from now on; else it is only told which there are, of
        /// many only the newest.
        take: bool,
        /// Whether its asks that still wait are listed where there is none.
        or_open: bool,
    },
    /// The outcome was written to the call that waited.
    Delivered {
        /// Of which ask.
        id: AskId,
        /// Whose attempt the outcome was; older clients don't say.
        attempt: Option<u64>,
    },
    /// The outcome could not be written: the agent left at that moment.
    NotDelivered(AskId),
    /// Closes an ask.
    Settle {
        /// Which.
        id: AskId,
        /// How.
        verdict: Verdict,
        /// Who does.
        signature: Signature,
        /// Random; the same for every retry.
        attempt: u64,
    },
    /// Keeps a half-filled form.
    SaveDraft {
        /// Of which ask.
        id: AskId,
        /// The form.
        draft: Box<Draft>,
        /// Where it is being filled in.
        surface: String,
        /// The revision that it was built on: where another was saved since, nothing is kept. `None`
        /// overwrites.
        built_on: Option<u64>,
    },
    /// Puts an open ask aside, or back.
    Snooze(AskId, Option<Snooze>),
    /// Moves the deadline of an open ask.
    Extend {
        /// Which.
        id: AskId,
        /// Until when.
        until: Time,
        /// How long its agent could have waited at most.
        longest_ms: u64,
    },
    /// A person can see the ask there.
    Shown(AskId, String),
    /// The agent's client asks the same itself, or no longer. Ends with the connection.
    InClient(AskId, Option<InClient>),
    /// Mutes notifications, or no longer.
    Mute(bool),
    /// Removes closed asks for good: all of them, or none.
    Forget {
        /// Which.
        ids: Vec<AskId>,
        /// Whether answers that no agent has received go, too.
        undelivered: bool,
    },
    /// Sends every change from now on.
    Subscribe {
        /// The last change that the client knows of, if it was subscribed before.
        after: Option<Cursor>,
        /// Whether it is sent only so many changes before [`Event::Drained`]. Who takes what it is
        /// sent at once, into memory of its own, needs no pace.
        paced: bool,
    },
}

/// Which asks a call may take up in place of opening its own. Whether it may have what it finds is
/// decided by what is known of both callers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TakeUp {
    /// None.
    Never,
    /// Those that nobody waits for: a shell's command that waits is alive.
    WhenLeft,
    /// Also those that another call of the same caller seems to wait for: it may have given up on
    /// that call without saying so.
    Always,
}

/// Who closes an ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The surface.
    pub surface: String,
    /// Which device, where it was one that the person let in.
    pub device: Option<String>,
    /// Which program of this machine, where that can be seen.
    pub origin: Option<Box<Origin>>,
}

/// How a person, or the agent, closes an ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// With answers.
    Answer {
        /// The form.
        draft: Draft,
        /// What to do about required questions without an answer.
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

/// What is to be done.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Keep these, all or none, and say so with [`Event::Stored`]. In the order of the tickets.
    Persist(Ticket, Vec<Write>),
    /// Look for a record in the store and say so with [`Event::Loaded`].
    Load(AskId),
    /// Answer a request.
    Reply(ConnectionId, RequestId, Reply),
    /// Tell a subscribed connection of a change.
    Push(ConnectionId, Arc<Change>),
    /// Tell a subscribed connection to throw away what it holds: it missed too much.
    Snapshot(ConnectionId, Cursor, Vec<Arc<Record>>),
}

/// The answer to a request.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// The ask is kept, and waited for if that was wanted; another id than was sent where an ask
    /// was taken up. The outcome follows under the same number.
    Opened(AskId),
    /// The outcome, to whoever waited.
    Outcome {
        /// How it ended.
        record: Arc<Record>,
        /// Whether its caller has not received other outcomes.
        missed: bool,
    },
    /// Whether this attempt closed the ask, and how it is now.
    Settled(bool, Arc<Record>),
    /// How an ask is now.
    Record(Arc<Record>),
    /// To [`Request::Fetch`]; where outcomes are only named, the newest, and how many there are besides.
    Fetched(Vec<Arc<Record>>, usize),
    /// Subscribed: everything there is, or nothing where the client's cursor was known and what it
    /// missed follows.
    Subscribed(Cursor, Option<Vec<Arc<Record>>>),
    /// Done, to so many asks.
    Done(u64),
    /// It can't be done.
    Refused(Problem),
}

/// Why something can't be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// There is no such ask.
    NotFound(AskId),
    /// The answers don't fit the questions.
    Unfinished(ask_core::Unfinished),
    /// The ask is closed.
    Closed(AskId, &'static str),
    /// The ask is open.
    StillOpen(AskId),
    /// No agent has received how it ended.
    Undelivered(AskId, &'static str),
    /// The caller seemed to be gone, and its successor goes on with the ask.
    TakenOver(AskId),
    /// The ask has no deadline.
    NoDeadline(AskId),
    /// That moment is over.
    Past(Time),
    /// So many asks of this caller are open.
    TooManyOfCaller(usize),
    /// So many asks are open.
    TooManyOpen(usize),
    /// With this one the open asks of this caller would have more bytes than so many.
    TooLongOfCaller(usize),
    /// With this one the open asks would have more bytes than so many.
    TooLongOpen(usize),
    /// The store could not write.
    Store(String),
}
