//! Tables: aligned columns if they fit, otherwise one line for each cell.

use ask_config::text;
use ask_core::SafeText;
use ask_core::markdown::{Aligned, Line};

use super::{Renderer, TextKind, TextStyle, WrappedLine, wrap_pieces};

/// The separator of two columns.
const BETWEEN: &str = " │ ";
/// The separator's crossing in the line below the head.
const CROSS: &str = "─┼─";

/// Appends the rows of a table to `rows`.
pub(super) fn render(
    renderer: &Renderer<'_>,
    aligned: &[Aligned],
    head: &[Line],
    cells: &[Vec<Line>],
    columns: usize,
    rows: &mut Vec<WrappedLine>,
) {
    let strong = TextStyle {
        strong: true,
        ..TextStyle::default()
    };
    let names: Vec<Cell> = head
        .iter()
        .map(|cell| renderer.pieces(cell, strong))
        .collect();
    let body: Vec<Vec<Cell>> = cells
        .iter()
        .map(|row| {
            let row = row
                .iter()
                .map(|cell| renderer.pieces(cell, TextStyle::default()));
            row.collect()
        })
        .collect();
    let mut widths: Vec<usize> = names.iter().map(width).collect();
    for row in &body {
        for (at, cell) in row.iter().enumerate().take(widths.len()) {
            widths[at] = widths[at].max(width(cell));
        }
    }
    let between = text::width(BETWEEN) * widths.len().saturating_sub(1);
    if widths.iter().sum::<usize>() + between > columns {
        return cell_lines(&names, &body, columns, rows);
    }
    rows.push(line(&names, aligned, &widths));
    let dashes: Vec<String> = widths.iter().map(|&wide| "─".repeat(wide)).collect();
    rows.push(WrappedLine::from_text(&dashes.join(CROSS), TextKind::Mark));
    rows.extend(body.iter().map(|row| line(row, aligned, &widths)));
}

type Cell = Vec<(String, TextStyle)>;

fn width(cell: &Cell) -> usize {
    cell.iter().map(|(words, _)| text::width(words)).sum()
}

fn line(cells: &[Cell], aligned: &[Aligned], widths: &[usize]) -> WrappedLine {
    let mut pieces = Vec::new();
    let blank = |columns: usize| (SafeText::line(&" ".repeat(columns)), TextStyle::default());
    let none = Vec::new();
    for (at, &wide) in widths.iter().enumerate() {
        if at > 0 {
            pieces.push((SafeText::line(BETWEEN), TextStyle::for_kind(TextKind::Mark)));
        }
        let cell = cells.get(at).unwrap_or(&none);
        let spare = wide.saturating_sub(width(cell));
        let before = match aligned.get(at).copied().unwrap_or_default() {
            Aligned::Left => 0,
            Aligned::Middle => spare / 2,
            Aligned::Right => spare,
        };
        pieces.push(blank(before));
        let words = cell
            .iter()
            .map(|(words, style)| (SafeText::line(words), *style));
        pieces.extend(words);
        pieces.push(blank(spare - before));
    }
    WrappedLine { indent: 0, pieces }
}

/// Each cell on a line of its own behind the name of its column, with an empty line between rows.
fn cell_lines(names: &[Cell], body: &[Vec<Cell>], columns: usize, rows: &mut Vec<WrappedLine>) {
    for (at, cells) in body.iter().enumerate() {
        if at > 0 {
            rows.push(WrappedLine::default());
        }
        for (at, cell) in cells.iter().enumerate() {
            let mut pieces: Cell = names.get(at).cloned().unwrap_or_default();
            if !pieces.is_empty() {
                pieces.push((": ".to_owned(), TextStyle::default()));
            }
            pieces.extend(cell.iter().cloned());
            rows.extend(wrap_pieces(&pieces, 0, columns));
        }
    }
    if body.is_empty() {
        for name in names {
            rows.extend(wrap_pieces(name, 0, columns));
        }
    }
}
