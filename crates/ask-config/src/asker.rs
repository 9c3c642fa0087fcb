//! Who asks, as far as this machine can tell: directory, project and git branch.
//! Git is never run, only its files are read.

use std::path::{Path, PathBuf};

use ask_core::Asker;

use crate::{checkout, process};

/// No file of git's that names a place is longer.
const MOST_BYTES: u64 = 64 * 1024;

/// Says which window of a desktop app a process was started for.
pub const INSTANCE: &str = "ASK_USER_INSTANCE";

/// What can be known about whoever started this process.
pub fn in_current_folder() -> Asker {
    working_in(std::env::current_dir().ok())
}

/// What can be known about an agent that works in a directory, and was started as this process was. A
/// hub sees for itself which process that is; elsewhere, and until a hub has it, this says so.
pub fn working_in(directory: Option<PathBuf>) -> Asker {
    let place = in_folder(directory);
    Asker {
        caller: process::this_caller(),
        client: variable("ASK_USER_CLIENT"),
        agent: variable("ASK_USER_AGENT"),
        session: variable("ASK_USER_SESSION"),
        instance: instance(),
        project: variable("ASK_USER_PROJECT").or(place.project),
        ..place
    }
}

/// What can be known about a directory.
pub fn in_folder(directory: Option<PathBuf>) -> Asker {
    let git = directory.as_deref().and_then(repository);
    let root = git
        .as_ref()
        .map(|git| git.root.clone())
        .or_else(|| directory.clone());
    Asker {
        client: None,
        version: None,
        agent: None,
        session: None,
        instance: None,
        project: root
            .as_deref()
            .and_then(Path::file_name)
            .map(|name| name.to_string_lossy().into_owned()),
        directory: directory.map(|path| path.display().to_string()),
        branch: git.and_then(|git| branch(&git.metadata)),
        caller: None,
    }
}

/// The window of a desktop app that this process was started for.
pub fn instance() -> Option<String> {
    variable(INSTANCE)
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

struct Repository {
    root: PathBuf,
    metadata: PathBuf,
}

/// The repository around a directory. In a linked work tree `.git` is a file that names the place.
fn repository(directory: &Path) -> Option<Repository> {
    for root in directory.ancestors() {
        let dot_git = root.join(".git");
        if dot_git.symlink_metadata().is_err() {
            continue;
        }
        if dot_git.is_dir() {
            return Some(Repository {
                root: root.to_owned(),
                metadata: dot_git,
            });
        }
        if let Some(text) = read(&dot_git) {
            let place = text.strip_prefix("gitdir:")?.trim();
            return Some(Repository {
                root: root.to_owned(),
                metadata: root.join(place),
            });
        }
    }
    None
}

/// The branch that is checked out, or the beginning of the commit where none is.
fn branch(metadata: &Path) -> Option<String> {
    let head = read(&metadata.join("HEAD"))?;
    let head = head.trim();
    match head.strip_prefix("ref: ") {
        Some(name) => Some(name.strip_prefix("refs/heads/").unwrap_or(name).to_owned()),
        // The beginning of any other file is nobody's business.
        None if head.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
            head.get(..8).map(str::to_owned)
        }
        None => None,
    }
}

/// A file of git's. Tools put links in its place that leave the project; what is no regular file, or a
/// large one, is none.
fn read(path: &Path) -> Option<String> {
    checkout::read_anywhere(&path.canonicalize().ok()?, MOST_BYTES).ok()
}
