//! What survives a restart. The engine decides what is kept and hands it over as [`Write`]s; the
//! trait is all that a store must do with them. Lists, search, statistics and history are queries of
//! the local [`sqlite`], and SQL is written in this crate alone.
//!
//! A conflict is a value, never an error: two people answering at once is an ordinary day.

mod blobs;
#[cfg(test)]
mod conformance;
mod days;
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
pub use writer::{Note, Then};

/// Keeps asks and how they ended.
pub trait Store: Send + Sync + 'static {
    /// Keeps changes, all or none, after those that were handed over before. Resolves once they
    /// survive what [`Write::is_durable`] wants them to survive.
    fn persist(&self, writes: Vec<Write>) -> impl Future<Output = StoreResult<Written>> + Send;

    /// One record as it is kept, with everything acknowledged before in it.
    fn get(&self, id: AskId) -> impl Future<Output = StoreResult<Option<Record>>> + Send;

    /// Keeps bytes under their SHA-256, before the settlement that names them.
    fn put_blob(&self, bytes: Vec<u8>) -> impl Future<Output = StoreResult<Digest>> + Send;

    /// Bytes kept under a SHA-256.
    fn get_blob(&self, digest: Digest)
    -> impl Future<Output = StoreResult<Option<Vec<u8>>>> + Send;
}

/// A result that a store can fail to give.
pub type StoreResult<T> = Result<T, StoreError>;

/// Why a store couldn't. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// It may be different next time: a full disk, a lock.
    #[error("the store could not write: {0}; nothing was changed. {hint}", hint = hint(.0))]
    Unavailable(String),
    /// The file is damaged.
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
