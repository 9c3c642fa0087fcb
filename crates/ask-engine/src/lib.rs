//! What the hub decides: which ask a call opens or takes up, who may be given an answer, what is
//! kept before who hears of it.
//!
//! Nothing here touches the world: [`Engine::handle`] takes the time and an [`Event`], and returns
//! [`Effect`]s for the caller to carry out. The engine holds every open ask and every outcome that
//! has not reached its caller; history is the store's. [`simulator`] runs it against agents,
//! surfaces, hubs that die and disks that lose what was not synced.

mod asks;
mod callers;
mod changes;
mod connections;
mod deadlines;
mod engine;
mod event;
mod requests;
pub mod simulator;

pub use asks::Counts;
pub use callers::Machine;
pub use changes::{Change, ChangeKind, Cursor};
pub use engine::{Amount, Engine, OpenLimits, Settings};
pub use event::{
    ConnectionId, Effect, Event, Now, Problem, Reply, Request, RequestId, Signature, TakeUp,
    Ticket, Verdict,
};
