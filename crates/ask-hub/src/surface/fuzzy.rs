//! How well a few letters fit a text: in a filter of choices, and for files of a project.

use ask_core::SafeText;
use unicode_segmentation::UnicodeSegmentation as _;

/// A match at the beginning of a word.
const AT_WORD: i32 = 8;
/// A match right after the one before.
const IN_A_ROW: i32 = 6;
/// Any match.
const AT_ALL: i32 = 2;
/// No more graphemes of a text are looked at.
const MOST: usize = 200;
/// No more beginnings are tried.
const BEGINNINGS: usize = 16;

/// A text as it is compared: safe, in lower case, by what a person sees as one character.
pub fn folded(text: &str) -> Vec<String> {
    let plain = SafeText::line(text).to_string().to_lowercase();
    let graphemes = plain.graphemes(true).take(MOST);
    graphemes.map(str::to_owned).collect()
}

/// How well the wanted characters occur in a text in their order; nothing where they don't. Runs
/// and beginnings of words count most.
pub fn score(wanted: &[String], text: &str) -> Option<i32> {
    let text = folded(text);
    // The best of all beginnings: "my" in "many mysteries" means the second word.
    (0..text.len().max(1))
        .filter(|&start| {
            wanted.is_empty() || text.get(start).is_some_and(|first| *first == wanted[0])
        })
        .take(BEGINNINGS)
        .filter_map(|start| score_from(wanted, &text, start))
        .max()
}

fn score_from(wanted: &[String], text: &[String], start: usize) -> Option<i32> {
    let mut total = 0;
    let mut from = start;
    for (nth, grapheme) in wanted.iter().enumerate() {
        let at = from + text[from..].iter().position(|other| other == grapheme)?;
        let begins = at == 0 || !is_word(&text[at - 1]);
        total += match (begins, nth > 0 && at == from) {
            (true, _) => AT_WORD,
            (false, true) => IN_A_ROW,
            (false, false) => AT_ALL,
        };
        if nth == 0 && at == 0 {
            total += AT_ALL;
        }
        from = at + 1;
    }
    Some(total)
}

/// Whether a text holds the wanted characters side by side.
pub fn holds(wanted: &[String], text: &str) -> bool {
    let text = folded(text);
    text.windows(wanted.len().max(1)).any(|part| part == wanted)
}

fn is_word(grapheme: &str) -> bool {
    grapheme.chars().any(char::is_alphanumeric)
}
