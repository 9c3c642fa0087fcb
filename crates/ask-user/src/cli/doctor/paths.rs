//! Checks the person's folder: it exists, belongs to them, is closed to others, and its disk has
//! room.

use std::fs::Metadata;
use std::io::ErrorKind;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use ask_config::home::Home;
use ask_store::sqlite;
use rustix::fs::{Access, access, statvfs};

use super::finding::{Finding, Report, quoted};

/// Below this much free space, answers may soon not be stored.
const LOW_SPACE_MB: u64 = 100;

pub(super) fn check(home: &Home, report: &mut Report) -> anyhow::Result<()> {
    let state = home.state();
    let prepared = match std::fs::metadata(state) {
        Err(error) if error.kind() == ErrorKind::NotFound => home.prepare(),
        Ok(_) | Err(_) => Ok(()),
    };
    if let Err(error) = prepared {
        return report.add(Finding::failed("folder", &error));
    }
    report.add(check_folder(state))?;
    if let Some(finding) = check_files(home) {
        report.add(finding)?;
    }
    report.add(check_disk(state))
}

fn check_folder(state: &Path) -> Finding {
    let (name, path) = (state.display(), quoted(state));
    let elsewhere = "or set ASK_USER_HOME to a folder of your own";
    let metadata = match std::fs::metadata(state) {
        Ok(metadata) => metadata,
        Err(error) => {
            return Finding::fail("folder", format!("{name} can't be examined: {error}"))
                .mend(format!("ls -ld {path}\n{elsewhere}"));
        }
    };
    if !metadata.is_dir() {
        return Finding::fail("folder", format!("{name} is not a folder"))
            .mend(format!("move it away: mv {path} {path}.old\n{elsewhere}"));
    }
    if !is_ours(&metadata) {
        return Finding::fail(
            "folder",
            format!(
                "{name} belongs to user {}, not to you: `sudo ask-user` may have made it",
                metadata.uid()
            ),
        )
        .mend(format!("sudo chown -R \"$(id -un)\" {path}"));
    }
    if access(state, Access::READ_OK | Access::WRITE_OK | Access::EXEC_OK).is_err() {
        return Finding::fail("folder", format!("{name} can't be written to"))
            .mend(format!("chmod u+rwx {path}\n{elsewhere}"));
    }
    let mode = mode(&metadata);
    if mode & 0o022 != 0 {
        return Finding::fail(
            "folder",
            format!("others on this machine may change what is in {name} ({mode:04o})"),
        )
        .mend(format!("chmod 700 {path}"));
    }
    if mode & 0o077 != 0 {
        return Finding::warn(
            "folder",
            format!("others on this machine may look into {name} ({mode:04o})"),
        )
        .mend(format!("chmod 700 {path}"));
    }
    Finding::fine("folder", format!("{name} is yours alone"))
}

/// Checks the files that the program writes. Other files in the folder are the person's own.
fn check_files(home: &Home) -> Option<Finding> {
    let store = home.store_file();
    let log = home.log_file();
    let with_suffix = |end: &str| PathBuf::from(format!("{}{end}", store.display()));
    let set_aside = sqlite::set_aside(&store);
    let mut ours = vec![
        home.address_file(),
        home.token_file(),
        home.answer_token_file(),
        home.seal_file(),
        home.lock_file(),
        log.with_extension("log.1"),
        log,
        with_suffix("-wal"),
        with_suffix("-shm"),
        store,
    ];
    ours.extend(set_aside);
    let attached = std::fs::read_dir(home.attachments()).ok();
    ours.extend(
        attached
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path()),
    );
    let known = ours.iter().filter_map(|path| {
        let metadata = std::fs::symlink_metadata(path).ok()?;
        Some((path, metadata))
    });
    let known: Vec<(&PathBuf, Metadata)> = known.collect();
    if known.iter().any(|(_, metadata)| !is_ours(metadata)) {
        let message =
            "some files in the folder belong to another user: `sudo ask-user` may have made them";
        let fix = format!("sudo chown -R \"$(id -un)\" {}", quoted(home.state()));
        return Some(Finding::fail("files", message).mend(fix));
    }
    let open: Vec<&(&PathBuf, Metadata)> = known
        .iter()
        .filter(|(_, metadata)| metadata.is_file() && mode(metadata) & 0o077 != 0)
        .collect();
    if open.is_empty() {
        return (!known.is_empty()).then(|| Finding::fine("files", "all files are yours alone"));
    }
    let named: Vec<String> = open
        .iter()
        .map(|(path, metadata)| format!("{} ({:04o})", path.display(), mode(metadata)))
        .collect();
    let paths: Vec<String> = open.iter().map(|(path, _)| quoted(path)).collect();
    let message = format!(
        "others on this machine may read or change {}",
        named.join(", ")
    );
    Some(Finding::fail("files", message).mend(format!("chmod 600 {}", paths.join(" "))))
}

fn check_disk(state: &Path) -> Finding {
    let Ok(metadata) = statvfs(state) else {
        return Finding::warn("disk", "the free space can't be determined");
    };
    let free_mb = metadata.f_bavail.saturating_mul(metadata.f_frsize) / 1_000_000;
    match free_mb {
        0 => Finding::fail(
            "disk",
            "the disk of the folder is full: no answer can be kept",
        ),
        free_mb if free_mb < LOW_SPACE_MB => Finding::warn(
            "disk",
            format!("the disk of the folder has {free_mb} MB left"),
        ),
        free_mb => return Finding::fine("disk", format!("{} free", format_size(free_mb))),
    }
    .mend(format!("free some of it: df -h {}", quoted(state)))
}

fn format_size(mb: u64) -> String {
    match mb {
        0..10_000 => format!("{mb} MB"),
        _ => format!("{} GB", mb / 1_000),
    }
}

fn is_ours(metadata: &Metadata) -> bool {
    metadata.uid() == rustix::process::geteuid().as_raw()
}

fn mode(metadata: &Metadata) -> u32 {
    metadata.permissions().mode() & 0o7777
}
