//! Detects pastes on terminals without bracketed paste: letters that come faster than anybody
//! types. A line break among them is text and sends nothing.

use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use crate::tui::event::Event;

/// Nobody types two keys within this time.
pub(super) const FASTEST: Duration = Duration::from_millis(8);

/// The limit if the second key was already there when the first was read: a busy machine reads late
/// what came together.
const LATE: Duration = Duration::from_millis(20);

/// The number of fast letters from which a paste counts as long.
const LONG: u32 = 64;

/// The limit within a long paste. It arrives in pieces, with gaps that a busy machine makes longer.
const GAP: Duration = Duration::from_millis(200);

/// The number of fast letters from which Enter belongs to a paste. On a slow connection, one key
/// and an Enter may arrive together.
const LETTERS: u32 = 2;

/// When the last letter came, and how many letters came as fast before it.
#[derive(Default)]
pub(super) struct PasteDetector {
    letter_at: Option<Duration>,
    letters: u32,
}

impl PasteDetector {
    /// Classifies a key. `at` is the time when it was read, on a monotonic clock; `was_there` tells
    /// whether it was available when the key before it had been read.
    pub(super) fn meet(&mut self, key: KeyEvent, at: Duration, was_there: bool) -> Event {
        if key.kind == KeyEventKind::Release {
            return Event::Key(key);
        }
        let bare = key.modifiers.difference(KeyModifiers::SHIFT).is_empty();
        let ctrl = key.modifiers == KeyModifiers::CONTROL;
        let since = self
            .letter_at
            .take()
            .map(|before| at.saturating_sub(before));
        let most = match (self.letters, was_there) {
            (LONG.., _) => GAP,
            (_, true) => LATE,
            (_, false) => FASTEST,
        };
        let fast = since.is_some_and(|since| since < most);
        if !fast {
            self.letters = 0;
        }
        let pasted = fast && self.letters >= LETTERS;
        match key.code {
            KeyCode::Enter if key.modifiers.is_empty() && pasted => {
                self.letter_at = Some(at);
                Event::Break
            }
            // Some terminals send Ctrl+J for a line break.
            KeyCode::Char('j') if ctrl && pasted => {
                self.letter_at = Some(at);
                Event::Break
            }
            KeyCode::Char(_) if bare => {
                self.letter_at = Some(at);
                self.letters = self.letters.saturating_add(1);
                Event::Key(key)
            }
            _ => Event::Key(key),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meet(burst: &mut PasteDetector, code: KeyCode, at_ms: u64) -> bool {
        met(burst, code, at_ms, false)
    }

    fn met(burst: &mut PasteDetector, code: KeyCode, at_ms: u64, was_there: bool) -> bool {
        let key = KeyEvent::new(code, KeyModifiers::NONE);
        let event = burst.meet(key, Duration::from_millis(at_ms), was_there);
        matches!(event, Event::Break)
    }

    #[test]
    fn enter_amid_a_burst_is_a_line_break() {
        let mut burst = PasteDetector::default();
        assert!(!meet(&mut burst, KeyCode::Char('a'), 99));
        assert!(!meet(&mut burst, KeyCode::Char('b'), 100));
        assert!(meet(&mut burst, KeyCode::Enter, 100));
        assert!(meet(&mut burst, KeyCode::Enter, 101), "an empty line, too");
        assert!(!meet(&mut burst, KeyCode::Char('b'), 107));
        assert!(meet(&mut burst, KeyCode::Enter, 114));
    }

    #[test]
    fn a_paste_that_is_read_slowly_is_a_paste_all_the_same() {
        let mut burst = PasteDetector::default();
        assert!(!met(&mut burst, KeyCode::Char('a'), 100, false));
        assert!(!met(&mut burst, KeyCode::Char('b'), 115, true));
        assert!(
            met(&mut burst, KeyCode::Enter, 134, true),
            "the key was available at once"
        );
        assert!(!met(&mut burst, KeyCode::Enter, 160, true), "for too long");
        let mut burst = PasteDetector::default();
        for at in 0..64 {
            meet(&mut burst, KeyCode::Char('a'), at);
        }
        assert!(meet(&mut burst, KeyCode::Enter, 200), "the next piece");
        assert!(!meet(&mut burst, KeyCode::Enter, 400), "that is a person");
    }

    #[test]
    fn enter_that_a_person_pressed_is_enter() {
        let mut burst = PasteDetector::default();
        assert!(!meet(&mut burst, KeyCode::Enter, 0));
        assert!(!meet(&mut burst, KeyCode::Char('a'), 100));
        assert!(!meet(&mut burst, KeyCode::Enter, 108));
        assert!(!meet(&mut burst, KeyCode::Char('1'), 150));
        assert!(!meet(&mut burst, KeyCode::Enter, 150), "a slow line");
        assert!(!meet(&mut burst, KeyCode::Char('a'), 199));
        assert!(!meet(&mut burst, KeyCode::Char('b'), 200));
        assert!(!meet(&mut burst, KeyCode::Down, 201));
        assert!(
            !meet(&mut burst, KeyCode::Enter, 202),
            "no letter came before"
        );
    }
}
