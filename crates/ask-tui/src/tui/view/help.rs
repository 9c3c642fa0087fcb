//! The help page: the keys of the screen below and their actions, from the key table.

use ask_config::keys::{Group, all_keys};
use ask_config::text::{width, wrap};
use ask_core::SafeText;

use super::Page;
use super::card::bottom;
use super::footer::{Facts, applies, hint_text, hints};
use crate::tui::model::Model;
use crate::tui::row::ScreenRow;
use crate::tui::style::Role;

/// The height from which lines frame the page.
const FRAMED: usize = 10;

/// The whole screen of help.
pub(super) fn page(model: &Model, columns: usize, rows: usize, top: usize) -> Vec<ScreenRow> {
    let words = model.display.words;
    let lines = lines(model, columns);
    let Page { total, shown } = extent(model, columns, rows);
    let top = top.min(total.saturating_sub(shown));
    let overflows = total > shown;
    let mut head = ScreenRow::indented(1).clipped(words.say("keys-title"), Role::Strong, columns);
    if overflows {
        let facts = [
            ("first", (top + 1).into()),
            ("last", (top + shown).into()),
            ("all", total.into()),
        ];
        let place = words.format("keys-title-place", &facts);
        head = head.right(ScreenRow::new().text(place, Role::Dim), columns - 1);
    }
    let mut screen_rows = vec![head];
    if rows >= FRAMED {
        screen_rows.push(ScreenRow::rule(columns));
    }
    screen_rows.extend(lines.into_iter().skip(top).take(shown));
    let foot = hints(model, columns, 1, Facts { overflows });
    bottom(&mut screen_rows, None, rows >= FRAMED, foot, columns, rows);
    screen_rows
}

/// The size of the help text.
pub(super) fn extent(model: &Model, columns: usize, rows: usize) -> Page {
    let frame = if rows >= FRAMED { 4 } else { 2 };
    Page {
        total: lines(model, columns).len(),
        shown: rows.saturating_sub(frame).max(1),
    }
}

/// A row of help: the keys and their action.
struct HelpRow {
    group: Group,
    keys: String,
    action: String,
}

fn help_rows(model: &Model) -> Vec<HelpRow> {
    let context = model.context_below_help();
    let (keymap, words) = (&model.display.keys, model.display.words);
    let rows = keymap
        .rows(context)
        .filter(|row| !row.binding.words.is_empty() && applies(model, row.binding.only));
    let mut help_rows: Vec<HelpRow> = Vec::new();
    for row in rows {
        let keys = all_keys(words, row, keymap.mate(context, row));
        let action = hint_text(model, row.binding.words);
        match help_rows.iter_mut().find(|other| other.action == action) {
            _ if keys.is_empty() => {}
            Some(same) => {
                same.keys.push_str("  ");
                same.keys.push_str(&keys);
            }
            None => help_rows.push(HelpRow {
                group: row.binding.action.group_in(context),
                keys,
                action,
            }),
        }
    }
    help_rows
}

fn lines(model: &Model, columns: usize) -> Vec<ScreenRow> {
    let rows = help_rows(model);
    let widest = rows.iter().map(|row| width(&row.keys)).max();
    let label = widest.unwrap_or(0).min((columns / 3).max(9));
    let mut screen_rows = Vec::new();
    for group in Group::ALL {
        let of_group: Vec<&HelpRow> = rows.iter().filter(|row| row.group == group).collect();
        if of_group.is_empty() {
            continue;
        }
        if !screen_rows.is_empty() {
            screen_rows.push(ScreenRow::new());
        }
        let heading = group.heading(model.display.words);
        screen_rows.push(ScreenRow::indented(1).clipped(heading, Role::Chosen, columns));
        for row in of_group {
            screen_rows.extend(help_row(row, label, columns));
        }
    }
    screen_rows
}

/// The keys on the left and their action beside them, or below them if the keys are too wide.
fn help_row(row: &HelpRow, label: usize, columns: usize) -> Vec<ScreenRow> {
    let indent = 1 + label + 2;
    let room = columns.saturating_sub(indent + 1).max(1);
    let mut screen_rows = Vec::new();
    let keys = wrap(&SafeText::line(&row.keys), columns.saturating_sub(2).max(1));
    let mut start = None;
    for line in keys {
        screen_rows.extend(start.take());
        start = Some(ScreenRow::indented(1).safe_text(line, Role::Strong));
    }
    let mut start = match start {
        Some(keys) if keys.width() <= 1 + label => Some(keys.filled(indent)),
        wide => {
            screen_rows.extend(wide);
            None
        }
    };
    for line in wrap(&SafeText::line(&row.action), room) {
        let screen_row = start.take().unwrap_or_else(|| ScreenRow::indented(indent));
        screen_rows.push(screen_row.safe_text(line, Role::Text));
    }
    screen_rows
}
