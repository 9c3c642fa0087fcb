//! A text that is being typed, with its caret. Keys and colours are left to the surfaces.
//! `docs/decisions/0012-the-text-field-is-ours.md` says why it isn't a ready-made text area.

mod undo;
mod wrap;

use std::ops::Range;

use ask_core::SafeText;
use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

use self::undo::UndoHistory;
pub(crate) use self::wrap::{FieldRow, Rows};
use self::wrap::{LayoutCache, grapheme_width};

/// The most bytes of a field. Text beyond them is dropped.
pub(crate) const MAX_BYTES: usize = 256 * 1024;

/// The most bytes of a word that [`Field::mention`] finds.
const MAX_MENTION_BYTES: usize = 400;

/// A text and its caret, which is always between graphemes (UAX #29).
#[derive(Clone, Debug, Default)]
pub(crate) struct Field {
    text: String,
    caret: usize,
    /// The column that vertical moves return to after shorter rows.
    goal_column: Option<usize>,
    history: UndoHistory,
    /// The last measurements, so that a long text isn't measured again for each frame.
    layout: LayoutCache,
}

/// Two fields are equal if they show the same text and caret.
impl PartialEq for Field {
    fn eq(&self, other: &Self) -> bool {
        self.caret == other.caret && self.text == other.text
    }
}

impl Eq for Field {}

impl Field {
    /// A field with a text, and the caret at its end.
    pub(crate) fn new(text: &str) -> Self {
        let mut field = Self::default();
        field.insert(text);
        field.history = UndoHistory::default();
        field
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Whether the text is empty or only whitespace.
    pub(crate) fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// The number of characters as a person counts them (graphemes).
    pub(crate) fn count(&self) -> usize {
        if self.text.is_ascii() {
            return self.text.len();
        }
        self.layout.count(|| self.text.graphemes(true).count())
    }

    /// Inserts a text at the caret. Control characters are dropped, except line breaks and tabs.
    pub(crate) fn insert(&mut self, text: &str) {
        self.replace(self.caret..self.caret, text);
    }

    /// Replaces the whole text, as one step that can be undone.
    pub(crate) fn put(&mut self, text: &str) {
        self.replace(0..self.text.len(), text);
    }

    /// Replaces a range by a text, and moves the caret behind it.
    pub(crate) fn replace(&mut self, range: Range<usize>, text: &str) {
        let text = sanitize(text);
        let mut room = (MAX_BYTES + range.len()).saturating_sub(self.text.len());
        room = room.min(text.len());
        while !text.is_char_boundary(room) {
            room -= 1;
        }
        self.change(range, &text[..room]);
    }

    /// Undoes the last change. False if there is none.
    pub(crate) fn undo(&mut self) -> bool {
        let caret = self.history.undo(&mut self.text);
        self.finish_change(caret)
    }

    /// Redoes the change that was undone last. False if there is none.
    pub(crate) fn redo(&mut self) -> bool {
        let caret = self.history.redo(&mut self.text);
        self.finish_change(caret)
    }

    /// Whether there is no room for another character.
    pub(crate) fn is_full(&self) -> bool {
        self.text.len() + char::MAX.len_utf8() > MAX_BYTES
    }

    /// Deletes the grapheme before the caret.
    pub(crate) fn erase(&mut self) {
        let start = self.previous_boundary(self.caret);
        self.delete(start, self.caret);
    }

    /// Deletes the grapheme after the caret.
    pub(crate) fn erase_next(&mut self) {
        let end = self.next_boundary(self.caret);
        self.delete(self.caret, end);
    }

    /// Deletes from the beginning of the word to the caret.
    pub(crate) fn erase_word(&mut self) {
        let start = self.word_before();
        self.delete(start, self.caret);
    }

    /// Deletes from the caret to the end of the word.
    pub(crate) fn erase_next_word(&mut self) {
        let end = self.word_after();
        self.delete(self.caret, end);
    }

    /// Deletes from the caret to the end of the line; at the end of a line, its line break.
    pub(crate) fn erase_line_end(&mut self) {
        let end = self.end_of_line();
        let end = if end == self.caret {
            self.next_boundary(end)
        } else {
            end
        };
        self.delete(self.caret, end);
    }

    /// Moves the caret one grapheme back.
    pub(crate) fn move_left(&mut self) {
        self.move_caret(self.previous_boundary(self.caret));
    }

    /// Moves the caret one grapheme forward.
    pub(crate) fn move_right(&mut self) {
        self.move_caret(self.next_boundary(self.caret));
    }

    /// Moves the caret one word back.
    pub(crate) fn move_word_left(&mut self) {
        self.move_caret(self.word_before());
    }

    /// Moves the caret one word forward.
    pub(crate) fn move_word_right(&mut self) {
        self.move_caret(self.word_after());
    }

    /// Moves the caret to the beginning of the line.
    pub(crate) fn move_to_line_start(&mut self) {
        self.move_caret(self.text[..self.caret].rfind('\n').map_or(0, |at| at + 1));
    }

    /// Moves the caret to the end of the line.
    pub(crate) fn move_to_line_end(&mut self) {
        self.move_caret(self.end_of_line());
    }

    /// Moves the caret up or down in a field of this many columns. False if there is no row there.
    pub(crate) fn move_rows(&mut self, by: isize, columns: usize) -> bool {
        let layout = self.rows(columns);
        let goal_column = self.goal_column.unwrap_or(layout.caret_column);
        let last = layout.rows.len().saturating_sub(1);
        let target = layout.caret_row.saturating_add_signed(by).min(last);
        if target == layout.caret_row {
            return false;
        }
        let row = &layout.rows[target];
        let mut at = row.start;
        let mut used = 0;
        for grapheme in self.text[row.start..row.end].graphemes(true) {
            used += grapheme_width(grapheme);
            if used > goal_column {
                break;
            }
            at += grapheme.len();
        }
        let is_wrapped = layout
            .rows
            .get(target + 1)
            .is_some_and(|next| next.start == row.end);
        if is_wrapped && at == row.end && at > row.start {
            at = self.previous_boundary(at);
        }
        self.caret = at;
        self.goal_column = Some(goal_column);
        true
    }

    /// The text wrapped to a width in columns. Every row leaves a column for the caret.
    pub(crate) fn rows(&self, columns: usize) -> Rows {
        let rows = self.layout.rows(&self.text, columns);
        let after = rows.partition_point(|row| row.start <= self.caret);
        let caret_row = after.saturating_sub(1);
        let before = &self.text[rows[caret_row].start..self.caret];
        let caret_column = before.graphemes(true).map(grapheme_width).sum();
        Rows {
            rows,
            caret_row,
            caret_column,
        }
    }

    /// The word before the caret, if it begins with `@`: its position in bytes, and its text
    /// without the sign.
    pub(crate) fn mention(&self) -> Option<(usize, &str)> {
        let mut from = self.caret.saturating_sub(MAX_MENTION_BYTES);
        while !self.text.is_char_boundary(from) {
            from += 1;
        }
        let before = &self.text[from..self.caret];
        let start = before
            .char_indices()
            .rfind(|(_, letter)| letter.is_whitespace());
        let start = match start {
            Some((at, blank)) => at + blank.len_utf8(),
            None if from == 0 => 0,
            None => return None,
        };
        let name = before[start..].strip_prefix('@')?;
        Some((from + start, name))
    }

    /// The position of the caret in bytes.
    pub(crate) fn caret(&self) -> usize {
        self.caret
    }

    /// The safe text of a row.
    pub(crate) fn row_text(&self, row: &FieldRow) -> SafeText {
        SafeText::line(&self.text[row.start..row.end].replace('\t', " "))
    }

    fn move_caret(&mut self, caret: usize) {
        self.caret = caret;
        self.goal_column = None;
        self.history.pause();
    }

    fn delete(&mut self, start: usize, end: usize) {
        self.change(start..end, "");
    }

    fn change(&mut self, range: Range<usize>, added: &str) {
        if range.is_empty() && added.is_empty() {
            return;
        }
        let at = range.start;
        let removed = self.text[range.clone()].to_owned();
        self.text.replace_range(range, added);
        self.history.record(self.caret, at, removed, added);
        self.finish_change(Some(at + added.len()));
    }

    /// Moves the caret after a change of the text. False if nothing has changed.
    fn finish_change(&mut self, caret: Option<usize>) -> bool {
        let Some(caret) = caret else { return false };
        self.caret = self.boundary_from(caret);
        self.goal_column = None;
        self.layout.clear();
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

    /// The first boundary between graphemes from a position on: typed text may have joined the
    /// graphemes around it.
    fn boundary_from(&self, at: usize) -> usize {
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

/// A text as a field stores it: every line break becomes `\n`, and other control characters are
/// removed, except tabs.
fn sanitize(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    text.chars()
        .filter(|&c| !c.is_control() || c == '\n' || c == '\t')
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(field: &Field, columns: usize) -> Vec<String> {
        let layout = field.rows(columns);
        layout
            .rows
            .iter()
            .map(|row| field.row_text(row).to_string())
            .collect()
    }

    #[test]
    fn the_caret_steps_over_whole_graphemes() {
        let mut field = Field::new("a👩‍👩‍👧‍👦e\u{301}");
        field.erase();
        assert_eq!(field.text(), "a👩‍👩‍👧‍👦");
        field.move_left();
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
        let layout = field.rows(9);
        assert_eq!((layout.caret_row, layout.caret_column), (1, 5));
    }

    #[test]
    fn vertical_moves_remember_their_column() {
        let mut field = Field::new("abcdef\nx\nabcdef");
        assert!(field.move_rows(-1, 20));
        assert!(field.move_rows(-1, 20));
        field.insert("!");
        assert_eq!(field.text(), "abcdef!\nx\nabcdef");
        assert!(!field.move_rows(-1, 20));
    }

    #[test]
    fn words_are_erased_whole() {
        let mut field = Field::new("one two  ");
        field.erase_word();
        assert_eq!(field.text(), "one ");
        field.move_word_left();
        field.move_word_right();
        field.move_to_line_start();
        field.insert("x");
        assert_eq!(field.text(), "xone ");
    }

    #[test]
    fn a_field_has_a_greatest_length() {
        let field = Field::new(&"é".repeat(MAX_BYTES));
        assert!(field.text().len() <= MAX_BYTES);
    }

    #[test]
    fn changes_are_undone_word_by_word_and_redone() {
        let mut field = Field::default();
        for typed in ["o", "n", "e", " ", "t", "w", "o"] {
            field.insert(typed);
        }
        field.insert("\npasted lines");
        assert!(field.undo() && field.text() == "one two");
        assert!(field.undo() && field.text() == "one ");
        assert!(field.redo() && field.text() == "one two");
        field.insert("!");
        assert!(!field.redo(), "a new change replaces the undone ones");
        field.erase();
        field.erase();
        assert!(field.undo() && field.text() == "one two!");
        field.put("from elsewhere");
        assert!(field.undo() && field.text() == "one two!");
        while field.undo() {}
        assert_eq!(field.text(), "");
    }

    #[test]
    fn the_initial_text_is_not_undone() {
        let mut field = Field::new("kept");
        assert!(!field.undo());
    }

    #[test]
    fn lines_and_words_are_erased_forwards() {
        let mut field = Field::new("one two\nthree");
        field.move_rows(-1, 20);
        field.move_to_line_start();
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
