//! The decisions of the hub: whether a call opens an ask or takes one up, which caller may receive
//! an answer, and what must be stored before a client is notified of it.
//!
//! The crate does no I/O: [`Engine::handle`] takes the time and an [`Event`], and returns
//! [`Effect`]s for the caller to carry out. The engine holds every open ask and every outcome that
//! has not reached its caller; the store has the history. [`simulator`] runs the engine with
//! simulated agents, surfaces, crashing hubs and disks that lose unsynced data.

mod asked_text;
mod asks;
mod callers;
mod changes;
mod connections;
mod deadlines;
mod engine;
mod event;
mod remembered;
mod requests;
pub mod simulator;

pub use asks::Counts;
pub use callers::{AnswerPlace, Machine};
pub use changes::{Change, ChangeKind, Cursor};
pub use engine::{Amount, Engine, OpenLimits, Settings};
pub use event::{
    ConnectionId, Effect, Event, Now, Problem, Reply, Request, RequestId, Signature, TakeUp,
    Ticket, Verdict,
};
