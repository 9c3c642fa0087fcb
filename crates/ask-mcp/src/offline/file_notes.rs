//! Which pending files of print mode were written here, and for which ask. A file whose id was lost
//! while it was edited is known by its place. The notes are in a temporary folder that only the
//! person's account can write, because a checkout may bring a file of the same name.

use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use ask_config::home;
use ask_core::AskId;
use ask_core::secret::hex;
use sha2::{Digest as _, Sha256};

/// Notes that a file was written for an ask.
pub(super) fn note(file: &Path, id: &AskId) -> io::Result<()> {
    let note = place(file)?;
    home::private_dir(note.parent().unwrap_or(&note))?;
    home::replace(&note, id.as_str())
}

/// Forgets a file that was removed: what is at its place later was not written here.
pub(super) fn forget(file: &Path) {
    if let Ok(note) = place(file) {
        // Most files that are removed without a note were none of ours.
        let _ = std::fs::remove_file(note);
    }
}

/// The ask that a file was written for.
pub(super) fn find(file: &Path) -> Option<AskId> {
    let id = std::fs::read_to_string(place(file).ok()?).ok()?;
    AskId::parse(&id)
}

/// The note of a file, by the whole path of the file.
fn place(file: &Path) -> io::Result<PathBuf> {
    let folder = match file.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let file_name = file.file_name().unwrap_or(OsStr::new(""));
    let whole = folder.canonicalize()?.join(file_name);
    let digest = Sha256::digest(whole.as_os_str().as_bytes());
    Ok(home::temporary()?.join("pending").join(hex(&digest[..16])))
}
