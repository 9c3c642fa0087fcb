//! Handles the hub's reports: the list, its changes, and the results of our own attempts to settle
//! an ask. The answer that the person types never changes.

use ask_config::i18n::Words;
use ask_config::keys::{Action, Context};
use ask_core::{AskId, Outcome, Record, SafeText};
use ask_hub::surface::{grouping, labels};

use super::inbox::update_rows;
use super::{Effect, open_next, snooze, sync, take_back};
use crate::tui::event::AskRequest;
use crate::tui::model::{Card, Guard, Model, Notice, Overlay, Screen, inbox};
use crate::{Mode, SettleResult, SurfaceEnd};

/// How long a notice without unsent text stays.
const NOTICE_MS: u64 = 5_000;

/// Replaces the whole list.
pub(super) fn on_list(model: &mut Model, records: Vec<Record>, effects: &mut Vec<Effect>) {
    model.listed = true;
    model.records = records;
    model.inbox.search_texts.clear();
    inbox::sort(&mut model.records);
    fetch_unlisted_card(model, effects);
    refresh(model, effects);
}

/// Applies changes to the list: records that are new or different, and ids that are gone.
pub(super) fn on_changed(
    model: &mut Model,
    records: Vec<Record>,
    gone: &[AskId],
    effects: &mut Vec<Effect>,
) {
    merge(model, records, gone);
    if model
        .card()
        .is_some_and(|card| gone.contains(&card.record.id))
    {
        ask_deleted(model, effects);
    }
    refresh(model, effects);
}

/// Handles the result of an attempt to settle an ask.
pub(super) fn on_settled(
    model: &mut Model,
    id: &AskId,
    result: SettleResult,
    effects: &mut Vec<Effect>,
) {
    let ours = model.card().is_some_and(|card| card.record.id == *id);
    model.settling.take_if(|settling| settling == id);
    match result {
        SettleResult::Won(record) => {
            let record = *record;
            merge(model, vec![record.clone()], &[]);
            // The ask is settled: texts begun for it in dialogs aren't needed any more.
            model.take_unsent(id);
            model.take_left(id);
            if model.mode == Mode::One(id.clone()) {
                effects.push(Effect::Quit(SurfaceEnd::from_record(record)));
                return;
            }
            let words = model.display.words;
            let handed_back = record
                .settlement()
                .is_some_and(|settlement| settlement.outcome == Outcome::Withdrawn);
            model.message = Some(if handed_back {
                let who = labels::asker_label(words, &record.asker);
                let who = SafeText::line(&who).to_string();
                words.format("card-handed-back", &[("who", who.into())])
            } else if record.held_until.is_some() {
                let said = labels::confirmation(words, &record);
                let key = model
                    .display
                    .keys
                    .names(words, Context::Inbox, Action::TakeBack);
                let key = key.into_iter().next().unwrap_or_default();
                words.format(
                    "card-said-held",
                    &[("said", said.into()), ("key", key.into())],
                )
            } else {
                labels::confirmation(words, &record)
            });
            if ours {
                model.overlay = None;
                model.screen = Screen::Inbox;
                model.opens_next = true;
            }
            refresh(model, effects);
        }
        SettleResult::Lost(record) => {
            let record = *record;
            merge(model, vec![record.clone()], &[]);
            let expired = model.display.words.say("card-just-told");
            if let Some(card) = model.card_mut().filter(|_| ours && record.is_answerable()) {
                // Its deadline passed while the answer was on its way. The answer can be sent again
                // and is stored then.
                card.sending = false;
                card.record = record;
                card.message = Some(expired);
                refresh(model, effects);
            } else if ours || (model.has_unsent(id) && is_at_list(model)) {
                closed_while_editing(model, record, effects);
            } else {
                model.collect_unsent();
                model.message = Some(model.display.words.say("card-somebody-first"));
            }
        }
        SettleResult::Failed(why) => {
            let arguments = [("why", why.into())];
            let message = model
                .display
                .words
                .format("card-not-sent-try-again", &arguments);
            match model.card_mut().filter(|_| ours) {
                Some(card) => {
                    card.sending = false;
                    card.message = Some(message);
                }
                None => model.message = Some(message),
            }
            refresh(model, effects);
        }
    }
}

/// Handles the result of a snooze or a request for more time.
pub(super) fn on_request_done(
    model: &mut Model,
    request: AskRequest,
    result: Result<Box<Record>, String>,
    effects: &mut Vec<Effect>,
) {
    let before = match &result {
        Ok(record) => model.record(&record.id).and_then(|known| known.deadline_at),
        Err(_) => None,
    };
    match result {
        Ok(record) => {
            merge(model, vec![(*record).clone()], &[]);
            refresh(model, effects);
            match request {
                AskRequest::TakeBack => take_back::show_result(model, &record, effects),
                AskRequest::EndHold => {}
                AskRequest::Snooze | AskRequest::Extend { .. } => {
                    snooze::show_result(model, request, Ok(&record), before);
                }
            }
        }
        Err(why) => snooze::show_result(model, request, Err(why), before),
    }
}

/// Reads the open ask if the list doesn't hold it: it may have been closed and delivered while the
/// hub couldn't be reached.
fn fetch_unlisted_card(model: &Model, effects: &mut Vec<Effect>) {
    let card = model
        .card()
        .filter(|card| model.record(&card.record.id).is_none());
    if let Some(id) = card.map(|card| card.record.id.clone()) {
        effects.push(Effect::Fetch { id });
    }
}

/// Handles the deletion of the open ask: its card becomes a notice.
fn ask_deleted(model: &mut Model, effects: &mut Vec<Effect>) {
    if let Some(record) = model.card().map(|card| card.record.clone()) {
        closed_while_editing(model, record, effects);
    }
}

fn refresh(model: &mut Model, effects: &mut Vec<Effect>) {
    update_card(model, effects);
    update_left_cards(model);
    let closed = closed_ask_of_dialog(model);
    if model.collect_unsent() {
        model.message = Some(model.display.words.say("card-closed-elsewhere"));
    }
    let (one_shot, now) = (model.is_one_shot(), model.now);
    model
        .records
        .retain(|record| one_shot || grouping::is_listed(record, now));
    update_rows(model);
    if let Some((id, record)) = closed {
        // Keys that are still being typed were meant for the dialog.
        match record.filter(|_| model.has_unsent(&id)) {
            Some(record) => closed_while_editing(model, record, effects),
            None => {
                model.overlay = None;
                model.collect_unsent();
                model.message = Some(model.display.words.say("card-closed-elsewhere"));
                model.list_guard = Some(Guard::new(model.now));
                effects.push(Effect::DrainInput);
            }
        }
    }
    open_next(model, effects);
}

fn is_at_list(model: &Model) -> bool {
    matches!(model.screen, Screen::Inbox) && model.overlay.is_none()
}

/// The closed ask that the open dialog is about, with its record if the list holds it.
fn closed_ask_of_dialog(model: &Model) -> Option<(AskId, Option<Record>)> {
    if !matches!(model.screen, Screen::Inbox) {
        return None;
    }
    let open = match &model.overlay {
        Some(Overlay::Help {
            below: Some(below), ..
        }) => Some(below.as_ref()),
        overlay => overlay.as_ref(),
    };
    let id = match open {
        Some(
            Overlay::Snooze { id, .. }
            | Overlay::Reason { id, .. }
            | Overlay::AskBack { id, .. }
            | Overlay::Reader { id, .. },
        ) => id.clone(),
        Some(
            Overlay::Help { .. }
            | Overlay::Preview { .. }
            | Overlay::Sessions(_)
            | Overlay::Discard { .. }
            | Overlay::Attach { .. }
            | Overlay::Long { .. },
        )
        | None => return None,
    };
    let record = model.record(&id).cloned();
    let closed = record.as_ref().is_none_or(|record| !record.is_open());
    closed.then_some((id, record))
}

/// Updates the open card from the list, or turns it into a notice if its ask was closed.
fn update_card(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(card) = model.card() else { return };
    let record = model.record(&card.record.id).cloned();
    let now = model.now;
    let Some(card) = model.card_mut() else { return };
    match record {
        // Answers that were filled in before the deadline can still be sent. They are stored for
        // the next call.
        Some(record) if record.is_open() || (record.is_answerable() && keeps_card(card)) => {
            sync::update_record(card, record, now);
        }
        Some(record) if !card.sending => closed_while_editing(model, record, effects),
        // The result of our own attempt is on its way and decides.
        Some(_) | None => {}
    }
}

/// Updates the cards that were left before their answers were saved. What was typed for an ask that
/// is closed is offered again, and printed when the surface ends.
fn update_left_cards(model: &mut Model) {
    let now = model.now;
    let words = model.display.words;
    for at in (0..model.left.len()).rev() {
        let id = model.left[at].record.id.clone();
        if model.settling.as_ref() == Some(&id) {
            continue;
        }
        // If it is not listed, what was typed is printed when the surface ends.
        let Some(record) = model.record(&id).cloned() else {
            continue;
        };
        if record.is_answerable() {
            sync::update_record(&mut model.left[at], record, now);
            continue;
        }
        let other_texts = model.take_other_texts(&id);
        let card = model.left.swap_remove(at);
        let notice = notice_of_card(words, record, Some(&card), other_texts);
        model.keep_notice_texts(&notice);
        model.message = Some(words.say("card-closed-elsewhere"));
    }
    model.left.retain(|card| !card.is_kept());
}

/// Whether the card stays open after the deadline: it is filled in, being sent, or was opened after
/// it.
fn keeps_card(card: &Card) -> bool {
    card.is_touched() || card.sending || !card.record.is_open()
}

/// The notice of an ask that was closed, with what was typed in its card.
fn notice_of_card(
    words: Words,
    record: Record,
    card: Option<&Card>,
    mut other_texts: Vec<String>,
) -> Notice {
    let filled_in = card.and_then(|card| labels::filled_in_below_label(words, &card.record));
    if filled_in.is_some() {
        let own = card.map(|card| card.conflict.own_texts());
        other_texts.extend(own.unwrap_or_default());
    }
    let mut notice = Notice::new(record, card.map(|card| &card.form), other_texts);
    notice.filled_in = filled_in;
    notice
}

fn closed_while_editing(model: &mut Model, record: Record, effects: &mut Vec<Effect>) {
    let other_texts = model.take_other_texts(&record.id);
    let mut notice = notice_of_card(model.display.words, record, model.card(), other_texts);
    notice.guard = Some(if notice.has_unsent_text() {
        Guard::for_unsent_text(model.now)
    } else {
        Guard::new(model.now)
    });
    if !notice.has_unsent_text() && !model.is_one_shot() {
        notice.closes_at = Some(model.now.plus_ms(NOTICE_MS));
    }
    model.keep_notice_texts(&notice);
    model.overlay = None;
    model.screen = Screen::Notice(Box::new(notice));
    effects.push(Effect::DrainInput);
}

fn merge(model: &mut Model, records: Vec<Record>, gone: &[AskId]) {
    let focused = model.focused_row();
    let focused_id = model.shown(focused).filter(|record| record.is_answerable());
    let focused_id = focused_id.map(|record| record.id.clone());
    model.records.retain(|record| !gone.contains(&record.id));
    for id in gone {
        model.inbox.search_texts.remove(id);
    }
    for record in records {
        model.inbox.search_texts.remove(&record.id);
        let known = model.records.iter_mut().find(|known| known.id == record.id);
        match known {
            Some(known) => *known = record,
            None => model.records.push(record),
        }
    }
    inbox::sort(&mut model.records);
    model.focus_row = focused;
    // An answered ask moves to another group. The cursor stays where the ask was.
    let answered =
        focused_id.and_then(|id| model.record(&id).map(|record| !record.is_answerable()));
    if answered == Some(true) {
        model.focus = None;
    }
}
