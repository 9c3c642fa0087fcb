//! What is read of the store: the working set that an engine begins with, and everything that is
//! looked up in history. Nothing here is on the path of an ask.

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
use super::writer::{MUTED, Note, Order, Slice, Then};
use super::{StoreError, StoreResult, rows, search};

/// So many answered asks are kept in mind, in case the same is asked again.
const RECENT: usize = 64;

/// So many asks that begin with the same letters are looked up: enough to say that there are several.
const ALIKE: usize = 6;

/// So long a search waits for the index. Nearly always all is indexed long before.
const INDEXING: Duration = Duration::from_millis(30);

/// What an engine begins with.
#[derive(Debug, Default)]
pub struct WorkingSet {
    /// All open asks, all outcomes of people that were not delivered, expired asks that can still be
    /// taken up; in the order in which they were asked.
    pub records: Vec<Record>,
    /// What was answered last, the newest at the end.
    pub recent: Vec<Record>,
    /// Whether notifications are muted.
    pub muted: bool,
    /// How many asks were answered since midnight.
    pub answered_today: u64,
    /// Lines of state that belong to no ask, by their keys.
    pub notes: BTreeMap<String, String>,
}

/// An ask that was found in history, and where the next page begins.
pub type Found = (Record, u64);

/// An ask that is old enough to be removed, and whether its agent has nothing more to hear.
pub type RemovableAsk = (AskId, bool);

/// Each of these is written as the condition of an index, so that a hub starts as quickly with a
/// long history as with none.
const WAITING: &str = "ask.state = 'waiting'";
const UNDELIVERED: &str =
    "ask.state IN ('answered', 'declined', 'clarify') AND ask.delivered_at IS NULL";
const EXPIRED: &str = "ask.state = 'expired' AND ask.asked_at >= ?1";
const RECENTLY: &str = "ask.closed_at >= ?1 AND ask.state = 'answered' ORDER BY ask.closed_at DESC";
const ANSWERED: &str = "SELECT count(*) FROM ask WHERE closed_at >= ?1 AND state = 'answered'";

/// Reads what an engine begins with at this time.
pub(crate) fn working_set(
    db: &Connection,
    now: Time,
    take_up_ms: u64,
    midnight: Time,
) -> rusqlite::Result<WorkingSet> {
    let before = |ms: u64| Time(now.0.saturating_sub_unsigned(ms));
    let mut records = Vec::new();
    for which in [WAITING, UNDELIVERED] {
        records.extend(rows::select(db, which, &[])?);
    }
    records.extend(rows::select(db, EXPIRED, &[&before(take_up_ms).0])?);
    let recent = format!("{RECENTLY} LIMIT {RECENT}");
    let since = before(lifecycle::REPEATED_WITHIN_MS).0;
    let mut recent = rows::select(db, &recent, &[&since])?;
    recent.reverse();
    let switched = "SELECT count(*) FROM switch WHERE name = ?1";
    let switched: u64 = db.query_row(switched, [MUTED], |row| row.get(0))?;
    let mut notes = db.prepare("SELECT key, value FROM note")?;
    let notes = notes.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(WorkingSet {
        records,
        recent,
        muted: switched > 0,
        answered_today: answered_since(db, midnight)?,
        notes: notes.collect::<rusqlite::Result<_>>()?,
    })
}

const WITH_FILES: &str = "ask.id = ?1 AND instr(ask.settlement, '\"sha256\"') > 0";

fn answered_since(db: &Connection, since: Time) -> rusqlite::Result<u64> {
    db.prepare_cached(ANSWERED)?
        .query_row([since.0], |row| row.get(0))
}

impl Sqlite {
    /// Asks whose ids are or begin with this, with or without `a_`: a few, if there are several.
    pub async fn find(&self, prefix: &str) -> StoreResult<Vec<Record>> {
        let prefix = prefix.to_owned();
        self.read(move |db| {
            let which = format!(
                "(ask.id >= ?1 AND ask.id < ?1 || '~')
                 OR (ask.id >= 'a_' || ?1 AND ask.id < 'a_' || ?1 || '~') LIMIT {ALIKE}"
            );
            let mut found = rows::select(db, &which, &[&prefix])?;
            if let Some(exact) = found.iter().position(|record| record.id.as_str() == prefix) {
                found = vec![found.swap_remove(exact)];
            }
            Ok(found)
        })
        .await
    }

    /// What was asked last.
    pub async fn latest(&self) -> StoreResult<Option<Record>> {
        self.read(|db| Ok(rows::select(db, "1 ORDER BY ask.row DESC LIMIT 1", &[])?.pop()))
            .await
    }

    /// How many asks were answered since a moment.
    pub async fn answered_since(&self, since: Time) -> StoreResult<u64> {
        self.read(move |db| answered_since(db, since)).await
    }

    /// A page of history, the newest first.
    pub async fn history(&self, filter: Filter, limit: u64) -> StoreResult<Vec<Found>> {
        if search::needs_index(&filter) {
            self.catch_up().await?;
        }
        self.read(move |db| search::page(db, &filter, limit)).await
    }

    /// The statistics over what a filter finds, and the longest that one was open which ended since a
    /// moment. Whole days were counted before; the rest is counted in steps.
    pub async fn statistics(&self, filter: Filter, today: Time) -> StoreResult<StatsBuilder> {
        self.catch_up().await?;
        let mut stats = StatsBuilder::default();
        let mut walks = vec![filter.clone()];
        if let Some(period) = Period::from_filter(&filter, &Calendar::here()) {
            walks.clone_from(&period.beside);
            stats = self
                .read(move |db| {
                    period.add(db, &mut stats)?;
                    if let Some(longest) = search::longest(db, &filter, today)? {
                        stats.ended_today(longest);
                    }
                    Ok(stats)
                })
                .await?;
        }
        for mut walk in walks {
            walk.before = None;
            loop {
                let page = walk.clone();
                let (counted, last) = self.read(move |db| count(db, &page, stats, today)).await?;
                stats = counted;
                match last {
                    Some(row) => walk.before = Some(row),
                    None => break,
                }
            }
        }
        Ok(stats)
    }

    /// A page of asks that a filter finds, the newest first: whether their agents have nothing more
    /// to hear, and where the next page begins.
    pub async fn ids(&self, filter: Filter, limit: u64) -> StoreResult<Vec<(AskId, bool, u64)>> {
        if search::needs_index(&filter) {
            self.catch_up().await?;
        }
        self.read(move |db| search::ids(db, &filter, limit)).await
    }

    /// Asks that retention may remove: those that ended before a moment, the oldest first; those whose
    /// agents have something to hear only where they ended before another one.
    pub async fn removable_by_age(
        &self,
        ended: Time,
        given_up: Time,
        limit: u64,
    ) -> StoreResult<Vec<RemovableAsk>> {
        self.read(move |db| search::removable_by_age(db, ended, given_up, limit))
            .await
    }

    /// Asks of a folder and of those within that were over, and told, before a moment; those whose
    /// time passed only where that was before another one.
    pub async fn told_in(
        &self,
        folder: String,
        over: (Time, Time),
        limit: u64,
    ) -> StoreResult<Vec<AskId>> {
        self.read(move |db| search::told_in(db, &folder, over, limit))
            .await
    }

    /// Whether anything was asked in a period, its end not counted.
    pub async fn asked_between(&self, from: Time, to: Time) -> StoreResult<bool> {
        self.read(move |db| search::asked_between(db, (from, to)))
            .await
    }

    /// The files of these asks' answers.
    pub async fn files_of(&self, ids: Vec<AskId>) -> StoreResult<Vec<Digest>> {
        self.read(move |db| {
            let mut files = Vec::new();
            for id in &ids {
                // Hardly any has some, and only those are read.
                for record in rows::select(db, WITH_FILES, &[&id.as_str()])? {
                    files.extend(files_in(&record));
                }
            }
            Ok(files)
        })
        .await
    }

    /// Removes those of these files that no ask names any more.
    pub async fn remove_unnamed(&self, files: Vec<Digest>) -> StoreResult<()> {
        if files.is_empty() {
            return Ok(());
        }
        let blobs = self.blobs.clone();
        self.read(move |db| blobs.remove_unnamed(db, &files)).await
    }

    /// How many bytes the files have that no answer and no draft names.
    pub async fn unnamed_bytes(&self) -> StoreResult<u64> {
        let blobs = self.blobs.clone();
        self.read(move |db| blobs.unnamed_bytes(db)).await
    }

    /// Removes files that were attached and never sent.
    pub async fn sweep_files(&self) -> StoreResult<()> {
        let blobs = self.blobs.clone();
        self.read(move |db| blobs.sweep(db)).await
    }

    /// Removes closed asks while nothing else is to be written; which are gone. Those whose answers no
    /// agent has received stay, unless that is meant.
    pub async fn remove(&self, ids: Vec<AskId>, undelivered: bool) -> StoreResult<Vec<AskId>> {
        if ids.is_empty() {
            return Ok(ids);
        }
        self.told(|then| Order::remove(ids, undelivered, then))
            .await
    }

    /// Remembers lines of state that belong to no ask, or forgets them.
    pub fn note(&self, notes: Vec<Note>, then: Then<()>) {
        self.order(Order::note(notes, then));
    }

    /// Has the search find what has closed a moment ago. Of a large backlog, as after an update, it
    /// finds what it finds by now.
    pub async fn catch_up(&self) -> StoreResult<()> {
        let begun = Slice::begin();
        while begun.age() < INDEXING {
            if self.told(Order::index).await? {
                break;
            }
        }
        Ok(())
    }

    /// Hands over an order and waits for what comes of it.
    pub(crate) async fn told<T: Send + 'static>(
        &self,
        order: impl FnOnce(Then<T>) -> Order,
    ) -> StoreResult<T> {
        let (reply, told) = oneshot::channel();
        self.order(order(Box::new(move |done| {
            // Whoever waited may have gone.
            let _ = reply.send(done);
        })));
        told.await.map_err(|_| StoreError::Closed)?
    }
}

/// Counts the next asks that a filter finds, so few that others who read wait some milliseconds at
/// most; and the row of the last one if there may be more.
fn count(
    db: &Connection,
    filter: &Filter,
    mut stats: StatsBuilder,
    today: Time,
) -> rusqlite::Result<(StatsBuilder, Option<u64>)> {
    let found = search::facts(db, filter, COUNTED_AT_ONCE)?;
    for (facts, asked, _) in &found {
        stats.add(facts, *asked);
        if facts.asked_at.plus_ms(facts.took_ms) >= today {
            stats.ended_today(facts.took_ms);
        }
    }
    let is_full = found.len() as u64 == COUNTED_AT_ONCE;
    let last = found.last().filter(|_| is_full);
    Ok((stats, last.map(|(_, _, row)| *row)))
}

/// How many asks are counted in one step.
const COUNTED_AT_ONCE: u64 = 1_000;

/// The files of a record's answers.
fn files_in(record: &Record) -> Vec<Digest> {
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

    /// How each query goes about it.
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
    fn nothing_that_a_hub_looks_up_by_itself_walks_through_history() {
        let db = sqlite::in_memory();
        let of_asks = [WAITING, UNDELIVERED, EXPIRED, RECENTLY, WITH_FILES];
        let of_asks = of_asks.map(|which| {
            format!(
                "SELECT {} FROM {} WHERE {which}",
                rows::COLUMNS,
                rows::TABLES
            )
        });
        let others = [
            ANSWERED.to_owned(),
            search::ASKED_BETWEEN.to_owned(),
            search::told_in_sql(),
            search::removable_by_age_sql(),
            search::LONGEST.to_owned(),
            blobs::NAMED.to_owned(),
        ];
        for sql in of_asks.iter().chain(&others) {
            let plan = plan(&db, sql);
            let walks = plan.split("; ").any(|step| step == "SCAN ask");
            assert!(!walks, "{sql}: {plan}");
            assert!(!plan.contains("TEMP B-TREE"), "{sql}: {plan}");
        }
    }
}
