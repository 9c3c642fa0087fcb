//! Being the one hub: the lock, and the manners of taking it over from an older
//! version. Who has it writes its process into it, for when nothing else says where it is.

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

/// How often somebody else's hub is looked for while the lock is waited for.
const LOOKS: u32 = 2_500;
const BETWEEN_LOOKS: Duration = Duration::from_millis(2);

/// A hub that can't be reached is told so as often as this; it may have been busy.
const LOOKS_A_CALL: u32 = 250;

/// Takes the lock that makes this process the hub. `None` where another is one already
/// and not older; one that is just beginning or ending is waited for.
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
        let _ = lock.set_len(0);
        return Ok(Some(lock));
    }
    // Those who wait for an older hub come back at once and would begin one of their own version:
    // whoever replaces it stands at the lock already when it is let go.
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
        match other(home, look > LOOKS / 5) {
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
        match holder(home).or_else(|| there(home)) {
            Some(pid) => format!("end process {pid}, an `ask-user hub`, then try again"),
            None => "end that process (an `ask-user hub`), then try again".to_owned(),
        },
    )
    .into())
}

/// Says in the lock who has it, once that process knows what to do with a [`call`].
pub fn sign(lock: &File) {
    let name = format!("{}\n", std::process::id());
    // Without it, everything works but the mending of what somebody removed.
    let _ = lock.write_all_at(name.as_bytes(), 0);
}

/// Takes the name away again: a hub that ends is not to be called.
pub(crate) fn unsign(lock: &File) {
    let _ = lock.set_len(0);
}

/// The hub that holds the lock, by its own word; whether or not it can be reached. A process that
/// doesn't have the lock's file open is none: the number was left by a hub that is gone, and is
/// somebody else's now.
pub fn holder(home: &Home) -> Option<u32> {
    let path = home.lock_file();
    let lock = File::open(&path).ok()?;
    match lock.try_lock_shared() {
        Err(TryLockError::WouldBlock) => {}
        // A hub that was killed can't take its name away.
        Ok(()) | Err(TryLockError::Error(_)) => return None,
    }
    let pid = std::fs::read_to_string(&path).ok()?.trim().parse().ok()?;
    has_open(pid, place_of(&path)?).then_some(pid)
}

/// Whether a process has a file open. Where the system doesn't say, its word counts.
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

/// Which file it is, whatever its name: device and number.
pub(crate) type Place = (u64, u64);

pub(crate) fn place_of(path: &Path) -> Option<Place> {
    let about = std::fs::symlink_metadata(path).ok()?;
    Some((about.dev(), about.ino()))
}

/// Whether the lock at its path is another one than this, or none: then the home folder was
/// removed or replaced, and whoever comes next finds another hub. When the place can't be looked
/// at, nothing is known.
pub(crate) fn is_lost(home: &Home, lock: &File) -> bool {
    let Ok(ours) = lock.metadata() else {
        return false;
    };
    match std::fs::symlink_metadata(home.lock_file()) {
        Ok(about) => (about.dev(), about.ino()) != (ours.dev(), ours.ino()),
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    }
}

/// Whether a process that was the hub has not ended yet, where the system tells.
pub fn is_ending(home: &Home, pid: u32) -> bool {
    let lock = place_of(&home.lock_file());
    Path::new("/proc/self/fd").is_dir() && lock.is_some_and(|lock| has_open(pid, lock))
}

/// Has a hub look whether its socket and `hub.json` are still there, and make them anew if not.
pub fn call(pid: u32) {
    signal(pid, Signal::HUP);
}

/// Ends a hub that can't be asked to.
pub fn end(pid: u32) {
    signal(pid, Signal::TERM);
}

fn signal(pid: u32, signal: Signal) {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    if let Some(pid) = pid {
        // It may be gone by now.
        let _ = kill_process(pid, signal);
    }
}

/// A connection to the hub that left its address, if it takes connections. Who doesn't leave
/// one for long has lost it, and is looked for where it would be; of what version, nobody knows.
fn other(home: &Home, lost: bool) -> Option<(UnixStream, Address)> {
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

/// The process that left its address.
fn there(home: &Home) -> Option<u32> {
    let left = std::fs::read_to_string(home.address_file()).ok()?;
    ipc::read_address(&left).ok().map(|address| address.pid)
}
