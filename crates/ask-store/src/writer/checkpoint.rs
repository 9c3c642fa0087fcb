//! Checkpoints: pages of the write-ahead log are copied back into the database file. A thread of
//! its own does that, because a checkpoint syncs the disk twice and would delay the ask whose
//! commit made the log long. The thread starts when the log is long for the first time; most hubs
//! never need it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::Connection;

/// The log is long, and a checkpoint starts, from this many pages on.
const LONG: u32 = 1_000;

/// From this many pages on the checkpoint thread doesn't keep up, so the writer runs checkpoints as
/// well. SQLite reuses the log from its start only once all pages are in the file.
const TOO_LONG: u32 = 16 * LONG;

/// The most pages that a checkpoint on the writer's thread may copy while jobs may arrive. It takes
/// no longer than a commit.
const FEW: u32 = 16;

/// Tracks the length of the log and runs checkpoints.
pub(super) struct Checkpoints {
    file: PathBuf,
    /// The length of the log after the last commit.
    pages: Arc<AtomicU32>,
    /// The length of the log when the thread last started a checkpoint.
    pages_at_start: u32,
    thread: Option<CheckpointThread>,
    is_running: bool,
}

struct CheckpointThread {
    start: Sender<()>,
    done: Receiver<()>,
    handle: JoinHandle<()>,
}

impl Checkpoints {
    /// Takes over the checkpoints of this connection: SQLite no longer runs them after commits.
    pub(super) fn with_connection(db: &mut Connection, file: &Path) -> rusqlite::Result<Self> {
        db.pragma_update(None, "wal_autocheckpoint", 0)?;
        let pages = Arc::new(AtomicU32::new(0));
        let counted = Arc::clone(&pages);
        db.wal_hook(Some(move |_: &mut _, pages: i32| {
            counted.store(pages.unsigned_abs(), Ordering::Relaxed);
            Ok(())
        }))?;
        Ok(Self {
            file: file.to_owned(),
            pages,
            pages_at_start: 0,
            thread: None,
            is_running: false,
        })
    }

    /// The length of the log in pages, as of the last commit.
    fn pages(&self) -> u32 {
        self.pages.load(Ordering::Relaxed)
    }

    /// Starts a checkpoint if the log has become long.
    pub(super) fn after_commit(&mut self, db: &Connection) {
        let pages = self.pages();
        if pages < LONG {
            return;
        }
        if pages >= TOO_LONG {
            // If a reader prevents it, the next commit tries again.
            let _ = checkpoint(db, "PASSIVE");
        }
        if !self.is_running() {
            self.start();
        }
    }

    /// Starts a checkpoint on the thread if many pages are not in the file yet. Returns whether one
    /// is running.
    pub(super) fn start_if_long(&mut self) -> bool {
        let pages = self.pages();
        // A log that is shorter than at the last checkpoint has started over.
        let is_copied = pages >= self.pages_at_start && pages - self.pages_at_start <= FEW;
        if pages <= FEW || is_copied {
            return false;
        }
        self.start();
        self.is_running
    }

    /// Whether the thread is running a checkpoint.
    pub(super) fn is_running(&mut self) -> bool {
        if let Some(thread) = &self.thread
            && self.is_running
        {
            self.is_running = thread.done.try_recv().is_err();
        }
        self.is_running
    }

    /// Copies the whole log into the file and empties it. Returns false if a reader, or a
    /// checkpoint that runs for longer than `patience`, prevented that.
    pub(super) fn truncate(&mut self, db: &Connection, patience: Duration) -> bool {
        if let Some(thread) = &self.thread
            && self.is_running
        {
            self.is_running = thread.done.recv_timeout(patience).is_err();
        }
        !self.is_running && checkpoint(db, "TRUNCATE").unwrap_or(false)
    }

    fn start(&mut self) {
        self.pages_at_start = self.pages();
        if self.thread.is_none() {
            self.thread = CheckpointThread::spawn(&self.file);
        }
        if let Some(thread) = &self.thread {
            self.is_running = thread.start.send(()).is_ok();
        }
    }
}

impl Drop for Checkpoints {
    fn drop(&mut self) {
        if let Some(CheckpointThread { start, handle, .. }) = self.thread.take() {
            drop(start);
            // A panic of the thread was reported when it happened.
            let _ = handle.join();
        }
    }
}

impl CheckpointThread {
    /// `None` if there can't be a connection or a thread. Then the writer runs the checkpoint once
    /// the log is too long.
    fn spawn(file: &Path) -> Option<Self> {
        let db = crate::sqlite::connect_to_existing(file).ok()?;
        let (start, started) = mpsc::channel();
        let (finished, done) = mpsc::channel();
        let handle = std::thread::Builder::new()
            .name("store-log".into())
            .spawn(move || {
                while started.recv().is_ok() {
                    // Pages that stay in the log are copied by the next checkpoint.
                    let _ = checkpoint(&db, "PASSIVE");
                    let _ = finished.send(());
                }
            });
        Some(Self {
            start,
            done,
            handle: handle.ok()?,
        })
    }
}

/// Runs a checkpoint in this mode of SQLite. Returns false if another connection prevented it.
fn checkpoint(db: &Connection, mode: &str) -> rusqlite::Result<bool> {
    let sql = format!("PRAGMA wal_checkpoint({mode})");
    db.query_row(&sql, [], |row| row.get(0).map(|busy: i64| busy == 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_thread_runs_checkpoints_and_a_long_log_starts_over() {
        let name = format!("ask-user-log-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("ask-user.db");
        let mut db = crate::sqlite::connect(&file).unwrap();
        let mut checkpoints = Checkpoints::with_connection(&mut db, &file).unwrap();
        db.execute_batch("CREATE TABLE some (bytes BLOB)").unwrap();
        let mut longest = 0;
        for _ in 0..100 {
            db.execute("INSERT INTO some VALUES (zeroblob(400000))", [])
                .unwrap();
            longest = longest.max(checkpoints.pages.load(Ordering::Relaxed));
            checkpoints.after_commit(&db);
            if let Some(thread) = &checkpoints.thread
                && checkpoints.is_running
            {
                thread.done.recv().unwrap();
                checkpoints.is_running = false;
            }
        }
        assert!((LONG..LONG * 2).contains(&longest), "{longest} pages");
        assert!(checkpoints.truncate(&db, Duration::ZERO));
        let log = std::fs::metadata(file.with_extension("db-wal")).unwrap();
        assert_eq!(log.len(), 0);
        drop((checkpoints, db));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
