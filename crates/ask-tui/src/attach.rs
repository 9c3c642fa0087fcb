//! Attaches files to an answer: reads them from a path or the clipboard, stores them in the hub and
//! returns the [`Attachment`]. Errors are sentences that tell the person what to do. Parsing a
//! typed or dropped path is left to `path`, the clipboard's programs to `clipboard`.

mod clipboard;
mod path;

use std::io::Read;
use std::path::Path;

use ask_config::checkout;
use ask_config::i18n::Words;
use ask_core::attachment::{self, MOST_BYTES, Unfit, safe_name};
use ask_core::{Attachment, SafeText};
use ask_files::LastLink;
use ask_hub::client::Client;

pub use path::is_pasted_image;

/// Why a file can't be attached. A file's name is the first field of a variant and safe to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttachError {
    /// No path was given.
    Nothing,
    /// No file of this name exists.
    Missing(String),
    /// The path names a folder, a device or a pipe.
    NoFile(String),
    /// The file can't be read: its name, and the system's error.
    Unreadable(String, String),
    /// The file is empty.
    Empty(String),
    /// The file is larger than [`MOST_BYTES`]: its name and its size in bytes.
    TooLarge(String, u64),
    /// The clipboard holds neither an image nor a file.
    NothingCopied,
    /// No program that reads the clipboard is installed.
    NoProgram,
    /// The hub didn't store the file, for this reason.
    NotKept(String),
}

impl AttachError {
    /// The error as a sentence in the person's language, with what to do about it.
    pub fn say(&self, words: Words) -> String {
        let most = || attachment::measure(MOST_BYTES as u64).into();
        match self {
            Self::Nothing => words.say("text-attach-nothing"),
            Self::Missing(name) => words.format("text-attach-missing", &[("name", name.into())]),
            Self::NoFile(name) => words.format("text-attach-no-file", &[("name", name.into())]),
            Self::Unreadable(name, why) => words.format(
                "text-attach-unreadable",
                &[("name", name.into()), ("why", why.into())],
            ),
            Self::Empty(name) => words.format("text-attach-empty", &[("name", name.into())]),
            Self::TooLarge(name, bytes) => words.format(
                "text-attach-too-large",
                &[
                    ("name", name.into()),
                    ("size", attachment::measure(*bytes).into()),
                    ("most", most()),
                ],
            ),
            Self::NothingCopied => words.say("text-attach-nothing-copied"),
            Self::NoProgram => words.say("text-attach-no-program"),
            Self::NotKept(why) => words.format("text-attach-not-kept", &[("why", why.into())]),
        }
    }
}

impl From<Unfit> for AttachError {
    fn from(unfit: Unfit) -> Self {
        match unfit {
            Unfit::Empty(name) => Self::Empty(name),
            Unfit::TooLarge { name, bytes } => Self::TooLarge(name, bytes),
        }
    }
}

/// Attaches the file at a path that was typed, pasted or dropped. A relative path starts at `from`,
/// or at the current directory without it.
///
/// # Errors
///
/// The path names no readable, non-empty file of at most [`MOST_BYTES`], or the hub didn't store
/// it.
pub async fn file(
    hub: &Client,
    typed: &str,
    from: Option<&Path>,
) -> Result<Attachment, AttachError> {
    let from = from
        .map(Path::to_owned)
        .or_else(|| std::env::current_dir().ok());
    let path = path::parse_path(typed, from.as_deref()).ok_or(AttachError::Nothing)?;
    let name = safe_name(&path.to_string_lossy());
    let project = from
        .as_deref()
        .and_then(checkout::project)
        .map(Path::to_owned);
    let reading = tokio::task::spawn_blocking(move || read(&path, project.as_deref()));
    let bytes = reading
        .await
        .map_err(|error| AttachError::Unreadable(name.clone(), error.to_string()))??;
    keep(hub, &name, bytes).await
}

/// Attaches the image or the file that was copied last.
///
/// # Errors
///
/// No program reads the clipboard, it holds neither an image nor a file, or the file can't be
/// attached.
pub async fn copied(hub: &Client) -> Result<Attachment, AttachError> {
    match clipboard::read().await? {
        clipboard::Copied::Image { name, bytes } => keep(hub, &name, bytes).await,
        clipboard::Copied::File(path) => file(hub, &path, None).await,
    }
}

async fn keep(hub: &Client, name: &str, bytes: Vec<u8>) -> Result<Attachment, AttachError> {
    // Only the hub knows the digest. Everything else is checked before the bytes are sent to it.
    attachment::check_size(name, bytes.len() as u64)?;
    let mut attached = Attachment::from_bytes(name, &bytes, ask_core::Digest([0; 32]))?;
    let kept = hub.put_file(bytes).await;
    attached.digest = kept.map_err(|error| AttachError::NotKept(format!("{error:#}")))?;
    Ok(attached)
}

fn read(path: &Path, project: Option<&Path>) -> Result<Vec<u8>, AttachError> {
    let name = safe_name(&path.to_string_lossy());
    let unreadable = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => AttachError::Missing(SafeText::path(path).to_string()),
        _ => AttachError::Unreadable(name.clone(), error.to_string()),
    };
    let about = std::fs::metadata(path).map_err(unreadable)?;
    if !about.is_file() {
        // Reading a pipe or a device might never end.
        return Err(AttachError::NoFile(name));
    }
    attachment::check_size(&name, about.len())?;
    let mut bytes = Vec::new();
    let most = MOST_BYTES as u64 + 1;
    let named = checkout::named(project, path, LastLink::Followed);
    let opened = named.and_then(|entry| entry.open()).map_err(unreadable)?;
    opened
        .take(most)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_file_of_the_project_is_in_the_project() {
        let root = std::env::temp_dir().join(format!("ask-user-attach-{}", std::process::id()));
        // Only a run that was killed leaves a folder behind; usually none exists.
        let _ = std::fs::remove_dir_all(&root);
        let project = root.join("project");
        std::fs::create_dir_all(project.join("src")).expect("a writable folder");
        std::fs::write(root.join("outside"), "precious").expect("a writable folder");
        std::fs::write(project.join("src/a"), "a").expect("a writable folder");
        for (to, name) in [
            ("../outside", "out"),
            ("/dev/zero", "zero"),
            ("src/a", "in"),
        ] {
            symlink(to, project.join(name)).expect("a new link");
        }
        symlink("outside", root.join("linked")).expect("a new link");
        let pipe = project.join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo runs").success());
        let sparse = std::fs::File::create(project.join("sparse")).expect("a new file");
        sparse.set_len(2 << 30).expect("the file is sparse");

        let reads = |name: &str| read(&project.join(name), Some(&project));
        assert_eq!(
            reads("in").expect("a link within the project is followed"),
            b"a"
        );
        let said = reads("out").expect_err("it leaves the project");
        assert!(
            matches!(&said, AttachError::Unreadable(_, why) if why.contains("out of the project"))
        );
        assert!(matches!(reads("zero"), Err(AttachError::NoFile(_))));
        assert!(matches!(reads("pipe"), Err(AttachError::NoFile(_))));
        assert!(matches!(reads("sparse"), Err(AttachError::TooLarge(..))));
        // A path outside the project that the person named is read, links included: it is their
        // decision.
        assert_eq!(
            reads("../linked").expect("a path that the person named is read"),
            b"precious"
        );
        std::fs::remove_dir_all(&root).expect("a writable folder");
    }
}
