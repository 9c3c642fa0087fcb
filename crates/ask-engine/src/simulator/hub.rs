//! A simulated hub around an engine, and the processes and sessions of the simulated machine.

use crate::callers::Machine;
use crate::engine::Engine;
use crate::event::ConnectionId;
use ask_core::{Process, Time};
use std::collections::{BTreeMap, BTreeSet};

/// The names of a client and a folder.
pub(crate) type Place = (Option<String>, Option<String>);

/// A running hub.
#[derive(Debug)]
pub(crate) struct Hub {
    pub engine: Engine,
    /// The open connections, as far as the hub knows.
    pub connections: BTreeSet<ConnectionId>,
    /// The virtual time of the next scheduled tick.
    pub tick_at: Option<u64>,
    /// The processes whose end the machine reports to it.
    pub watched: BTreeSet<Process>,
}

/// The processes that run, and the HTTP sessions that exist.
#[derive(Debug, Default)]
pub(crate) struct Processes {
    running: BTreeSet<(u32, u64)>,
    /// The client and the folder of each session, by instance.
    pub sessions: BTreeMap<String, Place>,
}

impl Processes {
    pub(super) fn start(&mut self, process: Process) {
        self.running.insert((process.pid, process.start));
    }

    pub(super) fn end(&mut self, process: Process) {
        self.running.remove(&(process.pid, process.start));
    }
}

impl Machine for Processes {
    fn runs(&self, process: Process) -> bool {
        self.running.contains(&(process.pid, process.start))
    }

    fn session_exists(&self, instance: &str) -> bool {
        self.sessions.contains_key(instance)
    }

    fn session_senders(&self, _: &str) -> Vec<Process> {
        Vec::new()
    }

    fn started_at(&self, _: Process) -> Option<Time> {
        None
    }
}
