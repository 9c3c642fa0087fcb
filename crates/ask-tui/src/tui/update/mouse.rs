//! The mouse: a click moves the cursor, a click on the cursor opens or marks, a click on a tab
//! shows it, the wheel scrolls what is below the pointer. A click never sends or discards anything.

use ask_config::keys::{Action, Context, Move};
use ask_core::Time;
use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};

use super::{Effect, card, history, inbox, keep_draft, overlay, paths, snooze};
use crate::tui::model::history::Layer;
use crate::tui::model::{Model, Overlay, Screen, Sessions};
use crate::tui::view::{self, ClickTarget, Page};

/// How many rows one step of the wheel scrolls.
const NOTCH: usize = 3;

/// Two clicks at one place within this time are a double click. The second one acts on what the
/// first one hit, even if the list has scrolled in between.
const TWICE_MS: u64 = 400;

/// A click that moved a cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Clicked {
    /// The column and the row.
    place: (u16, u16),
    at: Time,
}

/// A mouse action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pointer {
    /// A press of the left button; `again` if it is the second half of a double click.
    Click { again: bool },
    /// A step of the wheel.
    Wheel(Turn),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    Up,
    Down,
}

/// Handles a mouse event.
pub(super) fn act(model: &mut Model, mouse: MouseEvent, effects: &mut Vec<Effect>) {
    let (place, now) = ((mouse.column, mouse.row), model.now);
    let does = match mouse.kind {
        MouseEventKind::Down(MouseButton::Left) => {
            let before = model.clicked.take();
            let again = before
                .is_some_and(|before| before.place == place && now.since_ms(before.at) < TWICE_MS);
            Pointer::Click { again }
        }
        MouseEventKind::ScrollUp => Pointer::Wheel(Turn::Up),
        MouseEventKind::ScrollDown => Pointer::Wheel(Turn::Down),
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
    let hit = view::hit(model, place.0, place.1);
    if let Some(ClickTarget::Path(at)) = hit {
        return paths::point(model, at);
    }
    let moved = if model.over.is_some() {
        on_layer(model, does, hit, effects)
    } else {
        match &model.screen {
            Screen::Inbox => on_list(model, does, hit, effects),
            Screen::Card(_) => on_card(model, does, hit, effects),
            Screen::History(_) => on_history(model, does, hit, effects),
            Screen::Notice(_) => false,
        }
    };
    if moved {
        model.clicked = Some(Clicked { place, at: now });
    }
    paths::follow(model, false, effects);
}

/// Handles the mouse on a card. True if a click moved the cursor, as for all functions below.
fn on_card(
    model: &mut Model,
    does: Pointer,
    hit: Option<ClickTarget>,
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
    match (does, hit) {
        (Pointer::Click { again }, hit) => {
            open.remark = None;
            open.none_asked = None;
            let row = if open.on_review() {
                ClickTarget::Row(open.review_row)
            } else {
                ClickTarget::Choice(open.spot().row)
            };
            moved = match hit.filter(|_| !again).or(again.then_some(row)) {
                Some(ClickTarget::Tab(tab)) => {
                    card::show_tab(model, tab, effects);
                    false
                }
                Some(ClickTarget::Choice(at)) => on_choice(model, at, effects),
                Some(ClickTarget::Row(at)) => on_review(model, at, effects),
                Some(
                    ClickTarget::Prose
                    | ClickTarget::Preview
                    | ClickTarget::Pane
                    | ClickTarget::Path(_),
                )
                | None => false,
            };
        }
        (Pointer::Wheel(turn), Some(ClickTarget::Prose)) => {
            let top = open.prose_top;
            let top = turned(top, turn, view::prose_page(model));
            if let Some(open) = model.card_mut() {
                open.prose_top = top;
            }
        }
        (Pointer::Wheel(turn), Some(ClickTarget::Preview)) => {
            let top = open.preview_top();
            let top = turned(top, turn, view::preview_page(model));
            if let Some(open) = model.card_mut() {
                open.scroll_preview(top);
            }
        }
        (
            Pointer::Wheel(turn),
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
                card::act(model, context, turn.step(), effects);
            }
        }
    }
    // Pointing shows presence just as typing does.
    snooze::typing(model, effects);
    moved
}

/// Moves the cursor to a choice, or marks the choice if the cursor is there. The field for own text
/// is opened.
fn on_choice(model: &mut Model, at: usize, effects: &mut Vec<Effect>) -> bool {
    leave_line(model, effects);
    let context = model.context();
    let Some(open) = model.card_mut() else {
        return false;
    };
    let here = open.spot();
    if open
        .question()
        .is_some_and(|question| question.input.is_empty())
    {
        card::start_typing(open);
        return false;
    }
    if here.row == at && !here.typing {
        card::act(model, context, Action::Mark, effects);
        return false;
    }
    if here.typing && here.row != at {
        card::leave_field(model, effects);
    }
    if let Some(open) = model.card_mut()
        && let Some(spot) = open.spots.get_mut(open.tab)
        && !spot.typing
    {
        spot.row = at;
    }
    true
}

/// Moves the cursor to a row of the review, or opens the question if the cursor is there. A click
/// only focuses a button, because buttons send.
fn on_review(model: &mut Model, at: usize, effects: &mut Vec<Effect>) -> bool {
    leave_line(model, effects);
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
fn leave_line(model: &mut Model, effects: &mut Vec<Effect>) {
    if matches!(model.layer_context(), Context::Note | Context::Filter)
        && let Some(open) = model.card_mut()
    {
        card::stop_typing(open);
        keep_draft(model, effects);
    }
}

/// Handles the mouse on an overlay: a click moves its cursor, the wheel scrolls its text.
fn on_layer(
    model: &mut Model,
    does: Pointer,
    hit: Option<ClickTarget>,
    effects: &mut Vec<Effect>,
) -> bool {
    match (does, hit, &mut model.over) {
        (
            Pointer::Click { .. },
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
            Pointer::Wheel(turn),
            _,
            Some(Overlay::Help { .. } | Overlay::Reader { .. } | Overlay::Preview { .. }),
        ) => {
            let (context, page) = (model.context(), view::layer_page(model));
            // A text that fits can't scroll, and the key would close the help page.
            for _ in 0..if page.total > page.shown { NOTCH } else { 0 } {
                overlay::act(model, context, turn.step(), effects);
            }
        }
        (Pointer::Click { .. } | Pointer::Wheel(_), _, _) => {}
    }
    false
}

/// Handles the mouse in the list: a click moves the cursor, a click on the cursor opens the ask.
fn on_list(
    model: &mut Model,
    does: Pointer,
    hit: Option<ClickTarget>,
    effects: &mut Vec<Effect>,
) -> bool {
    if model.swallows() {
        return false;
    }
    match (does, hit) {
        (Pointer::Click { again }, hit) => {
            model.news = None;
            let focused = model.focused_row();
            if let Some(at) = row_of(hit, again, focused) {
                return inbox::point(model, at, effects);
            }
        }
        (Pointer::Wheel(turn), Some(ClickTarget::Pane)) => {
            model.inbox.top = turned(model.inbox.top, turn, view::pane_page(model));
        }
        (Pointer::Wheel(turn), _) => inbox::act(model, model.context(), turn.step(), effects),
    }
    false
}

/// Handles the mouse in history: a click moves the cursor of the list or the filters, a click on
/// the list's cursor shows the whole ask.
fn on_history(
    model: &mut Model,
    does: Pointer,
    hit: Option<ClickTarget>,
    effects: &mut Vec<Effect>,
) -> bool {
    let page = view::history_page(model);
    let Screen::History(past) = &mut model.screen else {
        return false;
    };
    match (does, hit, past.layer) {
        (Pointer::Click { again }, hit, Layer::List) => {
            let Some(at) = row_of(hit, again, past.row) else {
                return false;
            };
            if at == past.row {
                history::act(model, Action::Enter, effects);
                return false;
            }
            past.row = at;
            past.remark = None;
            return true;
        }
        (Pointer::Click { .. }, Some(ClickTarget::Row(at)), Layer::Search) => {
            past.layer = Layer::List;
            past.row = at;
            return true;
        }
        (Pointer::Click { .. }, Some(ClickTarget::Choice(at)), Layer::Filters(_)) => {
            past.layer = Layer::Filters(at);
        }
        (Pointer::Wheel(turn), _, Layer::List) => history::act(model, turn.step(), effects),
        (Pointer::Wheel(turn), _, Layer::Whole(top)) => {
            past.layer = Layer::Whole(turned(top, turn, page));
        }
        (Pointer::Wheel(turn), _, Layer::Stats(top)) => {
            past.layer = Layer::Stats(turned(top, turn, page));
        }
        (
            Pointer::Click { .. } | Pointer::Wheel(_),
            _,
            Layer::Search | Layer::Filters(_) | Layer::Whole(_) | Layer::Stats(_),
        ) => {}
    }
    false
}

/// The row that a click selects. The second half of a double click selects the focused row.
fn row_of(hit: Option<ClickTarget>, again: bool, focused: usize) -> Option<usize> {
    match hit {
        Some(_) | None if again => Some(focused),
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

impl Turn {
    /// The key that moves one row.
    fn step(self) -> Action {
        Action::Move(match self {
            Self::Up => Move::Up,
            Self::Down => Move::Down,
        })
    }
}

fn turned(top: usize, turn: Turn, page: Page) -> usize {
    let end = page.total.saturating_sub(page.shown);
    match turn {
        Turn::Up => top.min(end).saturating_sub(NOTCH),
        Turn::Down => (top + NOTCH).min(end),
    }
}
