//! Keys on the history screen, and the hub's replies for it. Whatever is missing is requested, one
//! query at a time, so that the person can type while the hub searches.

use ask_config::keys::{Action, HistoryAction, Move};
use ask_core::Record;
use ask_core::history::Filter;
use ask_core::stats::HistoryStats;
use ask_hub::surface::export::markdown;

use super::{Effect, previous_answers, scrolled, typing};
use crate::tui::model::history::{FILTERS, History, Layer, OutcomeFilter, PERIODS};
use crate::tui::model::{Model, Screen};
use crate::tui::view;

/// Records in a page.
const PAGE: u64 = 60;

/// This many rows before the last record, the next page is requested.
const NEAR: usize = 20;

/// Opens the history screen.
pub(super) fn open(model: &mut Model) {
    model.screen = Screen::History(Box::default());
}

/// Handles a key.
pub(super) fn act(model: &mut Model, action: Action, effects: &mut Vec<Effect>) {
    if action == Action::Interrupt {
        return super::interrupt(model, effects);
    }
    let page = view::history_page(model);
    let Screen::History(history) = &mut model.screen else {
        return;
    };
    history.remark = None;
    match history.layer {
        Layer::List => list(model, action, effects),
        Layer::Search => search(model, action),
        Layer::Filters(row) => filters(history, row, action),
        Layer::Whole(top) => {
            if action == Action::Copy {
                copy(model, effects);
            } else if action == Action::History(HistoryAction::Again) {
                previous_answers::choose(model);
            } else {
                let next = scrolled(page, top, action);
                history.layer = next.map_or(Layer::List, Layer::Whole);
            }
        }
        Layer::Stats(top) => {
            history.layer = scrolled(page, top, action).map_or(Layer::List, Layer::Stats);
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
    } else if let Action::History(wish) = action {
        match wish {
            HistoryAction::Filters => history.layer = Layer::Filters(0),
            HistoryAction::Stats => history.layer = Layer::Stats(0),
            HistoryAction::Write => {
                history.remark = Some(model.look.words.say("history-writing"));
                let filter = history.filter(now);
                effects.push(Effect::WriteOut { filter });
            }
            HistoryAction::Open | HistoryAction::Again => {}
        }
    } else if action == Action::Enter && !history.records.is_empty() {
        history.layer = Layer::Whole(0);
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
        typing::step(model, to);
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
        turn(history, row, 1);
    } else if action == Action::TabBack {
        turn(history, row, -1);
    } else if matches!(action, Action::Escape | Action::Enter) {
        history.layer = Layer::List;
    }
}

/// Sets a filter to its next or previous value.
fn turn(history: &mut History, row: usize, by: isize) {
    let whole = history.whole.as_ref();
    let agents = whole.map(|all| all.agents.iter().map(|agent| agent.name.clone()).collect());
    let projects = whole.map(|all| all.projects.iter().map(|(name, _)| name.clone()).collect());
    let narrows = &mut history.narrows;
    match row {
        0 => narrows.agent = turned(narrows.agent.as_ref(), agents.unwrap_or_default(), by),
        1 => narrows.project = turned(narrows.project.as_ref(), projects.unwrap_or_default(), by),
        2 => narrows.end = turned(narrows.end.as_ref(), OutcomeFilter::all_filters(), by),
        _ => {
            let periods = PERIODS.into_iter().flatten().collect();
            narrows.days = turned(narrows.days.as_ref(), periods, by);
        }
    }
}

/// The value `by` steps after a value. The order is circular; `None` lies between the last and the
/// first.
fn turned<T: PartialEq + Clone>(value: Option<&T>, all: Vec<T>, by: isize) -> Option<T> {
    let ring = all.len().cast_signed() + 1;
    let at = value.and_then(|value| all.iter().position(|other| other == value));
    let at = at.map_or(0, |at| at.cast_signed() + 1);
    let next = (at + by).rem_euclid(ring).cast_unsigned();
    next.checked_sub(1).and_then(|at| all.get(at)).cloned()
}

fn copy(model: &mut Model, effects: &mut Vec<Effect>) {
    let (words, zone) = (model.look.words, model.look.zone.clone());
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
pub(super) fn look(model: &mut Model, effects: &mut Vec<Effect>) {
    let now = model.now;
    let Screen::History(history) = &mut model.screen else {
        return;
    };
    let wanted = history.wanted();
    let filter = history.filter(now);
    if history.asked.is_none() {
        let known = history.found.as_ref() == Some(&wanted);
        let near = history.row + NEAR >= history.records.len();
        let before = history.next.filter(|_| known && near);
        if !known || before.is_some() {
            history.asked = Some(wanted.clone());
            history.further = known;
            let filter = Filter {
                before,
                limit: Some(PAGE),
                ..filter.clone()
            };
            effects.push(Effect::ReadHistory { filter });
        }
    }
    let counted = history.stats.as_ref().map(|(of, _)| of);
    if history.counting.is_none() && counted != Some(&wanted) {
        history.counting = Some(wanted);
        effects.push(Effect::Count { filter });
    }
}

/// Handles a page of records, or the reason why there is none.
pub(super) fn found(model: &mut Model, page: Result<(Vec<Record>, u64), String>) {
    let Screen::History(history) = &mut model.screen else {
        return;
    };
    let Some(asked) = history.asked.take() else {
        return;
    };
    match page {
        Ok((records, next)) => {
            if !history.further {
                history.records.clear();
                history.row = 0;
            }
            history.records.extend(records);
            history.next = (next > 0).then_some(next);
        }
        Err(problem) => {
            history.remark = Some(ask_core::SafeText::line(&problem).to_string());
            history.next = None;
        }
    }
    history.found = Some(asked);
}

/// Handles the statistics.
pub(super) fn counted(model: &mut Model, stats: HistoryStats) {
    let Screen::History(history) = &mut model.screen else {
        return;
    };
    let Some(of) = history.counting.take() else {
        return;
    };
    if of == History::default().wanted() {
        history.whole = Some(stats.clone());
    }
    history.stats = Some((of, stats));
}

/// Handles the result of an export.
pub(super) fn written(model: &mut Model, written: Result<(u64, String), String>) {
    let words = model.look.words;
    let Screen::History(history) = &mut model.screen else {
        return;
    };
    history.remark = Some(match written {
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
