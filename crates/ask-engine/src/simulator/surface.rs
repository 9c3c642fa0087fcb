//! A surface: it shows what it is told of and sends what its person says.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use ask_core::{AskId, Record};

use super::connection::Client;
use super::random::Random;
use crate::changes::{Change, ChangeKind, Cursor};
use crate::event::RequestId;

#[derive(Debug, Default)]
pub(crate) struct Surface {
    pub client: Client,
    /// The open asks that it shows.
    pub shown: BTreeMap<AskId, Arc<Record>>,
    /// What it showed last whose time has passed: a person may be in the middle of it.
    lapsed: VecDeque<Arc<Record>>,
    /// The last change that it knows of.
    pub cursor: Option<Cursor>,
    /// Its subscription, until that has a reply.
    pub subscribing: Option<RequestId>,
}

/// So many asks whose time has passed are in a person's hands.
const LAPSED: usize = 8;

impl Surface {
    /// One of the asks that it shows, or has shown.
    pub fn pick(&self, random: &mut Random, late: bool) -> Option<AskId> {
        if late {
            let at = random.below(self.lapsed.len() as u64);
            return self.lapsed.get(at as usize).map(|record| record.id.clone());
        }
        let at = random.below(self.shown.len() as u64);
        self.shown.keys().nth(at as usize).cloned()
    }

    /// An ask as it was last shown here.
    pub fn find(&self, id: &AskId) -> Option<&Arc<Record>> {
        let lapsed = || self.lapsed.iter().find(|record| record.id == *id);
        self.shown.get(id).or_else(lapsed)
    }

    pub fn replace(&mut self, cursor: Cursor, records: Vec<Arc<Record>>) {
        self.cursor = Some(cursor);
        self.shown = records
            .into_iter()
            .filter(|record| record.is_open())
            .map(|record| (record.id.clone(), record))
            .collect();
    }

    /// Hears of a change. None may be missing between this one and the last.
    pub fn hear(&mut self, change: &Change) -> Result<(), String> {
        let Some(cursor) = &mut self.cursor else {
            return Err("a change came before the surface knew anything".to_owned());
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
                if record.is_answerable() {
                    self.lapsed.truncate(LAPSED - 1);
                    self.lapsed.push_front(Arc::clone(record));
                }
            }
            ChangeKind::Removed(id) => drop(self.shown.remove(id)),
            ChangeKind::Muted(_) => {}
        }
        Ok(())
    }
}
