//! Detects whether the terminal's background is light or dark (xterm, OSC 11). The query is sent
//! once, and nothing waits for the reply. It arrives among the keys and is removed from them. A
//! late reply loses no key, and a missing one costs no time.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::event::Event;

/// The query for the background colour.
pub(super) const QUERY: &str = "\u{1b}]11;?\u{1b}\\";

/// The beginning of a reply behind `ESC ]`.
const REPLY_PREFIX: &str = "11;";
/// The greatest length of a reply in characters.
const MAX_LENGTH: usize = 40;

/// The background that the person's colours are shown on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum BackgroundColor {
    /// The terminal hasn't replied.
    #[default]
    Unknown,
    Light,
    Dark,
}

/// Picks the terminal's reply out of the keys. crossterm reports `ESC ]` as Alt+], and the rest as
/// letters.
#[derive(Debug, Default)]
pub(super) struct ReplyDetector {
    /// Whether a reply may still arrive.
    is_waiting: bool,
    /// Keys that may be the beginning of a reply.
    held: Vec<KeyEvent>,
    reply: String,
}

impl ReplyDetector {
    /// A detector. Without a query it passes every key on.
    pub(super) fn new(queried: bool) -> Self {
        Self {
            is_waiting: queried,
            ..Self::default()
        }
    }

    /// Handles a key and returns the events that it completes. Empty while the keys may still be a
    /// reply.
    pub(super) fn handle_key(&mut self, key: KeyEvent) -> Vec<Event> {
        if !self.is_waiting {
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
        let is_end = (alt && key.code == KeyCode::Char('\\'))
            || (key.modifiers == KeyModifiers::CONTROL && key.code == KeyCode::Char('g'));
        self.held.push(key);
        if is_end && self.reply.starts_with(REPLY_PREFIX) {
            self.is_waiting = false;
            let background = parse_background(&self.reply[REPLY_PREFIX.len()..]);
            self.reset();
            return vec![Event::BackgroundColor(background)];
        }
        let letter = match key.code {
            KeyCode::Char(letter) if !alt => letter,
            _ => return self.release(),
        };
        self.reply.push(letter);
        let may_be_reply =
            REPLY_PREFIX.starts_with(&self.reply) || self.reply.starts_with(REPLY_PREFIX);
        if may_be_reply && self.reply.len() <= MAX_LENGTH {
            return Vec::new();
        }
        self.release()
    }

    /// Returns the held keys as events, unless they began like a reply, which nobody typed.
    fn release(&mut self) -> Vec<Event> {
        let is_reply = self.reply.starts_with(REPLY_PREFIX);
        let held = std::mem::take(&mut self.held);
        self.reset();
        if is_reply {
            return Vec::new();
        }
        held.into_iter().map(Event::Key).collect()
    }

    fn reset(&mut self) {
        self.held.clear();
        self.reply.clear();
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

    fn reply_keys(reply: &str, end: KeyEvent) -> Vec<KeyEvent> {
        let mut keys = vec![KeyEvent::new(KeyCode::Char(']'), KeyModifiers::ALT)];
        let typed = reply
            .chars()
            .map(|letter| KeyEvent::from(KeyCode::Char(letter)));
        keys.extend(typed);
        keys.push(end);
        keys
    }

    fn events_of(keys: &[KeyEvent]) -> Vec<Event> {
        let mut detector = ReplyDetector::new(true);
        keys.iter()
            .flat_map(|&key| detector.handle_key(key))
            .collect()
    }

    #[test]
    fn a_reply_becomes_no_key() {
        let escape = KeyEvent::new(KeyCode::Char('\\'), KeyModifiers::ALT);
        let bell = KeyEvent::new(KeyCode::Char('g'), KeyModifiers::CONTROL);
        let mut keys = vec![KeyEvent::from(KeyCode::Char('j'))];
        keys.extend(reply_keys("11;rgb:ffff/ffff/dddd", escape));
        keys.push(KeyEvent::from(KeyCode::Char('k')));
        let events = events_of(&keys);
        assert!(matches!(
            &events[..],
            [
                Event::Key(_),
                Event::BackgroundColor(BackgroundColor::Light),
                Event::Key(_)
            ]
        ));
        let events = events_of(&reply_keys("11;rgb:1e/1e/2e", bell));
        assert!(matches!(
            &events[..],
            [Event::BackgroundColor(BackgroundColor::Dark)]
        ));
        let events = events_of(&reply_keys("11;nonsense", bell));
        assert!(matches!(
            &events[..],
            [Event::BackgroundColor(BackgroundColor::Unknown)]
        ));
    }

    #[test]
    fn keys_that_begin_like_a_reply_are_passed_on() {
        let keys = reply_keys("1x", KeyEvent::from(KeyCode::Enter));
        assert_eq!(events_of(&keys).len(), keys.len());
        let mut detector = ReplyDetector::new(false);
        let alt = KeyEvent::new(KeyCode::Char(']'), KeyModifiers::ALT);
        assert_eq!(detector.handle_key(alt).len(), 1);
    }

    #[test]
    fn an_endless_reply_is_dropped() {
        let keys = reply_keys(
            &format!("11;{}", "f".repeat(38)),
            KeyEvent::from(KeyCode::Char('q')),
        );
        let events = events_of(&keys);
        assert!(events.len() <= 1, "{events:?}");
    }
}
