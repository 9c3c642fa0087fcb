//! Fuzzy matching: how well a few letters match a text. Used by the filter of choices and by the
//! file finder.

use ask_core::SafeText;
use unicode_segmentation::UnicodeSegmentation as _;

/// The score of a match at the beginning of a word.
const WORD_START_SCORE: i32 = 8;
/// The score of a match right after the previous one.
const RUN_SCORE: i32 = 6;
/// The score of any other match.
const MATCH_SCORE: i32 = 2;
/// How many graphemes of a text are compared.
const MAX_GRAPHEMES: usize = 200;
/// How many starting points are tried.
const MAX_STARTS: usize = 16;

/// A text prepared for comparison: safe, in lower case, split into graphemes.
pub fn fold(text: &str) -> Vec<String> {
    let plain = SafeText::line(text).to_string().to_lowercase();
    let graphemes = plain.graphemes(true).take(MAX_GRAPHEMES);
    graphemes.map(str::to_owned).collect()
}

/// How well the wanted characters occur in a text in their order; `None` if they don't. Runs and
/// beginnings of words score highest.
pub fn score(wanted: &[String], text: &str) -> Option<i32> {
    let text = fold(text);
    // The best of all starting points: "my" in "many mysteries" means the second word.
    (0..text.len().max(1))
        .filter(|&start| {
            wanted.is_empty() || text.get(start).is_some_and(|first| *first == wanted[0])
        })
        .take(MAX_STARTS)
        .filter_map(|start| score_from(wanted, &text, start))
        .max()
}

fn score_from(wanted: &[String], text: &[String], start: usize) -> Option<i32> {
    let mut total = 0;
    let mut from = start;
    for (index, grapheme) in wanted.iter().enumerate() {
        let at = from + text[from..].iter().position(|other| other == grapheme)?;
        let is_word_start = at == 0 || !is_word(&text[at - 1]);
        total += match (is_word_start, index > 0 && at == from) {
            (true, _) => WORD_START_SCORE,
            (false, true) => RUN_SCORE,
            (false, false) => MATCH_SCORE,
        };
        if index == 0 && at == 0 {
            total += MATCH_SCORE;
        }
        from = at + 1;
    }
    Some(total)
}

/// Whether a text contains the wanted characters side by side.
pub fn contains(wanted: &[String], text: &str) -> bool {
    let text = fold(text);
    text.windows(wanted.len().max(1)).any(|part| part == wanted)
}

fn is_word(grapheme: &str) -> bool {
    grapheme.chars().any(char::is_alphanumeric)
}
