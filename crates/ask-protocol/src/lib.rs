//! Our own JSON: records, drafts and outcomes ([`native`]), the messages between the hub and its
//! clients ([`ipc`]), the HTTP API ([`api`]), the lines of programs that embed us ([`jsonl`]),
//! webhooks ([`webhook`]) and the events of CodeNomad's bridge ([`bridge`]).
//!
//! Agents' tool contracts are not part of it: they are in `ask-dialects`, which builds on this
//! crate and is unknown here. A dialect's own words arrive as a [`Reply`] or as text.

pub mod answers;
pub mod api;
pub mod bridge;
pub mod ipc;
pub mod jsonl;
pub mod native;
pub mod reply;
pub mod webhook;

use serde::Serialize;
use serde_json::Map;

use ask_core::{Json, SafeText};

pub use reply::Reply;

/// The compact text of a value, or of one of our forms, that a terminal can show: see [`escape`].
pub fn json_text(value: &(impl Serialize + ?Sized)) -> String {
    escape(compact(value))
}

fn compact(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value).expect("our forms have texts for keys, and no part of them fails")
}

/// Writes each character that a terminal would interpret, or that nobody sees, as `\uXXXX`. JSON
/// requires this only for the first 32 characters, and means the same afterwards: such a character
/// occurs only in strings, and never after a backslash. (A carriage return between two values would
/// be spoilt, but none is ever written here.) In other text the character becomes visible. Line
/// feeds and tabs stay.
pub fn escape(text: String) -> String {
    let is_hidden =
        |character: char| !matches!(character, '\n' | '\t') && SafeText::hides(character);
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\n')) || !text.contains(is_hidden) {
        return text;
    }
    let mut out = String::with_capacity(text.len() + 64);
    for character in text.chars() {
        match is_hidden(character) {
            true => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
            false => out.push(character),
        }
    }
    out
}

/// A form of ours as a value, to be put into another one.
pub fn to_json(value: &impl Serialize) -> Json {
    serde_json::to_value(value).expect("our forms have texts for keys, and no part of them fails")
}

/// Parses a text that this project wrote itself.
pub fn text_json(text: &str) -> Result<Json, native::Malformed> {
    serde_json::from_str(text).map_err(|error| native::Malformed(error.to_string()))
}

fn put_some(out: &mut Map<String, Json>, key: &str, value: Option<&str>) {
    if let Some(value) = value {
        out.insert(key.to_owned(), value.into());
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn json_contains_no_character_that_a_terminal_interprets_or_nobody_sees() {
        let value =
            json!({"\u{9b}31m": ["\u{7f}\u{9d}0;x\u{7}", "a\u{202e}b\u{2028}", "\u{e0041}"]});
        assert_eq!(
            json_text(&value),
            r#"{"\u009b31m":["\u007f\u009d0;x\u0007","a\u202eb\u2028","\udb40\udc41"]}"#
        );
        assert_eq!(json_text("naïve 家 👩‍👧 ❤️"), "\"naïve 家 👩‍👧 ❤️\"");
        assert_eq!(escape("a\u{1b}[m\n\tb".to_owned()), "a\\u001b[m\n\tb");
    }

    proptest! {
        #[test]
        fn escaped_json_means_the_same(value in ask_core::testing::strategies::json()) {
            let text = json_text(&value);
            prop_assert!(!text.contains(SafeText::hides), "{text:?}");
            prop_assert_eq!(text_json(&text).expect("the text is JSON"), value);
        }

        #[test]
        fn escaped_strings_mean_the_same(text: String) {
            let written = json_text(&text);
            prop_assert!(!written.contains(SafeText::hides), "{written:?}");
            prop_assert_eq!(text_json(&written).expect("the text is JSON"), Json::from(text));
        }
    }
}
