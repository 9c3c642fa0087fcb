//! One change, as the hub pushes it to every surface that has subscribed. All of them share the
//! value, and its form for each kind of surface is made only once.

use std::sync::{Arc, OnceLock};

use ask_core::{AskId, Record};

use super::{Day, Response, write_response};

/// What changed, with the cursor after it.
#[derive(Debug)]
pub struct Change {
    /// The cursor for [`super::Request::Subscribe`]. A surface that has it gets the changes after
    /// it.
    pub cursor: u64,
    /// The ask, or what else has changed.
    pub what: Changed,
    /// What a list of asks contains besides the asks.
    pub day: Day,
    line: OnceLock<Arc<[u8]>>,
    event: OnceLock<Arc<str>>,
}

/// What changed.
#[derive(Clone, Debug, PartialEq)]
pub enum Changed {
    /// An ask is new or has changed. This is the whole of it.
    Record(Arc<Record>),
    /// An ask was removed for good.
    Gone(AskId),
    /// What the list contains besides its asks.
    Day,
    /// Which devices may answer, or ask to be paired.
    Pairing,
}

impl PartialEq for Change {
    fn eq(&self, other: &Self) -> bool {
        (self.cursor, &self.what, self.day) == (other.cursor, &other.what, other.day)
    }
}

impl Change {
    /// A change with this cursor.
    pub fn new(cursor: u64, what: Changed, day: Day) -> Self {
        Self {
            cursor,
            what,
            day,
            line: OnceLock::new(),
            event: OnceLock::new(),
        }
    }

    /// The ask that has changed.
    pub fn id(&self) -> Option<&AskId> {
        match &self.what {
            Changed::Record(record) => Some(&record.id),
            Changed::Gone(id) => Some(id),
            Changed::Day | Changed::Pairing => None,
        }
    }

    /// How many bytes its serialized forms have by now.
    pub fn serialized_len(&self) -> usize {
        let line = self.line.get().map_or(0, |line| line.len());
        let event = self.event.get().map_or(0, |event| event.len());
        line + event
    }

    /// The line for another process.
    pub fn line(self: &Arc<Self>) -> &[u8] {
        self.line
            .get_or_init(|| write_response(0, &Response::Change(Arc::clone(self))).into())
    }

    /// The data of the event for a page. The first caller makes it.
    pub fn event(&self, make: impl FnOnce() -> String) -> Arc<str> {
        Arc::clone(self.event.get_or_init(|| make().into()))
    }
}
