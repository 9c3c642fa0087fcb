//! A checkout that others made: its links, and what they change in it while we look.

use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::{fs, io};

use ask_files::{LastLink, Mode, Root};

const MOST: u64 = 100;

/// A project with a file and a folder, and beside it a folder with another file.
struct Checkout {
    above: PathBuf,
    project: PathBuf,
}

impl Checkout {
    fn new(name: &str) -> Self {
        let name = format!("ask-files-{name}-{}", std::process::id());
        let above = std::env::temp_dir().join(name);
        // Only a run that was killed leaves a folder behind; usually none exists.
        let _ = fs::remove_dir_all(&above);
        let project = above.join("project");
        fs::create_dir_all(project.join("src")).expect("a writable folder");
        fs::create_dir(above.join("outside")).expect("a writable folder");
        fs::write(project.join("src/file"), "inside").expect("a writable folder");
        fs::write(above.join("outside/file"), "precious").expect("a writable folder");
        Self { above, project }
    }

    fn link(&self, to: impl AsRef<Path>, name: &str) {
        symlink(to, self.project.join(name)).expect("a new link");
    }

    fn root(&self) -> Root {
        Root::open(&self.project).expect("a folder")
    }

    fn read(&self, name: &str) -> io::Result<String> {
        let entry = self
            .root()
            .entry(&self.project.join(name), LastLink::Followed);
        entry?.read(MOST)
    }

    /// Replaces a folder of the project by a link to the folder outside.
    fn swap(&self, folder: &str) {
        let folder = self.project.join(folder);
        fs::rename(&folder, self.above.join("moved")).expect("a folder");
        symlink(self.above.join("outside"), folder).expect("a new link");
    }

    fn outside(&self) -> String {
        let outside = self.above.join("outside");
        let names = fs::read_dir(&outside).expect("a folder").count();
        assert_eq!(names, 1, "nothing is created outside");
        fs::read_to_string(outside.join("file")).expect("a file")
    }
}

impl Drop for Checkout {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.above).expect("a writable folder");
    }
}

fn said(found: io::Result<String>) -> String {
    found.expect_err("it is refused").to_string()
}

#[test]
fn links_within_the_folder_are_followed() {
    let checkout = Checkout::new("within");
    checkout.link("src/file", "beside");
    checkout.link("beside", "chain");
    checkout.link("src", "folder");
    checkout.link("../src/../src/./file", "src/around");
    checkout.link("../../project/src/file", "src/back");
    checkout.link(checkout.project.join("src/file"), "whole");
    // Another way to the project, as /tmp is on macOS.
    symlink("project", checkout.above.join("alias")).expect("a new link");
    checkout.link(checkout.above.join("alias/src/file"), "alias");
    for name in [
        "src/file",
        "beside",
        "chain",
        "folder/file",
        "folder/../beside",
        "src/around",
        "src/back",
        "whole",
        "alias",
        "../project/src/file",
        "../alias/src/file",
    ] {
        assert_eq!(checkout.read(name).expect(name), "inside", "{name}");
    }
}

#[test]
fn links_that_leave_the_folder_are_refused() {
    let checkout = Checkout::new("leave");
    checkout.link("../outside/file", "file");
    checkout.link("src/../../outside", "folder");
    checkout.link(checkout.above.join("outside/file"), "whole");
    checkout.link("/", "top");
    checkout.link("nowhere", "none");
    checkout.link("../outside/none", "none-outside");
    checkout.link("round", "circle");
    checkout.link("circle", "round");
    let real = checkout.above.canonicalize().expect("a folder");
    let leaves = format!(
        "a link leads out of the project, to {}",
        real.join("outside/file").display()
    );
    for name in ["file", "folder/file", "whole", "../outside/file"] {
        assert_eq!(said(checkout.read(name)), leaves, "{name}");
    }
    for name in ["top/etc/hostname", "none-outside"] {
        let said = said(checkout.read(name));
        assert!(said.contains("out of the project"), "{name}: {said}");
    }
    assert!(said(checkout.read("none")).contains("leads nowhere"));
    assert!(said(checkout.read("none/file")).contains("leads nowhere"));
    assert!(said(checkout.read("circle")).contains("circle"));
    for name in ["missing", "missing/file", "../project/missing"] {
        let error = checkout.read(name).expect_err("nothing is there");
        assert_eq!(error.kind(), io::ErrorKind::NotFound, "{name}: {error}");
    }
    for name in [
        "file",
        "folder/new",
        "folder/new/new",
        "none",
        "none-outside",
    ] {
        let entry = checkout
            .root()
            .entry_with_folders(&checkout.project.join(name));
        assert!(entry.is_err(), "{name}");
    }
    assert_eq!(checkout.outside(), "precious");
}

#[test]
fn a_folder_that_becomes_a_link_leads_nowhere_after_the_check() {
    let checkout = Checkout::new("swap");
    let path = checkout.project.join("src/file");
    let root = checkout.root();
    let entry = root
        .entry(&path, LastLink::Followed)
        .expect("it is within the project");
    let mut beside = entry
        .replacement(None, Mode::all())
        .expect("a writable folder");
    checkout.swap("src");

    // What was found before is where it was.
    assert_eq!(entry.read(MOST).expect("a file"), "inside");
    beside.file.write_all(b"new").expect("a writable file");
    beside.place().expect("a writable folder");
    let moved = checkout.above.join("moved/file");
    assert_eq!(fs::read_to_string(&moved).expect("a file"), "new");
    entry.remove().expect("a writable folder");
    assert!(!moved.exists());

    // What is looked up now is refused.
    for last in [LastLink::Followed, LastLink::Kept] {
        let said = said(root.entry(&path, last).and_then(|entry| entry.read(MOST)));
        assert!(said.contains("out of the project"), "{said}");
    }
    assert!(root.entry_with_folders(&path).is_err());
    assert_eq!(checkout.outside(), "precious");
}

#[test]
fn the_folder_that_was_opened_is_meant_wherever_it_is_by_now() {
    let checkout = Checkout::new("moved");
    let root = checkout.root();
    fs::rename(&checkout.project, checkout.above.join("moved")).expect("a folder");
    symlink("outside", &checkout.project).expect("a new link");
    let path = checkout.project.join("file");
    let entry = root.entry_with_folders(&path).expect("the folder is open");
    entry
        .replace("new", Mode::all())
        .expect("a writable folder");
    let moved = checkout.above.join("moved/file");
    assert_eq!(fs::read_to_string(moved).expect("a file"), "new");
    assert_eq!(checkout.outside(), "precious");
}

#[test]
fn a_last_link_is_replaced_and_removed_itself() {
    let checkout = Checkout::new("last");
    let root = checkout.root();
    for (to, followed) in [("src/file", "inside"), ("../outside/file", "precious")] {
        checkout.link(to, "link");
        let path = checkout.project.join("link");
        let entry = root.entry(&path, LastLink::Kept).expect("an entry");
        assert!(entry.is_link() && entry.exists());
        assert_eq!(said(entry.read(MOST)), "it is a link");
        entry
            .replace("new", Mode::all())
            .expect("a writable folder");
        assert_eq!(entry.read(MOST).expect("a file"), "new");
        entry.remove().expect("a writable folder");
        let target = checkout.project.join(to);
        assert_eq!(fs::read_to_string(target).expect("a file"), followed);
    }
}

#[test]
fn missing_folders_are_created_only_in_the_project() {
    let checkout = Checkout::new("create");
    let root = checkout.root();
    checkout.link("src", "folder");
    let path = checkout.project.join("folder/a/b/file");
    let entry = root.entry_with_folders(&path).expect("a writable folder");
    entry
        .replace("new", Mode::all())
        .expect("a writable folder");
    assert_eq!(checkout.read("src/a/b/file").expect("a file"), "new");
    let deep = checkout.project.join("d/".repeat(300));
    let said = said(root.entry_with_folders(&deep).map(|_| String::new()));
    assert!(said.contains("too many folders"), "{said}");
}

#[test]
fn only_regular_files_of_a_limited_size_are_read() {
    let checkout = Checkout::new("regular");
    let pipe = checkout.project.join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo runs").success());
    assert_eq!(said(checkout.read("pipe")), "it is not a file");
    assert_eq!(said(checkout.read("src")), "it is not a file");
    checkout.link(".", "itself");
    assert_eq!(said(checkout.read("itself")), "it is not a file");
    let sparse = fs::File::create(checkout.project.join("sparse")).expect("a new file");
    sparse.set_len(1 << 40).expect("the file is sparse");
    assert_eq!(said(checkout.read("sparse")), "it has more than 100 bytes");
    fs::write(checkout.project.join("bytes"), b"\xff").expect("a writable folder");
    assert_eq!(said(checkout.read("bytes")), "it is not UTF-8");
}

#[test]
fn a_replacement_keeps_the_mode_and_leaves_nothing_when_it_is_dropped() {
    let checkout = Checkout::new("mode");
    let path = checkout.project.join("src/file");
    let mode = || fs::metadata(&path).expect("a file").permissions().mode() & 0o777;
    let entry = checkout
        .root()
        .entry(&path, LastLink::Followed)
        .expect("an entry");
    for (before, most, after) in [
        (0o640, Mode::all(), 0o640),
        (0o755, Mode::all(), 0o755),
        (0o644, Mode::RUSR | Mode::WUSR, 0o600),
    ] {
        fs::set_permissions(&path, PermissionsExt::from_mode(before)).expect("our own file");
        let made = entry
            .replacement(Some(&entry), most)
            .expect("a writable folder");
        made.place().expect("a writable folder");
        assert_eq!(mode(), after, "{before:o}");
    }
    drop(
        entry
            .replacement(None, Mode::all())
            .expect("a writable folder"),
    );
    let left = fs::read_dir(checkout.project.join("src")).expect("a folder");
    assert_eq!(left.count(), 1);
}

#[cfg(target_os = "linux")]
#[test]
fn a_replacement_has_the_access_list_of_the_file_and_not_that_of_its_folder() {
    /// A list of acl(5), as Linux encodes it, that also lets account 1234 read and write.
    const LIST: [(u16, u16, u32); 5] = [
        (0x01, 6, u32::MAX),
        (0x02, 6, 1234),
        (0x04, 0, u32::MAX),
        (0x10, 6, u32::MAX),
        (0x20, 0, u32::MAX),
    ];
    let entries = LIST.map(|(tag, may, id)| {
        let entry = [tag.to_le_bytes(), may.to_le_bytes()].concat();
        [entry, id.to_le_bytes().to_vec()].concat()
    });
    let list = [2_u32.to_le_bytes().to_vec(), entries.concat()].concat();

    let checkout = Checkout::new("access-list");
    let folder = checkout.project.join("src");
    let set = |path: &Path, name: &str| {
        rustix::fs::setxattr(path, name, &list, rustix::fs::XattrFlags::empty())
    };
    let plain = folder.join("file");
    fs::set_permissions(&plain, PermissionsExt::from_mode(0o640)).expect("our own file");
    if set(&folder, "system.posix_acl_default") == Err(rustix::io::Errno::NOTSUP) {
        return; // The file system has no access lists.
    }
    let listed = folder.join("listed");
    fs::write(&listed, "").expect("a writable folder");
    set(&listed, "system.posix_acl_access").expect("our own file");

    for (path, is_listed) in [(&plain, false), (&listed, true)] {
        let entry = |path| checkout.root().entry(path, LastLink::Followed);
        let file = entry(path).expect("an entry");
        let backup = folder.join("backup");
        let backup = entry(&backup).expect("an entry");
        for replaced in [&file, &backup] {
            let made = replaced.replacement(Some(&file), Mode::all());
            let made = made.expect("a writable folder");
            let found = &mut [0_u8; 256];
            let found = rustix::fs::fgetxattr(&made.file, "system.posix_acl_access", found);
            assert_eq!(found.is_ok(), is_listed, "{}", path.display());
        }
    }
}

#[test]
fn the_persons_own_links_lead_anywhere() {
    let checkout = Checkout::new("own");
    checkout.link("../outside/file", "link");
    checkout.link("../outside/new/file", "none");
    let root = Root::Anywhere;
    let path = checkout.project.join("link");
    let entry = root.entry(&path, LastLink::Followed).expect("an entry");
    assert_eq!(entry.read(MOST).expect("a file"), "precious");
    let none = checkout.project.join("none");
    let entry = root.entry_with_folders(&none).expect("a writable folder");
    entry
        .replace("new", Mode::all())
        .expect("a writable folder");
    assert_eq!(fs::read_to_string(&none).expect("a file"), "new");
    assert!(none.is_symlink());
}
