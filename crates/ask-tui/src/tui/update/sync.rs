//! What is filled in for the open ask elsewhere comes into the form, question by question, where
//! nothing was typed here since; where both were changed, one key loads the other.

use ask_core::record::Saved;
use ask_core::{Draft, Record, Time};

use super::{Effect, keep_draft};
use crate::tui::model::conflict::noted;
use crate::tui::model::{Card, Model};
use crate::ui::form::Form;
use crate::ui::text_field::Field;

/// The hub keeps another draft of the open ask than before, perhaps our own.
pub fn meet(card: &mut Card, now: Time) {
    let Some(saved) = &card.record.draft else {
        return;
    };
    // As the form would say it, so that only what differs for a person differs.
    let saved = Saved {
        draft: Form::new(&card.record.ask, Some(&saved.draft)).draft(),
        ..saved.clone()
    };
    // Said to be saved only now: before, it was on its way.
    if card.elsewhere.hears_of(&saved) {
        card.kept_at = Some(saved.at);
    }
    let mine = card.form.draft();
    let Some(taken) = card.elsewhere.meets(&saved, &mine, now) else {
        return;
    };
    for (at, answer) in taken.answers {
        if let (Some(entry), Some(question)) = (
            card.form.entries.get_mut(at),
            card.record.ask.questions.get(at),
        ) {
            entry.take(question, answer);
        } else {
            card.form.note = Field::new(answer.note.as_deref().unwrap_or_default());
        }
    }
    // What was typed here besides is kept on top of it.
    card.kept = saved.draft;
}

/// A draft of ours came too late: another was kept meanwhile. It goes out again, on top of that.
pub fn overtaken(model: &mut Model, record: Record, effects: &mut Vec<Effect>) {
    let now = model.now;
    let open = model
        .card_mut()
        .filter(|card| card.record.id == record.id && record.is_waiting());
    if let Some(card) = open {
        card.elsewhere.came_too_late();
        card.record = record;
        meet(card, now);
        // Whatever went out last was not kept.
        card.kept = card.elsewhere.agreed().clone();
        keep_draft(model, effects);
    }
}

/// Changes the answer of the current question with its other wording, and back.
pub fn load(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(card) = model.card_mut() else { return };
    let tab = card.tab;
    let question = card.record.ask.questions.get(tab);
    if let (Some(question), Some(entry)) = (question, card.form.entries.get_mut(tab)) {
        if let Some(other) = card.elsewhere.swaps(tab, entry.answer()) {
            entry.take(question, other);
        }
    } else if let Some(other) = card.elsewhere.swaps(tab, noted(card.form.draft().note)) {
        card.form.note = Field::new(other.note.as_deref().unwrap_or_default());
    }
    keep_draft(model, effects);
}

/// What goes out with a draft: the revision it was built on.
pub fn sends(card: &mut Card, draft: &Draft) -> u64 {
    card.elsewhere.sends(draft)
}
