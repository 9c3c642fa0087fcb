//! JSON escaped for a terminal: it has the same value, and no raw control or invisible character.

use ask_protocol::{escape, json_text, text_json};

/// Control characters, invisible characters and escapes.
pub const PIECES: &[&str] = &[
    "\u{7f}",
    "\u{9b}31m",
    "\u{9d}0;x\u{7}",
    "\u{202e}",
    "\u{2066}",
    "\u{2028}",
    "\u{200b}",
    "\u{feff}",
    "\u{e0041}",
    "\u{ad}",
    "\\u202e",
    "\\\\",
    "\\\"",
    "\"\u{85}\":",
    "\u{fffe}",
    "\u{10ffff}",
];

/// Writes the input as a JSON string and, if it is JSON, as its value.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let written = json_text(&*text);
    assert_shows_everything(&written, false);
    assert_eq!(text_json(&written), Ok((*text).into()));
    let escaped = escape(text.to_string());
    assert_shows_everything(&escaped, true);
    assert_eq!(
        escape(escaped.clone()),
        escaped,
        "escaping again changes nothing"
    );
    let Ok(value) = text_json(&text) else { return };
    // JSON allows a carriage return between values, but our own text never has one there.
    if !text.contains('\r') {
        assert_eq!(text_json(&escaped), Ok(value.clone()), "{escaped}");
    }
    let written = json_text(&value);
    assert_shows_everything(&written, false);
    assert_eq!(text_json(&written), Ok(value));
}

/// This list of characters is independent of the one under test: it was made from Unicode's tables.
fn assert_shows_everything(text: &str, has_lines: bool) {
    let hides = |letter: char| {
        let is_control = letter.is_control() && !(has_lines && matches!(letter, '\n' | '\t'));
        let turns = matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}')
            || ('\u{202a}'..='\u{202e}').contains(&letter)
            || ('\u{2066}'..='\u{2069}').contains(&letter);
        let is_invisible = matches!(
            letter,
            '\u{ad}' | '\u{200b}' | '\u{2028}' | '\u{2029}' | '\u{feff}'
        ) || ('\u{2060}'..='\u{2064}').contains(&letter)
            || ('\u{e0001}'..='\u{e007f}').contains(&letter);
        is_control || turns || is_invisible
    };
    assert!(!text.contains(hides), "{text:?}");
}
