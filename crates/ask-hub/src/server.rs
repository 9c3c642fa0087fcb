//! The hub's process. A file lock makes it the only one, `hub.json` makes it findable, and it ends
//! by itself after nothing has needed it for the idle time.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs::File;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use anyhow::Context;
use ask_config::clock;
use ask_config::config::{self, Config, ConfigRead, Http};
use ask_config::exit::Exit;
use ask_config::fd_limit;
use ask_config::home::Home;
use ask_config::logging::{self, Throttle};
use ask_config::process;
use ask_protocol::ipc::{self, Address, HttpAddress};
use ask_store::sqlite::{self, Sqlite};
use tokio::net::UnixListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::LocalSet;
use tokio::time::MissedTickBehavior;

use super::hub::{ConnectionId, Hub, HubSettings, SWEEP_MS};
use super::lock::{Place, place_of};
use super::{connection, lock, notify};

/// How often the hub checks that its lock file is still in place.
const LOOK: Duration = Duration::from_secs(3);

/// The most threads for what would hold the hub up: looks into the system's lists and long texts. It
/// takes moments, so that others wait for a thread: by default tokio would start 512.
const BLOCKING_THREADS: usize = 8;

static FAILED: Throttle = Throttle::new();

/// How an attempt to be the hub ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Served {
    /// This process was the hub and has ended.
    Ended,
    /// Another process is the hub, or is about to be.
    Taken,
}

/// The hub's HTTP side. It is implemented in crates above this one.
pub trait HttpSide: Sized + 'static {
    /// Binds the HTTP port; `None` if the settings turn HTTP off or the port can't be bound. The
    /// notes are those of the store.
    fn open(
        home: &Home,
        config: Http,
        notes: &BTreeMap<String, String>,
    ) -> impl Future<Output = Option<Self>>;

    /// The address and its token.
    fn address(&self) -> HttpAddress;

    /// Serves until the hub ends.
    fn serve(self, home: Home, hub: Rc<Hub>) -> impl Future<Output = ()> + 'static;
}

/// Runs the hub until it is ended. Calls `ready` once clients can connect.
///
/// # Errors
/// The lock, the store or the socket can't be had.
pub fn run<H: HttpSide>(home: &Home, ready: impl FnOnce(&Path)) -> anyhow::Result<Served> {
    home.prepare()?;
    let Some(lock) = lock::take(home)? else {
        return Ok(Served::Taken);
    };
    process::disown_children();
    logging::to_file(&home.log_file());
    home.narrow();
    fd_limit::raise();
    let ConfigRead {
        config,
        problems,
        keeps_all,
        ..
    } = Config::read(&home.config_file());
    for problem in &problems {
        tracing::warn!("{problem}");
    }
    if keeps_all {
        tracing::warn!("{}", config::KEEPS_ALL);
    }
    let mut opened = Sqlite::open(&home.store_file(), &home.attachments(), config.take_up)?;
    // Makes the names of the store's files durable, and that of the folder, whichever command
    // created it.
    for folder in [Some(home.state()), home.state().parent()] {
        // A failed sync leaves the new names unprotected against a power loss only.
        let _ = folder.map(ask_config::home::sync_dir);
    }
    if let Some(corrupt) = opened.corrupt.take() {
        watch_for_damage(corrupt, &home.store_file())?;
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .max_blocking_threads(BLOCKING_THREADS)
        .enable_all()
        .build()?;
    let hub = Hub::new(opened, HubSettings::from_config(&config));
    let serving = serve::<H>(home, &config, Rc::clone(&hub), &lock, ready);
    let served = LocalSet::new().block_on(&runtime, serving);
    // The runtime ends the connections. Writes that they queued reach the store before the lock is
    // released.
    drop(runtime);
    if let Some(hub) = Rc::into_inner(hub) {
        hub.store.close();
    }
    served.map(|()| Served::Ended)
}

/// A damaged store can't be repaired while it is in use: the process exits, and the next start
/// checks all of it.
fn watch_for_damage(
    corrupt: std::sync::mpsc::Receiver<String>,
    store: &Path,
) -> anyhow::Result<()> {
    let mark = sqlite::check_request(store);
    std::thread::Builder::new()
        .name("store-damage".into())
        .spawn(move || {
            if let Ok(problem) = corrupt.recv() {
                tracing::error!("the store is damaged: {problem}; starting again");
                // Without the mark the next start checks less, but finds damage when it reads it.
                let _ = std::fs::write(&mark, problem);
                std::process::exit(i32::from(Exit::Failure as u8));
            }
        })?;
    Ok(())
}

async fn serve<H: HttpSide>(
    home: &Home,
    config: &Config,
    hub: Rc<Hub>,
    lock: &File,
    ready: impl FnOnce(&Path),
) -> anyhow::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut hangup = signal(SignalKind::hangup())?;
    let socket = home.socket_file()?;
    let (listener, mut place) = listen(&socket)?;
    let notes = hub.take_notes();
    let side = H::open(home, config.http.clone(), &notes).await;
    let address = Address {
        version: super::version(),
        pid: std::process::id(),
        socket: socket.display().to_string(),
        http: side.as_ref().map(HttpSide::address),
    };
    tell(home, &address)?;
    lock::sign(lock);
    tracing::info!("hub {} listens at {}", address.version, socket.display());
    if let Some(http) = &address.http {
        hub.port.set(Some((http.port, config.http.port)));
        tracing::info!("MCP over HTTP at http://127.0.0.1:{}/mcp", http.port);
    }
    ready(&socket);
    if let Some(side) = side {
        tokio::task::spawn_local(side.serve(home.clone(), Rc::clone(&hub)));
    }
    let running = tokio::task::spawn_local(Rc::clone(&hub).run());
    let last = Rc::new(Cell::new(0));
    let accept =
        |listener| tokio::task::spawn_local(accept(listener, Rc::clone(&hub), Rc::clone(&last)));
    let mut accepting = accept(listener);
    let noticing = notify::run(home.clone(), config.clone(), Rc::clone(&hub), notes);
    let noticing = tokio::task::spawn_local(noticing);
    let timing = tokio::task::spawn_local(keep_time(Rc::clone(&hub), config.idle));
    let mut look = tokio::time::interval(LOOK);
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let why = loop {
        tokio::select! {
            _ = look.tick() => {
                // Timers don't run while the machine sleeps: what became due meanwhile is handled
                // now.
                hub.tick();
                if lock::is_lost(home, lock) {
                    break "its home folder was removed or replaced; those who wait go to the next hub";
                }
            }
            () = hub.end.notified() => break "it was asked to",
            _ = terminate.recv() => break "it was terminated",
            _ = interrupt.recv() => break "it was interrupted",
            _ = hangup.recv() => match found_again(home, &address, place) {
                Ok(None) => {}
                Ok(Some((listener, anew))) => {
                    accepting.abort();
                    place = anew;
                    accepting = accept(listener);
                }
                Err(problem) => tracing::error!("{problem:#}"),
            },
        }
    };
    // Files that the next hub has written by now must stay.
    let told = std::fs::read_to_string(home.address_file()).unwrap_or_default();
    let (told, listened) = (
        told == ipc::write_address(&address),
        place_of(&socket) == Some(place),
    );
    lock::unsign(lock);
    accepting.abort();
    timing.abort();
    noticing.abort();
    if told {
        // A stale address file is replaced by the next hub.
        let _ = std::fs::remove_file(home.address_file());
    }
    if listened {
        // A stale socket is replaced by the next hub.
        let _ = std::fs::remove_file(&socket);
    }
    // Lets connections write the responses that are on their way.
    hub.flush().await;
    running.abort();
    tracing::info!("hub ends because {why}");
    Ok(())
}

/// Writes the address file.
fn tell(home: &Home, address: &Address) -> anyhow::Result<()> {
    ask_config::home::replace(&home.address_file(), &ipc::write_address(address))
        .with_context(|| format!("writing {}", home.address_file().display()))
}

/// Restores the socket and the address file after somebody removed them: clients couldn't find this
/// hub any more, and the lock keeps another from starting. Existing connections are not affected.
fn found_again(
    home: &Home,
    address: &Address,
    place: Place,
) -> anyhow::Result<Option<(UnixListener, Place)>> {
    let socket = Path::new(&address.socket);
    let listening = match place_of(socket) == Some(place) {
        true => None,
        false => {
            tracing::warn!("{} was removed: listening again", socket.display());
            Some(listen(socket)?)
        }
    };
    let told = std::fs::read_to_string(home.address_file()).unwrap_or_default();
    if told != ipc::write_address(address) {
        let file = home.address_file();
        tracing::warn!("{} was lost: writing it again", file.display());
        tell(home, address)?;
    }
    Ok(listening)
}

/// Binds the socket. A socket file that a crash left may be replaced, because this process holds
/// the lock.
fn listen(socket: &Path) -> anyhow::Result<(UnixListener, Place)> {
    match std::fs::remove_file(socket) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(error).with_context(|| format!("removing the old {}", socket.display()));
        }
        Ok(()) | Err(_) => {}
    }
    let listener =
        UnixListener::bind(socket).with_context(|| format!("listening at {}", socket.display()))?;
    std::fs::set_permissions(socket, std::fs::Permissions::from_mode(0o600))?;
    let place = place_of(socket).with_context(|| format!("{} is gone", socket.display()))?;
    Ok((listener, place))
}

/// `last` is the number of the last connection on this or an earlier socket: no two clients ever
/// share a number.
async fn accept(listener: UnixListener, hub: Rc<Hub>, last: Rc<Cell<u64>>) {
    let own = rustix::process::getuid().as_raw();
    loop {
        match listener.accept().await {
            Ok((stream, _)) if stream.peer_cred().is_ok_and(|peer| peer.uid() == own) => {
                last.set(last.get() + 1);
                let serving = connection::serve(Rc::clone(&hub), ConnectionId(last.get()), stream);
                tokio::task::spawn_local(serving);
            }
            Ok(_) => tracing::warn!("a connection of another user was refused"),
            Err(error) => {
                if let Some(left_out) = FAILED.pass() {
                    tracing::error!(left_out, "a connection failed: {error}");
                }
                // Most likely the process is out of file descriptors, until a connection closes.
                let pause = tokio::time::Instant::now() + Duration::from_millis(100);
                tokio::time::sleep_until(pause).await;
            }
        }
    }
}

/// The longest single wait, and the longest towards a deadline. Timers don't run while a machine
/// sleeps, so a wait for a deadline is split.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);
const LONGEST_KNOWN: Duration = Duration::from_secs(60);

/// How long to wait, until the next deadline or another moment.
fn pause(known_ms: Option<u64>, other_ms: Option<u64>) -> Option<Duration> {
    let longest = match known_ms {
        Some(_) => LONGEST_KNOWN,
        None => LONGEST,
    };
    let next = [known_ms, other_ms].into_iter().flatten().min()?;
    Some(Duration::from_millis(next).min(longest))
}

/// The one timer: for the next deadline, for sweeps, and for the end of an idle hub.
pub(super) async fn keep_time(hub: Rc<Hub>, idle: Option<Duration>) {
    let mut next_files = clock::now();
    loop {
        hub.tick();
        if next_files <= clock::now() {
            next_files = clock::now().plus_ms(SWEEP_MS);
            let hub = Rc::clone(&hub);
            tokio::task::spawn_local(async move { hub.sweep_files().await });
        }
        if hub.next_sweep.get() <= clock::now() {
            // The sweep sets its next time before its first await, so that it isn't started twice.
            let hub = Rc::clone(&hub);
            tokio::task::spawn_local(async move { hub.sweep().await });
            tokio::task::yield_now().await;
        }
        let now = clock::now();
        let until_sweep = Some(hub.next_sweep.get().since_ms(now));
        let until_idle = match (idle, hub.idle_since()) {
            (Some(idle), Some(since)) => {
                let idle_ms = u64::try_from(idle.as_millis()).unwrap_or(u64::MAX);
                let end = since.plus_ms(idle_ms);
                if end <= now {
                    hub.end.notify_one();
                    return;
                }
                Some(end.since_ms(now))
            }
            _ => None,
        };
        let other = [until_idle, until_sweep].into_iter().flatten().min();
        match pause(hub.next_in_ms(), other) {
            None => hub.timer.notified().await,
            Some(pause) => {
                // After a timeout as after a wake-up, the loop looks again.
                let _ = tokio::time::timeout(pause, hub.timer.notified()).await;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_is_looked_at_each_minute_in_case_the_machine_slept() {
        const HOUR_MS: u64 = 60 * 60 * 1_000;
        let minute = Some(Duration::from_secs(60));
        assert_eq!(pause(Some(8 * HOUR_MS), Some(HOUR_MS)), minute);
        assert_eq!(
            pause(Some(5), Some(HOUR_MS)),
            Some(Duration::from_millis(5))
        );
        assert_eq!(
            pause(None, Some(HOUR_MS)),
            Some(Duration::from_secs(60 * 60))
        );
        assert_eq!(pause(None, None), None);
    }
}
