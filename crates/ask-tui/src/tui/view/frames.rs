//! Frames: the field that is typed in, and the box of a dialog.

use ask_config::i18n::Words;
use ask_config::text;
use ask_hub::surface::labels;

use crate::tui::geometry::FRAME;
use crate::tui::row::ScreenRow;
use crate::tui::style::Role;
use crate::ui::text_field::Field;

/// A field to be drawn.
pub(super) struct FieldView<'a> {
    /// The texts in the person's language.
    pub words: Words,
    /// The text and its caret.
    pub field: &'a Field,
    /// The title of the frame.
    pub title: String,
    /// A text that is shown while the field is empty.
    pub placeholder: Option<&'a str>,
    /// Whether the field is typed in.
    pub typing: bool,
    /// The indent in columns.
    pub indent: usize,
    /// The columns of the text, including the one of the caret.
    pub columns: usize,
}

impl FieldView<'_> {
    /// The rows that the whole text needs, frame included.
    pub(super) fn preferred_rows(&self) -> usize {
        self.field.rows(self.columns).rows.len() + 2
    }

    /// The field in exactly this many rows: with a frame if that leaves room for text.
    pub(super) fn screen_rows(&self, rows: usize) -> Vec<ScreenRow> {
        if rows < 3 {
            return self.lines(rows.max(1), self.indent + FRAME / 2);
        }
        let inner = self.columns + FRAME - 2;
        let edge = |screen_row: ScreenRow| {
            ScreenRow::indented(self.indent)
                .text("│", Role::Frame)
                .append(screen_row)
                .filled(self.indent + 1 + inner)
                .text("│", Role::Frame)
        };
        let focused = |screen_row: ScreenRow| {
            let focus = screen_row.focused;
            edge(screen_row).focus(focus)
        };
        let mut screen_rows = vec![self.top(inner)];
        screen_rows.extend(self.lines(rows - 2, 1).into_iter().map(focused));
        let bottom = format!("└{}┘", "─".repeat(inner));
        screen_rows.push(ScreenRow::indented(self.indent).text(bottom, Role::Frame));
        screen_rows
    }

    fn top(&self, inner: usize) -> ScreenRow {
        let count = self.field.count();
        let lines = self.field.text().split('\n').count();
        let chars = labels::thousands(self.words, count);
        let size = match count {
            0 => String::new(),
            _ => {
                let arguments = [("lines", lines.into()), ("chars", chars.into())];
                format!(" {} ", self.words.format("card-field-size", &arguments))
            }
        };
        let title = format!(" {} ", self.title);
        let used = text::width(&title) + text::width(&size);
        let (title, size) = match inner.checked_sub(used + 1) {
            Some(_) => (title, size),
            None => (String::new(), String::new()),
        };
        let line = "─".repeat(inner.saturating_sub(text::width(&title) + text::width(&size) + 1));
        ScreenRow::indented(self.indent)
            .text("┌", Role::Frame)
            .text(title, Role::Dim)
            .text(line, Role::Frame)
            .text(size, Role::Dim)
            .text("─┐", Role::Frame)
    }

    /// The rows around the caret.
    pub(super) fn lines(&self, rows: usize, indent: usize) -> Vec<ScreenRow> {
        if self.field.text().is_empty() {
            let hint = self.placeholder.unwrap_or_default();
            let mut first = ScreenRow::indented(indent).focus(self.typing);
            if self.typing {
                first = first.caret();
            }
            let mut screen_rows = vec![first.clipped(hint, Role::Dim, indent + self.columns)];
            screen_rows.resize_with(rows, ScreenRow::new);
            return screen_rows;
        }
        let layout = self.field.rows(self.columns);
        let last_top = layout.rows.len().saturating_sub(rows);
        let top = layout
            .caret_row
            .saturating_sub(rows.saturating_sub(1))
            .min(last_top);
        let mut screen_rows = Vec::with_capacity(rows);
        for (at, row) in layout.rows.iter().enumerate().skip(top).take(rows) {
            let shown = self.field.row_text(row);
            let has_caret = self.typing && at == layout.caret_row;
            let mut screen_row = ScreenRow::indented(indent).focus(has_caret);
            if has_caret {
                screen_row = screen_row.caret_at(indent + layout.caret_column);
            }
            screen_rows.push(screen_row.safe_text(shown, Role::Text));
        }
        screen_rows.resize_with(rows, ScreenRow::new);
        screen_rows
    }
}

/// A horizontal line with a title on its left and a note on its right, if they fit.
pub(super) fn titled_rule(
    title: &str,
    note: &str,
    framed: bool,
    indent: usize,
    columns: usize,
) -> ScreenRow {
    let (left, right) = if framed {
        ("┌─", "─┐")
    } else {
        ("─", "─")
    };
    let edges = text::width(left) + text::width(right);
    let room = columns.saturating_sub(indent + edges);
    let note = match text::width(note) {
        0 => ScreenRow::new(),
        wide if wide + 2 > room => ScreenRow::new(),
        _ => ScreenRow::new().gap(1).text(note, Role::Dim).gap(1),
    };
    let left_room = room.saturating_sub(note.width());
    let name = match title {
        "" => ScreenRow::new(),
        _ if left_room < 4 => ScreenRow::new(),
        _ => ScreenRow::new()
            .gap(1)
            .clipped(title, Role::Strong, left_room - 1)
            .gap(1),
    };
    let line = "─".repeat(left_room.saturating_sub(name.width()));
    ScreenRow::indented(indent)
        .text(left, Role::Frame)
        .append(name)
        .text(line, Role::Frame)
        .append(note)
        .text(right, Role::Frame)
}

/// A frame of exactly this width and height around rows.
pub(super) fn framed_to_size(
    title: &str,
    note: &str,
    screen_rows: Vec<ScreenRow>,
    columns: usize,
    rows: usize,
) -> Vec<ScreenRow> {
    let mut framed = vec![titled_rule(title, note, true, 0, columns)];
    let mut screen_rows = screen_rows;
    screen_rows.resize_with(rows, ScreenRow::new);
    for screen_row in screen_rows {
        let focus = screen_row.focused;
        let row = ScreenRow::new()
            .text("│", Role::Frame)
            .append(screen_row)
            .filled(columns.saturating_sub(1))
            .text("│", Role::Frame);
        framed.push(row.focus(focus));
    }
    let bottom = format!("└{}┘", "─".repeat(columns.saturating_sub(2)));
    framed.push(ScreenRow::new().text(bottom, Role::Frame));
    framed
}

/// A frame with a title around rows, indented.
pub(super) fn framed(
    title: &str,
    screen_rows: Vec<ScreenRow>,
    indent: usize,
    columns: usize,
) -> Vec<ScreenRow> {
    let inner = columns.saturating_sub(2 * indent + 2);
    let name = ScreenRow::new()
        .gap(1)
        .clipped(title, Role::Strong, inner)
        .gap(1);
    let line = "─".repeat(inner.saturating_sub(name.width()));
    let top = ScreenRow::indented(indent)
        .text("┌", Role::Frame)
        .append(name)
        .text(format!("{line}┐"), Role::Frame);
    let mut rows = vec![top];
    for screen_row in screen_rows {
        let focus = screen_row.focused;
        let row = ScreenRow::indented(indent)
            .text("│", Role::Frame)
            .append(screen_row)
            .filled(indent + 1 + inner)
            .text("│", Role::Frame);
        rows.push(row.focus(focus));
    }
    let bottom = format!("└{}┘", "─".repeat(inner));
    rows.push(ScreenRow::indented(indent).text(bottom, Role::Frame));
    rows
}
