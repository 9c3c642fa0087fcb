//! Files on their way to an answer: read from a path or from the clipboard, kept
//! by the hub, and named to the answer. What can't be attached is said in words
//! that tell the person what to do.

mod clipboard;
mod path;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use ask_config::words::Words;
use ask_core::attachment::{self, MOST_BYTES, Unfit, safe_name};
use ask_core::{Attachment, SafeText};
use ask_hub::client::Client;

pub use path::is_pasted_image;

/// Why a file can't be attached. Names are safe to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// No path was given.
    Nothing,
    /// There is nothing of that name.
    Missing(String),
    /// It is a folder, a device or a pipe.
    NoFile(String),
    /// The system won't let us read it.
    Unreadable(String, String),
    /// There is nothing in it.
    Empty(String),
    /// It is larger than what can be attached.
    TooLarge(String, u64),
    /// The clipboard holds neither an image nor a file.
    NothingCopied,
    /// No program is here that could read the clipboard.
    NoProgram,
    /// The hub can't keep it.
    NotKept(String),
}

impl Trouble {
    /// What is wrong, and what to do.
    pub fn say(&self, words: Words) -> String {
        let most = || attachment::measure(MOST_BYTES as u64).into();
        match self {
            Self::Nothing => words.say("text-attach-nothing"),
            Self::Missing(name) => words.with("text-attach-missing", &[("name", name.into())]),
            Self::NoFile(name) => words.with("text-attach-no-file", &[("name", name.into())]),
            Self::Unreadable(name, why) => words.with(
                "text-attach-unreadable",
                &[("name", name.into()), ("why", why.into())],
            ),
            Self::Empty(name) => words.with("text-attach-empty", &[("name", name.into())]),
            Self::TooLarge(name, bytes) => words.with(
                "text-attach-too-large",
                &[
                    ("name", name.into()),
                    ("size", attachment::measure(*bytes).into()),
                    ("most", most()),
                ],
            ),
            Self::NothingCopied => words.say("text-attach-nothing-copied"),
            Self::NoProgram => words.say("text-attach-no-program"),
            Self::NotKept(why) => words.with("text-attach-not-kept", &[("why", why.into())]),
        }
    }
}

impl From<Unfit> for Trouble {
    fn from(unfit: Unfit) -> Self {
        match unfit {
            Unfit::Empty(name) => Self::Empty(name),
            Unfit::TooLarge { name, bytes } => Self::TooLarge(name, bytes),
        }
    }
}

/// Attaches the file of a path as a person types, pastes or drops it, seen from a folder.
pub async fn file(hub: &Client, typed: &str, from: Option<&Path>) -> Result<Attachment, Trouble> {
    let path = path::of(typed, from).ok_or(Trouble::Nothing)?;
    let name = safe_name(&path.to_string_lossy());
    let reading = tokio::task::spawn_blocking(move || read(&path));
    let bytes = reading
        .await
        .map_err(|error| Trouble::Unreadable(name.clone(), error.to_string()))??;
    keep(hub, &name, bytes).await
}

/// Attaches the image, or the file, that was copied last.
pub async fn copied(hub: &Client) -> Result<Attachment, Trouble> {
    match clipboard::read().await? {
        clipboard::Copied::Image { name, bytes } => keep(hub, &name, bytes).await,
        clipboard::Copied::File(path) => file(hub, &path, None).await,
    }
}

async fn keep(hub: &Client, name: &str, bytes: Vec<u8>) -> Result<Attachment, Trouble> {
    // Everything but the digest is known before the hub has seen it, and what is wrong, too.
    attachment::check_size(name, bytes.len() as u64)?;
    let mut attached = Attachment::of(name, &bytes, ask_core::Digest([0; 32]))?;
    let kept = hub.put_file(bytes).await;
    attached.digest = kept.map_err(|error| Trouble::NotKept(format!("{error:#}")))?;
    Ok(attached)
}

fn shown(path: &Path) -> String {
    let path = path.display().to_string();
    SafeText::line(&path).as_str().to_owned()
}

fn read(path: &Path) -> Result<Vec<u8>, Trouble> {
    let name = safe_name(&path.to_string_lossy());
    let unreadable = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => Trouble::Missing(shown(path)),
        _ => Trouble::Unreadable(name.clone(), error.to_string()),
    };
    let about = std::fs::metadata(path).map_err(unreadable)?;
    if !about.is_file() {
        // Reading a pipe or a device might never end.
        return Err(Trouble::NoFile(name));
    }
    attachment::check_size(&name, about.len())?;
    let mut bytes = Vec::new();
    let most = MOST_BYTES as u64 + 1;
    let opened = File::open(path).map_err(unreadable)?;
    opened
        .take(most)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    Ok(bytes)
}
