//! Opens files of a checkout whose author isn't trusted: it may contain links, pipes, devices or
//! huge files. A folder of ours, such as `.ask-user` with its `pending-questions.json`, is opened
//! only if it isn't a link, and its files are opened relative to it. Other files may be links that
//! stay in the project ([`beneath`]). Only regular files of a bounded size are read. The path of
//! the project itself comes from the person, so links in that path are followed.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Error, ErrorKind, Read as _, Write as _};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{self, AtFlags, CWD, FileType, Mode, OFlags};

use crate::clock;

pub use ask_clients::registration::file_io::beneath;

/// An opened folder, and the name of a file in it.
struct FileInFolder<'path> {
    folder: OwnedFd,
    name: &'path OsStr,
}

impl<'path> FileInFolder<'path> {
    fn open(path: &'path Path) -> io::Result<Self> {
        let unnamed = || Error::new(ErrorKind::InvalidInput, "it is no file in a folder");
        Ok(Self {
            folder: open_folder(parent(path))?,
            name: path.file_name().ok_or_else(unnamed)?,
        })
    }
}

/// The folder of a path; `.` for a bare name.
fn parent(path: &Path) -> &Path {
    match path.parent() {
        None => Path::new("/"),
        Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
        Some(parent) => parent,
    }
}

/// Opens a folder of ours. Fails if it is a link.
fn open_folder(path: &Path) -> io::Result<OwnedFd> {
    let is_folder = OFlags::DIRECTORY | OFlags::CLOEXEC;
    let project = fs::openat(CWD, parent(path), is_folder, Mode::empty())?;
    let name = path.file_name().unwrap_or(OsStr::new("."));
    let opened = fs::openat(&project, name, is_folder | OFlags::NOFOLLOW, Mode::empty());
    opened.map_err(|error| match error {
        rustix::io::Errno::LOOP | rustix::io::Errno::NOTDIR => {
            Error::other(format!("{} is no folder of its own", path.display()))
        }
        error => error.into(),
    })
}

/// Creates a folder of ours if it doesn't exist. Fails if a link has its name.
pub fn make_folder(path: &Path) -> io::Result<()> {
    match std::fs::create_dir(path) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error),
        Ok(()) | Err(_) => open_folder(path).map(drop),
    }
}

/// The names of the regular files of at most `most` bytes in a folder of ours.
pub fn files(folder: &Path, most: u64) -> io::Result<Vec<OsString>> {
    let folder = open_folder(folder)?;
    let mut names = Vec::new();
    for entry in fs::Dir::read_from(&folder)? {
        let entry = entry?;
        let Ok(stat) = fs::statat(&folder, entry.file_name(), AtFlags::SYMLINK_NOFOLLOW) else {
            continue;
        };
        let is_file = FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile;
        if is_file && u64::try_from(stat.st_size).is_ok_and(|size| size <= most) {
            names.push(OsStr::from_bytes(entry.file_name().to_bytes()).to_owned());
        }
    }
    Ok(names)
}

/// Reads a regular file of at most `most` bytes in a folder of ours.
pub fn read(path: &Path, most: u64) -> io::Result<String> {
    let target = FileInFolder::open(path)?;
    text(regular(&target.folder, Path::new(target.name))?, most)
}

/// Reads a regular file of at most `most` bytes in any folder. Fails if it is a link.
pub fn read_anywhere(path: &Path, most: u64) -> io::Result<String> {
    text(open(path)?, most)
}

/// Opens a regular file. Fails if it is a link.
pub fn open(path: &Path) -> io::Result<File> {
    regular(CWD, path)
}

fn regular(folder: impl AsFd, path: &Path) -> io::Result<File> {
    // Without NONBLOCK, opening a pipe would wait for a writer.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = match fs::openat(folder, path, flags, Mode::empty()) {
        Err(rustix::io::Errno::LOOP) => return Err(Error::other("it is a link")),
        file => file?,
    };
    if FileType::from_raw_mode(fs::fstat(&file)?.st_mode) != FileType::RegularFile {
        return Err(Error::other("it is no regular file"));
    }
    Ok(file.into())
}

/// Reads everything. Fails if there are more than `most` bytes.
pub fn bytes(from: impl io::Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(most + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > most {
        true => Err(Error::other(format!("it has more than {most} bytes"))),
        false => Ok(bytes),
    }
}

/// Like [`bytes`], as text in UTF-8.
pub fn text(from: impl io::Read, most: u64) -> io::Result<String> {
    let text = String::from_utf8(bytes(from, most)?);
    text.map_err(|_| Error::new(ErrorKind::InvalidData, "it is not UTF-8"))
}

/// The project around a folder, if somebody else may have made it: the nearest ancestor with a
/// `.git`, otherwise the folder itself. `None` if it contains the person's home, which makes it
/// their own.
pub fn project(folder: &Path) -> Option<&Path> {
    let mut above = folder.ancestors();
    let found = above.find(|above| above.join(".git").symlink_metadata().is_ok());
    let project = found.unwrap_or(folder);
    let is_own = etcetera::home_dir().is_ok_and(|home| home.starts_with(project));
    (!is_own).then_some(project)
}

/// Opens a regular file by a path that a person gave. If the path names a file in the project, the
/// file must really be there: otherwise the author of a checkout could choose which of the person's
/// files a harmless name means.
pub fn open_named(project: Option<&Path>, path: &Path) -> io::Result<File> {
    let mut named = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(named.pop()),
            part => named.push(part),
        }
    }
    let project = project.filter(|project| named.starts_with(project));
    open(&match project {
        Some(project) => beneath(project, path)?,
        None => path.canonicalize()?,
    })
}

/// Replaces a file atomically: readers see the old text or the new one. A link in its place is
/// replaced, and never written through.
pub fn replace(path: &Path, text: &str) -> io::Result<()> {
    let target = FileInFolder::open(path)?;
    let mut beside = target.name.to_owned();
    beside.push(format!(".{:016x}", clock::attempt()));
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = fs::openat(&target.folder, &beside, flags, Mode::RUSR | Mode::WUSR)?;
    let written = File::from(file).write_all(text.as_bytes()).and_then(|()| {
        let renamed = fs::renameat(&target.folder, &beside, &target.folder, target.name);
        Ok(renamed?)
    });
    if written.is_err() {
        // The error of the write is returned. The leftover file does no harm.
        let _ = fs::unlinkat(&target.folder, &beside, AtFlags::empty());
    }
    written
}

/// Creates a file of the person next to another one. Nobody can guess its name and put a link
/// there. Renaming it replaces the other file atomically.
pub fn create_beside(path: &Path) -> io::Result<(File, PathBuf)> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{:016x}", clock::attempt()));
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = fs::openat(CWD, &beside, flags, Mode::RUSR | Mode::WUSR)?;
    Ok((file.into(), beside.into()))
}

/// Renames a file within its folder.
pub fn rename(path: &Path, name: &OsStr) -> io::Result<()> {
    let target = FileInFolder::open(path)?;
    Ok(fs::renameat(
        &target.folder,
        target.name,
        &target.folder,
        name,
    )?)
}

/// Adds a second name for a file in its folder. Fails if the name is taken.
pub fn link(path: &Path, name: &OsStr) -> io::Result<()> {
    let target = FileInFolder::open(path)?;
    let linked = fs::linkat(
        &target.folder,
        target.name,
        &target.folder,
        name,
        AtFlags::empty(),
    );
    Ok(linked?)
}

/// Removes a file from its folder.
pub fn remove(path: &Path) -> io::Result<()> {
    let target = FileInFolder::open(path)?;
    Ok(fs::unlinkat(&target.folder, target.name, AtFlags::empty())?)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    /// Makes a project with a folder of ours, and a file outside of the project.
    fn project(name: &str) -> (PathBuf, PathBuf) {
        let root = std::env::temp_dir().join(format!("checkout-{name}-{}", std::process::id()));
        // An earlier run may have left it.
        let _ = std::fs::remove_dir_all(&root);
        std::fs::create_dir_all(root.join("project/.ask-user")).expect("a folder");
        std::fs::write(root.join("outside"), "precious").expect("a file");
        (root.join("project/.ask-user"), root.join("outside"))
    }

    #[test]
    fn a_written_file_is_read_again_and_no_temporary_file_is_left() {
        let (folder, _) = project("plain");
        let file = folder.join("one.json");
        replace(&file, "first").expect("the file is written");
        replace(&file, "second").expect("the file is replaced");
        assert_eq!(read(&file, 6).expect("the file is read"), "second");
        assert!(read(&file, 5).is_err(), "the file is larger than 5 bytes");
        link(&file, OsStr::new("two.json")).expect("another name");
        rename(&file, OsStr::new("three.json")).expect("another name");
        assert!(link(&folder.join("two.json"), OsStr::new("three.json")).is_err());
        remove(&folder.join("two.json")).expect("the file exists");
        assert_eq!(files(&folder, 6).expect("a folder"), ["three.json"]);
    }

    #[test]
    fn links_are_never_followed() {
        let (folder, outside) = project("links");
        let file = folder.join("one.json");
        symlink(&outside, &file).expect("a link");
        assert!(read(&file, 100).is_err(), "a link is not read");
        assert_eq!(files(&folder, 100).expect("a folder").len(), 0);
        replace(&file, "new").expect("the link is replaced");
        assert_eq!(std::fs::read_to_string(&outside).unwrap(), "precious");
        assert_eq!(read(&file, 100).expect("the link became a file"), "new");

        // Links at names that a checkout could guess.
        for guessed in [std::process::id(), 1] {
            let planted = folder.join(format!("one.json.{guessed}"));
            symlink(&outside, planted).expect("a link");
        }
        for number in 0..100 {
            replace(&file, &number.to_string()).expect("the file is replaced");
        }
        assert_eq!(std::fs::read_to_string(&outside).unwrap(), "precious");

        let elsewhere = folder.with_file_name("elsewhere");
        std::fs::create_dir(&elsewhere).expect("a folder");
        std::fs::write(elsewhere.join("one.json"), "{}").expect("a file");
        std::fs::remove_dir_all(&folder).expect("the folder exists");
        symlink(&elsewhere, &folder).expect("a link");
        assert!(make_folder(&folder).is_err(), "a link is no folder of ours");
        assert!(files(&folder, 100).is_err());
        assert!(read(&file, 100).is_err());
        assert!(replace(&file, "x").is_err());
        assert!(remove(&file).is_err());
    }

    #[test]
    fn pipes_and_devices_are_not_read() {
        let (folder, _) = project("pipes");
        let pipe = folder.join("pipe.json");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo runs").success());
        let error = read(&pipe, 100).expect_err("a pipe is no regular file");
        assert!(error.to_string().contains("no regular file"), "{error}");
        assert_eq!(files(&folder, 100).expect("a folder").len(), 0);
    }
}
