//! A row of the screen as pieces of safe text, and the painter that puts rows into a buffer.
//! Nothing else writes to the screen.

use ask_config::i18n::Words;
use ask_config::text;
use ask_core::SafeText;
use ratatui::buffer::{Buffer, CellDiffOption};
use ratatui::layout::{Position, Rect};
use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthChar;

use super::glyphs::Glyphs;
use super::model::Display;
use super::style::{Role, style};

/// The end of a clipped text.
pub(super) const ELLIPSIS: &str = "…";

/// A row of the screen.
#[derive(Clone, Debug, Default)]
pub(super) struct ScreenRow {
    parts: Vec<Part>,
    /// The column of the terminal's cursor.
    caret: Option<usize>,
    /// Whether the row has the focus; scrolling keeps it visible.
    pub focused: bool,
    /// Click targets, each with its first column and the one behind its last.
    targets: Vec<(usize, usize, ClickTarget)>,
}

/// What a click can select. The numbers are indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClickTarget {
    Tab(usize),
    /// A choice, or behind the last one the field for own text; a row of a dialog.
    Choice(usize),
    /// A row of a list: an ask, or on the review a question, and behind the last one a button.
    Row(usize),
    /// A file of the popup.
    Path(usize),
    /// The question and its context.
    Prose,
    /// The preview of a choice.
    Preview,
    /// The preview pane beside the list.
    Pane,
}

#[derive(Clone, Debug)]
enum Part {
    Gap(usize),
    Text(SafeText, Role),
}

impl ScreenRow {
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// A row that begins with empty columns.
    pub(super) fn indented(columns: usize) -> Self {
        Self::new().gap(columns)
    }

    pub(super) fn rule(columns: usize) -> Self {
        Self::new().text("─".repeat(columns), Role::Frame)
    }

    pub(super) fn gap(mut self, columns: usize) -> Self {
        self.parts.push(Part::Gap(columns));
        self
    }

    /// Appends text, made safe.
    pub(super) fn text(self, text: impl AsRef<str>, role: Role) -> Self {
        // Safe text drops trailing spaces, so they become a gap.
        let text = text.as_ref();
        let visible = text.trim_end_matches(' ');
        self.safe_text(SafeText::line(visible), role)
            .gap(text.len() - visible.len())
    }

    /// Appends text, clipped so that the row has at most this many columns.
    pub(super) fn clipped(self, words: impl AsRef<str>, role: Role, columns: usize) -> Self {
        let room = columns.saturating_sub(self.width());
        let clipped = text::clip(&SafeText::line(words.as_ref()), room, ELLIPSIS);
        self.safe_text(clipped, role)
    }

    pub(super) fn safe_text(mut self, text: SafeText, role: Role) -> Self {
        self.parts.push(Part::Text(text, role));
        self
    }

    /// Marks at the end of the row that there is more, within this many columns.
    pub(super) fn with_ellipsis(mut self, columns: usize) -> Self {
        if self.width() < columns {
            return self.text(ELLIPSIS, Role::Dim);
        }
        while let Some(part) = self.parts.pop() {
            let used = self.width();
            if let Part::Text(words, role) = part
                && used + 1 < columns
            {
                let marked = format!("{}{ELLIPSIS}", words.as_str());
                let room = columns.saturating_sub(used);
                return self.safe_text(text::clip(&SafeText::line(&marked), room, ELLIPSIS), role);
            }
        }
        self.text(ELLIPSIS, Role::Dim)
    }

    pub(super) fn append(mut self, other: Self) -> Self {
        let offset = self.width();
        self.caret = self.caret.or(other.caret.map(|column| column + offset));
        self.focused |= other.focused;
        let targets = other.targets.into_iter();
        self.targets.extend(targets.map(|(from, to, target)| {
            (
                from.saturating_add(offset),
                to.saturating_add(offset),
                target,
            )
        }));
        self.parts.extend(other.parts);
        self
    }

    /// Appends another row at the right edge, if both fit.
    pub(super) fn right(self, other: Self, columns: usize) -> Self {
        let (used, wide) = (self.width(), other.width());
        if wide == 0 || used + 1 + wide > columns {
            return self;
        }
        self.gap(columns - used - wide).append(other)
    }

    /// Appends text aligned to the right of this many columns.
    pub(super) fn right_aligned(self, words: impl AsRef<str>, role: Role, columns: usize) -> Self {
        let words = Self::new().text(words, role);
        let gap = columns.saturating_sub(words.width());
        self.gap(gap).append(words)
    }

    /// Fills the row with empty columns up to this width.
    pub(super) fn filled(self, columns: usize) -> Self {
        let used = self.width();
        self.gap(columns.saturating_sub(used))
    }

    /// Puts the terminal's cursor behind the last piece.
    pub(super) fn caret(self) -> Self {
        let column = self.width();
        self.caret_at(column)
    }

    /// Puts the terminal's cursor into a column.
    pub(super) fn caret_at(mut self, column: usize) -> Self {
        self.caret = Some(column);
        self
    }

    /// Whether the terminal's cursor is in this row.
    pub(super) fn has_caret(&self) -> bool {
        self.caret.is_some()
    }

    /// Makes the whole row a click target.
    pub(super) fn clickable(mut self, target: ClickTarget) -> Self {
        self.targets.push((0, usize::MAX, target));
        self
    }

    /// Makes the columns from `from` to the end of the row so far a click target.
    pub(super) fn clickable_here(mut self, from: usize, target: ClickTarget) -> Self {
        self.targets.push((from, self.width(), target));
        self
    }

    /// The click target in a column; of several, the one added last.
    pub(super) fn target_at(&self, column: usize) -> Option<ClickTarget> {
        let matching = self.targets.iter().rev();
        let mut matching = matching.filter(|(from, to, _)| (*from..*to).contains(&column));
        matching.next().map(|(_, _, target)| *target)
    }

    /// Sets whether the row has the focus.
    pub(super) fn focus(mut self, focused: bool) -> Self {
        self.focused = focused;
        self
    }

    /// The row with every text in one role.
    pub(super) fn with_role(mut self, role: Role) -> Self {
        for part in &mut self.parts {
            if let Part::Text(_, own) = part {
                *own = role;
            }
        }
        self
    }

    /// The width in columns.
    pub(super) fn width(&self) -> usize {
        let wide = |part: &Part| match part {
            Part::Gap(columns) => *columns,
            Part::Text(words, _) => text::width(words.as_str()),
        };
        self.parts.iter().map(wide).sum()
    }
}

/// Paints rows from the top down. Returns the position of the terminal's cursor.
pub(super) fn paint(
    screen_rows: &[ScreenRow],
    display: &Display,
    area: Rect,
    buffer: &mut Buffer,
) -> Option<Position> {
    let mut caret = None;
    for (screen_row, y) in screen_rows.iter().zip(area.top()..area.bottom()) {
        let mut x = usize::from(area.left());
        for part in &screen_row.parts {
            match part {
                Part::Gap(columns) => x += columns,
                Part::Text(words, role) => {
                    x = paint_text(
                        buffer,
                        area,
                        (x, y),
                        words,
                        style(*role, display.colours, display.background),
                    );
                }
            }
        }
        if let Some(column) = screen_row.caret {
            let column = u16::try_from(column).unwrap_or(u16::MAX);
            let x = area
                .left()
                .saturating_add(column)
                .min(area.right().saturating_sub(1));
            caret = Some(Position { x, y });
        }
    }
    replace_glyphs(display.glyphs, area, buffer);
    caret.filter(|_| area.width > 0)
}

/// Selects the items around the focused one that fit into `rows`, and says how many are hidden. An
/// item is shown whole unless it alone is too tall.
pub(super) fn window(
    words: Words,
    items: Vec<Vec<ScreenRow>>,
    rows: usize,
    indent: usize,
) -> Vec<ScreenRow> {
    let count = items.len();
    let focus = items
        .iter()
        .position(|item| item.iter().any(|screen_row| screen_row.focused))
        .unwrap_or(0);
    let heights: Vec<usize> = items.iter().map(Vec::len).collect();
    let VisibleRange { first, end, marked } = visible_range(&heights, focus, rows);
    let mark = |id: &str, hidden: usize| {
        let text = || words.format(id, &[("count", hidden.into())]);
        (marked && hidden > 0).then(|| ScreenRow::indented(indent).text(text(), Role::Dim))
    };
    let mut rows_shown: Vec<ScreenRow> = mark("card-more-above", first).into_iter().collect();
    rows_shown.extend(items.into_iter().take(end).skip(first).flatten());
    rows_shown.extend(mark("card-more-below", count - end));
    rows_shown.truncate(rows);
    rows_shown
}

/// The visible items of a list.
pub(super) struct VisibleRange {
    /// The first visible item.
    pub first: usize,
    /// The item behind the last visible one.
    pub end: usize,
    /// Whether there is room for the lines that count the hidden items.
    pub marked: bool,
}

/// The visible items around the focused one. `heights` are the rows of each item.
pub(super) fn visible_range(heights: &[usize], focus: usize, rows: usize) -> VisibleRange {
    let count = heights.len();
    if heights.iter().sum::<usize>() <= rows {
        return VisibleRange {
            first: 0,
            end: count,
            marked: true,
        };
    }
    let mut lines = vec![0];
    for height in heights {
        lines.push(lines.last().unwrap_or(&0) + height);
    }
    let lines = |first: usize, end: usize| lines[end] - lines[first];
    let marks = |first: usize, end: usize| usize::from(first > 0) + usize::from(end < count);
    let focus = focus.min(count.saturating_sub(1));
    // If the focused item doesn't fit beside those lines, the lines are left out.
    let end = (focus + 1).min(count);
    let marked = lines(focus, end) + marks(focus, end) <= rows;
    let fits = |first: usize, end: usize| {
        let marks = if marked { marks(first, end) } else { 0 };
        lines(first, end) + marks <= rows
    };
    let (first, end) = grow_range(focus, end, count, fits);
    VisibleRange { first, end, marked }
}

/// Grows a range in both directions, downwards first, as long as it fits.
fn grow_range(
    mut first: usize,
    mut end: usize,
    count: usize,
    fits: impl Fn(usize, usize) -> bool,
) -> (usize, usize) {
    loop {
        let before = (first, end);
        if end < count && fits(first, end + 1) {
            end += 1;
        }
        if first > 0 && fits(first - 1, end) {
            first -= 1;
        }
        if before == (first, end) {
            return before;
        }
    }
}

fn paint_text(
    buffer: &mut Buffer,
    area: Rect,
    (x, y): (usize, u16),
    words: &SafeText,
    style: ratatui::style::Style,
) -> usize {
    let end = x + text::width(words.as_str());
    let room = usize::from(area.right()).saturating_sub(x);
    if let Ok(x) = u16::try_from(x)
        && room > 0
    {
        buffer.set_stringn(x, y, words.as_str(), room, style);
        update_covered_cells(buffer, area, (x, y), words);
    }
    end
}

/// Repaints all cells that a grapheme may cover. Terminals disagree about the width of a grapheme
/// cluster (UAX #29) of several code points, such as a flag or a family.
fn update_covered_cells(buffer: &mut Buffer, area: Rect, (x, y): (u16, u16), words: &SafeText) {
    if words.as_str().is_ascii() {
        return;
    }
    let mut at = usize::from(x);
    for grapheme in words.as_str().graphemes(true) {
        let width = text::width(grapheme);
        if width > 1 && grapheme.chars().nth(1).is_some() {
            let separate: usize = grapheme.chars().filter_map(UnicodeWidthChar::width).sum();
            for column in at + 1..(at + width.max(separate)).min(usize::from(area.right())) {
                let cell = u16::try_from(column).ok().map(|column| (column, y));
                if let Some(cell) = cell.and_then(|place| buffer.cell_mut(place)) {
                    cell.set_diff_option(CellDiffOption::AlwaysUpdate);
                }
            }
        }
        at += width;
    }
}

fn replace_glyphs(glyphs: Glyphs, area: Rect, buffer: &mut Buffer) {
    if glyphs == Glyphs::Full {
        return;
    }
    for y in area.top()..area.bottom() {
        for x in area.left()..area.right() {
            let Some(cell) = buffer.cell_mut((x, y)) else {
                continue;
            };
            if let Some(ascii) = glyphs.replacement(cell.symbol()) {
                cell.set_symbol(ascii);
            }
        }
    }
}
