//! The connections of clients: which are open, which calls wait over them, and which callers they carry.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use ask_core::{AskId, Asker, Time};

use crate::callers::Machine;
use crate::event::{ConnectionId, RequestId};

/// One connection.
#[derive(Debug, Default)]
pub(crate) struct Connection {
    /// Calls that wait for an outcome, or to which one is on its way.
    pub calls: BTreeSet<(RequestId, AskId)>,
    /// Asks about which something ends with it: that its agent comes back, that its client asks.
    pub marks: BTreeSet<AskId>,
    /// Callers that spoke over it, by their instances.
    pub callers: BTreeSet<String>,
}

/// A caller that is connected.
#[derive(Debug)]
pub(crate) struct Present {
    pub asker: Asker,
    pub connections: BTreeSet<ConnectionId>,
}

impl Present {
    fn runs(&self, machine: &dyn Machine) -> bool {
        let process = self.asker.caller.as_ref().and_then(|caller| caller.process);
        process.is_none_or(|process| machine.runs(process))
    }
}

/// Whether the process of a caller runs, or its session over HTTP exists.
fn still_exists(asker: &Asker, machine: &dyn Machine) -> bool {
    let caller = asker.caller.as_ref();
    caller.is_some_and(|caller| match caller.process {
        Some(process) => machine.runs(process),
        None => machine.session_exists(&caller.instance),
    })
}

/// So many callers that have gone are remembered.
const DEPARTED: usize = 4_096;

/// All connections.
#[derive(Debug, Default)]
pub(crate) struct Connections {
    open: HashMap<ConnectionId, Connection>,
    present: BTreeMap<String, Present>,
    /// Agents over HTTP, by their instances: their calls share the connection of the hub's HTTP side.
    /// Each is present as long as its HTTP session exists, or its process runs.
    over_http: BTreeMap<String, Asker>,
    /// Callers that are not connected, and whose processes or HTTP sessions may still exist: of asks that
    /// the store had at the hub's start, and of connections that ended.
    absent: BTreeMap<String, Asker>,
    /// When callers were last seen, by their instances.
    departed: HashMap<String, Time>,
}

impl Connections {
    pub fn open(&mut self, id: ConnectionId) {
        self.open.insert(id, Connection::default());
    }

    pub fn close(&mut self, id: ConnectionId, now: Time) -> Option<Connection> {
        let connection = self.open.remove(&id)?;
        for instance in &connection.callers {
            let Some(present) = self.present.get_mut(instance) else {
                continue;
            };
            present.connections.remove(&id);
            if present.connections.is_empty() {
                if let Some(present) = self.present.remove(instance) {
                    self.absent.insert(instance.clone(), present.asker);
                }
                if self.departed.len() >= DEPARTED {
                    self.departed.clear();
                }
                self.departed.insert(instance.clone(), now);
            }
        }
        Some(connection)
    }

    /// Notes the caller of an ask that the store has. It may still run, and come to this hub.
    pub fn restore(&mut self, asker: &Asker) {
        if let Some(caller) = &asker.caller {
            self.absent.insert(caller.instance.clone(), asker.clone());
        }
    }

    pub fn is_open(&self, id: ConnectionId) -> bool {
        self.open.contains_key(&id)
    }

    pub fn get(&self, id: ConnectionId) -> Option<&Connection> {
        self.open.get(&id)
    }

    pub fn get_mut(&mut self, id: ConnectionId) -> Option<&mut Connection> {
        self.open.get_mut(&id)
    }

    /// Notes that a caller speaks over a connection.
    pub fn record_caller(&mut self, id: ConnectionId, asker: &Asker, machine: &dyn Machine) {
        let Some(caller) = &asker.caller else { return };
        if caller.process.is_none() || caller.is_sessionless_http() {
            if !self.over_http.contains_key(&caller.instance) {
                self.over_http
                    .retain(|_, asker| still_exists(asker, machine));
                self.over_http
                    .insert(caller.instance.clone(), asker.clone());
            }
            return;
        }
        let Some(connection) = self.open.get_mut(&id) else {
            return;
        };
        if connection.callers.insert(caller.instance.clone()) {
            // Whoever connects again is one of many after a restart of the hub: only a new caller has
            // the ended ones looked for.
            if self.absent.remove(&caller.instance).is_none() {
                self.absent.retain(|_, asker| still_exists(asker, machine));
            }
            let present = self
                .present
                .entry(caller.instance.clone())
                .or_insert_with(|| Present {
                    asker: asker.clone(),
                    connections: BTreeSet::new(),
                });
            present.connections.insert(id);
        }
    }

    /// Whether the caller of this instance is there. A connection may seem to stand a moment longer
    /// than its process.
    pub fn is_present(&self, instance: &str, machine: &dyn Machine) -> bool {
        let connected = self.present.get(instance);
        connected.is_some_and(|present| present.runs(machine))
            || machine.session_exists(instance)
            || self
                .over_http
                .get(instance)
                .is_some_and(|asker| still_exists(asker, machine))
    }

    /// All callers that are there, connected or not.
    pub fn present(&self, machine: &dyn Machine) -> impl Iterator<Item = &Asker> {
        let connected = self.present.values();
        let connected = connected.filter(|present| present.runs(machine));
        let connected = connected.map(|present| &present.asker);
        let others = self.over_http.values().chain(self.absent.values());
        connected.chain(others.filter(|asker| still_exists(asker, machine)))
    }

    /// All callers that were connected last, whether they still run or not.
    pub fn known(&self) -> impl Iterator<Item = &Asker> {
        let connected = self.present.values().map(|present| &present.asker);
        connected.chain(self.over_http.values())
    }

    /// When the caller of this instance was last seen to go.
    pub fn departed_at(&self, instance: &str) -> Option<Time> {
        self.departed.get(instance).copied()
    }
}
