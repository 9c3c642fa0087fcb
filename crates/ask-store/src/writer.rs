//! The one thread that writes. It commits a group at a time: whatever has queued up while the last
//! commit was at the disk goes with the next one, so a burst costs few syncs and a single change
//! exactly one. What nobody waits for is done in small slices while nothing is queued, each followed
//! by a pause, and under load without an end once in a while.

mod apply;
mod checkpoint;
mod log_space;
mod search_merge;

use std::collections::VecDeque;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use ask_core::{AskId, Write, Written};
use rusqlite::{Connection, ErrorCode, OptionalExtension};

use super::days::Days;
use super::high_water::HighWater;
use super::{StoreError, StoreResult, rows, search};
pub(crate) use apply::MUTED;
use checkpoint::Checkpoints;
use log_space::LogSpace;

/// What is done once the writing thread knows what became of an order. Runs on that thread.
pub type Then<T> = Box<dyn FnOnce(StoreResult<T>) + Send>;

/// What the thread is to do, and what came of it.
pub struct Order {
    task: Task,
    /// Where it couldn't be done.
    failed: Option<StoreError>,
}

enum Task {
    /// Changes to asks: all or none.
    Persist(Vec<Write>, Option<Written>, Then<Written>),
    /// Removes closed asks, slice by slice, while nothing else is to be written; which are gone. Those
    /// whose answers no agent has received stay, unless that is meant.
    Remove(Removal, Then<Vec<AskId>>),
    /// Remembers or forgets lines of the state that belongs to no ask.
    Note(Vec<Note>, Then<()>),
    /// Lets the search find what has closed, as much as fits in a slice; whether that was all.
    Index(bool, Then<bool>),
}

/// A line of state: its key, and its value or that it goes.
pub type Note = (String, Option<String>);

/// Asks that are to be removed, and what has become of them.
struct Removal {
    ids: Vec<AskId>,
    undelivered: bool,
    /// How many were looked at: the first ones.
    done: usize,
    gone: Vec<AskId>,
}

/// More orders than this wait for the next commit.
const GROUP: usize = 512;

/// So long the thread may be busy with what nobody waits for, and a little more to commit it: an ask
/// that comes meanwhile waits for no more.
const SLICE: Duration = Duration::from_millis(3);

/// While agents ask, pauses between slices are so many times as long as the slices: most asks then
/// meet none.
const PAUSES: u32 = 2;
/// They do so if something was written within this time.
const LATELY: Duration = Duration::from_secs(1);
/// No slice begins so soon after a commit: the hub and its clients now need the processor to pass on
/// what was committed, and their next request may come at once.
const GRACE: Duration = Duration::from_millis(5);
/// While orders never stop, urgent slices run this often, in front of an order.
const STARVED: Duration = Duration::from_millis(100);

/// Closed asks wait for the search until nothing has been written for so long, or until there are so
/// many of them.
const QUIET: Duration = Duration::from_millis(50);
const UNINDEXED: u64 = 64;
/// Of a backlog so many go at a stretch in the order of their rows.
const WINDOW: i64 = 256;

/// A stretch of time.
#[derive(Clone, Copy)]
pub struct Slice(Instant);

impl Slice {
    #[expect(
        clippy::disallowed_methods,
        reason = "how long work takes has nothing to do with the time that a test fixes"
    )]
    pub fn begin() -> Self {
        Self(Instant::now())
    }

    pub fn age(&self) -> Duration {
        self.0.elapsed()
    }

    fn is_over(&self) -> bool {
        self.age() > SLICE
    }
}

/// The last slice.
struct Last {
    work: Work,
    ended: Slice,
    took: Duration,
}

/// What nobody waits for, the most urgent first.
#[derive(Clone, Copy)]
enum Work {
    Remove,
    Tidy,
    Index,
    ClearLog,
    ExtendLog,
    Mark,
}

/// Up to so many rows, the words of what is forgotten are written out of the search at once; with
/// more an ask would wait for it, and it is done bit by bit while nobody wants anything else.
const TIDIED_AT_ONCE: i64 = 1_000;

/// After so long the log is written back where somebody read before.
const ONCE_MORE: Duration = Duration::from_secs(1);
/// The high-water mark is set after so many commits, or once nothing was written for so long.
const UNMARKED: u64 = 256;
const UNMARKED_FOR: Duration = Duration::from_secs(60);

/// Most that is read of the store is read by then.
const READ_BY_THEN: Duration = Duration::from_millis(200);

/// The thread's own end of the store.
pub struct Writer {
    db: Connection,
    checkpoints: Checkpoints,
    log_space: LogSpace,
    /// Whether commits are synced right now.
    synced: Option<bool>,
    /// Orders that can wait for anything else.
    removals: VecDeque<Order>,
    /// About how many closed asks the search doesn't find, or not as they are by now.
    unindexed: u64,
    /// The row from which on closed asks are indexed.
    window: i64,
    /// Whether the search has parts to be merged, which may still hold words of what was forgotten,
    /// and how many pages are next, the first time with a minus.
    untidy: Option<i64>,
    /// Whether the log beside the file may still have what was forgotten.
    logged: bool,
    last: Option<Last>,
    /// When something was last written that somebody waits for.
    ordered: Option<Slice>,
    high_water: HighWater,
    /// How many commits there were since that was set.
    unmarked: u64,
}

impl Writer {
    /// The end of a store in this file.
    pub fn with_connection(mut db: Connection, file: &Path) -> rusqlite::Result<Self> {
        let high_water = HighWater::read(file);
        Ok(Self {
            checkpoints: Checkpoints::with_connection(&mut db, file)?,
            log_space: LogSpace::beside(file),
            synced: None,
            removals: VecDeque::new(),
            // Whatever the last process left.
            unindexed: UNINDEXED,
            window: i64::MAX,
            untidy: search_merge::is_deferred(&db).then_some(search_merge::OF_ALL),
            logged: true,
            last: None,
            ordered: None,
            unmarked: u64::from(high_water.is_unset()),
            high_water,
            db,
        })
    }

    /// Writes until every sender is gone.
    pub fn run(mut self, orders: &Receiver<Order>, corrupt: &Sender<String>) {
        while let Some(first) = self.next(orders, corrupt) {
            let mut group = vec![first];
            while group.len() < GROUP {
                match orders.try_recv() {
                    Ok(order) if order.can_wait() => self.removals.push_back(order),
                    Ok(order) => group.push(order),
                    Err(_) => break,
                }
            }
            let is_asked_for = group.iter().any(Order::is_asked_for);
            // None of a group is done in slices.
            let _ = self.commit(group, corrupt);
            if is_asked_for {
                self.ordered = Some(Slice::begin());
            }
        }
        if self.unmarked > 0 {
            self.mark();
        }
        // Ends with the log written back, so that the file alone is the whole store.
        let _ = self.checkpoints.empty(&self.db, super::sqlite::PATIENCE);
    }

    /// The next order; `None` at the end. Does what nobody waits for until it comes.
    fn next(&mut self, orders: &Receiver<Order>, corrupt: &Sender<String>) -> Option<Order> {
        loop {
            // Now, so that the next ask doesn't wait for the switch. Each commit switches it as it needs.
            let _ = self.sync(true);
            let next = self.work();
            let received = match next {
                Some((work, wait)) => match orders.recv_timeout(self.pause(work, wait)) {
                    Err(RecvTimeoutError::Timeout) => {
                        // The log is written back faster where nothing is added to it.
                        if !self.checkpoints.is_running() {
                            self.do_some(work, corrupt);
                        }
                        continue;
                    }
                    received => received.ok(),
                },
                None => orders.recv().ok(),
            };
            match received? {
                order if order.can_wait() => self.removals.push_back(order),
                order => {
                    if let Some((work @ (Work::Remove | Work::Index), Duration::ZERO)) = next
                        && self.since_last().is_none_or(|since| since > STARVED)
                    {
                        self.do_some(work, corrupt);
                    }
                    return Some(order);
                }
            }
        }
    }

    fn since_last(&self) -> Option<Duration> {
        self.last.as_ref().map(|last| last.ended.age())
    }

    /// What is to be done next, once nothing has been ordered for so long.
    fn work(&self) -> Option<(Work, Duration)> {
        // More may have to go in a moment.
        let removed = self
            .last
            .as_ref()
            .filter(|last| matches!(last.work, Work::Remove));
        let soon = removed.map_or(Duration::ZERO, |last| {
            QUIET.saturating_sub(last.ended.age())
        });
        let is_short = self.log_space.is_short(self.checkpoints.pages());
        let all = [
            // First, because it is rare and the next ask gains by it.
            (is_short, Work::ExtendLog, GRACE),
            (!self.removals.is_empty(), Work::Remove, Duration::ZERO),
            // Before more comes into the index, or its parts would become so many that it merges them all
            // at once.
            (self.untidy.is_some(), Work::Tidy, soon),
            (self.unindexed >= UNINDEXED, Work::Index, Duration::ZERO),
            (self.unindexed > 0, Work::Index, QUIET),
            (self.logged, Work::ClearLog, ONCE_MORE),
            (self.unmarked >= UNMARKED, Work::Mark, Duration::ZERO),
            (self.unmarked > 0, Work::Mark, UNMARKED_FOR),
        ];
        let first = all.into_iter().find(|(is_due, ..)| *is_due);
        first.map(|(_, work, wait)| (work, wait))
    }

    /// How long to wait for an order before this is done.
    fn pause(&mut self, work: Work, wait: Duration) -> Duration {
        let in_slices = matches!(work, Work::Remove | Work::Index | Work::Tidy);
        let since_order = self.ordered.as_ref().map(Slice::age);
        let pause = if in_slices && self.checkpoints.is_running() {
            SLICE
        } else if in_slices && since_order.is_some_and(|since| since < LATELY) {
            let since_slice = self.since_last().unwrap_or(Duration::MAX);
            let took = self.last.as_ref().map_or(Duration::ZERO, |last| last.took);
            (took * PAUSES).saturating_sub(since_slice)
        } else {
            Duration::ZERO
        };
        let grace = since_order.map_or(Duration::ZERO, |since| GRACE.saturating_sub(since));
        wait.max(pause).max(grace)
    }

    fn do_some(&mut self, work: Work, corrupt: &Sender<String>) {
        let begun = Slice::begin();
        match work {
            Work::Remove => self.remove(corrupt),
            Work::Index => {
                // What fails now is made up for by the next time.
                let all = self.index().unwrap_or(true);
                self.unindexed = if all { 0 } else { UNINDEXED };
            }
            Work::Tidy => self.tidy(),
            // Most of it is written back by the other thread. Whoever wants something next waits for no
            // reader.
            Work::ClearLog if self.checkpoints.begin_most() => {}
            Work::ClearLog => self.clear_log(Duration::ZERO),
            Work::ExtendLog => self.log_space.extend(self.checkpoints.pages()),
            Work::Mark => self.mark(),
        }
        self.last = Some(Last {
            work,
            ended: Slice::begin(),
            took: begun.age(),
        });
        self.checkpoints.after_commit(&self.db);
    }

    /// Removes some more of what is to be removed.
    fn remove(&mut self, corrupt: &Sender<String>) {
        let Some(order) = self.removals.pop_front() else {
            return;
        };
        if let Some(unfinished) = self.commit(vec![order], corrupt) {
            self.removals.push_front(unfinished);
        }
    }

    /// Writes the log back, unless somebody reads for longer than this just then: it is tried again a moment later.
    fn clear_log(&mut self, patience: Duration) {
        let _ = self.db.busy_timeout(patience);
        self.logged = !self.checkpoints.empty(&self.db, patience);
        if !self.logged {
            self.log_space.clear();
        }
        let _ = self.db.busy_timeout(super::sqlite::PATIENCE);
    }

    /// Sets the high-water mark.
    fn mark(&mut self) {
        self.unmarked = 0;
        // Where there is no room, the next time does it.
        let _ = self.sync(true);
        let _ = self.high_water.raise(&self.db);
    }

    /// Writes some more of what was forgotten out of the search.
    fn tidy(&mut self) {
        let Some(pages) = self.untidy.take() else {
            return;
        };
        // What fails now is made up for after the next start.
        let _ = self.sync(false);
        if search_merge::merge(&self.db, pages).is_ok_and(|more| more) {
            self.untidy = Some(search_merge::PAGES);
        }
    }

    /// Lets the search find some more of what has closed; whether that was all.
    fn index(&mut self) -> rusqlite::Result<bool> {
        self.sync(false)?;
        let all = in_transaction(&self.db, |db| index(db, &mut self.window))?;
        self.untidy.get_or_insert(search_merge::PAGES);
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

    /// Carries orders out and tells what came of them; but for one of which a slice is done, and which
    /// is given back.
    fn commit(&mut self, mut group: Vec<Order>, corrupt: &Sender<String>) -> Option<Order> {
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
        let mut unfinished = None;
        for order in group {
            if order.is_finished() {
                order.tell();
            } else {
                unfinished = Some(order);
            }
        }
        self.checkpoints.after_commit(&self.db);
        unfinished
    }

    fn write(&mut self, orders: &mut [Order]) -> rusqlite::Result<()> {
        self.sync(orders.iter().any(Order::is_durable))?;
        in_transaction(&self.db, |db| {
            let mut all = orders.iter_mut();
            all.try_for_each(|order| order.carry_out(db, &mut self.window))
        })?;
        self.unmarked += 1;
        let forgets = orders.iter().any(Order::forgets);
        self.logged |= forgets;
        self.unindexed += orders.iter().map(Order::closes).sum::<u64>();
        if forgets && search_merge::is_deferred(&self.db) {
            self.untidy = Some(search_merge::OF_ALL);
        } else if orders.iter().any(Order::indexes) {
            self.untidy.get_or_insert(search_merge::PAGES);
        }
        Ok(())
    }

    /// Whoever hears that something was forgotten may rely on the log, too, unless much is to be tidied first.
    fn settle_log(&mut self, orders: &[Order]) {
        let forgets =
            |order: &Order| order.failed.is_none() && order.forgets() && !order.can_wait();
        if orders.iter().any(forgets) && !is_large(&self.db) {
            self.clear_log(READ_BY_THEN);
        }
    }
}

/// As a [`rusqlite::Transaction`] would, with statements that are prepared once.
fn in_transaction<T>(
    db: &Connection,
    work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
) -> rusqlite::Result<T> {
    db.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
    let committed = work(db).and_then(|done| {
        db.prepare_cached("COMMIT")?.execute([])?;
        Ok(done)
    });
    if committed.is_err() {
        // SQLite may have rolled it back already.
        let _ = db.execute_batch("ROLLBACK");
    }
    committed
}

impl Order {
    fn new(task: Task) -> Self {
        let failed = None;
        Self { task, failed }
    }

    pub fn persist(writes: Vec<Write>, then: Then<Written>) -> Self {
        Self::new(Task::Persist(writes, None, then))
    }

    pub fn remove(ids: Vec<AskId>, undelivered: bool, then: Then<Vec<AskId>>) -> Self {
        let removal = Removal {
            ids,
            undelivered,
            done: 0,
            gone: Vec::new(),
        };
        Self::new(Task::Remove(removal, then))
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
            // What is too old and comes back with the power is removed by the next hub.
            Task::Remove(..) | Task::Note(..) | Task::Index(..) => false,
        }
    }

    /// Whether it is done in slices, after everything else.
    fn can_wait(&self) -> bool {
        matches!(self.task, Task::Remove(..))
    }

    /// Whether it is of an ask, and not of the store's own work.
    fn is_asked_for(&self) -> bool {
        match &self.task {
            Task::Persist(..) => true,
            Task::Remove(..) | Task::Note(..) | Task::Index(..) => false,
        }
    }

    fn indexes(&self) -> bool {
        matches!(self.task, Task::Index(..))
    }

    fn is_finished(&self) -> bool {
        match &self.task {
            Task::Remove(removal, _) => self.failed.is_some() || removal.done == removal.ids.len(),
            Task::Persist(..) | Task::Note(..) | Task::Index(..) => true,
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

    fn carry_out(&mut self, db: &Connection, window: &mut i64) -> rusqlite::Result<()> {
        let forgets = self.forgets();
        // Nobody waits for what goes because of its age.
        let later = forgets && (self.can_wait() || is_large(db));
        if later && !search_merge::is_deferred(db) {
            search_merge::defer(db, true)?;
        }
        match &mut self.task {
            Task::Persist(writes, written, _) => *written = Some(persist(db, writes)?),
            Task::Remove(removal, _) => removal.some(db)?,
            Task::Note(notes, _) => note(db, notes)?,
            Task::Index(all, _) => *all = index(db, window)?,
        }
        // The index only marks what it forgets; merging it writes the words out of the file.
        if forgets && !later {
            db.execute("INSERT INTO found (found) VALUES ('optimize')", [])?;
        }
        Ok(())
    }

    fn tell(self) {
        let failed = self.failed;
        match self.task {
            Task::Persist(_, written, then) => then(told(failed, written)),
            Task::Remove(removal, then) => then(told(failed, Some(removal.gone))),
            Task::Note(_, then) => then(told(failed, Some(()))),
            Task::Index(all, then) => then(told(failed, Some(all))),
        }
    }
}

fn told<T>(failed: Option<StoreError>, done: Option<T>) -> StoreResult<T> {
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

impl Removal {
    /// Removes as many as fit in a slice.
    fn some(&mut self, db: &Connection) -> rusqlite::Result<()> {
        let slice = Slice::begin();
        let (mut done, mut gone) = (self.done, Vec::new());
        let mut days = Days::begin(db);
        for id in &self.ids[self.done..] {
            done += 1;
            if apply::forget(db, &mut days, id, self.undelivered)? {
                gone.push(id.clone());
            }
            if slice.is_over() {
                break;
            }
        }
        days.end()?;
        // Only now, because nothing of a slice that fails is kept.
        self.done = done;
        self.gone.extend(gone);
        Ok(())
    }
}

pub(crate) fn note(db: &Connection, notes: &[Note]) -> rusqlite::Result<()> {
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

fn is_large(db: &Connection) -> bool {
    let newest = db.query_row("SELECT coalesce(max(row), 0) FROM ask", [], |row| {
        row.get::<_, i64>(0)
    });
    newest.is_ok_and(|newest| newest > TIDIED_AT_ONCE)
}

/// Lets the search find what has closed since the last time, as much as fits in a slice; whether
/// that was all. Of a large backlog the newest are found first, because those are looked for. They
/// go in windows, each in the order of its rows: the index writes out what it has in mind whenever a
/// row comes that is before the last one.
fn index(db: &Connection, window: &mut i64) -> rusqlite::Result<bool> {
    const NEWEST: &str = "SELECT min(row) FROM (SELECT row FROM ask
         WHERE state <> 'waiting' AND indexed <> 1 ORDER BY row DESC LIMIT ?1)";
    let slice = Slice::begin();
    let sql = format!(
        "SELECT ask.row, {} FROM {} WHERE ask.state <> 'waiting' AND ask.indexed <> 1
         AND ask.row >= ?1 ORDER BY ask.row LIMIT 1",
        rows::COLUMNS,
        rows::TABLES
    );
    let mut next = db.prepare_cached(&sql)?;
    let mut newest = db.prepare_cached(NEWEST)?;
    let mut days = Days::begin(db);
    let all = loop {
        let found = next.query_row([*window], |row| Ok((row.get(0)?, rows::record_at(row, 1))));
        let Some((row, record)) = found.optional()? else {
            match newest.query_row([WINDOW], |row| row.get(0))? {
                Some(first) => *window = first,
                None => break true,
            }
            continue;
        };
        // A row that can't be read has no words to be found by.
        if let Ok(record) = record {
            search::keep(db, &mut days, row, &record)?;
        }
        db.prepare_cached("UPDATE ask SET indexed = 1 WHERE row = ?1")?
            .execute([row])?;
        if slice.is_over() {
            break false;
        }
    };
    days.end()?;
    Ok(all)
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

#[cfg(test)]
mod tests {
    use ask_config::clock::Calendar;
    use ask_core::history::Filter;
    use ask_core::stats::StatsBuilder;
    use proptest::prelude::*;

    use super::*;
    use crate::conformance::{change, create, expire};
    use crate::days::Period;

    #[test]
    fn of_a_backlog_the_newest_are_found_first_and_in_the_end_all() {
        const ALL: i64 = 3 * WINDOW;
        let db = crate::sqlite::in_memory();
        for number in 0..ALL {
            let name = format!("ask{number}");
            apply::apply(&db, &create(&name)).unwrap();
            apply::apply(&db, &expire(&name)).unwrap();
        }
        let indexed = || {
            let sql = "SELECT count(*), min(row) FROM ask WHERE indexed = 1";
            db.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))
                .unwrap()
        };
        let mut window = i64::MAX;
        let (mut slices, mut before) = (0, 0);
        let mut all = false;
        while !all {
            all = index(&db, &mut window).unwrap();
            let (count, oldest): (i64, i64) = indexed();
            assert!(count > before || all, "each slice indexes some");
            let windows = (count + WINDOW - 1) / WINDOW;
            assert!(oldest > ALL - windows * WINDOW, "{oldest} of {count}");
            (before, slices) = (count, slices + 1);
        }
        assert!(slices > 1);
        assert_eq!(before, ALL);
    }

    proptest! {
        /// Whatever is changed, indexed and forgotten, in whatever order, the days have counted what a
        /// history finds.
        #[test]
        fn what_was_counted_by_day_is_what_a_history_finds(
            changes in proptest::collection::vec((change(), proptest::bool::ANY), 1..60)
        ) {
            let db = crate::sqlite::in_memory();
            for (write, indexes) in changes {
                // The engine makes no change to an ask that isn't there.
                let _ = apply::apply(&db, &write);
                if indexes {
                    while !index(&db, &mut i64::MAX.clone()).unwrap() {}
                }
            }
            let all = Filter::default();
            let (mut days, mut asks) = (StatsBuilder::default(), StatsBuilder::default());
            let period = Period::from_filter(&all, &Calendar::here()).unwrap();
            period.add(&db, &mut days).unwrap();
            for (facts, asked, _) in search::facts(&db, &all, 1_000).unwrap() {
                asks.add(&facts, asked);
            }
            prop_assert_eq!(days.stats(), asks.stats());
        }
    }

    #[test]
    fn an_ask_goes_before_what_is_to_be_removed() {
        let folder = crate::conformance::Folder::new();
        let store = folder.open();
        let names: Vec<String> = (0..1_000).map(|number| format!("ask{number}")).collect();
        let (tell, told) = std::sync::mpsc::channel();
        for name in &names {
            store.hand_over(vec![create(name), expire(name)], Box::new(|_| {}));
        }
        let ids = names.iter().map(|name| crate::conformance::id(name));
        let removed = tell.clone();
        store.order(Order::remove(
            ids.collect(),
            false,
            Box::new(move |gone| {
                let _ = removed.send(gone.unwrap().len());
            }),
        ));
        let kept = tell;
        store.hand_over(
            vec![create("new")],
            Box::new(move |written| {
                written.unwrap();
                let _ = kept.send(0);
            }),
        );
        assert_eq!(told.recv(), Ok(0), "it is kept while most are still there");
        assert_eq!(told.recv(), Ok(1_000), "and all of them go");
        store.close();
    }
}
