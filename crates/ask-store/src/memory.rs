//! A store in memory, for tests. It shows in two maps what the trait means, and the conformance
//! test compares the durable store with it.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ask_core::lifecycle::{self, SettleResult};
use ask_core::{AskId, Digest, Record, Write, Written};
use sha2::{Digest as _, Sha256};

use super::{Store, StoreResult};

/// Asks in memory.
#[derive(Default)]
pub(crate) struct Memory(Mutex<Tables>);

#[derive(Default)]
struct Tables {
    asks: HashMap<AskId, Record>,
    blobs: HashMap<Digest, Vec<u8>>,
}

impl Memory {
    fn tables(&self) -> MutexGuard<'_, Tables> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tables {
    fn apply(&mut self, write: &Write) -> Written {
        match write {
            Write::Create(record) => {
                if let Some(existing) = self.asks.get(&record.id) {
                    return Written::Existing(Box::new(existing.clone()));
                }
                self.asks.insert(record.id.clone(), (**record).clone());
            }
            Write::Settle(before, settlement) => {
                if let Some(record) = self.asks.get_mut(&before.id) {
                    if lifecycle::close(record, settlement) != SettleResult::Close {
                        return Written::Existing(Box::new(record.clone()));
                    }
                    write.apply(record);
                }
            }
            Write::Forget(id) => {
                let is_closed = |record: &Record| !record.is_open();
                if self.asks.get(id).is_some_and(is_closed) {
                    self.asks.remove(id);
                }
            }
            Write::SetDeadline(id, _)
            | Write::Snooze(id, _)
            | Write::AskAgain(id, _)
            | Write::Show(id, ..) => self.apply_if(id, write, Record::is_open),
            Write::SaveDraft(id, ..) => self.apply_if(id, write, Record::is_answerable),
            Write::Reopen(id, ..) => {
                let is_expired = |record: &Record| record.is_answerable() && !record.is_open();
                self.apply_if(id, write, is_expired);
            }
            Write::TakeBack(id, taken_back, ..) => {
                let word = taken_back.settlement.outcome.word();
                let is_kept =
                    |record: &Record| record.state_word() == word && !record.is_delivered();
                self.apply_if(id, write, is_kept);
            }
            Write::Deliver(id, ..)
            | Write::TakeOver(id, _)
            | Write::SeeCaller(id, _)
            | Write::SeeAgent(id, _) => {
                self.apply_if(id, write, |_| true);
            }
            Write::Mute(_) => {}
        }
        Written::Done
    }

    fn apply_if(&mut self, id: &AskId, write: &Write, condition: impl Fn(&Record) -> bool) {
        if let Some(record) = self.asks.get_mut(id).filter(|record| condition(record)) {
            write.apply(record);
        }
    }
}

impl Store for Memory {
    async fn persist(&self, writes: Vec<Write>) -> StoreResult<Written> {
        let mut tables = self.tables();
        for write in &writes {
            if let existing @ Written::Existing(_) = tables.apply(write) {
                return Ok(existing);
            }
        }
        Ok(Written::Done)
    }

    async fn get(&self, id: AskId) -> StoreResult<Option<Record>> {
        Ok(self.tables().asks.get(&id).cloned())
    }

    async fn put_blob(&self, bytes: Vec<u8>) -> StoreResult<Digest> {
        let digest = Digest(Sha256::digest(&bytes).into());
        self.tables().blobs.insert(digest, bytes);
        Ok(digest)
    }

    async fn get_blob(&self, digest: Digest) -> StoreResult<Option<Vec<u8>>> {
        Ok(self.tables().blobs.get(&digest).cloned())
    }
}
