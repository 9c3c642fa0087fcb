//! The one thread that writes. It commits a group at a time: whatever has queued up while the last
//! commit was at the disk goes with the next one, so a burst costs few syncs and a single change
//! exactly one. What nobody waits for is done in small slices while nothing is queued.

mod apply;
mod maintenance;

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError};
use std::time::{Duration, Instant};

use ask_core::{AskId, Write, Written};
use rusqlite::{Connection, ErrorCode, OptionalExtension};

use super::{Kept, StoreError, rows, search};
pub(crate) use apply::MUTED;

/// What is done once the writing thread knows what became of an order. Runs on that thread.
pub type Then<T> = Box<dyn FnOnce(Kept<T>) + Send>;

/// What the thread is to do, and what came of it.
pub struct Order {
    task: Task,
    /// Where it couldn't be done.
    failed: Option<StoreError>,
}

enum Task {
    /// Changes to asks: all or none.
    Persist(Vec<Write>, Option<Written>, Then<Written>),
    /// Removes closed asks, as many of them as fit in a slice. Those whose answers no agent has
    /// received stay, unless that is meant.
    Remove(Vec<AskId>, bool, Removed, Then<Removed>),
    /// Remembers or forgets lines of the state that belongs to no ask.
    Note(Vec<Note>, Then<()>),
    /// Lets the search find what has closed, as much as fits in a slice; whether that was all.
    Index(bool, Then<bool>),
}

/// A line of state: its key, and its value or that it goes.
pub type Note = (String, Option<String>);

/// What became of asks that were to be removed.
#[derive(Debug, Default)]
pub struct Removed {
    /// How many were looked at: the first ones. The others are for the next slice.
    pub done: usize,
    /// Those of them that are gone.
    pub gone: Vec<AskId>,
}

/// More orders than this wait for the next commit.
const GROUP: usize = 512;

/// So long the thread may be busy with what nobody waits for: an ask that comes meanwhile waits for
/// no more.
const SLICE: Duration = Duration::from_millis(4);

/// Closed asks wait for the search until nothing has been written for so long, or until there are so
/// many of them.
const QUIET: Duration = Duration::from_millis(50);
const UNINDEXED: u64 = 64;

/// A stretch of work that nobody waits for.
struct Slice(Instant);

impl Slice {
    #[expect(
        clippy::disallowed_methods,
        reason = "how long work takes has nothing to do with the time that a test fixes"
    )]
    fn begin() -> Self {
        Self(Instant::now())
    }

    fn is_over(&self) -> bool {
        self.0.elapsed() > SLICE
    }
}

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
    /// About how many closed asks the search doesn't find, or not as they are by now.
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
        // Whatever the last process left.
        unindexed: UNINDEXED,
        untidy: maintenance::is_put_off(&db).then_some(maintenance::PAGES),
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
        writer.commit(group, corrupt);
    }
    // Ends with the log written back, so that the file alone is the whole store.
    let _ = write_back(&writer.db);
}

impl Writer {
    /// The next order; `None` at the end. Does what nobody waits for until it comes.
    fn next(&mut self, orders: &Receiver<Order>) -> Option<Order> {
        loop {
            let wait = if self.untidy.is_some() || self.unindexed >= UNINDEXED {
                Duration::ZERO
            } else if self.unindexed > 0 {
                QUIET
            } else if self.logged {
                // Whoever wants something next waits for no reader.
                match orders.try_recv() {
                    Ok(order) => return Some(order),
                    Err(TryRecvError::Disconnected) => return None,
                    Err(TryRecvError::Empty) => self.clear_log(Duration::ZERO),
                }
                match self.logged {
                    true => ONCE_MORE,
                    false => continue,
                }
            } else {
                return orders.recv().ok();
            };
            match orders.recv_timeout(wait) {
                Ok(order) => return Some(order),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) if self.untidy.is_some() => self.tidy(),
                Err(RecvTimeoutError::Timeout) if self.unindexed > 0 => {
                    // What fails now is made up for by the next time.
                    let all = self.index().unwrap_or(true);
                    self.unindexed = if all { 0 } else { UNINDEXED };
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
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
        if maintenance::some(&self.db, pages).is_ok_and(|more| more) {
            self.untidy = Some(maintenance::PAGES);
        }
    }

    /// Lets the search find some more of what has closed; whether that was all.
    fn index(&mut self) -> rusqlite::Result<bool> {
        self.sync(false)?;
        let transaction = self
            .db
            .transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let all = index(&transaction)?;
        transaction.commit()?;
        Ok(all)
    }

    /// Has the next commits wait for the disk, or not.
    fn sync(&mut self, durable: bool) -> rusqlite::Result<()> {
        if self.synced != Some(durable) {
            let mode = if durable { "FULL" } else { "NORMAL" };
            self.db.pragma_update(None, "synchronous", mode)?;
            self.synced = Some(durable);
        }
        Ok(())
    }

    fn commit(&mut self, mut group: Vec<Order>, corrupt: &Sender<String>) {
        if self.write(&mut group).is_err() {
            // None pays for another's failure: each is tried again by itself.
            for order in &mut group {
                if let Err(error) = self.write(std::slice::from_mut(order)) {
                    let error = failure(&error);
                    if let StoreError::Corrupt(problem) = &error {
                        let _ = corrupt.send(problem.clone());
                    }
                    order.failed = Some(error);
                }
            }
        }
        self.settle_log(&group);
        for order in group {
            order.tell();
        }
    }

    fn write(&mut self, orders: &mut [Order]) -> rusqlite::Result<()> {
        self.sync(orders.iter().any(Order::is_durable))?;
        let transaction = self
            .db
            .transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        for order in &mut *orders {
            order.carry_out(&transaction)?;
        }
        transaction.commit()?;
        let forgets = orders.iter().any(Order::forgets);
        self.logged |= forgets;
        self.unindexed += orders.iter().map(Order::closes).sum::<u64>();
        if forgets && is_large(&self.db) {
            self.untidy = Some(-16);
        }
        Ok(())
    }

    /// Whoever hears that something was forgotten may rely on the log, too, unless much is to be tidied first.
    fn settle_log(&mut self, orders: &[Order]) {
        let forgets = |order: &Order| order.failed.is_none() && order.forgets();
        if orders.iter().any(forgets) && self.untidy.is_none() {
            self.clear_log(READ_BY_THEN);
        }
    }
}

impl Order {
    fn new(task: Task) -> Self {
        let failed = None;
        Self { task, failed }
    }

    pub fn persist(writes: Vec<Write>, then: Then<Written>) -> Self {
        Self::new(Task::Persist(writes, None, then))
    }

    pub fn remove(ids: Vec<AskId>, undelivered: bool, then: Then<Removed>) -> Self {
        Self::new(Task::Remove(ids, undelivered, Removed::default(), then))
    }

    pub fn note(notes: Vec<Note>, then: Then<()>) -> Self {
        Self::new(Task::Note(notes, then))
    }

    pub fn index(then: Then<bool>) -> Self {
        Self::new(Task::Index(false, then))
    }

    /// Whether it must survive a power loss before anybody hears of it.
    fn is_durable(&self) -> bool {
        match &self.task {
            Task::Persist(writes, ..) => writes.iter().any(Write::is_durable),
            Task::Remove(..) => true,
            Task::Note(..) | Task::Index(..) => false,
        }
    }

    fn forgets(&self) -> bool {
        match &self.task {
            Task::Persist(writes, ..) => {
                writes.iter().any(|write| matches!(write, Write::Forget(_)))
            }
            Task::Remove(..) => true,
            Task::Note(..) | Task::Index(..) => false,
        }
    }

    /// How many asks the search finds after it, or finds as something else.
    fn closes(&self) -> u64 {
        let closes = |write: &&Write| matches!(write, Write::Settle(..) | Write::Deliver(..));
        match &self.task {
            Task::Persist(writes, ..) => writes.iter().filter(closes).count() as u64,
            Task::Remove(..) | Task::Note(..) | Task::Index(..) => 0,
        }
    }

    fn carry_out(&mut self, db: &Connection) -> rusqlite::Result<()> {
        let forgets = self.forgets();
        if forgets && is_large(db) {
            maintenance::put_off(db, true)?;
        }
        match &mut self.task {
            Task::Persist(writes, written, _) => *written = Some(persist(db, writes)?),
            Task::Remove(ids, undelivered, removed, _) => {
                *removed = remove(db, ids, *undelivered)?;
            }
            Task::Note(notes, _) => note(db, notes)?,
            Task::Index(all, _) => *all = index(db)?,
        }
        // The index only marks what it forgets; merging it writes the words out of the file.
        if forgets && !is_large(db) {
            db.execute("INSERT INTO found (found) VALUES ('optimize')", [])?;
        }
        Ok(())
    }

    fn tell(self) {
        let failed = self.failed;
        match self.task {
            Task::Persist(_, written, then) => then(told(failed, written)),
            Task::Remove(_, _, removed, then) => then(told(failed, Some(removed))),
            Task::Note(_, then) => then(told(failed, Some(()))),
            Task::Index(all, then) => then(told(failed, Some(all))),
        }
    }
}

fn told<T>(failed: Option<StoreError>, done: Option<T>) -> Kept<T> {
    match failed {
        Some(error) => Err(error),
        None => done.ok_or(StoreError::Closed),
    }
}

/// Changes of one order. A conflict is met by its first change alone, before anything was written.
fn persist(db: &Connection, writes: &[Write]) -> rusqlite::Result<Written> {
    for write in writes {
        if let existing @ Written::Existing(_) = apply::apply(db, write)? {
            return Ok(existing);
        }
    }
    Ok(Written::Done)
}

fn remove(db: &Connection, ids: &[AskId], undelivered: bool) -> rusqlite::Result<Removed> {
    let slice = Slice::begin();
    let mut removed = Removed::default();
    for id in ids {
        if removed.done > 0 && slice.is_over() {
            break;
        }
        removed.done += 1;
        if apply::forget(db, id, undelivered)? {
            removed.gone.push(id.clone());
        }
    }
    Ok(removed)
}

fn note(db: &Connection, notes: &[Note]) -> rusqlite::Result<()> {
    for (key, value) in notes {
        match value {
            Some(value) => db
                .prepare_cached(
                    "INSERT INTO note (key, value) VALUES (?1, ?2)
                     ON CONFLICT (key) DO UPDATE SET value = ?2",
                )?
                .execute([key, value])?,
            None => db
                .prepare_cached("DELETE FROM note WHERE key = ?1")?
                .execute([key])?,
        };
    }
    Ok(())
}

/// Writes what is in the log into the file and empties it; whether nobody was in the way.
fn write_back(db: &Connection) -> rusqlite::Result<bool> {
    db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| {
        row.get(0).map(|busy: i64| busy == 0)
    })
}

fn is_large(db: &Connection) -> bool {
    let newest = db.query_row("SELECT coalesce(max(row), 0) FROM ask", [], |row| {
        row.get::<_, i64>(0)
    });
    newest.is_ok_and(|newest| newest > TIDIED_AT_ONCE)
}

/// Lets the search find what has closed since the last time, as much as fits in a slice; whether
/// that was all.
fn index(db: &Connection) -> rusqlite::Result<bool> {
    let slice = Slice::begin();
    let sql = format!(
        "SELECT ask.row, {} FROM {} WHERE ask.state <> 'waiting' AND ask.indexed <> 1
         ORDER BY ask.row LIMIT 1",
        rows::COLUMNS,
        rows::TABLES
    );
    let mut next = db.prepare_cached(&sql)?;
    loop {
        let found = next.query_row([], |row| Ok((row.get(0)?, rows::record_at(row, 1))));
        let Some((row, record)) = found.optional()? else {
            return Ok(true);
        };
        // A row that can't be read has no words to be found by.
        if let Ok(record) = record {
            search::keep(db, row, &record)?;
        }
        db.prepare_cached("UPDATE ask SET indexed = 1 WHERE row = ?1")?
            .execute([row])?;
        if slice.is_over() {
            return Ok(false);
        }
    }
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
