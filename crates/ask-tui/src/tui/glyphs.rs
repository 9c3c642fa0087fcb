//! The glyphs that we draw with, and their replacements on terminals that can't show them. Views
//! use the full glyphs; the painter replaces them cell by cell, so that no layout depends on the
//! terminal.

/// The glyphs that a terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Glyphs {
    Full,
    /// ASCII for our own glyphs; other characters as they are.
    Ascii,
    /// ASCII only: the locale isn't UTF-8.
    AsciiOnly,
}

/// A glyph and its ASCII form, each one column wide.
const ASCII_FORMS: &[(&str, &str)] = &[
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
    /// Chooses the glyphs by the terminal's `TERM` and the name of the locale.
    pub(crate) fn for_terminal(term: &str, locale: &str) -> Self {
        let locale = locale.to_ascii_lowercase();
        let unicode = locale.contains("utf-8") || locale.contains("utf8");
        match term {
            _ if !unicode => Self::AsciiOnly,
            "linux" | "dumb" => Self::Ascii,
            _ => Self::Full,
        }
    }

    /// The replacement for a cell's symbol; `None` if it is shown as it is.
    pub(crate) fn replacement(self, symbol: &str) -> Option<&'static str> {
        if self == Self::Full || symbol.is_ascii() {
            return None;
        }
        let form = ASCII_FORMS.iter().find(|(full, _)| *full == symbol);
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
    fn the_terminal_and_the_locale_choose_the_glyphs() {
        assert_eq!(Glyphs::for_terminal("xterm", "en_US.UTF-8"), Glyphs::Full);
        assert_eq!(Glyphs::for_terminal("linux", "C.utf8"), Glyphs::Ascii);
        assert_eq!(Glyphs::for_terminal("xterm", "C"), Glyphs::AsciiOnly);
    }

    #[test]
    fn every_form_is_one_column_wide() {
        for (full, ascii) in ASCII_FORMS {
            assert_eq!(ask_config::text::width(full), 1, "{full}");
            assert_eq!(ascii.len(), 1, "{full}");
        }
    }
}
