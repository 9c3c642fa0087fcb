//! The reducer: how an event changes the model, and which effects follow. It reads no clock and
//! does no I/O: the time comes with the event, the runner performs the effects.

mod attach;
mod card;
mod clipboard;
mod history;
mod hub_events;
mod inbox;
mod mouse;
mod notes;
mod overlay;
mod paths;
mod previous_answers;
mod replace_text;
mod sessions;
mod snooze;
mod submit;
mod sync;
mod typing;

use ask_config::keys::{self, Action, Context, Move, ReplaceText, is_interrupt};
use ask_core::{Record, Time};
use crossterm::event::{KeyCode, KeyEvent, KeyEventKind};

pub(crate) use self::mouse::Clicked;
pub(crate) use self::paths::Paths;
pub(crate) use self::previous_answers::{AnswerWalk, reuse_hint};
use super::event::{Effect, Event};
use super::model::{Card, Guard, Model, Notice, Screen};
use super::view;
use crate::{Ended, Mode};

/// A second Ctrl+C within this time ends the program.
const INTERRUPT_MS: u64 = 1_000;
/// Ages are displayed in minutes.
const MINUTE_MS: u64 = 60_000;
const SECOND_MS: u64 = 1_000;

/// Applies an event to the model. The effects have to be performed in their order.
pub(crate) fn update(model: &mut Model, event: Event, now: Time) -> Vec<Effect> {
    let mut effects = Vec::new();
    model.now = now;
    match event {
        Event::Key(key) => {
            if key.kind != KeyEventKind::Release {
                model.clicked = None;
                press(model, key, &mut effects);
            }
        }
        Event::Mouse(does) => mouse::act(model, does, &mut effects),
        Event::BackgroundColor(background) => model.look.background = background,
        Event::Paste(text) => typing::paste(model, &text),
        Event::Attached { id, question, file } => {
            attach::attached(model, &id, question, file, &mut effects);
        }
        Event::Break => typing::insert_pasted_newline(model, &mut effects),
        Event::Keyboard => model.look.tells_keys_apart = true,
        Event::Edited(edited) => replace_text::edited(model, edited, &mut effects),
        Event::Recalled { id, records } => {
            previous_answers::recalled(model, &id, &records, &mut effects)
        }
        Event::Paths {
            letters,
            found,
            total,
            ended,
            cut,
        } => {
            let told = paths::SearchProgress { total, ended, cut };
            paths::found(model, &letters, found, told);
        }
        Event::Focus(_) => {}
        Event::Resize(columns, rows) => model.size = (columns, rows),
        Event::Records(records) => hub_events::listed(model, records, &mut effects),
        Event::Changed { records, gone } => {
            hub_events::changed(model, records, &gone, &mut effects)
        }
        Event::Settled { id, closing } => hub_events::settled(model, &id, closing, &mut effects),
        Event::Day(day) => model.inbox.day = Some((day, now)),
        Event::Done { wish, result } => hub_events::done(model, wish, result, &mut effects),
        Event::Muted(on) => snooze::muted(model, on),
        Event::PageLink(link) => inbox::linked(model, link),
        Event::SignedIn(devices) => sessions::listed(model, devices),
        Event::Overtaken(record) => sync::overtaken(model, *record, &mut effects),
        Event::Link(up) => model.linked = up,
        Event::Tick => tick(model, &mut effects),
        Event::InputDrained => drained(model),
        Event::HistoryPage(page) => history::found(model, page),
        Event::Counted(stats) => history::counted(model, *stats),
        Event::Written(written) => history::written(model, written),
    }
    history::look(model, &mut effects);
    model.keep_unsent();
    if model.listed && model.gather_unsent() {
        model.news = Some(model.look.words.say("card-closed-elsewhere"));
    }
    if model.paths.is_some() && model.field().is_none() {
        // The field of the popup has gone with its ask or dialog.
        model.paths = None;
    }
    schedule(model);
    if let Some(at) = model.next_wake() {
        effects.push(Effect::Wake { at });
    }
    effects
}

/// Opens an ask: as a card while it can be answered, otherwise as a notice.
fn open(model: &mut Model, record: &Record, effects: &mut Vec<Effect>) {
    keep_draft(model, effects);
    model.over = None;
    model.news = None;
    model.opens_next = false;
    model.list_guard = None;
    model.focus = Some(record.id.clone());
    model.screen = if record.is_answerable() {
        let id = record.id.clone();
        effects.push(Effect::Shown { id });
        let mut card = Card::new(record.clone(), model.now);
        card.reviews = model.look.habits.review;
        Screen::Card(Box::new(card))
    } else {
        let mut notice = Notice::new(record.clone(), None, Vec::new());
        notice.guard = Some(Guard::from(model.now));
        model.leave_behind(&notice);
        Screen::Notice(Box::new(notice))
    };
    effects.push(Effect::DrainInput);
}

/// Leaves the ask waiting and returns to the list, or ends a one-shot surface.
fn leave_waiting(model: &mut Model, effects: &mut Vec<Effect>) {
    keep_draft(model, effects);
    model.over = None;
    if model.is_one_shot() {
        effects.push(Effect::Quit(Ended::Left));
    } else {
        model.screen = Screen::Inbox;
    }
}

/// Ends the program. Waiting asks stay open.
fn quit(model: &mut Model, effects: &mut Vec<Effect>) {
    keep_draft(model, effects);
    let ended = if model.is_one_shot() {
        Ended::Left
    } else {
        Ended::Quit
    };
    effects.push(Effect::Quit(ended));
}

/// Saves the draft of the open card if it has changed.
fn keep_draft(model: &mut Model, effects: &mut Vec<Effect>) {
    if let Some(card) = model.card_mut() {
        card.save_at = None;
        let draft = card.form.draft();
        if draft != card.kept && !card.sending {
            card.kept = draft.clone();
            let id = card.record.id.clone();
            let built_on = sync::record_sent(card, &draft);
            effects.push(Effect::SaveDraft {
                id,
                draft,
                built_on,
            });
        }
    }
}

fn press(model: &mut Model, key: KeyEvent, effects: &mut Vec<Effect>) {
    let context = model.context();
    if model.is_too_small() {
        return press_unseen(model, context, key, effects);
    }
    let chord = std::mem::take(&mut model.chord);
    let editor = Action::ReplaceText(ReplaceText::Editor);
    let keymap = &model.look.keys;
    let decoded = if chord && keys::ends_chord(key) && keymap.does(context, editor) {
        Some(editor)
    } else {
        keymap.decode(context, key)
    };
    let Some(action) = decoded else {
        model.chord = keys::begins_chord(key);
        // A key without an action still shows that the person is typing.
        if model.swallows() {
            too_soon(model);
        }
        return;
    };
    if action == Action::Suspend {
        keep_draft(model, effects);
        effects.push(Effect::Suspend);
        return;
    }
    let guarded = matches!(context, Context::Inbox | Context::Find | Context::Notice);
    if guarded && !is_interrupt(key) && model.swallows() {
        return too_soon(model);
    }
    model.news = None;
    if action == Action::Redraw {
        effects.push(Effect::Repaint);
        return;
    }
    if action == Action::Help {
        return model.open_help();
    }
    if let Action::ReplaceText(by) = action {
        replace_text::act(model, by, effects);
    } else if context != Context::Paths || !paths::act(model, action, effects) {
        dispatch(model, action, effects);
    }
    paths::follow(model, matches!(action, Action::Edit(_)), effects);
}

fn dispatch(model: &mut Model, action: Action, effects: &mut Vec<Effect>) {
    let context = model.layer_context();
    match context {
        Context::Inbox | Context::Find => inbox::act(model, context, action, effects),
        Context::Pick
        | Context::Tick
        | Context::Confirm
        | Context::Rest
        | Context::Answering
        | Context::Other
        | Context::Note
        | Context::Filter
        | Context::Review => {
            on_card(model, context, action, effects);
        }
        Context::Notice => notice(model, action, effects),
        Context::History
        | Context::HistorySearch
        | Context::HistoryFilters
        | Context::HistoryWhole
        | Context::HistoryStats => history::act(model, action, effects),
        Context::Discard
        | Context::Snooze
        | Context::Sessions
        | Context::Reason
        | Context::AskBack
        | Context::Attach
        | Context::Long
        | Context::Reader
        | Context::Paths
        | Context::Help => overlay::act(model, context, action, effects),
    }
}

/// Handles a key on a card.
fn on_card(model: &mut Model, context: Context, action: Action, effects: &mut Vec<Effect>) {
    let id = model.card().map(|card| card.record.id.clone());
    if let Some(id) = id.filter(|_| matches!(action, Action::Snooze | Action::MoreTime)) {
        snooze::act(model, &id, action, effects);
    } else if action == Action::LoadOther {
        sync::load(model, effects);
    } else {
        card::act(model, context, action, effects);
    }
    snooze::typing(model, effects);
}

/// Handles a key while the terminal is too small to show what it does: it can only leave, or
/// continue in the plain mode.
fn press_unseen(model: &mut Model, context: Context, key: KeyEvent, effects: &mut Vec<Effect>) {
    let quits = model.look.keys.decode(context, key) == Some(Action::Quit);
    if context == Context::Inbox && quits {
        quit(model, effects);
    } else if key.code == KeyCode::Enter && key.modifiers.is_empty() {
        let sending = model.card().is_some_and(|card| card.sending);
        if !sending {
            keep_draft(model, effects);
            effects.push(Effect::Quit(Ended::Plain));
        }
    } else if is_interrupt(key) {
        interrupt(model, effects);
    }
}

/// Handles Ctrl+C where it has no other meaning: the second one ends the program. While an answer
/// is being sent, its result ends the program instead.
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
        Screen::Inbox | Screen::Card(_) | Screen::Notice(_) | Screen::History(_) => {
            quit(model, effects);
        }
    }
}

/// Ignores a key that was meant for the screen before. Where unsent text is shown, a remark says
/// so.
fn too_soon(model: &mut Model) {
    if let Screen::Notice(notice) = &mut model.screen
        && notice.is_filled()
        && model.over.is_none()
    {
        notice.remark = Some(model.look.words.say("card-too-soon"));
    }
}

fn notice(model: &mut Model, action: Action, effects: &mut Vec<Effect>) {
    let now = model.now;
    let Screen::Notice(notice) = &mut model.screen else {
        return;
    };
    let filled = notice.is_filled();
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
    notice.remark = None;
    if filled && action == Action::ShowDraft {
        notice.opened = true;
    } else if filled && action == Action::Copy {
        clipboard::draft(model, effects);
    } else if !filled || action == Action::Escape {
        leave_notice(model, effects);
    }
}

fn leave_notice(model: &mut Model, effects: &mut Vec<Effect>) {
    let Screen::Notice(notice) = &model.screen else {
        return;
    };
    let ended = Ended::ClosedElsewhere(Box::new(notice.record.clone()));
    let kept = notice.has_words().then(|| reuse_hint(model));
    model.screen = Screen::Inbox;
    match model.mode {
        Mode::One(_) => effects.push(Effect::Quit(ended)),
        Mode::Inbox => {
            model.list_guard = Some(Guard::from(model.now));
            model.news = kept;
            effects.push(Effect::DrainInput);
        }
        Mode::Next => {
            model.opens_next = true;
            open_next(model, effects);
        }
    }
}

/// Opens the ask that the mode opens by itself, once the list is known.
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
    if let Screen::Notice(notice) = &mut model.screen
        && notice.guard.is_some_and(|guard| !guard.holds(now))
        && notice.remark.as_ref() == Some(&model.look.words.say("card-too-soon"))
    {
        // The guard has ended: remove the remark that keys are ignored.
        notice.remark = None;
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

/// Schedules the next repaint: in minutes for ages, in seconds for a near deadline.
fn schedule(model: &mut Model) {
    let now = model.now;
    // Only visible deadlines are counted down. One below the end of the list changes no row.
    let steps = view::deadlines(model).into_iter();
    let steps = steps.filter(|&at| at > now).map(|at| {
        let left = at.since_ms(now);
        if left <= MINUTE_MS {
            SECOND_MS
        } else {
            (left - MINUTE_MS).min(MINUTE_MS)
        }
    });
    let step = steps.min().unwrap_or(MINUTE_MS);
    let watched = !matches!(model.screen, Screen::Notice(_)) && !model.records.is_empty();
    let due = model
        .refresh_at
        .filter(|&at| at > now && at <= now.plus_ms(step));
    model.refresh_at = watched.then(|| due.unwrap_or_else(|| now.plus_ms(step)));
}

/// The scroll position after a key; `None` if the key doesn't scroll.
fn scrolled(page: view::Page, top: usize, action: Action) -> Option<usize> {
    let end = page.total.saturating_sub(page.shown);
    let Action::Move(to) = action else {
        return None;
    };
    Some(match to {
        Move::Up => top.saturating_sub(1),
        Move::Down => (top + 1).min(end),
        Move::PageUp => top.saturating_sub(page.shown.max(1)),
        Move::PageDown => (top + page.shown.max(1)).min(end),
        Move::First => 0,
        Move::Last => end,
    })
}
