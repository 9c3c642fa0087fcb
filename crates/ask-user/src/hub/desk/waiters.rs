//! Who waits, and who wants to hear of changes: what lives only as long as the hub.

use ask_core::dialect::wire::{self, Response};
use ask_core::{AskId, Record};

use super::{ClientId, Desk, Waiter};

impl Desk {
    /// Rings every bell that isn't ringing yet.
    pub(super) fn ring(&self) {
        let line = wire::write_response(0, &Response::Bell);
        for client in self.clients.borrow_mut().values_mut() {
            if client.rung == Some(false) {
                client.rung = Some(true);
                let _ = client.outgoing.send(line.clone());
            }
        }
    }

    /// A look answers the bell: the next change rings again.
    pub(super) fn looked(&self, client: ClientId) {
        if let Some(client) = self.clients.borrow_mut().get_mut(&client)
            && let Some(rung) = &mut client.rung
        {
            *rung = false;
        }
    }

    pub(super) fn with_waiters(&self, mut record: Record) -> Record {
        let count = self.waiters.borrow().get(&record.id).map_or(0, Vec::len);
        record.waiters = u32::try_from(count).unwrap_or(u32::MAX);
        record
    }

    pub(super) fn add_waiter(&self, client: ClientId, number: u64, id: &AskId) {
        if let Some(client) = self.clients.borrow_mut().get_mut(&client) {
            client.waits.insert((number, id.clone()));
        }
        let waiter = Waiter { client, number };
        self.waiters
            .borrow_mut()
            .entry(id.clone())
            .or_default()
            .push(waiter);
    }

    pub(super) fn has_waiter(&self, client: ClientId, number: u64, id: &AskId) -> bool {
        self.waiters.borrow().get(id).is_some_and(|waiters| {
            waiters
                .iter()
                .any(|waiter| waiter.client == client && waiter.number == number)
        })
    }

    pub(super) fn drop_waiter(&self, client: ClientId, number: u64, id: &AskId) {
        if let Some(client) = self.clients.borrow_mut().get_mut(&client) {
            client.waits.remove(&(number, id.clone()));
        }
        self.drop_waiters(id, |waiter| {
            waiter.client == client && waiter.number == number
        });
    }

    pub(super) fn drop_waiters(&self, id: &AskId, which: impl Fn(&Waiter) -> bool) {
        let mut all = self.waiters.borrow_mut();
        if let Some(waiters) = all.get_mut(id) {
            waiters.retain(|waiter| !which(waiter));
            if waiters.is_empty() {
                all.remove(id);
            }
        }
    }
}
