//! The connections of a hub, as its shell knows them: the way out of each, which program is at its
//! other end, and what it says of its person.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use ask_config::{clock, process};
use ask_core::{Ancestry, Asker, Caller, Time};
use ask_engine::{Event, SessionId};
use ask_protocol::ipc::Response;
use tokio::sync::mpsc;

use super::Hub;

/// A connection's way out: what is said, to the request of which number.
pub type Outgoing = mpsc::UnboundedSender<(u64, Response)>;

/// Names a connection. Never 0, and never used again.
pub type ClientId = u64;

/// One connection.
pub(super) struct Client {
    outgoing: Outgoing,
    /// The program at its other end, where the machine can tell.
    pub(super) caller: Option<Caller>,
    /// Its number, and what is known of those above it once somebody wanted to know.
    pub(super) pid: Option<u32>,
    pub(super) ancestry: OnceCell<Option<Arc<Ancestry>>>,
    /// Whether it is within the process, where nothing waits on its way.
    pub(super) is_within: bool,
    /// Whether it is told of changes, and then whether its person can't answer there.
    pub(super) only_looks: Option<bool>,
    /// What it said last of its person.
    pub(super) state: SurfaceState,
}

/// What one surface said last.
#[derive(Clone, Copy, Default)]
pub(super) struct SurfaceState {
    /// Whether it has the focus.
    pub(super) focused: bool,
    /// Whether it makes itself heard while it has none.
    pub(super) rings: bool,
}

impl Client {
    /// Whether it is a surface: a person is told there of what waits, and can answer it.
    pub(super) fn is_surface(&self) -> bool {
        self.only_looks == Some(false)
    }
}

/// All connections.
pub(super) struct Clients {
    all: HashMap<ClientId, Client>,
    /// Since when no surface looks on, where none does.
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

    pub(super) fn get_mut(&mut self, client: ClientId) -> Option<&mut Client> {
        self.all.get_mut(&client)
    }

    pub(super) fn get(&self, client: ClientId) -> Option<&Client> {
        self.all.get(&client)
    }

    /// Whether a connection is within the process.
    pub(super) fn is_within(&self, client: ClientId) -> bool {
        self.get(client).is_some_and(|client| client.is_within)
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    pub(super) fn surfaces(&self) -> impl Iterator<Item = (ClientId, &Client)> {
        let all = self.all.iter().map(|(id, client)| (*id, client));
        all.filter(|(_, client)| client.is_surface())
    }

    pub(super) fn any_subscribed(&self) -> bool {
        let mut all = self.all.values();
        all.any(|client| client.only_looks.is_some())
    }

    /// For how long no surface has looked on.
    pub(super) fn alone_ms(&self, now: Time) -> u64 {
        match self.surfaces().next() {
            Some(_) => 0,
            None => now.since_ms(self.alone_since),
        }
    }

    pub(super) fn say(&mut self, client: ClientId, number: u64, response: Response) {
        if let Some(client) = self.all.get(&client) {
            // Who can't be told any more is about to go.
            let _ = client.outgoing.send((number, response));
        }
    }

    /// Says the same to all that are told of changes.
    pub(super) fn tell_subscribed(&self, response: &Response) {
        let told = self.all.values();
        for client in told.filter(|client| client.only_looks.is_some()) {
            let _ = client.outgoing.send((0, response.clone()));
        }
    }

    /// Lets go of all that other processes have, or of all.
    pub(super) fn let_go(&mut self, within_too: bool) {
        self.all.retain(|_, client| client.is_within && !within_too);
    }
}

impl Hub {
    /// Takes a new connection in. `caller` is the program at its other end; a connection within the
    /// process has none, and carries the calls of many agents.
    pub(crate) fn join(
        self: &Rc<Self>,
        client: ClientId,
        outgoing: Outgoing,
        caller: Option<Caller>,
        is_within: bool,
    ) {
        self.active_at.set(clock::now());
        let process = caller.as_ref().and_then(|caller| caller.process);
        let joined = Client {
            outgoing,
            pid: process.map(|process| process.pid),
            ancestry: OnceCell::new(),
            caller,
            is_within,
            only_looks: None,
            state: SurfaceState::default(),
        };
        self.clients.borrow_mut().all.insert(client, joined);
        self.handle(Event::Opened(SessionId(client)));
    }

    /// Lets a connection go, and its waiters with it. Their asks stay.
    pub(crate) fn part(self: &Rc<Self>, client: ClientId) {
        self.active_at.set(clock::now());
        {
            let mut clients = self.clients.borrow_mut();
            let gone = clients.all.remove(&client);
            if gone.is_some_and(|gone| gone.is_surface()) {
                clients.alone_since = clock::now();
            }
        }
        self.handle(Event::Closed(SessionId(client)));
        self.timer.notify_one();
        self.news.notify_one();
    }

    /// A connection has written everything that was pushed to it.
    pub(crate) fn drained(self: &Rc<Self>, client: ClientId) {
        self.handle(Event::Drained(SessionId(client)));
    }

    /// Who asks over a connection: what the machine knows of the process at its other end, whatever
    /// that says of itself. A connection of the hub's own HTTP side says it for its agents; any other
    /// may name a session and no process.
    pub(super) fn identified(&self, client: ClientId, asker: Asker) -> Asker {
        let clients = self.clients.borrow();
        let client = clients.get(client);
        let is_within = client.is_some_and(|client| client.is_within);
        let said = asker.caller.clone();
        let said = said.filter(|caller| is_within || caller.process.is_none());
        let caller = client.and_then(|client| client.caller.clone()).or(said);
        Asker { caller, ..asker }
    }
    /// Who asked what is opened anew: one that has ended had asked it without a hub, and whoever found
    /// it brings it.
    pub(super) fn brought(&self, client: ClientId, asker: Asker) -> Asker {
        let said = asker.caller.as_ref().and_then(|caller| caller.process);
        match said.is_some_and(|process| !process::runs(process)) {
            true => asker,
            false => self.identified(client, asker),
        }
    }
}
