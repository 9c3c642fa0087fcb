//! One change, as the hub pushes it to every surface that has subscribed: all of them share the
//! value, and what it was made into for a kind of surface is made once.

use std::sync::{Arc, OnceLock};

use ask_core::{AskId, Record};

use super::{Day, Response, write_response};

/// What changed, and where the changes stand with it.
#[derive(Debug)]
pub struct Change {
    /// For [`super::Request::Subscribe`]: what came after it is told to whoever has it.
    pub cursor: u64,
    /// The ask, or what else is different now.
    pub what: Changed,
    /// What else a list of asks says.
    pub day: Day,
    line: OnceLock<Arc<[u8]>>,
    event: OnceLock<Arc<str>>,
}

/// What changed.
#[derive(Clone, Debug, PartialEq)]
pub enum Changed {
    /// An ask is new, or different from before: this is all of it.
    Record(Arc<Record>),
    /// An ask is gone for good.
    Gone(AskId),
    /// What the list says besides its asks.
    Day,
    /// Which devices may answer, or want to.
    Pairing,
}

impl PartialEq for Change {
    fn eq(&self, other: &Self) -> bool {
        (self.cursor, &self.what, self.day) == (other.cursor, &other.what, other.day)
    }
}

impl Change {
    /// A change.
    pub fn new(cursor: u64, what: Changed, day: Day) -> Self {
        Self {
            cursor,
            what,
            day,
            line: OnceLock::new(),
            event: OnceLock::new(),
        }
    }

    /// Which ask it is about.
    pub fn id(&self) -> Option<&AskId> {
        match &self.what {
            Changed::Record(record) => Some(&record.id),
            Changed::Gone(id) => Some(id),
            Changed::Day | Changed::Pairing => None,
        }
    }

    /// The line that tells another process.
    pub fn line(self: &Arc<Self>) -> &[u8] {
        self.line
            .get_or_init(|| write_response(0, &Response::Change(Arc::clone(self))).into())
    }

    /// The data of the event that tells a page, made by the first that tells one.
    pub fn event(&self, make: impl FnOnce() -> String) -> Arc<str> {
        Arc::clone(self.event.get_or_init(|| make().into()))
    }
}
