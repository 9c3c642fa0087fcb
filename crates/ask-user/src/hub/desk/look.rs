//! What the desk looks up: lists, the feed, history, one record by what a person
//! typed. Reads only; nothing here changes an ask.

use std::collections::HashSet;

use ask_core::dialect::wire::{Fault, Filter, Response, Status};
use ask_core::{AskId, Record, id};
use rusqlite::Connection;
use rusqlite::types::Value;

use super::waiters::ALL_BACK;
use super::{ClientId, Desk, Problem, UNDELIVERED, Waiter};
use crate::clock;
use crate::store::{Cursor, Feed, Store, rows};

/// The most records in one page of history.
const PAGE: u64 = 1_000;

/// The most changes that are told one by one.
const MANY: usize = 20_000;

impl Desk {
    pub(super) async fn waiting(&self, client: ClientId) -> Result<Response, Problem> {
        self.looked(client);
        let (records, cursor) = self
            .store
            .read(|db| {
                let cursor: u64 =
                    db.query_row("SELECT coalesce(max(seq), 0) FROM change", [], |row| {
                        row.get(0)
                    })?;
                let mut records = rows::select(db, "ask.state = 'waiting' ORDER BY ask.row", &[])?;
                let late = format!("{UNDELIVERED} ORDER BY ask.row");
                records.extend(rows::select(db, &late, &[])?);
                Ok((records, cursor))
            })
            .await?;
        Ok(self.records(records, Vec::new(), cursor, false))
    }

    /// Outcomes that nobody was told and that are on their way to nobody: looked up and, if so
    /// wanted, sent on their way without a moment in between.
    pub(super) async fn undelivered(
        &self,
        client: Option<&str>,
        directory: Option<&str>,
        taken_by: Option<Waiter>,
    ) -> Result<Response, Problem> {
        let mut records = self.told_nobody(client, directory)?;
        if taken_by.is_some() && !records.is_empty() && self.when_others_are_back(ALL_BACK).await {
            records = self.told_nobody(client, directory)?;
        }
        let stands = |waiter: &Waiter| self.clients.borrow().contains_key(&waiter.client);
        if let Some(waiter) = taken_by.filter(stands) {
            for record in &records {
                self.sets_out(&record.id, waiter);
            }
        }
        Ok(self.records(records, Vec::new(), 0, false))
    }

    fn told_nobody(
        &self,
        client: Option<&str>,
        directory: Option<&str>,
    ) -> Result<Vec<Record>, Problem> {
        let mut records = self.store.glance(|db| {
            let which = format!(
                "{UNDELIVERED} AND ask.client IS ?1 AND ask.directory IS ?2 ORDER BY ask.row"
            );
            rows::select(db, &which, &[&client, &directory])
        })?;
        records.retain(|record| !self.outbox.borrow().is_underway(&record.id));
        Ok(records)
    }

    /// An outcome, and whether its asker has missed others that could still be had.
    pub(super) fn told(&self, record: &Record) -> Response {
        Response::Told {
            record: Box::new(record.clone()),
            missed: self.outbox.borrow().misses_others(record),
        }
    }

    pub(super) async fn changes(
        &self,
        client: ClientId,
        after: Cursor,
    ) -> Result<Response, Problem> {
        self.looked(client);
        let mut next = after;
        let mut changed = Vec::new();
        loop {
            match self.store.changes(next).await? {
                Feed::Page { changed: page, .. } if page.is_empty() => break,
                Feed::Page {
                    changed: page,
                    next: end,
                } if changed.len() < MANY => {
                    changed.extend(page);
                    next = end;
                }
                // So many changes at once cost more than a fresh listing.
                Feed::Page { next: end, .. } | Feed::Reset { next: end } => {
                    return Ok(self.records(Vec::new(), Vec::new(), end.0, true));
                }
            }
        }
        let (records, gone) = self.store.glance(|db| as_they_stand(db, changed))?;
        Ok(self.records(records, gone, next.0, false))
    }

    pub(super) async fn history(&self, filter: Filter) -> Result<Response, Problem> {
        let limit = filter.limit.unwrap_or(u64::MAX).min(PAGE);
        let mut which = vec!["1"];
        let mut values: Vec<Value> = Vec::new();
        if !filter.open {
            which.push("ask.state <> 'waiting'");
        }
        if let Some(search) = filter.search.as_deref().and_then(quoted) {
            self.store.index().await?;
            which.push("ask.row IN (SELECT rowid FROM found WHERE found MATCH ?)");
            values.push(search.into());
        }
        if let Some(project) = filter.project {
            which.push("(ask.project = ? OR ask.directory = ?)");
            values.extend([project.clone().into(), project.into()]);
        }
        if let Some(since) = filter.since_ms {
            which.push("ask.asked_at >= ?");
            values.push(since.into());
        }
        if let Some(before) = filter.before.filter(|before| *before > 0) {
            which.push("ask.row < ?");
            values.push(i64::try_from(before).unwrap_or(i64::MAX).into());
        }
        values.push(i64::try_from(limit).unwrap_or(i64::MAX).into());
        let sql = format!(
            "SELECT {}, ask.row FROM {} WHERE {} ORDER BY ask.row DESC LIMIT ?",
            rows::COLUMNS,
            rows::TABLES,
            which.join(" AND ")
        );
        let found = self
            .store
            .read(move |db| {
                let mut statement = db.prepare_cached(&sql)?;
                let rows = statement.query_map(rusqlite::params_from_iter(values), |row| {
                    Ok((rows::record_of(row)?, row.get::<_, u64>(9)?))
                })?;
                rows.collect::<rusqlite::Result<Vec<_>>>()
            })
            .await?;
        let full = found.len() as u64 == limit;
        let last = found.last().filter(|_| full).map_or(0, |(_, row)| *row);
        let records = found.into_iter().map(|(record, _)| record).collect();
        Ok(self.records(records, Vec::new(), last, false))
    }

    pub(super) async fn status(&self) -> Result<Status, Problem> {
        let (waiting, undelivered) = self
            .store
            .read(|db| {
                db.prepare_cached(
                    "SELECT (SELECT count(*) FROM ask WHERE state = 'waiting'),
                            (SELECT count(*) FROM ask WHERE state IN ('answered', 'declined', 'clarify')
                             AND delivered_at IS NULL)",
                )?
                .query_row([], |row| Ok((row.get(0)?, row.get(1)?)))
            })
            .await?;
        let surfaces = self.surfaces();
        let alone_ms = match surfaces {
            0 => clock::now().since_ms(self.alone_since.get()),
            _ => 0,
        };
        Ok(Status {
            version: crate::hub::version(),
            pid: std::process::id(),
            waiting,
            undelivered,
            clients: self.clients.borrow().len() as u64,
            waiters: self.waiters.borrow().values().map(Vec::len).sum::<usize>() as u64,
            surfaces,
            alone_ms,
            port: self.port.get(),
            set_aside: self.set_aside.clone(),
        })
    }

    /// How many clients want to hear of changes.
    fn surfaces(&self) -> u64 {
        let clients = self.clients.borrow();
        clients
            .values()
            .filter(|client| client.rung.is_some())
            .count() as u64
    }

    /// Finds a record by its id, the beginning of it, or `latest`.
    pub(super) async fn find(&self, id: &str) -> Result<Record, Problem> {
        let wanted = id.trim().to_owned();
        if wanted != "latest" && wanted.len() < id::MIN_PREFIX {
            return Err(Problem {
                kind: Fault::NotFound,
                text: format!(
                    "\"{wanted}\" is too short for an id: give at least {} characters, or latest",
                    id::MIN_PREFIX
                ),
            });
        }
        let asked = wanted.clone();
        let mut found = self.store.glance(|db| {
            if asked == "latest" {
                return rows::select(db, "1 ORDER BY ask.row DESC LIMIT 1", &[]);
            }
            let which = "(ask.id >= ?1 AND ask.id < ?1 || '~') \
                     OR (ask.id >= 'a_' || ?1 AND ask.id < 'a_' || ?1 || '~') LIMIT 6";
            let mut found = rows::select(db, which, &[&asked])?;
            if let Some(exact) = found.iter().position(|record| record.id.as_str() == asked) {
                found = vec![found.swap_remove(exact)];
            }
            Ok(found)
        })?;
        match found.len() {
            0 => Err(Problem::not_found(&wanted)),
            1 => Ok(self.with_waiters(found.remove(0))),
            _ => {
                let ids: Vec<&str> = found.iter().map(|record| record.id.as_str()).collect();
                Err(Problem {
                    kind: Fault::Ambiguous,
                    text: format!("several asks begin with \"{wanted}\": {}", ids.join(", ")),
                })
            }
        }
    }

    fn records(
        &self,
        records: Vec<Record>,
        gone: Vec<String>,
        cursor: u64,
        reset: bool,
    ) -> Response {
        let records = records
            .into_iter()
            .map(|record| self.with_waiters(record))
            .collect();
        Response::Records {
            records,
            gone,
            cursor,
            reset,
        }
    }
}

/// Each ask once, as it stands now, and the ids of those that are no more.
fn as_they_stand(
    db: &Connection,
    changed: Vec<AskId>,
) -> rusqlite::Result<(Vec<Record>, Vec<String>)> {
    let mut seen = HashSet::new();
    let (mut records, mut gone) = (Vec::new(), Vec::new());
    for id in changed {
        if !seen.insert(id.clone()) {
            continue;
        }
        match rows::get(db, id.as_str())? {
            Some(record) => records.push(record),
            None => gone.push(id.to_string()),
        }
    }
    Ok((records, gone))
}

/// Words of a search as a phrase each, so that none is taken for an operator. The last may be
/// unfinished, unless it is so short that half of everything begins with it.
fn quoted(search: &str) -> Option<String> {
    let words: Vec<String> = search
        .split_whitespace()
        .map(|word| format!("\"{}\"", word.replace('"', "\"\"")))
        .collect();
    let unfinished = search.split_whitespace().last()?.chars().count() > 1;
    let mark = if unfinished { "*" } else { "" };
    Some(format!("{}{mark}", words.join(" ")))
}
