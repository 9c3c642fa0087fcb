//! An agent: a conversation whose program asks, waits, gives up, crashes and begins again.

use std::collections::{BTreeMap, BTreeSet};

use ask_core::{AskId, Asker, Caller, Process, Time};

use super::connection::Client;
use super::random::Random;
use crate::event::RequestId;

/// What a call is about.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// The words that it asked with; none where it named an id or fetched.
    pub words: Option<String>,
    pub is_fetch: bool,
}

/// One conversation.
#[derive(Debug)]
pub(crate) struct Agent {
    pub asker: Asker,
    pub client: Client,
    /// Calls that wait.
    pub calls: BTreeMap<RequestId, Call>,
    /// What it asked and gave up on: words.
    pub left: Vec<String>,
    /// Ids that it was told, of asks whose outcome it has not read.
    pub known: BTreeSet<AskId>,
    pub is_up: bool,
    /// The number of its last server.
    pub pid: u32,
}

impl Agent {
    /// A conversation in one of a few folders, with one of a few clients.
    pub fn new(client: u64, folder: Option<u64>) -> Self {
        Self {
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
        }
    }

    /// An id that it was told.
    pub fn pick_known(&self, random: &mut Random) -> Option<AskId> {
        let at = random.below(self.known.len() as u64);
        self.known.iter().nth(at as usize).cloned()
    }

    /// Its program starts: a new process; a new client, too, unless that has only restarted its
    /// server.
    pub fn start(&mut self, pid: u32, client: Option<Process>, now: Time) -> Process {
        let client = client.unwrap_or(Process {
            pid: pid + 1,
            start: 1,
        });
        self.asker.caller = Some(Caller {
            instance: format!("i{pid}"),
            process: Some(Process { pid, start: 1 }),
            client: Some(client),
            started_at: now,
        });
        self.client = Client::default();
        self.calls.clear();
        self.is_up = true;
        self.pid = pid;
        client
    }
}
