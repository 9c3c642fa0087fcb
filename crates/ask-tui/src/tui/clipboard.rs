//! How a terminal is asked to put a text where pastes come from: OSC 52, and
//! within tmux besides the same handed through to the terminal around it.

use crossterm::Command as _;
use crossterm::clipboard::CopyToClipboard;

/// What is written to the terminal for a text.
pub fn sequence(text: &str, in_tmux: bool) -> String {
    let mut plain = String::new();
    // Writing into a string can't fail.
    let _ = CopyToClipboard::to_clipboard_from(text).write_ansi(&mut plain);
    if !in_tmux {
        return plain;
    }
    // Tmux takes the first where `set-clipboard` is on, the second where `allow-passthrough` is.
    let passed = plain.replace('\u{1b}', "\u{1b}\u{1b}");
    format!("{plain}\u{1b}Ptmux;{passed}\u{1b}\\")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_travels_as_base64_and_through_tmux() {
        assert_eq!(sequence("ask\n", false), "\u{1b}]52;c;YXNrCg==\u{1b}\\");
        let wrapped = sequence("a", true);
        assert!(wrapped.starts_with("\u{1b}]52;c;YQ==\u{1b}\\\u{1b}Ptmux;\u{1b}\u{1b}]52;c;YQ=="));
        assert!(wrapped.ends_with("\u{1b}\u{1b}\\\u{1b}\\"));
    }
}
