//! The list of asks: which are shown, in which groups and order, and what the person does with it.

use std::collections::HashMap;

use ask_core::record::InClient;
use ask_core::{AskId, Draft, Record, Time};
use ask_protocol::ipc::Day;

use crate::ui::form::Form;
use crate::ui::text_field::Field;
pub use ask_hub::surface::grouping::{Group, SearchText, sort};

/// The list, besides its asks.
#[derive(Clone, Debug, Default)]
pub struct Inbox {
    /// The asks that are shown: their places among all, in the order of the list.
    pub rows: Vec<usize>,
    /// What the list is narrowed down to.
    pub filter: Field,
    /// What of the asks it looks at, as far as it did: read once for each.
    pub sought: HashMap<AskId, SearchText>,
    /// Whether the filter is being typed.
    pub filtering: bool,
    /// The first row shown of the ask that is read beside the list.
    pub top: usize,
    /// What the hub says besides, and when it did.
    pub day: Option<(Day, Time)>,
}

/// What is worth knowing about an ask at one glance, the most pressing alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It comes back then.
    Back(Time),
    /// It comes back when its agent asks again.
    BackWhenAsked,
    /// It is closed.
    Closed,
    /// It is due then.
    Due(Time),
    /// Its client asks it as well.
    InClient(InClient),
    /// So many questions are filled in.
    Draft(usize),
    /// Its agent has asked it again.
    AskedAgain,
    /// Choices can be looked at before they are chosen.
    Preview,
}

impl Mark {
    /// The mark of an ask.
    pub fn of(record: &Record) -> Option<Self> {
        use ask_core::record::Snooze;
        match record.snoozed {
            Some(Snooze::Until(at)) => return Some(Self::Back(at)),
            Some(Snooze::AskedAgain) => return Some(Self::BackWhenAsked),
            None => {}
        }
        if record.settlement().is_some() {
            return Some(Self::Closed);
        }
        if let Some(at) = record.deadline_at {
            return Some(Self::Due(at));
        }
        if let Some(in_client) = record.in_client {
            return Some(Self::InClient(in_client));
        }
        if let Some(saved) = &record.draft
            && Form::new(&record.ask, Some(&saved.draft)).is_touched(&record.ask)
        {
            return Some(Self::Draft(Draft::given(&saved.draft)));
        }
        if record.asked_again.is_some() {
            return Some(Self::AskedAgain);
        }
        let mut choices = record
            .ask
            .questions
            .iter()
            .flat_map(|question| question.input.choices());
        choices
            .any(|choice| choice.preview.is_some())
            .then_some(Self::Preview)
    }
}
