//! Merges other surfaces' drafts of the open ask into the form where nothing was typed here. Where
//! both have changed an answer, one key swaps them.

use ask_core::record::{BELOW, Saved};
use ask_core::{Answer, AskId, Draft, Record, Time};

use super::{Effect, save_draft};
use crate::tui::model::conflict::note_answer;
use crate::tui::model::{Card, Guard, Model, QuestionFocus, Screen};
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
    if !merged.answers.is_empty() {
        card.guard = Some(Guard::for_changed_form(now));
        card.just_filled_in = merged.answers.iter().map(|(at, _)| *at).collect();
    }
    for (at, answer) in merged.answers {
        replace_answer(card, at, answer);
    }
    // What was typed here differs from the stored draft and is saved on top of it.
    card.kept_draft = saved.draft.clone();
    card.saved_draft = saved.draft;
}

/// What is typed right after a program below an agent has filled in the field was meant for what was
/// there before: that comes back, and the program's text is offered.
pub(super) fn restore_own_text(card: &mut Card, now: Time) {
    let tab = card.tab;
    let is_recent = card.was_just_filled_in(now) && card.just_filled_in.contains(&tab);
    if card.typing_note || !is_recent {
        return;
    }
    let (Some(entry), Some(saved)) = (card.form.entries.get(tab), &card.record.draft) else {
        return;
    };
    let theirs = entry.answer();
    if card.conflict.is_taken(tab, &theirs) {
        let own = card.conflict.restore_own(tab, theirs, saved);
        replace_answer(card, tab, own);
    }
}

/// Replaces a question's answer, or behind the last question the note for all. Enter sends the row
/// with the focus, so that moves to the new answer.
fn replace_answer(card: &mut Card, at: usize, answer: Answer) {
    let entry = card.form.entries.get_mut(at);
    let (Some(entry), Some(question)) = (entry, card.record.ask.questions.get(at)) else {
        card.form.note = Field::new(answer.note.as_deref().unwrap_or_default());
        return;
    };
    entry.replace(question, answer);
    let is_chosen = entry.has_own() || (0..question.input.len()).any(|pick| entry.has_pick(pick));
    if let Some(focus) = card.focuses.get_mut(at).filter(|focus| !focus.typing)
        && is_chosen
    {
        focus.row = QuestionFocus::on_answer(question, entry).row;
    }
}

/// Handles the refusal of a draft because another one was stored first. It is sent again on top of
/// that one.
pub(super) fn on_draft_refused(model: &mut Model, record: Record, effects: &mut Vec<Effect>) {
    let now = model.now;
    let is_shown = model.card().is_some_and(|card| card.record.id == record.id);
    let card = model.card_of(&record.id).filter(|_| record.is_answerable());
    if let Some(card) = card {
        card.conflict.drop_unconfirmed();
        update_record(card, record, now);
        // The last draft was not stored, so the card has to save again.
        card.save_again();
        if is_shown || !card.conflict.has_other_versions() {
            save(card, effects);
        }
    }
}

/// Shows why a draft isn't kept.
pub(super) fn on_draft_not_kept(model: &mut Model, id: &AskId, reason: String) {
    if let Some(card) = model.card_of(id) {
        card.save_again();
        card.saved_at = None;
        card.message = Some(reason.clone());
    }
    if model.card().is_none_or(|card| card.record.id != *id) {
        model.message = Some(reason);
    }
}

/// Swaps the current question's answer with its other version.
pub(super) fn swap_version(model: &mut Model, effects: &mut Vec<Effect>) {
    let now = model.now;
    let Some(card) = model.card_mut() else { return };
    let tab = card.tab;
    let own = match card.form.entries.get(tab) {
        Some(entry) => entry.answer(),
        None => note_answer(card.form.draft().note),
    };
    let others = card.conflict.others.get(tab).and_then(Option::as_ref);
    let mark = others.filter(|other| !other.is_own && other.surface.starts_with(BELOW));
    let mark = mark.map(|other| other.surface.clone());
    if let Some(other) = card.conflict.swap(tab, own) {
        replace_answer(card, tab, other);
    }
    if let (Some(mark), Some(saved)) = (mark, &mut card.record.draft) {
        // As the hub marks it once it has the draft.
        saved.surface = mark;
        card.guard = Some(Guard::for_changed_form(now));
    }
    save_draft(model, effects);
}

/// Saves the draft of a card if it has changed.
pub(super) fn save(card: &mut Card, effects: &mut Vec<Effect>) {
    card.save_at = None;
    let draft = card.form.draft();
    if draft != card.saved_draft && !card.sending {
        card.saved_draft = draft.clone();
        let id = card.record.id.clone();
        let built_on = card.conflict.record_sent(&draft);
        effects.push(Effect::SaveDraft {
            id,
            draft,
            built_on,
        });
    }
}

/// Opens a card again that was left before its answers were saved.
pub(super) fn reopen(record: Record, left: Card, now: Time) -> Card {
    let mut card = Card::reopened(record, left, now);
    card.save_at = Some(now);
    merge_draft(&mut card, now);
    card
}

/// Updates a card, open or left, with the record as the hub has it now.
pub(super) fn update_record(card: &mut Card, record: Record, now: Time) {
    card.record = record;
    card.was_filled_in |= card.record.filled_in_below().is_some();
    merge_draft(card, now);
}

/// Handles the hub's reply that a draft is saved.
pub(super) fn on_draft_saved(model: &mut Model, id: &AskId, draft: Draft) {
    if let Some(card) = model.card_of(id) {
        card.kept_draft = draft;
    }
    model.left.retain(|card| !card.is_kept());
}

/// Handles a draft that no hub could save. It is saved when a hub is there again.
pub(super) fn on_draft_unsaved(model: &mut Model, id: &AskId, effects: &mut Vec<Effect>) {
    if let Some(card) = model.card_of(id) {
        // The hub may have saved it before it ended, so it still counts as sent.
        card.saved_draft = card.conflict.stored().clone();
    }
    if model.connected {
        save_again(model, effects);
    }
}

/// Saves again what the hub isn't known to have. A card that was left and whose answers another
/// surface has changed meanwhile waits until the person sees both versions.
pub(super) fn save_again(model: &mut Model, effects: &mut Vec<Effect>) {
    let open = match &mut model.screen {
        Screen::Card(card) => Some(card.as_mut()),
        Screen::Inbox | Screen::Notice(_) | Screen::History(_) => None,
    };
    let left = model.left.iter_mut();
    let left = left.filter(|card| !card.conflict.has_other_versions());
    for card in left.chain(open) {
        if !card.is_kept() {
            save(card, effects);
        }
    }
}
