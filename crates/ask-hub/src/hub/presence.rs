//! Whether the person is present, as surfaces report it, and whether notifications are muted.

use ask_config::clock;
use ask_core::Record;
use ask_protocol::ipc::Response;

use super::clients::SurfaceState;
use super::{ConnectionId, Hub};
use crate::notify::policy::Presence;

impl Hub {
    /// Records the presence that a surface reports.
    pub(super) fn record_presence(
        &self,
        client: ConnectionId,
        focused: Option<bool>,
        rings_bell: bool,
        input: bool,
    ) -> Response {
        let mut clients = self.clients.borrow_mut();
        if input {
            clients.input_at = Some(clock::now());
        }
        if let Some(client) = clients.get_mut(client) {
            let focused = focused.unwrap_or(false);
            client.state = SurfaceState {
                focused,
                rings_bell,
            };
        }
        self.wake_notifier.notify_one();
        Response::Done { count: 1 }
    }

    /// The reports of all surfaces together.
    pub(crate) fn presence(&self) -> Presence {
        let clients = self.clients.borrow();
        Presence {
            focused: clients.surfaces().any(|(_, client)| client.state.focused),
            rings_bell: clients
                .surfaces()
                .any(|(_, client)| client.state.rings_bell),
            open: clients.surfaces().next().is_some(),
            // It outlives the surface: a person who pressed a key counts as present for a while.
            input_at: clients.input_at,
            muted: self.is_muted(),
        }
    }

    /// Whether notifications are muted.
    pub(crate) fn is_muted(&self) -> bool {
        self.engine.borrow().is_muted()
    }

    /// Whether a person closed the ask when no call waited, and the outcome is still undelivered.
    pub(crate) fn is_left_undelivered(&self, record: &Record) -> bool {
        let is_unawaited = |end: &ask_core::Settlement| end.outcome.is_human() && !end.awaited;
        record.settlement().is_some_and(is_unawaited)
            && self.engine.borrow().is_undelivered(&record.id)
    }
}
