//! Opens files of a checkout whose author isn't trusted: it may contain links, pipes, devices or
//! huge files. A folder of ours, such as `.ask-user` with its `pending-questions.json`, is opened
//! only if it isn't a link, and its files are opened relative to it. Other files may be links that
//! stay in the project. Only regular files of a bounded size are read, and in folders of ours only
//! those of the person. The path of the project itself comes from the person, so links in that path
//! are followed. `ask_files` finds and replaces the files.

use std::ffi::{OsStr, OsString};
use std::io::{self, Error, ErrorKind};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Component, Path, PathBuf};

use crate::home::writable_by_others;
use ask_files::{DirEntry, Entries, FileType, LastLink, Mode, Root};

/// The entry of a file in a folder of ours.
fn entry(path: &Path) -> io::Result<DirEntry> {
    let unnamed = || Error::new(ErrorKind::InvalidInput, "it is no file in a folder");
    let name = path.file_name().ok_or_else(unnamed)?;
    open_folder(parent(path))?.entry(name)
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
fn open_folder(path: &Path) -> io::Result<Entries> {
    let folder = match path.file_name() {
        Some(_) => DirEntry::from_path(path)?,
        None => DirEntry::from_path(&path.canonicalize()?)?,
    };
    folder.list().map_err(|error| match error.kind() {
        ErrorKind::NotADirectory => {
            Error::other(format!("{} is no folder of its own", path.display()))
        }
        _ => error,
    })
}

/// Creates a folder of ours if it doesn't exist. Fails if a link has its name. Only its owner may look
/// into it, also where the project has a default access list, in place of which no umask counts.
pub fn make_folder(path: &Path) -> io::Result<()> {
    match std::fs::DirBuilder::new().mode(0o700).create(path) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error),
        Ok(()) | Err(_) => open_folder(path).map(drop),
    }
}

/// The names of the regular files of at most `most` bytes in a folder of ours.
pub fn files(folder: &Path, most: u64) -> io::Result<Vec<OsString>> {
    let mut entries = open_folder(folder)?;
    let mut names = Vec::new();
    while let Some(entry) = entries.next() {
        let (name, kind) = entry?;
        let size = || entries.entry(&name).and_then(|entry| entry.metadata());
        if kind == FileType::RegularFile
            && size().is_ok_and(|found| u64::try_from(found.st_size).is_ok_and(|size| size <= most))
        {
            names.push(name);
        }
    }
    Ok(names)
}

/// Whether a file of this name, or anything else, is in a folder of ours.
pub fn exists(path: &Path) -> bool {
    entry(path).is_ok_and(|entry| entry.exists())
}

/// Reads a regular file of at most `most` bytes in a folder of ours. Fails if it belongs to another
/// account, or if other accounts may change it or put another file in its place.
pub fn read(path: &Path, most: u64) -> io::Result<String> {
    let entry = entry(path)?;
    entry.read_if(most, |file| {
        let own = rustix::process::geteuid().as_raw();
        let project = entry.folder_above().ok().map(|project| project.st_uid);
        if !belongs_to_person(file.uid(), own, project) {
            return Err(Error::other("it belongs to another account"));
        }
        // An account of the host that a project belongs to has groups of its own.
        if file.uid() != own {
            return Ok(());
        }
        let folder = path.parent().unwrap_or(path);
        let is_safe_folder = std::fs::metadata(folder).is_ok_and(|about| {
            let is_own = about.uid() == 0 || belongs_to_person(about.uid(), own, project);
            is_own && writable_by_others(folder, &about) == 0
        });
        let what = match (writable_by_others(path, file) == 0, is_safe_folder) {
            (true, true) => return Ok(()),
            (false, _) => "change it",
            (true, false) => "change what is in its folder",
        };
        Err(Error::other(format!(
            "other accounts may {what}; look whether what it says is yours, then: chmod go-w"
        )))
    })
}

/// Whether a file of this owner in a project is the person's. In a container, root works in projects
/// of an account of the host, which is the person's, too.
fn belongs_to_person(owner: u32, own: u32, of_project: Option<u32>) -> bool {
    owner == own || (own == 0 && of_project == Some(owner))
}

/// Replaces a file in a folder of ours atomically: readers see the old text or the new one. A link
/// in its place is replaced, and never written through.
pub fn replace(path: &Path, text: &str) -> io::Result<()> {
    entry(path)?.replace(text, Mode::RUSR | Mode::WUSR)
}

/// Renames a file within its folder. Fails if the name is taken.
pub fn rename_new(path: &Path, name: &OsStr) -> io::Result<()> {
    entry(path)?.rename_new(name)
}

/// Creates a file in a folder of ours with all of its text. Fails if the name is taken.
pub fn create(path: &Path, text: &str) -> io::Result<()> {
    entry(path)?.create(text, Mode::RUSR | Mode::WUSR)
}

/// Removes a file from its folder.
pub fn remove(path: &Path) -> io::Result<()> {
    entry(path)?.remove()
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

/// Where the file at an absolute path that a person gave may be. If the path names a file in the
/// project, the file must really be there: otherwise the author of a checkout could choose which of
/// the person's files a harmless name means.
fn root(project: Option<&Path>, path: &Path) -> io::Result<Root> {
    let mut named = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(named.pop()),
            part => named.push(part),
        }
    }
    match project.filter(|project| named.starts_with(project)) {
        Some(project) => Root::open(project),
        None => Ok(Root::Anywhere),
    }
}

/// Where the file at a path that a person gave may be, as in [`named`], and the absolute path.
pub fn root_here(path: &Path) -> io::Result<(Root, PathBuf)> {
    match std::env::current_dir() {
        Ok(folder) => {
            let path = folder.join(path);
            Ok((root(project(&folder), &path)?, path))
        }
        // An absolute path doesn't need the current folder.
        Err(_) => Ok((Root::Anywhere, path.to_owned())),
    }
}

/// The entry of a path that a person gave. A file in the project must really be there.
pub fn named(project: Option<&Path>, path: &Path, last: LastLink) -> io::Result<DirEntry> {
    root(project, path)?.entry(path, last)
}

/// The entry of a path that a person gave to a command, relative to the current folder.
pub fn named_here(path: &Path, last: LastLink) -> io::Result<DirEntry> {
    let (root, path) = root_here(path)?;
    root.entry(&path, last)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

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
        create(&folder.join("two.json"), "third").expect("the name is free");
        rename_new(&file, OsStr::new("three.json")).expect("another name");
        let taken = create(&folder.join("three.json"), "fourth").map_err(|error| error.kind());
        assert_eq!(taken, Err(ErrorKind::AlreadyExists));
        remove(&folder.join("two.json")).expect("the file exists");
        assert_eq!(files(&folder, 6).expect("a folder"), ["three.json"]);
    }

    #[test]
    fn a_file_of_another_account_is_not_the_persons() {
        const OTHER: u32 = 1_001;
        assert!(belongs_to_person(1_000, 1_000, Some(OTHER)));
        assert!(!belongs_to_person(OTHER, 1_000, Some(OTHER)));
        assert!(!belongs_to_person(OTHER, 0, Some(0)));
        assert!(!belongs_to_person(OTHER, 0, None));
        assert!(belongs_to_person(OTHER, 0, Some(OTHER)), "in a container");
    }

    #[test]
    fn a_file_that_other_accounts_may_change_is_not_read() {
        let (folder, _) = project("writable");
        let file = folder.join("one.json");
        create(&file, "text").expect("the name is free");
        std::fs::set_permissions(&file, PermissionsExt::from_mode(0o666)).expect("our own file");
        let error = read(&file, 100).expect_err("anybody may have written it");
        assert!(error.to_string().contains("chmod go-w"), "{error}");
        std::fs::set_permissions(&file, PermissionsExt::from_mode(0o644)).expect("our own file");
        assert_eq!(read(&file, 100).expect("a file of ours"), "text");
        std::fs::set_permissions(&folder, PermissionsExt::from_mode(0o777))
            .expect("our own folder");
        let error = read(&file, 100).expect_err("anybody may have put it there");
        assert!(error.to_string().contains("in its folder"), "{error}");
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
        let error = read(&pipe, 100).expect_err("nobody writes to it");
        assert!(error.to_string().contains("it is not a file"), "{error}");
        assert_eq!(files(&folder, 100).expect("a folder").len(), 0);
    }
}
