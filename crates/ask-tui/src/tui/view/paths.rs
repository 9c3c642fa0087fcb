//! The popup of files below the caret, on top of the other rows.

use ask_hub::surface::labels::thousands;

use crate::tui::model::Model;
use crate::tui::row::{ClickTarget, ScreenRow};
use crate::tui::style::Role;
use crate::tui::update::Paths;

/// The most files that are visible at once.
const VISIBLE: usize = 6;

/// Puts the popup over the rows of the screen.
pub(super) fn overlay_popup(
    model: &Model,
    screen_rows: &mut Vec<ScreenRow>,
    columns: usize,
    rows: usize,
) {
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
    let popup = popup(model, paths, columns, room.min(VISIBLE + 2));
    let from = if from == 0 { caret - popup.len() } else { from };
    for (screen_row, row) in screen_rows.iter_mut().skip(from).zip(popup) {
        *screen_row = row;
    }
}

fn popup(model: &Model, paths: &Paths, columns: usize, room: usize) -> Vec<ScreenRow> {
    let words = model.display.words;
    let progress = paths.progress;
    let facts = [
        ("total", thousands(words, progress.total).into()),
        (
            "files",
            thousands(words, progress.cut.unwrap_or_default()).into(),
        ),
    ];
    let more = match (paths.found.len(), progress.cut) {
        (0, _) if !progress.ended => Some(words.say("text-paths-looking")),
        (0, None) => Some(words.say("text-paths-none")),
        (0, Some(_)) => Some(words.format("text-paths-none-of-first", &facts)),
        (_, Some(_)) => Some(words.format("text-paths-total-of-first", &facts)),
        (shown, None) if progress.total > shown.min(VISIBLE) => {
            Some(words.format("text-paths-total", &facts))
        }
        (_, None) => None,
    };
    let seen = paths.found.len().min(VISIBLE).min(room);
    let summary = more.filter(|_| seen < room);
    let top = (paths.row + 1).saturating_sub(seen);
    let files = paths.found.iter().enumerate().skip(top).take(seen);
    let edge = columns.saturating_sub(2);
    let with_edge = |screen_row: ScreenRow| screen_row.filled(edge).text("│", Role::Frame);
    let row_start = || ScreenRow::indented(1).text("│", Role::Frame).gap(1);
    let row = |(at, path): (usize, &String)| {
        let (sign, role) = if at == paths.row {
            ("›", Role::Focus)
        } else {
            (" ", Role::Text)
        };
        let row = row_start().text(sign, role).gap(1);
        with_edge(row.clipped(path, role, edge)).clickable(ClickTarget::Path(at))
    };
    let mut screen_rows: Vec<ScreenRow> = files.map(row).collect();
    let summary_row =
        summary.map(|summary| with_edge(row_start().gap(2).clipped(summary, Role::Dim, edge)));
    screen_rows.extend(summary_row);
    if screen_rows.len() < room {
        let bottom = format!("└{}┘", "─".repeat(edge.saturating_sub(2)));
        screen_rows.push(ScreenRow::indented(1).text(bottom, Role::Frame));
    }
    screen_rows
}
