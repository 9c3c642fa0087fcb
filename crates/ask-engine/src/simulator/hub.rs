//! The hub's shell in the simulated world: it carries out what the engine wants.

use crate::callers::Machine;
use crate::engine::Engine;
use crate::event::ConnectionId;
use ask_core::Process;
use std::collections::{BTreeMap, BTreeSet};

/// A client and a folder.
pub(crate) type Place = (Option<String>, Option<String>);

/// A hub that runs.
#[derive(Debug)]
pub(crate) struct Hub {
    pub engine: Engine,
    /// Connections that it has, as far as it knows.
    pub connections: BTreeSet<ConnectionId>,
    /// When a tick is on its way.
    pub tick_at: Option<u64>,
}

/// The processes that run, and the sessions over HTTP that stand.
#[derive(Debug, Default)]
pub(crate) struct Processes {
    running: BTreeSet<(u32, u64)>,
    /// By their instances: of which client, in which folder.
    pub sessions: BTreeMap<String, Place>,
}

impl Processes {
    pub fn start(&mut self, process: Process) {
        self.running.insert((process.pid, process.start));
    }

    pub fn end(&mut self, process: Process) {
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

    fn session_process(&self, _: &str) -> Option<Process> {
        None
    }
}
