//! The hub's part in pairing: it forwards pairing commands and notifies subscribers. Devices
//! themselves are served by `ask-web`.

use std::sync::Arc;

use ask_core::devices::PairingCommand;
use ask_protocol::ipc::{Change, Changed, Response};

use super::Hub;
use super::problem::HubError;

impl Hub {
    /// Runs a pairing command.
    pub(super) async fn pairing(&self, command: PairingCommand) -> Result<Response, HubError> {
        let Some(pairing_service) = self.shared.pairing_service.get() else {
            return Err(HubError::malformed(
                "the hub doesn't listen for HTTP, so no device can connect: set `enabled = true` under [http] in config.toml, then: ask-user hub --stop",
            ));
        };
        match pairing_service.run_command(command).await {
            Ok(pairing) => Ok(Response::Pairing(Box::new(pairing))),
            Err((kind, text)) => Err(HubError { kind, text }),
        }
    }

    /// Whether the hub has to keep running for devices: pairing is on or a browser is signed in.
    pub(super) fn is_needed_by_devices(&self) -> bool {
        let pairing_service = self.shared.pairing_service.get();
        pairing_service.is_some_and(|pairing_service| pairing_service.needs_hub())
    }

    /// Notifies every subscriber that the pairing state changed.
    pub fn notify_pairing_changed(&self) {
        self.wake_timer.notify_one();
        let cursor = self.engine.borrow().cursor().into();
        let change = Arc::new(Change::new(cursor, Changed::Pairing, self.day()));
        let clients = self.clients.borrow();
        clients.broadcast(&Response::Change(change));
    }
}
