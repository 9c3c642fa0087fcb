//! Words for an agent that are begun in a dialog: why an ask is declined, what is asked back. A
//! dialog that is closed keeps them, for as long as its ask is listed.

use ask_core::AskId;

use super::{Model, Over};
use crate::surface::paper::field::Field;

/// What words are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Why an ask is declined.
    Reason,
    /// What the person asks back.
    AskBack,
}

/// Words that were begun and not sent.
#[derive(Clone, Debug)]
pub struct Unsent {
    /// For which ask.
    id: AskId,
    /// What they are for.
    purpose: Purpose,
    /// The words.
    text: String,
}

impl Model {
    /// Opens the dialog for words to an agent, with what was begun there before.
    pub fn open_words(&mut self, id: AskId, purpose: Purpose) {
        let begun = self
            .unsent
            .iter()
            .find(|unsent| unsent.is_for(&id, purpose));
        let field = Field::new(begun.map_or("", |unsent| &unsent.text));
        self.over = Some(match purpose {
            Purpose::Reason => Over::Reason { id, field },
            Purpose::AskBack => Over::AskBack { id, field },
        });
    }

    /// Keeps what stands in such a dialog, and forgets what was for asks that are gone.
    pub fn keep_unsent(&mut self) {
        let (id, purpose, field) = match &self.over {
            Some(Over::Reason { id, field }) => (id, Purpose::Reason, field),
            Some(Over::AskBack { id, field }) => (id, Purpose::AskBack, field),
            Some(
                Over::Help { .. }
                | Over::Reader { .. }
                | Over::Preview { .. }
                | Over::Discard { .. }
                | Over::Snooze { .. }
                | Over::Attach { .. }
                | Over::Long { .. },
            )
            | None => return,
        };
        let records = &self.records;
        self.unsent.retain(|unsent| {
            let listed = records.iter().any(|record| record.id == unsent.id);
            listed && !unsent.is_for(id, purpose)
        });
        if !field.text().is_empty() {
            self.unsent.push(Unsent {
                id: id.clone(),
                purpose,
                text: field.text().to_owned(),
            });
        }
    }
}

impl Unsent {
    fn is_for(&self, id: &AskId, purpose: Purpose) -> bool {
        self.purpose == purpose && self.id == *id
    }
}
