//! Settings of the terminal surface.

use super::Word;

/// How the terminal surface looks and behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terminal {
    /// The colours.
    pub theme: Theme,
    /// The signs.
    pub glyphs: Glyphs,
    /// What letters do on a card.
    pub typing: Typing,
    /// What Esc does on a card.
    pub leaving: Leaving,
    /// When answers are shown once more.
    pub review: Review,
    /// Whether a digit also sends a single answer.
    pub digit_sends: bool,
    /// Whether the mouse is listened to.
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

/// The colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// As the terminal says of itself.
    Auto,
    /// For a light ground.
    Light,
    /// For a dark one.
    Dark,
    /// None.
    Mono,
}

/// The signs for marks and frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glyphs {
    /// As the terminal's name and the locale allow.
    Auto,
    /// All of them.
    Full,
    /// ASCII alone.
    Ascii,
}

/// What letters do on a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Typing {
    /// They are commands.
    Keys,
    /// They begin the person's own answer.
    Jump,
}

/// What Esc does on a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaving {
    /// Back to the list; cancels where there is none.
    Auto,
    /// Always leaves the ask waiting.
    Leave,
    /// Always cancels, as in pi's dialog.
    Cancel,
}

/// When answers are shown once more before they go out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Review {
    /// With several questions.
    Several,
    /// Also with one question of several choices.
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
