//! The popup of files below the caret, on top of the other rows.

use ask_hub::surface::labels::thousands;

use crate::tui::model::Model;
use crate::tui::row::{ClickTarget, ScreenRow};
use crate::tui::style::Role;
use crate::tui::update::Paths;

/// The most files that are visible at once.
const SEEN: usize = 6;

/// Lays the popup over rows that are about to be painted.
pub(super) fn lay(model: &Model, screen_rows: &mut Vec<ScreenRow>, columns: usize, rows: usize) {
    let Some(paths) = model.paths.as_ref().filter(|paths| paths.is_open()) else {
        return;
    };
    let Some(caret) = screen_rows.iter().position(ScreenRow::has_caret) else {
        return;
    };
    // The hints stay visible.
    let foot = if rows >= 12 { 3 } else { 1 };
    let below = rows.saturating_sub(caret + 1 + foot);
    let (from, room) = if below >= 2 || below >= caret {
        (caret + 1, below)
    } else {
        (0, caret)
    };
    if screen_rows.len() < rows {
        screen_rows.resize_with(rows, ScreenRow::new);
    }
    let popup = popup(model, paths, columns, room.min(SEEN + 2));
    let from = if from == 0 { caret - popup.len() } else { from };
    for (screen_row, row) in screen_rows.iter_mut().skip(from).zip(popup) {
        *screen_row = row;
    }
}

fn popup(model: &Model, paths: &Paths, columns: usize, room: usize) -> Vec<ScreenRow> {
    let words = model.look.words;
    let told = paths.told;
    let facts = [
        ("total", thousands(words, told.total).into()),
        (
            "files",
            thousands(words, told.cut.unwrap_or_default()).into(),
        ),
    ];
    let more = match (paths.found.len(), told.cut) {
        (0, _) if !told.ended => Some(words.say("text-paths-looking")),
        (0, None) => Some(words.say("text-paths-none")),
        (0, Some(_)) => Some(words.format("text-paths-none-of-first", &facts)),
        (_, Some(_)) => Some(words.format("text-paths-total-of-first", &facts)),
        (shown, None) if told.total > shown.min(SEEN) => {
            Some(words.format("text-paths-total", &facts))
        }
        (_, None) => None,
    };
    let seen = paths.found.len().min(SEEN).min(room);
    let tell = more.filter(|_| seen < room);
    let top = (paths.row + 1).saturating_sub(seen);
    let files = paths.found.iter().enumerate().skip(top).take(seen);
    let edge = columns.saturating_sub(2);
    let framed = |screen_row: ScreenRow| screen_row.filled(edge).words("│", Role::Frame);
    let begun = || ScreenRow::indented(1).words("│", Role::Frame).gap(1);
    let row = |(at, path): (usize, &String)| {
        let (sign, role) = if at == paths.row {
            ("›", Role::Focus)
        } else {
            (" ", Role::Text)
        };
        let row = begun().words(sign, role).gap(1);
        framed(row.clipped(path, role, edge)).clickable(ClickTarget::Path(at))
    };
    let mut screen_rows: Vec<ScreenRow> = files.map(row).collect();
    let told = tell.map(|tell| framed(begun().gap(2).clipped(tell, Role::Dim, edge)));
    screen_rows.extend(told);
    if screen_rows.len() < room {
        let bottom = format!("└{}┘", "─".repeat(edge.saturating_sub(2)));
        screen_rows.push(ScreenRow::indented(1).words(bottom, Role::Frame));
    }
    screen_rows
}
