//! A name in an open folder. Its file is read, replaced and removed in that folder, even if the path
//! of the folder now leads elsewhere.

use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Error, ErrorKind, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::fchown;
use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use rustix::fs::{self, AtFlags, CWD, FileType, FlockOperation, Mode, OFlags, RenameFlags, Stat};
use rustix::io::Errno;

use super::dir::FOLDER;
use super::umask;

/// How long to wait for the lock of a folder.
const LOCK_LIMIT: Duration = Duration::from_secs(10);

/// A name in an open folder.
#[derive(Debug)]
pub struct DirEntry {
    folder: OwnedFd,
    name: OsString,
}

impl DirEntry {
    /// A name in this folder.
    pub fn new(folder: OwnedFd, name: OsString) -> Self {
        Self { folder, name }
    }

    /// The last name of a path, in its folder. Links on the way are followed.
    ///
    /// # Errors
    /// The folder can't be opened.
    pub fn from_path(path: &Path) -> io::Result<Self> {
        let unnamed = || Error::new(ErrorKind::InvalidInput, "it is no file in a folder");
        let name = path.file_name().ok_or_else(unnamed)?;
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            Some(_) | None => Path::new("."),
        };
        let folder = fs::openat(CWD, folder, FOLDER, Mode::empty())?;
        Ok(Self::new(folder, name.to_owned()))
    }

    /// The metadata of what has this name. A link is not followed.
    ///
    /// # Errors
    /// Nothing has this name.
    pub fn metadata(&self) -> io::Result<Stat> {
        let found = fs::statat(&self.folder, &self.name, AtFlags::SYMLINK_NOFOLLOW);
        Ok(found?)
    }

    /// The metadata of the folder above the one that this name is in.
    ///
    /// # Errors
    /// It can't be looked at.
    pub fn folder_above(&self) -> io::Result<Stat> {
        Ok(fs::statat(&self.folder, "..", AtFlags::SYMLINK_NOFOLLOW)?)
    }

    /// Whether something has this name, even a link that leads nowhere.
    pub fn exists(&self) -> bool {
        self.metadata().is_ok()
    }

    /// Whether a link has this name.
    pub fn is_link(&self) -> bool {
        let kind = |found: Stat| FileType::from_raw_mode(found.st_mode);
        self.metadata().map(kind).ok() == Some(FileType::Symlink)
    }

    /// Opens the regular file of this name.
    ///
    /// # Errors
    /// It doesn't exist, or is a link. If it is a folder, a pipe or a device, the kind is
    /// `InvalidInput`.
    pub fn open(&self) -> io::Result<File> {
        // Without NONBLOCK, opening a pipe would wait for a writer.
        let flags =
            OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let file = match fs::openat(&self.folder, &self.name, flags, Mode::empty()) {
            Err(Errno::LOOP) => return Err(Error::other("it is a link")),
            file => File::from(file?),
        };
        match file.metadata()?.is_file() {
            true => Ok(file),
            false => Err(Error::new(ErrorKind::InvalidInput, "it is not a file")),
        }
    }

    /// Reads a regular file of at most `most` bytes as text.
    ///
    /// # Errors
    /// As with [`Self::open`], or it is larger, or isn't UTF-8.
    pub fn read(&self, most: u64) -> io::Result<String> {
        self.read_if(most, |_| Ok(()))
    }

    /// Reads a regular file of at most `most` bytes as text, if `check` accepts its metadata.
    ///
    /// # Errors
    /// As with [`Self::read`], or that of `check`.
    pub fn read_if(
        &self,
        most: u64,
        check: impl FnOnce(&Metadata) -> io::Result<()>,
    ) -> io::Result<String> {
        let file = self.open()?;
        let metadata = file.metadata()?;
        check(&metadata)?;
        // A sparse file may have any size.
        match metadata.len() > most {
            true => Err(too_large(most)),
            false => read_text(file, most),
        }
    }

    /// Opens the folder of this name, to list its entries.
    ///
    /// # Errors
    /// It doesn't exist, is a link, or isn't a folder.
    pub fn list(&self) -> io::Result<Entries> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let folder = match fs::openat(&self.folder, &self.name, flags, Mode::empty()) {
            Err(Errno::LOOP) => return Err(ErrorKind::NotADirectory.into()),
            folder => folder?,
        };
        Ok(Entries {
            names: fs::Dir::read_from(&folder)?,
            folder,
        })
    }

    /// Creates a file next to this one that will replace it. It gets the owner, the mode and the access
    /// control list of the file `like`, and only the permissions that are also in `most`.
    ///
    /// # Errors
    /// It can't be created, or `like` doesn't exist.
    pub fn replacement(&self, like: Option<&Self>, most: Mode) -> io::Result<Replacement<'_>> {
        let name = unpredictable(&self.name);
        let like = match like {
            Some(like) => Some((like.metadata()?, like.access_list())),
            None => None,
        };
        let own = Mode::RUSR | Mode::WUSR;
        let mode = match like {
            Some((like, _)) => own & Mode::from_raw_mode(like.st_mode),
            None => most & Mode::from_raw_mode(0o666),
        };
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW;
        let create = || fs::openat(&self.folder, &name, flags | OFlags::CLOEXEC, mode);
        let file = match mode.intersects(Mode::RWXG | Mode::RWXO) {
            true => umask::ordinary(create),
            false => create(),
        };
        let made = Replacement {
            entry: self,
            file: file?.into(),
            name,
            is_placed: false,
        };
        if let Some((like, access_list)) = like {
            set_access_list(&made.file, access_list.as_deref())?;
            let own = fs::fstat(&made.file)?;
            if (own.st_uid, own.st_gid) != (like.st_uid, like.st_gid) {
                fchown(&made.file, Some(like.st_uid), Some(like.st_gid))?;
            }
            fs::fchmod(&made.file, Mode::from_raw_mode(like.st_mode) & most)?;
        }
        Ok(made)
    }

    /// The access control list of the file, as the system encodes it. `None` if its mode says all.
    fn access_list(&self) -> Option<Vec<u8>> {
        #[cfg(target_os = "linux")]
        {
            let file = self.open().ok()?;
            let mut list = Vec::with_capacity(MAX_ATTRIBUTE);
            let space = rustix::buffer::spare_capacity(&mut list);
            fs::fgetxattr(&file, ACCESS_LIST, space).ok()?;
            Some(list)
        }
        #[cfg(not(target_os = "linux"))]
        None
    }

    /// Replaces the file atomically: readers see the old text or the new one. A link is replaced, and
    /// never written through.
    ///
    /// # Errors
    /// It can't be written.
    pub fn replace(&self, text: &str, most: Mode) -> io::Result<()> {
        let mut replacement = self.replacement(None, most)?;
        replacement.file.write_all(text.as_bytes())?;
        replacement.place()
    }

    /// Keeps other processes that call this out of the folder, until the result is dropped. `None` if
    /// its file system has no locks, or another program keeps its lock for seconds. The lock is one
    /// of flock(2) on the folder itself, so no file is left in it.
    pub fn lock_folder(&self) -> Option<OwnedFd> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let folder = fs::openat(&self.folder, ".", flags, Mode::empty()).ok()?;
        let (sender, locked) = mpsc::channel();
        // flock has no time limit.
        thread::spawn(move || {
            if fs::flock(&folder, FlockOperation::LockExclusive).is_ok() {
                // If nobody waits any more, the lock ends here.
                let _ = sender.send(folder);
            }
        });
        locked.recv_timeout(LOCK_LIMIT).ok()
    }

    /// Renames the file within its folder, and replaces nothing.
    ///
    /// # Errors
    /// Something has the name, the file doesn't exist, or the folder can't be written.
    pub fn rename_new(&self, name: &OsStr) -> io::Result<()> {
        rename_new(&self.folder, &self.name, name)
    }

    /// Creates the file with all of its text at once. Of two processes that try, one succeeds.
    ///
    /// # Errors
    /// Something has the name, or the file can't be written.
    pub fn create(&self, text: &str, most: Mode) -> io::Result<()> {
        let mut written = self.replacement(None, most)?;
        written.file.write_all(text.as_bytes())?;
        written.place_new()
    }

    /// Removes the file, or the link.
    ///
    /// # Errors
    /// It doesn't exist, or the folder can't be written.
    pub fn remove(&self) -> io::Result<()> {
        Ok(fs::unlinkat(&self.folder, &self.name, AtFlags::empty())?)
    }

    /// Removes the folder of this name, if it is empty.
    ///
    /// # Errors
    /// It isn't empty, or isn't a folder.
    pub fn remove_folder(&self) -> io::Result<()> {
        Ok(fs::unlinkat(&self.folder, &self.name, AtFlags::REMOVEDIR)?)
    }
}

/// The extended attribute with a file's access control list, acl(5).
#[cfg(target_os = "linux")]
const ACCESS_LIST: &str = "system.posix_acl_access";

/// The most bytes of an extended attribute, xattr(7).
#[cfg(target_os = "linux")]
const MAX_ATTRIBUTE: usize = 64 * 1_024;

/// Gives a file this access control list. `None` removes the one that it has from its folder.
#[cfg(target_os = "linux")]
fn set_access_list(file: &File, list: Option<&[u8]>) -> io::Result<()> {
    match list {
        Some(list) => fs::fsetxattr(file, ACCESS_LIST, list, fs::XattrFlags::empty())?,
        None => match fs::fremovexattr(file, ACCESS_LIST) {
            // It has none, or its file system has no such lists.
            Ok(()) | Err(Errno::NODATA | Errno::NOTSUP | Errno::NOSYS) => {}
            Err(error) => return Err(error.into()),
        },
    }
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn set_access_list(_: &File, _: Option<&[u8]>) -> io::Result<()> {
    Ok(())
}

/// A new file that replaces another one. Dropping it before [`Replacement::place`] removes it.
#[derive(Debug)]
pub struct Replacement<'entry> {
    entry: &'entry DirEntry,
    name: OsString,
    is_placed: bool,
    /// The new file, open for writing.
    pub file: File,
}

impl Replacement<'_> {
    /// Syncs the new file to the disk and replaces the other one.
    ///
    /// # Errors
    /// It can't be written, or a folder is in that place.
    pub fn place(mut self) -> io::Result<()> {
        self.file.sync_all()?;
        let folder = &self.entry.folder;
        fs::renameat(folder, &self.name, folder, &self.entry.name)?;
        self.is_placed = true;
        Ok(())
    }

    /// Syncs the new file to the disk and gives it its name, if nothing has that.
    ///
    /// # Errors
    /// It can't be written, or something has its name.
    pub fn place_new(mut self) -> io::Result<()> {
        self.file.sync_all()?;
        rename_new(&self.entry.folder, &self.name, &self.entry.name)?;
        self.is_placed = true;
        Ok(())
    }
}

/// Renames a file within a folder, if nothing has the new name.
fn rename_new(folder: &OwnedFd, from: &OsStr, to: &OsStr) -> io::Result<()> {
    match fs::renameat_with(folder, from, folder, to, RenameFlags::NOREPLACE) {
        // Not every file system can do that, and not every one has hard links.
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP | Errno::PERM) => {
            match fs::linkat(folder, from, folder, to, AtFlags::empty()) {
                // If the old name can't be removed, the file has both.
                Ok(()) => drop(fs::unlinkat(folder, from, AtFlags::empty())),
                Err(Errno::EXIST) => return Err(ErrorKind::AlreadyExists.into()),
                Err(error @ Errno::NOENT) => return Err(error.into()),
                Err(_) => {
                    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL;
                    let flags = flags | OFlags::NOFOLLOW | OFlags::CLOEXEC;
                    drop(fs::openat(folder, to, flags, Mode::RUSR | Mode::WUSR)?);
                    if let Err(error) = fs::renameat(folder, from, folder, to) {
                        // The new name is taken by an empty file of this function.
                        let _ = fs::unlinkat(folder, to, AtFlags::empty());
                        return Err(error.into());
                    }
                }
            }
            Ok(())
        }
        renamed => Ok(renamed?),
    }
}

impl Drop for Replacement<'_> {
    fn drop(&mut self) {
        if !self.is_placed {
            // The error of the write is returned. The leftover file does no harm.
            let _ = fs::unlinkat(&self.entry.folder, &self.name, AtFlags::empty());
        }
    }
}

/// The names in an open folder with their types, in no order.
#[derive(Debug)]
pub struct Entries {
    folder: OwnedFd,
    names: fs::Dir,
}

impl Entries {
    /// A name in this folder.
    ///
    /// # Errors
    /// Too many files are open.
    pub fn entry(&self, name: &OsStr) -> io::Result<DirEntry> {
        Ok(DirEntry::new(self.folder.try_clone()?, name.to_owned()))
    }
}

impl Iterator for Entries {
    type Item = io::Result<(OsString, FileType)>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let entry = match self.names.read()? {
                Err(error) => return Some(Err(error.into())),
                Ok(entry) => entry,
            };
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if name == "." || name == ".." {
                continue;
            }
            let mut kind = entry.file_type();
            // Some file systems leave the type out of the listing.
            if kind == FileType::Unknown
                && let Ok(found) = fs::statat(&self.folder, name, AtFlags::SYMLINK_NOFOLLOW)
            {
                kind = FileType::from_raw_mode(found.st_mode);
            }
            return Some(Ok((name.to_owned(), kind)));
        }
    }
}

/// A name with a random suffix, for a temporary file that nobody can predict.
pub fn unpredictable(name: &OsStr) -> OsString {
    let mut name = name.to_owned();
    name.push(format!(".{:016x}", RandomState::new().hash_one(0)));
    name
}

/// Reads everything.
///
/// # Errors
/// There are more than `most` bytes, or reading fails.
pub fn read_bytes(from: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(most + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > most {
        true => Err(too_large(most)),
        false => Ok(bytes),
    }
}

/// Like [`read_bytes`], as text in UTF-8.
///
/// # Errors
/// As with [`read_bytes`], or it isn't UTF-8.
pub fn read_text(from: impl Read, most: u64) -> io::Result<String> {
    let text = String::from_utf8(read_bytes(from, most)?);
    text.map_err(|_| Error::new(ErrorKind::InvalidData, "it is not UTF-8"))
}

fn too_large(most: u64) -> Error {
    Error::other(format!("it has more than {most} bytes"))
}
