//! Text that wasn't sent. What was begun in a dialog (a reason, a question to the agent) is kept
//! while its ask is listed. When an ask closes elsewhere, everything typed for it is offered in
//! later fields, and printed when the terminal is given back.

use ask_core::{Answer, AskId, Draft, Outcome, Record};
use ask_hub::surface::labels;
use ask_hub::surface::previous_answers;

use super::{Model, Notice, Overlay};
use crate::ui::clipboard_text;
use crate::ui::form::Form;
use crate::ui::text_field::Field;

/// What a text is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Why an ask is declined.
    Reason,
    /// A question to the agent.
    AskBack,
}

/// A text that was begun and not sent.
#[derive(Clone, Debug)]
pub(crate) struct UnsentText {
    /// The ask's id.
    id: AskId,
    /// The ask's name.
    name: String,
    /// What they are for.
    purpose: Purpose,
    /// The words.
    text: String,
}

/// What was typed for an ask that closed before it was sent.
#[derive(Clone, Debug)]
pub(crate) struct Leftover {
    /// What is printed about it: safe lines.
    pub said: String,
    /// Whether it contains text that the person typed.
    pub filled: bool,
}

impl Model {
    /// Opens the dialog for a text to the agent, with what was begun there before.
    pub(crate) fn open_words(&mut self, id: AskId, purpose: Purpose) {
        let begun = self
            .unsent
            .iter()
            .find(|unsent| unsent.is_for(&id, purpose));
        let field = Field::new(begun.map_or("", |unsent| &unsent.text));
        self.over = Some(match purpose {
            Purpose::Reason => Overlay::Reason { id, field },
            Purpose::AskBack => Overlay::AskBack { id, field },
        });
    }

    /// Saves the text of the open dialog.
    pub(crate) fn keep_unsent(&mut self) {
        let (id, purpose, field) = match &self.over {
            Some(Overlay::Reason { id, field }) => (id, Purpose::Reason, field),
            Some(Overlay::AskBack { id, field }) => (id, Purpose::AskBack, field),
            Some(
                Overlay::Help { .. }
                | Overlay::Reader { .. }
                | Overlay::Preview { .. }
                | Overlay::Discard { .. }
                | Overlay::Snooze { .. }
                | Overlay::Sessions(_)
                | Overlay::Attach { .. }
                | Overlay::Long { .. },
            )
            | None => return,
        };
        // Texts whose asks are gone are collected by `gather_unsent` when no dialog is open.
        self.unsent.retain(|unsent| !unsent.is_for(id, purpose));
        if !field.text().is_empty() {
            let record = self.records.iter().find(|record| record.id == *id);
            let name = record.map(|record| record.ask.name().to_string());
            self.unsent.push(UnsentText {
                id: id.clone(),
                name: name.unwrap_or_default(),
                purpose,
                text: field.text().to_owned(),
            });
        }
    }

    /// Whether a text was begun for an ask in a dialog.
    pub(crate) fn has_unsent(&self, id: &AskId) -> bool {
        self.unsent.iter().any(|unsent| unsent.id == *id)
    }

    /// Removes and returns the texts that were begun for an ask in dialogs.
    pub(crate) fn take_unsent(&mut self, id: &AskId) -> Vec<String> {
        let (taken, kept) = std::mem::take(&mut self.unsent)
            .into_iter()
            .partition(|unsent| unsent.id == *id);
        self.unsent = kept;
        let taken: Vec<UnsentText> = taken;
        taken.into_iter().map(|unsent| unsent.text).collect()
    }

    /// Everything typed for an ask that its draft doesn't hold: own text that a choice replaced,
    /// texts of dialogs, and a paste that was about to be attached.
    pub(crate) fn take_besides(&mut self, id: &AskId) -> Vec<String> {
        let card = self.card().filter(|card| card.record.id == *id);
        let mut besides =
            card.map_or_else(Vec::new, |card| card.form.unused_texts(&card.record.ask));
        besides.extend(self.take_unsent(id));
        if let Some(Overlay::Attach {
            pasted: Some(pasted),
            ..
        }) = &self.over
        {
            besides.push(pasted.clone());
        }
        besides.retain(|words| !words.trim().is_empty());
        besides
    }

    /// Makes the texts of dialogs available again whose asks are closed. Does nothing while a
    /// dialog is open. True if there were any.
    pub(crate) fn gather_unsent(&mut self) -> bool {
        if self.over.is_some() {
            return false;
        }
        let records = &self.records;
        let open = self.card().map(|card| card.record.id.clone());
        let (lost, kept): (Vec<UnsentText>, Vec<UnsentText>) =
            self.unsent.iter().cloned().partition(|unsent| {
                let record = records.iter().find(|record| record.id == unsent.id);
                Some(&unsent.id) != open.as_ref() && record.is_none_or(|it| !it.is_answerable())
            });
        self.unsent = kept;
        for unsent in &lost {
            let texts = [unsent.text.clone()];
            let said = clipboard_text::typed(self.look.words, None, &texts);
            self.leave(&unsent.name, &unsent.id, None, &said);
            self.give_again(texts.to_vec());
        }
        !lost.is_empty()
    }

    /// Keeps what a notice holds: its texts are offered again, and it is printed at the end.
    pub(crate) fn leave_behind(&mut self, notice: &Notice) {
        let record = &notice.record;
        let draft = notice.draft.as_ref().filter(|draft| !sent(record, draft));
        let filled = draft.is_some() || !notice.besides.is_empty();
        if !filled && !self.is_one_shot() {
            return;
        }
        let zone = &self.look.zone;
        let closed = record.settlement();
        let closed = closed.map(|settlement| labels::closed(self.look.words, settlement, zone));
        let closed = closed.unwrap_or_else(|| self.look.words.say("card-no-longer-asked"));
        let typed = draft.map(|draft| (&record.ask, draft));
        let said = if filled {
            clipboard_text::typed(self.look.words, typed, &notice.besides)
        } else {
            String::new()
        };
        self.leave(record.ask.name().as_str(), &record.id, Some(&closed), &said);
        let own = draft.map(typed_words).unwrap_or_default();
        let sent = previous_answers::own_words(record);
        let own = own.into_iter().chain(notice.besides.iter().cloned());
        let own = own.filter(|own| !sent.contains(&own.as_str()));
        self.give_again(own.collect());
    }

    /// Keeps what is typed on the open card when it isn't known whether the hub has saved it.
    pub(crate) fn leave_open(&mut self) {
        let Some(card) = self.card().filter(|card| card.is_touched()) else {
            return;
        };
        let (record, draft) = (card.record.clone(), card.form.draft());
        let besides = self.take_besides(&record.id);
        let said = clipboard_text::typed(self.look.words, Some((&record.ask, &draft)), &besides);
        self.leave(record.ask.name().as_str(), &record.id, None, &said);
    }

    fn leave(&mut self, name: &str, id: &AskId, closed: Option<&str>, typed: &str) {
        let mut said = format!("{name} ({id})\n");
        if let Some(line) = closed {
            said.push_str(line);
            said.push('\n');
        }
        said.push_str(typed);
        let filled = !typed.is_empty();
        self.left.push(Leftover { said, filled });
    }

    fn give_again(&mut self, own: Vec<String>) {
        self.again.retain(|known| !own.contains(known));
        self.again.splice(0..0, own);
    }
}

impl Notice {
    /// The notice of a closed ask: the form's draft if it differs from a blank form, and other
    /// texts that were typed.
    pub(crate) fn new(record: Record, form: Option<&Form>, besides: Vec<String>) -> Self {
        let draft = form
            .filter(|form| form.is_touched(&record.ask))
            .map(Form::draft);
        Self {
            record,
            draft,
            besides,
            opened: false,
            remark: None,
            guard: None,
            leaves_at: None,
        }
    }

    /// Whether it holds text that can be offered again.
    pub(crate) fn has_words(&self) -> bool {
        let drafted = self.draft.as_ref();
        !self.besides.is_empty() || drafted.is_some_and(|draft| !typed_words(draft).is_empty())
    }

    /// Whether something was filled in that wasn't sent.
    pub(crate) fn is_filled(&self) -> bool {
        self.draft.is_some() || !self.besides.is_empty()
    }
}

impl UnsentText {
    fn is_for(&self, id: &AskId, purpose: Purpose) -> bool {
        self.purpose == purpose && self.id == *id
    }
}

/// Whether an ask was answered with exactly this draft.
fn sent(record: &Record, draft: &Draft) -> bool {
    match record.settlement().map(|settlement| &settlement.outcome) {
        Some(Outcome::Answered(given)) => given.draft() == *draft,
        Some(
            Outcome::Declined { .. }
            | Outcome::Clarify { .. }
            | Outcome::Expired
            | Outcome::Withdrawn,
        )
        | None => false,
    }
}

/// All texts that a draft holds.
fn typed_words(draft: &Draft) -> Vec<String> {
    let own = |answer: &Answer| {
        answer
            .own
            .clone()
            .filter(|_| answer.own != answer.only_files())
    };
    let answers = draft.answers.iter();
    let found = answers.flat_map(|answer| [own(answer), answer.note.clone()]);
    found.chain([draft.note.clone()]).flatten().collect()
}
