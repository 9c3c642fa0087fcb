//! Handles keys on the history screen, and the hub's replies for it. Missing records and statistics
//! are requested one query at a time, so that the person can type while the hub searches.

use ask_config::keys::{Action, HistoryAction, Move};
use ask_core::Record;
use ask_core::history::Filter;
use ask_core::stats::HistoryStats;
use ask_hub::surface::export::markdown;

use super::{Effect, previous_answers, scroll_position, typing};
use crate::tui::model::history::{FILTERS, History, Layer, OutcomeFilter, PERIODS};
use crate::tui::model::{Model, Screen};
use crate::tui::view;

/// Records in a page.
const PAGE: u64 = 60;

/// The next page is requested when the cursor is this many rows before the last record.
const NEAR: usize = 20;

/// Opens the history screen.
pub(super) fn open(model: &mut Model) {
    model.screen = Screen::History(Box::default());
}

pub(super) fn handle_action(model: &mut Model, action: Action, effects: &mut Vec<Effect>) {
    if action == Action::Interrupt {
        return super::interrupt(model, effects);
    }
    let page = view::history_page(model);
    let Screen::History(history) = &mut model.screen else {
        return;
    };
    history.message = None;
    match history.layer {
        Layer::List => list(model, action, effects),
        Layer::Search => search(model, action),
        Layer::Filters(row) => filters(history, row, action),
        Layer::Record(top) => {
            if action == Action::Copy {
                copy(model, effects);
            } else if action == Action::History(HistoryAction::Again) {
                previous_answers::choose(model);
            } else {
                let next = scroll_position(page, top, action);
                history.layer = next.map_or(Layer::List, Layer::Record);
            }
        }
        Layer::Stats(top) => {
            history.layer = scroll_position(page, top, action).map_or(Layer::List, Layer::Stats);
        }
    }
}

fn list(model: &mut Model, action: Action, effects: &mut Vec<Effect>) {
    let now = model.now;
    let rows = usize::from(model.size.1 / 3).max(1);
    let Screen::History(history) = &mut model.screen else {
        return;
    };
    let last = history.records.len().saturating_sub(1);
    if let Action::Move(to) = action {
        history.row = match to {
            Move::Up => history.row.saturating_sub(1),
            Move::Down => (history.row + 1).min(last),
            Move::PageUp => history.row.saturating_sub(rows),
            Move::PageDown => (history.row + rows).min(last),
            Move::First => 0,
            Move::Last => last,
        };
    } else if let Action::History(history_action) = action {
        match history_action {
            HistoryAction::Filters => history.layer = Layer::Filters(0),
            HistoryAction::Stats => history.layer = Layer::Stats(0),
            HistoryAction::Write => {
                history.message = Some(model.display.words.say("history-writing"));
                let filter = history.filter(now);
                effects.push(Effect::Export { filter });
            }
            HistoryAction::Open | HistoryAction::Again => {}
        }
    } else if action == Action::Enter && !history.records.is_empty() {
        history.layer = Layer::Record(0);
    } else if action == Action::Filter {
        history.layer = Layer::Search;
    } else if action == Action::Copy {
        copy(model, effects);
    } else if action == Action::Escape {
        model.screen = Screen::Inbox;
    }
}

fn search(model: &mut Model, action: Action) {
    if let Action::Edit(edit) = action {
        typing::edit(model, edit);
    } else if let Action::Move(to) = action {
        typing::move_caret(model, to);
    } else if let Screen::History(history) = &mut model.screen
        && matches!(action, Action::Enter | Action::Escape)
    {
        if action == Action::Escape {
            history.search.put("");
        }
        history.layer = Layer::List;
    }
}

fn filters(history: &mut History, row: usize, action: Action) {
    if action == Action::Move(Move::Up) {
        history.layer = Layer::Filters((row + FILTERS - 1) % FILTERS);
    } else if action == Action::Move(Move::Down) {
        history.layer = Layer::Filters((row + 1) % FILTERS);
    } else if action == Action::TabNext {
        cycle_filter(history, row, 1);
    } else if action == Action::TabBack {
        cycle_filter(history, row, -1);
    } else if matches!(action, Action::Escape | Action::Enter) {
        history.layer = Layer::List;
    }
}

/// Sets a filter to its next or previous value.
fn cycle_filter(history: &mut History, row: usize, by: isize) {
    let all_stats = history.all_stats.as_ref();
    let agents = all_stats.map(|all| all.agents.iter().map(|agent| agent.name.clone()).collect());
    let projects = all_stats.map(|all| all.projects.iter().map(|(name, _)| name.clone()).collect());
    let filters = &mut history.filters;
    match row {
        0 => filters.agent = cycled(filters.agent.as_ref(), agents.unwrap_or_default(), by),
        1 => filters.project = cycled(filters.project.as_ref(), projects.unwrap_or_default(), by),
        2 => filters.end = cycled(filters.end.as_ref(), OutcomeFilter::all_filters(), by),
        _ => {
            let periods = PERIODS.into_iter().flatten().collect();
            filters.days = cycled(filters.days.as_ref(), periods, by);
        }
    }
}

/// The value `by` steps after a value. The order is circular; `None` lies between the last and the
/// first.
fn cycled<T: PartialEq + Clone>(value: Option<&T>, all: Vec<T>, by: isize) -> Option<T> {
    let length = all.len().cast_signed() + 1;
    let at = value.and_then(|value| all.iter().position(|other| other == value));
    let at = at.map_or(0, |at| at.cast_signed() + 1);
    let next = (at + by).rem_euclid(length).cast_unsigned();
    next.checked_sub(1).and_then(|at| all.get(at)).cloned()
}

fn copy(model: &mut Model, effects: &mut Vec<Effect>) {
    let (words, zone) = (model.display.words, model.display.zone.clone());
    let Screen::History(history) = &mut model.screen else {
        return;
    };
    let Some(record) = history.focused() else {
        return;
    };
    let text = markdown::render(words, record, &zone);
    super::clipboard::copy(model, text, effects);
}

/// Requests what the screen needs and doesn't have.
pub(super) fn request_missing(model: &mut Model, effects: &mut Vec<Effect>) {
    let now = model.now;
    let Screen::History(history) = &mut model.screen else {
        return;
    };
    let query = history.query();
    let filter = history.filter(now);
    if history.pending_query.is_none() {
        let known = history.shown_query.as_ref() == Some(&query);
        let is_near_end = history.row + NEAR >= history.records.len();
        let before = history.next.filter(|_| known && is_near_end);
        if !known || before.is_some() {
            history.pending_query = Some(query.clone());
            history.is_next_page = known;
            let filter = Filter {
                before,
                limit: Some(PAGE),
                ..filter.clone()
            };
            effects.push(Effect::ReadHistory { filter });
        }
    }
    let stats_query = history.stats.as_ref().map(|(query, _)| query);
    if history.pending_stats.is_none() && stats_query != Some(&query) {
        history.pending_stats = Some(query);
        effects.push(Effect::ReadStats { filter });
    }
}

/// Handles a page of records, or the reason why there is none.
pub(super) fn on_page(model: &mut Model, page: Result<(Vec<Record>, u64), String>) {
    let Screen::History(history) = &mut model.screen else {
        return;
    };
    let Some(query) = history.pending_query.take() else {
        return;
    };
    match page {
        Ok((records, next)) => {
            if !history.is_next_page {
                history.records.clear();
                history.row = 0;
            }
            history.records.extend(records);
            history.next = (next > 0).then_some(next);
        }
        Err(problem) => {
            history.message = Some(ask_core::SafeText::line(&problem).to_string());
            history.next = None;
        }
    }
    history.shown_query = Some(query);
}

pub(super) fn on_stats(model: &mut Model, stats: HistoryStats) {
    let Screen::History(history) = &mut model.screen else {
        return;
    };
    let Some(query) = history.pending_stats.take() else {
        return;
    };
    if query == History::default().query() {
        history.all_stats = Some(stats.clone());
    }
    history.stats = Some((query, stats));
}

/// Handles the result of an export.
pub(super) fn on_exported(model: &mut Model, exported: Result<(u64, String), String>) {
    let words = model.display.words;
    let Screen::History(history) = &mut model.screen else {
        return;
    };
    history.message = Some(match exported {
        Ok((count, path)) => {
            let path = ask_core::SafeText::line(&path).to_string();
            words.format(
                "history-written",
                &[("count", count.into()), ("path", path.into())],
            )
        }
        Err(problem) => ask_core::SafeText::line(&problem).to_string(),
    });
}
