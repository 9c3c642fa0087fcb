//! The umask belongs to the whole process, so that this is a program of its own with one test.

use std::fs::File;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use ask_files::{LastLink, Mode, Root, umask};
use rustix::process::umask as set_umask;

#[test]
fn what_is_ours_is_private_and_what_is_the_persons_has_their_umask() {
    let folder = std::env::temp_dir().join(format!("ask-files-umask-{}", std::process::id()));
    std::fs::create_dir(&folder).expect("a new folder");
    let mode = |name: &str| {
        let about = std::fs::metadata(folder.join(name)).expect("an existing file");
        about.permissions().mode() & 0o777
    };
    let create = |name: &str| File::create(folder.join(name)).map(drop);
    let child = || {
        let mut shell = Command::new("sh");
        shell.args(["-c", "umask"]);
        let said = umask::ordinary(|| shell.output()).expect("a shell runs");
        String::from_utf8_lossy(&said.stdout).trim().to_owned()
    };

    set_umask(Mode::from_raw_mode(0o027));
    // Before it is restricted, the process has the person's umask.
    umask::ordinary(|| create("before")).expect("a writable folder");
    assert_eq!(mode("before"), 0o640);

    umask::restrict();
    create("ours").expect("a writable folder");
    assert_eq!(mode("ours"), 0o600);
    umask::ordinary(|| create("theirs")).expect("a writable folder");
    assert_eq!(mode("theirs"), 0o640);
    assert_eq!(child(), "0027");
    umask::restrict();
    assert_eq!(child(), "0027", "the second time forgets nothing");

    let written = |root: &Root, path: &Path| {
        let entry = root.entry_with_folders(path).expect("a writable folder");
        entry.replace("", Mode::all()).expect("a writable folder");
    };
    written(&Root::Anywhere, &folder.join("own/file"));
    written(
        &Root::open(&folder).expect("a folder"),
        &folder.join("project/file"),
    );
    for (name, expected) in [("", 0o750), ("/file", 0o640)] {
        assert_eq!(mode(&format!("own{name}")), expected);
        assert_eq!(mode(&format!("project{name}")), expected);
    }
    let entry = Root::Anywhere.entry(&folder.join("private"), LastLink::Kept);
    let entry = entry.expect("an entry");
    entry
        .replace("", Mode::RUSR | Mode::WUSR)
        .expect("a writable folder");
    assert_eq!(mode("private"), 0o600);
    create("last").expect("a writable folder");
    assert_eq!(mode("last"), 0o600, "it is restricted again");
    std::fs::remove_dir_all(&folder).expect("a writable folder");
}
