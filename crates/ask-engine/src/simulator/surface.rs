//! A simulated surface: it receives changes and keeps the asks that a person can answer.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use ask_core::{AskId, Record};

use super::connection::Client;
use super::random::Random;
use crate::changes::{Change, ChangeKind, Cursor};

#[derive(Debug, Default)]
pub(crate) struct Surface {
    pub client: Client,
    /// The open asks that it shows.
    pub shown: BTreeMap<AskId, Arc<Record>>,
    /// The asks that expired last, the newest first. A person may still be answering them.
    expired: VecDeque<Arc<Record>>,
    /// The outcomes that it showed last and that no agent had, the newest first.
    undelivered: VecDeque<Arc<Record>>,
    /// The position after the last change that it received.
    pub cursor: Option<Cursor>,
}

/// How many expired asks a person may still be answering, and how many outcomes they may take back.
const MAX_CLOSED: usize = 8;

impl Surface {
    /// A random open ask, or with `late` a random expired one.
    pub(super) fn pick(&self, random: &mut Random, late: bool) -> Option<AskId> {
        if late {
            let at = random.next_below(self.expired.len() as u64);
            return self
                .expired
                .get(at as usize)
                .map(|record| record.id.clone());
        }
        let at = random.next_below(self.shown.len() as u64);
        self.shown.keys().nth(at as usize).cloned()
    }

    /// A random outcome that no agent had when it was last shown, by its attempt.
    pub(super) fn pick_undelivered(&self, random: &mut Random) -> Option<(AskId, u64)> {
        let at = random.next_below(self.undelivered.len() as u64);
        let record = self.undelivered.get(at as usize)?;
        Some((record.id.clone(), record.settlement()?.attempt))
    }

    /// The record of an ask as it was last shown.
    pub(super) fn find(&self, id: &AskId) -> Option<&Arc<Record>> {
        let expired = || self.expired.iter().find(|record| record.id == *id);
        self.shown.get(id).or_else(expired)
    }

    /// Replaces all open asks, after subscribing or with a snapshot.
    pub(super) fn replace(&mut self, cursor: Cursor, records: Vec<Arc<Record>>) {
        self.cursor = Some(cursor);
        self.shown = records
            .into_iter()
            .filter(|record| record.is_open())
            .map(|record| (record.id.clone(), record))
            .collect();
    }

    /// Receives a change.
    ///
    /// # Errors
    /// A change between this one and the last one is missing.
    pub(super) fn receive(&mut self, change: &Change) -> Result<(), String> {
        let Some(cursor) = &mut self.cursor else {
            return Err("a change came before the surface was subscribed".to_owned());
        };
        if change.number != cursor.number + 1 {
            return Err(format!(
                "change {} came after {}",
                change.number, cursor.number
            ));
        }
        cursor.number = change.number;
        match &change.kind {
            ChangeKind::Record(record) => {
                if record.is_open() {
                    self.shown.insert(record.id.clone(), Arc::clone(record));
                    return Ok(());
                }
                self.shown.remove(&record.id);
                let closed = match record.is_answerable() {
                    true => &mut self.expired,
                    false => &mut self.undelivered,
                };
                closed.truncate(MAX_CLOSED - 1);
                closed.push_front(Arc::clone(record));
            }
            ChangeKind::Removed(id) => drop(self.shown.remove(id)),
            ChangeKind::Muted(_) => {}
        }
        Ok(())
    }
}
