//! The lock that makes a process the hub, and how a newer version takes it over from an older one.
//! The lock file has the owner's process id, so that the hub can be found when its address file is
//! missing.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::Write;
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use anyhow::Context;
use ask_config::exit::{Exit, Failure};
use ask_config::home::Home;
use ask_config::process;
use ask_protocol::ipc::{self, Address, Request};
use rustix::process::{Pid, Signal, kill_process};

use super::{replaces, version};

/// How often [`acquire`] checks for another hub while it waits for the lock, and the pause in
/// between.
const MAX_CHECKS: u32 = 2_500;
const CHECK_INTERVAL: Duration = Duration::from_millis(2);

/// A hub that can't be reached is signalled once in this many checks, because it may only be busy.
const CHECKS_PER_SIGNAL: u32 = 250;

/// Acquires the lock that makes this process the hub. `None` if another hub runs that this
/// program doesn't replace. Waits for a hub that is starting or ending, and ends an older one.
///
/// # Errors
/// The file can't be locked, or the process that holds it doesn't respond.
pub fn acquire(home: &Home) -> anyhow::Result<Option<File>> {
    let path = home.lock_file();
    let lock = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .mode(0o600)
        // What a link leads to would be emptied.
        .custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed())
        .open(&path)
        .with_context(|| format!("opening {}", path.display()))?;
    if lock.try_lock().is_ok() {
        // An old process id does no harm: `holder_pid` verifies it.
        let _ = lock.set_len(0);
        return Ok(Some(lock));
    }
    // Clients of an older hub reconnect at once and would start a hub of their own version. So this
    // process has to wait for the lock before the older hub releases it.
    let (sender, receiver) = channel();
    std::thread::Builder::new()
        .name("lock".into())
        .spawn(move || {
            let locked = lock.lock();
            sender.send(locked.map(|()| lock))
        })?;
    let mut stopped_pid = None;
    for check in 0..MAX_CHECKS {
        match receiver.recv_timeout(CHECK_INTERVAL) {
            Ok(Ok(lock)) => {
                // An old process id does no harm: `holder_pid` verifies it.
                let _ = lock.set_len(0);
                return Ok(Some(lock));
            }
            Ok(Err(error)) => {
                return Err(Failure::new(
                    Exit::Failure,
                    format!("{} can't be locked: {error}", path.display()),
                    "set ASK_USER_HOME to a folder on a local disk",
                )
                .into());
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
        }
        match connect_other_hub(home, check > MAX_CHECKS / 5) {
            Some((_, address)) if !replaces(home, &address) => return Ok(None),
            Some((stream, address)) if stopped_pid != Some(address.pid) => {
                stopped_pid = request_stop(&stream).is_ok().then_some(address.pid);
            }
            None if check % CHECKS_PER_SIGNAL == 0 => {
                if let Some(pid) = holder_pid(home) {
                    request_restore(pid);
                }
            }
            Some(_) | None => {}
        }
    }
    Err(Failure::new(
        Exit::NoHub,
        format!(
            "another process holds {} but answers nobody",
            path.display()
        ),
        match holder_pid(home).or_else(|| running_hub_pid(home)) {
            Some(pid) => format!("end process {pid}, an `ask-user hub`, then try again"),
            None => "end that process (an `ask-user hub`), then try again".to_owned(),
        },
    )
    .into())
}

/// Writes this process's id into the lock. Call it once the process handles the signal of
/// [`request_restore`].
pub(crate) fn write_pid(lock: &File) {
    let name = format!("{}\n", std::process::id());
    // Without the id, only the recovery of removed files doesn't work.
    let _ = lock.write_all_at(name.as_bytes(), 0);
}

/// Removes the process id, because a hub that is ending must not be signalled.
pub(crate) fn clear_pid(lock: &File) {
    // An old process id does no harm: `holder_pid` verifies it.
    let _ = lock.set_len(0);
}

/// The process that holds the lock, whether or not it can be reached. The id in the file counts
/// only if that process has the file open. Otherwise the id is of a hub that was killed, and may
/// belong to another program by now.
pub fn holder_pid(home: &Home) -> Option<u32> {
    let path = home.lock_file();
    let lock = File::open(&path).ok()?;
    match lock.try_lock_shared() {
        Err(TryLockError::WouldBlock) => {}
        // Nobody holds the lock. The id is of a hub that was killed.
        Ok(()) | Err(TryLockError::Error(_)) => return None,
    }
    let pid = std::fs::read_to_string(&path).ok()?.trim().parse().ok()?;
    has_file_open(pid, file_id(&path)?).then_some(pid)
}

/// Whether a process has a file open. On systems without `/proc`, true.
fn has_file_open(pid: u32, file: FileId) -> bool {
    if !Path::new("/proc/self/fd").is_dir() {
        return true;
    }
    let open = std::fs::read_dir(format!("/proc/{pid}/fd"));
    let mut open = open.into_iter().flatten().flatten();
    open.any(|entry| {
        std::fs::metadata(entry.path())
            .is_ok_and(|metadata| (metadata.dev(), metadata.ino()) == file)
    })
}

/// A file's identity, independent of its name: device and inode.
pub(crate) type FileId = (u64, u64);

pub(crate) fn file_id(path: &Path) -> Option<FileId> {
    let metadata = std::fs::symlink_metadata(path).ok()?;
    Some((metadata.dev(), metadata.ino()))
}

/// Whether the lock file is missing at its path, or is another file than this. Then the home folder
/// was removed or replaced, and new clients will find another hub. False if the path can't be read.
pub(crate) fn is_lost(home: &Home, lock: &File) -> bool {
    let Ok(ours) = lock.metadata() else {
        return false;
    };
    match std::fs::symlink_metadata(home.lock_file()) {
        Ok(metadata) => (metadata.dev(), metadata.ino()) != (ours.dev(), ours.ino()),
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    }
}

/// Whether the process of a hub that was stopped still runs. False if the system can't tell.
pub fn is_still_running(home: &Home, pid: u32) -> bool {
    let lock = file_id(&home.lock_file());
    Path::new("/proc/self/fd").is_dir() && lock.is_some_and(|lock| has_file_open(pid, lock))
}

/// Signals a hub (SIGHUP) to check its socket and `hub.json`, and to restore missing ones.
pub(crate) fn request_restore(pid: u32) {
    signal(pid, Signal::HUP);
}

/// Ends a hub by SIGTERM, for a hub that can't be reached over its socket.
pub fn terminate(pid: u32) {
    signal(pid, Signal::TERM);
}

fn signal(pid: u32, signal: Signal) {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    if let Some(pid) = pid {
        // The process may have ended.
        let _ = kill_process(pid, signal);
    }
}

/// A connection to the hub in the address file. With `use_default_socket`, a missing address is
/// replaced by the default socket path; that hub's version is unknown.
fn connect_other_hub(home: &Home, use_default_socket: bool) -> Option<(UnixStream, Address)> {
    let text = std::fs::read_to_string(home.address_file()).unwrap_or_default();
    let address = match ipc::read_address(&text) {
        Ok(address) => address,
        Err(_) if use_default_socket => Address {
            version: "unknown".to_owned(),
            pid: 0,
            socket: home.socket_file().ok()?.display().to_string(),
            settings: None,
            http: None,
        },
        Err(_) => return None,
    };
    let stream = UnixStream::connect(&address.socket).ok()?;
    is_served_by_own_account(&stream).then_some((stream, address))
}

/// Whether a process of this account listens. Another account may have taken the path.
#[cfg(target_os = "linux")]
fn is_served_by_own_account(stream: &UnixStream) -> bool {
    let peer = rustix::net::sockopt::socket_peercred(stream);
    peer.is_ok_and(|peer| process::is_same_account(peer.uid.as_raw()))
}

/// Whether a process of this account listens: the owner of the socket's file tells.
#[cfg(not(target_os = "linux"))]
fn is_served_by_own_account(stream: &UnixStream) -> bool {
    let address = stream.peer_addr().ok();
    let path = address.as_ref().and_then(|address| address.as_pathname());
    let about = path.and_then(|path| std::fs::symlink_metadata(path).ok());
    about.is_some_and(|about| process::is_same_account(about.uid()))
}

fn request_stop(mut stream: &UnixStream) -> std::io::Result<()> {
    let hello = Request::Hello { version: version() };
    stream.write_all(&ipc::write_request(0, &hello))?;
    stream.write_all(&ipc::write_request(0, &Request::Stop))
}

/// The process in the address file.
fn running_hub_pid(home: &Home) -> Option<u32> {
    let text = std::fs::read_to_string(home.address_file()).ok()?;
    ipc::read_address(&text).ok().map(|address| address.pid)
}
