//! The reducer: what an event changes, and what has to be done about it. No
//! clock, no I/O: the moment comes with the event, the wishes go to the runner.

mod card;
mod inbox;
mod over;
mod typing;

use ask_core::{AskId, Record, Time};
use crossterm::event::{KeyEvent, KeyEventKind};

use super::event::{Effect, Event};
use super::keys::{self, Action, Context};
use super::model::{Card, Guard, Model, Notice, Over, Screen};
use crate::surface::{Closing, Ended, Mode, words};

/// A second Ctrl+C within this time ends the program.
const INTERRUPT_MS: u64 = 1_000;
/// A notice that nobody has a stake in goes by itself.
const NOTICE_MS: u64 = 5_000;
/// Ages on the screen are told to the minute.
const MINUTE_MS: u64 = 60_000;
const SECOND_MS: u64 = 1_000;

/// Takes an event in. The effects are to be carried out in their order.
pub fn update(model: &mut Model, event: Event, now: Time) -> Vec<Effect> {
    let mut effects = Vec::new();
    model.now = now;
    match event {
        Event::Key(key) => {
            if key.kind != KeyEventKind::Release {
                press(model, key, &mut effects);
            }
        }
        Event::Paste(text) => typing::paste(model, &text),
        Event::Resize(columns, rows) => model.size = (columns, rows),
        Event::Records(records) => {
            model.listed = true;
            model.records = records;
            sort(&mut model.records);
            refreshed(model, &mut effects);
        }
        Event::Changed { records, gone } => {
            merge(model, records, &gone);
            refreshed(model, &mut effects);
        }
        Event::Settled { id, closing } => settled(model, &id, closing, &mut effects),
        Event::Link(up) => model.linked = up,
        Event::Tick => tick(model, &mut effects),
        Event::InputDrained => drained(model),
    }
    schedule(model);
    if let Some(at) = model.next_wake() {
        effects.push(Effect::Wake { at });
    }
    effects
}

/// Opens an ask: as a card while it waits, else as a notice.
fn open(model: &mut Model, record: &Record, effects: &mut Vec<Effect>) {
    keep_draft(model, effects);
    model.over = None;
    model.news = None;
    model.opens_next = false;
    model.focus = Some(record.id.clone());
    model.screen = if record.is_waiting() {
        let id = record.id.clone();
        effects.push(Effect::Shown { id });
        Screen::Card(Box::new(Card::new(record.clone(), model.now)))
    } else {
        let mut notice = Notice::new(record.clone(), None);
        notice.guard = Some(Guard::from(model.now));
        Screen::Notice(Box::new(notice))
    };
    effects.push(Effect::DrainInput);
}

/// Leaves the ask waiting: back to the list, or out where there is none.
fn park(model: &mut Model, effects: &mut Vec<Effect>) {
    keep_draft(model, effects);
    model.over = None;
    if model.is_one_shot() {
        effects.push(Effect::Quit(Ended::Left));
    } else {
        model.screen = Screen::Inbox;
    }
}

/// Ends the program. Whatever waits goes on waiting.
fn quit(model: &mut Model, effects: &mut Vec<Effect>) {
    keep_draft(model, effects);
    let ended = if model.is_one_shot() {
        Ended::Left
    } else {
        Ended::Quit
    };
    effects.push(Effect::Quit(ended));
}

/// Keeps the draft of the open card, if it changed.
fn keep_draft(model: &mut Model, effects: &mut Vec<Effect>) {
    let now = model.now;
    if let Some(card) = model.card_mut() {
        card.save_at = None;
        let draft = card.form.draft();
        if draft != card.kept && !card.sending {
            card.kept = draft.clone();
            card.kept_at = Some(now);
            let id = card.record.id.clone();
            effects.push(Effect::SaveDraft { id, draft });
        }
    }
}

fn press(model: &mut Model, key: KeyEvent, effects: &mut Vec<Effect>) {
    let context = model.context();
    let Some(action) = keys::decode(context, key) else {
        return;
    };
    model.news = None;
    if action == Action::Redraw {
        effects.push(Effect::Repaint);
        return;
    }
    match context {
        Context::Inbox => inbox::act(model, action, effects),
        Context::Pick
        | Context::Tick
        | Context::Confirm
        | Context::Rest
        | Context::Answering
        | Context::Other
        | Context::Review => card::act(model, context, action, effects),
        Context::Notice => notice(model, action, effects),
        Context::Discard
        | Context::Reason
        | Context::AskBack
        | Context::Long
        | Context::Reader
        | Context::Help => over::act(model, context, action, effects),
    }
}

fn notice(model: &mut Model, action: Action, effects: &mut Vec<Effect>) {
    let now = model.now;
    let Screen::Notice(notice) = &mut model.screen else {
        return;
    };
    if notice.guard.is_some_and(|guard| guard.holds(now)) {
        return;
    }
    notice.leaves_at = None;
    if action == Action::ShowDraft && notice.draft.is_some() && !notice.opened {
        notice.opened = true;
    } else {
        leave_notice(model, effects);
    }
}

fn leave_notice(model: &mut Model, effects: &mut Vec<Effect>) {
    let Screen::Notice(notice) = &model.screen else {
        return;
    };
    let ended = Ended::ClosedElsewhere(notice.record.clone());
    model.screen = Screen::Inbox;
    match model.mode {
        Mode::One(_) => effects.push(Effect::Quit(ended)),
        Mode::Inbox => {}
        Mode::Next => {
            model.opens_next = true;
            open_next(model, effects);
        }
    }
}

/// Opens what a mode opens by itself, once the list is known.
fn open_next(model: &mut Model, effects: &mut Vec<Effect>) {
    if !model.opens_next || !matches!(model.screen, Screen::Inbox) {
        return;
    }
    let wanted = match &model.mode {
        Mode::Inbox => return,
        Mode::One(id) => model.record(id).cloned(),
        Mode::Next => {
            let oldest = model
                .waiting()
                .min_by_key(|record| record.asked_at)
                .cloned();
            if oldest.is_none() {
                effects.push(Effect::Quit(Ended::Quit));
            }
            oldest
        }
    };
    if let Some(record) = wanted {
        open(model, &record, effects);
    }
}

fn refreshed(model: &mut Model, effects: &mut Vec<Effect>) {
    if model
        .focused()
        .is_none_or(|record| Some(&record.id) != model.focus.as_ref())
    {
        model.focus = model.records.first().map(|record| record.id.clone());
    }
    follow(model, effects);
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

fn settled(model: &mut Model, id: &AskId, closing: Closing, effects: &mut Vec<Effect>) {
    let ours = model.card().is_some_and(|card| card.record.id == *id);
    match closing {
        Closing::Won(record) => {
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
    // A closed ask stays listed only while its answer is undelivered.
    model
        .records
        .retain(|record| record.is_waiting() || is_kept(record));
    sort(&mut model.records);
    if model
        .focus
        .as_ref()
        .is_none_or(|id| model.record(id).is_none())
    {
        let row = focused.min(model.records.len().saturating_sub(1));
        model.focus = model.records.get(row).map(|record| record.id.clone());
    }
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

fn tick(model: &mut Model, effects: &mut Vec<Effect>) {
    let now = model.now;
    if model
        .card()
        .is_some_and(|card| card.save_at.is_some_and(|at| at <= now))
    {
        keep_draft(model, effects);
    }
    if let Screen::Notice(notice) = &model.screen
        && notice.leaves_at.is_some_and(|at| at <= now)
    {
        leave_notice(model, effects);
    }
}

fn drained(model: &mut Model) {
    let guard = match &mut model.screen {
        Screen::Inbox => None,
        Screen::Card(card) => card.guard.as_mut(),
        Screen::Notice(notice) => notice.guard.as_mut(),
    };
    if let Some(guard) = guard {
        guard.drained = true;
    }
}

/// Ages are told to the minute; a deadline that is near, to the second.
fn schedule(model: &mut Model) {
    let now = model.now;
    let deadlines: Vec<Time> = match &model.screen {
        Screen::Inbox => model
            .waiting()
            .filter_map(|record| record.deadline_at)
            .collect(),
        Screen::Card(card) => card.record.deadline_at.into_iter().collect(),
        Screen::Notice(_) => Vec::new(),
    };
    let near = deadlines
        .iter()
        .any(|&at| at > now && at.since_ms(now) <= MINUTE_MS);
    let watched = !matches!(model.screen, Screen::Notice(_)) && !model.records.is_empty();
    let step = if near { SECOND_MS } else { MINUTE_MS };
    let due = model
        .refresh_at
        .filter(|&at| at > now && at <= now.plus_ms(step));
    model.refresh_at = watched.then(|| due.unwrap_or_else(|| now.plus_ms(step)));
}
