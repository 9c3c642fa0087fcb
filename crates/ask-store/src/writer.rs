//! The thread that writes to the store. It commits in groups: everything that was queued during one
//! commit goes into the next, so a burst costs few syncs and a single change costs exactly one.
//! Background work, for which nobody waits, runs in short slices with pauses between them while the
//! queue is empty. If the queue never becomes empty, a slice runs every [`MAX_STARVATION`].

mod apply;
mod checkpoint;
mod search_merge;

use std::collections::VecDeque;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use ask_core::{AskId, Write, Written};
use rusqlite::{Connection, ErrorCode, OptionalExtension};

use super::days::DayCountUpdates;
use super::files::{RestoreResult, StoreFiles};
use super::high_water::HighWater;
use super::sqlite::describe_set_aside;
use super::{StoreError, StoreResult, rows, search};
pub(crate) use apply::MUTED;
use checkpoint::Checkpoints;

/// Receives the result of a job, on the thread that writes.
pub type Completion<T> = Box<dyn FnOnce(StoreResult<T>) + Send>;

/// A task for the thread that writes.
pub(crate) struct Job {
    task: Task,
    /// Why the task failed. `None` before it ran and after it succeeded.
    error: Option<StoreError>,
}

enum Task {
    /// Applies changes to asks, all or none. The result is `None` before the task ran.
    Persist(Vec<Write>, Option<Written>, Completion<Written>),
    /// Removes closed asks in slices while nothing else is queued. The result is the removed ids.
    Remove(Removal, Completion<Vec<AskId>>),
    /// Writes or deletes notes.
    Note(Vec<Note>, Completion<()>),
    /// Adds closed asks to the search index for one slice. The result is whether none is left.
    Index(bool, Completion<bool>),
}

/// A line of state that belongs to no ask: its key, and its value or `None` to delete it.
pub type Note = (String, Option<String>);

/// A removal of closed asks that runs in slices.
struct Removal {
    ids: Vec<AskId>,
    /// Whether to remove answers that no agent has received, too.
    undelivered: bool,
    /// How many of `ids` were processed, from the front.
    processed: usize,
    removed: Vec<AskId>,
}

/// The most jobs that one commit takes.
const MAX_GROUP: usize = 512;

/// How long one slice of background work may run. A new ask waits for background work at most this
/// long, and for the commit of the slice.
const SLICE: Duration = Duration::from_millis(3);

/// While agents are asking, the pause after a slice is this many times as long as the slice was, so
/// that most asks arrive during a pause.
const PAUSE_FACTOR: u32 = 2;
/// Agents count as asking if a change to an ask was written within this time.
const BUSY_WINDOW: Duration = Duration::from_secs(1);
/// No slice starts this soon after a commit. The hub and its clients now need the processor to pass
/// on what was committed, and their next request may follow at once.
const AFTER_COMMIT: Duration = Duration::from_millis(5);
/// While the queue never becomes empty, an urgent slice still runs this long after the last one.
const MAX_STARVATION: Duration = Duration::from_millis(100);

/// Closed asks are added to the search index after the queue was empty for `INDEX_IDLE`, or as soon
/// as there are `INDEX_BACKLOG` of them.
const INDEX_IDLE: Duration = Duration::from_millis(50);
const INDEX_BACKLOG: u64 = 64;
/// How many asks of a backlog are indexed in ascending order of their rows before older ones
/// follow.
const INDEX_WINDOW: i64 = 256;

/// Measures elapsed time.
#[derive(Clone, Copy)]
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    #[expect(
        clippy::disallowed_methods,
        reason = "how long work takes has nothing to do with the time that a test fixes"
    )]
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }

    fn has_used_slice(&self) -> bool {
        self.elapsed() > SLICE
    }
}

/// The last slice of background work.
struct LastSlice {
    work: Work,
    ended: Stopwatch,
    duration: Duration,
}

/// Background work, the most urgent kind first.
#[derive(Clone, Copy)]
enum Work {
    Remove,
    MergeIndex,
    Index,
    Checkpoint,
    RaiseHighWater,
}

/// Up to this many rows, the commit that deletes asks also merges the search index, which removes
/// their words from the file. With more rows that would delay asks, so the index is merged in
/// slices.
const MERGE_AT_ONCE_ROWS: i64 = 1_000;

/// How long the queue must be empty before a checkpoint is tried that removes deleted asks from the
/// write-ahead log.
const CHECKPOINT_IDLE: Duration = Duration::from_secs(1);
/// The high-water mark is raised after this many commits, or once the queue was empty for
/// `MARK_IDLE`.
const MARK_COMMITS: u64 = 256;
const MARK_IDLE: Duration = Duration::from_secs(60);

/// How long a checkpoint after a deletion waits for readers. Nearly every read is shorter.
const CHECKPOINT_PATIENCE: Duration = Duration::from_millis(200);

/// The state of the thread that writes.
pub(crate) struct Writer {
    db: Connection,
    checkpoints: Checkpoints,
    /// Whether commits wait for the disk at the moment; `None` before the first switch.
    is_durable: Option<bool>,
    /// Jobs that run in slices, after everything else.
    removals: VecDeque<Job>,
    /// About how many closed asks are missing or outdated in the search index.
    unindexed: u64,
    /// The first row of the window of asks that is being indexed.
    index_from: i64,
    /// The argument of the next [`search_merge::merge`]; `None` if nothing is left to merge. Until
    /// then the index may still hold words of deleted asks.
    merge_pages: Option<i64>,
    /// Whether the write-ahead log may still hold deleted asks.
    log_holds_deleted: bool,
    last_slice: Option<LastSlice>,
    /// When a change to an ask was last committed.
    last_persist: Option<Stopwatch>,
    files: StoreFiles,
    high_water: HighWater,
    /// How many commits there were since the high-water mark was raised.
    commits_since_mark: u64,
}

impl Writer {
    /// A writer for the store in this file.
    pub(crate) fn with_connection(mut db: Connection, file: &Path) -> rusqlite::Result<Self> {
        let high_water = HighWater::read(file);
        Ok(Self {
            checkpoints: Checkpoints::with_connection(&mut db, file)?,
            is_durable: None,
            removals: VecDeque::new(),
            // The last process may have left any number of asks unindexed.
            unindexed: INDEX_BACKLOG,
            index_from: i64::MAX,
            merge_pages: search_merge::is_deferred(&db).then_some(search_merge::FIRST_STEP),
            log_holds_deleted: true,
            files: StoreFiles::new(file),
            last_slice: None,
            last_persist: None,
            commits_since_mark: u64::from(high_water.is_unset()),
            high_water,
            db,
        })
    }

    pub(crate) fn files(&self) -> &StoreFiles {
        &self.files
    }

    /// Runs jobs until every sender is dropped. Damage to the file is reported to `corrupt`.
    pub(crate) fn run(mut self, jobs: &Receiver<Job>, corrupt: &Sender<String>) {
        while let Some(first) = self.next_job(jobs, corrupt) {
            let mut group = vec![first];
            while group.len() < MAX_GROUP {
                match jobs.try_recv() {
                    Ok(job) if job.runs_in_slices() => self.removals.push_back(job),
                    Ok(job) => group.push(job),
                    Err(_) => break,
                }
            }
            let persists = group.iter().any(Job::is_persist);
            // No job of a group runs in slices, so none comes back unfinished.
            let _ = self.commit(group, corrupt);
            if persists {
                self.last_persist = Some(Stopwatch::start());
            }
        }
        if self.commits_since_mark > 0 {
            self.raise_high_water();
        }
        self.restore_files();
        // Empties the log, so that the file alone is the whole store. If a reader prevents that,
        // the next process does it.
        let _ = self
            .checkpoints
            .truncate(&self.db, super::sqlite::BUSY_TIMEOUT);
    }

    /// Restores files that somebody removed while the store was in use.
    fn restore_files(&self) {
        match self.files.restore(&self.db) {
            Ok(RestoreResult::NotNeeded) => {}
            Ok(RestoreResult::Restored(file)) => {
                tracing::error!("{} was removed while the hub ran: restored", file.display());
            }
            Ok(RestoreResult::SetAside(place)) => {
                // The mark is of the store that was set aside. Without it, the next hub doesn't
                // report another loss in the one that took its place.
                self.high_water.remove();
                tracing::error!("{}", describe_set_aside(&place));
            }
            Err(error) => {
                tracing::error!("the store was removed while the hub ran, and is lost: {error:#}");
            }
        }
    }

    /// Waits for the next job and runs background work meanwhile. `None` once every sender is
    /// dropped.
    fn next_job(&mut self, jobs: &Receiver<Job>, corrupt: &Sender<String>) -> Option<Job> {
        loop {
            // Switches before the next ask arrives, so that the ask doesn't wait for it. If this
            // fails, the commit tries again.
            let _ = self.set_durable(true);
            let next = self.next_work();
            let received = match next {
                Some((work, idle)) => match jobs.recv_timeout(self.time_until(work, idle)) {
                    Err(RecvTimeoutError::Timeout) => {
                        // A running checkpoint ends sooner if nothing is appended to the log.
                        if !self.checkpoints.is_running() {
                            self.run_slice(work, corrupt);
                        }
                        continue;
                    }
                    received => received.ok(),
                },
                None => jobs.recv().ok(),
            };
            match received? {
                job if job.runs_in_slices() => self.removals.push_back(job),
                job => {
                    if let Some((work @ (Work::Remove | Work::Index), Duration::ZERO)) = next
                        && self
                            .since_last_slice()
                            .is_none_or(|since| since > MAX_STARVATION)
                    {
                        self.run_slice(work, corrupt);
                    }
                    return Some(job);
                }
            }
        }
    }

    fn since_last_slice(&self) -> Option<Duration> {
        self.last_slice.as_ref().map(|last| last.ended.elapsed())
    }

    /// The background work to do next, and how long the queue must be empty before.
    fn next_work(&self) -> Option<(Work, Duration)> {
        let last_removal = self
            .last_slice
            .as_ref()
            .filter(|last| matches!(last.work, Work::Remove));
        // Another removal may follow in a moment, and merging after both costs less.
        let after_removal = last_removal.map_or(Duration::ZERO, |last| {
            INDEX_IDLE.saturating_sub(last.ended.elapsed())
        });
        let all = [
            (!self.removals.is_empty(), Work::Remove, Duration::ZERO),
            // Merging comes before indexing: otherwise the index could get so many parts that it
            // merges all of them at once.
            (self.merge_pages.is_some(), Work::MergeIndex, after_removal),
            (self.unindexed >= INDEX_BACKLOG, Work::Index, Duration::ZERO),
            (self.unindexed > 0, Work::Index, INDEX_IDLE),
            (self.log_holds_deleted, Work::Checkpoint, CHECKPOINT_IDLE),
            (
                self.commits_since_mark >= MARK_COMMITS,
                Work::RaiseHighWater,
                Duration::ZERO,
            ),
            (self.commits_since_mark > 0, Work::RaiseHighWater, MARK_IDLE),
        ];
        let first = all.into_iter().find(|(is_due, ..)| *is_due);
        first.map(|(_, work, idle)| (work, idle))
    }

    /// How long to wait for a job before this work starts.
    fn time_until(&mut self, work: Work, idle: Duration) -> Duration {
        let since_persist = self.last_persist.map(|last| last.elapsed());
        let in_slices = matches!(work, Work::Remove | Work::Index | Work::MergeIndex);
        let pause = if in_slices && self.checkpoints.is_running() {
            SLICE
        } else if in_slices && since_persist.is_some_and(|since| since < BUSY_WINDOW) {
            let last = self.last_slice.as_ref();
            last.map_or(Duration::ZERO, |last| {
                (last.duration * PAUSE_FACTOR).saturating_sub(last.ended.elapsed())
            })
        } else {
            Duration::ZERO
        };
        let after_commit =
            since_persist.map_or(Duration::ZERO, |since| AFTER_COMMIT.saturating_sub(since));
        idle.max(pause).max(after_commit)
    }

    fn run_slice(&mut self, work: Work, corrupt: &Sender<String>) {
        let begun = Stopwatch::start();
        match work {
            Work::Remove => self.remove_slice(corrupt),
            Work::Index => {
                // Asks whose indexing failed stay marked as unindexed, and are indexed with the
                // next ask that closes or after the next start.
                let all = self.index_slice().unwrap_or(true);
                self.unindexed = if all { 0 } else { INDEX_BACKLOG };
            }
            Work::MergeIndex => self.merge_slice(),
            // The checkpoint thread writes most of the log back. The rest is done here, without
            // waiting for readers, so that the next job isn't delayed.
            Work::Checkpoint if self.checkpoints.start_if_long() => {}
            Work::Checkpoint => self.empty_log(Duration::ZERO),
            Work::RaiseHighWater => self.raise_high_water(),
        }
        self.last_slice = Some(LastSlice {
            work,
            ended: Stopwatch::start(),
            duration: begun.elapsed(),
        });
        self.checkpoints.after_commit(&self.db);
    }

    /// Runs one slice of the first removal.
    fn remove_slice(&mut self, corrupt: &Sender<String>) {
        let Some(job) = self.removals.pop_front() else {
            return;
        };
        if let Some(unfinished) = self.commit(vec![job], corrupt) {
            self.removals.push_front(unfinished);
        }
    }

    /// Writes the log back into the file and empties it. If a reader takes longer than `patience`,
    /// the log stays, and the checkpoint is tried again later.
    fn empty_log(&mut self, patience: Duration) {
        let _ = self.db.busy_timeout(patience);
        self.log_holds_deleted = !self.checkpoints.truncate(&self.db, patience);
        let _ = self.db.busy_timeout(super::sqlite::BUSY_TIMEOUT);
    }

    fn raise_high_water(&mut self) {
        self.commits_since_mark = 0;
        // If either fails, for example on a full disk, the mark is raised after later commits.
        let _ = self.set_durable(true);
        let _ = self.high_water.raise(&self.db);
    }

    /// Merges some pages of the search index, which removes words of deleted asks from the file.
    fn merge_slice(&mut self) {
        let Some(pages) = self.merge_pages.take() else {
            return;
        };
        // A merge that fails is resumed after the next start.
        let _ = self.set_durable(false);
        if search_merge::merge(&self.db, pages).is_ok_and(|more| more) {
            self.merge_pages = Some(search_merge::PAGES_PER_STEP);
        }
    }

    /// Adds closed asks to the search index for one slice. Returns whether none is left.
    fn index_slice(&mut self) -> rusqlite::Result<bool> {
        self.set_durable(false)?;
        let all = in_transaction(&self.db, |db| index(db, &mut self.index_from))?;
        self.merge_pages.get_or_insert(search_merge::PAGES_PER_STEP);
        Ok(all)
    }

    /// Selects whether the next commits wait for the disk.
    fn set_durable(&mut self, durable: bool) -> rusqlite::Result<()> {
        if self.is_durable != Some(durable) {
            let mode = if durable { "FULL" } else { "NORMAL" };
            self.db.pragma_update(None, "synchronous", mode)?;
            self.is_durable = Some(durable);
        }
        Ok(())
    }

    /// Executes jobs in one transaction and completes them. A removal of which only a slice is done
    /// is returned instead.
    fn commit(&mut self, mut group: Vec<Job>, corrupt: &Sender<String>) -> Option<Job> {
        if self.write(&mut group).is_err() {
            // One job must not fail because of another, so each is tried again alone.
            for job in &mut group {
                if let Err(error) = self.write(std::slice::from_mut(job)) {
                    let error = store_error(&error);
                    if let StoreError::Corrupt(problem) = &error {
                        // Without a watcher the error of the job alone reports the damage.
                        let _ = corrupt.send(problem.clone());
                    }
                    job.error = Some(error);
                }
            }
        }
        self.empty_log_of_deleted(&group);
        let mut unfinished = None;
        for job in group {
            if job.is_finished() {
                job.complete();
            } else {
                unfinished = Some(job);
            }
        }
        self.checkpoints.after_commit(&self.db);
        unfinished
    }

    fn write(&mut self, jobs: &mut [Job]) -> rusqlite::Result<()> {
        self.set_durable(jobs.iter().any(Job::is_durable))?;
        in_transaction(&self.db, |db| {
            let mut all = jobs.iter_mut();
            all.try_for_each(|job| job.execute(db, &mut self.index_from))
        })?;
        self.commits_since_mark += 1;
        let deletes = jobs.iter().any(Job::deletes_asks);
        self.log_holds_deleted |= deletes;
        self.unindexed += jobs.iter().map(Job::count_unindexed).sum::<u64>();
        if deletes && search_merge::is_deferred(&self.db) {
            self.merge_pages = Some(search_merge::FIRST_STEP);
        } else if jobs.iter().any(Job::is_index) {
            self.merge_pages.get_or_insert(search_merge::PAGES_PER_STEP);
        }
        Ok(())
    }

    /// Empties the log before a deletion is confirmed, so that the deleted text isn't in the log
    /// either. With a large index this is left out: the index still holds the words until it is
    /// merged.
    fn empty_log_of_deleted(&mut self, jobs: &[Job]) {
        let deletes =
            |job: &Job| job.error.is_none() && job.deletes_asks() && !job.runs_in_slices();
        if jobs.iter().any(deletes) && !is_large(&self.db) {
            self.empty_log(CHECKPOINT_PATIENCE);
        }
    }
}

/// Runs `work` in a transaction. Unlike [`rusqlite::Transaction`] it reuses prepared statements.
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
        // This fails if SQLite has rolled the transaction back already.
        let _ = db.execute_batch("ROLLBACK");
    }
    committed
}

impl Job {
    fn new(task: Task) -> Self {
        Self { task, error: None }
    }

    pub(crate) fn persist(writes: Vec<Write>, completion: Completion<Written>) -> Self {
        Self::new(Task::Persist(writes, None, completion))
    }

    pub(crate) fn remove(
        ids: Vec<AskId>,
        undelivered: bool,
        completion: Completion<Vec<AskId>>,
    ) -> Self {
        let removal = Removal {
            ids,
            undelivered,
            processed: 0,
            removed: Vec::new(),
        };
        Self::new(Task::Remove(removal, completion))
    }

    pub(crate) fn note(notes: Vec<Note>, completion: Completion<()>) -> Self {
        Self::new(Task::Note(notes, completion))
    }

    pub(crate) fn index(completion: Completion<bool>) -> Self {
        Self::new(Task::Index(false, completion))
    }

    /// Whether the job must survive a power loss before it is confirmed.
    fn is_durable(&self) -> bool {
        match &self.task {
            Task::Persist(writes, ..) => writes.iter().any(Write::is_durable),
            // If a power loss undoes the removal of old asks, the next hub removes them again.
            Task::Remove(..) | Task::Note(..) | Task::Index(..) => false,
        }
    }

    /// Whether the job runs in slices, after everything else.
    fn runs_in_slices(&self) -> bool {
        matches!(self.task, Task::Remove(..))
    }

    /// Whether the job changes asks at the request of the engine. The other jobs are upkeep.
    fn is_persist(&self) -> bool {
        match &self.task {
            Task::Persist(..) => true,
            Task::Remove(..) | Task::Note(..) | Task::Index(..) => false,
        }
    }

    fn is_index(&self) -> bool {
        matches!(self.task, Task::Index(..))
    }

    fn is_finished(&self) -> bool {
        match &self.task {
            Task::Remove(removal, _) => {
                self.error.is_some() || removal.processed == removal.ids.len()
            }
            Task::Persist(..) | Task::Note(..) | Task::Index(..) => true,
        }
    }

    fn deletes_asks(&self) -> bool {
        match &self.task {
            Task::Persist(writes, ..) => {
                writes.iter().any(|write| matches!(write, Write::Forget(_)))
            }
            Task::Remove(..) => true,
            Task::Note(..) | Task::Index(..) => false,
        }
    }

    /// How many asks the job makes missing or outdated in the search index.
    fn count_unindexed(&self) -> u64 {
        let changes = |write: &&Write| matches!(write, Write::Settle(..) | Write::Deliver(..));
        match &self.task {
            Task::Persist(writes, ..) => writes.iter().filter(changes).count() as u64,
            Task::Remove(..) | Task::Note(..) | Task::Index(..) => 0,
        }
    }

    fn execute(&mut self, db: &Connection, index_from: &mut i64) -> rusqlite::Result<()> {
        let deletes = self.deletes_asks();
        // Nobody waits for a removal because of age, so its merge can be deferred as well.
        let merges_later = deletes && (self.runs_in_slices() || is_large(db));
        if merges_later && !search_merge::is_deferred(db) {
            search_merge::set_deferred(db, true)?;
        }
        match &mut self.task {
            Task::Persist(writes, written, _) => *written = Some(persist(db, writes)?),
            Task::Remove(removal, _) => removal.run_slice(db)?,
            Task::Note(notes, _) => note(db, notes)?,
            Task::Index(all, _) => *all = index(db, index_from)?,
        }
        // Deleting only marks rows of the index. Merging removes their words from the file.
        if deletes && !merges_later {
            db.execute("INSERT INTO found (found) VALUES ('optimize')", [])?;
        }
        Ok(())
    }

    fn complete(self) {
        let error = self.error;
        match self.task {
            Task::Persist(_, written, completion) => completion(result(error, written)),
            Task::Remove(removal, completion) => completion(result(error, Some(removal.removed))),
            Task::Note(_, completion) => completion(result(error, Some(()))),
            Task::Index(all, completion) => completion(result(error, Some(all))),
        }
    }
}

fn result<T>(error: Option<StoreError>, value: Option<T>) -> StoreResult<T> {
    match error {
        Some(error) => Err(error),
        None => value.ok_or(StoreError::Closed),
    }
}

/// Applies the changes of one job. Only the first change can conflict, so nothing was written
/// before a conflict.
fn persist(db: &Connection, writes: &[Write]) -> rusqlite::Result<Written> {
    for write in writes {
        if let existing @ Written::Existing(_) = apply::apply(db, write)? {
            return Ok(existing);
        }
    }
    Ok(Written::Done)
}

impl Removal {
    /// Removes as many asks as fit in a slice.
    fn run_slice(&mut self, db: &Connection) -> rusqlite::Result<()> {
        let stopwatch = Stopwatch::start();
        let (mut processed, mut removed) = (self.processed, Vec::new());
        let mut days = DayCountUpdates::begin(db);
        for id in &self.ids[self.processed..] {
            processed += 1;
            if apply::forget(db, &mut days, id, self.undelivered)? {
                removed.push(id.clone());
            }
            if stopwatch.has_used_slice() {
                break;
            }
        }
        days.finish()?;
        // Updated last, because a slice that fails is rolled back.
        self.processed = processed;
        self.removed.extend(removed);
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
    newest.is_ok_and(|newest| newest > MERGE_AT_ONCE_ROWS)
}

/// Adds asks that have closed to the search index, as many as fit in a slice, and returns whether
/// none is left. Of a large backlog the newest asks come first, because people look for those. They
/// come in windows, and within a window in ascending order of rows, because the index writes its
/// buffer to the file whenever a row follows that is lower than the last one.
fn index(db: &Connection, window: &mut i64) -> rusqlite::Result<bool> {
    const NEWEST: &str = "SELECT min(row) FROM (SELECT row FROM ask
         WHERE state <> 'waiting' AND indexed <> 1 ORDER BY row DESC LIMIT ?1)";
    let stopwatch = Stopwatch::start();
    let sql = format!(
        "SELECT ask.row, {} FROM {} WHERE ask.state <> 'waiting' AND ask.indexed <> 1
         AND ask.row >= ?1 ORDER BY ask.row LIMIT 1",
        rows::COLUMNS,
        rows::TABLES
    );
    let mut next = db.prepare_cached(&sql)?;
    let mut newest = db.prepare_cached(NEWEST)?;
    let mut days = DayCountUpdates::begin(db);
    let all = loop {
        let found = next.query_row([*window], |row| {
            Ok((row.get(0)?, rows::read_record_at(row, 1)))
        });
        let Some((row, record)) = found.optional()? else {
            match newest.query_row([INDEX_WINDOW], |row| row.get(0))? {
                Some(first) => *window = first,
                None => break true,
            }
            continue;
        };
        // A row that can't be read has no words to index.
        if let Ok(record) = record {
            search::index_record(db, &mut days, row, &record)?;
        }
        db.prepare_cached("UPDATE ask SET indexed = 1 WHERE row = ?1")?
            .execute([row])?;
        if stopwatch.has_used_slice() {
            break false;
        }
    };
    days.finish()?;
    Ok(all)
}

/// The error that a failure of SQLite is reported as.
pub(crate) fn store_error(error: &rusqlite::Error) -> StoreError {
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
    fn a_backlog_is_indexed_completely_and_the_newest_asks_first() {
        const ALL: i64 = 3 * INDEX_WINDOW;
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
            assert!(count > before || all, "each slice indexes at least one ask");
            let windows = (count + INDEX_WINDOW - 1) / INDEX_WINDOW;
            assert!(oldest > ALL - windows * INDEX_WINDOW, "{oldest} of {count}");
            (before, slices) = (count, slices + 1);
        }
        assert!(slices > 1);
        assert_eq!(before, ALL);
    }

    proptest! {
        /// After any sequence of changes, indexing and removals, the counts by day equal the
        /// statistics of the asks that a history finds.
        #[test]
        fn day_counts_equal_the_statistics_of_a_history(
            changes in proptest::collection::vec((change(), proptest::bool::ANY), 1..60)
        ) {
            let db = crate::sqlite::in_memory();
            for (write, indexes) in changes {
                // A change to an ask that doesn't exist may fail. The engine makes no such change.
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
    fn a_new_ask_is_stored_before_a_removal_ends() {
        let folder = crate::conformance::Folder::new();
        let store = folder.open();
        let names: Vec<String> = (0..1_000).map(|number| format!("ask{number}")).collect();
        let (removed, results) = std::sync::mpsc::channel();
        for name in &names {
            store.submit(vec![create(name), expire(name)], Box::new(|_| {}));
        }
        let ids = names.iter().map(|name| crate::conformance::id(name));
        let stored = removed.clone();
        store.send(Job::remove(
            ids.collect(),
            false,
            Box::new(move |ids| removed.send(ids.unwrap().len()).unwrap()),
        ));
        store.submit(
            vec![create("new")],
            Box::new(move |written| {
                written.unwrap();
                stored.send(0).unwrap();
            }),
        );
        assert_eq!(results.recv(), Ok(0), "the ask is stored first");
        assert_eq!(results.recv(), Ok(1_000), "all asks are removed");
        store.close();
    }
}
