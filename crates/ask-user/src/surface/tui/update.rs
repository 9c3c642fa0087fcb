//! The reducer: what an event changes, and what has to be done about it. No
//! clock, no I/O: the moment comes with the event, the wishes go to the runner.

mod card;
mod inbox;
mod news;
mod onward;
mod over;
mod typing;

use ask_core::{Record, Time};
use crossterm::event::{KeyEvent, KeyEventKind};

use super::event::{Effect, Event};
use super::keys::{self, Action, Context};
use super::model::{Card, Guard, Model, Notice, Screen};
use crate::surface::{Ended, Mode};

/// A second Ctrl+C within this time ends the program.
const INTERRUPT_MS: u64 = 1_000;
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
        Event::Records(records) => news::listed(model, records, &mut effects),
        Event::Changed { records, gone } => news::changed(model, records, &gone, &mut effects),
        Event::Settled { id, closing } => news::settled(model, &id, closing, &mut effects),
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
    model.list_guard = None;
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
    if model.is_too_small() {
        return press_unseen(model, context, key, effects);
    }
    let Some(action) = keys::decode(context, key) else {
        // It does nothing, but whoever typed it is still typing.
        model.swallows();
        return;
    };
    if context == Context::Inbox && !keys::is_interrupt(key) && model.swallows() {
        return;
    }
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

/// Nobody can see what a key would do: all that is left is to leave.
fn press_unseen(model: &mut Model, context: Context, key: KeyEvent, effects: &mut Vec<Effect>) {
    let quits = keys::decode(context, key) == Some(Action::Quit);
    if context == Context::Inbox && quits {
        quit(model, effects);
    } else if keys::is_interrupt(key) {
        interrupt(model, effects);
    }
}

/// Ctrl+C, where it does nothing else: the second one ends the program. While
/// an answer is on its way its outcome ends it.
fn interrupt(model: &mut Model, effects: &mut Vec<Effect>) {
    let again = model
        .interrupted_until
        .is_some_and(|until| model.now < until);
    model.interrupted_until = Some(model.now.plus_ms(INTERRUPT_MS));
    if !again || model.card().is_some_and(|card| card.sending) {
        return;
    }
    match &model.screen {
        Screen::Notice(_) if model.is_one_shot() => leave_notice(model, effects),
        Screen::Inbox | Screen::Card(_) | Screen::Notice(_) => quit(model, effects),
    }
}

fn notice(model: &mut Model, action: Action, effects: &mut Vec<Effect>) {
    let now = model.now;
    let Screen::Notice(notice) = &mut model.screen else {
        return;
    };
    let filled = notice.draft.is_some();
    if filled && action == Action::Interrupt {
        return interrupt(model, effects);
    }
    if notice
        .guard
        .as_mut()
        .is_some_and(|guard| guard.swallows(now))
    {
        return;
    }
    if filled && action == Action::ShowDraft {
        notice.opened = true;
    } else if !filled || action == Action::Escape {
        leave_notice(model, effects);
    }
}

fn leave_notice(model: &mut Model, effects: &mut Vec<Effect>) {
    let Screen::Notice(notice) = &model.screen else {
        return;
    };
    let ended = Ended::ClosedElsewhere(Box::new(notice.record.clone()));
    model.screen = Screen::Inbox;
    match model.mode {
        Mode::One(_) => effects.push(Effect::Quit(ended)),
        Mode::Inbox => {
            model.list_guard = Some(Guard::from(model.now));
            effects.push(Effect::DrainInput);
        }
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
    if let Some(guard) = model.guard_mut() {
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
