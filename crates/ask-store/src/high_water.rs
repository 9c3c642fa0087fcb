//! A high-water mark: from time to time a growing number is written into the store, and then into a
//! file beside it. If the store has a lower number than the file, then the store was removed,
//! emptied, cut or replaced by an older one while no hub had it open. Asks are missing then, which
//! nobody could see otherwise.

use std::path::{Path, PathBuf};

use ask_config::home;
use rusqlite::{Connection, OptionalExtension};

/// The key of the note that holds the number.
const KEY: &str = "store.mark";

/// The mark in the file beside a store.
pub(crate) struct HighWater {
    file: PathBuf,
    number: u64,
}

impl HighWater {
    /// Reads the mark beside this store. It is unset if the file is missing or unreadable; then no
    /// loss is detected.
    pub(crate) fn read(store: &Path) -> Self {
        let file = store.with_extension("high-water");
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let number = text.trim().parse().unwrap_or(0);
        Self { file, number }
    }

    /// Removes the file, after which no loss is detected until the mark is raised again.
    pub(crate) fn remove(&self) {
        // If that fails, the next hub reports a loss although nothing was lost.
        let _ = std::fs::remove_file(&self.file);
    }

    /// Whether the mark was never raised.
    pub(crate) fn is_unset(&self) -> bool {
        self.number == 0
    }

    /// Whether the store has lost data since the mark was raised.
    pub(crate) fn is_above(&self, db: &Connection) -> rusqlite::Result<bool> {
        Ok(self.number > number_in_store(db)?)
    }

    /// Raises the mark, in the store first, so that the file never has a number that the store
    /// never had. The connection's commits must wait for the disk.
    pub(crate) fn raise(&mut self, db: &Connection) -> rusqlite::Result<()> {
        let number = self.number.max(number_in_store(db)?) + 1;
        super::writer::note(db, &[(KEY.to_owned(), Some(number.to_string()))])?;
        self.number = number;
        // With a file that is lost or has a lower number, a loss may go undetected.
        let _ = home::replace(&self.file, &format!("{number}\n"));
        Ok(())
    }
}

fn number_in_store(db: &Connection) -> rusqlite::Result<u64> {
    let sql = "SELECT value FROM note WHERE key = ?1";
    let value = db.query_row(sql, [KEY], |row| row.get::<_, String>(0));
    let value = value.optional()?;
    Ok(value.and_then(|value| value.parse().ok()).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::in_memory;

    #[test]
    fn a_store_below_the_mark_is_detected_until_the_mark_is_raised_in_it() {
        let name = format!("ask-user-mark-{}.db", std::process::id());
        let file = std::env::temp_dir().join(name);
        let (store, other) = (in_memory(), in_memory());
        let mut mark = HighWater::read(&file);
        assert!(mark.is_unset() && !mark.is_above(&store).unwrap());
        mark.raise(&store).unwrap();
        mark.raise(&store).unwrap();

        let mut found = HighWater::read(&file);
        assert!(!found.is_unset() && !found.is_above(&store).unwrap());
        assert!(found.is_above(&other).unwrap());
        found.raise(&other).unwrap();
        assert!(!HighWater::read(&file).is_above(&other).unwrap());
        assert!(HighWater::read(&file).is_above(&store).unwrap());
        // Without a number in the file no loss is detected.
        std::fs::write(&found.file, "?").unwrap();
        assert!(!HighWater::read(&file).is_above(&in_memory()).unwrap());
        std::fs::remove_file(&found.file).unwrap();
    }
}
