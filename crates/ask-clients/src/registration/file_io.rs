//! Clients' files on disk: read, replaced as a whole, and backed up before the first change. Each
//! is found below its [`Root`], so that no link leads out of a project.

use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use ask_files::{DirEntry, LastLink, Mode, Root};

/// The ending of a backup's name.
const BACKUP: &str = ".ask-user-backup";

/// The error for a file that changed after it was read.
pub(crate) const MEANWHILE: &str = "it was changed meanwhile: run this again";

/// The largest settings file. A sparse file may claim any size.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// The text of a file; `None` if it doesn't exist.
///
/// # Errors
/// It isn't a regular file, is too large, isn't UTF-8, or a link leads out of the root.
pub fn read(root: &Root, path: &Path) -> io::Result<Option<String>> {
    let entry = root.entry(path, LastLink::Followed);
    found(entry.and_then(|entry| entry.read(MAX_BYTES)))
}

fn found(text: io::Result<String>) -> io::Result<Option<String>> {
    match text {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        text => text.map(Some),
    }
}

/// Whether something is at a path, readable or not.
pub(crate) fn exists(root: &Root, path: &Path) -> bool {
    let entry = root.entry(path, LastLink::Followed);
    let known = entry.and_then(|entry| entry.metadata());
    !matches!(known, Err(error) if error.kind() == io::ErrorKind::NotFound)
}

/// The entry of a file's backup. A link in its place is not ours, so none is followed.
fn backup_of(root: &Root, path: &Path) -> io::Result<DirEntry> {
    root.entry(&backup_path(path), LastLink::Kept)
}

fn backup_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(BACKUP);
    PathBuf::from(name)
}

/// Whether a file has a backup.
pub(crate) fn has_backup(root: &Root, path: &Path) -> bool {
    backup_of(root, path).is_ok_and(|backup| backup.exists())
}

/// The text of a file's backup; `None` if it has none.
pub(crate) fn read_backup(root: &Root, path: &Path) -> io::Result<Option<String>> {
    found(backup_of(root, path).and_then(|backup| backup.read(MAX_BYTES)))
}

/// Writes the backup of a file. Another text of that name, such as an earlier registration's backup,
/// gets a number: it may be the only copy.
pub(crate) fn back_up(root: &Root, path: &Path, text: &str) -> io::Result<PathBuf> {
    let known = root.entry(path, LastLink::Followed)?;
    let backup = backup_of(root, path)?;
    let is_same = || read_backup(root, path).is_ok_and(|kept| kept.as_deref() == Some(text));
    if backup.exists() && !is_same() {
        for number in 1.. {
            let mut older = backup_path(path).into_os_string();
            older.push(format!(".{number}"));
            let older = PathBuf::from(older);
            let Some(name) = older.file_name() else { break };
            match backup.rename_new(name) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                renamed => {
                    renamed?;
                    break;
                }
            }
        }
    }
    let mut beside = backup.replacement(Some(&known), Mode::all())?;
    beside.file.write_all(text.as_bytes())?;
    beside.place()?;
    Ok(backup_path(path))
}

/// Removes a backup that equals the file again.
pub(crate) fn forget_backup(root: &Root, path: &Path, text: &str) {
    let is_same = read_backup(root, path).is_ok_and(|kept| kept.as_deref() == Some(text));
    if is_same && let Ok(backup) = backup_of(root, path) {
        // A backup that stays does no harm.
        let _ = backup.remove();
    }
}

/// Replaces a file that is unchanged since it was read. A link stays a link, the mode stays, and
/// readers see either text. Missing folders are created.
///
/// # Errors
/// The file changed meanwhile, can't be written, or a link leads out of the root.
pub fn replace(root: &Root, path: &Path, before: Option<&str>, text: &str) -> io::Result<()> {
    put(root, path, before, text, Mode::all())
}

/// Like [`replace`], and removes the permissions of group and others.
pub(crate) fn replace_privately(
    root: &Root,
    path: &Path,
    before: Option<&str>,
    text: &str,
) -> io::Result<()> {
    put(root, path, before, text, Mode::RUSR | Mode::WUSR)
}

fn put(root: &Root, path: &Path, before: Option<&str>, text: &str, most: Mode) -> io::Result<()> {
    let entry = root.entry_with_folders(path)?;
    let known = entry.exists().then_some(&entry);
    let mut beside = entry.replacement(known, most)?;
    beside.file.write_all(text.as_bytes())?;
    // This takes a while, so the look at the other file comes after it.
    beside.file.sync_all()?;
    let now = found(entry.read(MAX_BYTES))?;
    let placed = match now.as_deref() == before {
        true if before.is_none() => beside.place_new(),
        true => beside.place(),
        false => return Err(io::Error::other(MEANWHILE)),
    };
    match placed {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            Err(io::Error::other(MEANWHILE))
        }
        placed => placed,
    }
}

/// Keeps other registrations out of the folder of a file, until the result is dropped.
pub(crate) fn lock(root: &Root, path: &Path) -> Option<OwnedFd> {
    root.entry(path, LastLink::Followed).ok()?.lock_folder()
}

/// Deletes a file that we created, and the folders that are empty then. A link that led to it stays.
pub fn remove(root: &Root, path: &Path, before: &str, up_to: &Path) -> io::Result<()> {
    if read(root, path)?.as_deref() != Some(before) {
        return Err(io::Error::other(MEANWHILE));
    }
    root.entry(path, LastLink::Followed)?.remove()?;
    let inner = path.ancestors().skip(1);
    let inner = inner.take_while(|folder| *folder != up_to && folder.starts_with(up_to));
    for folder in inner {
        // The innermost ones come first. One that isn't empty stays, with those around it.
        let removed = root
            .entry(folder, LastLink::Kept)
            .and_then(|folder| folder.remove_folder());
        if removed.is_err() {
            break;
        }
    }
    Ok(())
}
