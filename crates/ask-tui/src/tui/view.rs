//! Paints the model, as a pure function. Views decide nothing and paint only safe text.

mod banner;
mod card;
mod dialog;
mod footer;
mod footer_note;
mod frames;
mod header;
mod help;
mod history;
mod inbox;
mod layout;
mod list;
mod markdown;
mod pager;
mod paths;
mod preview;
mod review;
mod stats;

use ask_config::i18n::Words;
use ask_core::{Record, Time};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::model::{Model, Overlay, SMALLEST, Screen};
pub(crate) use super::row::ClickTarget;
use super::row::{ScreenRow, paint};
use super::style::Role;

/// The size of a scrollable text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Page {
    pub total: usize,
    /// The rows that fit.
    pub shown: usize,
}

/// Paints the model. Returns the position of the terminal's cursor.
pub(crate) fn view(model: &Model, area: Rect, buffer: &mut Buffer) -> Option<Position> {
    let (columns, rows) = (usize::from(area.width), usize::from(area.height));
    let mut screen_rows = if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
        too_small(model.display.words, area)
    } else {
        page(model, columns, rows)
    };
    paths::overlay_popup(model, &mut screen_rows, columns, rows);
    paint(&screen_rows, &model.display, area, buffer)
}

/// The click target in a cell of the screen.
pub(crate) fn click_target(model: &Model, column: u16, row: u16) -> Option<ClickTarget> {
    let (columns, rows) = (usize::from(model.size.0), usize::from(model.size.1));
    let mut screen_rows = page(model, columns, rows);
    paths::overlay_popup(model, &mut screen_rows, columns, rows);
    screen_rows
        .get(usize::from(row))?
        .target_at(usize::from(column))
}

/// The visible deadlines, whose remaining time may have to be repainted.
pub(crate) fn deadlines(model: &Model) -> Vec<Time> {
    let (columns, rows) = (usize::from(model.size.0), usize::from(model.size.1));
    if model.is_too_small() {
        return Vec::new();
    }
    let visible: Vec<&Record> = match (&model.overlay, &model.screen) {
        (Some(Overlay::Help { .. }), _) => Vec::new(),
        (Some(overlay), _) => dialog::record(model, overlay).into_iter().collect(),
        (None, Screen::Inbox) => inbox::records_with_visible_deadline(model, columns, rows),
        (None, Screen::Card(card)) => vec![&card.record],
        (None, Screen::Notice(_) | Screen::History(_)) => Vec::new(),
    };
    let open = visible.into_iter().filter(|record| record.is_open());
    open.filter_map(|record| record.deadline_at).collect()
}

fn page(model: &Model, columns: usize, rows: usize) -> Vec<ScreenRow> {
    match (&model.overlay, &model.screen) {
        (Some(Overlay::Help { top, .. }), _) => help::page(model, columns, rows, *top),
        (Some(Overlay::Preview { top }), _) => pager::preview(model, columns, rows, *top),
        (Some(Overlay::Reader { id, top }), _) => pager::page(model, id, columns, rows, *top),
        (Some(overlay), _) => dialog::page(model, overlay, columns, rows),
        (None, Screen::Inbox) => inbox::page(model, columns, rows),
        (None, Screen::Card(card)) => card::page(model, card, columns, rows),
        (None, Screen::Notice(notice)) => banner::page(model, notice, columns, rows),
        (None, Screen::History(history)) => history::page(model, history, columns, rows),
    }
}

/// The size of the open card's question text.
pub(crate) fn prose_page(model: &Model) -> Page {
    let (columns, rows) = (usize::from(model.size.0), usize::from(model.size.1));
    let page = model
        .card()
        .map(|card| card::prose(model, card, columns, rows));
    page.unwrap_or_default()
}

/// Whether the form holds more of a program below an agent than the screen shows at once.
pub(crate) fn hides_filled_in(model: &Model) -> bool {
    let size = (usize::from(model.size.0), usize::from(model.size.1));
    let card = model
        .card()
        .filter(|card| card.record.filled_in_below().is_some());
    card.is_some_and(|card| review::is_cut(model, card, size))
}

/// The size of the preview pane.
pub(crate) fn pane_page(model: &Model) -> Page {
    let (columns, rows) = (usize::from(model.size.0), usize::from(model.size.1));
    inbox::extent(model, columns, rows)
}

/// The size of the focused choice's preview.
pub(crate) fn preview_page(model: &Model) -> Page {
    let (columns, rows) = (usize::from(model.size.0), usize::from(model.size.1));
    let page = model
        .card()
        .map(|card| card::preview(model, card, columns, rows));
    page.unwrap_or_default()
}

/// The size of the help page or the reader.
pub(crate) fn overlay_page(model: &Model) -> Page {
    let (columns, rows) = (usize::from(model.size.0), usize::from(model.size.1));
    match &model.overlay {
        Some(Overlay::Help { .. }) => help::extent(model, columns, rows),
        Some(Overlay::Preview { .. }) => pager::preview_extent(model, columns, rows),
        Some(Overlay::Reader { id, .. }) => pager::extent(model, id, columns, rows),
        Some(
            Overlay::Discard { .. }
            | Overlay::Snooze { .. }
            | Overlay::Sessions(_)
            | Overlay::Reason { .. }
            | Overlay::AskBack { .. }
            | Overlay::Attach { .. }
            | Overlay::Long { .. },
        )
        | None => Page::default(),
    }
}

/// The size of a record or the statistics on the history screen.
pub(crate) fn history_page(model: &Model) -> Page {
    let (columns, rows) = (usize::from(model.size.0), usize::from(model.size.1));
    match &model.screen {
        Screen::History(history) => history::extent(model, history, columns, rows),
        Screen::Inbox | Screen::Card(_) | Screen::Notice(_) => Page::default(),
    }
}

fn too_small(words: Words, area: Rect) -> Vec<ScreenRow> {
    let arguments = [
        ("columns", area.width.into()),
        ("rows", area.height.into()),
        ("least-columns", SMALLEST.0.into()),
        ("least-rows", SMALLEST.1.into()),
        ("enter", words.say("keys-enter").into()),
    ];
    let words = words.format("card-too-small", &arguments);
    let columns = usize::from(area.width);
    let rows = ask_config::text::wrap(&ask_core::SafeText::line(&words), columns);
    let screen_rows = rows
        .into_iter()
        .map(|row| ScreenRow::new().safe_text(row, Role::Text));
    screen_rows.collect()
}
