//! The one thread that writes. It commits a group at a time: whatever has queued
//! up while the last commit was at the disk goes with the next one, so a burst
//! costs few syncs and a single step exactly one.

mod desk;
mod merge;

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError};
use std::time::Duration;

use ask_core::lifecycle::{self, Closing};
use ask_core::record::Snooze;
use ask_core::{AskId, Draft, Fingerprint, Outcome, Record, Settlement, State, Time};
use ask_protocol::{json_text, native};
use rusqlite::{Connection, ErrorCode, params};
use tokio::sync::oneshot;

use super::{Created, Kept, Settled, StoreError, past, rows};

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
    /// Marks an outcome as delivered, of this attempt where that is known.
    Deliver(AskId, Option<u64>, Time),
    /// Keeps a half-filled form, if it was built on the last revision where that counts.
    Keep(AskId, Box<Draft>, String, Time, Option<u64>),
    /// Puts an open ask aside, or back.
    Snooze(AskId, Option<Snooze>),
    /// Notes that an ask was asked again.
    AskAgain(AskId, Time),
    /// Has an ask wait again whose time has passed, with this deadline: it was asked again.
    Reopen(AskId, Option<Time>, Time),
    /// Switches something on or off for all surfaces.
    Switch(&'static str, bool),
    /// Notes where an ask is shown.
    Show(AskId, String, Time),
    /// Notes that something about an ask changed that the store doesn't keep.
    Touch(Vec<AskId>),
    /// Removes closed asks.
    Forget(Vec<AskId>, bool),
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
            Self::Create(_)
            | Self::Settle(..)
            | Self::PutOff(..)
            | Self::Reopen(..)
            | Self::Snooze(..)
            | Self::Switch(..)
            | Self::Forget(..) => true,
            Self::AskAgain(..)
            | Self::Deliver(..)
            | Self::Keep(..)
            | Self::Show(..)
            | Self::Touch(_)
            | Self::Index => false,
        }
    }
}

/// Closed asks that wait for the search together; a search itself waits for none.
const UNINDEXED: u64 = 64;

/// So many go into the search in one step: an answer that comes meanwhile waits for no more.
pub const INDEXED_AT_ONCE: u64 = 500;

/// Up to so many rows, the words of what is forgotten are written out of the search at once; with
/// more that takes seconds, and is done bit by bit while nobody wants anything else.
const TIDIED_AT_ONCE: i64 = 20_000;

/// After so long the log is written back where somebody read before.
const ONCE_MORE: Duration = Duration::from_secs(1);
/// Most that is read of the store is read by then.
const READ_BY_THEN: Duration = Duration::from_millis(200);

/// The thread's own end of the store.
struct Writer {
    db: Connection,
    /// Whether commits are synced right now.
    synced: Option<bool>,
    /// Asks closed since the search was last brought up to date, as far as this process knows.
    unindexed: u64,
    /// Whether words of what was forgotten may still be in the file, and how many pages of the
    /// search are to be merged next, the first time with a minus.
    untidy: Option<i64>,
    /// Whether the log beside the file may still have what was forgotten.
    logged: bool,
}

/// Writes until every sender is gone.
pub fn run(db: Connection, orders: &Receiver<Order>, corrupt: &Sender<String>) {
    let mut writer = Writer {
        synced: None,
        unindexed: UNINDEXED,
        untidy: merge::is_put_off(&db).then_some(merge::PAGES),
        logged: true,
        db,
    };
    while let Some(first) = writer.next(orders) {
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
    let _ = write_back(&writer.db);
}

impl Writer {
    /// The next order; `None` at the end.
    fn next(&mut self, orders: &Receiver<Order>) -> Option<Order> {
        while self.untidy.is_some() || self.logged {
            match orders.try_recv() {
                Ok(order) => return Some(order),
                Err(TryRecvError::Disconnected) => return None,
                Err(TryRecvError::Empty) if self.untidy.is_some() => self.tidy(),
                Err(TryRecvError::Empty) => {
                    // Whoever wants something next waits for no reader.
                    self.clear_log(Duration::ZERO);
                    if self.logged {
                        match orders.recv_timeout(ONCE_MORE) {
                            Ok(order) => return Some(order),
                            Err(RecvTimeoutError::Disconnected) => return None,
                            Err(RecvTimeoutError::Timeout) => {}
                        }
                    }
                }
            }
        }
        orders.recv().ok()
    }

    /// Writes the log back, unless somebody reads for longer than this just then: it is tried again a moment later.
    fn clear_log(&mut self, patience: Duration) {
        let _ = self.db.busy_timeout(patience);
        self.logged = !write_back(&self.db).unwrap_or(false);
        let _ = self.db.busy_timeout(super::sqlite::PATIENCE);
    }

    /// Writes some more of what was forgotten out of the search.
    fn tidy(&mut self) {
        let Some(pages) = self.untidy.take() else {
            return;
        };
        // What fails now is made up for after the next start.
        if merge::some(&self.db, pages).is_ok_and(|more| more) {
            self.untidy = Some(merge::PAGES);
        }
    }

    /// Whoever hears that something was forgotten may rely on the log, too, unless much is to be tidied first.
    fn settle_log(&mut self, steps: &[&Step]) {
        if forgets(steps) && self.untidy.is_none() {
            self.clear_log(READ_BY_THEN);
        }
    }

    fn commit(&mut self, group: Vec<Order>, corrupt: &Sender<String>) {
        let steps: Vec<&Step> = group.iter().map(|order| &order.step).collect();
        match self.write(&steps) {
            Ok(done) => {
                self.settle_log(&steps);
                for (order, done) in group.into_iter().zip(done) {
                    let _ = order.reply.send(Ok(done));
                }
            }
            Err(_) => {
                for order in group {
                    let done = self.write(&[&order.step]).map(|mut done| done.remove(0));
                    if done.is_ok() {
                        self.settle_log(&[&order.step]);
                    }
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
        self.logged |= forgets(steps);
        for (step, done) in steps.iter().zip(&done) {
            match step {
                Step::Settle(..) => self.unindexed += 1,
                Step::Index if matches!(done, Done::Changed(INDEXED_AT_ONCE)) => {
                    self.unindexed = UNINDEXED;
                }
                Step::Index => self.unindexed = 0,
                Step::Forget(..) if is_large(&self.db) => self.untidy = Some(-16),
                Step::Create(_)
                | Step::PutOff(..)
                | Step::Deliver(..)
                | Step::Keep(..)
                | Step::Snooze(..)
                | Step::AskAgain(..)
                | Step::Reopen(..)
                | Step::Switch(..)
                | Step::Show(..)
                | Step::Touch(_)
                | Step::Forget(..) => {}
            }
        }
        Ok(done)
    }
}

fn forgets(steps: &[&Step]) -> bool {
    steps.iter().any(|step| matches!(step, Step::Forget(..)))
}

/// Writes what is in the log into the file and empties it; whether nobody was in the way.
fn write_back(db: &Connection) -> rusqlite::Result<bool> {
    db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| {
        row.get(0).map(|busy: i64| busy == 0)
    })
}

fn apply(db: &Connection, step: &Step) -> rusqlite::Result<Done> {
    match step {
        Step::Create(record) => create(db, record).map(Done::Created),
        Step::Settle(id, settlement) => settle(db, id, settlement).map(Done::Settled),
        Step::PutOff(id, deadline) => put_off(db, id, *deadline),
        Step::Deliver(id, told, at) => deliver(db, id, *told, *at),
        Step::Keep(id, draft, surface, at, built_on) => match built_on {
            Some(revision) if !desk::is_last(db, id, *revision)? => Ok(Done::Changed(0)),
            Some(_) | None => desk::keep(db, id, draft, surface, *at),
        },
        Step::Snooze(id, how) => desk::snooze(db, id, *how),
        Step::AskAgain(id, at) => desk::ask_again(db, id, *at),
        Step::Reopen(id, deadline, at) => desk::reopen(db, id, *deadline, *at),
        Step::Switch(name, on) => desk::switch(db, name, *on),
        Step::Show(id, surface, at) => desk::show(db, id, surface, *at),
        Step::Touch(ids) => {
            for id in ids {
                changed(db, id)?;
            }
            Ok(Done::Changed(ids.len() as u64))
        }
        Step::Forget(ids, untold) => forget(db, ids, *untold),
        Step::Index => index(db),
    }
}

fn create(db: &Connection, record: &Record) -> rusqlite::Result<Created> {
    let asker = &record.asker;
    let kept = db
        .prepare_cached(
            "INSERT INTO ask (id, asked_at, deadline_at, client, project, directory, content, fingerprint)
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
            Fingerprint::of_record(record).0,
        ])?;
    if kept == 0 {
        let existing = rows::get(db, record.id.as_str())?;
        return Ok(Created::Existing(Box::new(
            existing.ok_or(rusqlite::Error::QueryReturnedNoRows)?,
        )));
    }
    if let Some(saved) = &record.draft {
        desk::keep(db, &record.id, &saved.draft, &saved.surface, saved.at)?;
    }
    changed(db, &record.id)?;
    Ok(Created::New)
}

fn settle(db: &Connection, id: &AskId, settlement: &Settlement) -> rusqlite::Result<Settled> {
    let Some(mut record) = rows::get(db, id.as_str())? else {
        return Ok(Settled::NoSuchAsk);
    };
    match lifecycle::close(&record, settlement) {
        Closing::Again => return Ok(Settled::Again(Box::new(record))),
        Closing::TooLate => return Ok(Settled::Lost(Box::new(record))),
        Closing::Close => {}
    }
    record.state = State::Closed {
        settlement: settlement.clone(),
        delivered_at: None,
    };
    let expired = settlement.outcome == Outcome::Expired;
    if !expired {
        record.draft = None;
    }
    record.snoozed = None;
    record.asked_again = None;
    db.prepare_cached(
        "UPDATE ask SET state = ?2, settlement = ?3, closed_at = ?4, delivered_at = NULL,
                        indexed = iif(indexed = 1, 2, indexed)
         WHERE id = ?1 AND state IN ('waiting', 'expired')",
    )?
    .execute(params![
        id.as_str(),
        record.state_word(),
        json_text(&native::write_settlement(&record, settlement)),
        settlement.at.0,
    ])?;
    // What was filled in when the time passed can still be sent; where it was shown stays.
    let cleared = if expired {
        "UPDATE desk SET snoozed_until = NULL, back_at = NULL, asked_again_at = NULL
         WHERE row = (SELECT row FROM ask WHERE id = ?1)"
    } else {
        "UPDATE desk SET draft = NULL, draft_by = NULL, draft_at = NULL,
                         snoozed_until = NULL, back_at = NULL, asked_again_at = NULL
         WHERE row = (SELECT row FROM ask WHERE id = ?1)"
    };
    db.prepare_cached(cleared)?.execute([id.as_str()])?;
    changed(db, id)?;
    Ok(Settled::Won(Box::new(record)))
}

fn put_off(db: &Connection, id: &AskId, deadline: Option<Time>) -> rusqlite::Result<Done> {
    let count = db
        .prepare_cached("UPDATE ask SET deadline_at = ?2 WHERE id = ?1 AND state = 'waiting'")?
        .execute(params![id.as_str(), deadline.map(|at| at.0)])?;
    noted(db, id, count)
}

fn deliver(db: &Connection, id: &AskId, told: Option<u64>, at: Time) -> rusqlite::Result<Done> {
    if !rows::get(db, id.as_str())?.is_some_and(|record| lifecycle::may_deliver(&record, told)) {
        return Ok(Done::Changed(0));
    }
    let count = db
        .prepare_cached(
            "UPDATE ask SET delivered_at = ?2, indexed = iif(indexed = 1, 2, indexed)
             WHERE id = ?1 AND state <> 'waiting' AND delivered_at IS NULL",
        )?
        .execute(params![id.as_str(), at.0])?;
    noted(db, id, count)
}

/// What a person has said since it was looked at stays: no agent was told.
fn forget(db: &Connection, ids: &[AskId], untold: bool) -> rusqlite::Result<Done> {
    let over = format!("id = ?1 AND state <> 'waiting' AND (?2 OR {})", past::TOLD);
    let (found, asked) = (
        format!(
            "DELETE FROM found WHERE rowid = (SELECT row FROM ask WHERE {over} AND indexed <> 0)"
        ),
        format!("DELETE FROM ask WHERE {over}"),
    );
    let mut count = 0;
    if is_large(db) {
        merge::put_off(db, true)?;
    }
    for id in ids {
        db.prepare_cached(&found)?
            .execute(params![id.as_str(), untold])?;
        let removed = db
            .prepare_cached(&asked)?
            .execute(params![id.as_str(), untold])?;
        noted(db, id, removed)?;
        count += removed as u64;
    }
    // The index only marks what it forgets; merging it writes the words out of the file.
    if !is_large(db) {
        db.execute("INSERT INTO found (found) VALUES ('optimize')", [])?;
    }
    Ok(Done::Changed(count))
}

fn is_large(db: &Connection) -> bool {
    let newest = db.query_row("SELECT coalesce(max(row), 0) FROM ask", [], |row| {
        row.get::<_, i64>(0)
    });
    newest.is_ok_and(|newest| newest > TIDIED_AT_ONCE)
}

/// Lets the search find whatever has closed since the last time.
fn index(db: &Connection) -> rusqlite::Result<Done> {
    let sql = format!(
        "SELECT {}, ask.row FROM {} WHERE ask.state <> 'waiting' AND ask.indexed <> 1
         ORDER BY ask.row LIMIT {INDEXED_AT_ONCE}",
        rows::COLUMNS,
        rows::TABLES
    );
    let closed: Vec<(i64, Record)> = db
        .prepare_cached(&sql)?
        .query_map([], |row| Ok((row.get(rows::COUNT)?, rows::record_of(row)?)))?
        .collect::<rusqlite::Result<_>>()?;
    for (row, record) in &closed {
        past::keep(db, *row, record)?;
        db.prepare_cached("UPDATE ask SET indexed = 1 WHERE row = ?1")?
            .execute([row])?;
    }
    Ok(Done::Changed(closed.len() as u64))
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
