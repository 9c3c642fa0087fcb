//! Finds out whether the terminal's background is light or dark (OSC 11). The query is sent once
//! and nothing waits for the reply: it arrives among the keys and is picked out of them. No key is
//! lost, however late it comes, and a terminal that doesn't reply costs no time.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::event::Event;

/// Asks for the background colour: xterm's OSC 11.
pub(super) const QUERY: &str = "\u{1b}]11;?\u{1b}\\";

/// How the reply begins behind `ESC ]`.
const BEGIN: &str = "11;";
/// The greatest length of a reply in characters.
const LONGEST: usize = 40;

/// The background that the person's colours are shown on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum BackgroundColor {
    /// The terminal hasn't replied.
    #[default]
    Unknown,
    /// A light background.
    Light,
    /// A dark background.
    Dark,
}

/// Picks the terminal's reply out of the keys. crossterm reports `ESC ]` as Alt+], and the rest as
/// letters.
#[derive(Debug, Default)]
pub(super) struct Listener {
    /// Whether a reply may still come.
    open: bool,
    /// Keys that may be the beginning of a reply.
    held: Vec<KeyEvent>,
    said: String,
}

impl Listener {
    /// A listener; without a query it passes every key on.
    pub(super) fn new(asked: bool) -> Self {
        Self {
            open: asked,
            ..Self::default()
        }
    }

    /// Takes a key and returns the events that it completes. Empty while the keys may still be a
    /// reply.
    pub(super) fn hear(&mut self, key: KeyEvent) -> Vec<Event> {
        if !self.open {
            return vec![Event::Key(key)];
        }
        let alt = key.modifiers == KeyModifiers::ALT;
        if self.held.is_empty() {
            if alt && key.code == KeyCode::Char(']') {
                self.held.push(key);
                return Vec::new();
            }
            return vec![Event::Key(key)];
        }
        let ends = (alt && key.code == KeyCode::Char('\\'))
            || (key.modifiers == KeyModifiers::CONTROL && key.code == KeyCode::Char('g'));
        self.held.push(key);
        if ends && self.said.starts_with(BEGIN) {
            self.open = false;
            let background = parse_background(&self.said[BEGIN.len()..]);
            self.forget();
            return vec![Event::BackgroundColor(background)];
        }
        let letter = match key.code {
            KeyCode::Char(letter) if !alt => letter,
            _ => return self.release(),
        };
        self.said.push(letter);
        let fits = BEGIN.starts_with(&self.said) || self.said.starts_with(BEGIN);
        if fits && self.said.len() <= LONGEST {
            return Vec::new();
        }
        self.release()
    }

    /// Returns the held keys, unless they began like a reply: nobody typed those.
    fn release(&mut self) -> Vec<Event> {
        let is_answer = self.said.starts_with(BEGIN);
        let held = std::mem::take(&mut self.held);
        self.forget();
        if is_answer {
            return Vec::new();
        }
        held.into_iter().map(Event::Key).collect()
    }

    fn forget(&mut self) {
        self.held.clear();
        self.said.clear();
    }
}

/// Classifies a colour such as `rgb:ffff/ffff/dddd` by its brightness.
fn parse_background(colour: &str) -> BackgroundColor {
    let Some((_, parts)) = colour.split_once(':') else {
        return BackgroundColor::Unknown;
    };
    let part = |digits: &str| {
        let value = u32::from_str_radix(digits, 16).ok()?;
        let most = 16_u32.checked_pow(u32::try_from(digits.len()).ok()?)? - 1;
        (most > 0).then(|| value * 1_000 / most)
    };
    let parts: Option<Vec<u32>> = parts.split('/').take(3).map(part).collect();
    match parts.as_deref() {
        Some([red, green, blue]) if red * 30 + green * 59 + blue * 11 > 50_000 => {
            BackgroundColor::Light
        }
        Some([_, _, _]) => BackgroundColor::Dark,
        Some(_) | None => BackgroundColor::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(said: &str, end: KeyEvent) -> Vec<KeyEvent> {
        let mut keys = vec![KeyEvent::new(KeyCode::Char(']'), KeyModifiers::ALT)];
        let typed = said
            .chars()
            .map(|letter| KeyEvent::from(KeyCode::Char(letter)));
        keys.extend(typed);
        keys.push(end);
        keys
    }

    fn heard(keys: &[KeyEvent]) -> Vec<Event> {
        let mut listener = Listener::new(true);
        keys.iter().flat_map(|&key| listener.hear(key)).collect()
    }

    #[test]
    fn an_answer_is_no_key_however_it_ends() {
        let escape = KeyEvent::new(KeyCode::Char('\\'), KeyModifiers::ALT);
        let bell = KeyEvent::new(KeyCode::Char('g'), KeyModifiers::CONTROL);
        let mut keys = vec![KeyEvent::from(KeyCode::Char('j'))];
        keys.extend(answer("11;rgb:ffff/ffff/dddd", escape));
        keys.push(KeyEvent::from(KeyCode::Char('k')));
        let events = heard(&keys);
        assert!(matches!(
            &events[..],
            [
                Event::Key(_),
                Event::BackgroundColor(BackgroundColor::Light),
                Event::Key(_)
            ]
        ));
        let events = heard(&answer("11;rgb:1e/1e/2e", bell));
        assert!(matches!(
            &events[..],
            [Event::BackgroundColor(BackgroundColor::Dark)]
        ));
        let events = heard(&answer("11;nonsense", bell));
        assert!(matches!(
            &events[..],
            [Event::BackgroundColor(BackgroundColor::Unknown)]
        ));
    }

    #[test]
    fn keys_that_begin_alike_are_given_back() {
        let keys = answer("1x", KeyEvent::from(KeyCode::Enter));
        assert_eq!(heard(&keys).len(), keys.len());
        let mut listener = Listener::new(false);
        let alt = KeyEvent::new(KeyCode::Char(']'), KeyModifiers::ALT);
        assert_eq!(listener.hear(alt).len(), 1);
    }

    #[test]
    fn what_never_ends_is_typed_by_nobody() {
        let keys = answer(
            &format!("11;{}", "f".repeat(38)),
            KeyEvent::from(KeyCode::Char('q')),
        );
        let events = heard(&keys);
        assert!(events.len() <= 1, "{events:?}");
    }
}
