//! The files of a store that is open. If somebody removes or replaces them, SQLite goes on writing to
//! files that no path leads to, and what was written is gone when the process ends.

use std::fs::{File, Metadata};
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use ask_config::home;
use rusqlite::Connection;

/// A file's identity, independent of its name: device and inode.
type FileId = (u64, u64);

fn file_id(metadata: &Metadata) -> FileId {
    (metadata.dev(), metadata.ino())
}

/// The files of an open store, as they were when it was opened.
#[derive(Clone, Debug)]
pub(crate) struct StoreFiles {
    file: PathBuf,
    /// The database, its write-ahead log and their folder; `None` if it can't be read.
    ids: [Option<FileId>; 3],
}

impl StoreFiles {
    /// The files of a store that was opened at this path.
    pub(crate) fn new(file: &Path) -> Self {
        Self {
            file: file.to_owned(),
            ids: find(file),
        }
    }

    /// The paths of the database and its write-ahead log.
    pub(crate) fn paths(&self) -> [PathBuf; 2] {
        paths(&self.file)
    }

    /// Whether their paths still lead to the open files.
    pub(crate) fn are_in_place(&self) -> bool {
        find(&self.file) == self.ids
    }

    /// Writes the store to its path again if the database was removed. If another database is there,
    /// the store is set aside next to it. A store whose folder was removed or renamed is left alone:
    /// it went with the folder. Returns what was done.
    pub(crate) fn restore(&self, db: &Connection) -> anyhow::Result<Restored> {
        let [database, _, folder] = find(&self.file);
        if folder != self.ids[2] {
            return Ok(Restored::Nothing);
        }
        if database == self.ids[0] {
            // A checkpoint copies the log that was removed into the database.
            return Ok(Restored::Nothing);
        }
        let copy = self.file.with_extension("db.restored");
        // Only a crash leaves one behind.
        let _ = std::fs::remove_file(&copy);
        db.execute("VACUUM INTO ?1", [copy.display().to_string()])?;
        File::open(&copy)?.sync_all()?;
        let restored = match self.place(&copy) {
            Ok(()) => Restored::Replaced(self.file.clone()),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                let aside = super::sqlite::replaced_path(&self.file);
                std::fs::hard_link(&copy, &aside)?;
                Restored::SetAside(aside)
            }
            Err(error) => return Err(error.into()),
        };
        std::fs::remove_file(&copy)?;
        // After a failed sync, only a power loss could lose the new name.
        let _ = self.file.parent().map(home::sync_dir);
        Ok(restored)
    }

    /// Gives the copy the path of the store, unless a file is there. A log that was left there belongs
    /// to the removed database, and must not be applied to the copy.
    fn place(&self, copy: &Path) -> std::io::Result<()> {
        if find(&self.file)[0].is_none() {
            for log in ["db-wal", "db-shm"] {
                // It may be gone as well.
                let _ = std::fs::remove_file(self.file.with_extension(log));
            }
        }
        std::fs::hard_link(copy, &self.file)
    }
}

/// What became of files that somebody had removed.
pub(crate) enum Restored {
    /// Nothing, because the database is in place, or its folder is not.
    Nothing,
    /// The store is at this path again.
    Replaced(PathBuf),
    /// The store is at this path, because another file has its own.
    SetAside(PathBuf),
}

fn paths(file: &Path) -> [PathBuf; 2] {
    [file.to_owned(), file.with_extension("db-wal")]
}

fn find(file: &Path) -> [Option<FileId>; 3] {
    let [database, log] = paths(file);
    let folder = file.parent().unwrap_or(Path::new("."));
    [database.as_path(), log.as_path(), folder].map(|path| {
        // The person may have put the store elsewhere, behind a link.
        let metadata = std::fs::metadata(path);
        metadata.as_ref().map(file_id).ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Store as _;
    use crate::conformance::{Folder, create, id};
    use crate::sqlite::{Sqlite, set_aside};

    /// The asks that a store has.
    async fn asks(store: &Sqlite) -> Vec<&'static str> {
        let mut found = Vec::new();
        for name in ["one", "two"] {
            let record = store.get(id(name)).await.expect("the store can be read");
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
        let aside = set_aside(&file).pop().expect("it is kept");
        std::fs::rename(aside, &file).expect("a writable folder");
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
}
