//! Keys on a card: rows, tabs, the field of an answer, the review, and the ways
//! on and out.

use ask_core::dialect::wire::Verdict;
use ask_core::{Record, Time};

use super::{Effect, INTERRUPT_MS, keep_draft, onward, open, park, quit, typing};
use crate::surface::paper::field::Field;
use crate::surface::tui::keys::{Action, Context, Move};
use crate::surface::tui::model::{Card, Model, Over, SAVE_MS, Then};
use crate::surface::tui::view;

/// An Esc this soon after the one that left a field is a reflex.
const REFLEX_MS: u64 = 250;

/// What a key does on a card.
pub fn act(model: &mut Model, context: Context, action: Action, effects: &mut Vec<Effect>) {
    let (now, one_shot) = (model.now, model.is_one_shot());
    let Some(card) = model.card_mut() else { return };
    let closes = is_answer(context, action) || is_way_out(action, one_shot);
    if card.sending || (closes && card.swallows(now)) {
        return;
    }
    card.remark = None;
    let none_asked = card.none_asked.take();
    // Only an Esc right after the one that left a field is a reflex.
    let left_field_at = card.left_field_at.take();
    let in_field = matches!(context, Context::Answering | Context::Other);
    match action {
        Action::Move(to) if in_field => step_in_field(model, context, to),
        Action::Move(to) => step(model, to),
        Action::Edit(edit) => typing::edit(model, edit),
        Action::TabNext => switch(model, 1, effects),
        Action::TabBack => switch(model, -1, effects),
        Action::Number(number) => choose(model, usize::from(number), effects),
        Action::Other => start_typing(card),
        Action::Mark => mark_row(model),
        Action::Yes => mark(card, 0, now),
        Action::No => mark(card, 1, now),
        Action::Enter => {
            card.none_asked = none_asked;
            onward::enter(model, context, effects);
        }
        Action::Escape => {
            let reflex = left_field_at.is_some_and(|at| now.since_ms(at) < REFLEX_MS);
            if !reflex {
                escape(model, context, effects);
            }
        }
        Action::Interrupt => interrupt(model, context, effects),
        Action::Help => model.over = Some(Over::Help { top: 0 }),
        Action::Read => {
            let id = card.record.id.clone();
            model.over = Some(Over::Reader { id, top: 0 });
        }
        Action::Decline => {
            let (id, field) = (card.record.id.clone(), Field::default());
            model.over = Some(Over::Reason { id, field });
        }
        Action::AskBack => {
            let (id, field) = (card.record.id.clone(), Field::default());
            model.over = Some(Over::AskBack { id, field });
        }
        Action::NextAsk => neighbour(model, 1, effects),
        Action::PastAsk => neighbour(model, -1, effects),
        Action::Quit | Action::Leave => park(model, effects),
        Action::Redraw | Action::ShowDraft | Action::Close => {}
    }
}

/// Leaves the field of Other with the words in force.
pub fn leave_field(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(card) = model.card_mut() else { return };
    let (tab, entry) = (card.tab, card.entry());
    if let Some(entry) = entry {
        if !entry.field.is_blank() {
            entry.speak();
        }
        if entry.is_long() {
            let then = Then::LeaveField;
            model.over = Some(Over::Long {
                question: tab,
                then,
            });
            return;
        }
    }
    stop_typing(card);
    keep_draft(model, effects);
}

/// Shows a tab. What was typed on the one before is kept.
pub fn show_tab(model: &mut Model, tab: usize, effects: &mut Vec<Effect>) {
    keep_draft(model, effects);
    let Some(card) = model.card_mut() else { return };
    stop_typing(card);
    card.tab = tab;
    card.prose_top = 0;
    match (card.record.ask.questions.get(tab), card.spots.get_mut(tab)) {
        (Some(question), Some(spot)) => spot.typing = question.input.is_empty(),
        (Some(_) | None, _) => {
            // The first button is the safe one, or the only one.
            card.review_row = card.record.ask.questions.len();
        }
    }
}

/// The keys that answer, and therefore wait for the end of the guard.
fn is_answer(context: Context, action: Action) -> bool {
    match action {
        Action::Number(_) | Action::Mark | Action::Enter | Action::Yes | Action::No => true,
        Action::Other => context != Context::Rest,
        Action::Move(_)
        | Action::Edit(_)
        | Action::TabNext
        | Action::TabBack
        | Action::Leave
        | Action::Escape
        | Action::Interrupt
        | Action::Redraw
        | Action::Help
        | Action::Read
        | Action::Decline
        | Action::AskBack
        | Action::NextAsk
        | Action::PastAsk
        | Action::ShowDraft
        | Action::Quit
        | Action::Close => false,
    }
}

/// The keys that end the ask, or are one Enter away from it: they wait for the end of the guard, too.
fn is_way_out(action: Action, one_shot: bool) -> bool {
    match action {
        Action::Escape => one_shot,
        Action::Decline | Action::AskBack => true,
        Action::Move(_)
        | Action::Edit(_)
        | Action::TabNext
        | Action::TabBack
        | Action::Number(_)
        | Action::Other
        | Action::Mark
        | Action::Enter
        | Action::Yes
        | Action::No
        | Action::Leave
        | Action::Interrupt
        | Action::Redraw
        | Action::Help
        | Action::Read
        | Action::NextAsk
        | Action::PastAsk
        | Action::ShowDraft
        | Action::Quit
        | Action::Close => false,
    }
}

fn step_in_field(model: &mut Model, context: Context, to: Move) {
    let moved = typing::step(model, to);
    if !moved
        && to == Move::Up
        && context == Context::Other
        && let Some(card) = model.card_mut()
    {
        stop_typing(card);
    }
}

fn step(model: &mut Model, to: Move) {
    let page = view::prose_page(model);
    let Some(card) = model.card_mut() else { return };
    let (row, rows) = match card.question() {
        Some(question) if question.input.is_empty() => (0, 1),
        Some(question) => (card.spot().row, question.input.len() + 1),
        None => (
            card.review_row,
            card.record.ask.questions.len() + card.buttons().len(),
        ),
    };
    let target = match to {
        Move::Up => row.checked_sub(1).unwrap_or(rows - 1),
        Move::Down => (row + 1) % rows,
        Move::First => 0,
        Move::Last => rows - 1,
        Move::PageUp => {
            card.prose_top = card.prose_top.saturating_sub(page.shown.max(1));
            return;
        }
        Move::PageDown => {
            let end = page.total.saturating_sub(page.shown);
            card.prose_top = (card.prose_top + page.shown.max(1)).min(end);
            return;
        }
    };
    if card.on_review() {
        card.review_row = target;
    } else if let Some(spot) = card.spots.get_mut(card.tab) {
        spot.row = target;
    }
}

fn choose(model: &mut Model, number: usize, effects: &mut Vec<Effect>) {
    let now = model.now;
    let Some(card) = model.card_mut() else { return };
    let Some(question) = card.question() else {
        if number <= card.record.ask.questions.len() {
            show_tab(model, number - 1, effects);
        }
        return;
    };
    let (offered, many) = (question.input.len(), question.input.is_many());
    if number == offered + 1 {
        start_typing(card);
    } else if number <= offered {
        mark(card, number - 1, now);
        if !many && card.has_tabs() {
            let tab = card.next_open().unwrap_or(card.tabs() - 1);
            show_tab(model, tab, effects);
        }
    }
}

/// Marks a choice of the current question and puts the focus on it.
pub fn mark(card: &mut Card, pick: usize, now: Time) {
    if let Some(spot) = card.spots.get_mut(card.tab) {
        spot.row = pick;
    }
    if let Some(entry) = card.entry() {
        entry.pick(pick);
        card.save_at = Some(now.plus_ms(SAVE_MS));
    }
}

fn mark_row(model: &mut Model) {
    let now = model.now;
    let Some(card) = model.card_mut() else { return };
    let row = card.spot().row;
    let offered = card.question().map_or(0, |question| question.input.len());
    if row < offered {
        mark(card, row, now);
    } else if card.entry().is_some_and(|entry| !entry.toggle_own()) {
        start_typing(card);
    } else {
        card.save_at = Some(now.plus_ms(SAVE_MS));
    }
}

/// Puts the focus into the field of the current question.
pub fn start_typing(card: &mut Card) {
    let tab = card.tab;
    if let (Some(question), Some(spot)) =
        (card.record.ask.questions.get(tab), card.spots.get_mut(tab))
    {
        spot.row = question.input.len();
        spot.typing = true;
    }
}

fn stop_typing(card: &mut Card) {
    if let Some(spot) = card.spots.get_mut(card.tab) {
        spot.typing = false;
    }
}

fn switch(model: &mut Model, by: isize, effects: &mut Vec<Effect>) {
    let Some(card) = model.card() else { return };
    let tabs = card.tabs();
    if tabs > 1 {
        let tab = (card.tab + tabs).saturating_add_signed(by) % tabs;
        show_tab(model, tab, effects);
    }
}

fn escape(model: &mut Model, context: Context, effects: &mut Vec<Effect>) {
    let (now, one_shot) = (model.now, model.is_one_shot());
    let Some(card) = model.card_mut() else { return };
    let untouched = !card.is_touched();
    if context == Context::Other || (context == Context::Answering && !untouched) {
        card.left_field_at = Some(now);
        stop_typing(card);
        return keep_draft(model, effects);
    }
    if !one_shot {
        park(model, effects);
    } else if untouched {
        let id = card.record.id.clone();
        card.sending = true;
        let verdict = Verdict::Decline { reason: None };
        effects.push(Effect::Settle { id, verdict });
    } else {
        model.over = Some(Over::Discard { row: 0 });
    }
}

fn interrupt(model: &mut Model, context: Context, effects: &mut Vec<Effect>) {
    let again = model
        .interrupted_until
        .is_some_and(|until| model.now < until);
    model.interrupted_until = Some(model.now.plus_ms(INTERRUPT_MS));
    if again {
        quit(model, effects);
    } else if matches!(context, Context::Answering | Context::Other) {
        if let Some(card) = model.card_mut() {
            stop_typing(card);
        }
        keep_draft(model, effects);
    } else {
        model.over = Some(Over::Discard { row: 0 });
    }
}

fn neighbour(model: &mut Model, by: isize, effects: &mut Vec<Effect>) {
    let Some(card) = model.card().filter(|_| !model.is_one_shot()) else {
        return;
    };
    let waiting: Vec<Record> = model.waiting().cloned().collect();
    let here = waiting
        .iter()
        .position(|record| record.id == card.record.id);
    if let (Some(here), true) = (here, waiting.len() > 1) {
        let there = (here + waiting.len()).saturating_add_signed(by) % waiting.len();
        open(model, &waiting[there], effects);
    }
}
