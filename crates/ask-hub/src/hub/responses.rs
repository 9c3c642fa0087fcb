//! Converts the engine's replies to responses of the hub's protocol.

use std::sync::Arc;

use ask_core::attachment::Attachment;
use ask_core::{Outcome, Record, State, lifecycle};
use ask_engine::{ChangeKind, Cursor, Reply};
use ask_protocol::ipc::{Change, Changed, Response};

use super::problem::HubError;
use super::{Hub, now};

impl Hub {
    pub(super) fn to_response(&self, reply: Reply) -> Response {
        match reply {
            Reply::Opened(id) => Response::Opened { id },
            Reply::Outcome { record, missed } => Response::Outcome {
                record: self.client_view(record),
                missed,
            },
            Reply::Settled(won, record) => Response::Settled {
                won,
                record: self.client_view(record),
            },
            Reply::Record(record) => Response::Record(self.client_view(record)),
            Reply::Fetched(records, more) => Response::Records {
                records: records
                    .into_iter()
                    .map(|one| self.client_view(one))
                    .collect(),
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

    /// A list of records, with the counts that belong to it.
    pub(super) fn listing(
        &self,
        records: Vec<Arc<Record>>,
        cursor: Cursor,
        is_all: bool,
    ) -> Response {
        Response::Records {
            records: records
                .into_iter()
                .map(|one| self.client_view(one))
                .collect(),
            more: 0,
            gone: Vec::new(),
            cursor: cursor.into(),
            reset: is_all,
            day: Some(self.day()),
        }
    }

    /// A change as it is pushed. All subscribers share one serialized value.
    pub(super) fn shared_change(&self, change: &ask_engine::Change) -> Arc<Change> {
        let cursor = Cursor {
            number: change.number,
            ..self.engine.borrow().cursor()
        };
        let cursor = u64::from(cursor);
        let mut recent_changes = self.recent_changes.borrow_mut();
        if let Some(change) = recent_changes.get(cursor) {
            return change;
        }
        let changed = match &change.kind {
            ChangeKind::Record(record) => Changed::Record(self.client_view(Arc::clone(record))),
            ChangeKind::Removed(id) => Changed::Gone(id.clone()),
            ChangeKind::Muted(_) => Changed::Day,
        };
        let change = Arc::new(Change::new(cursor, changed, self.day()));
        recent_changes.add(Arc::clone(&change));
        change
    }

    /// A record as clients receive it: an expired snooze is left out, even before the timer ends
    /// it, and every attached file has its path.
    pub(super) fn client_view(&self, mut record: Arc<Record>) -> Arc<Record> {
        if lifecycle::snooze_ends(&record, now().wall, false) {
            Arc::make_mut(&mut record).snoozed = None;
        }
        if has_attachments(&record) {
            self.set_file_paths(Arc::make_mut(&mut record));
        }
        record
    }

    fn set_file_paths(&self, record: &mut Record) {
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

fn has_attachments(record: &Record) -> bool {
    let drafted = record.draft.as_ref().map(|saved| &saved.draft);
    let offered = record.earlier_answer.as_ref();
    let offered = offered.map(|earlier| &earlier.draft);
    let mut forms = drafted.into_iter().chain(offered);
    let in_form = forms.any(|form| form.attachments().next().is_some());
    let answered = record.answered();
    let in_answer = answered.is_some_and(|answered| {
        let mut answers = answered.answers().iter();
        answers.any(|answer| !answer.attachments.is_empty())
    });
    in_form || in_answer
}
