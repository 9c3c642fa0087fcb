//! What the hub tells: the list, what changed in it, and what became of our own
//! attempts to close an ask. The open card never changes under the person's hands.

use ask_core::{AskId, Record, Time};

use super::{Effect, open_next};
use crate::surface::paper::words;
use crate::surface::tui::model::{Guard, Model, Notice, Over, Screen};
use crate::surface::{Closing, Ended, Mode};

/// A notice that nobody has a stake in goes by itself.
const NOTICE_MS: u64 = 5_000;

/// The whole list was read.
pub fn listed(model: &mut Model, records: Vec<Record>, effects: &mut Vec<Effect>) {
    model.listed = true;
    model.records = records;
    sort(&mut model.records);
    look_for_card(model, effects);
    refreshed(model, effects);
}

/// Some asks are new, differ or are gone.
pub fn changed(model: &mut Model, records: Vec<Record>, gone: &[AskId], effects: &mut Vec<Effect>) {
    merge(model, records, gone);
    if model
        .card()
        .is_some_and(|card| gone.contains(&card.record.id))
    {
        forgotten(model, effects);
    }
    refreshed(model, effects);
}

/// An attempt to close an ask has come back.
pub fn settled(model: &mut Model, id: &AskId, closing: Closing, effects: &mut Vec<Effect>) {
    let ours = model.card().is_some_and(|card| card.record.id == *id);
    match closing {
        Closing::Won(record) => {
            let record = *record;
            merge(model, vec![record.clone()], &[]);
            if model.mode == Mode::One(id.clone()) {
                effects.push(Effect::Quit(Ended::of(record)));
                return;
            }
            model.news = Some(words::done(&record));
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
            if ours {
                closed_under_hands(model, record, effects);
            } else {
                model.news = Some("Somebody else was first; nothing was sent.".to_owned());
            }
        }
        Closing::Failed(why) => {
            let remark = format!("Not sent: {why}. Your draft is kept; try again.");
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

/// After a gap in what was heard, the open ask may have been closed and delivered: then no list has it.
fn look_for_card(model: &Model, effects: &mut Vec<Effect>) {
    let card = model
        .card()
        .filter(|card| model.record(&card.record.id).is_none());
    if let Some(id) = card.map(|card| card.record.id.clone()) {
        effects.push(Effect::Fetch { id });
    }
}

/// The open ask was deleted: there is nothing left to answer.
fn forgotten(model: &mut Model, effects: &mut Vec<Effect>) {
    if let Some(record) = model.card().map(|card| card.record.clone()) {
        closed_under_hands(model, record, effects);
    }
}

fn refreshed(model: &mut Model, effects: &mut Vec<Effect>) {
    follow(model, effects);
    // A closed ask stays listed only while its answer is undelivered.
    let one_shot = model.is_one_shot();
    model
        .records
        .retain(|record| record.is_waiting() || is_kept(record) || one_shot);
    if model
        .focus
        .as_ref()
        .is_none_or(|id| model.record(id).is_none())
    {
        let row = model.focus_row.min(model.records.len().saturating_sub(1));
        model.focus = model.records.get(row).map(|record| record.id.clone());
    }
    let target = match &model.over {
        Some(Over::Reason { id, .. } | Over::AskBack { id, .. } | Over::Reader { id, .. }) => {
            Some(id.clone())
        }
        Some(Over::Help { .. } | Over::Discard { .. } | Over::Long { .. }) | None => None,
    };
    let closed = |id: &AskId| model.record(id).is_none_or(|record| !record.is_waiting());
    if matches!(model.screen, Screen::Inbox) && target.is_some_and(|id| closed(&id)) {
        model.over = None;
        model.news = Some("That question was closed elsewhere; nothing was sent.".to_owned());
    }
    open_next(model, effects);
}

/// Brings the open card up to date, or turns it into a notice when its ask was closed.
fn follow(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(card) = model.card() else { return };
    let record = model.record(&card.record.id).cloned();
    let Some(card) = model.card_mut() else { return };
    match record {
        Some(record) if record.is_waiting() => card.record = record,
        Some(record) if !card.sending => closed_under_hands(model, record, effects),
        // The answer to our own attempt is on its way and knows more.
        Some(_) | None => {}
    }
}

fn closed_under_hands(model: &mut Model, record: Record, effects: &mut Vec<Effect>) {
    let form = model.card().map(|card| &card.form);
    let mut notice = Notice::new(record, form);
    notice.guard = Some(Guard::from(model.now));
    if notice.draft.is_none() && !model.is_one_shot() {
        notice.leaves_at = Some(model.now.plus_ms(NOTICE_MS));
    }
    model.over = None;
    model.screen = Screen::Notice(Box::new(notice));
    effects.push(Effect::DrainInput);
}

fn merge(model: &mut Model, records: Vec<Record>, gone: &[AskId]) {
    let focused = model.focused_row();
    model.records.retain(|record| !gone.contains(&record.id));
    for record in records {
        let known = model.records.iter_mut().find(|known| known.id == record.id);
        match known {
            Some(known) => *known = record,
            None => model.records.push(record),
        }
    }
    sort(&mut model.records);
    model.focus_row = focused;
}

fn is_kept(record: &Record) -> bool {
    let by_person = record
        .settlement()
        .is_some_and(|settlement| settlement.outcome.is_human());
    by_person && !record.is_delivered()
}

/// Waiting first, then those whose agent left, then kept answers; within, by deadline and age.
fn sort(records: &mut [Record]) {
    let group = |record: &Record| match (record.is_waiting(), record.waiters) {
        (true, 1..) => 0,
        (true, 0) => 1,
        (false, _) => 2,
    };
    records.sort_by_key(|record| {
        let deadline = record.deadline_at.unwrap_or(Time(i64::MAX));
        (group(record), deadline, record.asked_at, record.id.clone())
    });
}
