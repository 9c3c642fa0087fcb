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
const LITTLE_MB: u64 = 100;

pub(super) fn check(home: &Home, report: &mut Report) -> anyhow::Result<()> {
    let state = home.state();
    let made = match std::fs::metadata(state) {
        Err(error) if error.kind() == ErrorKind::NotFound => home.prepare(),
        Ok(_) | Err(_) => Ok(()),
    };
    if let Err(error) = made {
        return report.say(Finding::failed("folder", &error));
    }
    report.say(folder(state))?;
    if let Some(finding) = files(home) {
        report.say(finding)?;
    }
    report.say(disk(state))
}

fn folder(state: &Path) -> Finding {
    let (name, path) = (state.display(), quoted(state));
    let elsewhere = "or set ASK_USER_HOME to a folder of your own";
    let about = match std::fs::metadata(state) {
        Ok(about) => about,
        Err(error) => {
            return Finding::fail("folder", format!("{name} can't be looked at: {error}"))
                .mend(format!("ls -ld {path}\n{elsewhere}"));
        }
    };
    if !about.is_dir() {
        return Finding::fail("folder", format!("{name} is not a folder"))
            .mend(format!("move it away: mv {path} {path}.old\n{elsewhere}"));
    }
    if !is_ours(&about) {
        return Finding::fail(
            "folder",
            format!(
                "{name} belongs to user {}, not to you: `sudo ask-user` may have made it",
                about.uid()
            ),
        )
        .mend(format!("sudo chown -R \"$(id -un)\" {path}"));
    }
    if access(state, Access::READ_OK | Access::WRITE_OK | Access::EXEC_OK).is_err() {
        return Finding::fail("folder", format!("{name} can't be written to"))
            .mend(format!("chmod u+rwx {path}\n{elsewhere}"));
    }
    let mode = mode(&about);
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
fn files(home: &Home) -> Option<Finding> {
    let store = home.store_file();
    let log = home.log_file();
    let beside = |end: &str| PathBuf::from(format!("{}{end}", store.display()));
    let set_aside = sqlite::set_aside(&store);
    let mut ours = vec![
        home.address_file(),
        home.token_file(),
        home.answer_token_file(),
        home.seal_file(),
        home.lock_file(),
        log.with_extension("log.1"),
        log,
        beside("-wal"),
        beside("-shm"),
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
        let about = std::fs::symlink_metadata(path).ok()?;
        Some((path, about))
    });
    let known: Vec<(&PathBuf, Metadata)> = known.collect();
    if known.iter().any(|(_, about)| !is_ours(about)) {
        let said =
            "some files in the folder belong to another user: `sudo ask-user` may have made them";
        let mend = format!("sudo chown -R \"$(id -un)\" {}", quoted(home.state()));
        return Some(Finding::fail("files", said).mend(mend));
    }
    let open: Vec<&(&PathBuf, Metadata)> = known
        .iter()
        .filter(|(_, about)| about.is_file() && mode(about) & 0o077 != 0)
        .collect();
    if open.is_empty() {
        return (!known.is_empty()).then(|| Finding::fine("files", "all files are yours alone"));
    }
    let named: Vec<String> = open
        .iter()
        .map(|(path, about)| format!("{} ({:04o})", path.display(), mode(about)))
        .collect();
    let paths: Vec<String> = open.iter().map(|(path, _)| quoted(path)).collect();
    let said = format!(
        "others on this machine may read or change {}",
        named.join(", ")
    );
    Some(Finding::fail("files", said).mend(format!("chmod 600 {}", paths.join(" "))))
}

fn disk(state: &Path) -> Finding {
    let Ok(about) = statvfs(state) else {
        return Finding::warn("disk", "how much room there is can't be known");
    };
    let free_mb = about.f_bavail.saturating_mul(about.f_frsize) / 1_000_000;
    match free_mb {
        0 => Finding::fail(
            "disk",
            "the disk of the folder is full: no answer can be kept",
        ),
        free_mb if free_mb < LITTLE_MB => Finding::warn(
            "disk",
            format!("the disk of the folder has {free_mb} MB left"),
        ),
        free_mb => return Finding::fine("disk", format!("{} free", size(free_mb))),
    }
    .mend(format!("free some of it: df -h {}", quoted(state)))
}

fn size(mb: u64) -> String {
    match mb {
        0..10_000 => format!("{mb} MB"),
        _ => format!("{} GB", mb / 1_000),
    }
}

fn is_ours(about: &Metadata) -> bool {
    about.uid() == rustix::process::geteuid().as_raw()
}

fn mode(about: &Metadata) -> u32 {
    about.permissions().mode() & 0o7777
}
