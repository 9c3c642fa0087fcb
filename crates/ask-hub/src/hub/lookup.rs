//! Lookups: lists, one record by the id that a person typed, the hub's status. They change no ask.

use std::rc::Rc;
use std::sync::Arc;

use ask_config::clock;
use ask_core::{AskId, Asker, Record, id};
use ask_engine::Cursor;
use ask_protocol::ipc::{Day, ErrorKind, Response, Status};
use ask_store::Store as _;

use super::problem::HubError;
use super::{ConnectionId, Hub, now};
use crate::surface::grouping::keep_most_urgent;

impl Hub {
    /// The records that a person can act on. With `first`, the open asks are limited to that many,
    /// the most urgent ones.
    pub(super) fn list(self: &Rc<Self>, first: Option<u64>) -> Response {
        let (mut records, cursor) = {
            let engine = self.engine.borrow();
            (engine.listed(now()), engine.cursor())
        };
        let first = first.map(|first| usize::try_from(first).unwrap_or(usize::MAX));
        let more = first.map_or(0, |first| keep_most_urgent(&mut records, first));
        let mut listing = self.listing(records, cursor, true);
        if let Response::Records { day: Some(day), .. } = &mut listing {
            day.more = more;
        }
        listing
    }

    /// The asks that calls of a connection wait for and that have changed since a cursor.
    pub(super) fn changes(&self, client: ConnectionId, after: u64) -> Response {
        let (records, cursor) = {
            let engine = self.engine.borrow();
            let news = engine.news_of(client, Cursor::from_u64(after));
            (news, engine.cursor())
        };
        self.listing(records, cursor, false)
    }

    pub(super) fn status(self: &Rc<Self>) -> Status {
        let counts = self.engine.borrow().counts();
        let day = self.day();
        self.recount_today();
        let clients = self.clients.borrow();
        let port = self.port.get();
        Status {
            version: crate::version(),
            pid: std::process::id(),
            waiting: counts.waiting,
            snoozed: counts.snoozed,
            answered_today: day.answered,
            muted: day.muted,
            undelivered: counts.undelivered,
            clients: clients.len() as u64,
            waiters: counts.waiters,
            surfaces: clients.surfaces().count() as u64,
            alone_ms: clients.ms_without_surface(clock::now()),
            port: port.map(|(port, _)| port),
            wanted_port: port.map(|(_, wanted)| wanted),
            set_aside: self.set_aside.clone(),
            unreadable: self.unreadable.borrow().clone(),
        }
    }

    /// The counts that go with a list.
    pub(super) fn day(&self) -> Day {
        Day {
            answered: self.today.borrow_mut().answered(clock::midnight()),
            muted: self.is_muted(),
            more: 0,
            port: self.port.get().map(|(port, _)| port),
        }
    }

    /// Takes the count of today's answers from the store if it may be wrong.
    pub(super) fn recount_today(self: &Rc<Self>) {
        if !self.today.borrow_mut().take_miscounted() {
            return;
        }
        let hub = Rc::clone(self);
        tokio::task::spawn_local(async move {
            let midnight = clock::midnight();
            if let Ok(answered) = hub.store.answered_since(midnight).await {
                hub.today.borrow_mut().set_count(midnight, answered);
            }
        });
    }

    /// An ask in memory, by its whole id.
    pub(super) fn find_in_memory(&self, id: &str) -> Option<Arc<Record>> {
        self.engine.borrow().record(&AskId::parse(id.trim())?)
    }

    /// One ask, from memory or from the store.
    pub(crate) async fn record(&self, id: &AskId) -> Option<Arc<Record>> {
        let in_memory = self.engine.borrow().record(id);
        match in_memory {
            Some(record) => Some(record),
            None => self.store.get(id.clone()).await.ok()?.map(Arc::new),
        }
    }

    pub(crate) fn open_records(&self) -> Vec<Arc<Record>> {
        let engine = self.engine.borrow();
        let open = engine.records().filter(|record| record.is_open());
        open.cloned().collect()
    }

    /// An ask that the asker may have, by the short id that its dialect shows. Asks of others are
    /// reported as missing.
    pub(super) async fn find_own(
        &self,
        short: &str,
        asker: &Asker,
    ) -> Result<Arc<Record>, HubError> {
        let found = self.store.find(short).await?;
        let engine = self.engine.borrow();
        let found = found.into_iter().map(|found| {
            let newer = engine.record(&found.id);
            newer.unwrap_or_else(|| Arc::new(found))
        });
        let mut own = found.filter(|record| {
            record.id.short() == short && engine.may_have(record, asker, &self.machine)
        });
        match (own.next(), own.next()) {
            (Some(record), None) => Ok(self.client_view(record)),
            _ => Err(HubError::not_found(short)),
        }
    }

    /// The id of a stored ask that can't be read, by its whole text.
    pub(super) fn unreadable_id(&self, id: &str) -> Option<AskId> {
        let unreadable = self.unreadable.borrow();
        let known = unreadable.iter().find(|known| *known == id.trim());
        known.and_then(|known| AskId::parse(known))
    }

    /// Finds a record by its id, a unique beginning of it, or `latest`. Only people use the short
    /// forms: an agent knows the whole id of its ask.
    pub(super) async fn find(&self, id: &str) -> Result<Arc<Record>, HubError> {
        let wanted = id.trim();
        if wanted != id::LATEST && wanted.len() < id::MIN_PREFIX {
            return Err(HubError {
                kind: ErrorKind::NotFound,
                text: format!(
                    "\"{wanted}\" is too short for an id: give at least {} characters of it, or latest for the newest ask that waits",
                    id::MIN_PREFIX
                ),
            });
        }
        if let Some(record) = self.find_in_memory(wanted) {
            return Ok(self.client_view(record));
        }
        if wanted == id::LATEST {
            return self.find_latest().await;
        }
        let mut found = self.store.find(wanted).await?;
        match found.len() {
            0 => Err(HubError::not_found(wanted)),
            1 => {
                let found = found.remove(0);
                // The engine may have a newer state of an ask than the store.
                let newer = self.engine.borrow().record(&found.id);
                Ok(self.client_view(newer.unwrap_or_else(|| Arc::new(found))))
            }
            _ => {
                let ids: Vec<&str> = found.iter().map(|record| record.id.as_str()).collect();
                Err(HubError {
                    kind: ErrorKind::Ambiguous,
                    text: format!("several asks begin with \"{wanted}\": {}", ids.join(", ")),
                })
            }
        }
    }

    /// The newest ask that waits, or the newest of all if none waits.
    async fn find_latest(&self) -> Result<Arc<Record>, HubError> {
        let newest = self.store.latest().await?;
        let newest = newest.ok_or_else(|| HubError::not_found(id::LATEST))?;
        let engine = self.engine.borrow();
        let newest = engine
            .record(&newest.id)
            .unwrap_or_else(|| Arc::new(newest));
        if newest.is_open() {
            return Ok(self.client_view(newest));
        }
        let open = engine.records().filter(|record| record.is_open());
        let newest_open = open.max_by_key(|record| record.asked_at).cloned();
        Ok(self.client_view(newest_open.unwrap_or(newest)))
    }
}
