//! Lookups: lists, one record by what a person typed, the hub's status. Nothing here changes an
//! ask.

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
    /// The records that a person can act on. With `first`, at most so many open asks, the most
    /// urgent.
    pub(super) fn waiting(self: &Rc<Self>, first: Option<u64>) -> Response {
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

    /// The asks that calls of a connection wait for and that have changed after a cursor.
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
        self.recount();
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
            alone_ms: clients.alone_ms(clock::now()),
            port: port.map(|(port, _)| port),
            wanted_port: port.map(|(_, wanted)| wanted),
            set_aside: self.set_aside.clone(),
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

    /// Counts today's answers again if the count may be wrong.
    pub(super) fn recount(self: &Rc<Self>) {
        if !self.today.borrow_mut().take_miscounted() {
            return;
        }
        let hub = Rc::clone(self);
        tokio::task::spawn_local(async move {
            let midnight = clock::midnight();
            if let Ok(answered) = hub.store.answered_since(midnight).await {
                hub.today.borrow_mut().recounted(midnight, answered);
            }
        });
    }

    /// An ask of the working set, by its whole id.
    pub(super) fn known(&self, id: &str) -> Option<Arc<Record>> {
        self.engine.borrow().record(&AskId::parse(id.trim())?)
    }

    /// One ask, from memory or from the store.
    pub(crate) async fn record(&self, id: &AskId) -> Option<Arc<Record>> {
        let known = self.engine.borrow().record(id);
        match known {
            Some(record) => Some(record),
            None => self.store.get(id.clone()).await.ok()?.map(Arc::new),
        }
    }

    /// All open asks.
    pub(crate) fn all_open(&self) -> Vec<Arc<Record>> {
        let engine = self.engine.borrow();
        let waiting = engine.records().filter(|record| record.is_open());
        waiting.cloned().collect()
    }

    /// An ask of the asker itself, by the short id that its dialect shows. For an ask of anybody
    /// else the response is the same as for a missing one.
    pub(super) async fn own(&self, short: &str, asker: &Asker) -> Result<Arc<Record>, HubError> {
        let found = self.store.find(short).await?;
        let engine = self.engine.borrow();
        let found = found.into_iter().map(|found| {
            let known = engine.record(&found.id);
            known.unwrap_or_else(|| Arc::new(found))
        });
        let mut own = found.filter(|record| {
            record.id.short() == short && engine.may_have(record, asker, &self.machine)
        });
        match (own.next(), own.next()) {
            (Some(record), None) => Ok(self.shown(record)),
            _ => Err(HubError::not_found(short)),
        }
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
        if let Some(record) = self.known(wanted) {
            return Ok(self.shown(record));
        }
        if wanted == id::LATEST {
            return self.latest().await;
        }
        let mut found = self.store.find(wanted).await?;
        match found.len() {
            0 => Err(HubError::not_found(wanted)),
            1 => {
                let found = found.remove(0);
                // Memory has a newer state of an ask than the store.
                let known = self.engine.borrow().record(&found.id);
                Ok(self.shown(known.unwrap_or_else(|| Arc::new(found))))
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
    async fn latest(&self) -> Result<Arc<Record>, HubError> {
        let newest = self.store.latest().await?;
        let newest = newest.ok_or_else(|| HubError::not_found(id::LATEST))?;
        let engine = self.engine.borrow();
        let newest = engine
            .record(&newest.id)
            .unwrap_or_else(|| Arc::new(newest));
        if newest.is_open() {
            return Ok(self.shown(newest));
        }
        let waiting = engine.records().filter(|record| record.is_open());
        let waiting = waiting.max_by_key(|record| record.asked_at).cloned();
        Ok(self.shown(waiting.unwrap_or(newest)))
    }
}
