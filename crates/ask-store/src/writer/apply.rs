//! What each change does to the rows: the same that [`Write::apply`] does to a record. The engine
//! has decided over the record already, so nothing is read before it is written, but for an ask that
//! another caller takes over, which is rare.

use std::sync::Arc;

use ask_core::record::{Saved, Snooze};
use ask_core::{AskId, Caller, Draft, Outcome, Record, Settlement, State, Time, Write, Written};
use ask_protocol::{json_text, native};
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::days::Days;
use crate::rows;

/// The switch that mutes notifications.
pub(crate) const MUTED: &str = "muted";

/// Makes a change, unless the store knows better.
pub(super) fn apply(db: &Connection, write: &Write) -> rusqlite::Result<Written> {
    match write {
        Write::Create(record) => return create(db, record),
        Write::Settle(before, settlement) => return settle(db, before, settlement),
        Write::SetDeadline(id, deadline) => set_deadline(db, id, *deadline)?,
        Write::Deliver(id, attempt, at) => deliver(db, id, *attempt, *at)?,
        Write::SaveDraft(id, draft, surface, at) => save_draft(db, id, draft, surface, *at)?,
        Write::Snooze(id, snooze) => set_snooze(db, id, *snooze)?,
        Write::AskAgain(id, at) => ask_again(db, id, *at)?,
        Write::TakeOver(id, caller) => take_over(db, id, caller)?,
        Write::Reopen(id, deadline, at) => reopen(db, id, *deadline, *at)?,
        Write::Show(id, surface, at) => show(db, id, surface, *at)?,
        Write::Forget(id) => {
            let mut days = Days::begin(db);
            forget(db, &mut days, id, true)?;
            days.end()?;
        }
        Write::Mute(on) => set_switch(db, MUTED, *on)?,
    }
    Ok(Written::Done)
}

fn create(db: &Connection, record: &Record) -> rusqlite::Result<Written> {
    let asker = &record.asker;
    let kept = db
        .prepare_cached(
            "INSERT INTO ask (id, asked_at, deadline_at, client, project, directory, content)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (id) DO NOTHING",
        )?
        .execute(params![
            record.id.as_str(),
            record.asked_at.0,
            record.deadline_at.map(|at| at.0),
            asker.client,
            asker.project,
            asker.directory,
            rows::content(record),
        ])?;
    if kept == 0 {
        return existing(db, &record.id);
    }
    if let Some(saved) = &record.draft {
        begin_draft(db, saved)?;
    }
    Ok(Written::Done)
}

/// The draft of the ask that was just inserted.
fn begin_draft(db: &Connection, saved: &Saved) -> rusqlite::Result<()> {
    db.prepare_cached(
        "INSERT INTO desk (row, draft, draft_by, draft_at, draft_revision)
         VALUES (last_insert_rowid(), ?1, ?2, ?3, ?4)",
    )?
    .execute(params![
        json_text(&native::Draft::from(&saved.draft)),
        saved.surface,
        saved.at.0,
        saved.revision,
    ])?;
    Ok(())
}

fn settle(
    db: &Connection,
    before: &Arc<Record>,
    settlement: &Settlement,
) -> rusqlite::Result<Written> {
    let id = before.id.as_str();
    let closed = Record {
        state: State::Closed {
            settlement: settlement.clone(),
            delivered_at: None,
        },
        ..(**before).clone()
    };
    // Only what a person says takes the place of the clock's word.
    let settled = db
        .prepare_cached(
            "UPDATE ask SET state = ?2, settlement = ?3, closed_at = ?4, delivered_at = NULL,
                            indexed = iif(indexed = 1, 2, indexed)
             WHERE id = ?1 AND (state = 'waiting' OR state = 'expired' AND ?5)",
        )?
        .execute(params![
            id,
            closed.state_word(),
            json_text(&native::Settlement::from_settlement(&closed, settlement)),
            settlement.at.0,
            settlement.outcome.is_human(),
        ])?;
    if settled == 0 {
        return existing(db, &before.id);
    }
    // What was filled in when the time passed can still be sent; where it was shown stays.
    let cleared = if settlement.outcome == Outcome::Expired {
        "UPDATE desk SET snoozed_until = NULL, back_at = NULL, asked_again_at = NULL
         WHERE row = (SELECT row FROM ask WHERE id = ?1)"
    } else {
        "UPDATE desk SET draft = NULL, draft_by = NULL, draft_at = NULL,
                         snoozed_until = NULL, back_at = NULL, asked_again_at = NULL
         WHERE row = (SELECT row FROM ask WHERE id = ?1)"
    };
    db.prepare_cached(cleared)?.execute([id])?;
    Ok(Written::Done)
}

/// The record that stands in the way of a change.
fn existing(db: &Connection, id: &AskId) -> rusqlite::Result<Written> {
    let record = rows::get(db, id.as_str())?.ok_or(rusqlite::Error::QueryReturnedNoRows)?;
    Ok(Written::Existing(Box::new(record)))
}

fn set_deadline(db: &Connection, id: &AskId, deadline: Option<Time>) -> rusqlite::Result<()> {
    db.prepare_cached("UPDATE ask SET deadline_at = ?2 WHERE id = ?1 AND state = 'waiting'")?
        .execute(params![id.as_str(), deadline.map(|at| at.0)])?;
    Ok(())
}

fn deliver(db: &Connection, id: &AskId, attempt: Option<u64>, at: Time) -> rusqlite::Result<()> {
    db.prepare_cached(
        "UPDATE ask SET delivered_at = ?2, indexed = iif(indexed = 1, 2, indexed)
         WHERE id = ?1 AND state <> 'waiting' AND delivered_at IS NULL
           AND (?3 IS NULL OR json_extract(settlement, '$.attempt') = ?3)",
    )?
    .execute(params![
        id.as_str(),
        at.0,
        // Whoever names a larger one names none that was kept.
        attempt.map(|attempt| i64::try_from(attempt).unwrap_or(i64::MAX)),
    ])?;
    Ok(())
}

fn save_draft(
    db: &Connection,
    id: &AskId,
    draft: &Draft,
    surface: &str,
    at: Time,
) -> rusqlite::Result<()> {
    db.prepare_cached(
        "INSERT INTO desk (row, draft, draft_by, draft_at, draft_revision)
         SELECT row, ?2, ?3, ?4, 1 FROM ask WHERE id = ?1 AND state IN ('waiting', 'expired')
         ON CONFLICT (row) DO UPDATE SET draft = ?2, draft_by = ?3, draft_at = ?4,
           draft_revision = draft_revision + 1",
    )?
    .execute(params![
        id.as_str(),
        json_text(&native::Draft::from(draft)),
        surface,
        at.0
    ])?;
    Ok(())
}

fn set_snooze(db: &Connection, id: &AskId, snooze: Option<Snooze>) -> rusqlite::Result<()> {
    let back_at = match snooze {
        Some(Snooze::Until(at)) => Some(at.0),
        Some(Snooze::AskedAgain) | None => None,
    };
    db.prepare_cached(
        "INSERT INTO desk (row, snoozed_until, back_at)
         SELECT row, ?2, ?3 FROM ask WHERE id = ?1 AND state = 'waiting'
         ON CONFLICT (row) DO UPDATE SET snoozed_until = ?2, back_at = ?3",
    )?
    .execute(params![
        id.as_str(),
        snooze.map(native::write_snooze),
        back_at
    ])?;
    Ok(())
}

fn ask_again(db: &Connection, id: &AskId, at: Time) -> rusqlite::Result<()> {
    db.prepare_cached(
        "INSERT INTO desk (row, asked_again_at)
         SELECT row, ?2 FROM ask WHERE id = ?1 AND state = 'waiting'
         ON CONFLICT (row) DO UPDATE SET asked_again_at = ?2",
    )?
    .execute(params![id.as_str(), at.0])?;
    Ok(())
}

/// The caller is a part of what was asked, which nothing else changes.
fn take_over(db: &Connection, id: &AskId, caller: &Caller) -> rusqlite::Result<()> {
    let Some(mut record) = rows::get(db, id.as_str())? else {
        return Ok(());
    };
    record.asker.caller = Some(caller.clone());
    db.prepare_cached("UPDATE ask SET content = ?2 WHERE id = ?1")?
        .execute(params![id.as_str(), rows::content(&record)])?;
    Ok(())
}

fn set_switch(db: &Connection, name: &str, on: bool) -> rusqlite::Result<()> {
    let sql = match on {
        true => "INSERT INTO switch (name) VALUES (?1) ON CONFLICT (name) DO NOTHING",
        false => "DELETE FROM switch WHERE name = ?1",
    };
    db.prepare_cached(sql)?.execute([name])?;
    Ok(())
}

fn show(db: &Connection, id: &AskId, surface: &str, at: Time) -> rusqlite::Result<()> {
    db.prepare_cached(
        "INSERT INTO desk (row, shown_by, shown_at)
         SELECT row, ?2, ?3 FROM ask WHERE id = ?1 AND state = 'waiting'
         ON CONFLICT (row) DO UPDATE SET shown_by = ?2, shown_at = ?3",
    )?
    .execute(params![id.as_str(), surface, at.0])?;
    Ok(())
}

/// An ask whose time has passed waits again; the search finds it once it has closed.
fn reopen(db: &Connection, id: &AskId, deadline: Option<Time>, at: Time) -> rusqlite::Result<()> {
    let expired = db
        .prepare_cached("SELECT row FROM ask WHERE id = ?1 AND state = 'expired'")?
        .query_row([id.as_str()], |row| row.get(0))
        .optional()?;
    let Some(row): Option<i64> = expired else {
        return Ok(());
    };
    let mut days = Days::begin(db);
    days.remove(row)?;
    days.end()?;
    for of_the_past in [
        "DELETE FROM found WHERE rowid = (SELECT row FROM ask WHERE row = ?1 AND indexed <> 0)",
        "DELETE FROM past WHERE row = ?1",
    ] {
        db.prepare_cached(of_the_past)?.execute([row])?;
    }
    db.prepare_cached(
        "UPDATE ask SET state = 'waiting', settlement = NULL, closed_at = NULL,
                        delivered_at = NULL, deadline_at = ?2, indexed = 0
         WHERE row = ?1",
    )?
    .execute(params![row, deadline.map(|at| at.0)])?;
    ask_again(db, id, at)
}

/// Removes a closed ask; one whose answer no agent has received only if that is meant. Whether it
/// was there.
pub(super) fn forget(
    db: &Connection,
    days: &mut Days<'_>,
    id: &AskId,
    undelivered: bool,
) -> rusqlite::Result<bool> {
    let closed = db
        .prepare_cached(
            "SELECT row, indexed <> 0 FROM ask WHERE id = ?1 AND state <> 'waiting'
             AND (?2 OR state IN ('expired', 'withdrawn') OR delivered_at IS NOT NULL)",
        )?
        .query_row(params![id.as_str(), undelivered], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .optional()?;
    let Some((row, indexed)): Option<(i64, bool)> = closed else {
        return Ok(false);
    };
    if indexed {
        days.remove(row)?;
        db.prepare_cached("DELETE FROM found WHERE rowid = ?1")?
            .execute([row])?;
    }
    db.prepare_cached("DELETE FROM ask WHERE row = ?1")?
        .execute([row])?;
    Ok(true)
}
