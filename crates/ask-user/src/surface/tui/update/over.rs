//! Keys on whatever lies above a screen: dialogs, the reader, help. Esc always
//! takes the safe way.

use ask_core::AskId;
use ask_core::dialect::wire::Verdict;

use super::{Effect, INTERRUPT_MS, card, onward, park, quit, typing};
use crate::surface::paper::field::Field;
use crate::surface::tui::keys::{Action, Context, Move};
use crate::surface::tui::model::{Model, Over, Then};
use crate::surface::tui::view;

/// How many ways the discard dialog offers.
const WAYS: usize = 4;

/// What a key does above a screen.
pub fn act(model: &mut Model, context: Context, action: Action, effects: &mut Vec<Effect>) {
    if action == Action::Interrupt {
        return interrupt(model, effects);
    }
    match model.over.clone() {
        Some(Over::Help { top }) => help(model, top, action),
        Some(Over::Reader { id, top }) => reader(model, id, top, action),
        Some(Over::Discard { row }) => discard(model, row, action, effects),
        Some(Over::Reason { id, field }) => reason(model, id, &field, action, effects),
        Some(Over::AskBack { id, field }) => ask_back(model, id, &field, action, effects),
        Some(Over::Long { question, then }) => long(model, question, then, action, effects),
        None => debug_assert!(false, "no layer for {context:?}"),
    }
}

fn help(model: &mut Model, top: usize, action: Action) {
    let page = view::layer_page(model);
    let end = page.total.saturating_sub(page.shown);
    // Help that doesn't fit is turned page by page; the last key closes it.
    let more = action == Action::Close && top < end;
    model.over = more.then(|| Over::Help {
        top: (top + page.shown.max(1)).min(end),
    });
}

fn reader(model: &mut Model, id: AskId, top: usize, action: Action) {
    let page = view::layer_page(model);
    let end = page.total.saturating_sub(page.shown);
    let Action::Move(to) = action else {
        model.over = None;
        return;
    };
    let top = match to {
        Move::Up => top.saturating_sub(1),
        Move::Down => (top + 1).min(end),
        Move::PageUp => top.saturating_sub(page.shown.max(1)),
        Move::PageDown => (top + page.shown.max(1)).min(end),
        Move::First => 0,
        Move::Last => end,
    };
    model.over = Some(Over::Reader { id, top });
}

fn discard(model: &mut Model, row: usize, action: Action, effects: &mut Vec<Effect>) {
    let row = match action {
        Action::Move(Move::Up) => row.checked_sub(1).unwrap_or(WAYS - 1),
        Action::Move(Move::Down) => (row + 1) % WAYS,
        Action::Enter => return choose_way(model, row, effects),
        Action::Number(number) if usize::from(number) <= WAYS => {
            return choose_way(model, usize::from(number) - 1, effects);
        }
        Action::Escape => return choose_way(model, 0, effects),
        Action::Leave => return choose_way(model, 1, effects),
        Action::Yes => return choose_way(model, 2, effects),
        Action::Decline => return choose_way(model, 3, effects),
        Action::Move(Move::First | Move::Last | Move::PageUp | Move::PageDown)
        | Action::Number(_)
        | Action::Edit(_)
        | Action::TabNext
        | Action::TabBack
        | Action::Other
        | Action::Mark
        | Action::No
        | Action::Interrupt
        | Action::Redraw
        | Action::Help
        | Action::Read
        | Action::AskBack
        | Action::NextAsk
        | Action::PastAsk
        | Action::ShowDraft
        | Action::Quit
        | Action::Close => row,
    };
    model.over = Some(Over::Discard { row });
}

/// The ways out of a card, in the order of the dialog, the safe one first.
fn choose_way(model: &mut Model, way: usize, effects: &mut Vec<Effect>) {
    model.over = None;
    let Some(id) = model.card().map(|card| card.record.id.clone()) else {
        return;
    };
    match way {
        0 => {}
        1 => park(model, effects),
        2 => decline(model, id, None, effects),
        _ => {
            let field = Field::default();
            model.over = Some(Over::Reason { id, field });
        }
    }
}

fn reason(model: &mut Model, id: AskId, field: &Field, action: Action, effects: &mut Vec<Effect>) {
    if action == Action::Enter {
        model.over = None;
        let words = field.text().trim();
        let reason = (!words.is_empty()).then(|| words.to_owned());
        decline(model, id, reason, effects);
    } else {
        type_or_close(model, action);
    }
}

fn ask_back(
    model: &mut Model,
    id: AskId,
    field: &Field,
    action: Action,
    effects: &mut Vec<Effect>,
) {
    if action != Action::Enter {
        return type_or_close(model, action);
    }
    if field.is_blank() {
        return;
    }
    model.over = None;
    let words = field.text().trim().to_owned();
    mark_sending(model, &id);
    let verdict = Verdict::Clarify { words };
    effects.push(Effect::Settle { id, verdict });
}

fn long(model: &mut Model, question: usize, then: Then, action: Action, effects: &mut Vec<Effect>) {
    model.over = None;
    let agreed = action == Action::Yes;
    if let Some(entry) = model
        .card_mut()
        .and_then(|card| card.form.entries.get_mut(question))
        && agreed
    {
        entry.accept_length();
    }
    match then {
        Then::LeaveField if agreed => card::leave_field(model, effects),
        Then::GoOn if agreed => onward::go_on(model, effects),
        Then::Send(gaps) if agreed => onward::send(model, gaps, effects),
        Then::Send(_) => card::show_tab(model, question, effects),
        Then::LeaveField | Then::GoOn => {}
    }
}

fn interrupt(model: &mut Model, effects: &mut Vec<Effect>) {
    let again = model
        .interrupted_until
        .is_some_and(|until| model.now < until);
    model.interrupted_until = Some(model.now.plus_ms(INTERRUPT_MS));
    model.over = None;
    if again {
        quit(model, effects);
    }
}

fn type_or_close(model: &mut Model, action: Action) {
    match action {
        Action::Move(to) => {
            typing::step(model, to);
        }
        Action::Edit(edit) => typing::edit(model, edit),
        Action::Escape => model.over = None,
        Action::TabNext
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
        | Action::Decline
        | Action::AskBack
        | Action::NextAsk
        | Action::PastAsk
        | Action::ShowDraft
        | Action::Quit
        | Action::Close => {}
    }
}

fn decline(model: &mut Model, id: AskId, reason: Option<String>, effects: &mut Vec<Effect>) {
    mark_sending(model, &id);
    let verdict = Verdict::Decline { reason };
    effects.push(Effect::Settle { id, verdict });
}

fn mark_sending(model: &mut Model, id: &AskId) {
    if let Some(card) = model.card_mut().filter(|card| card.record.id == *id) {
        card.sending = true;
        card.save_at = None;
    }
}
