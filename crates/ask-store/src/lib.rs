//! Storage that survives a restart. The engine decides what to store and submits it as [`Write`]s;
//! [`Store`] is what every store must do with them. Lists, search, statistics and history are
//! queries of [`sqlite`] only. No other crate contains SQL.
//!
//! A conflict is a value, never an error: two people who answer at once are nothing unusual.

mod blobs;
#[cfg(test)]
mod conformance;
mod days;
mod files;
pub mod filter;
mod high_water;
#[cfg(test)]
mod memory;
mod queries;
mod rows;
mod search;
pub mod sqlite;
mod writer;

use ask_core::{AskId, Digest, Record, Write, Written};

pub use queries::{Found, RemovableAsk, WorkingSet};
pub use writer::{Completion, Note};

/// Stores asks, their outcomes and attached files.
pub trait Store: Send + Sync + 'static {
    /// Applies changes, all or none, after all changes that were submitted before. Resolves once
    /// the changes survive a crash of the process, and a power loss if [`Write::is_durable`] asks
    /// for it.
    fn persist(&self, writes: Vec<Write>) -> impl Future<Output = StoreResult<Written>> + Send;

    /// The stored record. It includes every change that was acknowledged before this call.
    fn get(&self, id: AskId) -> impl Future<Output = StoreResult<Option<Record>>> + Send;

    /// Stores bytes under their SHA-256. Must resolve before a settlement that names them is
    /// stored.
    fn put_blob(&self, bytes: Vec<u8>) -> impl Future<Output = StoreResult<Digest>> + Send;

    /// The bytes stored under a SHA-256.
    fn get_blob(&self, digest: Digest)
    -> impl Future<Output = StoreResult<Option<Vec<u8>>>> + Send;
}

/// The result of a request to a store.
pub type StoreResult<T> = Result<T, StoreError>;

/// Why a request to a store failed. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The request may succeed later: the disk is full, or the file is locked.
    #[error("the store could not write: {0}; nothing was changed. {hint}", hint = hint(.0))]
    Unavailable(String),
    /// The database file is damaged.
    #[error(
        "the store is damaged: {0}. The hub sets it aside and begins a new one when it starts again"
    )]
    Corrupt(String),
    /// The hub is ending.
    #[error("the hub is ending; the request may be sent again to the next one")]
    Closed,
}

fn hint(problem: &str) -> &'static str {
    if problem.contains("full") {
        "Make room on the disk and try again"
    } else {
        "Try again"
    }
}
