//! Copies a text to the person's clipboard through the terminal (OSC 52). Within tmux it is sent
//! twice: to tmux itself, and through it to the terminal around it.

use crossterm::Command as _;
use crossterm::clipboard::CopyToClipboard;

/// The sequences to write for a text.
pub(super) fn sequence(text: &str, in_tmux: bool) -> String {
    let mut plain = String::new();
    // Writing into a string can't fail.
    let _ = CopyToClipboard::to_clipboard_from(text).write_ansi(&mut plain);
    if !in_tmux {
        return plain;
    }
    // tmux takes the first where `set-clipboard` is on, and passes the second where
    // `allow-passthrough` is on.
    let passed = plain.replace('\u{1b}', "\u{1b}\u{1b}");
    format!("{plain}\u{1b}Ptmux;{passed}\u{1b}\\")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_encoded_as_base64_and_wrapped_for_tmux() {
        assert_eq!(sequence("ask\n", false), "\u{1b}]52;c;YXNrCg==\u{1b}\\");
        let wrapped = sequence("a", true);
        assert!(wrapped.starts_with("\u{1b}]52;c;YQ==\u{1b}\\\u{1b}Ptmux;\u{1b}\u{1b}]52;c;YQ=="));
        assert!(wrapped.ends_with("\u{1b}\u{1b}\\\u{1b}\\"));
    }
}
