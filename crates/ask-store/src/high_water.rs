//! A high-water mark: a number that is written into the store and then into a file beside it, now
//! and then. A store that has a lower one than the file was removed, emptied, cut or replaced by an
//! older one while no hub had it, and asks are missing that nobody would miss by looking.

use std::path::{Path, PathBuf};

use ask_config::home;
use rusqlite::{Connection, OptionalExtension};

/// The note of the store that holds the number.
const KEY: &str = "store.mark";

/// The mark beside one store.
pub struct HighWater {
    file: PathBuf,
    number: u64,
}

impl HighWater {
    /// The mark as the file has it. Where there is none, or it can't be read, nothing is missed.
    pub fn read(store: &Path) -> Self {
        let file = store.with_extension("high-water");
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let number = text.trim().parse().unwrap_or(0);
        Self { file, number }
    }

    /// Whether there is no mark yet.
    pub fn is_unset(&self) -> bool {
        self.number == 0
    }

    /// Whether the store has lost what it had when the mark was set.
    pub fn is_above(&self, db: &Connection) -> rusqlite::Result<bool> {
        Ok(self.number > in_store(db)?)
    }

    /// Sets the mark, in the store first: what is in the file is in the store for certain. The
    /// commit must be one that waits for the disk.
    pub fn raise(&mut self, db: &Connection) -> rusqlite::Result<()> {
        let number = self.number.max(in_store(db)?) + 1;
        super::writer::note(db, &[(KEY.to_owned(), Some(number.to_string()))])?;
        self.number = number;
        // A mark that is too low, or lost, only notices less.
        let _ = home::replace(&self.file, &format!("{number}\n"));
        Ok(())
    }
}

fn in_store(db: &Connection) -> rusqlite::Result<u64> {
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
    fn a_store_that_has_less_than_was_marked_is_missed_until_it_is_marked_itself() {
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
        // A file that is lost, or holds no number, misses nothing.
        std::fs::write(&found.file, "?").unwrap();
        assert!(!HighWater::read(&file).is_above(&in_memory()).unwrap());
        std::fs::remove_file(&found.file).unwrap();
    }
}
