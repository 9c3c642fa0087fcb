//! What the desk does with asks that are over: a page of history, the figures, forgetting
//! many. Everything that can take long goes page by page, and others have their turn between.

use std::collections::BTreeSet;
use std::path::PathBuf;

use ask_config::clock;
use ask_config::log;
use ask_core::history::Filter;
use ask_core::stats::{StatsBuilder, When};
use ask_core::{AskId, Time};
use ask_protocol::ipc::{Fault, Response};
use ask_store::{Store, past};
use jiff::tz::TimeZone;

use super::{Desk, Problem, files};
use crate::surface::listing::LATE_MS;

/// The most records in one page of history.
const PAGE: u64 = 1_000;

/// Facts that are counted at a stretch: some milliseconds.
const COUNTED_AT_ONCE: u64 = 10_000;

/// Asks that are forgotten at a stretch.
const FORGOTTEN_AT_ONCE: u64 = 500;

impl Desk {
    pub(super) async fn history(&self, filter: Filter) -> Result<Response, Problem> {
        let limit = filter.limit.unwrap_or(u64::MAX).min(PAGE);
        if past::needs_index(&filter) {
            self.store.index().await?;
        }
        let page = move |db: &rusqlite::Connection| past::page(db, &filter, limit);
        let found = self.store.read(page).await?;
        let full = found.len() as u64 == limit;
        let last = found.last().filter(|_| full).map_or(0, |(_, row)| *row);
        let records = found.into_iter().map(|(record, _)| record).collect();
        Ok(self.records(records, Vec::new(), last, false))
    }

    pub(super) async fn figures(&self, mut filter: Filter) -> Result<Response, Problem> {
        self.store.index().await?;
        let here = TimeZone::system();
        let now = clock::now();
        let today = when(now, &here).date;
        let mut tally = StatsBuilder::default();
        filter.before = None;
        loop {
            let page = filter.clone();
            let facts = self
                .store
                .read(move |db| past::facts(db, &page, COUNTED_AT_ONCE))
                .await?;
            for (facts, _) in &facts {
                tally.add(facts, &when(facts.asked_at, &here));
                let ended = facts.asked_at.plus_ms(facts.took_ms);
                // Cheap before exact: hardly any of them ended today.
                if now.since_ms(ended) <= A_DAY_MS && when(ended, &here).date == today {
                    tally.ended_today(facts.took_ms);
                }
            }
            match facts.last() {
                Some((_, row)) if facts.len() as u64 == COUNTED_AT_ONCE => {
                    filter.before = Some(*row);
                }
                Some(_) | None => break,
            }
        }
        let waiting = "SELECT asked_at FROM ask WHERE state = 'waiting'";
        let waiting = self
            .store
            .read(move |db| {
                let mut statement = db.prepare_cached(waiting)?;
                let times = statement.query_map([], |row| row.get(0).map(Time))?;
                times.collect::<rusqlite::Result<Vec<_>>>()
            })
            .await?;
        for asked_at in waiting {
            tally.add_waiting(now.since_ms(asked_at));
        }
        Ok(Response::Figures(Box::new(tally.figures())))
    }

    /// Removes what the person doesn't want kept, or not for so long.
    pub async fn sweep(&self) {
        let now = clock::now();
        let skipped = self.skip_projects.borrow().clone();
        let pause = if skipped.is_empty() {
            SWEEP_MS
        } else {
            SKIPPED_MS
        };
        self.next_sweep.set(now.plus_ms(pause));
        let count = self.sweep_projects(skipped, now).await + self.sweep_old(now).await;
        if count > 0 {
            self.ring();
        }
    }

    /// Removes what is over and told in folders of which nothing is kept. Who sends an answer once
    /// more, because the first reply was lost, finds it for some minutes.
    async fn sweep_projects(&self, folders: Vec<PathBuf>, now: Time) -> u64 {
        let over = ago(now, SKIPPED_MS);
        let late = ago(now, LATE_MS.max(self.take_up_ms));
        let mut count = 0;
        // Agents say where they are without the links that lead there.
        let named = folders.iter().filter_map(|path| path.canonicalize().ok());
        let all: BTreeSet<PathBuf> = named.chain(folders.iter().cloned()).collect();
        for folder in all {
            loop {
                let path = folder.display().to_string();
                let found = move |db: &rusqlite::Connection| {
                    past::told_in(db, &path, (over, late), FORGOTTEN_AT_ONCE)
                };
                let Ok(ids) = self.store.read(found).await else {
                    break;
                };
                match self.forget_all(&ids, false).await {
                    Ok(gone) if gone > 0 => count += gone,
                    Ok(_) | Err(_) => break,
                }
            }
        }
        if count > 0 {
            log::note(&format!(
                "{count} asks were removed, because nothing is kept of where they were asked (history.skip_projects)"
            ));
        }
        count
    }

    /// Removes what has been over for longer than the person wants it kept. What was said to an
    /// agent that never came for it stays twice as long, and goes with a line in the log.
    async fn sweep_old(&self, now: Time) -> u64 {
        let keep_ms = self.keep_days.get().saturating_mul(DAY_MS);
        if keep_ms == 0 {
            return 0;
        }
        let (ended, given_up) = (ago(now, keep_ms), ago(now, keep_ms.saturating_mul(2)));
        let mut count = 0;
        let mut unheard = Vec::new();
        while let Ok(found) = self.old(ended, given_up).await {
            if count == 0 && !found.is_empty() && !self.is_lived_through(now).await {
                log::note(CLOCK);
                return 0;
            }
            let (told, untold): (Vec<_>, Vec<_>) = found.into_iter().partition(|(_, told)| *told);
            let ids = |some: Vec<(AskId, bool)>| some.into_iter().map(|(id, _)| id).collect();
            let (told, untold): (Vec<AskId>, Vec<AskId>) = (ids(told), ids(untold));
            let gone = (
                self.forget_all(&told, false).await,
                self.forget_all(&untold, true).await,
            );
            match gone {
                (Ok(some), Ok(more)) if some + more > 0 => count += some + more,
                (Ok(_) | Err(_), Ok(_) | Err(_)) => break,
            }
            unheard.extend(untold.iter().map(AskId::to_string));
        }
        if count > 0 {
            let days = self.keep_days.get();
            log::note(&format!(
                "{count} asks that ended more than {days} days ago were removed (history.keep_days)"
            ));
        }
        if !unheard.is_empty() {
            let ids = unheard.join(", ");
            let twice = self.keep_days.get().saturating_mul(2);
            log::note(&format!(
                "among them are answers that no agent has come for in {twice} days: {ids}"
            ));
        }
        count
    }

    /// Removes closed asks, with the files of their answers; what no agent was told only if that is meant.
    async fn forget_all(&self, ids: &[AskId], untold: bool) -> Result<u64, Problem> {
        // Forgetting tidies the whole search.
        if ids.is_empty() {
            return Ok(0);
        }
        let mut attached = Vec::new();
        for id in ids {
            attached.extend(self.store.get(id.clone()).await?.iter().flat_map(files::of));
        }
        let count = self.store.forget(ids.to_vec(), untold).await?;
        self.let_go_of(attached).await;
        for id in ids {
            if self.store.get(id.clone()).await?.is_none() {
                self.outbox.borrow_mut().is_done(id);
                self.claims.borrow_mut().remove(id);
            }
        }
        Ok(count)
    }

    /// Whether the last week has passed here: something was asked in it. Where a clock has leaped ahead,
    /// nothing was, and all would be old.
    async fn is_lived_through(&self, now: Time) -> bool {
        let days = (ago(now, 8 * DAY_MS), ago(now, DAY_MS));
        let asked = self
            .store
            .read(move |db| past::asked_between(db, days))
            .await;
        asked.unwrap_or(false)
    }

    async fn old(&self, ended: Time, given_up: Time) -> Result<Vec<(AskId, bool)>, Problem> {
        let old =
            move |db: &rusqlite::Connection| past::old(db, ended, given_up, FORGOTTEN_AT_ONCE);
        Ok(self.store.read(old).await?)
    }

    /// Removes closed asks by their ids: all of them, or none. What a person said and no agent has
    /// heard goes only if that is meant.
    pub(super) async fn forget(&self, ids: &[String], untold: bool) -> Result<Response, Problem> {
        let mut found = Vec::with_capacity(ids.len());
        for id in ids {
            let record = self.find(id).await?;
            if record.is_waiting() {
                let text = format!("{} is still waiting: answer or decline it first", record.id);
                return Err(Problem {
                    kind: Fault::Malformed,
                    text,
                });
            }
            let ended = record.settlement().filter(|end| end.outcome.is_human());
            if !untold && ended.is_some() && !record.is_delivered() {
                let text = format!(
                    "{} is {}, and no agent has been told; nothing was removed",
                    record.id,
                    record.state_word()
                );
                return Err(Problem {
                    kind: Fault::Untold,
                    text,
                });
            }
            found.push(record.id);
        }
        let count = self.forget_all(&found, untold).await?;
        self.mark(Ok(count))
    }

    /// Removes what a filter finds, or counts it. What a person said and no agent has heard is
    /// never among it: that goes by its id alone.
    pub(super) async fn forget_some(
        &self,
        mut filter: Filter,
        only_count: bool,
    ) -> Result<Response, Problem> {
        if past::needs_index(&filter) {
            self.store.index().await?;
        }
        filter.open = false;
        let (mut count, mut untold) = (0, 0);
        loop {
            let page = filter.clone();
            let found = self
                .store
                .read(move |db| past::ids(db, &page, FORGOTTEN_AT_ONCE))
                .await?;
            let full = found.len() as u64 == FORGOTTEN_AT_ONCE;
            filter.before = found.last().map(|(_, _, row)| *row);
            let all = found.len() as u64;
            let ids: Vec<AskId> = found
                .into_iter()
                .filter_map(|(id, told, _)| told.then_some(id))
                .collect();
            untold += all - ids.len() as u64;
            if only_count {
                count += ids.len() as u64;
            } else if !ids.is_empty() {
                count += self.forget_all(&ids, false).await?;
            }
            if !full {
                break;
            }
        }
        if count > 0 && !only_count {
            self.ring();
        }
        Ok(Response::Forgotten { count, untold })
    }
}

const CLOCK: &str = "nothing is removed by its age (history.keep_days) while nothing was asked one to eight days ago: the clock may be wrong";

const DAY_MS: u64 = 24 * 60 * 60 * 1_000;

/// How often old asks are looked for.
pub const SWEEP_MS: u64 = 6 * 60 * 60 * 1_000;

/// For how long asks are kept of which nothing is to be, and how often they are looked for.
const SKIPPED_MS: u64 = 10 * 60 * 1_000;

/// More than a day has, even where clocks are put back.
const A_DAY_MS: u64 = 26 * 60 * 60 * 1_000;

fn ago(now: Time, ms: u64) -> Time {
    Time(now.0.saturating_sub(i64::try_from(ms).unwrap_or(i64::MAX)))
}

fn when(time: Time, here: &TimeZone) -> When {
    let stamp = jiff::Timestamp::from_millisecond(time.0).unwrap_or_default();
    let there = stamp.to_zoned(here.clone());
    When {
        date: there.date().to_string(),
        hour: there.hour().unsigned_abs(),
    }
}
