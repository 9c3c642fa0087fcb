//! What the engine asks of the machine: which processes run, which HTTP sessions stand.

use std::sync::Arc;

use ask_config::process;
use ask_core::{Caller, Process};
use ask_engine::Machine;

use crate::http::standing::StandingSessions;

/// This machine.
pub(super) struct ThisMachine {
    sessions: Arc<StandingSessions>,
}

impl ThisMachine {
    pub(super) fn with(sessions: Arc<StandingSessions>) -> Self {
        Self { sessions }
    }
}

impl Machine for ThisMachine {
    fn runs(&self, process: Process) -> bool {
        process::runs(process)
    }

    fn session_stands(&self, instance: &str) -> bool {
        self.sessions.stands(instance)
    }
}

/// The program at the other end of a connection.
pub(crate) fn caller_of(pid: Option<i32>) -> Option<Caller> {
    process::caller(u32::try_from(pid?).ok()?)
}
