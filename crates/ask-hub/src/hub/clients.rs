//! The hub's connections: the response channel of each, the program at its other end, and the
//! presence that it reports.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use ask_config::{clock, process};
use ask_core::{Ancestry, Asker, Caller, Process, Time};
use ask_engine::{ConnectionId, Event};
use ask_protocol::ipc::Response;
use tokio::sync::mpsc;

use super::Hub;

/// A connection's channel of responses, each with the number of its request.
pub(crate) type Outgoing = mpsc::UnboundedSender<(u64, Response)>;

pub(super) struct ConnectedClient {
    outgoing: Outgoing,
    /// The program at its other end, if the system reports it.
    pub(super) caller: Option<Caller>,
    pub(super) pid: Option<u32>,
    /// The process with its ancestors, once it was looked up.
    pub(super) ancestry: OnceCell<Option<Arc<Ancestry>>>,
    /// Whether both ends are in this process, where no bytes wait in a socket.
    pub(super) is_in_process: bool,
    /// `None` without a subscription to changes; otherwise whether it only views and can't answer.
    pub(super) only_looks: Option<bool>,
    /// The presence that it reported last.
    pub(super) state: SurfaceState,
}

/// The presence that a surface reported last.
#[derive(Clone, Copy, Default)]
pub(super) struct SurfaceState {
    /// Whether it has the focus.
    pub(super) focused: bool,
    /// Whether it rings the terminal's bell while it has no focus.
    pub(super) rings_bell: bool,
}

impl ConnectedClient {
    /// Whether it is a surface: it shows a person the open asks and accepts answers.
    pub(super) fn is_surface(&self) -> bool {
        self.only_looks == Some(false)
    }
}

pub(super) struct Clients {
    all: HashMap<ConnectionId, ConnectedClient>,
    /// Since when no surface is connected. Unused while one is.
    no_surface_since: Time,
    /// When a key was last pressed on any surface.
    pub(super) input_at: Option<Time>,
}

impl Clients {
    pub(super) fn new(now: Time) -> Self {
        Self {
            all: HashMap::new(),
            no_surface_since: now,
            input_at: None,
        }
    }

    pub(super) fn get_mut(&mut self, client: ConnectionId) -> Option<&mut ConnectedClient> {
        self.all.get_mut(&client)
    }

    pub(super) fn get(&self, client: ConnectionId) -> Option<&ConnectedClient> {
        self.all.get(&client)
    }

    /// Whether both ends of a connection are in this process.
    pub(super) fn is_in_process(&self, client: ConnectionId) -> bool {
        self.get(client).is_some_and(|client| client.is_in_process)
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
    pub(super) fn ms_without_surface(&self, now: Time) -> u64 {
        match self.surfaces().next() {
            Some(_) => 0,
            None => now.since_ms(self.no_surface_since),
        }
    }

    pub(super) fn send(&mut self, client: ConnectionId, number: u64, response: Response) {
        if let Some(client) = self.all.get(&client) {
            // A send fails only for a connection that is about to be removed.
            let _ = client.outgoing.send((number, response));
        }
    }

    /// Sends a response to every subscriber.
    pub(super) fn broadcast(&self, response: &Response) {
        let subscribers = self.all.values();
        for client in subscribers.filter(|client| client.only_looks.is_some()) {
            // A send fails only for a connection that is about to be removed.
            let _ = client.outgoing.send((0, response.clone()));
        }
    }

    /// Removes the connections of other processes, or all of them.
    pub(super) fn drop_connections(&mut self, in_process_too: bool) {
        self.all
            .retain(|_, client| client.is_in_process && !in_process_too);
    }
}

impl Hub {
    /// Adds a connection. `caller` is the program at its other end. An in-process connection has
    /// none, because it carries the calls of many agents.
    pub(crate) fn connect(
        self: &Rc<Self>,
        client: ConnectionId,
        outgoing: Outgoing,
        caller: Option<Caller>,
        is_in_process: bool,
    ) {
        self.last_used_at.set(clock::now());
        let process = caller.as_ref().and_then(|caller| caller.process);
        let connected = ConnectedClient {
            outgoing,
            pid: process.map(|process| process.pid),
            ancestry: OnceCell::new(),
            caller,
            is_in_process,
            only_looks: None,
            state: SurfaceState::default(),
        };
        self.clients.borrow_mut().all.insert(client, connected);
        self.handle(Event::Opened(client));
    }

    /// Removes a connection and its waiters. Their asks stay open.
    pub(crate) fn disconnect(self: &Rc<Self>, client: ConnectionId) {
        self.last_used_at.set(clock::now());
        {
            let mut clients = self.clients.borrow_mut();
            let removed = clients.all.remove(&client);
            if removed.is_some_and(|removed| removed.is_surface()) {
                clients.no_surface_since = clock::now();
            }
        }
        self.handle(Event::Closed(client));
        self.wake_timer.notify_one();
        self.wake_notifier.notify_one();
    }

    /// Reports to the engine that a connection has written everything that was pushed to it.
    pub(crate) fn drained(self: &Rc<Self>, client: ConnectionId) {
        self.handle(Event::Drained(client));
    }

    /// The asker of a request, with its caller. The caller is the program that the system found at
    /// the other end of the connection, whatever the request claims. Only the hub's own HTTP side
    /// may name a caller's process. Any other connection may claim that it is a hook or a command.
    /// `ask-user mcp` may name an agent that speaks to it over HTTP, or none that it could identify.
    pub(super) fn resolve_asker(&self, client: ConnectionId, asker: Asker) -> Asker {
        let clients = self.clients.borrow();
        let client = clients.get(client);
        let claimed = asker.caller.clone();
        let found = client.and_then(|client| client.caller.clone());
        let caller = if client.is_some_and(|client| client.is_in_process) {
            found.or(claimed)
        } else {
            resolve_caller(found, claimed, speaks_for_agents)
        };
        Asker { caller, ..asker }
    }

    /// The asker of an ask that was opened without a hub. If the process that opened it has ended,
    /// its claim is kept, because a server of another agent or a command moves the ask here. No other
    /// program moves asks: it could hide behind such a claim.
    pub(super) fn resolve_orphan_asker(&self, client: ConnectionId, asker: Asker) -> Asker {
        let claimed = asker.caller.as_ref().and_then(|caller| caller.process);
        let has_ended = claimed.is_some_and(|process| !process::runs(process));
        if has_ended && self.moves_asks(client) {
            asker
        } else {
            self.resolve_asker(client, asker)
        }
    }

    /// Whether the program at the other end of a connection may have opened asks without a hub.
    fn moves_asks(&self, client: ConnectionId) -> bool {
        let clients = self.clients.borrow();
        clients.get(client).is_some_and(|client| {
            let is_ours = |process: Process| process::is_ours(process.pid);
            let caller = client.caller.as_ref().and_then(|caller| caller.process);
            client.is_in_process || caller.is_none_or(is_ours)
        })
    }
}

/// The caller at a connection of another process: the system found `found` at its other end, and its
/// request claims to be from `claimed`.
fn resolve_caller(
    found: Option<Caller>,
    claimed: Option<Caller>,
    speaks_for_agents: impl FnOnce(&Caller) -> bool,
) -> Option<Caller> {
    let role = claimed.as_ref().and_then(Caller::role);
    match (found, claimed) {
        (Some(found), Some(claimed)) => Some(match role {
            Some(role) => found.in_role(role),
            None => {
                let nested = claimed.nest_under(found.clone(), clock::steady());
                nested
                    .filter(|_| speaks_for_agents(&found))
                    .unwrap_or(found)
            }
        }),
        (Some(found), None) => (!speaks_for_agents(&found)).then_some(found),
        (None, claimed) => claimed.filter(|caller| role.is_none() && caller.process.is_none()),
    }
}

/// Whether this program is `ask-user mcp`, which may serve agents over HTTP.
fn speaks_for_agents(found: &Caller) -> bool {
    let server = found.process;
    server.is_some_and(|server| process::is_mcp_server(server.pid))
}

#[cfg(test)]
mod tests {
    use ask_core::{Role, SESSION};

    use super::*;

    fn server() -> Caller {
        Caller {
            process: Some(Process { pid: 7, start: 1 }),
            client: Some(Process { pid: 5, start: 1 }),
            ..Caller::of_instance("process:7:1".to_owned())
        }
    }

    /// A claim with the processes of another agent.
    fn forged(instance: &str) -> Caller {
        let other = Some(Process { pid: 9, start: 1 });
        Caller {
            process: other,
            client: other,
            agent: other,
            started_at: Time(i64::MAX),
            ..Caller::of_instance(instance.to_owned())
        }
    }

    #[test]
    fn a_program_claims_no_other_process_and_no_session() {
        let session = format!("{SESSION}{:0>24}", 1);
        for instance in ["process:9:1", &session, "requests:9:1", "unseen:x"] {
            let claimed = Some(forged(instance));
            let caller = resolve_caller(Some(server()), claimed.clone(), |_| false);
            assert_eq!(caller, Some(server()), "{instance}");
            assert_eq!(resolve_caller(None, claimed, |_| true), None, "{instance}");
        }
        let hook = Caller::of_role(Role::Hook);
        let caller = resolve_caller(Some(server()), Some(hook), |_| true);
        assert_eq!(caller, Some(server().in_role(Role::Hook)));
        let unknown = resolve_caller(Some(server()), None, |_| false);
        assert_eq!(unknown, Some(server()));
    }

    #[test]
    fn a_server_names_its_agents_below_itself_alone() {
        let session = format!("{SESSION}{:0>24}", 1);
        for instance in [session.as_str(), "requests:9:1"] {
            let caller = resolve_caller(Some(server()), Some(forged(instance)), |_| true);
            let caller = caller.expect("it names an agent");
            assert_eq!(caller.instance, format!("{instance}/process:7:1"));
            assert_eq!(
                (caller.process, caller.client),
                (server().process, server().client)
            );
            let mut agents = caller.agents();
            assert!(agents.all(|process| process == Process { pid: 9, start: 1 }));
            assert!(caller.started_at <= clock::steady());
        }
        let nested = format!("{session}/process:9:1");
        for instance in [
            "process:9:1",
            "requests:8:1",
            "http:short",
            "http:",
            &nested,
        ] {
            let caller = resolve_caller(Some(server()), Some(forged(instance)), |_| true);
            assert_eq!(caller, Some(server()), "{instance}");
        }
        let unknown = resolve_caller(Some(server()), None, |_| true);
        assert_eq!(unknown, None, "the server couldn't identify its agent");
    }
}
