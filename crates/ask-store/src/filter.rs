//! Applies a filter of the history to a list of asks, which may still be open. It builds a search
//! index like that of the history in memory for each call, so that a search matches open asks by
//! the same rules as closed ones.

use std::collections::HashSet;

use ask_core::Record;
use ask_core::history::{Facts, Filter};
use rusqlite::{Connection, params};

use super::search;

const CREATE_INDEX: &str =
    "BEGIN; CREATE VIRTUAL TABLE found USING fts5 (words, facts, content = '')";

/// The records that match the words, the names and the period of a filter, in their order.
pub fn fitting(mut records: Vec<Record>, filter: &Filter) -> rusqlite::Result<Vec<Record>> {
    records.retain(|record| {
        let at = record.asked_at.0;
        filter.since_ms.is_none_or(|since| at >= since)
            && filter.until_ms.is_none_or(|until| at < until)
    });
    let Some(expression) = search::match_expression(filter) else {
        return Ok(records);
    };
    let db = Connection::open_in_memory()?;
    db.execute_batch(CREATE_INDEX)?;
    let mut insert = db.prepare("INSERT INTO found (rowid, words, facts) VALUES (?1, ?2, ?3)")?;
    for (row, record) in (0_i64..).zip(&records) {
        let facts = Facts::from_record(record);
        let tokens = search::tokens(record, facts.as_ref());
        insert.execute(params![row, search::indexed_words(record), tokens])?;
    }
    let mut find = db.prepare("SELECT rowid FROM found WHERE found MATCH ?1")?;
    let found = find.query_map([expression], |row| row.get(0))?;
    let found: HashSet<i64> = found.collect::<rusqlite::Result<_>>()?;
    let mut row = 0_i64..;
    records.retain(|_| row.next().is_some_and(|row| found.contains(&row)));
    Ok(records)
}
