//! Measuring, wrapping and clipping safe text by graphemes and display columns.
//! A grapheme is never split: families, flags and combined marks stay whole.

use std::ops::Range;

use ask_core::SafeText;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// How many columns a text takes, counted as it is painted: grapheme by grapheme.
pub fn width(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    text.graphemes(true).map(UnicodeWidthStr::width).sum()
}

/// Breaks a text into rows of at most this many columns, at words if possible. A grapheme that is
/// wider than a row gets a row of its own. There is always at least one row.
pub fn wrap(text: &SafeText, columns: usize) -> Vec<SafeText> {
    let columns = columns.max(1);
    let mut rows = Vec::new();
    for line in text.as_str().split('\n') {
        let line = line.trim_end();
        let parts = breaks(line, columns);
        rows.extend(parts.into_iter().map(|part| SafeText::line(&line[part])));
    }
    rows
}

/// Where one line breaks into rows of at most this many columns. There is always at least one row.
pub fn breaks(line: &str, columns: usize) -> Vec<Range<usize>> {
    let mut rows = Vec::new();
    wrap_line(line, columns.max(1), &mut rows);
    rows
}

/// Wraps a text and keeps at most this many rows. If there were more, the last one ends with
/// `mark`.
pub fn wrap_clamped(text: &SafeText, columns: usize, rows: usize, mark: &str) -> Vec<SafeText> {
    let mut wrapped = wrap(text, columns);
    if wrapped.len() > rows {
        wrapped.truncate(rows);
        if let Some(last) = wrapped.last_mut() {
            let marked = format!("{}{mark}", last.as_str());
            *last = if width(&marked) <= columns {
                SafeText::line(&marked)
            } else {
                let kept = fitting(last.as_str(), columns.saturating_sub(width(mark)));
                SafeText::line(&format!("{}{mark}", kept.trim_end()))
            };
        }
    }
    wrapped
}

/// Cuts a text to at most this many columns. A cut text ends with `mark`.
pub fn clip(text: &SafeText, columns: usize, mark: &str) -> SafeText {
    if width(text.as_str()) <= columns {
        return text.clone();
    }
    let room = columns.saturating_sub(width(mark));
    if room == 0 {
        return SafeText::line(fitting(text.as_str(), columns));
    }
    let kept = fitting(text.as_str(), room).trim_end();
    SafeText::line(&format!("{kept}{mark}"))
}

fn wrap_line(line: &str, columns: usize, rows: &mut Vec<Range<usize>>) {
    if line.len() <= columns && line.is_ascii() {
        rows.push(0..line.len());
        return;
    }
    let mut start = 0;
    let mut used = 0;
    let mut break_at = None;
    for (at, grapheme) in line.grapheme_indices(true) {
        let wide = UnicodeWidthStr::width(grapheme);
        let blank = grapheme.chars().all(char::is_whitespace);
        if wide > 1 && at > start {
            break_at = Some(at);
        }
        if used + wide > columns && at > start {
            if blank {
                // The blank that doesn't fit ends a row of whole words.
                break_at = Some(at + grapheme.len());
                continue;
            }
            let end = break_at.filter(|&end| end > start).unwrap_or(at);
            rows.push(start..start + line[start..end].trim_end().len());
            start = end + leading_blanks(&line[end..at]);
            used = width(&line[start..at]);
            break_at = None;
        }
        used += wide;
        if blank || grapheme == "-" || grapheme == "/" {
            break_at = Some(at + grapheme.len());
        }
    }
    rows.push(start..line.len());
}

fn leading_blanks(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

fn fitting(text: &str, columns: usize) -> &str {
    let mut used = 0;
    for (at, grapheme) in text.grapheme_indices(true) {
        used += UnicodeWidthStr::width(grapheme);
        if used > columns {
            return &text[..at];
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str, columns: usize) -> Vec<String> {
        let wrapped = wrap(&SafeText::block(text), columns);
        wrapped.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn words_stay_whole_where_they_fit() {
        assert_eq!(rows("one two three", 8), ["one two", "three"]);
        assert_eq!(rows("one two", 7), ["one two"]);
        assert_eq!(rows("one two ", 3), ["one", "two"]);
        assert_eq!(rows("one two three", 7), ["one two", "three"]);
        assert_eq!(rows("one two   three", 7), ["one two", "three"]);
    }

    #[test]
    fn a_long_word_is_cut_between_graphemes() {
        assert_eq!(rows("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(rows("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 3), ["👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦"]);
    }

    #[test]
    fn wide_characters_count_twice_and_may_break_anywhere() {
        assert_eq!(rows("日本語の文", 4), ["日本", "語の", "文"]);
        assert_eq!(rows("日本", 1), ["日", "本"]);
    }

    #[test]
    fn line_breaks_and_indents_are_kept() {
        assert_eq!(rows("a\n\n  b", 10), ["a", "", "  b"]);
    }

    #[test]
    fn a_clipped_text_fits_and_ends_with_the_mark() {
        let cut = clip(&SafeText::line("日本語の文"), 6, "…");
        assert_eq!(cut.as_str(), "日本…");
        assert!(width(cut.as_str()) <= 6);
        assert_eq!(clip(&SafeText::line("abc"), 0, "…").as_str(), "");
        let rows = wrap_clamped(&SafeText::line("one two three four"), 9, 1, "…");
        assert_eq!(rows[0].as_str(), "one two…");
    }
}
