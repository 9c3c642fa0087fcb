//! The store that forgets: the same promises in a few maps. It shows what the
//! trait means, and the story holds the durable stores against it.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ask_core::lifecycle::{self, Closing};
use ask_core::{AskId, Digest, Record, Settlement, State};
use sha2::{Digest as _, Sha256};

use super::{Created, Cursor, Feed, Kept, Settled, Store};

/// Asks in memory.
#[derive(Default)]
pub struct Memory(Mutex<Tables>);

#[derive(Default)]
struct Tables {
    asks: HashMap<AskId, Record>,
    changes: Vec<AskId>,
    blobs: HashMap<Digest, Vec<u8>>,
}

impl Memory {
    fn tables(&self) -> MutexGuard<'_, Tables> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store for Memory {
    async fn create(&self, record: Record) -> Kept<Created> {
        let mut tables = self.tables();
        if let Some(existing) = tables.asks.get(&record.id) {
            return Ok(Created::Existing(Box::new(existing.clone())));
        }
        tables.changes.push(record.id.clone());
        tables.asks.insert(record.id.clone(), record);
        Ok(Created::New)
    }

    async fn settle(&self, id: AskId, settlement: Settlement) -> Kept<Settled> {
        let mut tables = self.tables();
        let Some(record) = tables.asks.get_mut(&id) else {
            return Ok(Settled::NoSuchAsk);
        };
        match lifecycle::close(record, &settlement) {
            Closing::Again => return Ok(Settled::Again(Box::new(record.clone()))),
            Closing::TooLate => return Ok(Settled::Lost(Box::new(record.clone()))),
            Closing::Close => {}
        }
        if settlement.outcome.is_human() || settlement.outcome == ask_core::Outcome::Withdrawn {
            record.draft = None;
        }
        record.state = State::Closed {
            settlement,
            delivered_at: None,
        };
        let record = Box::new(record.clone());
        tables.changes.push(id);
        Ok(Settled::Won(record))
    }

    async fn get(&self, id: AskId) -> Kept<Option<Record>> {
        Ok(self.tables().asks.get(&id).cloned())
    }

    async fn changes(&self, after: Cursor) -> Kept<Feed> {
        let tables = self.tables();
        let newest = tables.changes.len();
        let next = Cursor(newest as u64);
        Ok(match usize::try_from(after.0) {
            Ok(from) if from <= newest => Feed::Page {
                changed: tables.changes[from..].to_vec(),
                next,
            },
            _ => Feed::Reset { next },
        })
    }

    async fn put_blob(&self, bytes: Vec<u8>) -> Kept<Digest> {
        let digest = Digest(Sha256::digest(&bytes).into());
        self.tables().blobs.insert(digest, bytes);
        Ok(digest)
    }

    async fn get_blob(&self, digest: Digest) -> Kept<Option<Vec<u8>>> {
        Ok(self.tables().blobs.get(&digest).cloned())
    }
}
