//! Programs that are run by name for the person: a browser, an editor, a notification command.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A command that runs this program for the person. The system looks for it in [`search_path`].
pub fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    if let Some(path) = search_path() {
        command.env("PATH", path);
    }
    command
}

/// The folders of `PATH` in which the person's programs may be. `npx`, `npm run`, direnv and virtual
/// environments add folders of a checkout, and a file there isn't the person's: what it answers would
/// look like theirs.
pub fn search_path() -> Option<OsString> {
    let path = std::env::var_os("PATH")?;
    let home = std::env::home_dir();
    let checkout = std::env::current_dir().ok();
    let checkout = checkout.and_then(|directory| checkout_around(&directory, home.as_deref()));
    Some(path_outside(&path, checkout.as_deref()))
}

/// Folders of the system, which are searched wherever a command runs.
const SYSTEM: [&str; 6] = [
    "/bin",
    "/sbin",
    "/usr/bin",
    "/usr/sbin",
    "/usr/local/bin",
    "/usr/local/sbin",
];

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

/// The folders of `path` that are outside of the checkout.
fn path_outside(path: &OsStr, checkout: Option<&Path>) -> OsString {
    let checkout = checkout.and_then(|checkout| checkout.canonicalize().ok());
    // A folder that doesn't exist yet may become a link to anywhere.
    let is_outside = |folder: &PathBuf| {
        let Ok(place) = folder.canonicalize() else {
            return false;
        };
        let is_system = SYSTEM.iter().any(|system| place == Path::new(system));
        let is_inside = checkout
            .as_ref()
            .is_some_and(|checkout| place.starts_with(checkout));
        folder.is_absolute() && !folder.ends_with("node_modules/.bin") && (is_system || !is_inside)
    };
    let kept = std::env::split_paths(path).filter(is_outside);
    std::env::join_paths(kept).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_program_is_found_in_the_checkout() {
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
        let system = OsStr::new("/usr/bin");
        assert_eq!(path_outside(system, Some(Path::new("/usr"))), system);
        std::fs::remove_dir_all(root).expect("it can be removed");
    }
}
