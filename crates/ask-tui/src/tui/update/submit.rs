//! Continues after a question: Enter, the review's buttons, and sending. An empty or very long
//! answer needs a confirmation first.

use ask_config::keys::{Action, Context};
use ask_core::Gaps;
use ask_protocol::ipc::Verdict;

use super::card::{leave_field, mark, show_tab, start_typing, stop_typing};
use super::{Effect, save_draft};
use crate::tui::model::{AfterConfirm, Button, Model, Overlay, QuestionFocus};
use crate::tui::view;

/// Handles Enter on a card.
pub(super) fn enter(model: &mut Model, context: Context, effects: &mut Vec<Effect>) {
    let now = model.now;
    let Some(card) = model.card_mut() else { return };
    let QuestionFocus { row, .. } = card.focus();
    let offered = card.question().map_or(0, |question| question.input.len());
    match context {
        Context::Other => leave_field(model, effects),
        Context::Note => {
            stop_typing(card);
            save_draft(model, effects);
        }
        Context::Filter => stop_typing(card),
        Context::Answering | Context::Rest => advance_or_confirm(model, effects),
        Context::Review => press_button(model, effects),
        Context::Pick | Context::Confirm if row < offered => {
            mark(card, row, now);
            advance(model, effects);
        }
        Context::Pick | Context::Confirm | Context::Tick => {
            let Some(entry) = card.entry() else { return };
            if row == offered && entry.field.is_blank() && entry.attachments().is_empty() {
                start_typing(card);
            } else {
                // Own text beside a marked choice becomes part of the answer when Enter is pressed
                // in its field.
                if context != Context::Tick {
                    entry.use_own_text();
                }
                advance_or_confirm(model, effects);
            }
        }
        Context::Inbox
        | Context::Find
        | Context::Snooze
        | Context::Sessions
        | Context::Discard
        | Context::Reason
        | Context::AskBack
        | Context::Attach
        | Context::Long
        | Context::Reader
        | Context::Notice
        | Context::History
        | Context::HistorySearch
        | Context::HistoryFilters
        | Context::HistoryWhole
        | Context::HistoryStats
        | Context::Paths
        | Context::Help => {}
    }
}

/// Continues after an answer: with the next tab, or by sending if there is only one question.
pub(super) fn advance(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(card) = model.card_mut() else { return };
    if let Some(entry) = card.entry()
        && entry.is_long()
    {
        let question = card.tab;
        model.overlay = Some(Overlay::Long {
            question,
            then: AfterConfirm::Advance,
        });
    } else if card.has_tabs() {
        let tab = (card.tab + 1).min(card.tabs() - 1);
        show_tab(model, tab, effects);
    } else {
        send(model, Gaps::Refuse, effects);
    }
}

/// Sends the form, unless a confirmation or a missing answer comes first.
pub(super) fn send(model: &mut Model, gaps: Gaps, effects: &mut Vec<Effect>) {
    let words = model.display.words;
    let is_hidden = view::hides_filled_in(model);
    let is_alone = model.is_one_shot();
    let Some(card) = model.card_mut() else { return };
    if is_hidden {
        card.message = Some(words.say("card-filled-in-cut"));
        return;
    }
    if let Some(question) = card.form.first_long_answer() {
        let then = AfterConfirm::Send(gaps);
        model.overlay = Some(Overlay::Long { question, then });
        return;
    }
    if card.attaching > 0 {
        card.message = Some(words.say("text-attach-wait"));
        return;
    }
    let draft = card.form.given();
    if let Err(unfinished) = draft.clone().finish(&card.record.ask, gaps) {
        let why = unfinished.to_string();
        card.message = Some(words.format("card-not-sent", &[("why", why.into())]));
        return;
    }
    let hold = !is_alone && !card.has_tabs();
    card.sending = true;
    card.save_at = None;
    let id = card.record.id.clone();
    let verdict = Verdict::Answer { draft, gaps };
    // What went through the review was read twice.
    effects.push(Effect::Settle { id, verdict, hold });
}

/// Continues, but an empty selection needs a second Enter before it counts as an answer.
fn advance_or_confirm(model: &mut Model, effects: &mut Vec<Effect>) {
    let (words, context) = (model.display.words, model.context_below_popup());
    let key = |action| {
        let names = model.display.keys.names(words, context, action).into_iter();
        names.take(1).collect::<String>()
    };
    let (enter, next) = (key(Action::Enter), key(Action::TabNext));
    let Some(card) = model.card_mut() else { return };
    let (tab, has_tabs) = (card.tab, card.has_tabs());
    let Some(question) = card.record.ask.questions.get(tab) else {
        return;
    };
    let is_many = question.input.is_many() && !question.input.is_empty();
    let (required, entry) = (question.required, &mut card.form.entries[tab]);
    if !entry.is_given() {
        let is_confirmed = card.confirming_none == Some(tab);
        if is_many && is_confirmed {
            entry.answer_none();
        } else if is_many {
            card.confirming_none = Some(tab);
            let keys = [("enter", enter.into()), ("tab", next.into())];
            card.message = Some(if has_tabs {
                words.format("shared-nothing-chosen-here", &keys)
            } else {
                words.format("shared-nothing-chosen", &keys)
            });
            return;
        } else if !has_tabs && required {
            card.message = Some(words.say("card-nothing-typed-yet"));
            start_typing(card);
            return;
        } else if !has_tabs && !is_confirmed {
            card.confirming_none = Some(tab);
            let arguments = [("enter", enter.into())];
            card.message = Some(words.format("card-nothing-typed", &arguments));
            return;
        }
    }
    card.confirming_none = None;
    advance(model, effects);
}

fn press_button(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(card) = model.card_mut() else { return };
    let questions = card.record.ask.questions.len();
    if card.review_row < questions {
        let tab = card.review_row;
        return show_tab(model, tab, effects);
    }
    let button = card.buttons().get(card.review_row - questions).copied();
    match button {
        Some(Button::Send { .. }) => send(model, Gaps::Refuse, effects),
        Some(Button::SendAnyway { .. }) => send(model, Gaps::Send, effects),
        Some(Button::GoTo { question }) => {
            card.marks_missing = true;
            show_tab(model, question, effects);
        }
        None => card.review_row = questions,
    }
}
