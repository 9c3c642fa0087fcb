//! The signs we draw with, and what stands for them where they can't be shown.
//! Views use the full signs; the painter replaces them cell by cell, so that no
//! layout depends on the terminal.

/// Which signs a terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glyphs {
    /// All of them.
    Full,
    /// Plain ASCII for our own signs; other characters as they are.
    Ascii,
    /// Nothing but ASCII: the locale isn't UTF-8.
    AsciiOnly,
}

/// Full sign and its ASCII form, each one column wide.
const FORMS: &[(&str, &str)] = &[
    ("─", "-"),
    ("│", "|"),
    ("┌", "+"),
    ("┐", "+"),
    ("└", "+"),
    ("┘", "+"),
    ("┼", "+"),
    ("├", "+"),
    ("┤", "+"),
    ("┬", "+"),
    ("┴", "+"),
    ("■", "#"),
    ("□", "-"),
    ("✓", "*"),
    ("›", ">"),
    ("←", "<"),
    ("→", ">"),
    ("↑", "^"),
    ("↓", "v"),
    ("·", "-"),
    ("…", "~"),
];

impl Glyphs {
    /// What fits a terminal: its `TERM` and the locale's name.
    pub fn fitting(term: &str, locale: &str) -> Self {
        let locale = locale.to_ascii_lowercase();
        let unicode = locale.contains("utf-8") || locale.contains("utf8");
        match term {
            _ if !unicode => Self::AsciiOnly,
            "linux" | "dumb" => Self::Ascii,
            _ => Self::Full,
        }
    }

    /// What stands for a cell's symbol, if it can't stay.
    pub fn replacement(self, symbol: &str) -> Option<&'static str> {
        if self == Self::Full || symbol.is_ascii() {
            return None;
        }
        let form = FORMS.iter().find(|(full, _)| *full == symbol);
        match (self, form) {
            (Self::Full, _) | (Self::Ascii, None) => None,
            (Self::Ascii | Self::AsciiOnly, Some((_, ascii))) => Some(ascii),
            (Self::AsciiOnly, None) => Some("?"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_terminal_and_the_locale_decide() {
        assert_eq!(Glyphs::fitting("xterm", "en_US.UTF-8"), Glyphs::Full);
        assert_eq!(Glyphs::fitting("linux", "C.utf8"), Glyphs::Ascii);
        assert_eq!(Glyphs::fitting("xterm", "C"), Glyphs::AsciiOnly);
    }

    #[test]
    fn every_form_is_one_column_wide() {
        for (full, ascii) in FORMS {
            assert_eq!(ask_config::text::width(full), 1, "{full}");
            assert_eq!(ascii.len(), 1, "{full}");
        }
    }
}
