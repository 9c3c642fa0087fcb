//! Whether the person is there, as far as surfaces say, and whether notifications are wanted.

use ask_config::clock;
use ask_core::Record;
use ask_protocol::ipc::Response;

use super::{ClientId, Desk};
use crate::notify::engine::Presence;

/// What one surface said last.
#[derive(Clone, Copy, Default)]
pub(super) struct There {
    /// Whether it has the focus.
    focused: bool,
    /// Whether it makes itself heard while it has none.
    rings: bool,
}

impl Desk {
    /// Takes in what a surface says.
    pub(super) fn presented(
        &self,
        client: ClientId,
        focused: Option<bool>,
        rings: bool,
        input: bool,
    ) -> Response {
        if input {
            self.input_at.set(Some(clock::now()));
        }
        if let Some(client) = self.clients.borrow_mut().get_mut(&client) {
            client.there.focused = focused.unwrap_or(false);
            client.there.rings = rings;
        }
        self.news.notify_one();
        Response::Done { count: 1 }
    }

    /// What all surfaces together say.
    pub fn presence(&self) -> Presence {
        let clients = self.clients.borrow();
        let surfaces = || clients.values().filter(|client| client.is_surface());
        Presence {
            focused: surfaces().any(|client| client.there.focused),
            rings: surfaces().any(|client| client.there.rings),
            open: surfaces().next().is_some(),
            // Whoever pressed a key and closed the surface is still there for a while.
            input_at: self.input_at.get(),
            muted: self.muted(),
        }
    }

    /// Whether what a person said is kept because nobody is there to be told.
    pub fn is_left_with_us(&self, record: &Record) -> bool {
        let left = record
            .settlement()
            .is_some_and(|end| end.outcome.is_human() && !end.awaited);
        left && !record.is_delivered() && !self.outbox.borrow().is_underway(&record.id)
    }
}
