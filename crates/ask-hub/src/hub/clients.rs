//! The hub's connections: the response channel of each, the program at its other end, and the
//! presence that it reports.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use ask_config::{clock, process};
use ask_core::{Ancestry, Asker, Caller, Time};
use ask_engine::{ConnectionId, Event};
use ask_protocol::ipc::Response;
use tokio::sync::mpsc;

use super::Hub;

/// A connection's channel of responses, each with the number of its request.
pub type Outgoing = mpsc::UnboundedSender<(u64, Response)>;

/// One connection.
pub(super) struct ConnectedClient {
    outgoing: Outgoing,
    /// The program at its other end, where the system can tell.
    pub(super) caller: Option<Caller>,
    /// Its process id, and its ancestors once they were looked up.
    pub(super) pid: Option<u32>,
    pub(super) ancestry: OnceCell<Option<Arc<Ancestry>>>,
    /// Whether the connection is within the process, where no bytes wait in a socket.
    pub(super) is_within: bool,
    /// `None` if it isn't subscribed to changes; otherwise whether its person can't answer there.
    pub(super) only_looks: Option<bool>,
    /// The presence that it reported last.
    pub(super) state: SurfaceState,
}

/// The presence that a surface reported last.
#[derive(Clone, Copy, Default)]
pub(super) struct SurfaceState {
    /// Whether it has the focus.
    pub(super) focused: bool,
    /// Whether it rings while it has no focus.
    pub(super) rings: bool,
}

impl ConnectedClient {
    /// Whether it is a surface: it shows a person the open asks and accepts answers.
    pub(super) fn is_surface(&self) -> bool {
        self.only_looks == Some(false)
    }
}

/// All connections.
pub(super) struct Clients {
    all: HashMap<ConnectionId, ConnectedClient>,
    /// Since when no surface is connected. Unused while one is.
    alone_since: Time,
    /// When a key was last pressed on any surface.
    pub(super) input_at: Option<Time>,
}

impl Clients {
    pub(super) fn new(now: Time) -> Self {
        Self {
            all: HashMap::new(),
            alone_since: now,
            input_at: None,
        }
    }

    pub(super) fn get_mut(&mut self, client: ConnectionId) -> Option<&mut ConnectedClient> {
        self.all.get_mut(&client)
    }

    pub(super) fn get(&self, client: ConnectionId) -> Option<&ConnectedClient> {
        self.all.get(&client)
    }

    /// Whether a connection is within the process.
    pub(super) fn is_within(&self, client: ConnectionId) -> bool {
        self.get(client).is_some_and(|client| client.is_within)
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    pub(super) fn surfaces(&self) -> impl Iterator<Item = (ConnectionId, &ConnectedClient)> {
        let all = self.all.iter().map(|(id, client)| (*id, client));
        all.filter(|(_, client)| client.is_surface())
    }

    pub(super) fn any_subscribed(&self) -> bool {
        let mut all = self.all.values();
        all.any(|client| client.only_looks.is_some())
    }

    /// For how many milliseconds no surface has been connected.
    pub(super) fn alone_ms(&self, now: Time) -> u64 {
        match self.surfaces().next() {
            Some(_) => 0,
            None => now.since_ms(self.alone_since),
        }
    }

    pub(super) fn say(&mut self, client: ConnectionId, number: u64, response: Response) {
        if let Some(client) = self.all.get(&client) {
            // A send fails only for a connection that is about to be removed.
            let _ = client.outgoing.send((number, response));
        }
    }

    /// Sends a response to every subscriber.
    pub(super) fn tell_subscribed(&self, response: &Response) {
        let told = self.all.values();
        for client in told.filter(|client| client.only_looks.is_some()) {
            // A send fails only for a connection that is about to be removed.
            let _ = client.outgoing.send((0, response.clone()));
        }
    }

    /// Removes the connections of other processes, or all of them.
    pub(super) fn drop_connections(&mut self, within_too: bool) {
        self.all.retain(|_, client| client.is_within && !within_too);
    }
}

impl Hub {
    /// Adds a connection. `caller` is the program at its other end. A connection within the process
    /// has none, because it carries the calls of many agents.
    pub(crate) fn connect(
        self: &Rc<Self>,
        client: ConnectionId,
        outgoing: Outgoing,
        caller: Option<Caller>,
        is_within: bool,
    ) {
        self.active_at.set(clock::now());
        let process = caller.as_ref().and_then(|caller| caller.process);
        let joined = ConnectedClient {
            outgoing,
            pid: process.map(|process| process.pid),
            ancestry: OnceCell::new(),
            caller,
            is_within,
            only_looks: None,
            state: SurfaceState::default(),
        };
        self.clients.borrow_mut().all.insert(client, joined);
        self.handle(Event::Opened(client));
    }

    /// Removes a connection and its waiters. Their asks stay open.
    pub(crate) fn disconnect(self: &Rc<Self>, client: ConnectionId) {
        self.active_at.set(clock::now());
        {
            let mut clients = self.clients.borrow_mut();
            let gone = clients.all.remove(&client);
            if gone.is_some_and(|gone| gone.is_surface()) {
                clients.alone_since = clock::now();
            }
        }
        self.handle(Event::Closed(client));
        self.timer.notify_one();
        self.news.notify_one();
    }

    /// Tells the engine that a connection has written everything that was pushed to it.
    pub(crate) fn drained(self: &Rc<Self>, client: ConnectionId) {
        self.handle(Event::Drained(client));
    }

    /// The asker of a request, with the caller that the system found at the other end of the
    /// connection, whatever the request claims. The hub's own HTTP side names the caller of each
    /// agent. Any other connection may name a session, but no process, and may say that it is a hook.
    pub(super) fn identified(&self, client: ConnectionId, asker: Asker) -> Asker {
        let clients = self.clients.borrow();
        let client = clients.get(client);
        let is_within = client.is_some_and(|client| client.is_within);
        let said = asker.caller.clone();
        let said = said.filter(|caller| is_within || caller.process.is_none());
        let seen = client.and_then(|client| client.caller.clone());
        let caller = match said {
            Some(said) if said.is_hook() && !is_within => seen.map(Caller::as_hook),
            said => seen.or(said),
        };
        Asker { caller, ..asker }
    }

    /// The asker of an ask that another process opened without a hub. If that process has ended,
    /// its claim is kept, because whoever found its file brings the ask.
    pub(super) fn brought(&self, client: ConnectionId, asker: Asker) -> Asker {
        let said = asker.caller.as_ref().and_then(|caller| caller.process);
        match said.is_some_and(|process| !process::runs(process)) {
            true => asker,
            false => self.identified(client, asker),
        }
    }
}
