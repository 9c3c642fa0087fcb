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

/// What becomes of the images of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Images {
    /// They are sent: the client shows them to its model, or puts a word in their place.
    Sent,
    /// They are named only: the client would show their bytes as text.
    Named,
}

/// A kind of dialog that a client can show its person for a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialog {
    /// Fields to fill in.
    Form,
    /// An address to open.
    Url,
}

/// When a client that shows apps lets a card of ours be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Apps {
    /// While our call waits.
    Beside,
    /// Only once our call has returned; the answer then comes as the person's message.
    After,
}

/// The words for it.
pub(crate) const PROGRESS: &[(&str, Progress)] = &[
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
pub const IMAGES: &[(&str, Images)] = &[("sent", Images::Sent), ("named", Images::Named)];

/// The words for it.
pub(crate) const DIALOGS: &[(&str, Dialog)] = &[("form", Dialog::Form), ("url", Dialog::Url)];

/// The words for it.
pub(crate) const APPS: &[(&str, Apps)] = &[("beside", Apps::Beside), ("after", Apps::After)];

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

impl Apps {
    /// What it means for a call.
    pub fn says(self) -> &'static str {
        match self {
            Self::Beside => "shown beside the call that waits",
            Self::After => "shown once the call has returned, which it does at once",
        }
    }
}

impl Dialog {
    /// The word that stands for it.
    pub fn word(self) -> &'static str {
        let row = DIALOGS.iter().find(|(_, dialog)| *dialog == self);
        row.map_or("", |(word, _)| word)
    }
}
