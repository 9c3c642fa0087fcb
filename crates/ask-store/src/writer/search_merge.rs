//! Merges the full-text index after deletions. The index only marks deleted rows; merging its parts
//! removes their words from the file. Merging a large index takes long, so the writer merges a few
//! pages at a time while it has no other work. `ask-hub/src/hub/retention.rs` decides which asks
//! are deleted, and when.

use rusqlite::Connection;

/// How many pages one step merges. An answer that arrives during a step waits for it.
pub(super) const PAGES_PER_STEP: i64 = 32;

/// How many pages the first step merges. FTS5 takes a negative number as the order to merge the
/// parts of all levels, and not only parts of the same level.
pub(super) const FIRST_STEP: i64 = -16;

/// FTS5 merges a level by itself, hundreds of pages at once, when the level has this many parts.
/// [`merge`] is called long before.
const AUTOMERGE: i64 = 64;

/// Turns off FTS5's own merging, so that only [`merge`] merges, or turns it on again. After many
/// deletions FTS5 would merge during the next write, which would take tens of seconds.
pub(super) fn set_deferred(db: &Connection, deferred: bool) -> rusqlite::Result<()> {
    db.prepare_cached("INSERT INTO found (found, rank) VALUES ('automerge', ?1)")?
        .execute([if deferred { 0 } else { AUTOMERGE }])?;
    Ok(())
}

/// Whether merging was deferred and is not complete yet.
pub(super) fn is_deferred(db: &Connection) -> bool {
    let parts = db
        .prepare_cached("SELECT v FROM found_config WHERE k = 'automerge'")
        .and_then(|mut parts| parts.query_row([], |row| row.get::<_, i64>(0)));
    parts.is_ok_and(|parts| parts == 0)
}

/// Merges up to this many pages, of all levels if the number is negative. Returns whether there are
/// more to merge.
pub(super) fn merge(db: &Connection, pages: i64) -> rusqlite::Result<bool> {
    let before = db.total_changes();
    db.prepare_cached("INSERT INTO found (found, rank) VALUES ('merge', ?1)")?
        .execute([pages])?;
    // FTS5 counts one change of its own even if there was nothing to merge.
    let more = db.total_changes() - before >= 2;
    if !more && is_deferred(db) {
        set_deferred(db, false)?;
    }
    Ok(more)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many blocks of the index hold words of deleted rows.
    fn blocks_with_secrets(db: &Connection) -> i64 {
        let sql = "SELECT count(*) FROM found_data WHERE instr(block, CAST('secret' AS BLOB))";
        let count = db.query_row(sql, [], |row| row.get(0));
        count.expect("the blocks can be read")
    }

    #[test]
    fn merging_is_deferred_until_no_deleted_words_are_left() {
        let db = Connection::open_in_memory().expect("a database in memory opens");
        db.execute_batch(
            "CREATE VIRTUAL TABLE found USING fts5 (words, content = '', contentless_delete = 1)",
        )
        .expect("the index is created");
        let words = |row: i64| match row < 2_900 {
            true => format!("{row}secret some all {}", row % 97),
            false => format!("{row} some all {}", row % 97),
        };
        let write = |rows: std::ops::Range<i64>| {
            for row in rows {
                db.execute(
                    "INSERT INTO found (rowid, words) VALUES (?1, ?2)",
                    (row, words(row)),
                )
                .expect("the row is inserted");
            }
        };
        write(0..3_000);
        assert!(!is_deferred(&db));
        set_deferred(&db, true).expect("merging is deferred");
        for row in 0..2_900 {
            db.execute("DELETE FROM found WHERE rowid = ?1", [row])
                .expect("the row is deleted");
        }
        assert!(is_deferred(&db));
        assert!(blocks_with_secrets(&db) > 0, "deleting only marks rows");
        let mut steps = 1;
        let mut more = merge(&db, -1).expect("the first step runs");
        while more {
            more = merge(&db, 1).expect("the next step runs");
            steps += 1;
        }
        assert!(steps > 1, "merging takes several steps");
        assert!(!is_deferred(&db), "the index merges by itself again");
        assert_eq!(blocks_with_secrets(&db), 0, "the words are gone");
        let found = db.query_row(
            "SELECT count(*) FROM found WHERE found MATCH 'some'",
            [],
            |row| row.get::<_, i64>(0),
        );
        assert_eq!(found, Ok(100));
    }
}
