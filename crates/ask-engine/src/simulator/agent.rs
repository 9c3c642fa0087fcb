//! A simulated agent: a conversation that asks, waits, gives up, crashes and restarts. It reaches
//! the hub over a stdio server that its program started, or over HTTP.

use std::collections::{BTreeMap, BTreeSet};

use ask_core::{AskId, Asker, Caller, Process, Time};

use super::connection::Client;
use super::hub::Place;
use super::random::Random;
use crate::event::RequestId;

/// A call of an agent.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// The text of the question. `None` if the call named an id or fetched.
    pub words: Option<String>,
    pub is_fetch: bool,
    /// Whether outcomes in the reply count as in flight.
    pub takes_outcome: bool,
}

/// How an agent reaches the hub.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transport {
    /// Over a stdio server that the program of this index started. Several agents of the same
    /// program are its sub-agents.
    Stdio(usize),
    /// Over HTTP with a session. All agents over HTTP share the connection of the HTTP server.
    HttpSession,
    /// Over HTTP without a session, from a process that the program of this index started.
    HttpRequests(usize),
}

impl Transport {
    pub(super) fn is_http(self) -> bool {
        match self {
            Self::HttpSession | Self::HttpRequests(_) => true,
            Self::Stdio(_) => false,
        }
    }

    /// The index of the program that starts its processes.
    pub(super) fn program(self) -> Option<usize> {
        match self {
            Self::Stdio(program) | Self::HttpRequests(program) => Some(program),
            Self::HttpSession => None,
        }
    }
}

/// A conversation.
#[derive(Debug)]
pub(crate) struct Agent {
    pub transport: Transport,
    pub asker: Asker,
    pub client: Client,
    /// Its calls that wait.
    pub calls: BTreeMap<RequestId, Call>,
    /// The texts of questions that it asked and gave up on.
    pub abandoned: Vec<String>,
    /// Ids that it received, of asks whose outcome it has not read.
    pub known: BTreeSet<AskId>,
    pub is_up: bool,
    /// The number of its last process or session.
    pub pid: u32,
    /// For an agent over HTTP: the numbers of its requests on the shared connection.
    pub http_requests: BTreeMap<RequestId, RequestId>,
}

impl Agent {
    /// A conversation of this client in this folder, which is not running yet.
    pub(super) fn new(transport: Transport, client: u64, folder: Option<u64>) -> Self {
        Self {
            transport,
            asker: Asker {
                client: Some(format!("client-{client}")),
                directory: folder.map(|folder| format!("/folder-{folder}")),
                ..Asker::default()
            },
            client: Client::default(),
            calls: BTreeMap::new(),
            abandoned: Vec::new(),
            known: BTreeSet::new(),
            is_up: false,
            pid: 0,
            http_requests: BTreeMap::new(),
        }
    }

    /// The client and the folder of the agent.
    pub(super) fn place(&self) -> Place {
        (self.asker.client.clone(), self.asker.directory.clone())
    }

    /// A random one of the known ids.
    pub(super) fn pick_known(&self, random: &mut Random) -> Option<AskId> {
        let at = random.next_below(self.known.len() as u64);
        self.known.iter().nth(at as usize).cloned()
    }

    /// Starts the agent in a new process of this program, or in a new session if there is no
    /// program.
    pub(super) fn start(&mut self, pid: u32, program: Option<Process>, now: Time) {
        let caller = Caller {
            instance: format!("i{pid}"),
            process: program.map(|_| Process { pid, start: 1 }),
            client: program,
            agent: None,
            senders: Vec::new(),
            above: Vec::new(),
            started_at: now,
        };
        self.asker.caller = Some(match self.transport {
            Transport::HttpRequests(_) => caller.without_session(),
            Transport::Stdio(_) | Transport::HttpSession => caller,
        });
        self.client = Client::default();
        self.calls.clear();
        self.http_requests.clear();
        self.is_up = true;
        self.pid = pid;
    }

    /// Ends all calls without a reply. Their questions may be asked again.
    pub(super) fn abandon_calls(&mut self) {
        let waited = std::mem::take(&mut self.calls).into_values();
        self.abandoned.extend(waited.filter_map(|call| call.words));
    }
}
