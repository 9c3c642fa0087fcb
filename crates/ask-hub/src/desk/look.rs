//! What the desk looks up: lists, the feed, one record by what a person
//! typed. Reads only; nothing here changes an ask.

use std::collections::HashSet;

use ask_config::clock;
use ask_core::{AskId, Asker, Record, id};
use ask_protocol::ipc::{Fault, Response, Status};
use ask_store::{Cursor, Feed, Store, rows};
use rusqlite::Connection;

use super::waiters::ALL_BACK;
use super::{ClientId, Desk, Problem, UNDELIVERED, Waiter};
use crate::surface::listing::LATE_MS;

/// Asks that wait.
const WAITING: &str = "ask.state = 'waiting'";

/// The most changes that are told one by one.
const MANY: usize = 20_000;

impl Desk {
    pub(super) async fn waiting(
        &self,
        client: ClientId,
        first: Option<u64>,
    ) -> Result<Response, Problem> {
        self.looked(client);
        let lately = clock::now().0 - i64::try_from(LATE_MS).unwrap_or(i64::MAX);
        let (records, cursor, more) = self
            .store
            .read(move |db| {
                let cursor: u64 =
                    db.query_row("SELECT coalesce(max(seq), 0) FROM change", [], |row| {
                        row.get(0)
                    })?;
                let (mut records, all) = match first {
                    Some(first) => most_urgent(db, first)?,
                    None => (
                        rows::select(db, &format!("{WAITING} ORDER BY ask.row"), &[])?,
                        0,
                    ),
                };
                let more = u64::saturating_sub(all, records.len() as u64);
                let kept = format!("{UNDELIVERED} AND ask.closed_at >= ?1 ORDER BY ask.row");
                records.extend(rows::select(db, &kept, &[&lately])?);
                Ok((records, cursor, more))
            })
            .await?;
        let listed = self.records(records, Vec::new(), cursor, false);
        let mut listed = self.with_day(listed).await?;
        if let Response::Records { day: Some(day), .. } = &mut listed {
            day.more = more;
        }
        Ok(listed)
    }

    /// Outcomes that nobody was told and that are on their way to nobody: looked up and, if so
    /// wanted, sent on their way without a moment in between.
    pub(super) async fn undelivered(
        &self,
        by: Waiter,
        asker: &Asker,
        take: bool,
        or_open: bool,
    ) -> Result<Response, Problem> {
        let mut records = self.told_nobody(by.client, asker)?;
        // Of a caller that is not known, its connection says whose it is, once that is back.
        let is_known = |record: &Record| record.asker.caller.is_some() && asker.caller.is_some();
        if take && !records.iter().all(is_known) && self.when_others_are_back(ALL_BACK).await {
            records = self.told_nobody(by.client, asker)?;
        }
        if records.is_empty() && or_open {
            records = self.open_of(by.client, asker)?;
            return Ok(self.records(records, Vec::new(), 0, false));
        }
        if take && self.clients.borrow().contains_key(&by.client) {
            for record in &records {
                self.sets_out(&record.id, by);
            }
        }
        Ok(self.records(records, Vec::new(), 0, false))
    }

    fn told_nobody(&self, by: ClientId, asker: &Asker) -> Result<Vec<Record>, Problem> {
        let mut records = self.asked_from(UNDELIVERED, asker)?;
        records.retain(|record| {
            !self.outbox.borrow().is_underway(&record.id) && self.may_have(by, record, asker)
        });
        Ok(records)
    }

    /// The asks of a caller that wait.
    fn open_of(&self, by: ClientId, asker: &Asker) -> Result<Vec<Record>, Problem> {
        let mut records = self.asked_from(WAITING, asker)?;
        records.retain(|record| self.may_have(by, record, asker));
        Ok(records)
    }

    /// What was asked by this client in this directory, the oldest first.
    fn asked_from(&self, which: &str, asker: &Asker) -> Result<Vec<Record>, Problem> {
        let (client, directory) = (&asker.client, &asker.directory);
        Ok(self.store.glance(|db| {
            let which =
                format!("{which} AND ask.client IS ?1 AND ask.directory IS ?2 ORDER BY ask.row");
            rows::select(db, &which, &[client, directory])
        })?)
    }

    /// An outcome, and whether its asker has missed others that could still be had.
    pub(super) fn told(&self, record: &Record) -> Response {
        let missed = self.outbox.borrow().misses_others(record);
        let mut record = Box::new(record.clone());
        self.place_files(&mut record);
        Response::Told { record, missed }
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
                    let anew = self.records(Vec::new(), Vec::new(), end.0, true);
                    return self.with_day(anew).await;
                }
            }
        }
        let (records, gone) = self.store.glance(|db| as_they_stand(db, changed))?;
        self.with_day(self.records(records, gone, next.0, false))
            .await
    }

    pub(super) async fn status(&self) -> Result<Status, Problem> {
        let (waiting, undelivered, snoozed) = self
            .store
            .read(|db| {
                db.prepare_cached(
                    "SELECT (SELECT count(*) FROM ask WHERE state = 'waiting'),
                            (SELECT count(*) FROM ask WHERE state IN ('answered', 'declined', 'clarify')
                             AND delivered_at IS NULL),
                            (SELECT count(*) FROM desk WHERE snoozed_until IS NOT NULL)",
                )?
                .query_row([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
            })
            .await?;
        let day = self.day().await?;
        let surfaces = self.surfaces();
        let port = self.port.get();
        let alone_ms = match surfaces {
            0 => clock::now().since_ms(self.alone_since.get()),
            _ => 0,
        };
        Ok(Status {
            version: crate::version(),
            pid: std::process::id(),
            waiting,
            snoozed,
            answered_today: day.answered,
            muted: day.muted,
            undelivered,
            clients: self.clients.borrow().len() as u64,
            waiters: self.waiters.borrow().values().map(Vec::len).sum::<usize>() as u64,
            surfaces,
            alone_ms,
            port: port.map(|(port, _)| port),
            wanted_port: port.map(|(_, wanted)| wanted),
            set_aside: self.set_aside.clone(),
        })
    }

    /// How many clients want to hear of changes, and can answer.
    fn surfaces(&self) -> u64 {
        let clients = self.clients.borrow();
        clients
            .values()
            .filter(|client| client.is_surface())
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

    pub(super) fn records(
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
            day: None,
        }
    }

    async fn with_day(&self, mut response: Response) -> Result<Response, Problem> {
        if let Response::Records { day, .. } = &mut response {
            *day = Some(self.day().await?);
        }
        Ok(response)
    }
}

/// So many asks that wait, in the order in which surfaces list them, and how many wait in all.
fn most_urgent(db: &Connection, first: u64) -> rusqlite::Result<(Vec<Record>, u64)> {
    let all = db.query_row(
        &format!("SELECT count(*) FROM ask WHERE {WAITING}"),
        [],
        |row| row.get(0),
    )?;
    let which = format!(
        "ask.row IN (SELECT ask.row FROM ask LEFT JOIN desk ON desk.row = ask.row
           WHERE {WAITING}
           ORDER BY desk.snoozed_until IS NOT NULL, ask.deadline_at IS NULL, ask.deadline_at, ask.row
           LIMIT ?1)
         ORDER BY ask.row"
    );
    let first = i64::try_from(first).unwrap_or(i64::MAX);
    Ok((rows::select(db, &which, &[&first])?, all))
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
