//! Pastes of terminals that don't say where a paste begins: letters that come too
//! fast to be typed. A line break among them is a line break, and sends nothing.

use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use crate::surface::tui::event::Event;

/// Nobody types two keys within this time.
const FASTEST: Duration = Duration::from_millis(8);

/// One key and an Enter may come together where the line is slow: that is no paste yet.
const LETTERS: u32 = 2;

/// When the last letter came, and how many came as fast before it.
#[derive(Default)]
pub struct Burst {
    letter_at: Option<Duration>,
    letters: u32,
}

impl Burst {
    /// What a key is, given the moment it came on any steady clock.
    pub fn meet(&mut self, key: KeyEvent, at: Duration) -> Event {
        if key.kind == KeyEventKind::Release {
            return Event::Key(key);
        }
        let bare = key.modifiers.difference(KeyModifiers::SHIFT).is_empty();
        let ctrl = key.modifiers == KeyModifiers::CONTROL;
        let since = self
            .letter_at
            .take()
            .map(|before| at.saturating_sub(before));
        let fast = since.is_some_and(|since| since < FASTEST);
        if !fast {
            self.letters = 0;
        }
        let pasted = fast && self.letters >= LETTERS;
        match key.code {
            KeyCode::Enter if key.modifiers.is_empty() && pasted => {
                self.letter_at = Some(at);
                Event::Break
            }
            // What some terminals make of a line break.
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

    fn meet(burst: &mut Burst, code: KeyCode, at_ms: u64) -> bool {
        let key = KeyEvent::new(code, KeyModifiers::NONE);
        matches!(burst.meet(key, Duration::from_millis(at_ms)), Event::Break)
    }

    #[test]
    fn enter_amid_a_burst_is_a_line_break() {
        let mut burst = Burst::default();
        assert!(!meet(&mut burst, KeyCode::Char('a'), 99));
        assert!(!meet(&mut burst, KeyCode::Char('b'), 100));
        assert!(meet(&mut burst, KeyCode::Enter, 100));
        assert!(meet(&mut burst, KeyCode::Enter, 101), "an empty line, too");
        assert!(!meet(&mut burst, KeyCode::Char('b'), 107));
        assert!(meet(&mut burst, KeyCode::Enter, 114));
    }

    #[test]
    fn enter_that_a_person_pressed_is_enter() {
        let mut burst = Burst::default();
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
