//! The files of a store that is open. If somebody removes or replaces them, SQLite goes on writing to
//! files that no path leads to, and what was written is gone when the process ends.

use std::fs::{File, Metadata};
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use anyhow::Context;
use ask_config::home;
use rusqlite::Connection;
use rustix::fs::{CWD, RenameFlags, renameat_with};
use rustix::io::Errno;

use super::sqlite::{create_private, replaced_path, with_suffix};

/// A file's identity, independent of its name: device and inode.
type FileId = (u64, u64);

/// A file or a folder, and what was there when the store was opened.
#[derive(Clone, Debug)]
struct WatchedPath {
    path: PathBuf,
    /// `None` if nothing was there.
    id: Option<FileId>,
}

/// What is at a watched path now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PathState {
    /// The same as before, as far as can be seen.
    Same,
    Missing,
    Replaced,
}

/// The files of an open store, as they were when it was opened.
#[derive(Clone, Debug)]
pub(crate) struct StoreFiles {
    database: WatchedPath,
    log: WatchedPath,
    folder: WatchedPath,
}

impl StoreFiles {
    /// The files of a store that was opened at this path.
    pub(crate) fn new(file: &Path) -> Self {
        // The person may have put the store elsewhere, behind a link. Its log is there as well.
        let file = file.canonicalize().unwrap_or_else(|_| file.to_owned());
        let folder = file.parent().unwrap_or(Path::new(".")).to_owned();
        Self {
            log: WatchedPath::new(with_suffix(&file, "-wal")),
            database: WatchedPath::new(file),
            folder: WatchedPath::new(folder),
        }
    }

    /// The paths of the database and its write-ahead log.
    pub(crate) fn paths(&self) -> [PathBuf; 2] {
        [&self.database, &self.log].map(|file| file.path.clone())
    }

    /// Whether their paths still lead to the open files.
    pub(crate) fn are_in_place(&self) -> bool {
        let paths = [&self.database, &self.log, &self.folder];
        paths.iter().all(|path| path.state() == PathState::Same)
    }

    /// Writes the store to its path again if the database was removed. If another database is there,
    /// the store is set aside next to it. A store whose folder was removed or renamed is left alone:
    /// it went with the folder. Returns what was done.
    pub(crate) fn restore(&self, db: &Connection) -> anyhow::Result<RestoreResult> {
        let found = self.database.state();
        // If only the log was removed, a checkpoint copies it into the database.
        if found == PathState::Same || self.folder.state() != PathState::Same {
            return Ok(RestoreResult::NotNeeded);
        }
        let file = &self.database.path;
        // Whatever happens next, the copy has a name under which it is reported.
        let copy = replaced_path(file);
        let name = copy.to_str().context("its path is not UTF-8")?;
        create_private(&copy);
        db.execute("VACUUM INTO ?1", [name])?;
        File::open(&copy)?.sync_all()?;
        let is_restored = found == PathState::Missing && self.put_back(&copy).is_ok();
        // After a failed sync, only a power loss could lose the new name.
        let _ = home::sync_dir(&self.folder.path);
        Ok(match is_restored {
            true => RestoreResult::Restored(file.clone()),
            false => RestoreResult::SetAside(copy),
        })
    }

    /// Gives the copy the path of the store, unless a file is there. A log that was left there belongs
    /// to the removed database, and must not be applied to the copy.
    fn put_back(&self, copy: &Path) -> io::Result<()> {
        if self.log.state() == PathState::Same {
            for suffix in ["-wal", "-shm"] {
                // It may be gone as well.
                let _ = std::fs::remove_file(with_suffix(&self.database.path, suffix));
            }
        }
        match renameat_with(CWD, copy, CWD, &self.database.path, RenameFlags::NOREPLACE) {
            // The file system can't do that.
            Err(Errno::INVAL | Errno::NOSYS) if self.database.state() == PathState::Missing => {
                std::fs::rename(copy, &self.database.path)
            }
            renamed => Ok(renamed?),
        }
    }
}

impl WatchedPath {
    fn new(path: PathBuf) -> Self {
        let metadata = std::fs::metadata(&path);
        Self {
            id: metadata.as_ref().map(id).ok(),
            path,
        }
    }

    fn state(&self) -> PathState {
        match std::fs::metadata(&self.path) {
            Ok(found) if self.id.is_none_or(|before| before == id(&found)) => PathState::Same,
            Ok(_) => PathState::Replaced,
            Err(error) if error.kind() == ErrorKind::NotFound && self.id.is_some() => {
                PathState::Missing
            }
            // What can't be looked at isn't known to be lost.
            Err(_) => PathState::Same,
        }
    }
}

fn id(metadata: &Metadata) -> FileId {
    (metadata.dev(), metadata.ino())
}

/// What became of files that somebody had removed.
pub(crate) enum RestoreResult {
    /// The database is in place, or its folder is not.
    NotNeeded,
    /// The store is at this path again.
    Restored(PathBuf),
    /// The store is at this path, because another file has its own.
    SetAside(PathBuf),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Store as _;
    use crate::conformance::{self, Folder, create};
    use crate::sqlite::{Sqlite, set_aside};

    /// The asks that a store has.
    async fn asks(store: &Sqlite) -> Vec<&'static str> {
        let mut found = Vec::new();
        for name in ["one", "two"] {
            let record = store
                .get(conformance::id(name))
                .await
                .expect("the store can be read");
            found.extend(record.map(|_| name));
        }
        found
    }

    async fn persist(store: &Sqlite, name: &str) {
        let written = store.persist(vec![create(name)]).await;
        written.expect("the store can be written");
    }

    fn remove(folder: &Folder, files: &[&str]) {
        for file in files {
            std::fs::remove_file(folder.path().join(file)).expect("an existing file");
        }
    }

    #[tokio::test]
    async fn files_that_were_removed_are_restored_at_the_end() {
        const ALL: [&str; 3] = ["ask-user.db", "ask-user.db-wal", "ask-user.db-shm"];
        for removed in [&ALL[..], &ALL[..1], &ALL[..2], &ALL[1..2], &ALL[1..]] {
            let folder = Folder::new();
            let store = folder.open();
            persist(&store, "one").await;
            assert!(!store.has_lost_files());
            remove(&folder, removed);
            assert!(store.has_lost_files(), "{removed:?}");
            // This is stored before the hub notices.
            persist(&store, "two").await;
            store.close();
            let store = folder.open();
            assert_eq!(asks(&store).await, ["one", "two"], "{removed:?}");
            assert!(!store.has_lost_files());
            store.close();
            let none: [PathBuf; 0] = [];
            assert_eq!(set_aside(&folder.path().join(ALL[0])), none, "{removed:?}");
        }
    }

    #[tokio::test]
    async fn new_and_restored_files_are_private_whatever_the_umask() {
        let mode = |file: PathBuf| {
            let metadata = std::fs::metadata(file).expect("an existing file");
            metadata.mode() & 0o777
        };
        let folder = Folder::new();
        let file = folder.path().join("ask-user.db");
        let store = folder.open();
        persist(&store, "one").await;
        for suffix in ["", "-wal", "-shm"] {
            assert_eq!(mode(with_suffix(&file, suffix)), 0o600, "{suffix}");
        }
        remove(&folder, &["ask-user.db"]);
        store.close();
        assert_eq!(mode(file), 0o600);
    }

    #[tokio::test]
    async fn a_store_whose_place_another_one_took_is_set_aside() {
        let folder = Folder::new();
        folder.open().close();
        let file = folder.path().join("ask-user.db");
        let backup = std::fs::read(&file).expect("a store");
        let store = folder.open();
        persist(&store, "one").await;
        remove(&folder, &["ask-user.db"]);
        std::fs::write(&file, backup).expect("a writable folder");
        assert!(store.has_lost_files());
        store.close();
        // The other one is used, and the loss of this one isn't reported as another.
        let store = folder.open();
        assert!(asks(&store).await.is_empty());
        store.close();
        let aside = set_aside(&file);
        assert_eq!(aside.len(), 1, "{aside:?}");
        std::fs::rename(&aside[0], &file).expect("a writable folder");
        assert_eq!(asks(&folder.open()).await, ["one"]);
    }

    #[tokio::test]
    async fn a_store_whose_folder_was_renamed_is_not_restored() {
        let [folder, elsewhere] = [Folder::new(), Folder::new()];
        let store = folder.open();
        persist(&store, "one").await;
        std::fs::rename(folder.path(), elsewhere.path()).expect("an empty folder is replaced");
        std::fs::create_dir(folder.path()).expect("a free name");
        assert!(store.has_lost_files());
        store.close();
        assert!(!folder.path().join("ask-user.db").exists());
        assert_eq!(asks(&elsewhere.open()).await, ["one"]);
    }

    #[tokio::test]
    async fn a_store_behind_a_link_is_restored_behind_it() {
        let [folder, elsewhere] = [Folder::new(), Folder::new()];
        elsewhere.open().close();
        let file = elsewhere.path().join("ask-user.db");
        std::os::unix::fs::symlink(&file, folder.path().join("ask-user.db")).expect("a link");
        let store = folder.open();
        persist(&store, "one").await;
        assert!(!store.has_lost_files());
        remove(&elsewhere, &["ask-user.db"]);
        assert!(store.has_lost_files());
        store.close();
        assert_eq!(asks(&folder.open()).await, ["one"]);
        assert!(file.exists());
    }
}
