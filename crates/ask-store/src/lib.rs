//! What survives a restart. The trait is all that a store of asks must do, on one
//! machine or on many; lists, search, drafts and history are queries on the local
//! [`sqlite`], written once.
//!
//! A conflict is a value, never an error: two people answering at once is an
//! ordinary day.

pub mod among;
mod blobs;
#[cfg(test)]
mod memory;
pub mod past;
pub mod rows;
pub mod sqlite;
#[cfg(test)]
mod story;
mod writer;

use ask_core::{AskId, Digest, Record, Settlement};

/// Keeps asks and how they ended.
pub trait Store: Send + Sync + 'static {
    /// Keeps a new ask. Resolves only when it is durable; the same id again is no error.
    fn create(&self, record: Record) -> impl Future<Output = Kept<Created>> + Send;

    /// Closes an ask. At most one call per id ever wins; a retry of the winning
    /// attempt wins again. Resolves only when it is durable.
    fn settle(
        &self,
        id: AskId,
        settlement: Settlement,
    ) -> impl Future<Output = Kept<Settled>> + Send;

    /// One record as it stands, with everything acknowledged before in it.
    fn get(&self, id: AskId) -> impl Future<Output = Kept<Option<Record>>> + Send;

    /// Which asks have changed since a cursor, in one order, without gaps.
    fn changes(&self, after: Cursor) -> impl Future<Output = Kept<Feed>> + Send;

    /// Keeps bytes under their SHA-256, before the settlement that names them.
    fn put_blob(&self, bytes: Vec<u8>) -> impl Future<Output = Kept<Digest>> + Send;

    /// Bytes kept under a SHA-256.
    fn get_blob(&self, digest: Digest) -> impl Future<Output = Kept<Option<Vec<u8>>>> + Send;
}

/// A result that a store can fail to give.
pub type Kept<T> = Result<T, StoreError>;

/// What became of a new ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Created {
    /// It is kept.
    New,
    /// It was kept before, and this is how it stands.
    Existing(Box<Record>),
}

/// What became of an attempt to close.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Settled {
    /// This attempt closed it.
    Won(Box<Record>),
    /// This attempt had closed it before.
    Again(Box<Record>),
    /// Another one had.
    Lost(Box<Record>),
    /// There is no such ask.
    NoSuchAsk,
}

/// A place in the feed of changes. Opaque to everybody but its store; zero is the beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Cursor(pub u64);

/// A page of the feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Feed {
    /// These asks changed, in this order; the page ends at the cursor.
    Page {
        /// Ids, once for each change.
        changed: Vec<AskId>,
        /// Where the next page begins.
        next: Cursor,
    },
    /// The cursor is too old: what was held must be thrown away and listed again.
    Reset {
        /// Where the feed stands now.
        next: Cursor,
    },
}

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
