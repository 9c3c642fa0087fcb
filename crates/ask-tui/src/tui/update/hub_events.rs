//! Handles the hub's reports: the list, its changes, and the results of our own attempts to settle
//! an ask. The open card's answers never change while the person types in them.

use ask_core::{AskId, Outcome, Record, SafeText};
use ask_hub::surface::{grouping, labels};

use super::inbox::arrange;
use super::{Effect, open_next, snooze, sync};
use crate::tui::event::AskRequest;
use crate::tui::model::{Card, Guard, Model, Notice, Overlay, Screen, inbox};
use crate::{Closing, Ended, Mode};

/// How long a notice stays in which the person has nothing to lose.
const NOTICE_MS: u64 = 5_000;

/// Replaces the whole list.
pub(super) fn listed(model: &mut Model, records: Vec<Record>, effects: &mut Vec<Effect>) {
    model.listed = true;
    model.records = records;
    model.inbox.sought.clear();
    inbox::sort(&mut model.records);
    look_for_card(model, effects);
    refreshed(model, effects);
}

/// Applies changes to the list: records that are new or different, and ids that are gone.
pub(super) fn changed(
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
    refreshed(model, effects);
}

/// Handles the result of an attempt to settle an ask.
pub(super) fn settled(model: &mut Model, id: &AskId, closing: Closing, effects: &mut Vec<Effect>) {
    let ours = model.card().is_some_and(|card| card.record.id == *id);
    match closing {
        Closing::Won(record) => {
            let record = *record;
            merge(model, vec![record.clone()], &[]);
            // The ask is settled: texts begun for it in dialogs aren't needed any more.
            model.take_unsent(id);
            if model.mode == Mode::One(id.clone()) {
                effects.push(Effect::Quit(Ended::from_record(record)));
                return;
            }
            let words = model.look.words;
            let handed_back = record
                .settlement()
                .is_some_and(|settlement| settlement.outcome == Outcome::Withdrawn);
            model.news = Some(if handed_back {
                let who = labels::asker_label(words, &record.asker);
                let who = SafeText::line(&who).to_string();
                words.format("card-handed-back", &[("who", who.into())])
            } else {
                labels::done(words, &record)
            });
            if ours {
                model.over = None;
                model.screen = Screen::Inbox;
                model.opens_next = true;
            }
            refreshed(model, effects);
        }
        Closing::Lost(record) => {
            let record = *record;
            merge(model, vec![record.clone()], &[]);
            let told = model.look.words.say("card-just-told");
            if let Some(card) = model.card_mut().filter(|_| ours && record.is_answerable()) {
                // Its deadline passed while the answer was on its way. The answer can be sent again
                // and is stored then.
                card.sending = false;
                card.record = record;
                card.remark = Some(told);
                refreshed(model, effects);
            } else if ours || (model.has_unsent(id) && is_at_list(model)) {
                closed_while_editing(model, record, effects);
            } else {
                model.gather_unsent();
                model.news = Some(model.look.words.say("card-somebody-first"));
            }
        }
        Closing::Failed(why) => {
            let told = [("why", why.into())];
            let remark = model.look.words.format("card-not-sent-try-again", &told);
            match model.card_mut().filter(|_| ours) {
                Some(card) => {
                    card.sending = false;
                    card.remark = Some(remark);
                }
                None => model.news = Some(remark),
            }
            refreshed(model, effects);
        }
    }
}

/// Handles the result of a snooze or a request for more time.
pub(super) fn done(
    model: &mut Model,
    wish: AskRequest,
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
            refreshed(model, effects);
            snooze::done(model, wish, Ok(&record), before);
        }
        Err(why) => snooze::done(model, wish, Err(why), before),
    }
}

/// Reads the open ask if the list doesn't hold it: it may have been closed and delivered while the
/// hub couldn't be reached.
fn look_for_card(model: &Model, effects: &mut Vec<Effect>) {
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

fn refreshed(model: &mut Model, effects: &mut Vec<Effect>) {
    follow(model, effects);
    let gone = dialog_of_closed(model);
    if model.gather_unsent() {
        model.news = Some(model.look.words.say("card-closed-elsewhere"));
    }
    let (one_shot, now) = (model.is_one_shot(), model.now);
    model
        .records
        .retain(|record| one_shot || grouping::is_listed(record, now));
    arrange(model);
    if let Some((id, record)) = gone {
        // Keys that are still being typed were meant for the dialog.
        match record.filter(|_| model.has_unsent(&id)) {
            Some(record) => closed_while_editing(model, record, effects),
            None => {
                model.over = None;
                model.gather_unsent();
                model.news = Some(model.look.words.say("card-closed-elsewhere"));
                model.list_guard = Some(Guard::from(model.now));
                effects.push(Effect::DrainInput);
            }
        }
    }
    open_next(model, effects);
}

fn is_at_list(model: &Model) -> bool {
    matches!(model.screen, Screen::Inbox) && model.over.is_none()
}

/// The closed ask that the open dialog is about, with its record if the list holds it.
fn dialog_of_closed(model: &Model) -> Option<(AskId, Option<Record>)> {
    if !matches!(model.screen, Screen::Inbox) {
        return None;
    }
    let open = match &model.over {
        Some(Overlay::Help {
            below: Some(below), ..
        }) => Some(below.as_ref()),
        over => over.as_ref(),
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
fn follow(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(card) = model.card() else { return };
    let record = model.record(&card.record.id).cloned();
    let now = model.now;
    let Some(card) = model.card_mut() else { return };
    match record {
        // What was filled in before the deadline can still be sent, and is stored for the next
        // call.
        Some(record) if record.is_open() || (record.is_answerable() && keeps_card(card)) => {
            card.record = record;
            sync::merge_draft(card, now);
        }
        Some(record) if !card.sending => closed_while_editing(model, record, effects),
        // The result of our own attempt is on its way and decides.
        Some(_) | None => {}
    }
}

/// Whether the card stays open after the deadline: it is filled in, being sent, or was opened after
/// it.
fn keeps_card(card: &Card) -> bool {
    card.is_touched() || card.sending || !card.record.is_open()
}

fn closed_while_editing(model: &mut Model, record: Record, effects: &mut Vec<Effect>) {
    let besides = model.take_besides(&record.id);
    let form = model.card().map(|card| &card.form);
    let mut notice = Notice::new(record, form, besides);
    notice.guard = Some(if notice.is_filled() {
        Guard::of_words(model.now)
    } else {
        Guard::from(model.now)
    });
    if !notice.is_filled() && !model.is_one_shot() {
        notice.leaves_at = Some(model.now.plus_ms(NOTICE_MS));
    }
    model.leave_behind(&notice);
    model.over = None;
    model.screen = Screen::Notice(Box::new(notice));
    effects.push(Effect::DrainInput);
}

fn merge(model: &mut Model, records: Vec<Record>, gone: &[AskId]) {
    let focused = model.focused_row();
    let stood = model.shown(focused).filter(|record| record.is_answerable());
    let stood = stood.map(|record| record.id.clone());
    model.records.retain(|record| !gone.contains(&record.id));
    for id in gone {
        model.inbox.sought.remove(id);
    }
    for record in records {
        model.inbox.sought.remove(&record.id);
        let known = model.records.iter_mut().find(|known| known.id == record.id);
        match known {
            Some(known) => *known = record,
            None => model.records.push(record),
        }
    }
    inbox::sort(&mut model.records);
    model.focus_row = focused;
    // An answered ask moves to another group. The cursor stays where the ask was.
    let answered = stood.and_then(|id| model.record(&id).map(|record| !record.is_answerable()));
    if answered == Some(true) {
        model.focus = None;
    }
}
