//! A text being typed, with its caret. Knows nothing of keys or colours. Why it is
//! ours and no ready-made text area: `docs/decisions/0012-the-text-field-is-ours.md`.

mod undo;
mod wrap;

use std::ops::Range;

use ask_core::SafeText;
use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

use self::undo::UndoHistory;
pub(crate) use self::wrap::{FieldRow, Rows};
use self::wrap::{Seen, columns_of};

/// The most bytes a field takes. What goes beyond is dropped, visibly: the caret stops.
pub(crate) const MAX_BYTES: usize = 256 * 1024;

/// No path that is looked for is longer, in bytes.
const LONGEST_MENTION: usize = 400;

/// A text and where the caret stands in it, always between graphemes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Field {
    text: String,
    caret: usize,
    /// The column that vertical moves aim for.
    goal: Option<usize>,
    past: UndoHistory,
    /// What was measured last, so that a long text isn't measured for each look.
    seen: Seen,
}

/// Fields are equal when a person couldn't tell them apart.
impl PartialEq for Field {
    fn eq(&self, other: &Self) -> bool {
        self.caret == other.caret && self.text == other.text
    }
}

impl Eq for Field {}

impl Field {
    /// A field that holds a text, with the caret at its end.
    pub(crate) fn new(text: &str) -> Self {
        let mut field = Self::default();
        field.insert(text);
        field.past = UndoHistory::default();
        field
    }

    /// What was typed.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Whether nothing but blanks was typed.
    pub(crate) fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// How many characters a person would count.
    pub(crate) fn count(&self) -> usize {
        if self.text.is_ascii() {
            return self.text.len();
        }
        self.seen.count(|| self.text.graphemes(true).count())
    }

    /// Types or pastes at the caret. Control characters are dropped, except line breaks and tabs.
    pub(crate) fn insert(&mut self, text: &str) {
        self.replace(self.caret..self.caret, text);
    }

    /// Puts a text in place of everything, as one step that can be undone.
    pub(crate) fn put(&mut self, text: &str) {
        self.replace(0..self.text.len(), text);
    }

    /// Puts a text in place of a range, and the caret behind it.
    pub(crate) fn replace(&mut self, range: Range<usize>, text: &str) {
        let kept = typable(text);
        let mut room = (MAX_BYTES + range.len()).saturating_sub(self.text.len());
        room = room.min(kept.len());
        while !kept.is_char_boundary(room) {
            room -= 1;
        }
        self.change(range, &kept[..room]);
    }

    /// Takes the last change back. False when there is none.
    pub(crate) fn undo(&mut self) -> bool {
        let caret = self.past.undo(&mut self.text);
        self.land(caret)
    }

    /// Makes the change again that was taken back last. False when there is none.
    pub(crate) fn redo(&mut self) -> bool {
        let caret = self.past.redo(&mut self.text);
        self.land(caret)
    }

    /// Whether there is no room for another letter.
    pub(crate) fn is_full(&self) -> bool {
        self.text.len() + char::MAX.len_utf8() > MAX_BYTES
    }

    /// Deletes the grapheme before the caret.
    pub(crate) fn erase(&mut self) {
        let start = self.previous_boundary(self.caret);
        self.cut(start, self.caret);
    }

    /// Deletes the grapheme after the caret.
    pub(crate) fn erase_next(&mut self) {
        let end = self.next_boundary(self.caret);
        self.cut(self.caret, end);
    }

    /// Deletes back to the beginning of the word.
    pub(crate) fn erase_word(&mut self) {
        let start = self.word_before();
        self.cut(start, self.caret);
    }

    /// Deletes on to the end of the word.
    pub(crate) fn erase_next_word(&mut self) {
        let end = self.word_after();
        self.cut(self.caret, end);
    }

    /// Deletes on to the end of the line, or the line break where there is nothing before it.
    pub(crate) fn erase_line_end(&mut self) {
        let end = self.end_of_line();
        let end = if end == self.caret {
            self.next_boundary(end)
        } else {
            end
        };
        self.cut(self.caret, end);
    }

    /// One grapheme back.
    pub(crate) fn left(&mut self) {
        self.place(self.previous_boundary(self.caret));
    }

    /// One grapheme on.
    pub(crate) fn right(&mut self) {
        self.place(self.next_boundary(self.caret));
    }

    /// One word back.
    pub(crate) fn word_left(&mut self) {
        self.place(self.word_before());
    }

    /// One word on.
    pub(crate) fn word_right(&mut self) {
        self.place(self.word_after());
    }

    /// To the beginning of the line.
    pub(crate) fn line_start(&mut self) {
        self.place(self.text[..self.caret].rfind('\n').map_or(0, |at| at + 1));
    }

    /// To the end of the line.
    pub(crate) fn line_end(&mut self) {
        self.place(self.end_of_line());
    }

    /// Up or down by visual rows of so many columns; false when there is no row that way.
    pub(crate) fn vertical(&mut self, by: isize, columns: usize) -> bool {
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
            at = self.previous_boundary(at);
        }
        self.caret = at;
        self.goal = Some(goal);
        true
    }

    /// The field as rows of so many columns. Every row leaves a column for the caret.
    pub(crate) fn rows(&self, columns: usize) -> Rows {
        let rows = self.seen.rows(&self.text, columns);
        let after = rows.partition_point(|row| row.start <= self.caret);
        let caret_row = after.saturating_sub(1);
        let before = &self.text[rows[caret_row].start..self.caret];
        let caret_column = before.graphemes(true).map(columns_of).sum();
        Rows {
            rows,
            caret_row,
            caret_column,
        }
    }

    /// The word that ends at the caret and begins with `@`: where it begins, and what follows the sign.
    pub(crate) fn mention(&self) -> Option<(usize, &str)> {
        let mut near = self.caret.saturating_sub(LONGEST_MENTION);
        while !self.text.is_char_boundary(near) {
            near += 1;
        }
        let before = &self.text[near..self.caret];
        let start = before
            .char_indices()
            .rfind(|(_, letter)| letter.is_whitespace());
        let start = match start {
            Some((at, blank)) => at + blank.len_utf8(),
            None if near == 0 => 0,
            None => return None,
        };
        let name = before[start..].strip_prefix('@')?;
        Some((near + start, name))
    }

    /// Where the caret stands, in bytes.
    pub(crate) fn caret(&self) -> usize {
        self.caret
    }

    /// A row's text, safe to show.
    pub(crate) fn show(&self, row: &FieldRow) -> SafeText {
        SafeText::line(&self.text[row.start..row.end].replace('\t', " "))
    }

    fn place(&mut self, caret: usize) {
        self.caret = caret;
        self.goal = None;
        self.past.pause();
    }

    fn cut(&mut self, start: usize, end: usize) {
        self.change(start..end, "");
    }

    fn change(&mut self, range: Range<usize>, added: &str) {
        if range.is_empty() && added.is_empty() {
            return;
        }
        let at = range.start;
        let removed = self.text[range.clone()].to_owned();
        self.text.replace_range(range, added);
        self.past.keep(self.caret, at, removed, added);
        self.land(Some(at + added.len()));
    }

    /// The caret after a change of the text; false when nothing changed.
    fn land(&mut self, caret: Option<usize>) -> bool {
        let Some(caret) = caret else { return false };
        self.caret = self.settle(caret);
        self.goal = None;
        self.seen.forget();
        true
    }

    fn end_of_line(&self) -> usize {
        let end = self.text[self.caret..].find('\n');
        end.map_or(self.text.len(), |at| self.caret + at)
    }

    fn word_after(&self) -> usize {
        let rest = &self.text[self.caret..];
        let gap = rest.len() - rest.trim_start().len();
        let word = rest[gap..].find(char::is_whitespace);
        self.caret + gap + word.unwrap_or(rest.len() - gap)
    }

    /// The next boundary between graphemes from here on: what was typed may have joined others.
    fn settle(&self, at: usize) -> usize {
        let mut cursor = GraphemeCursor::new(at, self.text.len(), true);
        match cursor.is_boundary(&self.text, 0) {
            Ok(true) => at,
            Ok(false) | Err(_) => self.next_boundary(at),
        }
    }

    fn previous_boundary(&self, at: usize) -> usize {
        let mut cursor = GraphemeCursor::new(at, self.text.len(), true);
        cursor
            .prev_boundary(&self.text, 0)
            .ok()
            .flatten()
            .unwrap_or(0)
    }

    fn next_boundary(&self, at: usize) -> usize {
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

/// What of a text can be typed: line breaks of every kind become one, other control characters go.
fn typable(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    text.chars()
        .filter(|&c| !c.is_control() || c == '\n' || c == '\t')
        .collect()
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

    #[test]
    fn changes_are_undone_word_by_word_and_made_again() {
        let mut field = Field::default();
        for typed in ["o", "n", "e", " ", "t", "w", "o"] {
            field.insert(typed);
        }
        field.insert("\npasted lines");
        assert!(field.undo() && field.text() == "one two");
        assert!(field.undo() && field.text() == "one ");
        assert!(field.redo() && field.text() == "one two");
        field.insert("!");
        assert!(!field.redo(), "what was typed since takes its place");
        field.erase();
        field.erase();
        assert!(field.undo() && field.text() == "one two!");
        field.put("from elsewhere");
        assert!(field.undo() && field.text() == "one two!");
        while field.undo() {}
        assert_eq!(field.text(), "");
    }

    #[test]
    fn what_was_there_from_the_beginning_is_not_undone() {
        let mut field = Field::new("kept");
        assert!(!field.undo());
    }

    #[test]
    fn lines_and_words_are_erased_onwards() {
        let mut field = Field::new("one two\nthree");
        field.vertical(-1, 20);
        field.line_start();
        field.erase_next_word();
        assert_eq!(field.text(), " two\nthree");
        field.erase_line_end();
        assert_eq!(field.text(), "\nthree");
        field.erase_line_end();
        assert_eq!(field.text(), "three");
    }

    #[test]
    fn a_mention_begins_a_word() {
        assert_eq!(Field::new("see @src/m").mention(), Some((4, "src/m")));
        assert_eq!(Field::new("@").mention(), Some((0, "")));
        assert_eq!(Field::new("ann@example").mention(), None);
        assert_eq!(Field::new("@src ").mention(), None);
        assert_eq!(Field::new("語\u{3000}@a").mention(), Some((6, "a")));
    }

    #[test]
    fn a_long_text_is_measured_once() {
        let mut field = Field::new(&"語 ".repeat(40_000));
        let rows = field.rows(80).rows;
        assert!(std::rc::Rc::ptr_eq(&rows, &field.rows(80).rows));
        field.insert("x");
        assert!(!std::rc::Rc::ptr_eq(&rows, &field.rows(80).rows));
        assert_eq!(field.count(), 80_001);
    }
}
