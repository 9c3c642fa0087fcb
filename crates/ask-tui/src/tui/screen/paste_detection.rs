//! Detects pastes on terminals without bracketed paste: letters that come faster than anybody
//! types. A line break among them is text and sends nothing. Keys that come right after a bracketed
//! paste belong to it, too: the text may contain the sequence that ends a paste.

use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use crate::tui::event::Event;

/// The limit between two keys of a paste. Nobody types that fast.
pub(super) const TYPING_GAP: Duration = Duration::from_millis(8);

/// The limit if the second key was available when the first was read: a busy machine may read keys
/// late that arrived together.
const LATE_READ_GAP: Duration = Duration::from_millis(20);

/// The number of fast letters from which a paste counts as long.
const LONG_PASTE_LETTERS: u32 = 64;

/// The limit within a long paste. It arrives in pieces, with gaps that a busy machine makes longer.
const LONG_PASTE_GAP: Duration = Duration::from_millis(200);

/// The number of fast letters from which Enter belongs to a paste. On a slow connection, one key
/// and an Enter may arrive together.
const MIN_LETTERS: u32 = 2;

/// The time of the last letter, and the number of letters before it that arrived as fast.
#[derive(Default)]
pub(super) struct PasteDetector {
    letter_at: Option<Duration>,
    letters: u32,
    /// Whether the last keys came right behind a bracketed paste.
    is_rest: bool,
}

impl PasteDetector {
    /// Records a bracketed paste. What comes as fast behind it belongs to it.
    pub(super) fn record_paste(&mut self, at: Duration) {
        self.letter_at = Some(at);
        self.letters = MIN_LETTERS;
        self.is_rest = true;
    }

    /// Classifies a key as an event. `at` is the time when it was read, on a monotonic clock.
    /// `was_available` says whether it could be read right after the key before it. `None` for a key
    /// that is no text, behind a bracketed paste.
    pub(super) fn classify(
        &mut self,
        key: KeyEvent,
        at: Duration,
        was_available: bool,
    ) -> Option<Event> {
        let event = self.classify_key(key, at, was_available);
        let Event::Key(key) = event else {
            return Some(event);
        };
        if !self.is_rest || key.kind == KeyEventKind::Release {
            return Some(event);
        }
        // Another key than a letter doesn't end the paste.
        self.letter_at = Some(at);
        let has_no_modifier = key.modifiers.difference(KeyModifiers::SHIFT).is_empty();
        let ctrl = key.modifiers == KeyModifiers::CONTROL;
        match key.code {
            KeyCode::Char(letter) if has_no_modifier => Some(Event::Paste(letter.to_string())),
            KeyCode::Tab => Some(Event::Paste("\t".to_owned())),
            // These answer nothing, and a person may be waiting for them.
            KeyCode::Esc => Some(event),
            KeyCode::Char('c' | 'z') if ctrl => Some(event),
            _ => None,
        }
    }

    fn classify_key(&mut self, key: KeyEvent, at: Duration, was_available: bool) -> Event {
        if key.kind == KeyEventKind::Release {
            return Event::Key(key);
        }
        let has_no_modifier = key.modifiers.difference(KeyModifiers::SHIFT).is_empty();
        let ctrl = key.modifiers == KeyModifiers::CONTROL;
        let since = self
            .letter_at
            .take()
            .map(|before| at.saturating_sub(before));
        let limit = match (self.letters, was_available) {
            (LONG_PASTE_LETTERS.., _) => LONG_PASTE_GAP,
            (_, true) => LATE_READ_GAP,
            (_, false) => TYPING_GAP,
        };
        let is_fast = since.is_some_and(|since| since < limit);
        if !is_fast {
            self.letters = 0;
            self.is_rest = false;
        }
        let is_pasted = is_fast && self.letters >= MIN_LETTERS;
        match key.code {
            KeyCode::Enter if key.modifiers.is_empty() && is_pasted => {
                self.letter_at = Some(at);
                Event::PastedNewline
            }
            // Some terminals send Ctrl+J for a line break.
            KeyCode::Char('j') if ctrl && is_pasted => {
                self.letter_at = Some(at);
                Event::PastedNewline
            }
            KeyCode::Char(_) if has_no_modifier => {
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

    fn is_newline(detector: &mut PasteDetector, code: KeyCode, at_ms: u64) -> bool {
        is_newline_if(detector, code, at_ms, false)
    }

    fn is_newline_if(
        detector: &mut PasteDetector,
        code: KeyCode,
        at_ms: u64,
        was_available: bool,
    ) -> bool {
        let key = KeyEvent::new(code, KeyModifiers::NONE);
        let event = detector.classify(key, Duration::from_millis(at_ms), was_available);
        matches!(event, Some(Event::PastedNewline))
    }

    #[test]
    fn enter_within_a_paste_is_a_line_break() {
        let mut detector = PasteDetector::default();
        assert!(!is_newline(&mut detector, KeyCode::Char('a'), 99));
        assert!(!is_newline(&mut detector, KeyCode::Char('b'), 100));
        assert!(is_newline(&mut detector, KeyCode::Enter, 100));
        assert!(
            is_newline(&mut detector, KeyCode::Enter, 101),
            "an empty line, too"
        );
        assert!(!is_newline(&mut detector, KeyCode::Char('b'), 107));
        assert!(is_newline(&mut detector, KeyCode::Enter, 114));
    }

    #[test]
    fn keys_right_after_a_bracketed_paste_belong_to_it() {
        let mut detector = PasteDetector::default();
        detector.record_paste(Duration::from_millis(100));
        assert!(is_newline(&mut detector, KeyCode::Enter, 101));
        for at in 102..166 {
            is_newline(&mut detector, KeyCode::Char('a'), at);
        }
        assert!(
            is_newline(&mut detector, KeyCode::Enter, 300),
            "the next piece of a long one"
        );
        detector.record_paste(Duration::from_millis(1_000));
        let mut classify = |code, at_ms| {
            let key = KeyEvent::new(code, KeyModifiers::NONE);
            detector.classify(key, Duration::from_millis(at_ms), true)
        };
        assert!(classify(KeyCode::Down, 1_002).is_none(), "it is no text");
        assert!(matches!(
            classify(KeyCode::Char('y'), 1_010),
            Some(Event::Paste(_))
        ));
        assert!(matches!(
            classify(KeyCode::Enter, 1_029),
            Some(Event::PastedNewline)
        ));
        assert!(
            matches!(classify(KeyCode::Enter, 1_050), Some(Event::Key(_))),
            "that is a person"
        );
    }

    #[test]
    fn a_paste_that_is_read_slowly_is_still_detected() {
        let mut detector = PasteDetector::default();
        assert!(!is_newline_if(
            &mut detector,
            KeyCode::Char('a'),
            100,
            false
        ));
        assert!(!is_newline_if(&mut detector, KeyCode::Char('b'), 115, true));
        assert!(
            is_newline_if(&mut detector, KeyCode::Enter, 134, true),
            "the key was available at once"
        );
        assert!(
            !is_newline_if(&mut detector, KeyCode::Enter, 160, true),
            "for too long"
        );
        let mut detector = PasteDetector::default();
        for at in 0..64 {
            is_newline(&mut detector, KeyCode::Char('a'), at);
        }
        assert!(
            is_newline(&mut detector, KeyCode::Enter, 200),
            "the next piece"
        );
        assert!(
            !is_newline(&mut detector, KeyCode::Enter, 400),
            "that is a person"
        );
    }

    #[test]
    fn enter_from_a_person_is_enter() {
        let mut detector = PasteDetector::default();
        assert!(!is_newline(&mut detector, KeyCode::Enter, 0));
        assert!(!is_newline(&mut detector, KeyCode::Char('a'), 100));
        assert!(!is_newline(&mut detector, KeyCode::Enter, 108));
        assert!(!is_newline(&mut detector, KeyCode::Char('1'), 150));
        assert!(
            !is_newline(&mut detector, KeyCode::Enter, 150),
            "a slow line"
        );
        assert!(!is_newline(&mut detector, KeyCode::Char('a'), 199));
        assert!(!is_newline(&mut detector, KeyCode::Char('b'), 200));
        assert!(!is_newline(&mut detector, KeyCode::Down, 201));
        assert!(
            !is_newline(&mut detector, KeyCode::Enter, 202),
            "no letter came before"
        );
    }
}
