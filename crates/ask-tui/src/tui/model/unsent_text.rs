//! Keeps text that wasn't sent. The text of a dialog (a reason, a question to the agent) is kept
//! while its ask is listed. When another surface closes an ask, everything that was typed for it is
//! offered in later fields, and printed when the surface ends.

use ask_core::{Answer, AskId, Draft, Outcome, Record};
use ask_hub::surface::labels;
use ask_hub::surface::previous_answers;

use super::{Card, Model, Notice, Overlay, Screen};
use crate::ui::clipboard_text;
use crate::ui::form::Form;
use crate::ui::text_field::Field;

/// The purpose of a text in a dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The reason why an ask is declined.
    Reason,
    /// A question to the agent.
    AskBack,
}

/// A text that was typed in a dialog and not sent.
#[derive(Clone, Debug)]
pub(crate) struct UnsentText {
    id: AskId,
    /// The name of the ask, for the time after its record has gone.
    name: String,
    purpose: Purpose,
    text: String,
}

/// What was typed for an ask that closed before it was sent.
#[derive(Clone, Debug)]
pub(crate) struct Leftover {
    /// The safe lines to print about it.
    pub text: String,
    /// Whether it contains text that the person typed.
    pub has_typed_text: bool,
}

impl Model {
    /// Opens the dialog for a text to the agent, with the text that was typed there before.
    pub(crate) fn open_text_dialog(&mut self, id: AskId, purpose: Purpose) {
        let known_text = self
            .unsent
            .iter()
            .find(|unsent| unsent.is_for(&id, purpose));
        let field = Field::new(known_text.map_or("", |unsent| &unsent.text));
        self.overlay = Some(match purpose {
            Purpose::Reason => Overlay::Reason { id, field },
            Purpose::AskBack => Overlay::AskBack { id, field },
        });
    }

    /// Saves the text of the open dialog.
    pub(crate) fn save_unsent(&mut self) {
        let (id, purpose, field) = match &self.overlay {
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
        // Texts whose asks are gone are collected by `collect_unsent` when no dialog is open.
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

    /// Whether a text was typed for an ask in a dialog and not sent.
    pub(crate) fn has_unsent(&self, id: &AskId) -> bool {
        self.unsent.iter().any(|unsent| unsent.id == *id)
    }

    /// Removes and returns the texts that were typed for an ask in dialogs.
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
    pub(crate) fn take_other_texts(&mut self, id: &AskId) -> Vec<String> {
        let open = self.card();
        let is_elsewhere = open.is_some_and(|card| card.record.id != *id);
        let mut cards = open.into_iter().chain(&self.left);
        let card = cards.find(|card| card.record.id == *id);
        let mut other_texts =
            card.map_or_else(Vec::new, |card| card.form.unused_texts(&card.record.ask));
        other_texts.extend(self.take_unsent(id));
        if let Some(Overlay::Attach {
            pasted: Some(pasted),
            ..
        }) = &self.overlay
            && !is_elsewhere
        {
            other_texts.push(pasted.clone());
        }
        other_texts.retain(|words| !words.trim().is_empty());
        other_texts
    }

    /// Offers the texts of dialogs again whose asks are closed. Does nothing while a dialog is
    /// open. True if there were any.
    pub(crate) fn collect_unsent(&mut self) -> bool {
        if self.overlay.is_some() {
            return false;
        }
        let records = &self.records;
        let open = self.card().map(|card| card.record.id.clone());
        let (orphaned, kept): (Vec<UnsentText>, Vec<UnsentText>) =
            self.unsent.iter().cloned().partition(|unsent| {
                let record = records.iter().find(|record| record.id == unsent.id);
                let is_own =
                    Some(&unsent.id) == open.as_ref() || self.settling.as_ref() == Some(&unsent.id);
                !is_own && record.is_none_or(|it| !it.is_answerable())
            });
        self.unsent = kept;
        for unsent in &orphaned {
            let texts = [unsent.text.clone()];
            let text = clipboard_text::unsent(self.display.words, None, &texts);
            self.add_leftover(&unsent.name, &unsent.id, None, &text);
            self.offer_again(texts.to_vec());
        }
        !orphaned.is_empty()
    }

    /// Keeps the unsent texts of a notice: they are offered again, and printed when the surface
    /// ends.
    pub(crate) fn keep_notice_texts(&mut self, notice: &Notice) {
        let record = &notice.record;
        let draft = notice
            .draft
            .as_ref()
            .filter(|draft| !was_sent(record, draft));
        let has_typed_text = draft.is_some() || !notice.other_texts.is_empty();
        if !has_typed_text && !self.is_one_shot() {
            return;
        }
        let zone = &self.display.zone;
        let closed = record.settlement();
        let closed = closed.map(|settlement| labels::closed(self.display.words, settlement, zone));
        let closed = closed.unwrap_or_else(|| self.display.words.say("card-no-longer-asked"));
        let typed = draft.map(|draft| (&record.ask, draft));
        let text = if has_typed_text {
            clipboard_text::unsent(self.display.words, typed, &notice.other_texts)
        } else {
            String::new()
        };
        let text = match &notice.filled_in {
            Some(filled_in) if draft.is_some() => format!("{filled_in}\n{text}"),
            Some(_) | None => text,
        };
        self.add_leftover(record.ask.name().as_str(), &record.id, Some(&closed), &text);
        let own = draft.filter(|_| notice.filled_in.is_none());
        let own = own.map(typed_texts).unwrap_or_default();
        let sent = previous_answers::own_words(record);
        let own = own.into_iter().chain(notice.other_texts.iter().cloned());
        let own = own.filter(|own| !sent.contains(&own.as_str()));
        self.offer_again(own.collect());
    }

    /// Puts the open card aside if the hub isn't known to have its answers.
    pub(crate) fn set_card_aside(&mut self) {
        if !self
            .card()
            .is_some_and(|card| !card.sending && !card.is_kept())
        {
            return;
        }
        if let Screen::Card(card) = std::mem::replace(&mut self.screen, Screen::Inbox) {
            self.left.push(*card);
        }
    }

    /// Removes and returns the card of an ask that was left before its answers were saved.
    pub(crate) fn take_left(&mut self, id: &AskId) -> Option<Card> {
        let at = self.left.iter().position(|card| card.record.id == *id)?;
        Some(self.left.swap_remove(at))
    }

    /// The card of an ask, open or left.
    pub(crate) fn card_of(&mut self, id: &AskId) -> Option<&mut Card> {
        if self.card().is_some_and(|card| card.record.id == *id) {
            return self.card_mut();
        }
        self.left.iter_mut().find(|card| card.record.id == *id)
    }

    /// Whether there are answers that the hub isn't known to have.
    pub(crate) fn has_unsaved(&self) -> bool {
        !self.left.is_empty() || self.card().is_some_and(|card| !card.is_kept())
    }

    /// Keeps the texts of the cards whose answers the hub isn't known to have, for the end of the
    /// surface. With `is_unknown`, the open card counts as one.
    pub(crate) fn keep_card_texts(&mut self, is_unknown: bool) {
        let open = self.card().filter(|card| is_unknown || !card.is_kept());
        let cards: Vec<Card> = self.left.iter().chain(open).cloned().collect();
        for card in cards.into_iter().filter(Card::is_touched) {
            let (record, draft) = (&card.record, card.form.draft());
            let other_texts = self.take_other_texts(&record.id);
            let words = self.display.words;
            let text = clipboard_text::unsent(words, Some((&record.ask, &draft)), &other_texts);
            let text = match labels::filled_in_below_label(words, record) {
                Some(filled_in) => format!("{filled_in}\n{text}"),
                None => text,
            };
            self.add_leftover(record.ask.name().as_str(), &record.id, None, &text);
        }
    }

    fn add_leftover(&mut self, name: &str, id: &AskId, closed: Option<&str>, typed: &str) {
        let mut text = format!("{name} ({id})\n");
        if let Some(line) = closed {
            text.push_str(line);
            text.push('\n');
        }
        text.push_str(typed);
        let has_typed_text = !typed.is_empty();
        self.leftovers.push(Leftover {
            text,
            has_typed_text,
        });
    }

    fn offer_again(&mut self, own: Vec<String>) {
        self.again.retain(|known| !own.contains(known));
        self.again.splice(0..0, own);
    }
}

impl Notice {
    /// The notice of a closed ask: the form's draft if it differs from a blank form, and other
    /// texts that were typed.
    pub(crate) fn new(record: Record, form: Option<&Form>, other_texts: Vec<String>) -> Self {
        let draft = form
            .filter(|form| form.is_touched(&record.ask))
            .map(Form::draft);
        Self {
            record,
            draft,
            filled_in: None,
            other_texts,
            shows_draft: false,
            message: None,
            guard: None,
            closes_at: None,
        }
    }

    /// Whether the notice holds text that can be offered again.
    pub(crate) fn has_reusable_text(&self) -> bool {
        let drafted = self.draft.as_ref().filter(|_| self.filled_in.is_none());
        !self.other_texts.is_empty() || drafted.is_some_and(|draft| !typed_texts(draft).is_empty())
    }

    /// Whether the notice holds answers or texts that weren't sent.
    pub(crate) fn has_unsent_text(&self) -> bool {
        self.draft.is_some() || !self.other_texts.is_empty()
    }
}

impl UnsentText {
    fn is_for(&self, id: &AskId, purpose: Purpose) -> bool {
        self.purpose == purpose && self.id == *id
    }
}

/// Whether an ask was answered with exactly this draft.
fn was_sent(record: &Record, draft: &Draft) -> bool {
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
fn typed_texts(draft: &Draft) -> Vec<String> {
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
