//! Clients' files on disk: read, replaced as a whole, and backed up before the first change.

use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// The ending of a backup's name.
const BACKUP: &str = ".ask-user-backup";

/// The error for a file that changed after it was read.
pub(crate) const MEANWHILE: &str = "it was changed meanwhile: run this again";

/// The largest settings file. A sparse file may claim any size.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// The text of a file; `None` if it doesn't exist.
///
/// # Errors
/// It isn't a regular file, is too large, or isn't UTF-8.
pub fn read(path: &Path) -> io::Result<Option<String>> {
    // Reading a pipe could block for ever.
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(io::Error::other("it is not a file"));
    }
    let file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file?,
    };
    if file.metadata()?.len() > MAX_BYTES {
        return Err(io::Error::other(format!(
            "it has more than {MAX_BYTES} bytes"
        )));
    }
    let mut bytes = Vec::new();
    file.take(MAX_BYTES).read_to_end(&mut bytes)?;
    String::from_utf8(bytes)
        .map(Some)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8"))
}

/// Resolves all links of a path below a project, whether or not the file exists. Links within the
/// project are common, such as a `CLAUDE.md` that links to `AGENTS.md`, and are followed. A link
/// out of the project would let the author of a checkout choose which of the person's files is read
/// or written. Whoever can change the path after this check can write as the person already.
///
/// # Errors
/// The path leads out of the project.
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

/// The path of a file's backup.
pub(crate) fn backup_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(BACKUP);
    PathBuf::from(name)
}

/// Writes the backup of a file, in place of an earlier registration's.
pub(crate) fn back_up(path: &Path, text: &str) -> io::Result<PathBuf> {
    let backup = backup_of(path);
    let beside = backup_path(&backup);
    let known = fs::metadata(path)?;
    // The rename makes the backup complete or absent.
    let made =
        write(&beside, text, Some(&known), u32::MAX).and_then(|()| fs::rename(&beside, &backup));
    if made.is_err() {
        // The rename failed, and that error is returned; a stray temporary file does no harm.
        let _ = fs::remove_file(&beside);
    }
    made.map(|()| backup)
}

/// Removes a backup that equals the file again.
pub(crate) fn forget_backup(path: &Path, text: &str) {
    let backup = backup_of(path);
    if read(&backup).ok().flatten().as_deref() == Some(text) {
        // A backup that stays does no harm.
        let _ = fs::remove_file(backup);
    }
}

/// Replaces a file that is unchanged since it was read. A link stays a link, the mode stays, and
/// readers see either text. Missing folders are created.
///
/// # Errors
/// The file changed meanwhile, or can't be written.
pub fn replace(path: &Path, before: Option<&str>, text: &str) -> io::Result<()> {
    put(path, before, text, u32::MAX)
}

/// Like [`replace`], and removes the permissions of group and others.
pub(crate) fn replace_privately(path: &Path, before: Option<&str>, text: &str) -> io::Result<()> {
    put(path, before, text, 0o600)
}

fn put(path: &Path, before: Option<&str>, text: &str, most: u32) -> io::Result<()> {
    let target = target(path)?;
    if let Some(folder) = target.parent() {
        fs::create_dir_all(folder)?;
    }
    let known = fs::metadata(&target).ok();
    let beside = backup_path(&target);
    let result = write(&beside, text, known.as_ref(), most).and_then(|()| {
        if read(&target)?.as_deref() != before {
            return Err(io::Error::other(MEANWHILE));
        }
        fs::rename(&beside, &target)
    });
    if result.is_err() {
        // The write failed, and that error is returned; a stray temporary file does no harm.
        let _ = fs::remove_file(&beside);
    }
    result
}

/// An unpredictable name for a temporary file beside this path.
pub fn backup_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{:016x}", RandomState::new().hash_one(0)));
    PathBuf::from(name)
}

/// Writes a new file with the owner and mode of another, limited to the permissions in `most`.
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

/// Deletes a file that we created, and the folders that are empty then.
pub fn remove(path: &Path, before: &str, up_to: &Path) -> io::Result<()> {
    if read(path)?.as_deref() != Some(before) {
        return Err(io::Error::other(MEANWHILE));
    }
    fs::remove_file(path)?;
    remove_empty(path.parent(), up_to);
    Ok(())
}

/// Deletes empty folders, from the innermost outwards.
pub(crate) fn remove_empty(folder: Option<&Path>, up_to: &Path) {
    let mut folder = folder;
    while let Some(inner) = folder.filter(|inner| *inner != up_to && inner.starts_with(up_to)) {
        if fs::remove_dir(inner).is_err() {
            break;
        }
        folder = inner.parent();
    }
}

/// The file that a chain of links leads to.
fn target(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    // Linux follows 40 links at most (path_resolution(7)).
    for _ in 0..40 {
        match fs::read_link(&path) {
            Ok(next) => path = path.parent().unwrap_or(Path::new("/")).join(next),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("its links lead in a circle"))
}
