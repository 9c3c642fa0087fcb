//! Settings of the terminal surface.

use super::Word;

/// How the terminal surface looks and behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terminal {
    /// Which colours are used.
    pub theme: Theme,
    /// Which characters marks and frames use.
    pub glyphs: Glyphs,
    /// What letters do on a card.
    pub typing: Typing,
    /// What Esc does on a card.
    pub leaving: Leaving,
    /// When answers are shown once more before they are sent.
    pub review: Review,
    /// Whether a digit also sends a single answer.
    pub digit_sends: bool,
    /// Whether the mouse has any effect.
    pub mouse: bool,
}

impl Default for Terminal {
    fn default() -> Self {
        Self {
            theme: Theme::Auto,
            glyphs: Glyphs::Auto,
            typing: Typing::Keys,
            leaving: Leaving::Auto,
            review: Review::Several,
            digit_sends: false,
            mouse: false,
        }
    }
}

/// The colours of the terminal surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// As the terminal reports its background.
    Auto,
    /// For a light background colour.
    Light,
    /// For a dark background colour.
    Dark,
    /// No colours at all.
    Mono,
}

/// The characters for marks and frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glyphs {
    /// As the terminal's name and the locale allow.
    Auto,
    /// Any characters, also outside of ASCII.
    Full,
    /// Only characters of ASCII.
    Ascii,
}

/// What letters do on a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Typing {
    /// They are commands on the card.
    Keys,
    /// They begin the person's own answer.
    Jump,
}

/// What Esc does on a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaving {
    /// Goes back to the list. Without a list, it cancels.
    Auto,
    /// Always leaves the ask waiting.
    Leave,
    /// Always cancels, as in pi's dialog.
    Cancel,
}

/// When answers are shown once more before they are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Review {
    /// If there are several questions.
    Several,
    /// Also with one question that takes several choices.
    Always,
}

impl Word for Theme {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("auto", Self::Auto),
        ("light", Self::Light),
        ("dark", Self::Dark),
        ("mono", Self::Mono),
    ];
}

impl Word for Glyphs {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("auto", Self::Auto),
        ("full", Self::Full),
        ("ascii", Self::Ascii),
    ];
}

impl Word for Typing {
    const WORDS: &'static [(&'static str, Self)] = &[("keys", Self::Keys), ("jump", Self::Jump)];
}

impl Word for Leaving {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("auto", Self::Auto),
        ("leave", Self::Leave),
        ("cancel", Self::Cancel),
    ];
    const OLD: &'static [(&'static str, Self)] = &[("park", Self::Leave), ("seed4", Self::Cancel)];
}

impl Word for Review {
    const WORDS: &'static [(&'static str, Self)] =
        &[("several", Self::Several), ("always", Self::Always)];
}
