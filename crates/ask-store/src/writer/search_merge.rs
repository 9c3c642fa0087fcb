//! Merges the full-text index after deletions. The index only marks deleted rows; merging its parts
//! writes them out of the file. A large index takes long, so that the writer merges a few pages at a
//! time, while it has no other work. Which asks are deleted, and when, is `ask-hub/src/hub/retention.rs`.

use rusqlite::Connection;

/// So many pages are written in one bit: an answer that comes meanwhile waits for no more.
pub const PAGES: i64 = 32;

/// So many in the first bit; with a minus, the parts of all levels are merged and not only like ones.
pub const OF_ALL: i64 = -16;

/// The index merges as it goes by itself when a level has so many parts, and hundreds of pages then.
/// [`merge`] merges long before.
const PARTS: i64 = 64;

/// Has the index leave all merging to [`merge`], or do it as it goes. With much forgotten, whoever
/// happened to write next would wait for tens of seconds.
pub fn defer(db: &Connection, off: bool) -> rusqlite::Result<()> {
    db.prepare_cached("INSERT INTO found (found, rank) VALUES ('automerge', ?1)")?
        .execute([if off { 0 } else { PARTS }])?;
    Ok(())
}

/// Whether merging was deferred, and has not come to its end.
pub fn is_deferred(db: &Connection) -> bool {
    let parts = db
        .prepare_cached("SELECT v FROM found_config WHERE k = 'automerge'")
        .and_then(|mut parts| parts.query_row([], |row| row.get::<_, i64>(0)));
    parts.is_ok_and(|parts| parts == 0)
}

/// Merges some pages, with a minus those of all parts; whether there is more.
pub fn merge(db: &Connection, pages: i64) -> rusqlite::Result<bool> {
    let before = db.total_changes();
    db.prepare_cached("INSERT INTO found (found, rank) VALUES ('merge', ?1)")?
        .execute([pages])?;
    // The index counts one change of its own even where nothing was left to do.
    let more = db.total_changes() - before >= 2;
    if !more && is_deferred(db) {
        defer(db, false)?;
    }
    Ok(more)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In how many parts of the index words are that were to be forgotten.
    fn secrets(db: &Connection) -> i64 {
        let sql = "SELECT count(*) FROM found_data WHERE instr(block, CAST('secret' AS BLOB))";
        let count = db.query_row(sql, [], |row| row.get(0));
        count.expect("its parts can be looked at")
    }

    #[test]
    fn merging_is_deferred_until_nothing_is_left_of_it() {
        let db = Connection::open_in_memory().expect("in memory");
        db.execute_batch(
            "CREATE VIRTUAL TABLE found USING fts5 (words, content = '', contentless_delete = 1)",
        )
        .expect("a search");
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
                .expect("it is kept");
            }
        };
        write(0..3_000);
        assert!(!is_deferred(&db));
        defer(&db, true).expect("it is put off");
        for row in 0..2_900 {
            db.execute("DELETE FROM found WHERE rowid = ?1", [row])
                .expect("it is marked");
        }
        assert!(is_deferred(&db));
        assert!(secrets(&db) > 0, "it is only marked");
        let mut bits = 1;
        let mut more = merge(&db, -1).expect("it is merged");
        while more {
            more = merge(&db, 1).expect("it is merged");
            bits += 1;
        }
        assert!(bits > 1, "bit by bit");
        assert!(!is_deferred(&db), "then the index merges by itself again");
        assert_eq!(secrets(&db), 0, "what was forgotten is written out");
        let found = db.query_row(
            "SELECT count(*) FROM found WHERE found MATCH 'some'",
            [],
            |row| row.get::<_, i64>(0),
        );
        assert_eq!(found, Ok(100));
    }
}
