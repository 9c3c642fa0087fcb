//! State that the hub shares with its HTTP side, apart from asks.

use std::pin::Pin;
use std::sync::{Arc, OnceLock};

use ask_core::devices::{Pairing, PairingCommand};
use ask_protocol::ipc::ErrorKind;

use crate::http::agent_sessions::AgentSessions;
use crate::http::link_keys::LinkKeys;
use crate::metrics::Counters;

/// State that the hub shares with its HTTP side.
#[derive(Default)]
pub struct SharedState {
    /// One-time keys with which browsers sign in.
    pub link_keys: LinkKeys,
    /// The open sessions of agents over HTTP.
    pub sessions: Arc<AgentSessions>,
    /// Counters for the metrics route.
    pub metrics: Counters,
    /// The pairing of devices, once the HTTP side runs.
    pub pairing_service: OnceLock<Arc<dyn DevicePairing>>,
}

/// Why a pairing command failed: the kind, and a text that says what to do.
pub type PairingError = (ErrorKind, String);

/// The pairing of devices, as the hub uses it. The HTTP side implements it.
pub trait DevicePairing: Send + Sync {
    /// Whether the hub has to keep running: pairing is on, or a browser of this machine is signed
    /// in. If the hub ended, another program could bind its port.
    fn needs_hub(&self) -> bool;

    /// Runs a pairing command.
    fn run_command(
        &self,
        command: PairingCommand,
    ) -> Pin<Box<dyn Future<Output = Result<Pairing, PairingError>> + '_>>;

    /// Checks deadlines again after a test has set the clock.
    fn notify_changed(&self);
}
