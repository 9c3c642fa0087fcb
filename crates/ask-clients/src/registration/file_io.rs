//! Clients' files on the disk: read, replaced as wholes, backed up before the first change.

use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// What the name of a backup ends in.
const BACKUP: &str = ".ask-user-backup";

/// Why a file isn't replaced that is no longer as it was read.
pub(crate) const MEANWHILE: &str = "it was changed meanwhile: run this again";

/// No settings are larger. A file may say that it is, and hold nothing.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// The text of a file, if there is one.
pub fn read(path: &Path) -> io::Result<Option<String>> {
    // Whoever reads a pipe may wait for ever.
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(io::Error::other("it is not a file"));
    }
    let file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file?,
    };
    if file.metadata()?.len() > MOST_BYTES {
        return Err(io::Error::other(format!(
            "it has more than {MOST_BYTES} bytes"
        )));
    }
    let mut bytes = Vec::new();
    file.take(MOST_BYTES).read_to_end(&mut bytes)?;
    String::from_utf8(bytes)
        .map(Some)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8"))
}

/// The path that one below a project leads to through all links, whether or not something is there.
/// A link that stays in the project is common, as a `CLAUDE.md` that is `AGENTS.md`, and is followed.
/// One that leaves it would have the author of a checkout choose which of the person's own files is
/// read or written. What changes between this look and the use of the path is changed by somebody who
/// can write as the person does, and needs no link for that.
pub fn beneath(project: &Path, path: &Path) -> io::Result<PathBuf> {
    let real = match path.canonicalize() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
                return Err(error);
            };
            if path.is_symlink() {
                return Err(io::Error::other("it is a link that leads nowhere"));
            }
            return Ok(beneath(project, folder)?.join(name));
        }
        real => real?,
    };
    match real.starts_with(project.canonicalize()?) {
        true => Ok(real),
        false => Err(io::Error::other(format!(
            "a link leads out of the project, to {}",
            real.display()
        ))),
    }
}

/// Where the file as it was before our first change is kept.
pub(crate) fn backup_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(BACKUP);
    PathBuf::from(name)
}

/// Keeps the file as it was read, in place of what is kept of an earlier registration.
pub(crate) fn back_up(path: &Path, text: &str) -> io::Result<PathBuf> {
    let backup = backup_of(path);
    let beside = beside(&backup);
    let known = fs::metadata(path)?;
    // Whole or not at all.
    let made =
        write(&beside, text, Some(&known), u32::MAX).and_then(|()| fs::rename(&beside, &backup));
    if made.is_err() {
        let _ = fs::remove_file(&beside);
    }
    made.map(|()| backup)
}

/// Forgets a backup that says what the file says again.
pub(crate) fn forget_backup(path: &Path, text: &str) {
    let backup = backup_of(path);
    if read(&backup).ok().flatten().as_deref() == Some(text) {
        let _ = fs::remove_file(backup);
    }
}

/// Replaces a file that still is as it was read: a link stays a link, its mode stays, and
/// readers see the old text or the new. Folders on the way to a new one are made.
pub fn replace(path: &Path, before: Option<&str>, text: &str) -> io::Result<()> {
    put(path, before, text, u32::MAX)
}

/// The same with a text that nobody else may read: whoever else could read the file can't any more.
pub(crate) fn replace_privately(path: &Path, before: Option<&str>, text: &str) -> io::Result<()> {
    put(path, before, text, 0o600)
}

fn put(path: &Path, before: Option<&str>, text: &str, most: u32) -> io::Result<()> {
    let target = target(path)?;
    if let Some(folder) = target.parent() {
        fs::create_dir_all(folder)?;
    }
    let known = fs::metadata(&target).ok();
    let beside = beside(&target);
    let result = write(&beside, text, known.as_ref(), most).and_then(|()| {
        if read(&target)?.as_deref() != before {
            return Err(io::Error::other(MEANWHILE));
        }
        fs::rename(&beside, &target)
    });
    if result.is_err() {
        let _ = fs::remove_file(&beside);
    }
    result
}

/// A name for a file that is about to take that one's place, which nobody can have put there before.
pub fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{:016x}", RandomState::new().hash_one(0)));
    PathBuf::from(name)
}

/// Writes a file with the owner and the mode of another, or with what part of that mode it may have.
fn write(path: &Path, text: &str, known: Option<&fs::Metadata>, most: u32) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    options.mode(match known {
        Some(known) => 0o600 & known.permissions().mode(),
        None => 0o666 & most,
    });
    let mut file = options.open(path)?;
    file.write_all(text.as_bytes())?;
    if let Some(known) = known {
        let own = file.metadata()?;
        if (own.uid(), own.gid()) != (known.uid(), known.gid()) {
            std::os::unix::fs::chown(path, Some(known.uid()), Some(known.gid()))?;
        }
        let mode = known.permissions().mode() & most;
        file.set_permissions(fs::Permissions::from_mode(mode))?;
    }
    file.sync_all()
}

/// Takes a file away that we made, and the folders that are empty then.
pub fn remove(path: &Path, before: &str, up_to: &Path) -> io::Result<()> {
    if read(path)?.as_deref() != Some(before) {
        return Err(io::Error::other(MEANWHILE));
    }
    fs::remove_file(path)?;
    remove_empty(path.parent(), up_to);
    Ok(())
}

/// Takes folders away that are empty, from the innermost on.
pub(crate) fn remove_empty(folder: Option<&Path>, up_to: &Path) {
    let mut folder = folder;
    while let Some(inner) = folder.filter(|inner| *inner != up_to && inner.starts_with(up_to)) {
        if fs::remove_dir(inner).is_err() {
            break;
        }
        folder = inner.parent();
    }
}

/// The file that a link leads to, through all of them.
fn target(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    // More links than a system follows.
    for _ in 0..40 {
        match fs::read_link(&path) {
            Ok(next) => path = path.parent().unwrap_or(Path::new("/")).join(next),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("its links lead in a circle"))
}
