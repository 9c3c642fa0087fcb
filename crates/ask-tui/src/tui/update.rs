//! The reducer: how an event changes the model, and which effects follow. It reads no clock and
//! does no I/O: the time is an argument, and the runner performs the effects.

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
pub(super) mod take_back;
mod typing;

use ask_config::keys::{self, Action, Context, Move, ReplaceText, is_interrupt};
use ask_core::{Record, Time};
use crossterm::event::{KeyCode, KeyEvent, KeyEventKind};

pub(crate) use self::mouse::Click;
pub(crate) use self::paths::Paths;
pub(crate) use self::previous_answers::{AnswerWalk, reuse_hint};
use super::event::{Effect, Event};
use super::geometry::drawn_size;
use super::model::{Card, Guard, Model, Notice, Screen};
use super::view;
use crate::{Mode, SurfaceEnd};

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
                handle_key(model, key, &mut effects);
            }
        }
        // Another program may have left the terminal reporting the mouse.
        Event::Mouse(mouse) if model.display.settings.mouse => {
            mouse::handle_event(model, mouse, &mut effects);
        }
        Event::Mouse(_) => {}
        Event::BackgroundColor(background) => model.display.background = background,
        Event::Paste(text) => typing::paste(model, &text),
        Event::Attached { id, question, file } => {
            attach::on_attached(model, &id, question, file, &mut effects);
        }
        Event::PastedNewline => typing::insert_pasted_newline(model, &mut effects),
        Event::KeyboardProtocol => model.display.distinguishes_keys = true,
        Event::Edited(result) => replace_text::on_edited(model, result, &mut effects),
        Event::Recalled { id, records } => {
            previous_answers::recalled(model, &id, &records, &mut effects)
        }
        Event::PathsFound {
            letters,
            found,
            total,
            ended,
            cut,
        } => {
            let progress = paths::SearchProgress { total, ended, cut };
            paths::on_found(model, &letters, found, progress);
        }
        Event::Focus(_) => {}
        Event::Resize(columns, rows) => model.size = drawn_size(columns, rows),
        Event::Records(records) => hub_events::on_list(model, records, &mut effects),
        Event::Changed { records, gone } => {
            hub_events::on_changed(model, records, &gone, &mut effects)
        }
        Event::Settled { id, result } => hub_events::on_settled(model, &id, result, &mut effects),
        Event::Day(day) => model.inbox.day = Some((day, now)),
        Event::RequestDone { request, result } => {
            hub_events::on_request_done(model, request, result, &mut effects)
        }
        Event::Muted(on) => snooze::on_muted(model, on),
        Event::PageLink(link) => inbox::on_page_link(model, link),
        Event::Devices(devices) => sessions::on_devices(model, devices),
        Event::DraftRefused(record) => sync::on_draft_refused(model, *record, &mut effects),
        Event::DraftNotKept(id, reason) => sync::on_draft_not_kept(model, &id, reason),
        Event::DraftSaved(id, draft) => sync::on_draft_saved(model, &id, draft),
        Event::DraftUnsaved(id) => sync::on_draft_unsaved(model, &id, &mut effects),
        Event::Connected(up) => {
            model.connected = up;
            if up {
                sync::save_again(model, &mut effects);
            }
        }
        Event::Tick => on_tick(model, &mut effects),
        Event::InputDrained => on_input_drained(model),
        Event::HistoryPage(page) => history::on_page(model, page),
        Event::Stats(stats) => history::on_stats(model, *stats),
        Event::Exported(exported) => history::on_exported(model, exported),
    }
    history::request_missing(model, &mut effects);
    model.save_unsent();
    if model.listed && model.collect_unsent() {
        model.message = Some(model.display.words.say("card-closed-elsewhere"));
    }
    if model.paths.is_some() && model.field().is_none() {
        // The field of the popup has gone with its ask or dialog.
        model.paths = None;
    }
    if let Some(card) = model.card_mut() {
        card.form.show(card.tab);
    }
    schedule(model);
    if let Some(at) = model.next_wake() {
        effects.push(Effect::Wake { at });
    }
    effects
}

/// Opens an ask: as a card while it can be answered, otherwise as a notice.
fn open(model: &mut Model, record: &Record, effects: &mut Vec<Effect>) {
    save_draft(model, effects);
    model.set_card_aside();
    model.overlay = None;
    model.message = None;
    model.opens_next = false;
    model.list_guard = None;
    model.focus = Some(record.id.clone());
    model.screen = if record.is_answerable() {
        let id = record.id.clone();
        effects.push(Effect::Shown { id });
        let mut card = match model.take_left(&record.id) {
            Some(left) => sync::reopen(record.clone(), left, model.now),
            None => Card::new(record.clone(), model.now),
        };
        card.review = model.display.settings.review;
        Screen::Card(Box::new(card))
    } else {
        let mut notice = Notice::new(record.clone(), None, Vec::new());
        notice.guard = Some(Guard::new(model.now));
        model.keep_notice_texts(&notice);
        Screen::Notice(Box::new(notice))
    };
    effects.push(Effect::DrainInput);
}

/// Leaves the ask waiting and returns to the list, or ends a one-shot surface.
fn leave_waiting(model: &mut Model, effects: &mut Vec<Effect>) {
    save_draft(model, effects);
    model.overlay = None;
    if model.is_one_shot() {
        effects.push(Effect::Quit(SurfaceEnd::Left));
    } else {
        model.set_card_aside();
        model.screen = Screen::Inbox;
    }
}

/// Ends the program. Waiting asks stay open.
fn quit(model: &mut Model, effects: &mut Vec<Effect>) {
    save_draft(model, effects);
    let ended = if model.is_one_shot() {
        SurfaceEnd::Left
    } else {
        SurfaceEnd::Quit
    };
    effects.push(Effect::Quit(ended));
}

/// Saves the draft of the open card if it has changed.
fn save_draft(model: &mut Model, effects: &mut Vec<Effect>) {
    if let Some(card) = model.card_mut() {
        sync::save(card, effects);
    }
}

fn handle_key(model: &mut Model, key: KeyEvent, effects: &mut Vec<Effect>) {
    let context = model.context();
    if model.is_too_small() {
        return handle_key_on_small_screen(model, context, key, effects);
    }
    let chord = std::mem::take(&mut model.chord);
    let editor = Action::ReplaceText(ReplaceText::Editor);
    let keymap = &model.display.keys;
    let action_of_key = if chord && keys::ends_chord(key) && keymap.does(context, editor) {
        Some(editor)
    } else {
        keymap.decode(context, key)
    };
    let is_letter = matches!(key.code, KeyCode::Char(_));
    let Some(action) = action_of_key else {
        model.chord = keys::begins_chord(key);
        // A key without an action still prolongs the guard.
        if model.ignores_key(is_letter) {
            show_too_soon(model);
        }
        return;
    };
    if action == Action::Suspend {
        save_draft(model, effects);
        effects.push(Effect::Suspend);
        return;
    }
    let guarded = matches!(context, Context::Inbox | Context::Find | Context::Notice);
    if guarded && !is_interrupt(key) && model.ignores_key(is_letter) {
        return show_too_soon(model);
    }
    model.message = None;
    if action == Action::Redraw {
        effects.push(Effect::Repaint);
        return;
    }
    if action == Action::Help {
        return model.open_help();
    }
    if action == Action::TakeBack {
        return take_back::newest(model, effects);
    }
    if let Action::ReplaceText(source) = action {
        replace_text::handle_action(model, source, effects);
    } else if context != Context::Paths || !paths::handle_action(model, action, effects) {
        dispatch(model, action, effects);
    }
    paths::update_popup(model, matches!(action, Action::Edit(_)), effects);
}

fn dispatch(model: &mut Model, action: Action, effects: &mut Vec<Effect>) {
    let context = model.context_below_popup();
    match context {
        Context::Inbox | Context::Find => inbox::handle_action(model, context, action, effects),
        Context::Pick
        | Context::Tick
        | Context::Confirm
        | Context::Rest
        | Context::Answering
        | Context::Other
        | Context::Note
        | Context::Filter
        | Context::Review => {
            handle_card_action(model, context, action, effects);
        }
        Context::Notice => handle_notice_action(model, action, effects),
        Context::History
        | Context::HistorySearch
        | Context::HistoryFilters
        | Context::HistoryWhole
        | Context::HistoryStats => history::handle_action(model, action, effects),
        Context::Discard
        | Context::Snooze
        | Context::Sessions
        | Context::Reason
        | Context::AskBack
        | Context::Attach
        | Context::Long
        | Context::Reader
        | Context::Paths
        | Context::Help => overlay::handle_action(model, context, action, effects),
    }
}

/// Handles a key on a card.
fn handle_card_action(
    model: &mut Model,
    context: Context,
    action: Action,
    effects: &mut Vec<Effect>,
) {
    let id = model.card().map(|card| card.record.id.clone());
    if let Some(id) = id.filter(|_| matches!(action, Action::Snooze | Action::MoreTime)) {
        snooze::handle_action(model, &id, action, effects);
    } else if action == Action::LoadOther {
        sync::swap_version(model, effects);
    } else {
        card::handle_action(model, context, action, effects);
    }
    snooze::extend_while_typing(model, effects);
}

/// Handles a key while the terminal is too small to show what it does: it can only leave, or
/// continue in the plain mode.
fn handle_key_on_small_screen(
    model: &mut Model,
    context: Context,
    key: KeyEvent,
    effects: &mut Vec<Effect>,
) {
    let quits = model.display.keys.decode(context, key) == Some(Action::Quit);
    if context == Context::Inbox && quits {
        quit(model, effects);
    } else if key.code == KeyCode::Enter && key.modifiers.is_empty() {
        let sending = model.card().is_some_and(|card| card.sending);
        if !sending {
            save_draft(model, effects);
            effects.push(Effect::Quit(SurfaceEnd::SwitchToPlain));
        }
    } else if is_interrupt(key) {
        interrupt(model, effects);
    }
}

/// Handles Ctrl+C where it has no other meaning: the second one ends the program. While an answer
/// is being sent, its result ends the program instead.
fn interrupt(model: &mut Model, effects: &mut Vec<Effect>) {
    let is_second = model
        .interrupted_until
        .is_some_and(|until| model.now < until);
    model.interrupted_until = Some(model.now.plus_ms(INTERRUPT_MS));
    if !is_second || model.card().is_some_and(|card| card.sending) {
        return;
    }
    match &model.screen {
        Screen::Notice(_) if model.is_one_shot() => leave_notice(model, effects),
        Screen::Inbox | Screen::Card(_) | Screen::Notice(_) | Screen::History(_) => {
            quit(model, effects);
        }
    }
}

/// Shows that a key was ignored because it was meant for the previous screen. Only a notice of
/// unsent text shows it.
fn show_too_soon(model: &mut Model) {
    if let Screen::Notice(notice) = &mut model.screen
        && notice.has_unsent_text()
        && model.overlay.is_none()
    {
        notice.message = Some(model.display.words.say("card-too-soon"));
    }
}

fn handle_notice_action(model: &mut Model, action: Action, effects: &mut Vec<Effect>) {
    let now = model.now;
    let Screen::Notice(notice) = &mut model.screen else {
        return;
    };
    let filled = notice.has_unsent_text();
    if filled && action == Action::Interrupt {
        return interrupt(model, effects);
    }
    if notice.guard.is_some_and(|guard| guard.is_active(now)) {
        return;
    }
    notice.message = None;
    if filled && action == Action::ShowDraft {
        notice.shows_draft = true;
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
    let ended = SurfaceEnd::ClosedElsewhere(Box::new(notice.record.clone()));
    let kept = notice.has_reusable_text().then(|| reuse_hint(model));
    model.screen = Screen::Inbox;
    match model.mode {
        Mode::One(_) => effects.push(Effect::Quit(ended)),
        Mode::Inbox => {
            model.list_guard = Some(Guard::new(model.now));
            model.message = kept;
            effects.push(Effect::DrainInput);
        }
        Mode::Next => {
            model.opens_next = true;
            open_next(model, effects);
        }
    }
}

/// Opens the ask that the mode opens without a key, once the list is known.
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
                effects.push(Effect::Quit(SurfaceEnd::Quit));
            }
            oldest
        }
    };
    if let Some(record) = wanted {
        open(model, &record, effects);
    }
}

fn on_tick(model: &mut Model, effects: &mut Vec<Effect>) {
    let now = model.now;
    if model
        .card()
        .is_some_and(|card| card.save_at.is_some_and(|at| at <= now))
    {
        save_draft(model, effects);
    }
    if let Screen::Notice(notice) = &mut model.screen
        && notice.guard.is_some_and(|guard| !guard.is_active(now))
        && notice.message.as_ref() == Some(&model.display.words.say("card-too-soon"))
    {
        // The guard has ended, so the message that keys are ignored is removed.
        notice.message = None;
    }
    if let Screen::Notice(notice) = &model.screen
        && notice.closes_at.is_some_and(|at| at <= now)
    {
        leave_notice(model, effects);
    }
}

fn on_input_drained(model: &mut Model) {
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
fn scroll_position(page: view::Page, top: usize, action: Action) -> Option<usize> {
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
