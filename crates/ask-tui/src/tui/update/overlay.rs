//! Keys on an overlay: dialogs, the reader, help. Esc always chooses the safe action.

use ask_config::keys::{Action, Context, Move};
use ask_core::AskId;
use ask_protocol::ipc::Verdict;

use super::{
    Effect, INTERRUPT_MS, attach, card, leave_waiting, quit, scrolled, sessions, snooze, submit,
    typing,
};
use crate::tui::model::{AfterConfirm, Card, Model, Overlay, Purpose};
use crate::tui::view;
use crate::ui::text_field::Field;

/// Letters that choose an action of the discard dialog, with its index. The last one exists only if
/// the ask was taken over from the client's own tool.
const LETTERS: [(Action, usize); 5] = [
    (Action::Escape, 0),
    (Action::Leave, 1),
    (Action::Yes, 2),
    (Action::Decline, 3),
    (Action::HandBack, 4),
];

/// Handles a key on an overlay.
pub(super) fn act(model: &mut Model, context: Context, action: Action, effects: &mut Vec<Effect>) {
    if action == Action::Interrupt {
        return interrupt(model, effects);
    }
    match model.over.clone() {
        Some(Overlay::Help { top, below }) => help(model, top, below, action),
        Some(Overlay::Reader { id, top }) => {
            let next = scrolled(view::layer_page(model), top, action);
            model.over = next.map(|top| Overlay::Reader { id, top });
        }
        Some(Overlay::Preview { top }) => {
            model.over =
                scrolled(view::layer_page(model), top, action).map(|top| Overlay::Preview { top });
        }
        Some(Overlay::Discard { row }) => discard(model, row, action, effects),
        Some(Overlay::Snooze { id, row }) => snooze::choose(model, id, row, action, effects),
        Some(Overlay::Sessions(shown)) => sessions::act(model, shown, action, effects),
        Some(Overlay::Reason { id, field }) => reason(model, id, &field, action, effects),
        Some(Overlay::AskBack { id, field }) => ask_back(model, id, &field, action, effects),
        Some(Overlay::Attach { field, pasted, .. }) => {
            attach_path(model, &field, pasted.as_deref(), action, effects);
        }
        Some(Overlay::Long { question, then }) => long(model, question, then, action, effects),
        None => debug_assert!(false, "no layer for {context:?}"),
    }
}

fn help(model: &mut Model, top: usize, below: Option<Box<Overlay>>, action: Action) {
    let page = view::layer_page(model);
    // A help page that fits can't scroll: any key closes it.
    let turned = scrolled(view::layer_page(model), top, action).filter(|_| page.total > page.shown);
    model.over = match turned {
        Some(top) => Some(Overlay::Help { top, below }),
        None => below.map(|over| *over),
    };
}

fn discard(model: &mut Model, row: usize, action: Action, effects: &mut Vec<Effect>) {
    let ways = LETTERS.len() - usize::from(!model.card().is_some_and(Card::is_taken_over));
    let chosen = if let Action::Number(number) = action {
        usize::from(number).checked_sub(1)
    } else if action == Action::Enter {
        Some(row)
    } else {
        let letters = LETTERS.iter().find(|(letter, _)| *letter == action);
        letters.map(|&(_, way)| way)
    };
    if let Some(way) = chosen.filter(|&way| way < ways) {
        return choose_way(model, way, effects);
    }
    let row = if action == Action::Move(Move::Up) {
        row.checked_sub(1).unwrap_or(ways - 1)
    } else if action == Action::Move(Move::Down) {
        (row + 1) % ways
    } else {
        row
    };
    model.over = Some(Overlay::Discard { row });
}

/// Performs the action of the discard dialog at this index. The first one is the safe one.
fn choose_way(model: &mut Model, way: usize, effects: &mut Vec<Effect>) {
    model.over = None;
    let Some(id) = model.card().map(|card| card.record.id.clone()) else {
        return;
    };
    match way {
        0 => {}
        1 => leave_waiting(model, effects),
        2 => decline(model, id, None, effects),
        4 => {
            mark_sending(model, &id);
            let verdict = Verdict::Withdraw;
            effects.push(Effect::Settle { id, verdict });
        }
        _ => model.open_words(id, Purpose::Reason),
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

fn attach_path(
    model: &mut Model,
    field: &Field,
    pasted: Option<&str>,
    action: Action,
    effects: &mut Vec<Effect>,
) {
    if action == Action::Enter {
        attach::enter(model, field, effects);
    } else if action == Action::Escape {
        model.over = None;
        if let Some(pasted) = pasted {
            typing::insert(model, pasted);
        }
    } else {
        type_or_close(model, action);
    }
}

fn long(
    model: &mut Model,
    question: usize,
    then: AfterConfirm,
    action: Action,
    effects: &mut Vec<Effect>,
) {
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
        AfterConfirm::LeaveField if agreed => card::leave_field(model, effects),
        AfterConfirm::GoOn if agreed => submit::go_on(model, effects),
        AfterConfirm::Send(gaps) if agreed => submit::send(model, gaps, effects),
        AfterConfirm::Send(_) => card::show_tab(model, question, effects),
        AfterConfirm::LeaveField | AfterConfirm::GoOn => {}
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
    if let Action::Move(to) = action {
        typing::step(model, to);
    } else if let Action::Edit(edit) = action {
        typing::edit(model, edit);
    } else if action == Action::Escape {
        model.over = None;
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
