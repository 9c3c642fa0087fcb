//! What the desk shares with the hub's HTTP side, other than asks.

use std::pin::Pin;
use std::sync::{Arc, OnceLock};

use ask_core::devices::{Pairing, PairingCommand};
use ask_protocol::ipc::Fault;

use crate::http::agent_sessions::AgentSessions;
use crate::http::link_keys::Keys;
use crate::metrics::Counters;

/// What the desk and its HTTP side share, other than asks.
#[derive(Default)]
pub struct SharedState {
    /// What opens the page.
    pub keys: Keys,
    /// The sessions of agents over HTTP that stand.
    pub sessions: Arc<AgentSessions>,
    /// What was counted.
    pub counts: Counters,
    /// Devices of other machines, once the HTTP side is there.
    pub pairing_service: OnceLock<Arc<dyn Devices>>,
}

/// Why a wish about devices can't be granted, and what to do.
pub type Cannot = (Fault, String);

/// The pairing of devices, as far as the desk calls it. The HTTP side implements it.
pub trait Devices: Send + Sync {
    /// Whether the hub is to stay: devices may come, or a browser of this machine is signed in. While
    /// nobody is at its port, anybody may take it.
    fn keeps_hub(&self) -> bool;

    /// Does what the person wants.
    fn does(
        &self,
        wish: PairingCommand,
    ) -> Pin<Box<dyn Future<Output = Result<Pairing, Cannot>> + '_>>;

    /// Looks at the clock again, which a test has set.
    fn rings(&self);
}
