//! Keys in the list of asks and in its filter.

use ask_config::keys::{Action, Context, HistoryAction, Move};
use ask_core::{AskId, Record};

use super::{Effect, history, open, quit, sessions, snooze, take_back, typing};
use crate::tui::model::inbox::{Group, SearchText};
use crate::tui::model::{Model, Overlay, Purpose};
use crate::tui::view;
use crate::ui::text_field::Field;

/// Handles a key in the list.
pub(super) fn handle_action(
    model: &mut Model,
    context: Context,
    action: Action,
    effects: &mut Vec<Effect>,
) {
    if context == Context::Find {
        return handle_filter_action(model, action, effects);
    }
    let row = model.focused_row();
    if let Action::Move(to) = action {
        move_cursor(model, to);
    } else if action == Action::Enter {
        open_row(model, row, effects);
    } else if let Action::Number(number) = action {
        open_number(model, usize::from(number) - 1, effects);
    } else if action == Action::TabNext {
        focus_group(model, row, 1);
    } else if action == Action::TabBack {
        focus_group(model, row, -1);
    } else if action == Action::Filter {
        model.inbox.filtering = true;
    } else if action == Action::Escape {
        clear_filter(model);
    } else if action == Action::Decline {
        let focused = model.focused().filter(|record| record.is_answerable());
        if let Some(id) = focused.map(|record| record.id.clone()) {
            model.open_text_dialog(id, Purpose::Reason);
        }
    } else if action == Action::Read {
        if let Some(id) = focused_id(model) {
            model.overlay = Some(Overlay::Reader { id, top: 0 });
        }
    } else if action == Action::Mute {
        effects.push(Effect::Mute {
            on: !model.is_muted(),
        });
    } else if action == Action::PageLink {
        effects.push(Effect::PageLink);
    } else if action == Action::Sessions {
        sessions::open(model, effects);
    } else if action == Action::History(HistoryAction::Open) {
        history::open(model);
    } else if action == Action::Quit {
        quit(model, effects);
    } else if let Some(id) = focused_id(model) {
        snooze::handle_action(model, &id, action, effects);
    }
}

/// Handles a click on a row: moves the cursor there, or opens the ask if the cursor is there
/// already. True if the cursor moved.
pub(super) fn click_row(model: &mut Model, row: usize, effects: &mut Vec<Effect>) -> bool {
    let typed = std::mem::take(&mut model.inbox.filtering);
    if row == model.focused_row() && !typed {
        open_row(model, row, effects);
        return false;
    }
    focus(model, row);
    true
}

/// Shows a link to the page until the next key.
pub(super) fn on_page_link(model: &mut Model, link: Result<Option<String>, String>) {
    let words = model.display.words;
    model.message = Some(match link {
        Ok(Some(link)) if link.len() < usize::from(model.size.0) => link,
        Ok(Some(_)) => words.say("inbox-said-web-narrow"),
        Ok(None) => words.say("inbox-said-web-none"),
        Err(why) => words.format("inbox-said-web-failed", &[("why", why.into())]),
    });
}

fn focused_id(model: &Model) -> Option<AskId> {
    model.focused().map(|record| record.id.clone())
}

/// Handles a key while the filter is typed.
fn handle_filter_action(model: &mut Model, action: Action, effects: &mut Vec<Effect>) {
    if let Action::Edit(edit) = action {
        typing::edit(model, edit);
        update_rows(model);
        focus(model, 0);
    } else if let Action::Move(to @ (Move::Up | Move::Down)) = action {
        move_cursor(model, to);
    } else if action == Action::Move(Move::First) {
        model.inbox.filter.move_to_line_start();
    } else if action == Action::Move(Move::Last) {
        model.inbox.filter.move_to_line_end();
    } else if action == Action::Enter {
        model.inbox.filtering = false;
    } else if action == Action::Escape {
        clear_filter(model);
    } else if action == Action::Interrupt {
        quit(model, effects);
    }
}

fn clear_filter(model: &mut Model) {
    model.inbox.filtering = false;
    model.inbox.filter = Field::default();
    model.inbox.search_texts.clear();
    update_rows(model);
}

/// Computes which asks are shown. The cursor stays on its ask, or in its row if the ask has gone.
pub(super) fn update_rows(model: &mut Model) {
    let filter = model.inbox.filter.text().to_lowercase();
    let wanted: Vec<&str> = filter.split_whitespace().collect();
    let search_texts = &mut model.inbox.search_texts;
    let mut fits = |record: &Record| {
        let known = search_texts.entry(record.id.clone());
        known
            .or_insert_with(|| SearchText::from_record(record))
            .matches(&wanted)
    };
    let all = model.records.iter().enumerate();
    let shown = all.filter(|(_, record)| wanted.is_empty() || fits(record));
    model.inbox.rows = shown.map(|(at, _)| at).collect();
    let row = model.focused_row();
    let is_unchanged = model.shown(row).map(|record| &record.id) == model.focus.as_ref();
    if is_unchanged && model.focus.is_some() {
        model.focus_row = row;
    } else {
        let last = model.inbox.rows.len().saturating_sub(1);
        let row = model.focus_row.min(last);
        let waits = |row: usize| model.shown(row).map(Group::for_record) == Some(Group::Waiting);
        // The groups behind the waiting asks are less urgent, so the cursor moves up instead.
        let before = row.checked_sub(1).filter(|&before| waits(before));
        let before = before.filter(|_| model.focus.is_none() && !waits(row));
        focus(model, before.unwrap_or(row));
    }
}

fn move_cursor(model: &mut Model, to: Move) {
    let (rows, row) = (model.inbox.rows.len(), model.focused_row());
    match to {
        Move::Up => focus(model, row.checked_sub(1).unwrap_or(rows.saturating_sub(1))),
        Move::Down => focus(model, if row + 1 >= rows { 0 } else { row + 1 }),
        Move::First => focus(model, 0),
        Move::Last => focus(model, rows.saturating_sub(1)),
        Move::PageUp | Move::PageDown => scroll(model, to),
    }
}

/// Scrolls the preview pane.
fn scroll(model: &mut Model, to: Move) {
    let page = view::pane_page(model);
    let end = page.total.saturating_sub(page.shown);
    let by = page.shown.saturating_sub(1).max(1);
    let top = model.inbox.top.min(end);
    model.inbox.top = match to {
        Move::PageUp => top.saturating_sub(by),
        Move::PageDown => (top + by).min(end),
        Move::Up | Move::Down | Move::First | Move::Last => top,
    };
}

/// Moves the cursor to the first ask of the next group, wrapping around.
fn focus_group(model: &mut Model, row: usize, by: isize) {
    let groups: Vec<Group> = (0..model.inbox.rows.len())
        .filter_map(|row| model.shown(row).map(Group::for_record))
        .collect();
    let firsts: Vec<usize> = (0..groups.len())
        .filter(|&at| at == 0 || groups[at] != groups[at - 1])
        .collect();
    let Some(current) = firsts.iter().rposition(|&first| first <= row) else {
        return;
    };
    let count = firsts.len();
    let next = if by > 0 {
        current + 1
    } else {
        current + count - 1
    };
    focus(model, firsts[next % count]);
}

fn focus(model: &mut Model, row: usize) {
    let id = model.shown(row).map(|record| record.id.clone());
    if id.is_some() && id != model.focus {
        model.inbox.top = 0;
        model.focus = id;
    }
    model.focus_row = row;
}

fn open_row(model: &mut Model, row: usize, effects: &mut Vec<Effect>) {
    match model.shown(row).cloned() {
        Some(record) if record.held_until.is_some() => take_back::send_now(&record, effects),
        Some(record) => open(model, &record, effects),
        None => {}
    }
}

/// Opens an ask by its displayed number. Only waiting asks have one.
fn open_number(model: &mut Model, row: usize, effects: &mut Vec<Effect>) {
    let waits = |record: &&Record| Group::for_record(record) == Group::Waiting;
    if let Some(record) = model.shown(row).filter(waits).cloned() {
        open(model, &record, effects);
    }
}
