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
use ask_config::home::Home;
use ask_config::limits;
use ask_config::logging::{self, Throttle};
use ask_config::process;
use ask_protocol::ipc::{self, Address, HttpAddress};
use ask_store::sqlite::{self, Sqlite};
use tokio::net::UnixListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::LocalSet;
use tokio::time::MissedTickBehavior;

use super::hub::{ConnectionId, Hub, HubSettings, SWEEP_MS};
use super::lock::{FileId, file_id};
use super::wake::{HomeWatch, SleepTimer};
use super::{connection, lock, notify};

/// The most threads for blocking work, such as reading the system's lists of processes and
/// connections. Each piece takes moments, so further ones can wait for a thread. The default of
/// tokio is 512 threads.
const BLOCKING_THREADS: usize = 8;

static ACCEPT_FAILED: Throttle = Throttle::new();

/// Why [`run`] has returned.
#[derive(Debug, PartialEq, Eq)]
pub enum RunResult {
    /// This process was the hub and has ended.
    Ended,
    /// Another process is the hub, or will be soon.
    AlreadyRunning,
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

    /// Serves HTTP until the hub ends.
    fn serve(self, home: Home, hub: Rc<Hub>) -> impl Future<Output = ()> + 'static;
}

/// The store's note of the steady clock.
const STEADY_NOTE: &str = "steady";

/// Runs the hub until it ends. Calls `ready` once clients can connect.
///
/// # Errors
/// The lock can't be acquired, the store can't be opened, or the socket can't be bound.
pub fn run<H: HttpSide>(home: &Home, ready: impl FnOnce(&Path)) -> anyhow::Result<RunResult> {
    home.prepare()?;
    let Some(lock) = lock::acquire(home)? else {
        return Ok(RunResult::AlreadyRunning);
    };
    process::disown_children();
    logging::to_file(&home.log_file());
    home.narrow();
    limits::raise();
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
    // Makes the names of the store's files durable, and the name of their folder, which another
    // command may have created.
    for folder in [Some(home.state()), home.state().parent()] {
        // After a failed sync, only a power loss could lose the new names.
        let _ = folder.map(ask_config::home::sync_dir);
    }
    if let Some(corrupt) = opened.corrupt.take() {
        watch_for_damage(corrupt, &home.store_file())?;
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .max_blocking_threads(BLOCKING_THREADS)
        .enable_all()
        .build()?;
    let noted = opened.working_set.notes.get(STEADY_NOTE).cloned();
    let steady = home.continue_clock(noted.as_deref());
    let hub = Hub::new(opened, HubSettings::from_config(&config));
    if noted.as_ref() != Some(&steady) {
        let note = (STEADY_NOTE.to_owned(), Some(steady));
        hub.store.note(vec![note], Box::new(drop));
    }
    let serving = serve::<H>(home, &config, Rc::clone(&hub), &lock, ready);
    let result = LocalSet::new().block_on(&runtime, serving);
    // The runtime ends the connections. Writes that they queued reach the store before the lock is
    // released.
    drop(runtime);
    if let Some(hub) = Rc::into_inner(hub) {
        hub.store.close();
    }
    result.map(|()| RunResult::Ended)
}

/// Ends the process when the store turns out to be damaged. A store in use can't be repaired; the
/// next start checks the whole store.
fn watch_for_damage(
    corrupt: std::sync::mpsc::Receiver<String>,
    store: &Path,
) -> anyhow::Result<()> {
    let check_request = sqlite::check_request(store);
    std::thread::Builder::new()
        .name("store-damage".into())
        .spawn(move || {
            if let Ok(problem) = corrupt.recv() {
                tracing::error!("the store is damaged: {problem}; the hub ends, and its next start checks and repairs the store");
                // Without this file the next start checks less, but finds damage when it reads it.
                let _ = std::fs::write(&check_request, problem);
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
    let (listener, mut socket_id) = listen(&socket)?;
    let notes = hub.take_notes();
    let http_side = H::open(home, config.http.clone(), &notes).await;
    let address = Address {
        version: super::version(),
        pid: std::process::id(),
        socket: socket.display().to_string(),
        settings: Some(home.config_file().display().to_string()),
        http: http_side.as_ref().map(HttpSide::address),
    };
    write_address_file(home, &address)?;
    lock::write_pid(lock);
    tracing::info!("hub {} listens at {}", address.version, socket.display());
    if let Some(http) = &address.http {
        hub.port.set(Some((http.port, config.http.port)));
        tracing::info!("MCP over HTTP at http://127.0.0.1:{}/mcp", http.port);
    }
    ready(&socket);
    if let Some(http_side) = http_side {
        tokio::task::spawn_local(http_side.serve(home.clone(), Rc::clone(&hub)));
    }
    let running = tokio::task::spawn_local(Rc::clone(&hub).run());
    let last_id = Rc::new(Cell::new(0));
    let accept =
        |listener| tokio::task::spawn_local(accept(listener, Rc::clone(&hub), Rc::clone(&last_id)));
    let mut accepting = accept(listener);
    let notifying = notify::run(home.clone(), config.clone(), Rc::clone(&hub), notes);
    let notifying = tokio::task::spawn_local(notifying);
    let timing = tokio::task::spawn_local(run_timer(Rc::clone(&hub), config.idle));
    let watch = HomeWatch::new(&home.lock_file(), &hub.store.open_files());
    let mut lock_check = tokio::time::interval(watch.period());
    lock_check.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let loss = || {
        if lock::is_lost(home, lock) {
            return Some(
                "its home folder was removed or replaced; waiting clients reconnect to the next hub",
            );
        }
        hub.store.has_lost_files().then_some(
            "a file of its store was removed or replaced; waiting clients reconnect to the next hub",
        )
    };
    let why = loop {
        tokio::select! {
            _ = lock_check.tick() => {
                // Where timers don't run while the machine sleeps, deadlines that passed meanwhile
                // are handled now.
                hub.tick();
                if let Some(lost) = loss() {
                    break lost;
                }
            }
            () = watch.changed() => if let Some(lost) = loss() {
                break lost;
            },
            () = hub.end.notified() => break "it was asked to",
            _ = terminate.recv() => break "it was terminated",
            _ = interrupt.recv() => break "it was interrupted",
            _ = hangup.recv() => match restore_files(home, &address, socket_id) {
                Ok(None) => {}
                Ok(Some((listener, new_file))) => {
                    accepting.abort();
                    socket_id = new_file;
                    accepting = accept(listener);
                }
                Err(problem) => tracing::error!("{problem:#}"),
            },
        }
    };
    // The next hub may have written its own files by now, and those must stay.
    let written = std::fs::read_to_string(home.address_file()).unwrap_or_default();
    let is_address_ours = written == ipc::write_address(&address);
    let is_socket_ours = file_id(&socket) == Some(socket_id);
    lock::clear_pid(lock);
    accepting.abort();
    timing.abort();
    notifying.abort();
    if is_address_ours {
        // A stale address file is replaced by the next hub.
        let _ = std::fs::remove_file(home.address_file());
    }
    if is_socket_ours {
        // A stale socket is replaced by the next hub.
        let _ = std::fs::remove_file(&socket);
    }
    // Lets connections write their last responses.
    hub.flush().await;
    running.abort();
    tracing::info!("hub ends because {why}");
    Ok(())
}

/// Writes the address file.
fn write_address_file(home: &Home, address: &Address) -> anyhow::Result<()> {
    ask_config::home::replace(&home.address_file(), &ipc::write_address(address))
        .with_context(|| format!("writing {}", home.address_file().display()))
}

/// Restores the socket and the address file after somebody removed them. Without them, clients
/// can't find this hub, and its lock keeps another hub from starting. Existing connections are not
/// affected.
fn restore_files(
    home: &Home,
    address: &Address,
    socket_id: FileId,
) -> anyhow::Result<Option<(UnixListener, FileId)>> {
    let socket = Path::new(&address.socket);
    let listening = if file_id(socket) == Some(socket_id) {
        None
    } else {
        tracing::warn!("{} was removed: listening again", socket.display());
        Some(listen(socket)?)
    };
    let written = std::fs::read_to_string(home.address_file()).unwrap_or_default();
    if written != ipc::write_address(address) {
        let file = home.address_file();
        tracing::warn!(
            "{} was removed or changed: writing it again",
            file.display()
        );
        write_address_file(home, address)?;
    }
    Ok(listening)
}

/// Binds the socket. A socket file that a crash left may be replaced, because this process holds
/// the lock.
fn listen(socket: &Path) -> anyhow::Result<(UnixListener, FileId)> {
    match std::fs::remove_file(socket) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(error).with_context(|| format!("removing the old {}", socket.display()));
        }
        Ok(()) | Err(_) => {}
    }
    let listener =
        UnixListener::bind(socket).with_context(|| format!("listening at {}", socket.display()))?;
    std::fs::set_permissions(socket, std::fs::Permissions::from_mode(0o600))?;
    let socket_id = file_id(socket).with_context(|| format!("{} is gone", socket.display()))?;
    Ok((listener, socket_id))
}

/// Accepts connections. `last_id` is the number of the last connection on this or an earlier
/// socket, because no two clients may have the same number.
async fn accept(listener: UnixListener, hub: Rc<Hub>, last_id: Rc<Cell<u64>>) {
    let own_uid = rustix::process::getuid().as_raw();
    loop {
        match listener.accept().await {
            Ok((stream, _)) if stream.peer_cred().is_ok_and(|peer| peer.uid() == own_uid) => {
                last_id.set(last_id.get() + 1);
                let serving =
                    connection::serve(Rc::clone(&hub), ConnectionId(last_id.get()), stream);
                tokio::task::spawn_local(serving);
            }
            Ok(_) => tracing::warn!("refused a connection of another user"),
            Err(error) => {
                if let Some(left_out) = ACCEPT_FAILED.pass() {
                    tracing::error!(left_out, "a connection could not be accepted: {error}");
                }
                // Most likely the process has no free file descriptor until a connection closes.
                let pause = tokio::time::Instant::now() + Duration::from_millis(100);
                tokio::time::sleep_until(pause).await;
            }
        }
    }
}

/// The longest single wait, and the longest wait for a deadline. Some timers don't run while a
/// machine sleeps, so a long wait for a deadline is split.
const LONGEST_WAIT: Duration = Duration::from_secs(24 * 60 * 60);
const LONGEST_DEADLINE_WAIT: Duration = Duration::from_secs(60);

/// How long to wait for the next deadline or for another moment.
fn pause(deadline_ms: Option<u64>, other_ms: Option<u64>) -> Option<Duration> {
    let longest = match deadline_ms {
        Some(_) => LONGEST_DEADLINE_WAIT,
        None => LONGEST_WAIT,
    };
    let next = [deadline_ms, other_ms].into_iter().flatten().min()?;
    Some(Duration::from_millis(next).min(longest))
}

/// Runs the hub's only timer: for the next deadline, for sweeps, and for the end of an idle hub.
pub(super) async fn run_timer(hub: Rc<Hub>, idle: Option<Duration>) {
    let mut next_files = clock::now();
    let timer = SleepTimer::new();
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
            None => hub.wake_timer.notified().await,
            Some(pause) => {
                // The loop checks again in either case.
                tokio::select! {
                    () = timer.sleep(pause) => {}
                    () = hub.wake_timer.notified() => {}
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deadlines_are_checked_every_minute_in_case_the_machine_slept() {
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
