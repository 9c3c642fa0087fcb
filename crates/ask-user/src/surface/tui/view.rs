//! What is seen: a pure function from the model to a picture. Views only show;
//! nothing is decided here and only safe text is painted.

mod boxes;
mod card;
mod dialog;
mod footer;
mod header;
mod help;
mod inbox;
mod list;
mod notice;
mod plan;
mod reader;
mod review;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::model::{Model, Over, SMALLEST, Screen};
use super::strip::{Strip, paint};
use super::style::Role;

/// How much of a text is seen at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Page {
    /// All rows.
    pub total: usize,
    /// The rows that fit.
    pub shown: usize,
}

/// Paints the model and says where the terminal's cursor belongs.
pub fn view(model: &Model, area: Rect, buffer: &mut Buffer) -> Option<Position> {
    let (columns, rows) = (usize::from(area.width), usize::from(area.height));
    let strips = if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
        too_small(area)
    } else {
        match (&model.over, &model.screen) {
            (Some(Over::Help { top }), _) => help::page(model, columns, rows, *top),
            (Some(Over::Reader { id, top }), _) => reader::page(model, id, columns, rows, *top),
            (Some(over), _) => dialog::page(model, over, columns, rows),
            (None, Screen::Inbox) => inbox::page(model, columns, rows),
            (None, Screen::Card(card)) => card::page(model, card, columns, rows),
            (None, Screen::Notice(notice)) => notice::page(model, notice, columns, rows),
        }
    };
    paint(&strips, &model.look, area, buffer)
}

/// How much of the open card's question is seen.
pub fn prose_page(model: &Model) -> Page {
    let (columns, rows) = (usize::from(model.size.0), usize::from(model.size.1));
    let page = model
        .card()
        .map(|card| card::prose(model, card, columns, rows));
    page.unwrap_or_default()
}

/// How much of the help page or the reader is seen.
pub fn layer_page(model: &Model) -> Page {
    let (columns, rows) = (usize::from(model.size.0), usize::from(model.size.1));
    match &model.over {
        Some(Over::Help { .. }) => help::extent(model, columns, rows),
        Some(Over::Reader { id, .. }) => reader::extent(model, id, columns, rows),
        Some(
            Over::Discard { .. } | Over::Reason { .. } | Over::AskBack { .. } | Over::Long { .. },
        )
        | None => Page::default(),
    }
}

fn too_small(area: Rect) -> Vec<Strip> {
    let words = format!(
        "terminal too small ({}x{}): needs {}x{}, or use --plain",
        area.width, area.height, SMALLEST.0, SMALLEST.1
    );
    let columns = usize::from(area.width);
    let rows = crate::surface::paper::text::wrap(&ask_core::Plain::line(&words), columns);
    let strips = rows
        .into_iter()
        .map(|row| Strip::new().plain(row, Role::Text));
    strips.collect()
}
