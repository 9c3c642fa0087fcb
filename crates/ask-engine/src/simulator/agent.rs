//! An agent: a conversation that asks, waits, gives up, crashes and begins again, by a process that
//! its program started, or over HTTP.

use std::collections::{BTreeMap, BTreeSet};

use ask_core::{AskId, Asker, Caller, Process, Time};

use super::connection::Client;
use super::hub::Place;
use super::random::Random;
use crate::event::RequestId;

/// What a call is about.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// The words that it asked with; none where it named an id or fetched.
    pub words: Option<String>,
    pub is_fetch: bool,
    /// Whether what it is told counts as on its way to it.
    pub takes: bool,
}

/// How an agent comes to the hub.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transport {
    /// By a process of the program of that number, which others may share: sub-agents.
    Stdio(usize),
    /// Over the one connection of the hub's HTTP side, in a session there.
    HttpSession,
    /// Over the same, without a session: a process of the program of that number.
    HttpRequests(usize),
}

impl Transport {
    pub fn is_http(self) -> bool {
        match self {
            Self::HttpSession | Self::HttpRequests(_) => true,
            Self::Stdio(_) => false,
        }
    }

    /// The program that starts its processes.
    pub fn program(self) -> Option<usize> {
        match self {
            Self::Stdio(program) | Self::HttpRequests(program) => Some(program),
            Self::HttpSession => None,
        }
    }
}

/// One conversation.
#[derive(Debug)]
pub(crate) struct Agent {
    pub transport: Transport,
    pub asker: Asker,
    pub client: Client,
    /// Calls that wait.
    pub calls: BTreeMap<RequestId, Call>,
    /// What it asked and gave up on: words.
    pub left: Vec<String>,
    /// Ids that it was told, of asks whose outcome it has not read.
    pub known: BTreeSet<AskId>,
    pub is_up: bool,
    /// The number of its last server, or of its last session.
    pub pid: u32,
    /// Over HTTP: the numbers of its requests on the connection that all share.
    pub shared: BTreeMap<RequestId, RequestId>,
}

impl Agent {
    /// A conversation of a client in a folder.
    pub fn new(transport: Transport, client: u64, folder: Option<u64>) -> Self {
        Self {
            transport,
            asker: Asker {
                client: Some(format!("client-{client}")),
                directory: folder.map(|folder| format!("/folder-{folder}")),
                ..Asker::default()
            },
            client: Client::default(),
            calls: BTreeMap::new(),
            left: Vec::new(),
            known: BTreeSet::new(),
            is_up: false,
            pid: 0,
            shared: BTreeMap::new(),
        }
    }

    /// Its client and its folder.
    pub fn place(&self) -> Place {
        (self.asker.client.clone(), self.asker.directory.clone())
    }

    /// An id that it was told.
    pub fn pick_known(&self, random: &mut Random) -> Option<AskId> {
        let at = random.below(self.known.len() as u64);
        self.known.iter().nth(at as usize).cloned()
    }

    /// It begins anew: by a process of the program that runs, or in a session, where it has none.
    pub fn start(&mut self, pid: u32, program: Option<Process>, now: Time) {
        let caller = Caller {
            instance: format!("i{pid}"),
            process: program.map(|_| Process { pid, start: 1 }),
            client: program,
            agent: None,
            started_at: now,
        };
        self.asker.caller = Some(match self.transport {
            Transport::HttpRequests(_) => caller.without_session(),
            Transport::Stdio(_) | Transport::HttpSession => caller,
        });
        self.client = Client::default();
        self.calls.clear();
        self.shared.clear();
        self.is_up = true;
        self.pid = pid;
    }

    /// Its calls are lost.
    pub fn loses_calls(&mut self) {
        let waited = std::mem::take(&mut self.calls).into_values();
        self.left.extend(waited.filter_map(|call| call.words));
    }
}
