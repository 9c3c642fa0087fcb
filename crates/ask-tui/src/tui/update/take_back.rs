//! Taking back an answer before its agent has it, and sending a held one at once.

use ask_core::{AskId, Record};
use ask_hub::surface::grouping::Group;

use super::{Effect, open};
use crate::tui::model::{Model, Screen};

/// Takes back the answer that was sent last and is still held. In the list, that may also be the
/// focused one, as long as no agent has it.
pub(super) fn newest(model: &mut Model, effects: &mut Vec<Effect>) {
    let focused = model.focused().filter(|record| {
        let group = Group::for_record(record);
        matches!(model.screen, Screen::Inbox) && matches!(group, Group::Sent | Group::Undelivered)
    });
    match focused.or_else(|| held(model)).and_then(attempt) {
        Some((id, attempt)) => effects.push(Effect::TakeBack { id, attempt }),
        None => model.message = Some(model.display.words.say("inbox-said-nothing-to-take-back")),
    }
}

/// The answer that was sent last and is still held.
pub(in crate::tui) fn held(model: &Model) -> Option<&Record> {
    let held = model
        .records
        .iter()
        .filter(|record| record.held_until.is_some());
    held.max_by_key(|record| record.settlement().map(|settlement| settlement.at))
}

/// Gives the agent a held answer at once.
pub(super) fn send_now(record: &Record, effects: &mut Vec<Effect>) {
    if let Some((id, attempt)) = attempt(record) {
        effects.push(Effect::EndHold { id, attempt });
    }
}

/// Opens the ask whose answer was taken back, with the answer in its form.
pub(super) fn show_result(model: &mut Model, record: &Record, effects: &mut Vec<Effect>) {
    if record.is_open() {
        open(model, record, effects);
    }
    let message = model.display.words.say("inbox-said-taken-back");
    match model.card_mut() {
        Some(card) => card.message = Some(message),
        None => model.message = Some(message),
    }
}

fn attempt(record: &Record) -> Option<(AskId, u64)> {
    let settlement = record.settlement()?;
    Some((record.id.clone(), settlement.attempt))
}
