//! Space at the end of SQLite's log that is written with zeros in advance. A commit that makes the
//! log longer waits for the journal of the file system, and so for changes of other programs. A
//! commit within the space waits for its own pages only. On a full disk the space is still there.
//!
//! SQLite ignores everything after the last valid frame of a log (SQLite's "WAL-mode File Format",
//! section 1).

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// The most space after the last frame, in bytes. An ask or an answer takes about 24 KiB.
const AHEAD: u64 = 512 * 1024;

/// The bytes of a page in the log, with its header.
const FRAME: u64 = 4_096 + 24;

/// The space at the end of a log.
pub struct LogSpace {
    log: PathBuf,
    /// The length of the log in bytes, as far as it is known.
    length: u64,
    /// Whether space couldn't be written: the log then grows with each commit.
    has_failed: bool,
}

impl LogSpace {
    /// The space of the log beside a store's file.
    pub fn of_store(file: &Path) -> Self {
        let mut log = file.as_os_str().to_owned();
        log.push("-wal");
        Self {
            log: PathBuf::from(log),
            length: 0,
            has_failed: false,
        }
    }

    /// Whether less than half of the space is left after so many pages of the log.
    pub fn is_short(&self, pages: u32) -> bool {
        pages > 0 && !self.has_failed && self.length < used(pages) + AHEAD / 2
    }

    /// Writes space after so many pages. Only the thread that commits may call this: a commit at
    /// the same time would write to the same place.
    pub fn extend(&mut self, pages: u32) {
        match self.try_extend(used(pages) + AHEAD) {
            Ok(length) => self.length = length,
            Err(_) => self.has_failed = true,
        }
    }

    fn try_extend(&self, wanted: u64) -> io::Result<u64> {
        let log: File = OpenOptions::new().write(true).open(&self.log)?;
        let length = log.metadata()?.len();
        let missing = usize::try_from(wanted.saturating_sub(length)).unwrap_or(0);
        if missing > 0 {
            log.write_all_at(&vec![0; missing], length)?;
            log.sync_data()?;
        }
        Ok(length.max(wanted))
    }

    /// The log was emptied.
    pub fn clear(&mut self) {
        self.length = 0;
    }
}

/// The bytes of so many pages in the log.
fn used(pages: u32) -> u64 {
    u64::from(pages) * FRAME
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commits_fill_the_space_and_a_copy_of_the_files_has_all_of_them() {
        let name = format!("ask-user-log-space-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("ask-user.db");
        let db = crate::sqlite::connect(&file).unwrap();
        db.execute_batch("CREATE TABLE some (number INTEGER)")
            .unwrap();
        let log = folder.join("ask-user.db-wal");
        let length = || std::fs::metadata(&log).unwrap().len();
        let pages = |bytes: u64| u32::try_from(bytes / FRAME).unwrap();

        let mut space = LogSpace::of_store(&file);
        assert!(!space.is_short(0), "without a frame there may be no log");
        let begun = pages(length());
        assert!(space.is_short(begun));
        space.extend(begun);
        assert!(!space.is_short(begun));
        let extended = length();
        assert_eq!(extended, used(begun) + AHEAD);
        assert!(space.is_short(pages(extended)));

        for number in 0..20 {
            db.execute("INSERT INTO some VALUES (?1)", [number])
                .unwrap();
        }
        assert_eq!(length(), extended, "the commits fit into the space");

        // As after a crash: nothing closes the store.
        let copy = folder.join("copy.db");
        std::fs::copy(&file, &copy).unwrap();
        std::fs::copy(&log, folder.join("copy.db-wal")).unwrap();
        let copied = crate::sqlite::connect(&copy).unwrap();
        let count = "SELECT count(*) FROM some";
        let rows: i64 = copied.query_row(count, [], |row| row.get(0)).unwrap();
        assert_eq!(rows, 20);
        let check = "PRAGMA integrity_check";
        let found: String = copied.query_row(check, [], |row| row.get(0)).unwrap();
        assert_eq!(found, "ok");
        drop((db, copied));
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn without_a_log_nothing_is_written() {
        let name = format!("ask-user-no-log-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let mut space = LogSpace::of_store(&folder.join("ask-user.db"));
        assert!(space.is_short(5));
        space.extend(5);
        assert!(!space.is_short(5), "it isn't tried again");
        assert!(!folder.exists());
    }
}
