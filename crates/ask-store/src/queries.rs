//! Queries: the working set that an engine starts with, lookups in the history, and statistics. No
//! agent's call waits for them.

use std::collections::BTreeMap;
use std::time::Duration;

use ask_config::clock::Calendar;
use ask_core::history::Filter;
use ask_core::stats::StatsBuilder;
use ask_core::{AskId, Digest, Outcome, Record, State, Time, lifecycle};
use rusqlite::Connection;
use tokio::sync::oneshot;

use super::days::Period;
use super::sqlite::Sqlite;
use super::writer::{Completion, Job, MUTED, Note, Stopwatch};
use super::{StoreError, StoreResult, rows, search};

/// How many answered asks an engine remembers, in case the same is asked again.
const MAX_RECENT: usize = 64;

/// How many asks a lookup by the beginning of an id returns at most. It only has to show that there
/// are several.
const MAX_PREFIX_MATCHES: usize = 6;

/// How long a search waits for closed asks to be indexed. Nearly always they are indexed long
/// before the search.
const CATCH_UP_LIMIT: Duration = Duration::from_millis(30);

/// The state that an engine starts with.
#[derive(Debug, Default)]
pub struct WorkingSet {
    /// All open asks, then all undelivered outcomes of people, then the expired asks that can still
    /// be taken up.
    pub records: Vec<Record>,
    /// The ids of open asks and undelivered outcomes that can't be read.
    pub unreadable: Vec<String>,
    /// The asks that were answered last, the newest at the end.
    pub recent: Vec<Record>,
    /// Whether notifications are muted.
    pub muted: bool,
    /// How many asks were answered since midnight.
    pub answered_today: u64,
    /// The state that belongs to no ask, by its keys.
    pub notes: BTreeMap<String, String>,
}

/// An ask of the history with its row. The next page starts before the row of the last ask.
pub type Found = (Record, u64);

/// An ask that is old enough to be removed, and whether its agent needs nothing more from it: the
/// outcome was delivered, or no person chose it.
pub type RemovableAsk = (AskId, bool);

// Each of these conditions is that of an index, so that a hub starts as quickly with a long history
// as with none.
const WAITING: &str = "ask.state = 'waiting'";
const UNDELIVERED: &str =
    "ask.state IN ('answered', 'declined', 'clarify') AND ask.delivered_at IS NULL";
const EXPIRED: &str = "ask.state = 'expired' AND ask.asked_at >= ?1";
const EXPIRED_SIZES: &str = "SELECT asked_at, octet_length(content) FROM ask
    WHERE state = 'expired' AND asked_at >= ?1 ORDER BY asked_at DESC";
const RECENTLY: &str = "ask.closed_at >= ?1 AND ask.state = 'answered' ORDER BY ask.closed_at DESC";
const ANSWERED: &str = "SELECT count(*) FROM ask WHERE closed_at >= ?1 AND state = 'answered'";

/// Reads the state that an engine starts with at this time.
pub(crate) fn working_set(
    db: &Connection,
    now: Time,
    take_up_ms: u64,
    midnight: Time,
) -> rusqlite::Result<WorkingSet> {
    let before = |ms: u64| Time(now.0.saturating_sub_unsigned(ms));
    let (mut records, mut unreadable) = (Vec::new(), Vec::new());
    for condition in [WAITING, UNDELIVERED] {
        records.extend(rows::select_with_unreadable(
            db,
            condition,
            &[],
            &mut unreadable,
        )?);
    }
    let since = newest_expired(db, before(take_up_ms).0, lifecycle::MAX_EXPIRED_BYTES)?;
    records.extend(rows::select(db, EXPIRED, &[&since])?);
    let recent = format!("{RECENTLY} LIMIT {MAX_RECENT}");
    let since = before(lifecycle::OFFERED_WITHIN_MS).0;
    let mut recent = rows::select(db, &recent, &[&since])?;
    recent.reverse();
    let muted = "SELECT count(*) FROM switch WHERE name = ?1";
    let muted: u64 = db.query_row(muted, [MUTED], |row| row.get(0))?;
    let mut notes = db.prepare("SELECT key, value FROM note")?;
    let notes = notes.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(WorkingSet {
        records,
        unreadable,
        recent,
        muted: muted > 0,
        answered_today: answered_since(db, midnight)?,
        notes: notes.collect::<rusqlite::Result<_>>()?,
    })
}

/// The time since which the expired asks have at most this many bytes. Not before `since`.
fn newest_expired(db: &Connection, since: i64, most: usize) -> rusqlite::Result<i64> {
    let mut expired = db.prepare(EXPIRED_SIZES)?;
    let mut expired = expired.query([since])?;
    let mut bytes = 0;
    while let Some(row) = expired.next()? {
        bytes += row.get::<_, usize>(1)?;
        if bytes > most {
            return Ok(row.get::<_, i64>(0)? + 1);
        }
    }
    Ok(since)
}

const WITH_FILES: &str = "ask.id = ?1 AND instr(ask.settlement, '\"sha256\"') > 0";

fn answered_since(db: &Connection, since: Time) -> rusqlite::Result<u64> {
    db.prepare_cached(ANSWERED)?
        .query_row([since.0], |row| row.get(0))
}

impl Sqlite {
    /// The ask with this id, or else a few asks whose ids begin with `prefix`, with or without
    /// `a_`.
    pub async fn find(&self, prefix: &str) -> StoreResult<Vec<Record>> {
        let prefix = prefix.to_owned();
        self.read(move |db| {
            let condition = format!(
                "(ask.id >= ?1 AND ask.id < ?1 || '~')
                 OR (ask.id >= 'a_' || ?1 AND ask.id < 'a_' || ?1 || '~')
                 LIMIT {MAX_PREFIX_MATCHES}"
            );
            let mut found = rows::select(db, &condition, &[&prefix])?;
            if let Some(exact) = found.iter().position(|record| record.id.as_str() == prefix) {
                found = vec![found.swap_remove(exact)];
            }
            Ok(found)
        })
        .await
    }

    /// The ask that was opened last.
    pub async fn latest(&self) -> StoreResult<Option<Record>> {
        self.read(|db| Ok(rows::select(db, "1 ORDER BY ask.row DESC LIMIT 1", &[])?.pop()))
            .await
    }

    /// How many asks were answered at `since` or later.
    pub async fn answered_since(&self, since: Time) -> StoreResult<u64> {
        self.read(move |db| answered_since(db, since)).await
    }

    /// A page of the history, the newest ask first.
    pub async fn history(&self, filter: Filter, limit: u64) -> StoreResult<Vec<Found>> {
        if search::needs_index(&filter) {
            self.catch_up().await?;
        }
        self.read(move |db| search::page(db, &filter, limit)).await
    }

    /// Statistics over the asks that match a filter, with the longest time that an ask was open
    /// among those that ended at `today` or later. The counts of whole days are stored; all other
    /// asks are counted in steps.
    pub async fn statistics(&self, filter: Filter, today: Time) -> StoreResult<StatsBuilder> {
        self.catch_up().await?;
        let mut stats = StatsBuilder::default();
        let mut uncounted = vec![filter.clone()];
        if let Some(period) = Period::from_filter(&filter, &Calendar::here()) {
            uncounted.clone_from(&period.partial_days);
            stats = self
                .read(move |db| {
                    period.add(db, &mut stats)?;
                    if let Some(longest) = search::longest_open_ms(db, &filter, today)? {
                        stats.ended_today(longest);
                    }
                    Ok(stats)
                })
                .await?;
        }
        for mut filter in uncounted {
            filter.before = None;
            loop {
                let page = filter.clone();
                let (counted, last) = self
                    .read(move |db| count_page(db, &page, stats, today))
                    .await?;
                stats = counted;
                match last {
                    Some(row) => filter.before = Some(row),
                    None => break,
                }
            }
        }
        Ok(stats)
    }

    /// A page of the ids of asks that match a filter, the newest first. With each: whether its
    /// agent needs nothing more from it (see [`RemovableAsk`]), and its row, before which the next
    /// page starts.
    pub async fn ids(&self, filter: Filter, limit: u64) -> StoreResult<Vec<(AskId, bool, u64)>> {
        if search::needs_index(&filter) {
            self.catch_up().await?;
        }
        self.read(move |db| search::ids(db, &filter, limit)).await
    }

    /// Asks that retention may remove, the oldest first: those that ended before `ended`. Answers
    /// that no agent has received only if they were given before `given_up`.
    pub async fn removable_by_age(
        &self,
        ended: Time,
        given_up: Time,
        limit: u64,
    ) -> StoreResult<Vec<RemovableAsk>> {
        self.read(move |db| search::removable_by_age(db, ended, given_up, limit))
            .await
    }

    /// Asks of a folder and its subfolders that ended, and whose outcome was delivered, before
    /// `before.0`. Expired asks only if they ended before `before.1`.
    pub async fn delivered_in_folder(
        &self,
        folder: String,
        before: (Time, Time),
        limit: u64,
    ) -> StoreResult<Vec<AskId>> {
        self.read(move |db| search::delivered_in_folder(db, &folder, before, limit))
            .await
    }

    /// Whether any ask was opened at `from` or later and before `to`.
    pub async fn asked_between(&self, from: Time, to: Time) -> StoreResult<bool> {
        self.read(move |db| search::asked_between(db, (from, to)))
            .await
    }

    /// The files of the answers to these asks.
    pub async fn files_of(&self, ids: Vec<AskId>) -> StoreResult<Vec<Digest>> {
        self.read(move |db| {
            let mut files = Vec::new();
            for id in &ids {
                // Hardly any answer has files, so only records with files are read.
                for record in rows::select(db, WITH_FILES, &[&id.as_str()])? {
                    files.extend(answer_files(&record));
                }
            }
            Ok(files)
        })
        .await
    }

    /// Removes those of the given files that no answer and no draft names.
    pub async fn remove_unnamed(&self, files: Vec<Digest>) -> StoreResult<()> {
        if files.is_empty() {
            return Ok(());
        }
        let blobs = self.blobs.clone();
        self.read(move |db| blobs.remove_unnamed(db, &files)).await
    }

    /// The total size of the files that no answer and no draft names.
    pub async fn unnamed_bytes(&self) -> StoreResult<u64> {
        let blobs = self.blobs.clone();
        self.read(move |db| blobs.unnamed_bytes(db)).await
    }

    /// Removes files that were attached a while ago and that no answer and no draft names.
    pub async fn sweep_files(&self) -> StoreResult<()> {
        let blobs = self.blobs.clone();
        self.read(move |db| blobs.sweep(db)).await
    }

    /// Removes closed asks while the writer has nothing else to do, and returns the ids of those
    /// that were removed. Answers that no agent has received stay, unless `undelivered` is set.
    pub async fn remove(&self, ids: Vec<AskId>, undelivered: bool) -> StoreResult<Vec<AskId>> {
        if ids.is_empty() {
            return Ok(ids);
        }
        self.run(|completion| Job::remove(ids, undelivered, completion))
            .await
    }

    /// Writes or deletes notes. `completion` runs on the thread that writes.
    pub fn note(&self, notes: Vec<Note>, completion: Completion<()>) {
        self.send(Job::note(notes, completion));
    }

    /// Indexes asks that have just closed, so that a search finds them. Gives up on a large
    /// backlog, for example after an update, after `CATCH_UP_LIMIT`; a search then finds fewer
    /// asks.
    pub async fn catch_up(&self) -> StoreResult<()> {
        let stopwatch = Stopwatch::start();
        while stopwatch.elapsed() < CATCH_UP_LIMIT {
            if self.run(Job::index).await? {
                break;
            }
        }
        Ok(())
    }

    /// Sends a job to the writer and waits for its result.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        job: impl FnOnce(Completion<T>) -> Job,
    ) -> StoreResult<T> {
        let (reply, result) = oneshot::channel();
        self.send(job(Box::new(move |done| {
            // The receiver is gone if the caller stopped waiting.
            let _ = reply.send(done);
        })));
        result.await.map_err(|_| StoreError::Closed)?
    }
}

/// Counts one page of asks that match a filter. Returns the row of its last ask if more may follow.
/// A page is so small that other reads wait for milliseconds at most.
fn count_page(
    db: &Connection,
    filter: &Filter,
    mut stats: StatsBuilder,
    today: Time,
) -> rusqlite::Result<(StatsBuilder, Option<u64>)> {
    let found = search::facts(db, filter, COUNT_PAGE)?;
    for (facts, asked, _) in &found {
        stats.add(facts, *asked);
        if facts.asked_at.plus_ms(facts.took_ms) >= today {
            stats.ended_today(facts.took_ms);
        }
    }
    let is_full = found.len() as u64 == COUNT_PAGE;
    let last = found.last().filter(|_| is_full);
    Ok((stats, last.map(|(_, _, row)| *row)))
}

/// How many asks [`count_page`] counts.
const COUNT_PAGE: u64 = 1_000;

/// The files that the answers of a record name.
fn answer_files(record: &Record) -> Vec<Digest> {
    match &record.state {
        State::Closed { settlement, .. } => match &settlement.outcome {
            Outcome::Answered(answered) => {
                let files = answered
                    .answers()
                    .iter()
                    .flat_map(|answer| &answer.attachments);
                files.map(|file| file.digest).collect()
            }
            Outcome::Declined { .. }
            | Outcome::Clarify { .. }
            | Outcome::Expired
            | Outcome::Withdrawn => Vec::new(),
        },
        State::Open => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{blobs, sqlite};

    /// SQLite's plan for a query, its steps separated by semicolons.
    fn plan(db: &Connection, sql: &str) -> String {
        let mut statement = db.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let mut rows = statement.raw_query();
        let mut steps = Vec::new();
        while let Some(row) = rows.next().unwrap() {
            steps.push(row.get::<_, String>(3).unwrap());
        }
        steps.join("; ")
    }

    #[test]
    fn only_the_newest_expired_asks_are_loaded() {
        let db = sqlite::in_memory();
        let mut insert = db
            .prepare("INSERT INTO ask (id, state, asked_at, content) VALUES (?1, ?2, ?1, ?3)")
            .unwrap();
        for (at, state) in [
            (1, "expired"),
            (2, "expired"),
            (3, "answered"),
            (4, "expired"),
        ] {
            insert.execute((at, state, "x".repeat(10))).unwrap();
        }
        let since = |since, most| newest_expired(&db, since, most).unwrap();
        assert_eq!(since(0, 30), 0);
        assert_eq!(since(0, 29), 2);
        assert_eq!(since(0, 10), 3);
        assert_eq!(since(4, 10), 4);
        assert_eq!(since(0, 9), 5);
    }

    #[test]
    fn queries_of_the_hub_itself_use_indexes() {
        let db = sqlite::in_memory();
        let of_records = [WAITING, UNDELIVERED, EXPIRED, RECENTLY, WITH_FILES];
        let of_records = of_records.map(|condition| {
            format!(
                "SELECT {} FROM {} WHERE {condition}",
                rows::COLUMNS,
                rows::TABLES
            )
        });
        let others = [
            ANSWERED.to_owned(),
            EXPIRED_SIZES.to_owned(),
            search::ASKED_BETWEEN.to_owned(),
            search::delivered_in_folder_sql(),
            search::removable_by_age_sql(),
            search::LONGEST.to_owned(),
            blobs::ANSWER_FILES.to_owned(),
        ];
        for sql in of_records.iter().chain(&others) {
            let plan = plan(&db, sql);
            let scans = plan.split("; ").any(|step| step == "SCAN ask");
            assert!(!scans, "{sql}: {plan}");
            assert!(!plan.contains("TEMP B-TREE"), "{sql}: {plan}");
        }
    }
}
