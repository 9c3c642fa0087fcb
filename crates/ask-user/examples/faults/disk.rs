//! A disk that can be filled: a small file system mounted at the home if possible, otherwise a
//! limit on the size of the hub's files.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::process::{Pid, Resource, Rlimit, prlimit};

/// Restarts the campaign in the same process with `SIGXFSZ` ignored, which would kill a hub at its
/// file size limit. All processes started later inherit this. Returns if it is done already or
/// isn't possible.
pub(crate) fn ignore_file_limit_signal() {
    const DONE: &str = "FAULTS_IGNORE_FILE_LIMIT_SIGNAL";
    if std::env::var_os(DONE).is_some() {
        return;
    }
    if let Ok(own) = std::env::current_exe() {
        let mut shell = Command::new("sh");
        shell.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""]);
        let _ = shell
            .arg(own)
            .args(std::env::args_os().skip(1))
            .env(DONE, "1")
            .exec();
    }
}

/// How the disk of a campaign is filled.
pub(crate) enum Disk {
    /// A file system in memory whose size is changed (tmpfs).
    Mounted(PathBuf),
    /// A limit that keeps the hub's files within their first page.
    Limited,
}

const SIZE: &str = "1g";

impl Disk {
    /// Mounts a file system at this folder; falls back to the limit if that isn't permitted.
    pub(crate) fn under(home: &Path) -> Self {
        let options = format!("size={SIZE},mode=700");
        let mounted = mount(&["-t", "tmpfs", "-o", &options, "ask-user-faults"], home);
        if mounted {
            Self::Mounted(home.to_owned())
        } else {
            Self::Limited
        }
    }

    /// The name in the table.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Mounted(_) => "a file system without room",
            Self::Limited => "a limit on the hub's files",
        }
    }

    /// Leaves the hub no room. False if that failed.
    pub(crate) fn fill(&self, hub: u32) -> bool {
        match self {
            Self::Mounted(home) => (1..8).any(|pages| {
                let Ok(now) = rustix::fs::statvfs(home) else {
                    return false;
                };
                let used = (now.f_blocks - now.f_bfree) * now.f_frsize;
                // If other processes write meanwhile, the size is too small and refused, so the
                // next one is tried.
                resize(home, &(used + pages * now.f_frsize).to_string())
            }),
            Self::Limited => limit(hub, Some(4_096)),
        }
    }

    /// Makes room again.
    pub(crate) fn empty(&self, hub: u32) {
        match self {
            Self::Mounted(home) => drop(resize(home, SIZE)),
            Self::Limited => drop(limit(hub, None)),
        }
    }

    /// Unmounts the file system.
    pub(crate) fn leave(&self) {
        if let Self::Mounted(home) = self {
            let mut command = Command::new("umount");
            command.arg("-l").arg(home).stderr(Stdio::null());
            // A file system that stays mounted doesn't change the campaign's result.
            let _ = command.status();
        }
    }
}

fn mount(arguments: &[&str], at: &Path) -> bool {
    let mut command = Command::new("mount");
    command.args(arguments).arg(at);
    command.stdin(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn resize(home: &Path, size: &str) -> bool {
    mount(&["-o", &format!("remount,size={size}")], home)
}

fn limit(hub: u32, bytes: Option<u64>) -> bool {
    let pid = i32::try_from(hub).ok().and_then(Pid::from_raw);
    let limit = Rlimit {
        current: bytes,
        maximum: None,
    };
    pid.is_some() && prlimit(pid, Resource::Fsize, limit).is_ok()
}
