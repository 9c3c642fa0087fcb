//! What wakes the hub while nobody sends anything: times, which also pass while the machine sleeps,
//! and the end of its home folder. The system reports both where it can, so nothing is polled.

use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::net::unix::pipe::Receiver;

/// A timer that counts the time in which the machine sleeps.
pub(super) struct SleepTimer(Option<Receiver>);

impl SleepTimer {
    /// A timer. Where the system has none, it doesn't count while the machine sleeps.
    pub(super) fn new() -> Self {
        Self(platform::timer().and_then(receiver).ok())
    }

    /// Waits for this time to pass.
    pub(super) async fn sleep(&self, time: Duration) {
        if let Some(timer) = &self.0
            && platform::start(timer, time).is_ok()
            && read(timer).await.is_ok()
        {
            return;
        }
        tokio::time::sleep_until(tokio::time::Instant::now() + time).await;
    }
}

/// Reports that the lock file, its folder or a file of the store may have been removed or renamed.
pub(super) struct HomeWatch(Option<Receiver>);

impl HomeWatch {
    /// Watches a lock file, its folder and the files of the store.
    pub(super) fn new(lock_file: &Path, store: &[PathBuf]) -> Self {
        Self(platform::watch(lock_file, store).and_then(receiver).ok())
    }

    /// How often the files must be looked at nevertheless: a folder above may be renamed.
    pub(super) fn period(&self) -> Duration {
        Duration::from_secs(if self.0.is_some() { 30 } else { 3 })
    }

    /// Waits for the next report.
    pub(super) async fn changed(&self) {
        if let Some(watch) = &self.0
            && read(watch).await.is_ok()
        {
            return;
        }
        std::future::pending().await
    }
}

/// A file that becomes readable like a pipe. tokio's own type for it is unsafe to create.
fn receiver(file: OwnedFd) -> io::Result<Receiver> {
    Receiver::from_file_unchecked(file.into())
}

/// Reads what is there, as soon as there is something.
async fn read(from: &Receiver) -> io::Result<()> {
    loop {
        from.readable().await?;
        match from.try_read(&mut [0; 4096]) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            read => return read.map(drop),
        }
    }
}

#[cfg(target_os = "linux")]
mod platform {
    use std::io;
    use std::os::fd::{AsFd, OwnedFd};
    use std::path::{Path, PathBuf};
    use std::time::Duration;

    use rustix::fs::inotify;
    use rustix::time::{
        Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create,
        timerfd_settime,
    };

    pub(super) fn timer() -> io::Result<OwnedFd> {
        let flags = TimerfdFlags::CLOEXEC | TimerfdFlags::NONBLOCK;
        Ok(timerfd_create(TimerfdClockId::Boottime, flags)?)
    }

    /// Starts the timer anew.
    pub(super) fn start(timer: &impl AsFd, time: Duration) -> io::Result<()> {
        // A value of zero would stop it.
        let time = time.max(Duration::from_nanos(1));
        let out_of_range = |_| io::Error::from(io::ErrorKind::InvalidInput);
        let once = Itimerspec {
            it_interval: Timespec::default(),
            it_value: Timespec::try_from(time).map_err(out_of_range)?,
        };
        timerfd_settime(timer, TimerfdTimerFlags::empty(), &once)?;
        Ok(())
    }

    pub(super) fn watch(lock_file: &Path, store: &[PathBuf]) -> io::Result<OwnedFd> {
        let flags = inotify::CreateFlags::CLOEXEC | inotify::CreateFlags::NONBLOCK;
        let watch = inotify::init(flags)?;
        let gone = inotify::WatchFlags::DELETE_SELF | inotify::WatchFlags::MOVE_SELF;
        // While a file is open, its removal only changes its number of links.
        let file_gone = gone | inotify::WatchFlags::ATTRIB;
        inotify::add_watch(&watch, lock_file, file_gone)?;
        for file in store {
            // Without it, the loss of this file is noticed at the next look.
            let _ = inotify::add_watch(&watch, file, file_gone);
        }
        if let Some(folder) = lock_file.parent() {
            inotify::add_watch(&watch, folder, gone)?;
        }
        Ok(watch)
    }
}

#[cfg(not(target_os = "linux"))]
mod platform {
    use std::io;
    use std::os::fd::{AsFd, OwnedFd};
    use std::path::{Path, PathBuf};
    use std::time::Duration;

    pub(super) fn timer() -> io::Result<OwnedFd> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn start(_: &impl AsFd, _: Duration) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn watch(_: &Path, _: &[PathBuf]) -> io::Result<OwnedFd> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_timer_starts_anew() {
        let timer = SleepTimer::new();
        // A time that is no longer waited for doesn't end the next wait.
        let far = timer.sleep(Duration::from_secs(3_600));
        assert!(
            tokio::time::timeout(Duration::from_millis(1), far)
                .await
                .is_err()
        );
        timer.sleep(Duration::ZERO).await;
        timer.sleep(Duration::from_millis(1)).await;
        let far = timer.sleep(Duration::from_secs(3_600));
        assert!(
            tokio::time::timeout(Duration::from_millis(20), far)
                .await
                .is_err()
        );
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn a_removed_or_renamed_home_is_reported() {
        for is_renamed in [false, true] {
            let root = std::env::temp_dir().join(format!(
                "ask-user-watch-{}-{is_renamed}",
                std::process::id()
            ));
            // Only a run that was killed leaves a folder behind.
            let _ = std::fs::remove_dir_all(&root);
            let home = root.join("home");
            std::fs::create_dir_all(&home).expect("a folder");
            let file = std::fs::File::create(home.join("hub.lock")).expect("a file");
            let watch = HomeWatch::new(&home.join("hub.lock"), &[]);
            match is_renamed {
                true => std::fs::rename(&home, root.join("elsewhere")).expect("renamed"),
                false => std::fs::remove_file(home.join("hub.lock")).expect("removed"),
            }
            tokio::time::timeout(Duration::from_secs(60), watch.changed())
                .await
                .expect("it is reported");
            drop(file);
            std::fs::remove_dir_all(&root).expect("a folder");
        }
    }
}
