//! Traps: things that somebody may put into a checkout in the place of a file.

use std::fs::File;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

/// Creates a trap at a path. The second path is a file outside the checkout.
type Put = fn(&Path, &Path);

/// All traps, with their names.
pub(crate) const TRAPS: [(&str, Put); 5] = [
    ("a pipe", |path, _| {
        let made = Command::new("mkfifo").arg(path).status();
        assert!(made.expect("mkfifo runs").success());
    }),
    ("a link to what never ends", |path, _| {
        symlink("/dev/zero", path).expect("a new link");
    }),
    ("a file of 2 GB that holds nothing", |path, _| {
        let file = File::create(path).expect("a new file");
        file.set_len(2 << 30).expect("the file is sparse");
    }),
    ("a link out of the checkout", |path, outside| {
        symlink(outside, path).expect("a new link");
    }),
    ("a link to where nothing is yet", |path, outside| {
        symlink(outside.with_extension("new"), path).expect("a new link");
    }),
];

/// Removes the file or folder at a path.
pub(crate) fn clear(path: &Path) {
    if path.is_dir() && !path.is_symlink() {
        std::fs::remove_dir_all(path).expect("a writable file");
    } else if path.symlink_metadata().is_ok() {
        std::fs::remove_file(path).expect("a writable file");
    }
}
