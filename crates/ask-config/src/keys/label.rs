//! The labels of keys in the person's language: `↑↓`, `Enter`, `Ctrl+J`.

use crossterm::event::KeyCode;

use super::{KeyPress, Row};
use crate::i18n::Words;
use crate::text::width;

/// The label of a row's keys for the footer: its first ones, with those of the paired row.
pub fn brief(words: Words, row: &Row, mate: Option<&Row>, wide: bool) -> String {
    let shown = if wide { row.binding.showing } else { 1 };
    let mut label = String::new();
    for at in 0..shown.min(most(row, mate)) {
        let own = row.presses.get(at).copied();
        let other = mate.and_then(|mate| mate.presses.get(at)).copied();
        let next = match (other, own) {
            (Some(KeyPress::Key(KeyCode::BackTab)) | None, Some(own)) => name(words, own),
            (Some(other), Some(own)) => {
                let both = pair(words, other, own);
                if wide || width(&both) <= 3 {
                    both
                } else {
                    name(words, own)
                }
            }
            (Some(other), None) => name(words, other),
            (None, None) => continue,
        };
        let arrows = is_arrow(label.chars().next_back()) && is_arrow(next.chars().next());
        if !label.is_empty() && !arrows {
            label.push('/');
        }
        label.push_str(&next);
    }
    label
}

/// The label of all keys of a row, and of the paired row, for the help page.
pub fn all_keys(words: Words, row: &Row, mate: Option<&Row>) -> String {
    let one = |at: usize| {
        let other = mate.and_then(|mate| mate.presses.get(at));
        match (other, row.presses.get(at)) {
            (Some(&other), Some(&own)) => pair(words, other, own),
            (Some(&press), None) | (None, Some(&press)) => name(words, press),
            (None, None) => String::new(),
        }
    };
    let labels: Vec<String> = (0..most(row, mate)).map(one).collect();
    labels.join("  ")
}

fn most(row: &Row, mate: Option<&Row>) -> usize {
    let others = mate.map_or(0, |mate| mate.presses.len());
    row.presses.len().max(others)
}

/// The label of two keys that are described together: `↑↓`, `[ ]`, `PgUp/PgDn`.
fn pair(words: Words, one: KeyPress, two: KeyPress) -> String {
    let (first, second) = (name(words, one), name(words, two));
    let between = match (first.chars().next(), second.chars().next()) {
        (one, two) if is_arrow(one) && is_arrow(two) => "",
        (Some(one), Some(two)) if one.is_ascii_punctuation() && two.is_ascii_punctuation() => " ",
        _ => "/",
    };
    format!("{first}{between}{second}")
}

fn is_arrow(sign: Option<char>) -> bool {
    matches!(sign, Some('↑' | '↓' | '←' | '→'))
}

/// The label of one key.
pub(super) fn name(words: Words, press: KeyPress) -> String {
    match press {
        KeyPress::Key(code) => of_code(words, code),
        KeyPress::Ctrl(letter) if letter.is_uppercase() => {
            let shifted = words.format("keys-with-shift", &[("key", letter.to_string().into())]);
            words.format("keys-with-ctrl", &[("key", shifted.into())])
        }
        KeyPress::Ctrl(letter) => {
            let key = letter.to_uppercase().to_string();
            words.format("keys-with-ctrl", &[("key", key.into())])
        }
        KeyPress::CtrlKey(code) => {
            words.format("keys-with-ctrl", &[("key", of_code(words, code).into())])
        }
        KeyPress::Alt(code) => {
            words.format("keys-with-alt", &[("key", of_code(words, code).into())])
        }
        KeyPress::ShiftEnter => {
            let key = of_code(words, KeyCode::Enter);
            words.format("keys-with-shift", &[("key", key.into())])
        }
        KeyPress::Digits(most) => format!("1-{most}"),
        KeyPress::Typed | KeyPress::Any => words.say("keys-any-other"),
    }
}

fn of_code(words: Words, code: KeyCode) -> String {
    match code {
        KeyCode::Up => "↑".to_owned(),
        KeyCode::Down => "↓".to_owned(),
        KeyCode::Left => "←".to_owned(),
        KeyCode::Right => "→".to_owned(),
        KeyCode::Enter => words.say("keys-enter"),
        KeyCode::Esc => words.say("keys-esc"),
        KeyCode::Tab => words.say("keys-tab"),
        KeyCode::BackTab => {
            let key = words.say("keys-tab");
            words.format("keys-with-shift", &[("key", key.into())])
        }
        KeyCode::Backspace => words.say("keys-backspace"),
        KeyCode::Delete => words.say("keys-delete"),
        KeyCode::Home => words.say("keys-home"),
        KeyCode::End => words.say("keys-end"),
        KeyCode::PageUp => words.say("keys-page-up"),
        KeyCode::PageDown => words.say("keys-page-down"),
        KeyCode::Insert => words.say("keys-insert"),
        KeyCode::Char(' ') => words.say("keys-space"),
        KeyCode::Char(letter) => letter.to_string(),
        KeyCode::F(number) => format!("F{number}"),
        // No binding uses any other key.
        _ => String::new(),
    }
}
