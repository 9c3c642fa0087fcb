//! State that the hub shares with its HTTP side, apart from asks.

use std::pin::Pin;
use std::sync::{Arc, OnceLock};

use ask_core::devices::{Pairing, PairingCommand};
use ask_protocol::ipc::ErrorKind;

use crate::http::agent_sessions::AgentSessions;
use crate::http::link_keys::Keys;
use crate::metrics::Counters;

/// State that the hub shares with its HTTP side.
#[derive(Default)]
pub struct SharedState {
    /// One-time keys for the page.
    pub keys: Keys,
    /// The open sessions of agents over HTTP.
    pub sessions: Arc<AgentSessions>,
    /// The metrics.
    pub counts: Counters,
    /// The pairing of devices, once the HTTP side runs.
    pub pairing_service: OnceLock<Arc<dyn Devices>>,
}

/// Why a pairing command failed, and what to do about it.
pub type Cannot = (ErrorKind, String);

/// Pairing, as far as the hub calls it. The HTTP side implements it.
pub trait Devices: Send + Sync {
    /// Whether the hub has to keep running: pairing is on, or a browser of this machine is signed
    /// in. Without a hub on the port, another program could take it.
    fn keeps_hub(&self) -> bool;

    /// Runs a pairing command.
    fn does(
        &self,
        wish: PairingCommand,
    ) -> Pin<Box<dyn Future<Output = Result<Pairing, Cannot>> + '_>>;

    /// Reads the clock again after a test has set it.
    fn notify_changed(&self);
}
