//! Who asks, as far as this machine can tell: directory, project and git branch. Git's files are
//! read; git itself is never run.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use ask_core::Asker;
use ask_files::{LastLink, Root};

use crate::process;

/// The largest git file that is read. Files that contain a path or a branch are smaller.
const MAX_BYTES: u64 = 64 * 1024;

/// The environment variable that names the window of a desktop app for which a process was started.
pub const INSTANCE: &str = "ASK_USER_INSTANCE";

/// The variables by which an agent's extension says who asks.
pub const VARIABLES: [&str; 5] = [
    "ASK_USER_CLIENT",
    "ASK_USER_AGENT",
    "ASK_USER_SESSION",
    "ASK_USER_PROJECT",
    INSTANCE,
];

/// Describes who started this process, with the current directory.
pub fn in_current_folder() -> Asker {
    working_in(std::env::current_dir().ok())
}

/// Describes an agent that works in `directory`, by the environment of this process and by the
/// process that started it. A hub finds the calling process itself; this caller is used where there
/// is no hub, and until a hub has the ask.
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

/// A directory as text. A byte that isn't UTF-8 is written as a NUL and two digits, which no path
/// contains: otherwise two directories could look alike, and an answer could go to the agent in
/// another one.
fn directory_name(path: PathBuf) -> String {
    let escape = |path: OsString| {
        let chunks = path.as_bytes().utf8_chunks();
        let escaped = chunks.map(|chunk| {
            let bytes = chunk.invalid().iter().map(|byte| format!("\0{byte:02X}"));
            chunk.valid().to_owned() + &bytes.collect::<String>()
        });
        escaped.collect()
    };
    path.into_os_string().into_string().unwrap_or_else(escape)
}

/// Describes a directory: its project and its git branch.
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
        directory: directory.map(directory_name),
        branch: git.and_then(|git| branch(&git.metadata)),
        caller: None,
    }
}

/// The window of a desktop app for which this process was started.
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

/// Finds the repository that contains a directory. In a linked work tree `.git` is a file with the
/// path of the git directory.
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

/// The branch that is checked out. Without one, the first 8 characters of the commit.
fn branch(metadata: &Path) -> Option<String> {
    let file = metadata.join("HEAD");
    let head = read(&file)?;
    let head = head.lines().next()?.trim();
    match head.strip_prefix("ref: ") {
        Some(name) => Some(name.strip_prefix("refs/heads/").unwrap_or(name).to_owned()),
        // Any other text isn't git's: the file may be a link to a private one, which nobody should
        // see. Many secrets look like a commit, so a link to one isn't read.
        None if head.bytes().all(|byte| byte.is_ascii_hexdigit()) && !file.is_symlink() => {
            head.get(..8).map(str::to_owned)
        }
        None => None,
    }
}

/// Reads a file of git's. Some tools replace git's files with links that leave the project, so
/// links are followed. Anything but a regular file of a bounded size is ignored.
fn read(path: &Path) -> Option<String> {
    let entry = Root::Anywhere.entry(path, LastLink::Followed).ok()?;
    entry.read(MAX_BYTES).ok()
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    use super::*;

    #[test]
    fn directories_whose_names_are_not_utf8_differ() {
        let directory = |name: &[u8]| in_folder(Some(PathBuf::from(OsStr::from_bytes(name))));
        let named = directory(b"/nowhere/shop");
        assert_eq!(named.directory.as_deref(), Some("/nowhere/shop"));
        let escaped = directory(b"/nowhere/shop\xff\xfe 2").directory;
        assert_eq!(escaped.as_deref(), Some("/nowhere/shop\0FF\0FE 2"));
    }

    #[test]
    fn a_branch_is_one_line_and_a_commit_is_not_read_through_a_link() {
        let name = format!("ask-user-branch-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).expect("a temporary folder");
        let head = folder.join("HEAD");
        let branch_of = |text: &str| {
            std::fs::write(&head, text).expect("a writable folder");
            branch(&folder)
        };
        let commit = "0123456789abcdef0123456789abcdef01234567\n";
        assert_eq!(branch_of(commit).as_deref(), Some("01234567"));
        let named = branch_of("ref: refs/heads/main\nref: refs/heads/other\n");
        assert_eq!(named.as_deref(), Some("main"));
        let other = folder.join("token");
        std::fs::write(&other, commit).expect("a writable folder");
        std::fs::remove_file(&head).expect("it was written above");
        std::os::unix::fs::symlink(&other, &head).expect("a writable folder");
        assert_eq!(branch(&folder), None);
        std::fs::remove_dir_all(&folder).expect("it was made above");
    }
}
