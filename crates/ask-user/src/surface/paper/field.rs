//! A text being typed, with its caret. Knows nothing of keys or colours.
//!
//! Written here because the ready-made text areas move and delete by `char`,
//! which tears emoji families, and keep their scroll position in the widget,
//! which a pure view can't have.

use ask_core::Plain;
use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

use super::text;

/// The most bytes a field takes. What goes beyond is dropped, visibly: the caret stops.
pub const MAX_BYTES: usize = 256 * 1024;

/// A text and where the caret stands in it, always between graphemes.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Field {
    text: String,
    caret: usize,
    /// The column that vertical moves aim for.
    goal: Option<usize>,
}

/// A field broken into rows.
pub struct Rows {
    /// At least one.
    pub rows: Vec<FieldRow>,
    /// The row that the caret stands in.
    pub caret_row: usize,
    /// The column that the caret stands before.
    pub caret_column: usize,
}

/// One visual row of a field, as a range of bytes.
pub struct FieldRow {
    /// Where it begins.
    pub start: usize,
    /// Where it ends, without the line break.
    pub end: usize,
}

impl Field {
    /// A field that holds a text, with the caret at its end.
    pub fn new(text: &str) -> Self {
        let mut field = Self::default();
        field.insert(text);
        field
    }

    /// What was typed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether nothing but blanks was typed.
    pub fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// How many characters a person would count.
    pub fn count(&self) -> usize {
        self.text.graphemes(true).count()
    }

    /// Types or pastes at the caret. Control characters are dropped, except line breaks and tabs.
    pub fn insert(&mut self, text: &str) {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let kept: String = text
            .chars()
            .filter(|&c| !c.is_control() || c == '\n' || c == '\t')
            .collect();
        let mut room = MAX_BYTES.saturating_sub(self.text.len()).min(kept.len());
        while !kept.is_char_boundary(room) {
            room -= 1;
        }
        self.text.insert_str(self.caret, &kept[..room]);
        self.caret = self.settle(self.caret + room);
        self.goal = None;
    }

    /// Whether there is no room for another letter.
    pub fn is_full(&self) -> bool {
        self.text.len() + char::MAX.len_utf8() > MAX_BYTES
    }

    /// Deletes the grapheme before the caret.
    pub fn erase(&mut self) {
        let start = self.before(self.caret);
        self.cut(start, self.caret);
    }

    /// Deletes the grapheme after the caret.
    pub fn erase_next(&mut self) {
        let end = self.after(self.caret);
        self.cut(self.caret, end);
    }

    /// Deletes back to the beginning of the word.
    pub fn erase_word(&mut self) {
        let start = self.word_before();
        self.cut(start, self.caret);
    }

    /// One grapheme back.
    pub fn left(&mut self) {
        self.place(self.before(self.caret));
    }

    /// One grapheme on.
    pub fn right(&mut self) {
        self.place(self.after(self.caret));
    }

    /// One word back.
    pub fn word_left(&mut self) {
        self.place(self.word_before());
    }

    /// One word on.
    pub fn word_right(&mut self) {
        let rest = &self.text[self.caret..];
        let gap = rest.len() - rest.trim_start().len();
        let word = rest[gap..].find(char::is_whitespace);
        self.place(self.caret + gap + word.unwrap_or(rest.len() - gap));
    }

    /// To the beginning of the line.
    pub fn line_start(&mut self) {
        self.place(self.text[..self.caret].rfind('\n').map_or(0, |at| at + 1));
    }

    /// To the end of the line.
    pub fn line_end(&mut self) {
        let end = self.text[self.caret..].find('\n');
        self.place(end.map_or(self.text.len(), |at| self.caret + at));
    }

    /// Up or down by visual rows of so many columns; false when there is no row that way.
    pub fn vertical(&mut self, by: isize, columns: usize) -> bool {
        let seen = self.rows(columns);
        let goal = self.goal.unwrap_or(seen.caret_column);
        let last = seen.rows.len().saturating_sub(1);
        let target = seen.caret_row.saturating_add_signed(by).min(last);
        if target == seen.caret_row {
            return false;
        }
        let row = &seen.rows[target];
        let mut at = row.start;
        let mut used = 0;
        for grapheme in self.text[row.start..row.end].graphemes(true) {
            used += columns_of(grapheme);
            if used > goal {
                break;
            }
            at += grapheme.len();
        }
        let wrapped = seen
            .rows
            .get(target + 1)
            .is_some_and(|next| next.start == row.end);
        if wrapped && at == row.end && at > row.start {
            at = self.before(at);
        }
        self.caret = at;
        self.goal = Some(goal);
        true
    }

    /// The field as rows of so many columns. Every row leaves a column for the caret.
    pub fn rows(&self, columns: usize) -> Rows {
        let columns = columns.saturating_sub(1).max(1);
        let mut rows = Vec::new();
        let mut start = 0;
        for line in self.text.split('\n') {
            wrap_line(line, start, columns, &mut rows);
            start += line.len() + 1;
        }
        let caret_row = rows
            .iter()
            .rposition(|row: &FieldRow| row.start <= self.caret)
            .unwrap_or(0);
        let before = &self.text[rows[caret_row].start..self.caret];
        let caret_column = before.graphemes(true).map(columns_of).sum();
        Rows {
            rows,
            caret_row,
            caret_column,
        }
    }

    /// A row's text, safe to show.
    pub fn show(&self, row: &FieldRow) -> Plain {
        Plain::line(&self.text[row.start..row.end].replace('\t', " "))
    }

    fn place(&mut self, caret: usize) {
        self.caret = caret;
        self.goal = None;
    }

    fn cut(&mut self, start: usize, end: usize) {
        self.text.replace_range(start..end, "");
        self.caret = self.settle(start);
        self.goal = None;
    }

    /// The next boundary between graphemes from here on: what was typed may have joined others.
    fn settle(&self, at: usize) -> usize {
        let mut cursor = GraphemeCursor::new(at, self.text.len(), true);
        match cursor.is_boundary(&self.text, 0) {
            Ok(true) => at,
            Ok(false) | Err(_) => self.after(at),
        }
    }

    fn before(&self, at: usize) -> usize {
        let mut cursor = GraphemeCursor::new(at, self.text.len(), true);
        cursor
            .prev_boundary(&self.text, 0)
            .ok()
            .flatten()
            .unwrap_or(0)
    }

    fn after(&self, at: usize) -> usize {
        let mut cursor = GraphemeCursor::new(at, self.text.len(), true);
        let next = cursor.next_boundary(&self.text, 0).ok().flatten();
        next.unwrap_or(self.text.len())
    }

    fn word_before(&self) -> usize {
        let before = self.text[..self.caret].trim_end();
        match before.char_indices().rev().find(|(_, c)| c.is_whitespace()) {
            Some((at, blank)) => at + blank.len_utf8(),
            None => 0,
        }
    }
}

fn columns_of(grapheme: &str) -> usize {
    match grapheme.as_bytes() {
        [_] => 1,
        // Between letters, because safe text drops what stands at its edges.
        _ => text::width(Plain::line(&format!("x{grapheme}x")).as_str()).saturating_sub(2),
    }
}

fn wrap_line(line: &str, offset: usize, columns: usize, rows: &mut Vec<FieldRow>) {
    let mut start = 0;
    let mut used = 0;
    let mut break_at = 0;
    for (at, grapheme) in line.grapheme_indices(true) {
        let wide = columns_of(grapheme);
        if used + wide > columns && at > start {
            let end = if break_at > start { break_at } else { at };
            rows.push(FieldRow {
                start: offset + start,
                end: offset + end,
            });
            start = end;
            used = line[start..at].graphemes(true).map(columns_of).sum();
        }
        used += wide;
        if grapheme == " " {
            break_at = at + 1;
        }
    }
    rows.push(FieldRow {
        start: offset + start,
        end: offset + line.len(),
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(field: &Field, columns: usize) -> Vec<String> {
        let seen = field.rows(columns);
        seen.rows
            .iter()
            .map(|row| field.show(row).to_string())
            .collect()
    }

    #[test]
    fn the_caret_steps_over_whole_graphemes() {
        let mut field = Field::new("a👩‍👩‍👧‍👦e\u{301}");
        field.erase();
        assert_eq!(field.text(), "a👩‍👩‍👧‍👦");
        field.left();
        field.erase_next();
        assert_eq!(field.text(), "a");
    }

    #[test]
    fn pastes_lose_control_characters_and_keep_lines() {
        let field = Field::new("a\u{1b}[31mb\r\nc\rd\u{7}");
        assert_eq!(field.text(), "a[31mb\nc\nd");
    }

    #[test]
    fn rows_wrap_at_words_and_leave_a_column_for_the_caret() {
        let field = Field::new("one two three");
        assert_eq!(rows(&field, 9), ["one two ", "three"]);
        let seen = field.rows(9);
        assert_eq!((seen.caret_row, seen.caret_column), (1, 5));
    }

    #[test]
    fn vertical_moves_remember_their_column() {
        let mut field = Field::new("abcdef\nx\nabcdef");
        assert!(field.vertical(-1, 20));
        assert!(field.vertical(-1, 20));
        field.insert("!");
        assert_eq!(field.text(), "abcdef!\nx\nabcdef");
        assert!(!field.vertical(-1, 20));
    }

    #[test]
    fn words_are_erased_whole() {
        let mut field = Field::new("one two  ");
        field.erase_word();
        assert_eq!(field.text(), "one ");
        field.word_left();
        field.word_right();
        field.line_start();
        field.insert("x");
        assert_eq!(field.text(), "xone ");
    }

    #[test]
    fn a_field_has_an_end() {
        let field = Field::new(&"é".repeat(MAX_BYTES));
        assert!(field.text().len() <= MAX_BYTES);
    }
}
