//! Wraps a text into the rows of a field, and caches them until the text changes.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use ask_config::text;
use ask_core::SafeText;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthChar;

/// The rows of a field, and the position of its caret.
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
    pub start: usize,
    /// The end, without the line break.
    pub end: usize,
}

/// Measurements of a text, which are discarded when it changes.
#[derive(Clone, Debug, Default)]
pub(super) struct LayoutCache {
    /// The rows, and the width in columns that they were wrapped to.
    rows: RefCell<Option<(usize, Rc<Vec<FieldRow>>)>>,
    count: Cell<Option<usize>>,
}

impl LayoutCache {
    /// Discards the measurements because the text has changed.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// The rows at a width in columns, including the one of the caret.
    pub(super) fn rows(&self, text: &str, columns: usize) -> Rc<Vec<FieldRow>> {
        let mut cached = self.rows.borrow_mut();
        if let Some((measured, rows)) = cached.as_ref()
            && *measured == columns
        {
            return Rc::clone(rows);
        }
        let rows = Rc::new(wrap_text(text, columns.saturating_sub(1).max(1)));
        *cached = Some((columns, Rc::clone(&rows)));
        rows
    }

    /// The number of characters, from `measure` if it isn't known.
    pub(super) fn count(&self, measure: impl FnOnce() -> usize) -> usize {
        let count = self.count.get().unwrap_or_else(measure);
        self.count.set(Some(count));
        count
    }
}

/// The width of a grapheme in columns, as it is painted.
pub(super) fn grapheme_width(grapheme: &str) -> usize {
    if grapheme.len() == 1 {
        return 1;
    }
    let mut letters = grapheme.chars();
    if let (Some(letter), None) = (letters.next(), letters.next())
        && is_common_letter(letter)
    {
        return letter.width().unwrap_or(1);
    }
    // Measured between letters, because safe text drops whitespace at its edges.
    text::width(SafeText::line(&format!("x{grapheme}x")).as_str()).saturating_sub(2)
}

/// Whether a letter is painted as it is. Texts in common scripts are measured quickly by this.
fn is_common_letter(letter: char) -> bool {
    matches!(letter,
        'À'..='ɏ' | 'Α'..='ώ' | 'А'..='ё' | 'ぁ'..='ゖ' | 'ァ'..='ヺ' | '一'..='鿿' | '가'..='힣')
        && letter.is_alphanumeric()
}

fn wrap_text(text: &str, columns: usize) -> Vec<FieldRow> {
    let mut rows = Vec::new();
    let mut start = 0;
    for line in text.split('\n') {
        if line.is_ascii() {
            // In ASCII, every grapheme is one byte and one column.
            let columns_of_bytes = (0..line.len()).map(|at| (at, &line[at..=at], 1));
            wrap_line(line, columns_of_bytes, start, columns, &mut rows);
        } else {
            let graphemes = line.grapheme_indices(true);
            let measured = graphemes.map(|(at, grapheme)| (at, grapheme, grapheme_width(grapheme)));
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
    fn common_letters_are_as_wide_as_they_are_painted() {
        for letter in ('\u{80}'..=char::MAX).filter(|&letter| is_common_letter(letter)) {
            let painted = SafeText::line(&format!("x{letter}x"));
            assert_eq!(
                grapheme_width(&letter.to_string()),
                text::width(painted.as_str()) - 2,
                "{letter}"
            );
        }
    }
}
