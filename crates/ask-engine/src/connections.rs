//! The connections of clients: which are open, which calls they have, and which callers use them.
//! Also which callers are present without a connection.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use ask_core::{AskId, Asker, Caller, Process, Role, Time};

use crate::callers::{Machine, processes_of};
use crate::event::{ConnectionId, RequestId};
use crate::remembered::Remembered;

/// One connection.
#[derive(Debug, Default)]
pub(crate) struct Connection {
    /// Calls that wait for an outcome, or to which one was sent.
    pub calls: BTreeSet<(RequestId, AskId)>,
    /// Asks with a state that ends with this connection: that their agent will return, or that
    /// their client shows the question itself.
    pub bound_asks: BTreeSet<AskId>,
    /// The instances of the callers that sent requests over this connection.
    pub callers: BTreeSet<String>,
}

/// A caller that has open connections.
#[derive(Debug)]
pub(crate) struct Connected {
    pub asker: Asker,
    pub connections: BTreeSet<ConnectionId>,
}

impl Connected {
    /// Whether the process of the caller runs, as far as is known.
    fn runs(&self, machine: &dyn Machine) -> bool {
        let mut callers = self.asker.caller.iter();
        callers.all(|caller| runs(caller, machine))
    }
}

/// Whether all processes run that a caller needs.
fn runs(caller: &Caller, machine: &dyn Machine) -> bool {
    caller
        .needed_processes()
        .all(|process| machine.runs(process))
}

/// Whether the process of a caller runs, or its HTTP session exists.
fn still_exists(asker: &Asker, machine: &dyn Machine) -> bool {
    let caller = asker.caller.as_ref();
    caller.is_some_and(|caller| match caller.process {
        Some(_) => runs(caller, machine),
        None => machine.session_exists(&caller.instance),
    })
}

fn is_surface(asker: &Asker) -> bool {
    asker.caller.as_ref().is_some_and(Caller::is_surface)
}

/// How many departures are remembered. When there are more, all are forgotten.
const MAX_DEPARTURES: usize = 4_096;

/// All connections.
#[derive(Debug, Default)]
pub(crate) struct Connections {
    open: HashMap<ConnectionId, Connection>,
    /// Connected callers, by instance.
    connected: BTreeMap<String, Connected>,
    /// Callers over HTTP, by instance. All their calls share the connection of the hub's HTTP
    /// server. A caller is present as long as its HTTP session exists or its process runs.
    over_http: Remembered<String>,
    /// Callers that are not connected and whose process or HTTP session may exist, by instance.
    /// They come from stored asks and from connections that ended.
    unconnected: Remembered<String>,
    /// Agents that have asked, by the processes of their clients. A process is remembered after its
    /// server or its HTTP session has ended, because it still is an agent.
    agents: Remembered<Process>,
    /// The programs that ran a command which asked: an agent's, or a script of the person.
    scripts: Remembered<Process>,
    /// By instance: when a caller's last connection ended, or the last process that may have been it.
    departures: HashMap<String, Time>,
    /// The HTTP sessions of other servers that have ended, by instance. When there are
    /// [`MAX_DEPARTURES`], all are forgotten, and last as long as their servers.
    ended_sessions: HashSet<String>,
}

impl Connections {
    pub(crate) fn open(&mut self, id: ConnectionId) {
        self.open.insert(id, Connection::default());
    }

    pub(crate) fn close(&mut self, id: ConnectionId, now: Time) -> Option<Connection> {
        let connection = self.open.remove(&id)?;
        for instance in &connection.callers {
            let Some(connected) = self.connected.get_mut(instance) else {
                continue;
            };
            connected.connections.remove(&id);
            if connected.connections.is_empty() {
                if let Some(connected) = self.connected.remove(instance) {
                    self.unconnected.insert(instance.clone(), connected.asker);
                }
                self.note_departure(instance, now);
            }
        }
        Some(connection)
    }

    /// Notes the caller of a stored ask. It may still run and connect to this hub.
    pub(crate) fn restore(&mut self, asker: &Asker) {
        if let Some(caller) = &asker.caller {
            self.remember_agent(asker, &caller.agents().collect::<Vec<_>>());
            self.unconnected
                .insert(caller.instance.clone(), asker.clone());
        }
    }

    /// Remembers the processes of an agent. Whoever starts a command may be a person's script, which is
    /// remembered apart.
    fn remember_agent(&mut self, asker: &Asker, processes: &[Process]) {
        let role = asker.caller.as_ref().and_then(Caller::role);
        let remembered = match role {
            Some(Role::Command) => &mut self.scripts,
            // It may answer what its program asks.
            Some(Role::Prompt) => return,
            Some(Role::Hook | Role::Surface) | None => &mut self.agents,
        };
        for process in processes {
            let known = remembered.get(process);
            // An agent that has servers stays known by one of them, not by a surface that it shows.
            if known.is_none_or(|known| is_surface(known) && !is_surface(asker)) {
                remembered.insert(*process, asker.clone());
            }
        }
    }

    pub(crate) fn is_open(&self, id: ConnectionId) -> bool {
        self.open.contains_key(&id)
    }

    pub(crate) fn get(&self, id: ConnectionId) -> Option<&Connection> {
        self.open.get(&id)
    }

    pub(crate) fn get_mut(&mut self, id: ConnectionId) -> Option<&mut Connection> {
        self.open.get_mut(&id)
    }

    /// Notes that a caller sent a request over this connection.
    pub(crate) fn record_caller(&mut self, id: ConnectionId, asker: &Asker, machine: &dyn Machine) {
        let Some(caller) = &asker.caller else { return };
        self.remember_agent(asker, &processes_of(caller, machine));
        self.agents.prune(|process, _| machine.runs(*process));
        self.scripts.prune(|process, _| machine.runs(*process));
        let is_over_http = caller.process.is_none() && !caller.is_unidentified();
        if is_over_http || caller.is_sessionless_http() {
            if self.over_http.get(&caller.instance).is_none() {
                self.over_http
                    .prune(|_, asker| still_exists(asker, machine));
                self.over_http
                    .insert(caller.instance.clone(), asker.clone());
            }
            return;
        }
        // A late request doesn't bring an ended session back.
        if self.has_session_ended(&caller.instance) {
            return;
        }
        let Some(connection) = self.open.get_mut(&id) else {
            return;
        };
        if connection.callers.insert(caller.instance.clone()) {
            // After a restart of the hub many known callers reconnect, and the first reply of all
            // would wait until every process was looked for.
            if self.unconnected.remove(&caller.instance).is_none() {
                self.unconnected
                    .prune(|_, asker| still_exists(asker, machine));
            }
            let connected = self
                .connected
                .entry(caller.instance.clone())
                .or_insert_with(|| Connected {
                    asker: asker.clone(),
                    connections: BTreeSet::new(),
                });
            connected.connections.insert(id);
        }
    }

    /// Whether this instance of a caller has sent a request.
    pub(crate) fn knows(&self, instance: &str) -> bool {
        self.connected.contains_key(instance) || self.over_http.get(instance).is_some()
    }

    /// Whether this instance of a caller is present. A connection may seem open for a moment after
    /// its process ended, so the process is checked, too.
    pub(crate) fn is_present(&self, instance: &str, machine: &dyn Machine) -> bool {
        let connected = self.connected.get(instance);
        connected.is_some_and(|connected| connected.runs(machine))
            || machine.session_exists(instance)
            || self
                .over_http
                .get(instance)
                .is_some_and(|asker| still_exists(asker, machine))
    }

    /// All callers whose process runs or whose HTTP session exists, connected or not.
    pub(crate) fn present(&self, machine: &dyn Machine) -> impl Iterator<Item = &Asker> {
        let connected = self.connected.values();
        let connected = connected.filter(|connected| connected.runs(machine));
        let connected = connected.map(|connected| &connected.asker);
        let others = self.over_http.iter().chain(self.unconnected.iter());
        connected.chain(others.filter(|asker| still_exists(asker, machine)))
    }

    /// All connected callers and callers over HTTP. Their processes are not checked.
    pub(crate) fn known(&self) -> impl Iterator<Item = &Asker> {
        let connected = self.connected.values().map(|connected| &connected.asker);
        connected.chain(self.over_http.iter())
    }

    /// The agents whose client is one of these processes. They may have ended their servers.
    pub(crate) fn agents_among(&self, processes: &[Process]) -> impl Iterator<Item = &Asker> {
        processes
            .iter()
            .filter_map(|process| self.agents.get(process))
    }

    /// One of these processes that ran a command which asked.
    pub(crate) fn script_among(&self, processes: &[Process]) -> Option<&Asker> {
        let mut scripts = processes.iter();
        scripts.find_map(|process| self.scripts.get(process))
    }

    /// Notes that an HTTP session has ended, although the server that it spoke to goes on. A session
    /// that is not known here has asked nothing.
    pub(crate) fn end_session(&mut self, instance: &str) {
        let connected = self.connected.remove(instance);
        let restored = self.unconnected.remove(&instance.to_owned());
        if connected.is_none() && restored.is_none() {
            return;
        }
        let connections = connected.map(|connected| connected.connections);
        for id in connections.into_iter().flatten() {
            if let Some(connection) = self.open.get_mut(&id) {
                connection.callers.remove(instance);
            }
        }
        if self.ended_sessions.len() >= MAX_DEPARTURES {
            self.ended_sessions.clear();
        }
        self.ended_sessions.insert(instance.to_owned());
    }

    /// Whether an HTTP session of another server has ended.
    pub(crate) fn has_session_ended(&self, instance: &str) -> bool {
        self.ended_sessions.contains(instance)
    }

    /// Notes that a caller has gone, or a process that may have been it.
    pub(crate) fn note_departure(&mut self, instance: &str, at: Time) {
        if self.departures.len() >= MAX_DEPARTURES {
            self.departures.clear();
        }
        self.departures.insert(instance.to_owned(), at);
    }

    /// When the last connection of this instance ended, or the last process that may have been it.
    pub(crate) fn departed_at(&self, instance: &str) -> Option<Time> {
        self.departures.get(instance).copied()
    }
}
