//! Skips whole terminal sequences. Of a string sequence (OSC, DCS, SOS, PM, APC) that never ends,
//! only the introducer is skipped: the rest is shown rather than lost. Every scan stops at the next
//! control character at the latest, and an introducer is one, so all scans together take linear
//! time.

use std::str::Chars;

/// Skips a sequence after its ESC.
pub(super) fn skip_escape(rest: &mut Chars<'_>) {
    let mut ahead = rest.clone();
    match ahead.next() {
        Some('[') => {
            *rest = ahead;
            skip_control(rest);
        }
        Some(']' | 'P' | 'X' | '^' | '_') => {
            *rest = ahead;
            skip_string(rest);
        }
        Some(' '..='/') => {
            while matches!(peek(&ahead), Some(' '..='/')) {
                ahead.next();
            }
            if matches!(peek(&ahead), Some('0'..='~')) {
                ahead.next();
            }
            *rest = ahead;
        }
        Some('0'..='~') => *rest = ahead,
        Some(_) | None => {}
    }
}

/// Skips a control sequence after its introducer: parameters, intermediates, one final.
pub(super) fn skip_control(rest: &mut Chars<'_>) {
    while matches!(peek(rest), Some('0'..='?')) {
        rest.next();
    }
    while matches!(peek(rest), Some(' '..='/')) {
        rest.next();
    }
    if matches!(peek(rest), Some('@'..='~')) {
        rest.next();
    }
}

/// Skips a string sequence after its introducer.
pub(super) fn skip_string(rest: &mut Chars<'_>) {
    let mut ahead = rest.clone();
    while let Some(character) = ahead.next() {
        match character {
            '\u{7}' | '\u{9c}' => {
                *rest = ahead;
                return;
            }
            '\u{1b}' => {
                if ahead.next() == Some('\\') {
                    *rest = ahead;
                }
                return;
            }
            '\t' | '\n' | '\r' => {}
            control if control.is_control() => return,
            _ => {}
        }
    }
}

fn peek(chars: &Chars<'_>) -> Option<char> {
    chars.clone().next()
}
