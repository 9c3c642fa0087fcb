//! Reads records from rows. No other module knows the columns of a record.

use ask_core::record::{EarlierAnswer, MAX_TAKEN_BACK, Saved, Shown, TakenBack};
use ask_core::{AskId, Record, State, Time};
use ask_protocol::{json_text, native};
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Row};

/// The columns that [`read_record`] reads, in its order.
pub(crate) const COLUMNS: &str = "ask.content, ask.settlement, ask.delivered_at, \
     desk.draft, desk.draft_at, desk.draft_by, desk.shown_by, desk.shown_at, \
     ask.deadline_at, desk.draft_revision, desk.snoozed_until, desk.asked_again_at, \
     desk.earlier_answer, desk.earlier_answer_at, ask.id, \
     desk.caller_seen_at, desk.agent_seen_at, desk.taken_back";

/// The column of [`COLUMNS`] with the id, which is readable if the rest isn't.
const ID: usize = 14;

/// The tables that have [`COLUMNS`].
pub(crate) const TABLES: &str = "ask LEFT JOIN desk ON desk.row = ask.row";

/// Reads the record of a row that has [`COLUMNS`] and nothing before them.
pub(crate) fn read_record(row: &Row<'_>) -> rusqlite::Result<Record> {
    read_record_at(row, 0)
}

/// Reads the record of a row in which [`COLUMNS`] start at the column `first`.
pub(crate) fn read_record_at(row: &Row<'_>, first: usize) -> rusqlite::Result<Record> {
    let content: String = row.get(first)?;
    let mut record =
        native::read_record(&content).map_err(|error| conversion_error(first, error))?;
    if let Some(text) = row.get::<_, Option<String>>(first + 1)? {
        let settlement = native::read_settlement(&record.ask, &text);
        record.state = State::Closed {
            settlement: settlement.map_err(|error| conversion_error(first + 1, error))?,
            delivered_at: row.get::<_, Option<i64>>(first + 2)?.map(Time),
        };
    }
    if let Some(text) = row.get::<_, Option<String>>(first + 3)? {
        record.draft = Some(Saved {
            draft: native::read_draft(&text).map_err(|error| conversion_error(first + 3, error))?,
            at: Time(row.get(first + 4)?),
            surface: row.get(first + 5)?,
            revision: row.get(first + 9)?,
        });
    }
    if let Some(surface) = row.get::<_, Option<String>>(first + 6)? {
        record.shown = Some(Shown {
            surface,
            at: Time(row.get(first + 7)?),
        });
    }
    // The deadline in `content` is the original one. It may have been moved since.
    record.deadline_at = row.get::<_, Option<i64>>(first + 8)?.map(Time);
    let snoozed: Option<String> = row.get(first + 10)?;
    record.snoozed = snoozed.and_then(|text| native::read_snooze(&text));
    record.asked_again = row.get::<_, Option<i64>>(first + 11)?.map(Time);
    if let Some(text) = row.get::<_, Option<String>>(first + 12)? {
        let draft = native::read_draft(&text);
        record.earlier_answer = Some(EarlierAnswer {
            draft: draft.map_err(|error| conversion_error(first + 12, error))?,
            at: Time(row.get(first + 13)?),
        });
    }
    record.caller_seen = row.get::<_, Option<i64>>(first + 15)?.map(Time);
    record.agent_seen = row.get::<_, Option<i64>>(first + 16)?.map(Time);
    if let Some(text) = row.get::<_, Option<String>>(first + 17)? {
        let taken_back = native::read_taken_back(&record.ask, &text);
        record.taken_back = taken_back.map_err(|error| conversion_error(first + 17, error))?;
    }
    Ok(record)
}

/// The JSON of the outcomes of a record that were taken back, with this one as the newest.
pub(crate) fn taken_back(record: &Record, newest: &TakenBack) -> String {
    let earlier = record.taken_back.iter();
    let skipped = (record.taken_back.len() + 1).saturating_sub(MAX_TAKEN_BACK);
    let kept = earlier.chain([newest]).skip(skipped);
    let kept: Vec<_> = kept
        .map(|one| native::TakenBack::new(record, one))
        .collect();
    json_text(&kept)
}

/// Like [`read_record_at`], but returns the id of a record that can't be read: the disk may have
/// changed it. It stays in the store.
pub(crate) fn read_if_readable(
    row: &Row<'_>,
    first: usize,
) -> rusqlite::Result<Result<Record, String>> {
    match read_record_at(row, first) {
        Err(
            problem @ (rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::Utf8Error(..)
            | rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)),
        ) => {
            let id: String = row.get(first + ID)?;
            tracing::error!("the stored ask {id} can't be read: {problem}");
            Ok(Err(id))
        }
        other => other.map(Ok),
    }
}

/// Reads the record with this id.
pub(crate) fn get(db: &Connection, id: &str) -> rusqlite::Result<Option<Record>> {
    let sql = format!("SELECT {COLUMNS} FROM {TABLES} WHERE ask.id = ?1");
    db.prepare_cached(&sql)?
        .query_row([id], read_record)
        .optional()
}

/// Reads the records that meet a condition on `ask`, but for those that can't be read.
pub(crate) fn select(
    db: &Connection,
    condition: &str,
    values: &[&dyn rusqlite::ToSql],
) -> rusqlite::Result<Vec<Record>> {
    select_with_unreadable(db, condition, values, &mut Vec::new())
}

/// Like [`select`]. Adds the ids of the others to `unreadable`.
pub(crate) fn select_with_unreadable(
    db: &Connection,
    condition: &str,
    values: &[&dyn rusqlite::ToSql],
    unreadable: &mut Vec<String>,
) -> rusqlite::Result<Vec<Record>> {
    let sql = format!("SELECT {COLUMNS} FROM {TABLES} WHERE {condition}");
    let mut statement = db.prepare_cached(&sql)?;
    let mut records = Vec::new();
    for record in statement.query_map(values, |row| read_if_readable(row, 0))? {
        match record? {
            Ok(record) => records.push(record),
            Err(id) => unreadable.push(id),
        }
    }
    Ok(records)
}

/// The JSON of what never changes in a record: everything but its status.
pub(crate) fn content(record: &Record) -> String {
    let bare = Record {
        state: State::Open,
        draft: None,
        earlier_answer: None,
        shown: None,
        waiters: 0,
        snoozed: None,
        asked_again: None,
        in_client: None,
        caller_seen: None,
        agent_seen: None,
        held_until: None,
        taken_back: Vec::new(),
        ..record.clone()
    };
    json_text(&native::Record::from(&bare))
}

/// Reads a stored id.
pub(crate) fn read_id(row: &Row<'_>, at: usize) -> rusqlite::Result<AskId> {
    let text: String = row.get(at)?;
    AskId::parse(&text).ok_or_else(|| conversion_error(at, format!("\"{text}\" is not an id")))
}

fn conversion_error(
    at: usize,
    problem: impl Into<Box<dyn std::error::Error + Send + Sync>>,
) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(at, Type::Text, problem.into())
}
