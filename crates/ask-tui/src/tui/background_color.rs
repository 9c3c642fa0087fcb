//! Detects whether the terminal's background is light or dark (xterm, OSC 11). The query is sent
//! once, and nothing waits for the reply. It arrives among the keys and is removed from them, as are
//! replies to other programs. A late reply loses no key, and a missing one costs no time.

use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::event::Event;

/// The query for the background colour.
pub(super) const QUERY: &str = "\u{1b}]11;?\u{1b}\\";

/// The beginning of its reply behind `ESC ]`.
const REPLY_PREFIX: &str = "11;";
/// The greatest length of a reply that is read, in characters. Longer ones are dropped whole.
const MAX_LENGTH: usize = 40;
/// What precedes the last character of a reply.
const ESCAPE: char = '\u{1b}';
/// How long a terminal may pause within a reply.
pub(super) const REPLY_GAP: Duration = Duration::from_millis(100);

/// The background that the person's colours are shown on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum BackgroundColor {
    /// The terminal hasn't replied.
    #[default]
    Unknown,
    Light,
    Dark,
}

/// Picks replies of the terminal out of the keys, also those to what another program asked, such as
/// an editor: nobody typed them. crossterm reports `ESC ]` as Alt+], `ESC P` as Alt+P and so on, and
/// the rest as letters. Of a reply that begins with `ESC [ >` it reports what follows.
///
/// The parts of a reply arrive together, so a key that nothing follows is never held.
#[derive(Debug, Default)]
pub(super) struct ReplyDetector {
    /// Whether the reply to [`QUERY`] may still arrive.
    is_waiting: bool,
    /// Keys that may be the beginning of a reply.
    held: Vec<KeyEvent>,
    kind: Option<Reply>,
    text: String,
}

/// What begins a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reply {
    /// `ESC ]` (OSC): a number, a semicolon, a text.
    Osc,
    /// `ESC P` (DCS), `ESC _` (APC), or `ESC ^` (PM).
    Text,
    /// `ESC [ >`: numbers and semicolons, then `c` or `m`, of which crossterm reports no beginning.
    Attributes,
}

impl Reply {
    /// The reply that a key may begin.
    fn from_key(key: KeyEvent) -> Option<Self> {
        match (key.code, key.modifiers) {
            (KeyCode::Char(']'), KeyModifiers::ALT) => Some(Self::Osc),
            (KeyCode::Char('P' | '_' | '^'), modifiers)
                if modifiers.difference(KeyModifiers::SHIFT) == KeyModifiers::ALT =>
            {
                Some(Self::Text)
            }
            (KeyCode::Char('0'..='9'), KeyModifiers::NONE) => Some(Self::Attributes),
            _ => None,
        }
    }

    /// Whether a text is the beginning of such a reply. `None` if it may be.
    fn matches(self, text: &str) -> Option<bool> {
        let rest = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
        match (self, rest.chars().next()) {
            (Self::Osc, None) => None,
            (Self::Osc, Some(letter)) => Some(letter == ';' && rest.len() < text.len()),
            (Self::Text, _) => {
                let first = text.chars().next();
                first.map(|letter| letter.is_ascii_digit() || ">!+$G".contains(letter))
            }
            (Self::Attributes, _) => {
                let is_part = |letter: char| letter.is_ascii_digit() || letter == ';';
                match (text.strip_suffix(['c', 'm']), text.chars().all(is_part)) {
                    (Some(numbers), _) => {
                        Some(numbers.contains(';') && numbers.chars().all(is_part))
                    }
                    (None, true) => None,
                    (None, false) => Some(false),
                }
            }
        }
    }
}

impl ReplyDetector {
    /// A detector. `queried` says whether [`QUERY`] was sent.
    pub(super) fn new(queried: bool) -> Self {
        Self {
            is_waiting: queried,
            ..Self::default()
        }
    }

    /// Whether keys are held.
    pub(super) fn is_holding(&self) -> bool {
        self.kind.is_some()
    }

    /// Handles a key and returns the events that it completes. Empty while the keys may still be a
    /// reply. `more_follows` says whether further input arrives faster than anybody types.
    pub(super) fn handle_key(
        &mut self,
        key: KeyEvent,
        more_follows: impl FnOnce() -> bool,
    ) -> Vec<Event> {
        if key.kind == KeyEventKind::Release {
            // Of a key that may be held.
            if self.is_holding() {
                self.held.push(key);
                return Vec::new();
            }
            return vec![Event::Key(key)];
        }
        let Some(kind) = self.kind else {
            let kind = Reply::from_key(key).filter(|_| more_follows());
            let Some(kind) = kind else {
                return vec![Event::Key(key)];
            };
            self.kind = Some(kind);
            self.held.push(key);
            if let (Reply::Attributes, KeyCode::Char(digit)) = (kind, key.code) {
                self.text.push(digit);
            }
            return Vec::new();
        };
        // A terminal may send `ESC \` in two parts.
        let has_escape = self.text.ends_with(ESCAPE);
        let is_end = match (key.code, key.modifiers) {
            (KeyCode::Char('\\'), KeyModifiers::ALT)
            | (KeyCode::Char('g'), KeyModifiers::CONTROL) => true,
            (KeyCode::Char('\\'), KeyModifiers::NONE) => has_escape,
            _ => false,
        };
        let is_reply = kind != Reply::Attributes && kind.matches(&self.text) == Some(true);
        if is_reply && key.code == KeyCode::Esc {
            self.text.push(ESCAPE);
            return Vec::new();
        }
        if is_end && is_reply {
            let text = self.text.trim_end_matches(ESCAPE);
            let background = text.strip_prefix(REPLY_PREFIX);
            let background = background.filter(|_| self.is_waiting && kind == Reply::Osc);
            let event = background.map(|colour| Event::BackgroundColor(parse_background(colour)));
            self.is_waiting &= event.is_none();
            self.reset();
            return event.into_iter().collect();
        }
        match key.code {
            KeyCode::Char(letter) if (key.modifiers - KeyModifiers::SHIFT).is_empty() => {
                self.held.push(key);
                if self.text.len() <= MAX_LENGTH {
                    self.text.push(letter);
                }
            }
            _ => {
                let mut events = self.release();
                events.push(Event::Key(key));
                return events;
            }
        }
        match (kind, kind.matches(&self.text)) {
            (_, Some(false)) => self.release(),
            (Reply::Attributes, Some(true)) => {
                self.reset();
                Vec::new()
            }
            (Reply::Attributes, None) if self.text.len() > MAX_LENGTH => self.release(),
            (Reply::Osc | Reply::Text, Some(true)) => {
                // It is one, so the keys are not needed any more.
                self.held.clear();
                Vec::new()
            }
            (_, None) => Vec::new(),
        }
    }

    /// Returns the held keys as events, unless they began like a reply, which nobody typed.
    pub(super) fn release(&mut self) -> Vec<Event> {
        let held = std::mem::take(&mut self.held);
        self.reset();
        held.into_iter().map(Event::Key).collect()
    }

    fn reset(&mut self) {
        self.held.clear();
        self.text.clear();
        self.kind = None;
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
            .flat_map(|&key| detector.handle_key(key, || true))
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
        for typed in ["1x", "x", ";"] {
            let keys = reply_keys(typed, KeyEvent::from(KeyCode::Enter));
            assert_eq!(events_of(&keys).len(), keys.len(), "{typed}");
        }
        for digits in ["3", "10;20", "1c", "12", "1;2d"] {
            let keys: Vec<KeyEvent> =
                reply_keys(digits, KeyEvent::from(KeyCode::Enter)).split_off(1);
            assert_eq!(events_of(&keys).len(), keys.len(), "{digits}");
        }
        for key in [
            KeyEvent::new(KeyCode::Char(']'), KeyModifiers::ALT),
            KeyEvent::new(KeyCode::Char('P'), KeyModifiers::ALT),
            KeyEvent::from(KeyCode::Char('1')),
        ] {
            let mut detector = ReplyDetector::new(true);
            assert_eq!(detector.handle_key(key, || false).len(), 1, "{key:?}");
            assert!(!detector.is_holding());
        }
    }

    #[test]
    fn what_another_program_asked_becomes_no_key() {
        let bell = KeyEvent::new(KeyCode::Char('g'), KeyModifiers::CONTROL);
        for reply in ["10;rgb:0/0/0", "11;rgb:0/0/0", "4;1;rgb:f/f/f", "52;c;bm8="] {
            let mut detector = ReplyDetector::new(false);
            let keys = reply_keys(reply, bell);
            let events: Vec<Event> = keys
                .iter()
                .flat_map(|&key| detector.handle_key(key, || true))
                .collect();
            assert!(events.is_empty(), "{reply}: {events:?}");
        }
        for (start, reply) in [('P', ">|tmux 3.4"), ('P', "1$r0 q"), ('_', "Gi=1;OK")] {
            let mut keys = reply_keys(reply, KeyEvent::new(KeyCode::Char('\\'), KeyModifiers::ALT));
            keys[0] = KeyEvent::new(KeyCode::Char(start), KeyModifiers::ALT);
            assert!(events_of(&keys).is_empty(), "{reply}");
        }
        let mut split = reply_keys("10;rgb:0/0/0", KeyEvent::from(KeyCode::Esc));
        split.push(KeyEvent::from(KeyCode::Char('\\')));
        assert!(events_of(&split).is_empty(), "in two parts");
        for attributes in ["41;354;0c", "1;10;0c", "4;2m"] {
            let keys = reply_keys(attributes, KeyEvent::from(KeyCode::Enter)).split_off(1);
            assert_eq!(events_of(&keys).len(), 1, "{attributes}: Enter alone");
        }
    }

    #[test]
    fn an_endless_reply_is_dropped() {
        let keys = reply_keys(
            &format!("11;{}", "f".repeat(400)),
            KeyEvent::from(KeyCode::Enter),
        );
        let events = events_of(&keys);
        assert!(events.len() <= 1, "{events:?}");
    }
}
