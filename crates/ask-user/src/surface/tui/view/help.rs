//! What the keys do on the screen below, straight from the key table.

use ask_core::Plain;

use super::Page;
use super::card::bottom;
use super::footer::filled;
use crate::surface::paper::text::{width, wrap};
use crate::surface::tui::keys::rows as bindings;
use crate::surface::tui::model::Model;
use crate::surface::tui::strip::Strip;
use crate::surface::tui::style::Role;

/// The whole screen of help.
pub fn page(model: &Model, columns: usize, rows: usize, top: usize) -> Vec<Strip> {
    let lines = lines(model, columns);
    let Page { total, shown } = extent(model, columns, rows);
    let mut strips = vec![Strip::indented(1).words("Keys here", Role::Strong)];
    if rows >= 10 {
        strips.push(Strip::rule(columns));
    }
    strips.extend(lines.into_iter().skip(top).take(shown));
    let hint = if top + shown < total {
        format!("any key: more ({} left)   Esc back", total - top - shown)
    } else {
        "any key: back".to_owned()
    };
    let foot = vec![Strip::indented(1).clipped(hint, Role::Dim, columns)];
    bottom(&mut strips, None, rows >= 10, foot, columns, rows);
    strips
}

/// How many rows of help there are and how many fit.
pub fn extent(model: &Model, columns: usize, rows: usize) -> Page {
    let frame = if rows >= 10 { 4 } else { 2 };
    Page {
        total: lines(model, columns).len(),
        shown: rows.saturating_sub(frame).max(1),
    }
}

fn lines(model: &Model, columns: usize) -> Vec<Strip> {
    let context = model.screen_context();
    let widest = bindings(context).map(|row| width(row.keys)).max();
    let label = widest.unwrap_or(0).min(columns / 2);
    let mut strips = Vec::new();
    for row in bindings(context) {
        let start = Strip::indented(1)
            .clipped(row.keys, Role::Strong, 1 + label)
            .filled(1 + label)
            .gap(2);
        let indent = start.width();
        let words = Plain::line(&filled(model, row.words, true));
        let mut start = Some(start);
        for line in wrap(&words, columns.saturating_sub(indent + 1).max(1)) {
            let strip = start.take().unwrap_or_else(|| Strip::indented(indent));
            strips.push(strip.plain(line, Role::Text));
        }
    }
    strips
}
