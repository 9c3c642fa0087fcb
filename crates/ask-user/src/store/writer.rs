//! The one thread that writes. It commits a group at a time: whatever has queued
//! up while the last commit was at the disk goes with the next one, so a burst
//! costs few syncs and a single step exactly one.

use std::sync::mpsc::{Receiver, Sender};

use ask_core::dialect::{form, json_text};
use ask_core::lifecycle::{self, Closing};
use ask_core::{AskId, Draft, Record, Settlement, State, Time};
use rusqlite::{Connection, ErrorCode, params};
use tokio::sync::oneshot;

use super::{Created, Kept, Settled, StoreError, rows};

/// One change to the store, as a value: a group that fails is undone and its
/// steps are tried again one by one, so that none pays for another's failure.
#[derive(Debug)]
pub enum Step {
    /// Keeps a new ask.
    Create(Box<Record>),
    /// Closes an ask.
    Settle(AskId, Box<Settlement>),
    /// Moves an open ask's deadline.
    PutOff(AskId, Option<Time>),
    /// Marks an outcome as delivered.
    Deliver(AskId, Time),
    /// Keeps a half-filled form.
    Keep(AskId, Box<Draft>, String, Time),
    /// Notes where an ask is shown.
    Show(AskId, String, Time),
    /// Notes that something about an ask changed that the store doesn't keep.
    Touch(Vec<AskId>),
    /// Removes closed asks.
    Forget(Vec<AskId>),
    /// Brings the search up to date.
    Index,
}

/// What became of a step.
#[derive(Debug)]
pub enum Done {
    /// Of [`Step::Create`].
    Created(Created),
    /// Of [`Step::Settle`].
    Settled(Settled),
    /// Of the others: how many asks it was about.
    Changed(u64),
}

/// A step and who wants to know of it.
#[derive(Debug)]
pub struct Order {
    /// What to do.
    pub step: Step,
    /// Whom to tell once it is kept.
    pub reply: oneshot::Sender<Kept<Done>>,
}

/// More steps than this wait for the next commit.
const GROUP: usize = 512;

impl Step {
    /// Whether it must survive a power loss before anybody hears of it. Drafts and
    /// marks only have to survive the hub, and never make an answer wait for the disk.
    fn is_durable(&self) -> bool {
        match self {
            Self::Create(_) | Self::Settle(..) | Self::PutOff(..) | Self::Forget(_) => true,
            Self::Deliver(..) | Self::Keep(..) | Self::Show(..) | Self::Touch(_) | Self::Index => {
                false
            }
        }
    }
}

/// Closed asks that wait for the search together; a search itself waits for none.
const UNINDEXED: u64 = 64;

/// The thread's own end of the store.
struct Writer {
    db: Connection,
    /// Whether commits are synced right now.
    synced: Option<bool>,
    /// Asks closed since the search was last brought up to date, as far as this process knows.
    unindexed: u64,
}

/// Writes until every sender is gone.
pub fn run(db: Connection, orders: &Receiver<Order>, corrupt: &Sender<String>) {
    let mut writer = Writer {
        db,
        synced: None,
        unindexed: UNINDEXED,
    };
    while let Ok(first) = orders.recv() {
        let mut group = vec![first];
        while group.len() < GROUP {
            match orders.try_recv() {
                Ok(order) => group.push(order),
                Err(_) => break,
            }
        }
        let full = group.len() == GROUP;
        writer.commit(group, corrupt);
        if !full && writer.unindexed >= UNINDEXED {
            // Nobody waits for it, and what fails now is made up for by the next time.
            let _ = writer.write(&[&Step::Index]);
        }
    }
    // Ends with the log written back, so that the file alone is the whole store.
    let _ = writer.db.execute_batch("PRAGMA wal_checkpoint(TRUNCATE);");
}

impl Writer {
    fn commit(&mut self, group: Vec<Order>, corrupt: &Sender<String>) {
        let steps: Vec<&Step> = group.iter().map(|order| &order.step).collect();
        match self.write(&steps) {
            Ok(done) => {
                for (order, done) in group.into_iter().zip(done) {
                    let _ = order.reply.send(Ok(done));
                }
            }
            Err(_) => {
                for order in group {
                    let done = self.write(&[&order.step]).map(|mut done| done.remove(0));
                    let done = done.map_err(|error| failure(&error));
                    if let Err(StoreError::Corrupt(problem)) = &done {
                        let _ = corrupt.send(problem.clone());
                    }
                    let _ = order.reply.send(done);
                }
            }
        }
    }

    fn write(&mut self, steps: &[&Step]) -> rusqlite::Result<Vec<Done>> {
        let durable = steps.iter().any(|step| step.is_durable());
        if self.synced != Some(durable) {
            let mode = if durable { "FULL" } else { "NORMAL" };
            self.db.pragma_update(None, "synchronous", mode)?;
            self.synced = Some(durable);
        }
        let transaction = self
            .db
            .transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let mut done = Vec::with_capacity(steps.len());
        for step in steps {
            done.push(apply(&transaction, step)?);
        }
        transaction.commit()?;
        for step in steps {
            match step {
                Step::Settle(..) => self.unindexed += 1,
                Step::Index => self.unindexed = 0,
                Step::Create(_)
                | Step::PutOff(..)
                | Step::Deliver(..)
                | Step::Keep(..)
                | Step::Show(..)
                | Step::Touch(_)
                | Step::Forget(_) => {}
            }
        }
        Ok(done)
    }
}

fn apply(db: &Connection, step: &Step) -> rusqlite::Result<Done> {
    match step {
        Step::Create(record) => create(db, record).map(Done::Created),
        Step::Settle(id, settlement) => settle(db, id, settlement).map(Done::Settled),
        Step::PutOff(id, deadline) => put_off(db, id, *deadline),
        Step::Deliver(id, at) => deliver(db, id, *at),
        Step::Keep(id, draft, surface, at) => keep(db, id, draft, surface, *at),
        Step::Show(id, surface, at) => show(db, id, surface, *at),
        Step::Touch(ids) => {
            for id in ids {
                changed(db, id)?;
            }
            Ok(Done::Changed(ids.len() as u64))
        }
        Step::Forget(ids) => forget(db, ids),
        Step::Index => index(db),
    }
}

fn create(db: &Connection, record: &Record) -> rusqlite::Result<Created> {
    let asker = &record.asker;
    let kept = db
        .prepare_cached(
            "INSERT INTO ask (id, asked_at, deadline_at, client, project, directory, content, likeness)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (id) DO NOTHING",
        )?
        .execute(params![
            record.id.as_str(),
            record.asked_at.0,
            record.deadline_at.map(|at| at.0),
            asker.client,
            asker.project,
            asker.directory,
            rows::content(record),
            lifecycle::likeness(record),
        ])?;
    if kept == 0 {
        let existing = rows::get(db, record.id.as_str())?;
        return Ok(Created::Existing(Box::new(
            existing.ok_or(rusqlite::Error::QueryReturnedNoRows)?,
        )));
    }
    if let Some(saved) = &record.draft {
        keep(db, &record.id, &saved.draft, &saved.surface, saved.at)?;
    }
    changed(db, &record.id)?;
    Ok(Created::New)
}

fn settle(db: &Connection, id: &AskId, settlement: &Settlement) -> rusqlite::Result<Settled> {
    let Some(mut record) = rows::get(db, id.as_str())? else {
        return Ok(Settled::NoSuchAsk);
    };
    match lifecycle::close(&record, settlement) {
        Closing::Again => return Ok(Settled::Won(Box::new(record))),
        Closing::TooLate => return Ok(Settled::Lost(Box::new(record))),
        Closing::Close => {}
    }
    record.state = State::Closed {
        settlement: settlement.clone(),
        delivered_at: None,
    };
    record.draft = None;
    db.prepare_cached(
        "UPDATE ask SET state = ?2, settlement = ?3 WHERE id = ?1 AND state = 'waiting'",
    )?
    .execute(params![
        id.as_str(),
        record.state_word(),
        json_text(&form::write_settlement(&record, settlement)),
    ])?;
    db.prepare_cached("DELETE FROM desk WHERE row = (SELECT row FROM ask WHERE id = ?1)")?
        .execute([id.as_str()])?;
    changed(db, id)?;
    Ok(Settled::Won(Box::new(record)))
}

fn put_off(db: &Connection, id: &AskId, deadline: Option<Time>) -> rusqlite::Result<Done> {
    let count = db
        .prepare_cached("UPDATE ask SET deadline_at = ?2 WHERE id = ?1 AND state = 'waiting'")?
        .execute(params![id.as_str(), deadline.map(|at| at.0)])?;
    noted(db, id, count)
}

fn deliver(db: &Connection, id: &AskId, at: Time) -> rusqlite::Result<Done> {
    let count = db
        .prepare_cached(
            "UPDATE ask SET delivered_at = ?2
             WHERE id = ?1 AND state <> 'waiting' AND delivered_at IS NULL",
        )?
        .execute(params![id.as_str(), at.0])?;
    noted(db, id, count)
}

fn keep(
    db: &Connection,
    id: &AskId,
    draft: &Draft,
    surface: &str,
    at: Time,
) -> rusqlite::Result<Done> {
    let count = db
        .prepare_cached(
            "INSERT INTO desk (row, draft, draft_by, draft_at)
             SELECT row, ?2, ?3, ?4 FROM ask WHERE id = ?1 AND state = 'waiting'
             ON CONFLICT (row) DO UPDATE SET draft = ?2, draft_by = ?3, draft_at = ?4",
        )?
        .execute(params![
            id.as_str(),
            json_text(&form::write_draft(draft)),
            surface,
            at.0
        ])?;
    noted(db, id, count)
}

fn show(db: &Connection, id: &AskId, surface: &str, at: Time) -> rusqlite::Result<Done> {
    let count = db
        .prepare_cached(
            "INSERT INTO desk (row, shown_by, shown_at)
             SELECT row, ?2, ?3 FROM ask WHERE id = ?1 AND state = 'waiting'
             ON CONFLICT (row) DO UPDATE SET shown_by = ?2, shown_at = ?3",
        )?
        .execute(params![id.as_str(), surface, at.0])?;
    noted(db, id, count)
}

fn forget(db: &Connection, ids: &[AskId]) -> rusqlite::Result<Done> {
    let mut count = 0;
    for id in ids {
        db.prepare_cached(
            "DELETE FROM found WHERE rowid =
               (SELECT row FROM ask WHERE id = ?1 AND state <> 'waiting' AND indexed = 1)",
        )?
        .execute([id.as_str()])?;
        let removed = db
            .prepare_cached("DELETE FROM ask WHERE id = ?1 AND state <> 'waiting'")?
            .execute([id.as_str()])?;
        noted(db, id, removed)?;
        count += removed as u64;
    }
    // The index only marks what it forgets; merging it writes the words out of the file.
    db.execute("INSERT INTO found (found) VALUES ('optimize')", [])?;
    Ok(Done::Changed(count))
}

/// Lets the search find whatever has closed since the last time.
fn index(db: &Connection) -> rusqlite::Result<Done> {
    let sql = format!(
        "SELECT {}, ask.row FROM {} WHERE ask.state <> 'waiting' AND ask.indexed = 0 ORDER BY ask.row",
        rows::COLUMNS,
        rows::TABLES
    );
    let mut count = 0;
    let mut statement = db.prepare_cached(&sql)?;
    let mut closed = statement.query([])?;
    while let Some(row) = closed.next()? {
        let words = rows::words(&rows::record_of(row)?);
        db.prepare_cached("INSERT INTO found (rowid, words) VALUES (?1, ?2)")?
            .execute(params![row.get::<_, i64>(9)?, words])?;
        count += 1;
    }
    db.prepare_cached("UPDATE ask SET indexed = 1 WHERE state <> 'waiting' AND indexed = 0")?
        .execute([])?;
    Ok(Done::Changed(count))
}

fn noted(db: &Connection, id: &AskId, count: usize) -> rusqlite::Result<Done> {
    if count > 0 {
        changed(db, id)?;
    }
    Ok(Done::Changed(count as u64))
}

fn changed(db: &Connection, id: &AskId) -> rusqlite::Result<()> {
    db.prepare_cached("INSERT INTO change (id) VALUES (?1)")?
        .execute([id.as_str()])?;
    Ok(())
}

/// What a failure of SQLite means to those who ask.
pub fn failure(error: &rusqlite::Error) -> StoreError {
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
            StoreError::Corrupt(error.to_string())
        }
        _ => StoreError::Unavailable(error.to_string()),
    }
}
