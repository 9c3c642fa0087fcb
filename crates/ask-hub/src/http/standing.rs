//! The sessions of agents over HTTP that stand. An ask of one is nobody else's for as long.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ask_config::clock;
use ask_core::{Caller, Time};
use sha2::{Digest, Sha256};

/// All sessions that stand, by the names under which asks know them, with when they began.
#[derive(Debug, Default)]
pub struct StandingSessions(Mutex<HashMap<String, Time>>);

impl StandingSessions {
    /// A session began.
    pub fn begin(&self, id: &str) {
        self.all().insert(instance(id), clock::now());
    }

    /// A session ended: its client deleted it, or was silent for too long.
    pub fn end(&self, id: &str) {
        self.all().remove(&instance(id));
    }

    /// Who asks in a session.
    pub fn caller(&self, id: &str) -> Option<Caller> {
        let instance = instance(id);
        let started_at = *self.all().get(&instance)?;
        Some(Caller {
            instance,
            process: None,
            client: None,
            started_at,
        })
    }

    /// Whether the session of a caller stands.
    pub fn stands(&self, instance: &str) -> bool {
        self.all().contains_key(instance)
    }

    fn all(&self) -> MutexGuard<'_, HashMap<String, Time>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The name of a session that is kept with its asks. Whoever reads it can't speak in the session.
fn instance(id: &str) -> String {
    let hash = Sha256::digest(id.as_bytes());
    let short: String = hash
        .iter()
        .take(12)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("http:{short}")
}
