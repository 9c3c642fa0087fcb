//! The words that fields of a client can have as values, and what they stand for.

/// What progress does to a client's limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The limit begins anew with it.
    Extends,
    /// Nothing.
    Ignored,
    /// The client gives no token, so none can be sent.
    NoToken,
}

/// What a client's model sees of a result with text and structured content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shows {
    /// The text.
    Text,
    /// The structured content.
    Structured,
    /// All of it.
    Both,
}

/// A kind of dialog that a client can show its person for a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialog {
    /// Fields to fill in.
    Form,
    /// An address to open.
    Url,
}

/// The words for it.
pub const PROGRESS: &[(&str, Progress)] = &[
    ("extends", Progress::Extends),
    ("ignored", Progress::Ignored),
    ("no-token", Progress::NoToken),
];

/// The words for it.
pub const SHOWS: &[(&str, Shows)] = &[
    ("text", Shows::Text),
    ("structured", Shows::Structured),
    ("both", Shows::Both),
];

/// The words for it.
pub const DIALOGS: &[(&str, Dialog)] = &[("form", Dialog::Form), ("url", Dialog::Url)];

/// What a word stands for.
pub fn find<T: Copy>(known: &[(&str, T)], word: &str) -> Option<T> {
    let row = known.iter().find(|(name, _)| *name == word);
    row.map(|(_, found)| *found)
}

/// All words, as messages list them.
pub fn words<T>(known: &[(&str, T)]) -> String {
    let quoted: Vec<String> = known
        .iter()
        .map(|(word, _)| format!("\"{word}\""))
        .collect();
    quoted.join(" or ")
}

impl Shows {
    /// The word that stands for it.
    pub fn word(self) -> &'static str {
        let row = SHOWS.iter().find(|(_, shows)| *shows == self);
        row.map_or("", |(word, _)| word)
    }
}

impl Dialog {
    /// The word that stands for it.
    pub fn word(self) -> &'static str {
        let row = DIALOGS.iter().find(|(_, dialog)| *dialog == self);
        row.map_or("", |(word, _)| word)
    }
}
