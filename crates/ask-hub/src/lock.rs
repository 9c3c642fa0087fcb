//! The lock that makes a process the hub, and its takeover from an older version. The lock file
//! holds the owner's process id, so that the hub can be found when its address file is missing.

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
use ask_protocol::ipc::{self, Address, Request};
use rustix::process::{Pid, Signal, kill_process};

use super::{is_newer, version};

/// How often another hub is looked for while waiting for the lock.
const LOOKS: u32 = 2_500;
const BETWEEN_LOOKS: Duration = Duration::from_millis(2);

/// A hub that can't be reached is signalled once in this many looks. It may only have been busy.
const LOOKS_A_CALL: u32 = 250;

/// Takes the lock that makes this process the hub. `None` if another hub runs that is not older.
/// Waits for one that is starting or ending.
///
/// # Errors
/// The file can't be locked, or the process that holds it answers nothing.
pub fn take(home: &Home) -> anyhow::Result<Option<File>> {
    let path = home.lock_file();
    let lock = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .mode(0o600)
        .open(&path)
        .with_context(|| format!("opening {}", path.display()))?;
    if lock.try_lock().is_ok() {
        // An old process id does no harm: `holder` verifies it.
        let _ = lock.set_len(0);
        return Ok(Some(lock));
    }
    // Clients of an older hub reconnect at once and would start a hub of their own version. So the
    // replacing hub has to queue for the lock before the older one releases it.
    let (got, taken) = channel();
    std::thread::Builder::new()
        .name("lock".into())
        .spawn(move || {
            let locked = lock.lock();
            got.send(locked.map(|()| lock))
        })?;
    let mut stopped = None;
    for look in 0..LOOKS {
        match taken.recv_timeout(BETWEEN_LOOKS) {
            Ok(Ok(lock)) => {
                // An old process id does no harm: `holder` verifies it.
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
        match other_hub(home, look > LOOKS / 5) {
            Some((_, there)) if !is_newer(&version(), &there.version) => return Ok(None),
            Some((stream, there)) if stopped != Some(there.pid) => {
                stopped = stop(&stream).is_ok().then_some(there.pid);
            }
            None if look % LOOKS_A_CALL == 0 => {
                if let Some(pid) = holder(home) {
                    call(pid);
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
        match holder(home).or_else(|| running_hub_pid(home)) {
            Some(pid) => format!("end process {pid}, an `ask-user hub`, then try again"),
            None => "end that process (an `ask-user hub`), then try again".to_owned(),
        },
    )
    .into())
}

/// Writes this process's id into the lock. Call it once the process handles [`call`].
pub fn sign(lock: &File) {
    let name = format!("{}\n", std::process::id());
    // Without the id, everything works except the recovery of removed files.
    let _ = lock.write_all_at(name.as_bytes(), 0);
}

/// Removes the process id: a hub that is ending must not be signalled.
pub(crate) fn unsign(lock: &File) {
    // An old process id does no harm: `holder` verifies it.
    let _ = lock.set_len(0);
}

/// The process that holds the lock, whether or not it can be reached. The id in the file counts
/// only if that process has the file open. Otherwise a hub left it behind, and the id may belong to
/// another program by now.
pub fn holder(home: &Home) -> Option<u32> {
    let path = home.lock_file();
    let lock = File::open(&path).ok()?;
    match lock.try_lock_shared() {
        Err(TryLockError::WouldBlock) => {}
        // A hub that was killed leaves its process id behind.
        Ok(()) | Err(TryLockError::Error(_)) => return None,
    }
    let pid = std::fs::read_to_string(&path).ok()?.trim().parse().ok()?;
    has_open(pid, place_of(&path)?).then_some(pid)
}

/// Whether a process has a file open. On systems without `/proc`, true.
fn has_open(pid: u32, file: Place) -> bool {
    if !Path::new("/proc/self/fd").is_dir() {
        return true;
    }
    let open = std::fs::read_dir(format!("/proc/{pid}/fd"));
    let mut open = open.into_iter().flatten().flatten();
    open.any(|entry| {
        std::fs::metadata(entry.path()).is_ok_and(|about| (about.dev(), about.ino()) == file)
    })
}

/// A file's identity, independent of its name: device and inode.
pub(crate) type Place = (u64, u64);

pub(crate) fn place_of(path: &Path) -> Option<Place> {
    let about = std::fs::symlink_metadata(path).ok()?;
    Some((about.dev(), about.ino()))
}

/// Whether the lock file at its path is missing or another one than this. Then the home folder was
/// removed or replaced, and new clients will find another hub. False if the path can't be
/// inspected.
pub(crate) fn is_lost(home: &Home, lock: &File) -> bool {
    let Ok(ours) = lock.metadata() else {
        return false;
    };
    match std::fs::symlink_metadata(home.lock_file()) {
        Ok(about) => (about.dev(), about.ino()) != (ours.dev(), ours.ino()),
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    }
}

/// Whether a former hub's process still runs, where the system tells.
pub fn is_ending(home: &Home, pid: u32) -> bool {
    let lock = place_of(&home.lock_file());
    Path::new("/proc/self/fd").is_dir() && lock.is_some_and(|lock| has_open(pid, lock))
}

/// Signals a hub (SIGHUP) to check its socket and `hub.json`, and to restore missing ones.
pub fn call(pid: u32) {
    signal(pid, Signal::HUP);
}

/// Ends a hub by SIGTERM if it can't be asked over its socket.
pub fn end(pid: u32) {
    signal(pid, Signal::TERM);
}

fn signal(pid: u32, signal: Signal) {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    if let Some(pid) = pid {
        // The process may have ended.
        let _ = kill_process(pid, signal);
    }
}

/// A connection to the hub in the address file. With `lost`, a missing address is replaced by the
/// default socket path; that hub's version is unknown.
fn other_hub(home: &Home, lost: bool) -> Option<(UnixStream, Address)> {
    let left = std::fs::read_to_string(home.address_file()).unwrap_or_default();
    let address = match ipc::read_address(&left) {
        Ok(address) => address,
        Err(_) if lost => Address {
            version: "unknown".to_owned(),
            pid: 0,
            socket: home.socket_file().ok()?.display().to_string(),
            http: None,
        },
        Err(_) => return None,
    };
    let stream = UnixStream::connect(&address.socket).ok()?;
    Some((stream, address))
}

fn stop(mut stream: &UnixStream) -> std::io::Result<()> {
    let hello = Request::Hello { version: version() };
    stream.write_all(&ipc::write_request(0, &hello))?;
    stream.write_all(&ipc::write_request(0, &Request::Stop))
}

/// The process in the address file.
fn running_hub_pid(home: &Home) -> Option<u32> {
    let left = std::fs::read_to_string(home.address_file()).ok()?;
    ipc::read_address(&left).ok().map(|address| address.pid)
}
