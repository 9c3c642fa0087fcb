//! Resolves a path to an entry: an open folder, and a name in it. Below a [`Dir`], each name is
//! opened relative to the folder before it, and the system follows no link. This module reads the
//! links and follows those that stay in the folder.
//!
//! `openat2` with `RESOLVE_BENEATH` and cap-std refuse a link whose target is an absolute path
//! within the project, which checkouts contain. They don't say either in which folder the target of
//! a link is, and a replacement must be written there. `openat2` exists on Linux only, so other
//! systems would need this walk anyway.

use std::ffi::{OsStr, OsString};
use std::io::{self, Error};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use rustix::fs::{self, CWD, Mode, OFlags, Stat};
use rustix::io::Errno;

use super::dir_entry::DirEntry;
use super::umask;

/// The flags of a folder in which names are looked up. With `O_PATH`, opening it needs no permission
/// to list it.
pub(crate) const FOLDER: OFlags = {
    let folder = OFlags::DIRECTORY.union(OFlags::CLOEXEC);
    #[cfg(target_os = "linux")]
    let folder = folder.union(OFlags::PATH);
    folder
};

/// Linux follows 40 links at most (path_resolution(7)).
const MAX_LINKS: usize = 40;
/// The most folders between the root and an entry. All of them are open until the entry is found,
/// and a process may have 1,024 open files.
const MAX_DEPTH: usize = 256;
const CIRCLE: &str = "its links lead in a circle";

/// Where files may be.
#[derive(Clone, Debug)]
pub enum Root {
    /// Anywhere. The files are the person's own, so links are followed wherever they lead.
    Anywhere,
    /// Below a folder that others may have written.
    Below(Arc<Dir>),
}

impl Root {
    /// The files below a folder.
    ///
    /// # Errors
    /// The folder can't be opened.
    pub fn open(folder: &Path) -> io::Result<Self> {
        Ok(Self::Below(Arc::new(Dir::open(folder)?)))
    }

    /// The entry at a path.
    ///
    /// # Errors
    /// A folder on the way doesn't exist, or a link leads out of the root.
    pub fn entry(&self, path: &Path, last: LastLink) -> io::Result<DirEntry> {
        match (self, last) {
            (Self::Below(folder), last) => folder.entry(path, last),
            (Self::Anywhere, LastLink::Followed) => DirEntry::from_path(&target(path)?),
            (Self::Anywhere, LastLink::Kept) => DirEntry::from_path(path),
        }
    }

    /// The entry of a file that is to be written: links are followed, and missing folders are
    /// created.
    ///
    /// # Errors
    /// A folder can't be created, or a link leads out of the root.
    pub fn entry_with_folders(&self, path: &Path) -> io::Result<DirEntry> {
        match self {
            Self::Below(folder) => folder.walk(path, LastLink::Followed, true),
            Self::Anywhere => {
                let path = target(path)?;
                if let Some(folder) = path.parent() {
                    umask::ordinary(|| std::fs::create_dir_all(folder))?;
                }
                DirEntry::from_path(&path)
            }
        }
    }
}

/// What to do if the last name of a path is a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastLink {
    /// The entry is the target of the link.
    Followed,
    /// The entry is the link itself, which is never read or written through.
    Kept,
}

/// An open folder. Its path comes from the person, so links in that path are followed.
#[derive(Debug)]
pub struct Dir {
    path: PathBuf,
    folder: OwnedFd,
}

/// A name on the way to an entry.
struct Step {
    name: OsString,
    /// Whether the name is from a link's target.
    is_of_link: bool,
}

impl Dir {
    /// Opens a folder.
    ///
    /// # Errors
    /// It doesn't exist, or is no folder.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self {
            path: std::path::absolute(path)?,
            folder: fs::openat(CWD, path, FOLDER, Mode::empty())?,
        })
    }

    /// The entry at a path below this folder. A relative path begins in it.
    ///
    /// # Errors
    /// A folder on the way doesn't exist, or a link leads out of this one.
    pub fn entry(&self, path: &Path, last: LastLink) -> io::Result<DirEntry> {
        self.walk(path, last, false)
    }

    pub(crate) fn walk(&self, path: &Path, last: LastLink, creates: bool) -> io::Result<DirEntry> {
        let mut links = 0;
        // The names that are left, the next one last, and the folders that are open so far.
        let mut ahead = self.steps(&self.path.join(path), false)?;
        let mut opened: Vec<OwnedFd> = Vec::new();
        while let Some(Step { name, is_of_link }) = ahead.pop() {
            if name == ".." {
                if opened.pop().is_none() {
                    let above = self.parent_path(&mut ahead)?;
                    ahead = self.steps(&joined(above, &mut ahead), is_of_link)?;
                }
                continue;
            }
            let folder = opened.last().unwrap_or(&self.folder);
            let is_kept = ahead.is_empty() && last == LastLink::Kept;
            if !is_kept && let Some(target) = link_target(folder, &name, is_of_link)? {
                links += 1;
                if links > MAX_LINKS {
                    return Err(Error::other(CIRCLE));
                }
                if target.is_absolute() {
                    ahead = self.steps(&joined(target, &mut ahead), true)?;
                    opened.clear();
                } else {
                    ahead.extend(names(&target, true));
                }
            } else if ahead.is_empty() {
                return Ok(DirEntry::new(self.owned(opened.pop())?, name));
            } else if opened.len() == MAX_DEPTH {
                return Err(Error::other("it is in too many folders"));
            } else {
                let next = open_folder(folder, &name, creates)?;
                opened.push(next);
            }
        }
        // The path ends at a folder that is open already.
        Ok(DirEntry::new(self.owned(opened.pop())?, ".".into()))
    }

    fn owned(&self, opened: Option<OwnedFd>) -> io::Result<OwnedFd> {
        opened.map_or_else(|| self.folder.try_clone(), Ok)
    }

    /// The names from this folder to an absolute path, in reverse order.
    fn steps(&self, path: &Path, is_of_link: bool) -> io::Result<Vec<Step>> {
        if let Ok(rest) = path.strip_prefix(&self.path) {
            return Ok(names(rest, is_of_link).collect());
        }
        // The path may reach this folder through a link or a mount.
        let own = fs::fstat(&self.folder)?;
        let is_this = |folder: &&Path| fs::stat(*folder).is_ok_and(|found| is_same(&found, &own));
        let rest = path.ancestors().find(is_this);
        match rest.map(|folder| path.strip_prefix(folder)) {
            Some(Ok(rest)) => Ok(names(rest, is_of_link).collect()),
            Some(Err(_)) | None => Err(Error::other(format!(
                "a link leads out of the project, to {}",
                path.canonicalize().unwrap_or(path.to_owned()).display()
            ))),
        }
    }

    /// The absolute path, without links, of the parent folder. The `..` that follow are applied, too,
    /// because the names after them may lead back into this folder.
    fn parent_path(&self, ahead: &mut Vec<Step>) -> io::Result<PathBuf> {
        let mut above = self.path.canonicalize()?;
        above.pop();
        while ahead.pop_if(|step| step.name == "..").is_some() {
            above.pop();
        }
        Ok(above)
    }
}

/// The names of a relative path, in reverse order.
fn names(path: &Path, is_of_link: bool) -> impl Iterator<Item = Step> {
    path.components().rev().filter_map(move |part| {
        let name = match part {
            Component::Normal(name) => name,
            Component::ParentDir => OsStr::new(".."),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => return None,
        };
        Some(Step {
            name: name.to_owned(),
            is_of_link,
        })
    })
}

/// Opens a folder. Fails if it is a link. A missing folder is created if `creates` is set.
fn open_folder(folder: &OwnedFd, name: &OsStr, creates: bool) -> io::Result<OwnedFd> {
    let open = || fs::openat(folder, name, FOLDER | OFlags::NOFOLLOW, Mode::empty());
    match open() {
        Err(Errno::NOENT) if creates => {
            let all = Mode::RWXU | Mode::RWXG | Mode::RWXO;
            match umask::ordinary(|| fs::mkdirat(folder, name, all)) {
                Ok(()) | Err(Errno::EXIST) => Ok(open()?),
                Err(error) => Err(error.into()),
            }
        }
        opened => Ok(opened?),
    }
}

/// The target of a link; `None` if the name isn't a link or doesn't exist.
fn link_target(folder: &OwnedFd, name: &OsStr, is_of_link: bool) -> io::Result<Option<PathBuf>> {
    match fs::readlinkat(folder, name, Vec::new()) {
        Ok(target) => Ok(Some(OsString::from_vec(target.into_bytes()).into())),
        Err(Errno::NOENT) if is_of_link => Err(Error::other("it is a link that leads nowhere")),
        Err(Errno::INVAL | Errno::NOENT) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// A path followed by all names that are left.
fn joined(path: PathBuf, ahead: &mut Vec<Step>) -> PathBuf {
    let rest = ahead.drain(..).rev();
    rest.fold(path, |path, step| path.join(step.name))
}

fn is_same(one: &Stat, other: &Stat) -> bool {
    (one.st_dev, one.st_ino) == (other.st_dev, other.st_ino)
}

/// The path at the end of a chain of links, whether or not it exists.
fn target(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match std::fs::read_link(&path) {
            Ok(next) => path = path.parent().unwrap_or(Path::new("/")).join(next),
            Err(_) => return Ok(path),
        }
    }
    Err(Error::other(CIRCLE))
}
