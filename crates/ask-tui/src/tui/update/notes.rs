//! What belongs to an answer besides its choices: notes, the filter of a long list, and recommended
//! and earlier answers.

use super::Effect;
use super::card::show_tab;
use super::save_draft;
use crate::tui::model::{Card, Model, QuestionFocus, SAVE_MS};

/// Focuses the note of the current tab.
pub(super) fn start_note(model: &mut Model) {
    if let Some(card) = model.card_mut() {
        card.typing_note = true;
    }
}

/// Focuses the filter of the current question's choices.
pub(super) fn start_filter(model: &mut Model) {
    if let Some(card) = model.card_mut()
        && let Some(filter) = card.filters.get_mut(card.tab)
    {
        filter.typing = true;
    }
}

/// Removes the filter. If it matched nothing, the first choice is focused.
pub(super) fn clear_filter(card: &mut Card) {
    if card.shown().is_empty()
        && let Some(focus) = card.focuses.get_mut(card.tab)
    {
        focus.row = 0;
    }
    if let Some(filter) = card.filters.get_mut(card.tab) {
        filter.clear();
    }
}

/// Applies the filter after its text has changed, and moves the focus to a shown choice.
pub(super) fn apply_filter(card: &mut Card) {
    let tab = card.tab;
    let (Some(question), Some(filter)) = (
        card.record.ask.questions.get(tab),
        card.filters.get_mut(tab),
    ) else {
        return;
    };
    filter.update_matches(&question.input);
    let offered = question.input.len();
    let first = filter.shown(offered).first().copied().unwrap_or(offered);
    if let Some(focus) = card.focuses.get_mut(tab) {
        focus.row = first;
    }
}

/// Marks the answer that the agent recommends for the current question.
pub(super) fn mark_recommended(model: &mut Model) {
    let save_at = model.now.plus_ms(SAVE_MS);
    let message = model.display.words.say("card-none-recommended");
    let Some(card) = model.card_mut() else { return };
    let tab = card.tab;
    if !pick_recommended(card, tab) {
        card.message = Some(message);
        return;
    }
    card.save_at = Some(save_at);
    let first = card.shown().into_iter().find(|&at| {
        let entry = card.form.entries.get(tab);
        entry.is_some_and(|entry| entry.has_pick(at))
    });
    if let (Some(row), Some(focus)) = (first, card.focuses.get_mut(tab)) {
        focus.row = row;
    }
}

/// Marks the recommended answer of every question without an answer and opens the review.
pub(super) fn mark_all_recommended(model: &mut Model, effects: &mut Vec<Effect>) {
    let message = model.display.words.say("card-none-recommended-at-all");
    let Some(card) = model.card_mut() else { return };
    let mut any_marked = false;
    for at in 0..card.form.entries.len() {
        if !card.form.entries[at].is_given() {
            any_marked |= pick_recommended(card, at);
        }
    }
    if !any_marked {
        card.message = Some(message);
    } else if card.has_tabs() {
        let review = card.tabs() - 1;
        show_tab(model, review, effects);
    } else {
        save_draft(model, effects);
    }
}

/// Fills in every empty question with the answer to the same ask shortly before, and opens the
/// review. Nothing is sent.
pub(super) fn earlier_answer(model: &mut Model, effects: &mut Vec<Effect>) {
    let none = model.display.words.say("shared-earlier-answer-none");
    let Some(card) = model.card_mut() else { return };
    let ask = &card.record.ask;
    let filled = match &card.record.earlier_answer {
        Some(earlier) => card.form.fill_in(ask, &earlier.draft),
        None => Vec::new(),
    };
    if filled.is_empty() {
        card.message = Some(none);
        return;
    }
    for at in filled {
        card.focuses[at] = QuestionFocus::on_answer(&ask.questions[at], &card.form.entries[at]);
    }
    if card.has_tabs() {
        let review = card.tabs() - 1;
        show_tab(model, review, effects);
    } else {
        save_draft(model, effects);
    }
}

fn pick_recommended(card: &mut Card, at: usize) -> bool {
    let question = card.record.ask.questions.get(at);
    match (question, card.form.entries.get_mut(at)) {
        (Some(question), Some(entry)) => entry.pick_recommended(question),
        (_, _) => false,
    }
}
