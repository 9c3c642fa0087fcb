//! Merges other surfaces' drafts of the open ask into the form where nothing was typed here. Where
//! both have changed an answer, one key swaps them.

use ask_core::record::Saved;
use ask_core::{Draft, Record, Time};

use super::{Effect, save_draft};
use crate::tui::model::conflict::note_answer;
use crate::tui::model::{Card, Guard, Model};
use crate::ui::form::Form;
use crate::ui::text_field::Field;

/// Handles a draft that the hub has stored for the open ask, perhaps our own.
pub(super) fn merge_draft(card: &mut Card, now: Time) {
    let Some(saved) = &card.record.draft else {
        return;
    };
    // Converted through the form, so that only differences that the person would see count.
    let saved = Saved {
        draft: Form::new(&card.record.ask, Some(&saved.draft)).draft(),
        ..saved.clone()
    };
    // The draft counts as saved only now: before, it was on its way.
    if card.conflict.is_newer(&saved) {
        card.saved_at = Some(saved.at);
    }
    let mine = card.form.draft();
    let Some(merged) = card.conflict.merge(&saved, &mine, now) else {
        return;
    };
    if !merged.answers.is_empty() && card.record.filled_in_below().is_some() {
        card.guard = Some(Guard::for_filled_in_form(now));
    }
    for (at, answer) in merged.answers {
        if let (Some(entry), Some(question)) = (
            card.form.entries.get_mut(at),
            card.record.ask.questions.get(at),
        ) {
            entry.replace(question, answer);
        } else {
            card.form.note = Field::new(answer.note.as_deref().unwrap_or_default());
        }
    }
    // What was typed here differs from the stored draft and is saved on top of it.
    card.saved_draft = saved.draft;
}

/// Handles the refusal of a draft because another one was stored first. It is sent again on top of
/// that one.
pub(super) fn on_draft_refused(model: &mut Model, record: Record, effects: &mut Vec<Effect>) {
    let now = model.now;
    let open = model
        .card_mut()
        .filter(|card| card.record.id == record.id && record.is_open());
    if let Some(card) = open {
        card.conflict.drop_unconfirmed();
        card.record = record;
        merge_draft(card, now);
        // The last draft was not stored, so the card has to save again.
        card.saved_draft = card.conflict.stored().clone();
        save_draft(model, effects);
    }
}

/// Swaps the current question's answer with its other version.
pub(super) fn swap_version(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(card) = model.card_mut() else { return };
    let tab = card.tab;
    let question = card.record.ask.questions.get(tab);
    if let (Some(question), Some(entry)) = (question, card.form.entries.get_mut(tab)) {
        if let Some(other) = card.conflict.swap(tab, entry.answer()) {
            entry.replace(question, other);
        }
    } else if let Some(other) = card.conflict.swap(tab, note_answer(card.form.draft().note)) {
        card.form.note = Field::new(other.note.as_deref().unwrap_or_default());
    }
    save_draft(model, effects);
}

/// Records a draft that is about to be sent. Returns the revision that it is built on.
pub(super) fn record_sent(card: &mut Card, draft: &Draft) -> u64 {
    card.conflict.record_sent(draft)
}
