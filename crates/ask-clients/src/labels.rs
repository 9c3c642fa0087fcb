//! The keywords that fields of a client accept, and their meaning.

/// How progress affects a client's time limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Progress restarts the limit.
    Extends,
    /// Progress has no effect.
    Ignored,
    /// The client sends no progress token, so no progress can be sent.
    NoToken,
}

/// What a client's model sees of a result that has text and structured content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shows {
    /// Only the text.
    Text,
    /// Only the structured content.
    Structured,
    /// Both.
    Both,
}

/// How images of a result are passed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Images {
    /// As content. The client shows them to its model, or a placeholder.
    Sent,
    /// By their paths only: the client would show the bytes as text.
    Named,
}

/// A kind of dialog (MCP elicitation) that a client offers to servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialog {
    /// A form with fields.
    Form,
    /// A URL to open.
    Url,
}

/// When a client with MCP Apps lets a person answer in our card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Apps {
    /// While the call waits.
    Beside,
    /// After the call has returned; the answer arrives as a message of the person.
    After,
}

/// The keywords of [`Progress`].
pub(crate) const PROGRESS: &[(&str, Progress)] = &[
    ("extends", Progress::Extends),
    ("ignored", Progress::Ignored),
    ("no-token", Progress::NoToken),
];

/// The keywords of [`Shows`].
pub(crate) const SHOWS: &[(&str, Shows)] = &[
    ("text", Shows::Text),
    ("structured", Shows::Structured),
    ("both", Shows::Both),
];

/// The keywords of [`Images`].
pub const IMAGES: &[(&str, Images)] = &[("sent", Images::Sent), ("named", Images::Named)];

/// The keywords of [`Dialog`].
pub(crate) const DIALOGS: &[(&str, Dialog)] = &[("form", Dialog::Form), ("url", Dialog::Url)];

/// The keywords of [`Apps`].
pub(crate) const APPS: &[(&str, Apps)] = &[("beside", Apps::Beside), ("after", Apps::After)];

/// The value of a keyword.
pub fn find<T: Copy>(known: &[(&str, T)], word: &str) -> Option<T> {
    let row = known.iter().find(|(name, _)| *name == word);
    row.map(|(_, found)| *found)
}

/// All keywords, as messages list them.
pub fn words<T>(known: &[(&str, T)]) -> String {
    let quoted: Vec<String> = known
        .iter()
        .map(|(word, _)| format!("\"{word}\""))
        .collect();
    quoted.join(" or ")
}

impl Shows {
    /// The keyword.
    pub fn word(self) -> &'static str {
        let row = SHOWS.iter().find(|(_, shows)| *shows == self);
        row.map_or("", |(word, _)| word)
    }
}

impl Apps {
    /// The effect on a call, for people.
    pub fn says(self) -> &'static str {
        match self {
            Self::Beside => "shown beside the call that waits",
            Self::After => "shown once the call has returned, which it does at once",
        }
    }
}

impl Dialog {
    /// The keyword.
    pub fn word(self) -> &'static str {
        let row = DIALOGS.iter().find(|(_, dialog)| *dialog == self);
        row.map_or("", |(word, _)| word)
    }
}
