//! Files within a project. Whoever made the checkout may have put links, pipes, devices or huge files
//! there. A folder of ours, as in `.ask-user/pending-questions.json`, is opened as one that is no link, and
//! the file relative to it. Other files may be links that stay in the project ([`beneath`]). Only a regular
//! file of a bounded size is read. Where the project itself is, is the person's word: links on the way
//! there are followed.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Error, ErrorKind, Read as _, Write as _};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{self, AtFlags, CWD, FileType, Mode, OFlags};

use crate::clock;

pub use ask_clients::registration::file_io::beneath;

/// The folder of a file, opened, and the file's name there.
struct Spot<'path> {
    folder: OwnedFd,
    name: &'path OsStr,
}

impl<'path> Spot<'path> {
    fn open(path: &'path Path) -> io::Result<Self> {
        let unnamed = || Error::new(ErrorKind::InvalidInput, "it is no file in a folder");
        Ok(Self {
            folder: open_folder(parent(path))?,
            name: path.file_name().ok_or_else(unnamed)?,
        })
    }
}

/// The folder that a path names something in.
fn parent(path: &Path) -> &Path {
    match path.parent() {
        None => Path::new("/"),
        Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
        Some(parent) => parent,
    }
}

/// Opens a folder of ours that is no link.
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

/// Makes a folder of ours, where it isn't there yet.
pub fn make_folder(path: &Path) -> io::Result<()> {
    match std::fs::create_dir(path) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error),
        Ok(()) | Err(_) => open_folder(path).map(drop),
    }
}

/// The regular files of at most so many bytes in a folder of ours: their names.
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

/// The text of a regular file of at most so many bytes in a folder of ours.
pub fn read(path: &Path, most: u64) -> io::Result<String> {
    let spot = Spot::open(path)?;
    text(regular(&spot.folder, Path::new(spot.name))?, most)
}

/// The text of a regular file of at most so many bytes that is no link, in any folder.
pub fn read_anywhere(path: &Path, most: u64) -> io::Result<String> {
    text(open(path)?, most)
}

/// Opens a regular file that is no link.
pub fn open(path: &Path) -> io::Result<File> {
    regular(CWD, path)
}

fn regular(folder: impl AsFd, path: &Path) -> io::Result<File> {
    // A pipe that nobody writes to would be waited for.
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

/// All that comes, of at most so many bytes.
pub fn bytes(from: impl io::Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(most + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > most {
        true => Err(Error::other(format!("it has more than {most} bytes"))),
        false => Ok(bytes),
    }
}

/// The same as text.
pub fn text(from: impl io::Read, most: u64) -> io::Result<String> {
    let text = String::from_utf8(bytes(from, most)?);
    text.map_err(|_| Error::new(ErrorKind::InvalidData, "it is not UTF-8"))
}

/// The project around a folder, which others may have made: the nearest one above that git keeps, else
/// the folder itself. Where the person's home is in it, it is nobody else's.
pub fn project(folder: &Path) -> Option<&Path> {
    let mut above = folder.ancestors();
    let found = above.find(|above| above.join(".git").symlink_metadata().is_ok());
    let project = found.unwrap_or(folder);
    let is_own = etcetera::home_dir().is_ok_and(|home| home.starts_with(project));
    (!is_own).then_some(project)
}

/// Opens a regular file by a path as a person gives it. One that is named within the project must be
/// there: else the author of a checkout chooses which of the person's files a harmless name means.
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

/// Replaces a file as a whole: readers see the old text or the new, never half. What is there is
/// replaced by its name, and a link is never written through.
pub fn replace(path: &Path, text: &str) -> io::Result<()> {
    let spot = Spot::open(path)?;
    let mut beside = spot.name.to_owned();
    beside.push(format!(".{:016x}", clock::attempt()));
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = fs::openat(&spot.folder, &beside, flags, Mode::RUSR | Mode::WUSR)?;
    let written = File::from(file).write_all(text.as_bytes()).and_then(|()| {
        let renamed = fs::renameat(&spot.folder, &beside, &spot.folder, spot.name);
        Ok(renamed?)
    });
    if written.is_err() {
        let _ = fs::unlinkat(&spot.folder, &beside, AtFlags::empty());
    }
    written
}

/// Creates a file of the person beside another one, under a name that nobody can guess and that is no
/// link: renamed, it takes the other's place as a whole.
pub fn create_beside(path: &Path) -> io::Result<(File, PathBuf)> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{:016x}", clock::attempt()));
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = fs::openat(CWD, &beside, flags, Mode::RUSR | Mode::WUSR)?;
    Ok((file.into(), beside.into()))
}

/// Gives a file another name in its folder.
pub fn rename(path: &Path, name: &OsStr) -> io::Result<()> {
    let spot = Spot::open(path)?;
    Ok(fs::renameat(&spot.folder, spot.name, &spot.folder, name)?)
}

/// Gives a file another name besides, where nothing has it.
pub fn link(path: &Path, name: &OsStr) -> io::Result<()> {
    let spot = Spot::open(path)?;
    let linked = fs::linkat(
        &spot.folder,
        spot.name,
        &spot.folder,
        name,
        AtFlags::empty(),
    );
    Ok(linked?)
}

/// Takes a file away.
pub fn remove(path: &Path) -> io::Result<()> {
    let spot = Spot::open(path)?;
    Ok(fs::unlinkat(&spot.folder, spot.name, AtFlags::empty())?)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    /// A project with a folder of ours, and a file outside of it.
    fn project(name: &str) -> (PathBuf, PathBuf) {
        let root = std::env::temp_dir().join(format!("checkout-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&root);
        std::fs::create_dir_all(root.join("project/.ask-user")).expect("a folder");
        std::fs::write(root.join("outside"), "precious").expect("a file");
        (root.join("project/.ask-user"), root.join("outside"))
    }

    #[test]
    fn what_is_written_is_read_again_and_leaves_nothing_beside_it() {
        let (folder, _) = project("plain");
        let file = folder.join("one.json");
        replace(&file, "first").expect("it is written");
        replace(&file, "second").expect("it is written anew");
        assert_eq!(read(&file, 6).expect("it is read"), "second");
        assert!(read(&file, 5).is_err(), "it is larger than that");
        link(&file, OsStr::new("two.json")).expect("another name");
        rename(&file, OsStr::new("three.json")).expect("another name");
        assert!(link(&folder.join("two.json"), OsStr::new("three.json")).is_err());
        remove(&folder.join("two.json")).expect("it is there");
        assert_eq!(files(&folder, 6).expect("a folder"), ["three.json"]);
    }

    #[test]
    fn links_lead_nowhere() {
        let (folder, outside) = project("links");
        let file = folder.join("one.json");
        symlink(&outside, &file).expect("a link");
        assert!(read(&file, 100).is_err(), "a link is not read");
        assert_eq!(files(&folder, 100).expect("a folder").len(), 0);
        replace(&file, "new").expect("the link is replaced");
        assert_eq!(std::fs::read_to_string(&outside).unwrap(), "precious");
        assert_eq!(read(&file, 100).expect("it is a file now"), "new");

        // Names that a checkout could guess.
        for guessed in [std::process::id(), 1] {
            let planted = folder.join(format!("one.json.{guessed}"));
            symlink(&outside, planted).expect("a link");
        }
        for number in 0..100 {
            replace(&file, &number.to_string()).expect("it is replaced");
        }
        assert_eq!(std::fs::read_to_string(&outside).unwrap(), "precious");

        let elsewhere = folder.with_file_name("elsewhere");
        std::fs::create_dir(&elsewhere).expect("a folder");
        std::fs::write(elsewhere.join("one.json"), "{}").expect("a file");
        std::fs::remove_dir_all(&folder).expect("it is there");
        symlink(&elsewhere, &folder).expect("a link");
        assert!(make_folder(&folder).is_err(), "it is no folder of ours");
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
        let error = read(&pipe, 100).expect_err("nobody writes to it");
        assert!(error.to_string().contains("no regular file"), "{error}");
        assert_eq!(files(&folder, 100).expect("a folder").len(), 0);
    }
}
