//! Converts the engine's replies to responses of the hub's protocol.

use std::sync::Arc;

use ask_core::attachment::Attachment;
use ask_core::{Outcome, Record, State, lifecycle};
use ask_engine::{ChangeKind, Cursor, Reply};
use ask_protocol::ipc::{Change, Changed, Response};

use super::problem::HubError;
use super::{Hub, now};

impl Hub {
    pub(super) fn response(&self, reply: Reply) -> Response {
        match reply {
            Reply::Opened(id) => Response::Opened { id },
            Reply::Outcome { record, missed } => Response::Told {
                record: self.shown(record),
                missed,
            },
            Reply::Settled(won, record) => Response::Settled {
                won,
                record: self.shown(record),
            },
            Reply::Record(record) => Response::Record(self.shown(record)),
            Reply::Fetched(records, more) => Response::Records {
                records: records.into_iter().map(|one| self.shown(one)).collect(),
                more: more as u64,
                gone: Vec::new(),
                cursor: 0,
                reset: false,
                day: None,
            },
            Reply::Subscribed(cursor, all) => {
                let is_all = all.is_some();
                self.listing(all.unwrap_or_default(), cursor, is_all)
            }
            Reply::Done(count) => Response::Done { count },
            Reply::Refused(problem) => HubError::from(problem).into_response(),
        }
    }

    /// A list response of the records that a person can act on.
    pub(super) fn listing(
        &self,
        records: Vec<Arc<Record>>,
        cursor: Cursor,
        is_all: bool,
    ) -> Response {
        Response::Records {
            records: records.into_iter().map(|one| self.shown(one)).collect(),
            more: 0,
            gone: Vec::new(),
            cursor: cursor.into(),
            reset: is_all,
            day: Some(self.day()),
        }
    }

    /// A change as it is pushed. All subscribers share one serialized value.
    pub(super) fn shared(&self, change: &ask_engine::Change) -> Arc<Change> {
        let cursor = Cursor {
            number: change.number,
            ..self.engine.borrow().cursor()
        };
        let cursor = u64::from(cursor);
        let mut pushed = self.pushed.borrow_mut();
        if let Some(pushed) = pushed.as_ref().filter(|pushed| pushed.cursor == cursor) {
            return Arc::clone(pushed);
        }
        let what = match &change.kind {
            ChangeKind::Record(record) => Changed::Record(self.shown(Arc::clone(record))),
            ChangeKind::Removed(id) => Changed::Gone(id.clone()),
            ChangeKind::Muted(_) => Changed::Day,
        };
        let change = Arc::new(Change::new(cursor, what, self.day()));
        *pushed = Some(Arc::clone(&change));
        change
    }

    /// A record as clients get it: without a snooze that has expired, even before the timer ends it,
    /// and with the path of every attached file.
    pub(super) fn shown(&self, mut record: Arc<Record>) -> Arc<Record> {
        if lifecycle::snooze_ends(&record, now().wall, false) {
            Arc::make_mut(&mut record).snoozed = None;
        }
        if has_files(&record) {
            self.place_files(Arc::make_mut(&mut record));
        }
        record
    }

    fn place_files(&self, record: &mut Record) {
        let path = |file: &Attachment| {
            let path = self.store.blobs.path(&file.digest)?;
            Some(path.display().to_string())
        };
        if let Some(saved) = &mut record.draft {
            saved.draft.set_attachment_paths(path);
        }
        if let Some(earlier) = &mut record.earlier_answer {
            earlier.draft.set_attachment_paths(path);
        }
        if let State::Closed { settlement, .. } = &mut record.state
            && let Outcome::Answered(answered) = &mut settlement.outcome
        {
            answered.place(path);
        }
    }
}

fn has_files(record: &Record) -> bool {
    let drafted = record.draft.as_ref().map(|saved| &saved.draft);
    let offered = record.earlier_answer.as_ref();
    let offered = offered.map(|earlier| &earlier.draft);
    let mut forms = drafted.into_iter().chain(offered);
    let in_form = forms.any(|form| form.attachments().next().is_some());
    let answered = record.answered();
    let answered = answered.is_some_and(|answered| {
        let mut answers = answered.answers().iter();
        answers.any(|answer| !answer.attachments.is_empty())
    });
    in_form || answered
}
