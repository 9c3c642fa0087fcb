//! The hub's shell in the simulated world: it carries out what the engine wants.

use crate::callers::Machine;
use crate::engine::Engine;
use crate::event::SessionId;
use ask_core::Process;
use std::collections::BTreeSet;

/// A hub that runs.
#[derive(Debug)]
pub(crate) struct Hub {
    pub engine: Engine,
    /// Connections that it has, as far as it knows.
    pub sessions: BTreeSet<SessionId>,
    /// When a tick is on its way.
    pub tick_at: Option<u64>,
}

/// The processes that run.
#[derive(Debug, Default)]
pub(crate) struct Processes(pub BTreeSet<(u32, u64)>);

impl Processes {
    pub fn start(&mut self, process: Process) {
        self.0.insert((process.pid, process.start));
    }

    pub fn end(&mut self, process: Process) {
        self.0.remove(&(process.pid, process.start));
    }
}

impl Machine for Processes {
    fn runs(&self, process: Process) -> bool {
        self.0.contains(&(process.pid, process.start))
    }

    fn session_stands(&self, _: &str) -> bool {
        false
    }
}
