//! The list's rows, filter and summary as the screen holds them, and the mark of an ask.
//! `update/inbox.rs` decides which asks are rows, `ask_hub::surface::grouping` their groups and
//! order.

use std::collections::HashMap;

use ask_core::record::InClient;
use ask_core::{AskId, Draft, Record, Time};
use ask_protocol::ipc::Day;

use crate::ui::form::Form;
use crate::ui::text_field::Field;
pub(crate) use ask_hub::surface::grouping::{Group, SearchText, sort};

/// The list's rows, filter and summary.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inbox {
    /// The shown asks as indices of the model's records, in the order of the list.
    pub rows: Vec<usize>,
    /// The text that the list is filtered by.
    pub filter: Field,
    /// The searched text of each ask, computed at its first match.
    pub search_texts: HashMap<AskId, SearchText>,
    /// Whether the filter is being typed.
    pub filtering: bool,
    /// The first row shown of the ask in the preview pane.
    pub top: usize,
    /// The day's summary, and when the hub sent it.
    pub day: Option<(Day, Time)>,
}

/// The most important fact about an ask, shown in its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// It is snoozed until this time.
    SnoozedUntil(Time),
    /// It is snoozed until its agent asks again.
    SnoozedUntilAsked,
    Closed,
    /// It has this deadline.
    Due(Time),
    /// Its client asks it as well.
    InClient(InClient),
    /// Its draft has this many answers.
    Draft(usize),
    /// Its agent has asked it again.
    AskedAgain,
    /// Its choices have previews.
    Preview,
}

impl Mark {
    /// The mark of a record; `None` if there is nothing to show.
    pub(crate) fn for_record(record: &Record) -> Option<Self> {
        use ask_core::record::Snooze;
        match record.snoozed {
            Some(Snooze::Until(at)) => return Some(Self::SnoozedUntil(at)),
            Some(Snooze::AskedAgain) => return Some(Self::SnoozedUntilAsked),
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
