//! Starts the hub on demand. The first command that needs it starts a process that outlives the
//! command.

use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Context;
use ask_config::exit::{Exit, Failure};
use ask_config::process::AGENT_VARIABLE;

/// The variable with which glibc is set.
pub(crate) const TUNABLES: &str = "GLIBC_TUNABLES";

/// Settings of glibc's allocator for a hub, which may run for weeks. By default, glibc keeps the
/// memory of large buffers once a flood of them has ended, and small blocks that each thread has
/// freed keep the memory around them from being used again. Other systems ignore the variable.
pub(crate) const ALLOCATOR: &str = "glibc.malloc.mmap_threshold=32768:\
    glibc.malloc.trim_threshold=262144:glibc.malloc.tcache_count=0";

/// The line that a detached hub prints once clients can connect.
pub const READY: &str = "ready";

/// Makes sure that a hub runs, and returns once clients can connect.
///
/// A second, short-lived process starts the hub, so that the caller needn't reap it as a child.
///
/// # Errors
/// The hub could not be started; the error has its reason.
pub(crate) fn ensure_running() -> anyhow::Result<()> {
    let output = Command::new(program_path()?)
        .args(["hub", "--start"])
        .stdin(Stdio::null())
        .output()
        .context("starting the hub")?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let text = text.trim().trim_start_matches("ask-user: ");
    Err(Failure::plain(Exit::NoHub, format!("the hub could not be started: {text}")).into())
}

/// Starts a detached hub and waits for its first line.
pub fn start_detached() -> anyhow::Result<()> {
    let mut command = Command::new(program_path()?);
    // The hub's working directory is the root, where a relative path would have another meaning.
    if let Some(home) = std::env::var_os("ASK_USER_HOME").filter(|home| !home.is_empty()) {
        command.env("ASK_USER_HOME", std::path::absolute(home)?);
    }
    // Whoever has set the variable knows better.
    if std::env::var_os(TUNABLES).is_none() {
        command.env(TUNABLES, ALLOCATOR);
    }
    if let Some(path) = std::env::var_os("PATH") {
        let home = std::env::home_dir();
        let checkout = std::env::current_dir().ok();
        let checkout = checkout.and_then(|directory| checkout_around(&directory, home.as_deref()));
        command.env("PATH", path_outside(&path, checkout.as_deref()));
    }
    let mut child = command
        .args(["hub", "--detached"])
        // What the hub starts belongs to nobody above it.
        .env_remove(AGENT_VARIABLE)
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .context("starting the hub")?;
    let mut text = String::new();
    if let Some(mut pipe) = child.stdout.take() {
        pipe.read_to_string(&mut text)?;
    }
    match text.trim() {
        READY => Ok(()),
        "" => {
            let status = child.wait()?;
            Err(Failure::plain(Exit::Failure, format!("the hub ended at once ({status})")).into())
        }
        problem => Err(Failure::plain(Exit::Failure, problem).into()),
    }
}

/// The folder whose files may have come with what an agent works on: the outermost repository around
/// this directory, or the directory itself. A folder that contains the person's home isn't one.
fn checkout_around(directory: &Path, home: Option<&Path>) -> Option<PathBuf> {
    let contains_home = |folder: &Path| home.is_some_and(|home| home.starts_with(folder));
    let candidates = directory.ancestors();
    let candidates = candidates.take_while(|folder| !contains_home(folder));
    let is_repository = |folder: &&Path| folder.join(".git").symlink_metadata().is_ok();
    let outermost = candidates.clone().filter(is_repository).last();
    let checkout = outermost.or_else(|| candidates.take(1).last());
    checkout.map(Path::to_owned)
}

/// The folders of `PATH` in which a hub may look for the person's programs. Whoever starts the hub may
/// have added folders of a checkout, as `npx`, `npm run` and virtual environments do, and a file there
/// isn't the person's.
fn path_outside(path: &OsStr, checkout: Option<&Path>) -> OsString {
    let checkout = checkout.and_then(|checkout| checkout.canonicalize().ok());
    // A folder that doesn't exist yet may become a link to anywhere.
    let is_outside = |folder: &PathBuf| {
        let is_inside = |place: PathBuf| {
            let mut checkouts = checkout.iter();
            checkouts.any(|checkout| place.starts_with(checkout))
        };
        let place = folder.canonicalize();
        folder.is_absolute()
            && !folder.ends_with("node_modules/.bin")
            && place.is_ok_and(|place| !is_inside(place))
    };
    let kept = std::env::split_paths(path).filter(is_outside);
    std::env::join_paths(kept).unwrap_or_default()
}

/// The path of this program. If a newer version replaced the file, the path of the replacement.
pub fn program_path() -> anyhow::Result<PathBuf> {
    let path = std::env::current_exe().context("finding this program")?;
    if path.exists() {
        return Ok(path);
    }
    let text = path.to_string_lossy();
    let replaced = PathBuf::from(text.trim_end_matches(" (deleted)"));
    if replaced.exists() {
        return Ok(replaced);
    }
    Ok(PathBuf::from("/proc/self/exe"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hub_finds_no_programs_in_the_checkout_of_its_starter() {
        let name = format!("ask-user-path-{}", std::process::id());
        let root = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&root).expect("a folder");
        let root = root.canonicalize().expect("it exists");
        let home = root.join("home");
        let checkout = home.join("work/shop");
        let inside = checkout.join("packages/web");
        let made = [
            inside.join("node_modules/.bin"),
            checkout.join(".git"),
            checkout.join(".venv/bin"),
            checkout.join("bin"),
            home.join("bin"),
            home.join("other/node_modules/.bin"),
        ];
        for made in made {
            std::fs::create_dir_all(made).expect("a folder");
        }
        let around = |directory: &Path| checkout_around(directory, Some(&home));
        assert_eq!(around(&inside), Some(checkout.clone()));
        assert_eq!(around(&home.join("notes")), Some(home.join("notes")));
        assert_eq!(around(&home), None, "a person's programs are below it");
        assert_eq!(around(&root), None);

        let link = home.join("link");
        std::os::unix::fs::symlink(&checkout, &link).expect("a link");
        let folders = [
            inside.join("node_modules/.bin"),
            checkout.join(".venv/bin"),
            link.join("bin"),
            home.join("other/node_modules/.bin"),
            home.join("not-yet"),
            PathBuf::from("."),
            PathBuf::new(),
            home.join("bin"),
            PathBuf::from("/usr/bin"),
        ];
        let path = std::env::join_paths(folders).expect("no colons");
        let kept = path_outside(&path, Some(&checkout));
        let expected = std::env::join_paths([home.join("bin"), PathBuf::from("/usr/bin")]);
        assert_eq!(kept, expected.expect("no colons"));
        std::fs::remove_dir_all(root).expect("it can be removed");
    }
}
