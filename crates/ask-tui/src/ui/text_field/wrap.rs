//! Wraps a text into the rows of a field, measured once until it changes.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use ask_config::text;
use ask_core::SafeText;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthChar;

/// A field in rows.
pub(crate) struct Rows {
    /// At least one row.
    pub rows: Rc<Vec<FieldRow>>,
    /// The row of the caret.
    pub caret_row: usize,
    /// The column before which the caret is.
    pub caret_column: usize,
}

/// A row of a field, as a range of bytes.
#[derive(Debug)]
pub(crate) struct FieldRow {
    /// The first byte.
    pub start: usize,
    /// The end, without the line break.
    pub end: usize,
}

/// Measurements of a text, which are forgotten when it changes.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    /// The rows, and the width in columns that they were wrapped to.
    rows: RefCell<Option<(usize, Rc<Vec<FieldRow>>)>>,
    count: Cell<Option<usize>>,
}

impl Seen {
    /// Forgets the measurements because the text has changed.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }

    /// The rows at a width in columns, including the one of the caret.
    pub(super) fn rows(&self, text: &str, columns: usize) -> Rc<Vec<FieldRow>> {
        let mut kept = self.rows.borrow_mut();
        if let Some((measured, rows)) = kept.as_ref()
            && *measured == columns
        {
            return Rc::clone(rows);
        }
        let rows = Rc::new(wrapped(text, columns.saturating_sub(1).max(1)));
        *kept = Some((columns, Rc::clone(&rows)));
        rows
    }

    /// The number of characters, from `measure` if it isn't known.
    pub(super) fn count(&self, measure: impl FnOnce() -> usize) -> usize {
        let count = self.count.get().unwrap_or_else(measure);
        self.count.set(Some(count));
        count
    }
}

/// The width of a grapheme in columns where it is painted.
pub(super) fn columns_of(grapheme: &str) -> usize {
    if grapheme.len() == 1 {
        return 1;
    }
    let mut letters = grapheme.chars();
    if let (Some(letter), None) = (letters.next(), letters.next())
        && is_ordinary(letter)
    {
        return letter.width().unwrap_or(1);
    }
    // Measured between letters, because safe text drops whitespace at its edges.
    text::width(SafeText::line(&format!("x{grapheme}x")).as_str()).saturating_sub(2)
}

/// Letters that are painted as they are, so that texts in common scripts are measured quickly.
fn is_ordinary(letter: char) -> bool {
    matches!(letter,
        'À'..='ɏ' | 'Α'..='ώ' | 'А'..='ё' | 'ぁ'..='ゖ' | 'ァ'..='ヺ' | '一'..='鿿' | '가'..='힣')
        && letter.is_alphanumeric()
}

fn wrapped(text: &str, columns: usize) -> Vec<FieldRow> {
    let mut rows = Vec::new();
    let mut start = 0;
    for line in text.split('\n') {
        if line.is_ascii() {
            // In ASCII, every grapheme is one byte and one column.
            let columns_of_bytes = (0..line.len()).map(|at| (at, &line[at..=at], 1));
            wrap_line(line, columns_of_bytes, start, columns, &mut rows);
        } else {
            let graphemes = line.grapheme_indices(true);
            let measured = graphemes.map(|(at, grapheme)| (at, grapheme, columns_of(grapheme)));
            wrap_line(line, measured, start, columns, &mut rows);
        }
        start += line.len() + 1;
    }
    rows
}

fn wrap_line<'a>(
    line: &str,
    graphemes: impl Iterator<Item = (usize, &'a str, usize)>,
    offset: usize,
    columns: usize,
    rows: &mut Vec<FieldRow>,
) {
    let mut start = 0;
    let mut used = 0;
    // The start of the last word, and the columns before it.
    let mut word = (0, 0);
    for (at, grapheme, wide) in graphemes {
        if used + wide > columns && at > start {
            let (end, before) = if word.0 > start { word } else { (at, used) };
            rows.push(FieldRow {
                start: offset + start,
                end: offset + end,
            });
            start = end;
            used -= before;
        }
        used += wide;
        if grapheme == " " {
            word = (at + 1, used);
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

    #[test]
    fn ordinary_letters_are_as_wide_as_they_are_painted() {
        for letter in ('\u{80}'..=char::MAX).filter(|&letter| is_ordinary(letter)) {
            let painted = SafeText::line(&format!("x{letter}x"));
            assert_eq!(
                columns_of(&letter.to_string()),
                text::width(painted.as_str()) - 2,
                "{letter}"
            );
        }
    }
}
