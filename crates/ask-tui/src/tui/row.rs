//! One row of the screen as pieces of safe text, and the painter that puts rows
//! into a buffer. Nothing else writes to the screen.

use ask_config::i18n::Words;
use ask_config::text;
use ask_core::SafeText;
use ratatui::buffer::{Buffer, CellDiffOption};
use ratatui::layout::{Position, Rect};
use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthChar;

use super::glyphs::Glyphs;
use super::model::Look;
use super::style::{Role, style};

/// What ends a text that was cut.
pub const CUT: &str = "…";

/// One row of the screen.
#[derive(Clone, Debug, Default)]
pub struct ScreenRow {
    parts: Vec<Part>,
    /// The column of the terminal's cursor.
    caret: Option<usize>,
    /// Whether this row has the focus: scrolling keeps it in sight.
    pub focused: bool,
    /// What a pointer meets, from one column to another.
    hits: Vec<(usize, usize, ClickTarget)>,
}

/// What a pointer can meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClickTarget {
    /// A tab.
    Tab(usize),
    /// A choice, or Other behind the last one; a row of a dialog.
    Choice(usize),
    /// A row of a list: an ask, or on the review a question, and behind the last one a button.
    Row(usize),
    /// A file of the popup.
    Path(usize),
    /// The question and its context.
    Prose,
    /// The preview of a choice.
    Preview,
    /// The ask that is read beside the list.
    Pane,
}

#[derive(Clone, Debug)]
enum Part {
    Gap(usize),
    Words(SafeText, Role),
}

impl ScreenRow {
    /// An empty row.
    pub fn new() -> Self {
        Self::default()
    }

    /// A row set in by so many columns.
    pub fn indented(columns: usize) -> Self {
        Self::new().gap(columns)
    }

    /// A line across the screen.
    pub fn rule(columns: usize) -> Self {
        Self::new().words("─".repeat(columns), Role::Frame)
    }

    /// Empty columns.
    pub fn gap(mut self, columns: usize) -> Self {
        self.parts.push(Part::Gap(columns));
        self
    }

    /// Words, made safe.
    pub fn words(self, words: impl AsRef<str>, role: Role) -> Self {
        // Safe text ends with something visible, so the space behind it is a gap.
        let words = words.as_ref();
        let visible = words.trim_end_matches(' ');
        self.plain(SafeText::line(visible), role)
            .gap(words.len() - visible.len())
    }

    /// Words, cut to what is left of so many columns.
    pub fn clipped(self, words: impl AsRef<str>, role: Role, columns: usize) -> Self {
        let room = columns.saturating_sub(self.width());
        let clipped = text::clip(&SafeText::line(words.as_ref()), room, CUT);
        self.plain(clipped, role)
    }

    /// Words that are safe already.
    pub fn plain(mut self, words: SafeText, role: Role) -> Self {
        self.parts.push(Part::Words(words, role));
        self
    }

    /// Says at its end that there is more, within so many columns.
    pub fn cut(mut self, columns: usize) -> Self {
        if self.width() < columns {
            return self.words(CUT, Role::Dim);
        }
        while let Some(part) = self.parts.pop() {
            let used = self.width();
            if let Part::Words(words, role) = part
                && used + 1 < columns
            {
                let marked = format!("{}{CUT}", words.as_str());
                let room = columns.saturating_sub(used);
                return self.plain(text::clip(&SafeText::line(&marked), room, CUT), role);
            }
        }
        self.words(CUT, Role::Dim)
    }

    /// Another row behind this one.
    pub fn then(mut self, other: Self) -> Self {
        let offset = self.width();
        self.caret = self.caret.or(other.caret.map(|column| column + offset));
        self.focused |= other.focused;
        let hits = other.hits.into_iter();
        self.hits.extend(
            hits.map(|(from, to, hit)| {
                (from.saturating_add(offset), to.saturating_add(offset), hit)
            }),
        );
        self.parts.extend(other.parts);
        self
    }

    /// Another row at the right edge, if both fit into so many columns.
    pub fn right(self, other: Self, columns: usize) -> Self {
        let (used, wide) = (self.width(), other.width());
        if wide == 0 || used + 1 + wide > columns {
            return self;
        }
        self.gap(columns - used - wide).then(other)
    }

    /// Words at the right end of so many columns.
    pub fn ahead(self, words: impl AsRef<str>, role: Role, columns: usize) -> Self {
        let words = Self::new().words(words, role);
        let gap = columns.saturating_sub(words.width());
        self.gap(gap).then(words)
    }

    /// Fills up with empty columns.
    pub fn filled(self, columns: usize) -> Self {
        let used = self.width();
        self.gap(columns.saturating_sub(used))
    }

    /// Puts the terminal's cursor here.
    pub fn caret(self) -> Self {
        let here = self.width();
        self.caret_at(here)
    }

    /// Puts the terminal's cursor in a column.
    pub fn caret_at(mut self, column: usize) -> Self {
        self.caret = Some(column);
        self
    }

    /// Whether the terminal's cursor is here.
    pub fn has_caret(&self) -> bool {
        self.caret.is_some()
    }

    /// What a pointer meets anywhere on this row.
    pub fn met(mut self, hit: ClickTarget) -> Self {
        self.hits.push((0, usize::MAX, hit));
        self
    }

    /// What a pointer meets on the words so far.
    pub fn clickable_here(mut self, from: usize, hit: ClickTarget) -> Self {
        self.hits.push((from, self.width(), hit));
        self
    }

    /// What a pointer meets in a column; the rightmost that begins before it.
    pub fn hit(&self, column: usize) -> Option<ClickTarget> {
        let met = self.hits.iter().rev();
        let mut met = met.filter(|(from, to, _)| (*from..*to).contains(&column));
        met.next().map(|(_, _, hit)| *hit)
    }

    /// Marks the row as the focused one.
    pub fn focus(mut self, focused: bool) -> Self {
        self.focused = focused;
        self
    }

    /// The same row, every word in one role.
    pub fn toned(mut self, role: Role) -> Self {
        for part in &mut self.parts {
            if let Part::Words(_, own) = part {
                *own = role;
            }
        }
        self
    }

    /// How many columns it takes.
    pub fn width(&self) -> usize {
        let wide = |part: &Part| match part {
            Part::Gap(columns) => *columns,
            Part::Words(words, _) => text::width(words.as_str()),
        };
        self.parts.iter().map(wide).sum()
    }
}

/// Paints rows from the top down and says where the terminal's cursor belongs.
pub fn paint(
    screen_rows: &[ScreenRow],
    look: &Look,
    area: Rect,
    buffer: &mut Buffer,
) -> Option<Position> {
    let mut caret = None;
    for (screen_row, y) in screen_rows.iter().zip(area.top()..area.bottom()) {
        let mut x = usize::from(area.left());
        for part in &screen_row.parts {
            match part {
                Part::Gap(columns) => x += columns,
                Part::Words(words, role) => {
                    x = put(
                        buffer,
                        area,
                        (x, y),
                        words,
                        style(*role, look.colours, look.background),
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
    replace_signs(look.glyphs, area, buffer);
    caret.filter(|_| area.width > 0)
}

/// Keeps the focused item in sight when there are more rows than room, and says how many items are
/// hidden. An item is never torn unless it alone is too long.
pub fn window(
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
    let Range { first, end, marked } = range(&heights, focus, rows);
    let mark = |id: &str, hidden: usize| {
        let said = || words.with(id, &[("count", hidden.into())]);
        (marked && hidden > 0).then(|| ScreenRow::indented(indent).words(said(), Role::Dim))
    };
    let mut seen: Vec<ScreenRow> = mark("card-more-above", first).into_iter().collect();
    seen.extend(items.into_iter().take(end).skip(first).flatten());
    seen.extend(mark("card-more-below", count - end));
    seen.truncate(rows);
    seen
}

/// Which items of a list are seen.
pub struct Range {
    /// The first of them.
    pub first: usize,
    /// The one after the last.
    pub end: usize,
    /// Whether there is room to say how many are not.
    pub marked: bool,
}

/// The items around the focused one that fit into so many rows.
pub fn range(heights: &[usize], focus: usize, rows: usize) -> Range {
    let count = heights.len();
    if heights.iter().sum::<usize>() <= rows {
        return Range {
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
    // Where not even the focused item fits beside the marks, rows are worth more than marks.
    let end = (focus + 1).min(count);
    let marked = lines(focus, end) + marks(focus, end) <= rows;
    let fits = |first: usize, end: usize| {
        let marks = if marked { marks(first, end) } else { 0 };
        lines(first, end) + marks <= rows
    };
    let (first, end) = widest(focus, end, count, fits);
    Range { first, end, marked }
}

/// Grows a range on both sides, downwards first, as long as it fits.
fn widest(
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

fn put(
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
        cover(buffer, area, (x, y), words);
    }
    end
}

/// Terminals differ in how wide a picture is that several characters make: a flag, a family. The
/// columns that a part of it may lie in are painted with it, and once more when it goes.
fn cover(buffer: &mut Buffer, area: Rect, (x, y): (u16, u16), words: &SafeText) {
    if words.as_str().is_ascii() {
        return;
    }
    let mut at = usize::from(x);
    for grapheme in words.as_str().graphemes(true) {
        let width = text::width(grapheme);
        if width > 1 && grapheme.chars().nth(1).is_some() {
            let apart: usize = grapheme.chars().filter_map(UnicodeWidthChar::width).sum();
            for column in at + 1..(at + width.max(apart)).min(usize::from(area.right())) {
                let cell = u16::try_from(column).ok().map(|column| (column, y));
                if let Some(cell) = cell.and_then(|place| buffer.cell_mut(place)) {
                    cell.set_diff_option(CellDiffOption::AlwaysUpdate);
                }
            }
        }
        at += width;
    }
}

fn replace_signs(glyphs: Glyphs, area: Rect, buffer: &mut Buffer) {
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
