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

use self::gitignore::IgnoreRules;
use crate::surface::fuzzy::{fold, score};

/// The most files that are offered at once.
pub const MAX_OFFERED: usize = 50;
/// The most files that are listed.
const MAX_FILES: usize = 20_000;
/// Folders at this depth and below are left out.
const MAX_DEPTH: usize = 24;
/// The time after which a walk ends, even if it is incomplete.
const MAX_WALK: Duration = Duration::from_secs(4);
/// How long one step of the walk takes. Between steps, surfaces show the files that were found.
const STEP: Duration = Duration::from_millis(120);
/// How long a complete listing is reused.
const REUSE_LIMIT: Duration = Duration::from_secs(20);

/// The files of a directory that were found so far.
pub struct Listing {
    directory: String,
    started_at: Instant,
    /// How long the walk has taken.
    walked: Duration,
    /// How long the walk may take.
    max_walk: Duration,
    is_readable: bool,
    /// The walk, until it ends. Then no folder is open.
    walk: Option<Walk>,
    /// Whether the walk ended before it was complete.
    is_cut: bool,
    /// Each path, and the same in lower case.
    files: Vec<(String, String)>,
}

/// A walk through the folders of a directory. Each is opened relative to it, so that a folder that
/// is replaced by a link is not followed.
struct Walk {
    root: Dir,
    /// Offered links must lead to files below this folder. `None` if it can't be opened.
    links_root: Option<Root>,
    /// The folder that is being read.
    folder: Folder,
    /// Folders to read afterwards, in order of depth, so that shallow files are found first.
    queue: VecDeque<QueuedFolder>,
}

/// A folder that is being read.
struct Folder {
    path: PathBuf,
    entries: Entries,
    ignored: IgnoreRules,
    depth: usize,
}

/// A folder to read later.
struct QueuedFolder {
    path: PathBuf,
    /// The ignore rules of the folders above it.
    ignored: IgnoreRules,
    depth: usize,
}

impl Listing {
    /// A listing of a directory, before the walk.
    pub fn for_folder(directory: &str) -> Self {
        // A missing directory, or one of another machine, has no files here. A relative path is
        // left out, because it would be resolved against the directory of this process.
        let path = Some(Path::new(directory)).filter(|path| path.is_absolute());
        let walk = path.and_then(Walk::start);
        Self {
            directory: directory.to_owned(),
            started_at: Instant::now(),
            walked: Duration::ZERO,
            max_walk: MAX_WALK,
            is_readable: walk.is_some(),
            walk,
            is_cut: false,
            files: Vec::new(),
        }
    }

    /// Whether the listing is of this directory and may be reused.
    pub fn is_usable_for(&self, directory: &str) -> bool {
        self.directory == directory
            && (self.walk.is_some() || self.started_at.elapsed() < REUSE_LIMIT)
    }

    /// Whether the directory exists and could be read.
    pub fn is_readable(&self) -> bool {
        self.is_readable
    }

    /// Whether the walk has ended.
    pub fn is_complete(&self) -> bool {
        self.walk.is_none()
    }

    /// The number of listed files, if the directory has more.
    pub fn cut_at(&self) -> Option<usize> {
        self.is_cut.then_some(self.files.len())
    }

    /// Continues the walk for one step.
    pub fn step(&mut self) {
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
            if self.is_cut || self.walked + from.elapsed() > self.max_walk {
                self.is_cut |= self.walk.is_some();
                self.walk = None;
            }
            if from.elapsed() > STEP {
                break;
            }
        }
        self.walked += from.elapsed();
    }

    /// Lists a file, unless there are too many.
    fn add(&mut self, path: &Path) {
        let below = path.strip_prefix(&self.directory).ok();
        if let Some(path) = below.and_then(Path::to_str) {
            self.is_cut = self.files.len() >= MAX_FILES;
            if !self.is_cut {
                self.files.push((path.to_owned(), path.to_lowercase()));
            }
        }
    }

    /// The best matches, at most `max`, and the number of all matches.
    pub fn best_matches(&self, letters: &str, max: usize) -> (Vec<String>, usize) {
        let (letters, wanted) = (letters.to_lowercase(), fold(letters));
        let fitting = self
            .files
            .iter()
            .filter(|(_, lower_case)| contains_in_order(lower_case, &letters));
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
        let best = found.into_iter().take(max);
        (best.map(|(_, _, path)| path.to_owned()).collect(), total)
    }
}

impl Walk {
    /// `None` if the directory can't be read.
    fn start(path: &Path) -> Option<Self> {
        let root = Dir::open(path).ok()?;
        let folder = Folder {
            path: path.to_owned(),
            entries: list_entries(&root, path)?,
            ignored: IgnoreRules::from_folder(path),
            depth: 0,
        };
        let links_root = match checkout::project(path) {
            Some(project) => Root::open(project).ok(),
            None => Some(Root::Anywhere),
        };
        Some(Self {
            root,
            links_root,
            folder,
            queue: VecDeque::new(),
        })
    }

    /// Starts to read the next queued folder. Returns false if there is none.
    fn enter_next(&mut self) -> bool {
        while let Some(QueuedFolder {
            path,
            ignored,
            depth,
        }) = self.queue.pop_front()
        {
            // A folder that can't be read is left out.
            let Some(entries) = list_entries(&self.root, &path) else {
                continue;
            };
            let ignored = ignored.with_subfolder(&path, &entries);
            self.folder = Folder {
                path,
                entries,
                ignored,
                depth,
            };
            return true;
        }
        false
    }

    /// The path of an entry, if it is a file to offer. A folder is queued.
    fn visit(&mut self, name: &OsStr, kind: FileType) -> Option<PathBuf> {
        let path = self.folder.path.join(name);
        let is_folder = kind == FileType::Directory;
        // Pipes and devices can't be read, and links must not lead out of the project.
        let is_offered = match kind {
            FileType::Symlink => self.links_root.as_ref().is_some_and(|root| {
                let entry = root.entry(&path, LastLink::Followed);
                entry.is_ok_and(|entry| entry.exists())
            }),
            kind => is_folder || kind == FileType::RegularFile,
        };
        if !is_offered || self.folder.ignored.ignores(&path, is_folder) {
            return None;
        }
        if !is_folder {
            return Some(path);
        }
        let depth = self.folder.depth + 1;
        if depth < MAX_DEPTH {
            let ignored = self.folder.ignored.clone();
            self.queue.push_back(QueuedFolder {
                path,
                ignored,
                depth,
            });
        }
        None
    }
}

/// The entries of a folder in or below the root. A link is not followed.
fn list_entries(root: &Dir, path: &Path) -> Option<Entries> {
    root.entry(path, LastLink::Kept).ok()?.list().ok()
}

/// Whether the letters occur in a text in their order.
fn contains_in_order(text: &str, letters: &str) -> bool {
    let mut rest = text.chars();
    letters
        .chars()
        .all(|letter| rest.any(|other| other == letter))
}

/// A path as it can be inserted into a text: quoted if it has spaces or quotes, with invisible and
/// bidirectional characters escaped.
pub fn quote_path(path: &str) -> String {
    let needs_quotes = |c: char| c.is_whitespace() || matches!(c, '"' | '\\' | '\'');
    let is_simple = |c: char| !needs_quotes(c) && !SafeText::hides(c);
    if path.chars().all(is_simple) {
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
    fn shallow_files_are_found_first_and_a_cut_is_reported() {
        let root = std::env::temp_dir().join(format!("ask-user-files-{}", std::process::id()));
        let depth = root.join("a/deep");
        std::fs::create_dir_all(&depth).expect("the temporary folder is writable");
        for number in 0..MAX_FILES + 10 {
            std::fs::write(depth.join(number.to_string()), "")
                .expect("the temporary folder is writable");
        }
        std::fs::write(root.join("zebra_target.rs"), "").expect("the temporary folder is writable");
        let mut listing =
            Listing::for_folder(root.to_str().expect("the temporary folder's path is UTF-8"));
        assert_eq!(listing.cut_at(), None);
        // The walk must end at the number of files, however slow this machine is.
        listing.max_walk = Duration::MAX;
        while !listing.is_complete() {
            listing.step();
        }
        let found = listing.best_matches("zebra", 5);
        assert_eq!(found, (vec!["zebra_target.rs".to_owned()], 1));
        assert_eq!(listing.cut_at(), Some(MAX_FILES));
        std::fs::remove_dir_all(&root).expect("the temporary folder is writable");
    }

    #[test]
    fn pipes_and_links_out_of_the_project_are_not_offered() {
        let root = std::env::temp_dir().join(format!("ask-user-astray-{}", std::process::id()));
        // Only a run that was killed leaves a folder behind; usually none exists.
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
        let mut listing = Listing::for_folder(
            project
                .to_str()
                .expect("the temporary folder's path is UTF-8"),
        );
        while !listing.is_complete() {
            listing.step();
        }
        let (found, _) = listing.best_matches("", 10);
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
        assert_eq!(walk.queue.len(), 1);
        std::fs::rename(project.join("src"), root.join("moved"))
            .expect("the temporary folder is writable");
        std::os::unix::fs::symlink("../outside", project.join("src")).expect("a link can be made");
        assert!(!walk.enter_next(), "nothing of outside is listed");
        std::fs::remove_dir_all(&root).expect("the temporary folder is writable");
    }

    #[test]
    fn paths_with_spaces_or_quotes_are_quoted() {
        assert_eq!(quote_path("src/main.rs"), "src/main.rs");
        assert_eq!(quote_path("a b.txt"), "\"a b.txt\"");
        assert_eq!(quote_path("a\"b\\c"), "\"a\\\"b\\\\c\"");
        assert_eq!(quote_path("a\u{1b}[2Jb"), "\"a\\u{1b}[2Jb\"");
        assert_eq!(quote_path("\u{202e}gpj.exe"), "\"\\u{202e}gpj.exe\"");
        assert_eq!(quote_path("a\nb\u{2028}c"), "\"a\\nb\\u{2028}c\"");
        // A zero-width non-joiner is part of Persian words.
        assert_eq!(quote_path("می\u{200c}خواهم"), "می\u{200c}خواهم");
    }
}
