//! The interface of the engine: events and requests in, effects and replies out.

use std::sync::Arc;

use ask_core::record::{InClient, Snooze};
use ask_core::{AskId, Asker, Caller, Draft, Gaps, Origin, Process, Record, Time, Write, Written};

use crate::changes::{Change, Cursor};

/// A connection of a client. The hub's own connection has 0. The id of a closed connection is never
/// used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConnectionId(pub u64);

/// The number of a request within its connection, chosen by the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RequestId(pub u64);

/// Identifies changes that were sent to the store, until the store has reported their result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ticket(pub u64);

/// The time on three clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Now {
    /// The wall clock, which people can set.
    pub wall: Time,
    /// Milliseconds since the machine started, including sleep. Never decreases.
    pub boot_ms: u64,
    /// What the wall clock would show if nobody had set it since the first hub of this boot. Starts and ends
    /// of processes are compared by it.
    pub steady: Time,
}

impl Now {
    /// Whether the wall clock was set since the first hub of this boot.
    pub(crate) fn is_clock_set(self) -> bool {
        self.wall.0.abs_diff(self.steady.0) >= MIN_STEP_MS
    }
}

/// Smaller differences of clocks come from reading one after the other.
pub(crate) const MIN_STEP_MS: u64 = 1_000;

/// An input of the engine.
#[derive(Clone, Debug)]
pub enum Event {
    /// A client connected.
    Opened(ConnectionId),
    /// A connection ended, for whatever reason.
    Closed(ConnectionId),
    /// A client sent a request.
    Request {
        /// The connection that the request came over.
        connection: ConnectionId,
        /// The number that the reply must have.
        request: RequestId,
        /// The request itself.
        body: Request,
    },
    /// A connection has taken everything that was pushed to it so far.
    Drained(ConnectionId),
    /// The store has processed the changes of a ticket.
    Stored(Ticket, Written),
    /// The store could not write the changes of a ticket, and changed nothing: the disk is full, or
    /// the file is locked.
    StoreFailed(Ticket, String),
    /// The result of [`Effect::Load`]. `None` if there is no such ask.
    Loaded(AskId, Option<Box<Record>>),
    /// [`Effect::Load`] failed.
    LoadFailed(AskId, String),
    /// Retention removed these asks from the store.
    Removed(Vec<AskId>),
    /// The time that [`crate::Engine::next_in_ms`] returned has passed.
    Tick,
    /// The hub has started with the asks of an earlier one.
    Started,
    /// A process has ended that [`Effect::Watch`] named.
    ProcessEnded(Process),
    /// The hub ends: what only it knows is stored for the next one.
    Ending,
}

/// A request of a client. Every request may be sent again after the connection was lost: opening
/// names its ask, settling names its attempt, and the others only read or overwrite.
#[derive(Clone, Debug)]
pub enum Request {
    /// Opens an ask, or takes up an equal ask that its caller left.
    Open {
        /// The new ask with its caller, from [`ask_core::lifecycle::open`].
        record: Box<Record>,
        /// Whether the call waits for the outcome.
        wait: bool,
        /// Which asks the call may take up.
        take_up: TakeUp,
    },
    /// Waits for the outcome of an ask that the caller knows by its id.
    Wait(AskId),
    /// Stops waiting.
    Leave {
        /// The request that waits.
        request: RequestId,
        /// Within how many milliseconds the agent returns for the outcome; 0 if it doesn't.
        back_ms: u64,
        /// Whether the agent returns over another connection.
        elsewhere: bool,
    },
    /// Fetches the caller's own outcomes that have not reached it.
    Fetch {
        /// The caller.
        asker: Box<Asker>,
        /// Whether the reply starts the delivery of these outcomes. Otherwise it only lists them,
        /// and of many only the newest.
        take: bool,
        /// Whether to list the caller's open asks if it has no undelivered outcome.
        or_open: bool,
    },
    /// The outcome was written to the call that waited.
    Delivered {
        /// The ask.
        id: AskId,
        /// The attempt that settled the ask with this outcome. `None` from older clients.
        attempt: Option<u64>,
    },
    /// The outcome could not be written because the agent left at that moment.
    NotDelivered(AskId),
    /// This HTTP session of the connection's server has ended.
    SessionEnded(Caller),
    /// Closes an ask.
    Settle {
        /// The ask.
        id: AskId,
        /// How the ask is closed.
        verdict: Verdict,
        /// Who closes it.
        signature: Signature,
        /// A random number, the same for every retry.
        attempt: u64,
        /// For how many milliseconds the outcome of a person is kept from the agent, so that they can
        /// take it back: at most [`ask_core::lifecycle::MAX_HOLD_MS`]. It is stored at once.
        hold_ms: u64,
    },
    /// Takes back an outcome that no agent has. The ask is open again, with the answer as its draft.
    TakeBack {
        /// The ask that is opened again.
        id: AskId,
        /// The attempt that settled the ask with this outcome.
        attempt: u64,
        /// Who takes it back.
        signature: Signature,
    },
    /// Ends the hold of an outcome: the agent gets it at once.
    EndHold {
        /// The ask whose outcome is held.
        id: AskId,
        /// The attempt that settled the ask with this outcome.
        attempt: u64,
    },
    /// Stores a form that is not sent yet.
    SaveDraft {
        /// The ask.
        id: AskId,
        /// The form.
        draft: Box<Draft>,
        /// The surface on which the form is filled in.
        surface: String,
        /// The revision that the draft is based on. If another revision was saved since, the draft
        /// is not stored. `None` overwrites any revision.
        built_on: Option<u64>,
    },
    /// Snoozes an open ask, or ends its snooze.
    Snooze(AskId, Option<Snooze>),
    /// Moves the deadline of an open ask.
    Extend {
        /// The ask.
        id: AskId,
        /// The wanted deadline.
        until: Time,
        /// The longest time limit in milliseconds that its agent could have set.
        longest_ms: u64,
    },
    /// A person can see the ask on this surface.
    Shown(AskId, String),
    /// The agent's client shows the question itself, or stops doing so. Ends with the connection.
    InClient(AskId, Option<InClient>),
    /// Mutes or unmutes notifications.
    Mute(bool),
    /// Removes closed asks for good: all of them, or none.
    Forget {
        /// The asks.
        ids: Vec<AskId>,
        /// Whether to remove answers that no agent has received, too.
        undelivered: bool,
    },
    /// Subscribes the connection to all changes from now on.
    Subscribe {
        /// The last change that the client knows, if it was subscribed before.
        after: Option<Cursor>,
        /// Whether to push only a limited number of changes before [`Event::Drained`]. A client
        /// that takes changes into its own memory at once needs no limit.
        paced: bool,
    },
}

/// Which equal asks a call may take up instead of opening its own. Whether it may receive the ask
/// that is found depends on what is known of both callers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TakeUp {
    /// None.
    Never,
    /// Asks that no call waits for: a shell command that waits is alive.
    WhenLeft,
    /// Also asks that another call of the same caller seems to wait for. The caller may have given
    /// up on that call without saying so.
    Always,
}

/// Who closes an ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The surface.
    pub surface: String,
    /// The paired device, if it was one.
    pub device: Option<String>,
    /// The program on this machine, if it is known.
    pub origin: Option<Box<Origin>>,
}

/// How a person or the agent closes an ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The person answers.
    Answer {
        /// The form.
        draft: Draft,
        /// How to treat required questions without an answer.
        gaps: Gaps,
    },
    /// The person declines to answer.
    Decline {
        /// The person's reason.
        reason: Option<String>,
    },
    /// The person asks back.
    Clarify {
        /// The person's question.
        words: String,
    },
    /// The agent withdraws the ask.
    Withdraw,
}

/// An output of the engine, for the caller to carry out.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Store these changes, all or none, in the order of the tickets, and report the result with
    /// [`Event::Stored`] or [`Event::StoreFailed`].
    Persist(Ticket, Vec<Write>),
    /// Look up a record in the store, and report the result with [`Event::Loaded`] or
    /// [`Event::LoadFailed`].
    Load(AskId),
    /// Send a reply to a request.
    Reply(ConnectionId, RequestId, Reply),
    /// Push a change to a subscribed connection.
    Push(ConnectionId, Arc<Change>),
    /// Replace everything that a subscribed connection holds, because it missed too many changes.
    Snapshot(ConnectionId, Cursor, Vec<Arc<Record>>),
    /// Report the end of this process with [`Event::ProcessEnded`].
    Watch(Process),
}

/// The reply to a request.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// The ask is stored, and the call waits if that was requested. If an ask was taken up, the id
    /// is not the one that was sent. The outcome follows under the same number.
    Opened(AskId),
    /// The outcome, for a call that waited.
    Outcome {
        /// The closed record.
        record: Arc<Record>,
        /// Whether the caller has other outcomes that it has not received.
        missed: bool,
    },
    /// Whether this attempt closed the ask, and the current record.
    Settled(bool, Arc<Record>),
    /// The current record.
    Record(Arc<Record>),
    /// The reply to [`Request::Fetch`]: the records, and how many more there are. A list without
    /// `take` has only the newest.
    Fetched(Vec<Arc<Record>>, usize),
    /// The connection is subscribed. Has all listed records, or `None` if the changes after the
    /// client's cursor are known; those follow.
    Subscribed(Cursor, Option<Vec<Arc<Record>>>),
    /// The request was carried out, for this many asks.
    Done(u64),
    /// The request was refused.
    Refused(Problem),
}

/// Why a request was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// There is no such ask.
    NotFound(AskId),
    /// The answers don't fit the questions.
    Unfinished(ask_core::Unfinished),
    /// The ask is closed, with the word for its state.
    Closed(AskId, &'static str),
    /// The ask is open.
    StillOpen(AskId),
    /// No agent has received the outcome; with the word for the ask's state.
    Undelivered(AskId, &'static str),
    /// The caller seemed to be gone, and its successor has taken the ask over.
    TakenOver(AskId),
    /// An agent has the outcome, or it is another one by now: it can't be taken back.
    NotTakenBack(AskId),
    /// The ask has no deadline.
    NoDeadline(AskId),
    /// The given time is in the past.
    Past(Time),
    /// This caller already has as many open asks as the limit allows.
    TooManyOfCaller(usize),
    /// There are already as many open asks as the limit allows.
    TooManyOpen(usize),
    /// With this ask, the open asks of this caller would exceed the limit in bytes.
    TooLongOfCaller(usize),
    /// With this ask, what this caller has asked in a day would exceed the limit in bytes.
    TooLongInADay(usize),
    /// With this ask, all open asks would exceed the limit in bytes.
    TooLongOpen(usize),
    /// The store could not write.
    Store(String),
}
