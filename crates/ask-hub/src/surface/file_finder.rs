//! Finds files below a directory from a few letters of their path. Ignored files are left out, and
//! the best matches come first.

mod gitignore;

use std::collections::VecDeque;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ask_config::checkout;
use ask_core::SafeText;
use ask_files::{Dir, Entries, FileType, LastLink, Root};
use tokio::time::Instant;

use self::gitignore::Ignored;
use crate::surface::fuzzy::{folded, score};

/// The most files that are offered at once.
pub const OFFERED: usize = 50;
/// The most files that are listed.
const MOST: usize = 20_000;
/// The depth from which folders are left out.
const DEEPEST: usize = 24;
/// The time after which a walk ends, complete or not.
const LONGEST: Duration = Duration::from_secs(4);
/// How long one step of the walk takes. Between steps, the files so far are shown.
const NEWS: Duration = Duration::from_millis(120);
/// How long a complete listing is used.
const FRESH: Duration = Duration::from_secs(20);

/// The files of a directory that were found so far.
pub struct Listing {
    directory: String,
    begun: Instant,
    /// How long the walk has taken.
    walked: Duration,
    /// How long the walk may take.
    longest: Duration,
    is_readable: bool,
    /// The walk, until it ends. Then nothing of the directory is open.
    walk: Option<Walk>,
    /// Whether the walk ended before it was complete.
    cut: bool,
    /// Each path, and the same in lower case.
    files: Vec<(String, String)>,
}

/// A walk through the folders of a directory, relative to it: a folder that is replaced by a link
/// leads nowhere.
struct Walk {
    root: Dir,
    /// Where the links that are offered may lead; `None` if the project can't be opened.
    links: Option<Root>,
    /// The folder that is being read.
    folder: Folder,
    /// Folders to read afterwards, in order of depth: shallow files are found first.
    folders: VecDeque<Later>,
}

/// A folder that is being read.
struct Folder {
    path: PathBuf,
    entries: Entries,
    ignored: Ignored,
    deep: usize,
}

/// A folder to read later.
struct Later {
    path: PathBuf,
    /// The ignore rules of the folders above it.
    above: Ignored,
    deep: usize,
}

impl Listing {
    /// A listing of a directory, before the walk.
    pub fn of_folder(directory: &str) -> Self {
        // A missing directory, or one of another machine, has no files here. A relative one would
        // be resolved against this process's own directory.
        let path = Some(Path::new(directory)).filter(|path| path.is_absolute());
        let walk = path.and_then(Walk::start);
        Self {
            directory: directory.to_owned(),
            begun: Instant::now(),
            walked: Duration::ZERO,
            longest: LONGEST,
            is_readable: walk.is_some(),
            walk,
            cut: false,
            files: Vec::new(),
        }
    }

    /// Whether it is of this directory and still usable.
    pub fn serves(&self, directory: &str) -> bool {
        self.directory == directory && (self.walk.is_some() || self.begun.elapsed() < FRESH)
    }

    /// Whether the directory exists and could be read.
    pub fn is_readable(&self) -> bool {
        self.is_readable
    }

    /// Whether the walk has ended.
    pub fn is_whole(&self) -> bool {
        self.walk.is_none()
    }

    /// The number of listed files, if there are more.
    pub fn cut(&self) -> Option<usize> {
        self.cut.then_some(self.files.len())
    }

    /// Walks on for one step.
    pub fn go_on(&mut self) {
        let from = Instant::now();
        while let Some(walk) = &mut self.walk {
            match walk.folder.entries.next() {
                Some(Ok((name, kind))) => {
                    if let Some(path) = walk.visit(&name, kind) {
                        self.add(&path);
                    }
                }
                // Unreadable entries are left out.
                Some(Err(_)) => {}
                None if walk.enter_next() => {}
                None => self.walk = None,
            }
            if self.cut || self.walked + from.elapsed() > self.longest {
                self.cut |= self.walk.is_some();
                self.walk = None;
            }
            if from.elapsed() > NEWS {
                break;
            }
        }
        self.walked += from.elapsed();
    }

    /// Lists a file, unless there are too many.
    fn add(&mut self, path: &Path) {
        let below = path.strip_prefix(&self.directory).ok();
        if let Some(path) = below.and_then(Path::to_str) {
            self.cut = self.files.len() >= MOST;
            if !self.cut {
                self.files.push((path.to_owned(), path.to_lowercase()));
            }
        }
    }

    /// The best matches, at most `most`, and the number of all matches.
    pub fn best(&self, letters: &str, most: usize) -> (Vec<String>, usize) {
        let (letters, wanted) = (letters.to_lowercase(), folded(letters));
        let fitting = self
            .files
            .iter()
            .filter(|(_, small)| has_in_order(small, &letters));
        let mut found: Vec<(i32, usize, &str)> = fitting
            .filter_map(|(path, _)| {
                let name = path.rsplit('/').next().unwrap_or(path);
                // The file's own name weighs more than its folders.
                let by_name = score(&wanted, name).map(|score| score + 10);
                let score = by_name.max(score(&wanted, path))?;
                Some((score, path.matches('/').count(), path.as_str()))
            })
            .collect();
        found.sort_unstable_by_key(|&(score, depth, path)| (-score, depth, path.len(), path));
        let total = found.len();
        let best = found.into_iter().take(most);
        (best.map(|(_, _, path)| path.to_owned()).collect(), total)
    }
}

impl Walk {
    /// `None` if the directory can't be read.
    fn start(path: &Path) -> Option<Self> {
        let root = Dir::open(path).ok()?;
        let folder = Folder {
            path: path.to_owned(),
            entries: list(&root, path)?,
            ignored: Ignored::from_folder(path),
            deep: 0,
        };
        let links = match checkout::project(path) {
            Some(project) => Root::open(project).ok(),
            None => Some(Root::Anywhere),
        };
        Some(Self {
            root,
            links,
            folder,
            folders: VecDeque::new(),
        })
    }

    /// Begins with the next folder. `false` if that was the last one.
    fn enter_next(&mut self) -> bool {
        while let Some(Later { path, above, deep }) = self.folders.pop_front() {
            // A folder that can't be read is left out.
            let Some(entries) = list(&self.root, &path) else {
                continue;
            };
            let ignored = above.entering(&path, &entries);
            self.folder = Folder {
                path,
                entries,
                ignored,
                deep,
            };
            return true;
        }
        false
    }

    /// The path of a file that is offered. A folder is queued.
    fn visit(&mut self, name: &OsStr, kind: FileType) -> Option<PathBuf> {
        let path = self.folder.path.join(name);
        let is_folder = kind == FileType::Directory;
        // Pipes and devices can't be read, and links must not lead out of the project.
        let is_offered = match kind {
            FileType::Symlink => self.links.as_ref().is_some_and(|root| {
                let entry = root.entry(&path, LastLink::Followed);
                entry.is_ok_and(|entry| entry.exists())
            }),
            kind => is_folder || kind == FileType::RegularFile,
        };
        if !is_offered || self.folder.ignored.has(&path, is_folder) {
            return None;
        }
        if !is_folder {
            return Some(path);
        }
        let deep = self.folder.deep + 1;
        if deep < DEEPEST {
            let above = self.folder.ignored.clone();
            self.folders.push_back(Later { path, above, deep });
        }
        None
    }
}

/// Opens a folder in or below the root that is no link.
fn list(root: &Dir, path: &Path) -> Option<Entries> {
    root.entry(path, LastLink::Kept).ok()?.list().ok()
}

/// Whether the letters occur in a text in their order.
fn has_in_order(text: &str, letters: &str) -> bool {
    let mut rest = text.chars();
    letters
        .chars()
        .all(|letter| rest.any(|other| other == letter))
}

/// A path as it can be inserted into a text: quoted if it has spaces or quotes, with invisible and
/// bidirectional characters escaped.
pub fn quoted(path: &str) -> String {
    let apart = |c: char| c.is_whitespace() || matches!(c, '"' | '\\' | '\'');
    let simple = |c: char| !apart(c) && !SafeText::hides(c);
    if path.chars().all(simple) {
        return path.to_owned();
    }
    let mut text = String::from('"');
    for c in path.chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            c if SafeText::hides(c) => text.extend(c.escape_default()),
            c => text.push(c),
        }
    }
    text.push('"');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_above_is_known_before_what_lies_deep_and_an_end_is_told() {
        let root = std::env::temp_dir().join(format!("ask-user-files-{}", std::process::id()));
        let deep = root.join("a/deep");
        std::fs::create_dir_all(&deep).expect("the temporary folder is writable");
        for number in 0..MOST + 10 {
            std::fs::write(deep.join(number.to_string()), "")
                .expect("the temporary folder is writable");
        }
        std::fs::write(root.join("zebra_target.rs"), "").expect("the temporary folder is writable");
        let mut listing =
            Listing::of_folder(root.to_str().expect("the temporary folder's path is UTF-8"));
        assert_eq!(listing.cut(), None);
        // The walk must end at the number of files, however slow this machine is.
        listing.longest = Duration::MAX;
        while !listing.is_whole() {
            listing.go_on();
        }
        let found = listing.best("zebra", 5);
        assert_eq!(found, (vec!["zebra_target.rs".to_owned()], 1));
        assert_eq!(listing.cut(), Some(MOST));
        std::fs::remove_dir_all(&root).expect("the temporary folder is writable");
    }

    #[test]
    fn pipes_and_links_that_leave_the_project_are_not_offered() {
        let root = std::env::temp_dir().join(format!("ask-user-astray-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&root);
        let project = root.join("project");
        std::fs::create_dir_all(project.join("src")).expect("the temporary folder is writable");
        std::fs::write(root.join("outside"), "x\n").expect("the temporary folder is writable");
        std::fs::write(project.join("src/a"), "").expect("the temporary folder is writable");
        for (to, name) in [
            ("../outside", "out"),
            ("/dev/zero", "zero"),
            ("nowhere", "none"),
            ("src/a", "in"),
            ("../outside", ".gitignore"),
        ] {
            std::os::unix::fs::symlink(to, project.join(name)).expect("a link can be made");
        }
        std::fs::write(project.join("x"), "").expect("the temporary folder is writable");
        let pipes = ["pipe", ".ignore"].map(|name| project.join(name));
        let made = std::process::Command::new("mkfifo").args(pipes).status();
        assert!(made.expect("mkfifo runs").success());
        let mut listing = Listing::of_folder(
            project
                .to_str()
                .expect("the temporary folder's path is UTF-8"),
        );
        while !listing.is_whole() {
            listing.go_on();
        }
        let (found, _) = listing.best("", 10);
        assert_eq!(found, ["x", "in", "src/a"], "and no rule from outside");
        std::fs::remove_dir_all(&root).expect("the temporary folder is writable");
    }

    #[test]
    fn a_folder_that_becomes_a_link_is_not_walked() {
        let root = std::env::temp_dir().join(format!("ask-user-swapped-{}", std::process::id()));
        // Only a run that was killed leaves a folder behind; usually none exists.
        let _ = std::fs::remove_dir_all(&root);
        let project = root.join("project");
        for folder in [project.join("src"), root.join("outside")] {
            std::fs::create_dir_all(&folder).expect("the temporary folder is writable");
            std::fs::write(folder.join("file"), "").expect("the temporary folder is writable");
        }
        let mut walk = Walk::start(&project).expect("the folder is readable");
        let found = walk.folder.entries.next().expect("the folder has an entry");
        let (name, kind) = found.expect("the entry is readable");
        assert_eq!(walk.visit(&name, kind), None, "a folder is read later");
        assert_eq!(walk.folders.len(), 1);
        std::fs::rename(project.join("src"), root.join("moved"))
            .expect("the temporary folder is writable");
        std::os::unix::fs::symlink("../outside", project.join("src")).expect("a link can be made");
        assert!(!walk.enter_next(), "nothing of outside is listed");
        std::fs::remove_dir_all(&root).expect("the temporary folder is writable");
    }

    #[test]
    fn paths_are_quoted_where_they_would_fall_apart() {
        assert_eq!(quoted("src/main.rs"), "src/main.rs");
        assert_eq!(quoted("a b.txt"), "\"a b.txt\"");
        assert_eq!(quoted("a\"b\\c"), "\"a\\\"b\\\\c\"");
        assert_eq!(quoted("a\u{1b}[2Jb"), "\"a\\u{1b}[2Jb\"");
        assert_eq!(quoted("\u{202e}gpj.exe"), "\"\\u{202e}gpj.exe\"");
        assert_eq!(quoted("a\nb\u{2028}c"), "\"a\\nb\\u{2028}c\"");
        // A zero-width non-joiner is part of Persian words.
        assert_eq!(quoted("می\u{200c}خواهم"), "می\u{200c}خواهم");
    }
}
