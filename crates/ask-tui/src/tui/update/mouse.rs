//! Handles the mouse: a click moves the cursor, a click on the cursor opens or marks, a click on a
//! tab shows it, and the wheel scrolls the text below the pointer. A click never sends or discards.

use ask_config::keys::{Action, Context, Move};
use ask_core::Time;
use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};

use super::{Effect, card, history, inbox, overlay, paths, save_draft, snooze};
use crate::tui::model::history::Layer;
use crate::tui::model::{Model, Overlay, Screen, Sessions};
use crate::tui::view::{self, ClickTarget, Page};

/// How many rows one step of the wheel scrolls.
const WHEEL_ROWS: usize = 3;

/// Two clicks at one place within this time are a double click. The second one acts on what the
/// first one hit, even if the list has scrolled in between.
const DOUBLE_CLICK_MS: u64 = 400;

/// A click that moved a cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Click {
    /// The column and the row of the cell.
    cell: (u16, u16),
    at: Time,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MouseAction {
    /// A press of the left button; `is_double` if it is the second half of a double click.
    Click { is_double: bool },
    /// A step of the wheel.
    Wheel(WheelDirection),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WheelDirection {
    Up,
    Down,
}

/// Handles a mouse event.
pub(super) fn handle_event(model: &mut Model, mouse: MouseEvent, effects: &mut Vec<Effect>) {
    let (cell, now) = ((mouse.column, mouse.row), model.now);
    let action = match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) => {
            let before = model.clicked.take();
            let is_double = before.is_some_and(|before| {
                before.cell == cell && now.since_ms(before.at) < DOUBLE_CLICK_MS
            });
            MouseAction::Click { is_double }
        }
        MouseEventKind::ScrollUp => MouseAction::Wheel(WheelDirection::Up),
        MouseEventKind::ScrollDown => MouseAction::Wheel(WheelDirection::Down),
        MouseEventKind::Down(_)
        | MouseEventKind::Up(_)
        | MouseEventKind::Drag(_)
        | MouseEventKind::Moved
        | MouseEventKind::ScrollLeft
        | MouseEventKind::ScrollRight => return,
    };
    if model.is_too_small() {
        return;
    }
    let target = view::click_target(model, cell.0, cell.1);
    if let Some(ClickTarget::Path(at)) = target {
        return paths::mark_file(model, at);
    }
    let moved = if model.overlay.is_some() {
        handle_overlay(model, action, target, effects)
    } else {
        match &model.screen {
            Screen::Inbox => handle_list(model, action, target, effects),
            Screen::Card(_) => handle_card(model, action, target, effects),
            Screen::History(_) => handle_history(model, action, target, effects),
            Screen::Notice(_) => false,
        }
    };
    if moved {
        model.clicked = Some(Click { cell, at: now });
    }
    paths::update_popup(model, false, effects);
}

/// Handles the mouse on a card. True if a click moved the cursor, as for all functions below.
fn handle_card(
    model: &mut Model,
    action: MouseAction,
    target: Option<ClickTarget>,
    effects: &mut Vec<Effect>,
) -> bool {
    let now = model.now;
    let Some(open) = model.card_mut() else {
        return false;
    };
    if open.sending || open.is_guarded(now) {
        return false;
    }
    let mut moved = false;
    match (action, target) {
        (MouseAction::Click { is_double }, target) => {
            open.message = None;
            open.confirming_none = None;
            let row = if open.is_on_review() {
                ClickTarget::Row(open.review_row)
            } else {
                ClickTarget::Choice(open.focus().row)
            };
            moved = match target.filter(|_| !is_double).or(is_double.then_some(row)) {
                Some(ClickTarget::Tab(tab)) => {
                    card::show_tab(model, tab, effects);
                    false
                }
                Some(ClickTarget::Choice(at)) => click_choice(model, at, effects),
                Some(ClickTarget::Row(at)) => click_review_row(model, at, effects),
                Some(
                    ClickTarget::Prose
                    | ClickTarget::Preview
                    | ClickTarget::Pane
                    | ClickTarget::Path(_),
                )
                | None => false,
            };
        }
        (MouseAction::Wheel(direction), Some(ClickTarget::Prose)) => {
            let top = open.prose_top;
            let top = scrolled(top, direction, view::prose_page(model));
            if let Some(open) = model.card_mut() {
                open.prose_top = top;
            }
        }
        (MouseAction::Wheel(direction), Some(ClickTarget::Preview)) => {
            let top = open.preview_top();
            let top = scrolled(top, direction, view::preview_page(model));
            if let Some(open) = model.card_mut() {
                open.scroll_preview(top);
            }
        }
        (
            MouseAction::Wheel(direction),
            Some(
                ClickTarget::Tab(_)
                | ClickTarget::Choice(_)
                | ClickTarget::Row(_)
                | ClickTarget::Pane
                | ClickTarget::Path(_),
            )
            | None,
        ) => {
            let context = model.context();
            if context.is_card() && context != Context::Rest {
                card::handle_action(model, context, direction.step(), effects);
            }
        }
    }
    // A click requests more time just as typing does.
    snooze::extend_while_typing(model, effects);
    moved
}

/// Moves the cursor to a choice, or marks the choice if the cursor is there. The field for own text
/// is opened.
fn click_choice(model: &mut Model, at: usize, effects: &mut Vec<Effect>) -> bool {
    stop_typing_line(model, effects);
    let context = model.context();
    let Some(open) = model.card_mut() else {
        return false;
    };
    let current = open.focus();
    if open
        .question()
        .is_some_and(|question| question.input.is_empty())
    {
        card::start_typing(open);
        return false;
    }
    if current.row == at && !current.typing {
        card::handle_action(model, context, Action::Mark, effects);
        return false;
    }
    if current.typing && current.row != at {
        card::leave_field(model, effects);
    }
    if let Some(open) = model.card_mut()
        && let Some(focus) = open.focuses.get_mut(open.tab)
        && !focus.typing
    {
        focus.row = at;
    }
    true
}

/// Moves the cursor to a row of the review, or opens the question if the cursor is there. A click
/// only focuses a button, because buttons send.
fn click_review_row(model: &mut Model, at: usize, effects: &mut Vec<Effect>) -> bool {
    stop_typing_line(model, effects);
    let Some(open) = model.card_mut() else {
        return false;
    };
    if at == open.review_row && at < open.record.ask.questions.len() {
        card::show_tab(model, at, effects);
        return false;
    }
    open.review_row = at;
    true
}

/// Ends typing in a note or a filter. The text is kept.
fn stop_typing_line(model: &mut Model, effects: &mut Vec<Effect>) {
    if matches!(model.context_below_popup(), Context::Note | Context::Filter)
        && let Some(open) = model.card_mut()
    {
        card::stop_typing(open);
        save_draft(model, effects);
    }
}

/// Handles the mouse on an overlay: a click moves its cursor, the wheel scrolls its text.
fn handle_overlay(
    model: &mut Model,
    action: MouseAction,
    target: Option<ClickTarget>,
    effects: &mut Vec<Effect>,
) -> bool {
    match (action, target, &mut model.overlay) {
        (
            MouseAction::Click { .. },
            Some(ClickTarget::Choice(at)),
            Some(
                Overlay::Discard { row }
                | Overlay::Snooze { row, .. }
                | Overlay::Sessions(Sessions {
                    row, asked: false, ..
                }),
            ),
        ) => *row = at,
        (
            MouseAction::Wheel(direction),
            _,
            Some(Overlay::Help { .. } | Overlay::Reader { .. } | Overlay::Preview { .. }),
        ) => {
            let (context, page) = (model.context(), view::overlay_page(model));
            // A text that fits can't scroll, and the key would close the help page.
            for _ in 0..if page.total > page.shown {
                WHEEL_ROWS
            } else {
                0
            } {
                overlay::handle_action(model, context, direction.step(), effects);
            }
        }
        (MouseAction::Click { .. } | MouseAction::Wheel(_), _, _) => {}
    }
    false
}

/// Handles the mouse in the list: a click moves the cursor, a click on the cursor opens the ask.
fn handle_list(
    model: &mut Model,
    action: MouseAction,
    target: Option<ClickTarget>,
    effects: &mut Vec<Effect>,
) -> bool {
    if model.ignores_key(false) {
        return false;
    }
    match (action, target) {
        (MouseAction::Click { is_double }, target) => {
            model.message = None;
            let focused = model.focused_row();
            if let Some(at) = clicked_row(target, is_double, focused) {
                return inbox::click_row(model, at, effects);
            }
        }
        (MouseAction::Wheel(direction), Some(ClickTarget::Pane)) => {
            model.inbox.top = scrolled(model.inbox.top, direction, view::pane_page(model));
        }
        (MouseAction::Wheel(direction), _) => {
            inbox::handle_action(model, model.context(), direction.step(), effects)
        }
    }
    false
}

/// Handles the mouse in history: a click moves the cursor of the list or the filters, a click on
/// the list's cursor shows the whole ask.
fn handle_history(
    model: &mut Model,
    action: MouseAction,
    target: Option<ClickTarget>,
    effects: &mut Vec<Effect>,
) -> bool {
    let page = view::history_page(model);
    let Screen::History(history) = &mut model.screen else {
        return false;
    };
    match (action, target, history.layer) {
        (MouseAction::Click { is_double }, target, Layer::List) => {
            let Some(at) = clicked_row(target, is_double, history.row) else {
                return false;
            };
            if at == history.row {
                history::handle_action(model, Action::Enter, effects);
                return false;
            }
            history.row = at;
            history.message = None;
            return true;
        }
        (MouseAction::Click { .. }, Some(ClickTarget::Row(at)), Layer::Search) => {
            history.layer = Layer::List;
            history.row = at;
            return true;
        }
        (MouseAction::Click { .. }, Some(ClickTarget::Choice(at)), Layer::Filters(_)) => {
            history.layer = Layer::Filters(at);
        }
        (MouseAction::Wheel(direction), _, Layer::List) => {
            history::handle_action(model, direction.step(), effects)
        }
        (MouseAction::Wheel(direction), _, Layer::Record(top)) => {
            history.layer = Layer::Record(scrolled(top, direction, page));
        }
        (MouseAction::Wheel(direction), _, Layer::Stats(top)) => {
            history.layer = Layer::Stats(scrolled(top, direction, page));
        }
        (
            MouseAction::Click { .. } | MouseAction::Wheel(_),
            _,
            Layer::Search | Layer::Filters(_) | Layer::Record(_) | Layer::Stats(_),
        ) => {}
    }
    false
}

/// The row that a click selects. The second half of a double click selects the focused row.
fn clicked_row(target: Option<ClickTarget>, is_double: bool, focused: usize) -> Option<usize> {
    match target {
        Some(_) | None if is_double => Some(focused),
        Some(ClickTarget::Row(at)) => Some(at),
        Some(
            ClickTarget::Tab(_)
            | ClickTarget::Choice(_)
            | ClickTarget::Prose
            | ClickTarget::Preview
            | ClickTarget::Pane
            | ClickTarget::Path(_),
        )
        | None => None,
    }
}

impl WheelDirection {
    /// The key that moves one row.
    fn step(self) -> Action {
        Action::Move(match self {
            Self::Up => Move::Up,
            Self::Down => Move::Down,
        })
    }
}

fn scrolled(top: usize, direction: WheelDirection, page: Page) -> usize {
    let end = page.total.saturating_sub(page.shown);
    match direction {
        WheelDirection::Up => top.min(end).saturating_sub(WHEEL_ROWS),
        WheelDirection::Down => (top + WHEEL_ROWS).min(end),
    }
}
