//! A surface: it shows what it is told of and sends what its person says.

use std::collections::BTreeMap;
use std::sync::Arc;

use ask_core::{AskId, Record};

use super::connection::Client;
use crate::changes::{Change, ChangeKind, Cursor};
use crate::event::RequestId;

#[derive(Debug, Default)]
pub(crate) struct Surface {
    pub client: Client,
    /// What it shows.
    pub shown: BTreeMap<AskId, Arc<Record>>,
    /// The last change that it knows of.
    pub cursor: Option<Cursor>,
    /// Its subscription, until that has a reply.
    pub subscribing: Option<RequestId>,
}

impl Surface {
    pub fn replace(&mut self, cursor: Cursor, records: Vec<Arc<Record>>) {
        self.cursor = Some(cursor);
        self.shown = records
            .into_iter()
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
                self.shown.insert(record.id.clone(), Arc::clone(record));
            }
            ChangeKind::Removed(id) => drop(self.shown.remove(id)),
            ChangeKind::Muted(_) => {}
        }
        Ok(())
    }
}
