//! Applies changes to the rows. Each does to the rows what [`Write::apply`] does to a record. The
//! engine has validated the change against the record, so a change is written without reading the
//! row first. The exceptions are rare: another caller takes an ask over, or an expired ask reopens.

use std::sync::Arc;

use ask_core::record::{Saved, Snooze, TakenBack};
use ask_core::{AskId, Caller, Draft, Outcome, Record, Settlement, State, Time, Write, Written};
use ask_protocol::{json_text, native};
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::days::DayCountUpdates;
use crate::rows;

/// The name of the switch that mutes notifications.
pub(crate) const MUTED: &str = "muted";

/// Applies a change. Returns [`Written::Existing`] if the store has the ask in a state that rules
/// the change out.
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
        Write::SeeCaller(id, at) => store_time(db, id, "caller_seen_at", *at)?,
        Write::SeeAgent(id, at) => store_time(db, id, "agent_seen_at", *at)?,
        Write::TakeBack(id, taken_back, form, deadline) => {
            take_back(db, id, (taken_back, form), *deadline)?;
        }
        Write::Show(id, surface, at) => show(db, id, surface, *at)?,
        Write::Forget(id) => {
            let mut days = DayCountUpdates::begin(db);
            forget(db, &mut days, id, true)?;
            days.finish()?;
        }
        Write::Mute(on) => set_switch(db, MUTED, *on)?,
    }
    Ok(Written::Done)
}

fn create(db: &Connection, record: &Record) -> rusqlite::Result<Written> {
    let asker = &record.asker;
    let inserted = db
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
    if inserted == 0 {
        return existing(db, &record.id);
    }
    if record.draft.is_some() || record.earlier_answer.is_some() {
        insert_forms(db, record)?;
    }
    if let Some(at) = record.caller_seen {
        store_time(db, &record.id, "caller_seen_at", at)?;
    }
    Ok(Written::Done)
}

/// Inserts the draft and the offered answer of the ask that was just inserted.
fn insert_forms(db: &Connection, record: &Record) -> rusqlite::Result<()> {
    let form = |draft| json_text(&native::Draft::from(draft));
    let saved = record.draft.as_ref();
    let earlier = record.earlier_answer.as_ref();
    db.prepare_cached(
        "INSERT INTO desk (row, draft, draft_by, draft_at, draft_revision,
                           earlier_answer, earlier_answer_at)
         VALUES (last_insert_rowid(), ?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute(params![
        saved.map(|saved| form(&saved.draft)),
        saved.map(|saved| &saved.surface),
        saved.map(|saved| saved.at.0),
        saved.map_or(0, |saved| saved.revision),
        earlier.map(|earlier| form(&earlier.draft)),
        earlier.map(|earlier| earlier.at.0),
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
    // An expiry may be replaced by the outcome that a person chose, and by nothing else.
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
    // The form stays: an outcome that was taken back gives it back, and what wasn't sent is still there.
    // After an expiry the person can still take the offered answer.
    let cleared = if settlement.outcome == Outcome::Expired {
        "UPDATE desk SET snoozed_until = NULL, back_at = NULL, asked_again_at = NULL
         WHERE row = (SELECT row FROM ask WHERE id = ?1)"
    } else {
        "UPDATE desk SET earlier_answer = NULL, earlier_answer_at = NULL,
                         snoozed_until = NULL, back_at = NULL, asked_again_at = NULL
         WHERE row = (SELECT row FROM ask WHERE id = ?1)"
    };
    db.prepare_cached(cleared)?.execute([id])?;
    Ok(Written::Done)
}

/// Returns the stored record that conflicts with a change.
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
        // No larger attempt was ever stored, so the clamped value matches none either.
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

/// The caller is part of the JSON in `content`, so the record is read and written again. Nothing
/// else changes `content`.
fn take_over(db: &Connection, id: &AskId, caller: &Caller) -> rusqlite::Result<()> {
    let Some(mut record) = rows::get(db, id.as_str())? else {
        return Ok(());
    };
    record.asker.caller = Some(caller.clone());
    db.prepare_cached("UPDATE ask SET content = ?2 WHERE id = ?1")?
        .execute(params![id.as_str(), rows::content(&record)])?;
    db.prepare_cached(
        "UPDATE desk SET agent_seen_at = NULL
         WHERE row = (SELECT row FROM ask WHERE id = ?1)",
    )?
    .execute([id.as_str()])?;
    Ok(())
}

/// Stores a time in a column of the ask's desk.
fn store_time(db: &Connection, id: &AskId, column: &str, at: Time) -> rusqlite::Result<()> {
    db.prepare_cached(&format!(
        "INSERT INTO desk (row, {column}) SELECT row, ?2 FROM ask WHERE id = ?1
         ON CONFLICT (row) DO UPDATE SET {column} = ?2"
    ))?
    .execute(params![id.as_str(), at.0])?;
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

/// Opens an expired ask again, because it was asked again.
fn reopen(db: &Connection, id: &AskId, deadline: Option<Time>, at: Time) -> rusqlite::Result<()> {
    if open_again(db, id, "expired", deadline)?.is_some() {
        ask_again(db, id, at)?;
    }
    Ok(())
}

/// Opens an ask again whose outcome no agent has, and removes it from the history. The outcome is
/// kept beside it, and the form is stored as the draft.
fn take_back(
    db: &Connection,
    id: &AskId,
    (taken_back, form): (&TakenBack, &Saved),
    deadline: Option<Time>,
) -> rusqlite::Result<()> {
    let word = taken_back.settlement.outcome.word();
    let Some(row) = open_again(db, id, word, deadline)? else {
        return Ok(());
    };
    let Some(record) = rows::get(db, id.as_str())? else {
        return Ok(());
    };
    let kept = rows::taken_back(&record, taken_back);
    db.prepare_cached(
        "INSERT INTO desk (row, draft, draft_by, draft_at, draft_revision, taken_back)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         ON CONFLICT (row) DO UPDATE SET draft = ?2, draft_by = ?3, draft_at = ?4,
           draft_revision = ?5, taken_back = ?6",
    )?
    .execute(params![
        row,
        json_text(&native::Draft::from(&form.draft)),
        form.surface,
        form.at.0,
        form.revision,
        kept,
    ])?;
    Ok(())
}

/// Opens an ask again that was closed with this word and whose outcome no agent has, with another
/// deadline. It is removed from the history, and indexed again when it closes. Returns its row if it
/// was closed so.
fn open_again(
    db: &Connection,
    id: &AskId,
    word: &str,
    deadline: Option<Time>,
) -> rusqlite::Result<Option<i64>> {
    let closed = db
        .prepare_cached(
            "SELECT row FROM ask
             WHERE id = ?1 AND state = ?2 AND (state = 'expired' OR delivered_at IS NULL)",
        )?
        .query_row([id.as_str(), word], |row| row.get(0))
        .optional()?;
    let Some(row): Option<i64> = closed else {
        return Ok(None);
    };
    let mut days = DayCountUpdates::begin(db);
    days.remove(row)?;
    days.finish()?;
    for deletion in [
        "DELETE FROM found WHERE rowid = (SELECT row FROM ask WHERE row = ?1 AND indexed <> 0)",
        "DELETE FROM past WHERE row = ?1",
    ] {
        db.prepare_cached(deletion)?.execute([row])?;
    }
    db.prepare_cached(
        "UPDATE ask SET state = 'waiting', settlement = NULL, closed_at = NULL,
                        delivered_at = NULL, deadline_at = ?2, indexed = 0
         WHERE row = ?1",
    )?
    .execute(params![row, deadline.map(|at| at.0)])?;
    Ok(Some(row))
}

/// Removes a closed ask and returns whether there was one to remove. An answer that no agent has
/// received is removed only if `undelivered` is set.
pub(super) fn forget(
    db: &Connection,
    days: &mut DayCountUpdates<'_>,
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
