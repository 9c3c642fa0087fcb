//! Notes about the pending files that print mode wrote on this machine, each with its ask. A file
//! whose id was removed by an editor is found by its path. The notes are in a temporary folder that
//! only the person's account can write, because a checkout may contain a file of the same name.

use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use ask_config::home;
use ask_core::AskId;
use ask_core::secret::hex;
use sha2::{Digest as _, Sha256};

/// Writes the note that a file was written for an ask.
pub(super) fn note(file: &Path, id: &AskId) -> io::Result<()> {
    let note = note_path(file)?;
    home::private_dir(note.parent().unwrap_or(&note))?;
    home::replace(&note, id.as_str())
}

/// Removes the note of a removed file. A later file with this path was not written here.
pub(super) fn forget(file: &Path) {
    if let Ok(note) = note_path(file) {
        // A file of another program has no note.
        let _ = std::fs::remove_file(note);
    }
}

/// The ask that a file was written for.
pub(super) fn find(file: &Path) -> Option<AskId> {
    let id = std::fs::read_to_string(note_path(file).ok()?).ok()?;
    AskId::parse(&id)
}

/// The path of the note about a file, from the full path of the file.
fn note_path(file: &Path) -> io::Result<PathBuf> {
    let folder = match file.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let file_name = file.file_name().unwrap_or(OsStr::new(""));
    let full_path = folder.canonicalize()?.join(file_name);
    let digest = Sha256::digest(full_path.as_os_str().as_bytes());
    Ok(home::temporary()?.join("pending").join(hex(&digest[..16])))
}
