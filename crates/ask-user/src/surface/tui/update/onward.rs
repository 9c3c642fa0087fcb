//! The ways on from a question: Enter, the review's buttons, and sending. What
//! would send nothing, or very much, is asked about first.

use ask_core::Gaps;
use ask_core::dialect::wire::Verdict;

use super::Effect;
use super::card::{leave_field, mark, show_tab, start_typing};
use crate::surface::paper::words;
use crate::surface::tui::keys::Context;
use crate::surface::tui::model::{Button, Model, Over, Spot, Then};

/// What Enter does, wherever it is pressed on a card.
pub fn enter(model: &mut Model, context: Context, effects: &mut Vec<Effect>) {
    let now = model.now;
    let Some(card) = model.card_mut() else { return };
    let Spot { row, .. } = card.spot();
    let offered = card.question().map_or(0, |question| question.input.len());
    match context {
        Context::Other => leave_field(model, effects),
        Context::Answering | Context::Rest => go_on_or_ask(model, effects),
        Context::Review => press_button(model, effects),
        Context::Pick | Context::Confirm if row < offered => {
            mark(card, row, now);
            go_on(model, effects);
        }
        Context::Pick | Context::Confirm | Context::Tick => {
            let Some(entry) = card.entry() else { return };
            if row == offered && entry.field.is_blank() {
                start_typing(card);
            } else {
                // Words that wait beside a mark are meant when Enter is pressed on them.
                if context != Context::Tick {
                    entry.speak();
                }
                go_on_or_ask(model, effects);
            }
        }
        Context::Inbox
        | Context::Discard
        | Context::Reason
        | Context::AskBack
        | Context::Long
        | Context::Reader
        | Context::Notice
        | Context::Help => {}
    }
}

/// Goes on after an answer: to the next tab, or out where there is only one question.
pub fn go_on(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(card) = model.card_mut() else { return };
    if let Some(entry) = card.entry()
        && entry.is_long()
    {
        let question = card.tab;
        model.over = Some(Over::Long {
            question,
            then: Then::GoOn,
        });
    } else if card.has_tabs() {
        let tab = (card.tab + 1).min(card.tabs() - 1);
        show_tab(model, tab, effects);
    } else {
        send(model, Gaps::Refuse, effects);
    }
}

/// Sends the form, unless something has to be asked or said first.
pub fn send(model: &mut Model, gaps: Gaps, effects: &mut Vec<Effect>) {
    let Some(card) = model.card_mut() else { return };
    if let Some(question) = card.form.long() {
        let then = Then::Send(gaps);
        model.over = Some(Over::Long { question, then });
        return;
    }
    let draft = card.form.draft();
    if let Err(unfinished) = draft.clone().finish(&card.record.ask, gaps) {
        card.remark = Some(format!("Not sent: {unfinished}."));
        return;
    }
    card.sending = true;
    card.save_at = None;
    let id = card.record.id.clone();
    let verdict = Verdict::Answer { draft, gaps };
    effects.push(Effect::Settle { id, verdict });
}

/// Goes on, but asks once before nothing is taken for an answer.
fn go_on_or_ask(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(card) = model.card_mut() else { return };
    let (tab, has_tabs) = (card.tab, card.has_tabs());
    let Some(question) = card.record.ask.questions.get(tab) else {
        return;
    };
    let is_many = question.input.is_many() && !question.input.is_empty();
    let (required, entry) = (question.required, &mut card.form.entries[tab]);
    if entry.is_open() {
        let asked = card.none_asked == Some(tab);
        if is_many && asked {
            entry.say_none();
        } else if is_many {
            card.none_asked = Some(tab);
            let words = if has_tabs {
                words::NOTHING_CHOSEN_HERE
            } else {
                words::NOTHING_CHOSEN
            };
            card.remark = Some(words.to_owned());
            return;
        } else if !has_tabs && required {
            card.remark = Some("Nothing typed yet: type an answer, or x declines.".to_owned());
            start_typing(card);
            return;
        } else if !has_tabs && !asked {
            card.none_asked = Some(tab);
            card.remark = Some("Nothing typed: Enter again sends no answer".to_owned());
            return;
        }
    }
    card.none_asked = None;
    go_on(model, effects);
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
        Some(Button::GoTo { question }) => show_tab(model, question, effects),
        None => card.review_row = questions,
    }
}
