//! Keys on an overlay: dialogs, the reader, help. Esc always chooses the safe action.

use ask_config::keys::{Action, Context, Move};
use ask_core::AskId;
use ask_protocol::ipc::Verdict;

use super::{
    Effect, INTERRUPT_MS, attach, card, leave_waiting, quit, scroll_position, sessions, snooze,
    submit, typing,
};
use crate::tui::model::{AfterConfirm, Card, Model, Overlay, Purpose};
use crate::tui::view;
use crate::ui::text_field::Field;

/// Letters that choose an action of the discard dialog, with its index. The last one exists only if
/// the ask was taken over from the client's own tool.
const DISCARD_ACTIONS: [(Action, usize); 5] = [
    (Action::Escape, 0),
    (Action::Leave, 1),
    (Action::Yes, 2),
    (Action::Decline, 3),
    (Action::HandBack, 4),
];

/// Handles a key on an overlay.
pub(super) fn handle_action(
    model: &mut Model,
    context: Context,
    action: Action,
    effects: &mut Vec<Effect>,
) {
    if action == Action::Interrupt {
        return interrupt(model, effects);
    }
    match model.overlay.clone() {
        Some(Overlay::Help { top, below }) => help(model, top, below, action),
        Some(Overlay::Reader { id, top }) => {
            let next = scroll_position(view::overlay_page(model), top, action);
            model.overlay = next.map(|top| Overlay::Reader { id, top });
        }
        Some(Overlay::Preview { top }) => {
            model.overlay = scroll_position(view::overlay_page(model), top, action)
                .map(|top| Overlay::Preview { top });
        }
        Some(Overlay::Discard { row }) => discard(model, row, action, effects),
        Some(Overlay::Snooze { id, row }) => snooze::choose(model, id, row, action, effects),
        Some(Overlay::Sessions(shown)) => sessions::handle_action(model, shown, action, effects),
        Some(Overlay::Reason { id, field }) => reason(model, id, &field, action, effects),
        Some(Overlay::AskBack { id, field }) => ask_back(model, id, &field, action, effects),
        Some(Overlay::Attach { field, pasted, .. }) => {
            attach_path(model, &field, pasted.as_deref(), action, effects);
        }
        Some(Overlay::Long { question, then }) => long(model, question, then, action, effects),
        None => debug_assert!(false, "no overlay for {context:?}"),
    }
}

fn help(model: &mut Model, top: usize, below: Option<Box<Overlay>>, action: Action) {
    let page = view::overlay_page(model);
    // A help page that fits can't scroll: any key closes it.
    let scrolled =
        scroll_position(view::overlay_page(model), top, action).filter(|_| page.total > page.shown);
    model.overlay = match scrolled {
        Some(top) => Some(Overlay::Help { top, below }),
        None => below.map(|overlay| *overlay),
    };
}

fn discard(model: &mut Model, row: usize, action: Action, effects: &mut Vec<Effect>) {
    let count = DISCARD_ACTIONS.len() - usize::from(!model.card().is_some_and(Card::is_taken_over));
    let chosen = if let Action::Number(number) = action {
        usize::from(number).checked_sub(1)
    } else if action == Action::Enter {
        Some(row)
    } else {
        let letters = DISCARD_ACTIONS.iter().find(|(letter, _)| *letter == action);
        letters.map(|&(_, index)| index)
    };
    if let Some(index) = chosen.filter(|&index| index < count) {
        return choose_discard_action(model, index, effects);
    }
    let row = if action == Action::Move(Move::Up) {
        row.checked_sub(1).unwrap_or(count - 1)
    } else if action == Action::Move(Move::Down) {
        (row + 1) % count
    } else {
        row
    };
    model.overlay = Some(Overlay::Discard { row });
}

/// Performs the action of the discard dialog at this index. The first one is the safe one.
fn choose_discard_action(model: &mut Model, index: usize, effects: &mut Vec<Effect>) {
    model.overlay = None;
    let Some(id) = model.card().map(|card| card.record.id.clone()) else {
        return;
    };
    match index {
        0 => {}
        1 => leave_waiting(model, effects),
        2 => decline(model, id, None, effects),
        4 => {
            mark_sending(model, &id);
            let verdict = Verdict::Withdraw;
            effects.push(Effect::Settle {
                id,
                verdict,
                hold: false,
            });
        }
        _ => model.open_text_dialog(id, Purpose::Reason),
    }
}

fn reason(model: &mut Model, id: AskId, field: &Field, action: Action, effects: &mut Vec<Effect>) {
    if action == Action::Enter {
        model.overlay = None;
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
    model.overlay = None;
    let words = field.text().trim().to_owned();
    mark_sending(model, &id);
    let verdict = Verdict::Clarify { words };
    effects.push(Effect::Settle {
        id,
        verdict,
        hold: false,
    });
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
        type_or_close(model, action);
        if let Some(pasted) = pasted {
            typing::insert_paste(model, pasted);
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
    model.overlay = None;
    let is_confirmed = action == Action::Yes;
    if let Some(entry) = model
        .card_mut()
        .and_then(|card| card.form.entries.get_mut(question))
        && is_confirmed
    {
        entry.confirm_length();
    }
    match then {
        AfterConfirm::LeaveField if is_confirmed => card::leave_field(model, effects),
        AfterConfirm::Advance if is_confirmed => submit::advance(model, effects),
        AfterConfirm::Send(gaps) if is_confirmed => submit::send(model, gaps, effects),
        AfterConfirm::Send(_) => card::show_tab(model, question, effects),
        AfterConfirm::LeaveField | AfterConfirm::Advance => {}
    }
}

fn interrupt(model: &mut Model, effects: &mut Vec<Effect>) {
    let is_second = model
        .interrupted_until
        .is_some_and(|until| model.now < until);
    model.interrupted_until = Some(model.now.plus_ms(INTERRUPT_MS));
    // The first Ctrl+C opened this dialog, perhaps a while ago.
    let is_discarding = matches!(model.overlay, Some(Overlay::Discard { .. }));
    model.overlay = None;
    if is_second || is_discarding {
        quit(model, effects);
    }
}

fn type_or_close(model: &mut Model, action: Action) {
    if let Action::Move(to) = action {
        typing::move_caret(model, to);
    } else if let Action::Edit(edit) = action {
        typing::edit(model, edit);
    } else if action == Action::Escape {
        model.overlay = None;
        let now = model.now;
        if let Some(card) = model.card_mut() {
            card::ignore_split_enter(card, now);
        }
    }
}

fn decline(model: &mut Model, id: AskId, reason: Option<String>, effects: &mut Vec<Effect>) {
    mark_sending(model, &id);
    let verdict = Verdict::Decline { reason };
    effects.push(Effect::Settle {
        id,
        verdict,
        hold: false,
    });
}

fn mark_sending(model: &mut Model, id: &AskId) {
    model.settling = Some(id.clone());
    if let Some(card) = model.card_mut().filter(|card| card.record.id == *id) {
        card.sending = true;
        card.save_at = None;
    }
}
