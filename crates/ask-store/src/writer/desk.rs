//! What lies on the person's desk: forms half filled in, asks put aside or asked again, where they
//! are shown, and what is switched on.

use ask_core::record::Snooze;
use ask_core::{AskId, Draft, Time, lifecycle};
use ask_protocol::{json_text, native};
use rusqlite::{Connection, params};

use super::{Done, noted};
use crate::rows;

pub(super) fn keep(
    db: &Connection,
    id: &AskId,
    draft: &Draft,
    surface: &str,
    at: Time,
) -> rusqlite::Result<Done> {
    let count = db
        .prepare_cached(
            "INSERT INTO desk (row, draft, draft_by, draft_at, draft_revision)
             SELECT row, ?2, ?3, ?4, 1 FROM ask WHERE id = ?1 AND state IN ('waiting', 'expired')
             ON CONFLICT (row) DO UPDATE SET draft = ?2, draft_by = ?3, draft_at = ?4,
               draft_revision = draft_revision + 1",
        )?
        .execute(params![
            id.as_str(),
            json_text(&native::write_draft(draft)),
            surface,
            at.0
        ])?;
    noted(db, id, count)
}

pub(super) fn is_last(db: &Connection, id: &AskId, revision: u64) -> rusqlite::Result<bool> {
    let record = rows::get(db, id.as_str())?;
    Ok(record.is_some_and(|record| lifecycle::may_keep(&record, revision)))
}

pub(super) fn snooze(
    db: &Connection,
    id: &AskId,
    snooze: Option<Snooze>,
) -> rusqlite::Result<Done> {
    let back_at = match snooze {
        Some(Snooze::Until(at)) => Some(at.0),
        Some(Snooze::AskedAgain) | None => None,
    };
    let count = db
        .prepare_cached(
            "INSERT INTO desk (row, snoozed_until, back_at)
             SELECT row, ?2, ?3 FROM ask WHERE id = ?1 AND state = 'waiting'
             ON CONFLICT (row) DO UPDATE SET snoozed_until = ?2, back_at = ?3",
        )?
        .execute(params![
            id.as_str(),
            snooze.map(native::write_snooze),
            back_at
        ])?;
    noted(db, id, count)
}

pub(super) fn ask_again(db: &Connection, id: &AskId, at: Time) -> rusqlite::Result<Done> {
    let count = db
        .prepare_cached(
            "INSERT INTO desk (row, asked_again_at)
             SELECT row, ?2 FROM ask WHERE id = ?1 AND state = 'waiting'
             ON CONFLICT (row) DO UPDATE SET asked_again_at = ?2",
        )?
        .execute(params![id.as_str(), at.0])?;
    noted(db, id, count)
}

pub(super) fn switch(db: &Connection, name: &str, on: bool) -> rusqlite::Result<Done> {
    let sql = match on {
        true => "INSERT INTO switch (name) VALUES (?1) ON CONFLICT (name) DO NOTHING",
        false => "DELETE FROM switch WHERE name = ?1",
    };
    let count = db.prepare_cached(sql)?.execute([name])?;
    Ok(Done::Changed(count as u64))
}

pub(super) fn show(db: &Connection, id: &AskId, surface: &str, at: Time) -> rusqlite::Result<Done> {
    let count = db
        .prepare_cached(
            "INSERT INTO desk (row, shown_by, shown_at)
             SELECT row, ?2, ?3 FROM ask WHERE id = ?1 AND state = 'waiting'
             ON CONFLICT (row) DO UPDATE SET shown_by = ?2, shown_at = ?3",
        )?
        .execute(params![id.as_str(), surface, at.0])?;
    noted(db, id, count)
}

/// An ask whose time has passed waits again; the search finds it once it has closed.
pub(super) fn reopen(
    db: &Connection,
    id: &AskId,
    deadline: Option<Time>,
    at: Time,
) -> rusqlite::Result<Done> {
    for of_the_past in [
        "DELETE FROM found WHERE rowid =
           (SELECT row FROM ask WHERE id = ?1 AND state = 'expired' AND indexed <> 0)",
        "DELETE FROM past WHERE row = (SELECT row FROM ask WHERE id = ?1 AND state = 'expired')",
    ] {
        db.prepare_cached(of_the_past)?.execute([id.as_str()])?;
    }
    let count = db
        .prepare_cached(
            "UPDATE ask SET state = 'waiting', settlement = NULL, closed_at = NULL,
                            delivered_at = NULL, deadline_at = ?2, indexed = 0
             WHERE id = ?1 AND state = 'expired'",
        )?
        .execute(params![id.as_str(), deadline.map(|at| at.0)])?;
    match count {
        0 => Ok(Done::Changed(0)),
        _ => ask_again(db, id, at),
    }
}
