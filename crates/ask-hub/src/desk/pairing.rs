//! Devices of other machines, as far as the desk has a part in them: it passes on what the person
//! wants, and tells everybody who looks on.

use ask_core::devices::PairingCommand;
use ask_protocol::ipc::{Fault, Response};

use super::problem::Problem;
use super::{ClientId, Desk};

impl Desk {
    /// Does what the person wants of devices.
    pub(super) async fn pairing(
        &self,
        client: ClientId,
        wish: PairingCommand,
    ) -> Result<Response, Problem> {
        self.looked(client);
        let Some(office) = self.beside.office.get() else {
            return Err(Problem {
                kind: Fault::Malformed,
                text: "the hub doesn't listen for HTTP, so no device can come: set `enabled = true` under [http] in config.toml, then: ask-user hub --stop".to_owned(),
            });
        };
        match office.does(wish).await {
            Ok(pairing) => Ok(Response::Pairing(Box::new(pairing))),
            Err((kind, text)) => Err(Problem { kind, text }),
        }
    }

    /// Whether devices may come: then the hub stays.
    pub(super) fn is_open_to_devices(&self) -> bool {
        let office = self.beside.office.get();
        office.is_some_and(|office| office.is_on())
    }

    /// Has everybody who looks on look again.
    pub fn pairing_changed(&self) {
        self.timer.notify_one();
        self.ring();
    }
}
