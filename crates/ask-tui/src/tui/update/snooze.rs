//! Snoozing an ask, requesting more time, and muting notifications: from the list and from a card.

use ask_config::keys::{Action, Context, Move};
use ask_config::snooze::{LENGTHS, STEP_MS};
use ask_core::record::Snooze;
use ask_core::{AskId, Record, Time};
use ask_hub::surface::labels;

use super::{Effect, leave_waiting};
use crate::tui::event::AskRequest;
use crate::tui::model::{Model, Overlay, Screen};

/// A key this soon before the deadline requests more time.
const LAST_MS: u64 = 60_000;
/// How much time such a key requests.
const TYPING_MS: u64 = 2 * 60_000;

/// Handles a key for an ask of the list or the open one.
pub(super) fn handle_action(
    model: &mut Model,
    id: &AskId,
    action: Action,
    effects: &mut Vec<Effect>,
) {
    let Some(record) = find_record(model, id).filter(|record| record.is_open()) else {
        return;
    };
    if model.card().is_some_and(|card| card.sending) {
        return;
    }
    if action == Action::Snooze {
        match record.snoozed {
            Some(_) => effects.push(Effect::Snooze {
                id: id.clone(),
                snooze: None,
            }),
            None => {
                let id = id.clone();
                model.overlay = Some(Overlay::Snooze { id, row: 0 });
            }
        }
    } else if action == Action::MoreTime {
        match record.deadline_at {
            Some(at) => effects.push(Effect::Extend {
                id: id.clone(),
                until: at.plus_ms(STEP_MS),
                typing: false,
            }),
            None => show_message(model, model.display.words.say("inbox-said-no-deadline")),
        }
    }
}

fn find_record<'a>(model: &'a Model, id: &AskId) -> Option<&'a Record> {
    match model.card() {
        Some(card) if card.record.id == *id => Some(&card.record),
        Some(_) | None => model.record(id),
    }
}

/// Handles a key in the dialog that asks for the length of a snooze.
pub(super) fn choose(
    model: &mut Model,
    id: AskId,
    row: usize,
    action: Action,
    effects: &mut Vec<Effect>,
) {
    let last = LENGTHS.len() - 1;
    if let Action::Move(to) = action {
        let row = match to {
            Move::Up => row.checked_sub(1).unwrap_or(last),
            Move::Down => (row + 1) % LENGTHS.len(),
            Move::First => 0,
            Move::Last => last,
            Move::PageUp | Move::PageDown => row,
        };
        model.overlay = Some(Overlay::Snooze { id, row });
        return;
    }
    let chosen = if let Action::Number(number) = action {
        usize::from(number).checked_sub(1)
    } else {
        (action == Action::Enter).then_some(row)
    };
    model.overlay = None;
    let Some(length) = chosen.and_then(|row| LENGTHS.get(row)) else {
        return;
    };
    let snooze = Some(length.snooze(model.now, &model.display.zone));
    effects.push(Effect::Snooze { id, snooze });
    if matches!(model.screen, Screen::Card(_)) {
        leave_waiting(model, effects);
    }
}

/// Requests more time because the person types shortly before the deadline.
pub(super) fn extend_while_typing(model: &mut Model, effects: &mut Vec<Effect>) {
    let now = model.now;
    let Some(card) = model.card_mut().filter(|card| !card.sending) else {
        return;
    };
    let is_near = |at: &Time| *at > now && at.since_ms(now) < LAST_MS;
    let Some(at) = card.record.deadline_at.filter(is_near) else {
        return;
    };
    // At most once for each deadline: after a refusal, the next key requests nothing.
    if card.record.is_open() && card.conflict.extension_requested_for != Some(at) {
        card.conflict.extension_requested_for = Some(at);
        effects.push(Effect::Extend {
            id: card.record.id.clone(),
            until: at.plus_ms(TYPING_MS),
            typing: true,
        });
    }
}

/// Reports the result of a snooze or a request for more time.
pub(super) fn show_result(
    model: &mut Model,
    request: AskRequest,
    result: Result<&Record, String>,
    before: Option<Time>,
) {
    let words = model.display.words;
    let message = match (request, result) {
        (_, Err(why)) => words.format("inbox-said-failed", &[("why", why.into())]),
        (AskRequest::TakeBack | AskRequest::EndHold, Ok(_)) => return,
        (AskRequest::Snooze, Ok(record)) => snooze_message(model, record),
        (AskRequest::Extend { typing }, Ok(record)) => {
            match extension_message(model, record, before, typing) {
                Some(message) => message,
                None => return,
            }
        }
    };
    show_message(model, message);
}

fn snooze_message(model: &Model, record: &Record) -> String {
    let words = model.display.words;
    let key = model
        .display
        .keys
        .names(words, Context::Inbox, Action::Snooze);
    let key = key.into_iter().next().unwrap_or_default();
    match record.snoozed {
        None => words.say("inbox-said-back"),
        Some(Snooze::AskedAgain) => {
            words.format("inbox-said-snoozed-until-asked", &[("key", key.into())])
        }
        Some(Snooze::Until(at)) => {
            let at = labels::moment(words, at, model.now, &model.display.zone);
            words.format(
                "inbox-said-snoozed",
                &[("at", at.into()), ("key", key.into())],
            )
        }
    }
}

fn extension_message(
    model: &Model,
    record: &Record,
    before: Option<Time>,
    typing: bool,
) -> Option<String> {
    let words = model.display.words;
    let (deadline, before) = (record.deadline_at?, before?);
    let at = labels::clock(deadline, &model.display.zone);
    let seconds = deadline.since_ms(before) / 1_000;
    if seconds == 0 {
        // A request that typing made is confirmed when granted; its refusal isn't reported.
        let message = words.format("inbox-said-no-more-time", &[("at", at.into())]);
        return (!typing).then_some(message);
    }
    let time = format!("+{}:{:02}", seconds / 60, seconds % 60);
    let id = if typing {
        "inbox-said-typing"
    } else {
        "inbox-said-more-time"
    };
    Some(words.format(id, &[("time", time.into()), ("at", at.into())]))
}

/// Confirms that notifications are muted or unmuted.
pub(super) fn on_muted(model: &mut Model, on: bool) {
    let words = model.display.words;
    let key = model
        .display
        .keys
        .names(words, Context::Inbox, Action::Mute);
    let key = key.into_iter().next().unwrap_or_default();
    let message = if on {
        words.format("inbox-said-muted", &[("key", key.into())])
    } else {
        words.say("inbox-said-unmuted")
    };
    if let Some((day, _)) = &mut model.inbox.day {
        day.muted = on;
    }
    show_message(model, message);
}

/// Shows a message on the open card, or in the list.
fn show_message(model: &mut Model, message: String) {
    match model.card_mut() {
        Some(card) => card.message = Some(message),
        None => model.message = Some(message),
    }
}
