//! Attaches files to an answer: reads them from a path or the clipboard, stores them in the hub and
//! returns the [`Attachment`]. Errors are sentences that tell the person what to do. Parsing a
//! typed or dropped path is left to `path`, the clipboard's programs to `clipboard`.

mod clipboard;
mod path;

use std::io::Read;
use std::path::{Path, PathBuf};

use ask_config::checkout;
use ask_config::i18n::Words;
use ask_core::attachment::{self, MOST_BYTES, Unfit, safe_name};
use ask_core::{Attachment, SafeText};
use ask_files::LastLink;
use ask_hub::client::Client;

pub(crate) use path::is_pasted_image;

/// Where an attachment comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AttachmentSource {
    /// The image or the file in the clipboard.
    Clipboard,
    /// The file at this path, as the person typed, pasted or dropped it.
    Path(String),
}

/// Why a file can't be attached. A file's name is the first field of a variant and safe to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttachError {
    /// No path was given.
    NoPath,
    /// No file of this name exists.
    Missing(String),
    /// The path names a folder, a device or a pipe.
    NotAFile(String),
    /// The file can't be read: its name, and the system's error.
    Unreadable(String, String),
    /// The file is empty.
    Empty(String),
    /// The file is larger than [`MOST_BYTES`]: its name and its size in bytes.
    TooLarge(String, u64),
    /// The clipboard holds neither an image nor a file.
    NothingToAttach,
    /// No program that reads the clipboard is installed.
    NoClipboardProgram,
    /// The hub didn't store the file, for this reason.
    NotStored(String),
}

impl AttachError {
    /// The error as a sentence in the person's language, with what to do about it.
    pub fn message(&self, words: Words) -> String {
        let most = || attachment::measure(MOST_BYTES as u64).into();
        match self {
            Self::NoPath => words.say("text-attach-nothing"),
            Self::Missing(name) => words.format("text-attach-missing", &[("name", name.into())]),
            Self::NotAFile(name) => words.format("text-attach-no-file", &[("name", name.into())]),
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
            Self::NothingToAttach => words.say("text-attach-nothing-copied"),
            Self::NoClipboardProgram => words.say("text-attach-no-program"),
            Self::NotStored(why) => words.format("text-attach-not-kept", &[("why", why.into())]),
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
/// or at the current directory if that is `None`.
///
/// # Errors
///
/// The path names no readable, non-empty file of at most [`MOST_BYTES`], or the hub didn't store
/// it.
pub async fn from_path(
    hub: &Client,
    typed: &str,
    from: Option<&Path>,
) -> Result<Attachment, AttachError> {
    let from = from
        .map(Path::to_owned)
        .or_else(|| std::env::current_dir().ok());
    let path = path::parse_path(typed, from.as_deref()).ok_or(AttachError::NoPath)?;
    from_file(hub, path, from).await
}

/// Attaches the file that a command's argument names. The shell has read its quotes already, so an
/// existing file of exactly this name comes before what would be typed in a field.
///
/// # Errors
///
/// As [`from_path`].
pub async fn from_argument(hub: &Client, argument: &str) -> Result<Attachment, AttachError> {
    let from = std::env::current_dir().ok();
    let named = from.as_ref().map(|from| from.join(argument));
    match named.filter(|path| !argument.is_empty() && path.symlink_metadata().is_ok()) {
        Some(path) => from_file(hub, path, from).await,
        None => from_path(hub, argument, None).await,
    }
}

async fn from_file(
    hub: &Client,
    path: PathBuf,
    from: Option<PathBuf>,
) -> Result<Attachment, AttachError> {
    let name = safe_name(&path.to_string_lossy());
    let project = from
        .as_deref()
        .and_then(checkout::project)
        .map(Path::to_owned);
    let reading = tokio::task::spawn_blocking(move || read(&path, project.as_deref()));
    let bytes = reading
        .await
        .map_err(|error| AttachError::Unreadable(name.clone(), error.to_string()))??;
    store(hub, &name, bytes).await
}

/// Attaches a file from any source. A relative path starts at `from`.
///
/// # Errors
///
/// No program reads the clipboard, it holds neither an image nor a file, or the file can't be
/// attached.
pub(crate) async fn from_source(
    hub: &Client,
    source: AttachmentSource,
    from: Option<&Path>,
) -> Result<Attachment, AttachError> {
    match source {
        AttachmentSource::Clipboard => from_clipboard(hub).await,
        AttachmentSource::Path(path) => from_path(hub, &path, from).await,
    }
}

async fn from_clipboard(hub: &Client) -> Result<Attachment, AttachError> {
    match clipboard::read().await? {
        clipboard::Content::Image { name, bytes } => store(hub, &name, bytes).await,
        clipboard::Content::File(path) => from_path(hub, &path, None).await,
    }
}

async fn store(hub: &Client, name: &str, bytes: Vec<u8>) -> Result<Attachment, AttachError> {
    // Only the hub knows the digest. Everything else is checked before the bytes are sent to it.
    attachment::check_size(name, bytes.len() as u64)?;
    let mut attached = Attachment::from_bytes(name, &bytes, ask_core::Digest([0; 32]))?;
    let stored = hub.put_file(bytes).await;
    attached.digest = stored.map_err(|error| AttachError::NotStored(format!("{error:#}")))?;
    Ok(attached)
}

fn read(path: &Path, project: Option<&Path>) -> Result<Vec<u8>, AttachError> {
    let name = safe_name(&path.to_string_lossy());
    let unreadable = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => AttachError::Missing(SafeText::path(path).to_string()),
        std::io::ErrorKind::InvalidInput => AttachError::NotAFile(name.clone()),
        _ => AttachError::Unreadable(name.clone(), error.to_string()),
    };
    let named = checkout::named(project, path, LastLink::Followed);
    let opened = named.and_then(|entry| entry.open()).map_err(unreadable)?;
    let size = opened.metadata().map_err(unreadable)?.len();
    attachment::check_size(&name, size)?;
    let mut bytes = Vec::new();
    let most = MOST_BYTES as u64 + 1;
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
    fn a_link_out_of_the_project_is_not_followed() {
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

        let read_in_project = |name: &str| read(&project.join(name), Some(&project));
        assert_eq!(
            read_in_project("in").expect("a link within the project is followed"),
            b"a"
        );
        for name in ["out", "zero"] {
            let error = read_in_project(name).expect_err("it leaves the project");
            assert!(
                matches!(&error, AttachError::Unreadable(_, why) if why.contains("out of the project"))
            );
        }
        assert!(matches!(
            read_in_project("pipe"),
            Err(AttachError::NotAFile(_))
        ));
        assert!(matches!(
            read_in_project("sparse"),
            Err(AttachError::TooLarge(..))
        ));
        // A path outside the project that the person named is read, links included: it is their
        // decision.
        assert_eq!(
            read_in_project("../linked").expect("a path that the person named is read"),
            b"precious"
        );
        std::fs::remove_dir_all(&root).expect("a writable folder");
    }
}
