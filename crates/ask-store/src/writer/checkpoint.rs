//! The log is written back into the file by a thread of its own, beside whoever writes: that syncs
//! the disk twice and would hold up the one ask whose commit makes the log long. The thread begins
//! when a log is long for the first time; most hubs never need it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

use rusqlite::Connection;

/// With so many pages the log is written back.
const LONG: u32 = 1_000;

/// With so many the thread doesn't keep up, and whoever writes does it as well: the log begins anew
/// only once all of it is in the file.
const TOO_LONG: u32 = 16 * LONG;

/// So many may be written back by whoever empties the log: it takes no longer than a commit.
const FEW: u32 = 16;

/// The log's length, and who writes it back.
pub struct Checkpoints {
    file: PathBuf,
    pages: Arc<AtomicU32>,
    /// How long the log was when the thread last began to write it back.
    begun_at: u32,
    thread: Option<Thread>,
    is_running: bool,
}

struct Thread {
    begin: Sender<()>,
    done: Receiver<()>,
    handle: JoinHandle<()>,
}

impl Checkpoints {
    /// Those of a store's file, in the place of the ones that a commit makes by itself.
    pub fn with_connection(db: &mut Connection, file: &Path) -> rusqlite::Result<Self> {
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
            begun_at: 0,
            thread: None,
            is_running: false,
        })
    }

    /// The length of the log in pages, as of the last commit.
    pub fn pages(&self) -> u32 {
        self.pages.load(Ordering::Relaxed)
    }

    /// Has the log written back where it has become long.
    pub fn after_commit(&mut self, db: &Connection) {
        let pages = self.pages.load(Ordering::Relaxed);
        if pages < LONG {
            return;
        }
        if pages >= TOO_LONG {
            // It is done again after the next commit where somebody is in the way.
            let _ = written_back(db, "PASSIVE");
        }
        if !self.is_running() {
            self.begin();
        }
    }

    /// Has the thread write the log back where much of it isn't yet; whether it does.
    pub fn begin_most(&mut self) -> bool {
        let pages = self.pages.load(Ordering::Relaxed);
        // A log that began anew is shorter than before.
        let is_written_back = pages >= self.begun_at && pages - self.begun_at <= FEW;
        if pages <= FEW || is_written_back {
            return false;
        }
        self.begin();
        self.is_running
    }

    /// Whether the log is being written back right now.
    pub fn is_running(&mut self) -> bool {
        if let Some(thread) = &self.thread
            && self.is_running
        {
            self.is_running = thread.done.try_recv().is_err();
        }
        self.is_running
    }

    /// Writes all of the log back and empties it; whether nobody was in the way.
    pub fn empty(&mut self, db: &Connection, patience: Duration) -> bool {
        if let Some(thread) = &self.thread
            && self.is_running
        {
            self.is_running = thread.done.recv_timeout(patience).is_err();
        }
        !self.is_running && written_back(db, "TRUNCATE").unwrap_or(false)
    }

    fn begin(&mut self) {
        self.begun_at = self.pages.load(Ordering::Relaxed);
        if self.thread.is_none() {
            self.thread = Thread::spawn(&self.file);
        }
        if let Some(thread) = &self.thread {
            self.is_running = thread.begin.send(()).is_ok();
        }
    }
}

impl Drop for Checkpoints {
    fn drop(&mut self) {
        if let Some(Thread { begin, handle, .. }) = self.thread.take() {
            drop(begin);
            let _ = handle.join();
        }
    }
}

impl Thread {
    /// Where there can't be one, the log is written back once it is too long.
    fn spawn(file: &Path) -> Option<Self> {
        let db = crate::sqlite::connect(file).ok()?;
        let (begin, begun) = mpsc::channel();
        let (finished, done) = mpsc::channel();
        let handle = std::thread::Builder::new()
            .name("store-log".into())
            .spawn(move || {
                while begun.recv().is_ok() {
                    // What stays in the log now goes with the next time.
                    let _ = written_back(&db, "PASSIVE");
                    let _ = finished.send(());
                }
            });
        Some(Self {
            begin,
            done,
            handle: handle.ok()?,
        })
    }
}

/// Writes what is in the log into the file; whether nobody was in the way.
fn written_back(db: &Connection, mode: &str) -> rusqlite::Result<bool> {
    let sql = format!("PRAGMA wal_checkpoint({mode})");
    db.query_row(&sql, [], |row| row.get(0).map(|busy: i64| busy == 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_log_begins_anew_and_no_commit_writes_it_back() {
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
        assert!(checkpoints.empty(&db, Duration::ZERO));
        let log = std::fs::metadata(file.with_extension("db-wal")).unwrap();
        assert_eq!(log.len(), 0);
        drop((checkpoints, db));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
