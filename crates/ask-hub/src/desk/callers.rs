//! Who asks, as the desk knows it: the programs at the other ends of its connections, and whose
//! answers they may be given. The rules are [`ask_engine::callers`].

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use ask_config::{clock, process};
use ask_core::{Asker, Caller, Process, Record, Time};
use ask_engine::callers;
use ask_engine::{Machine, Presence};

use super::{ClientId, Desk};
use crate::http::standing::StandingSessions;

/// So many callers that have gone are remembered.
const DEPARTED: usize = 4_096;

/// The callers of a desk.
#[derive(Default)]
pub(super) struct Callers {
    heard: RefCell<HashMap<String, Heard>>,
    /// When callers were last seen, by their instances.
    departed: RefCell<HashMap<String, Time>>,
    sessions: Arc<StandingSessions>,
}

/// A caller that has asked.
struct Heard {
    asker: Asker,
    /// The connections of its process. One over HTTP has none of its own.
    clients: HashSet<ClientId>,
}

impl Callers {
    pub(super) fn over(sessions: Arc<StandingSessions>) -> Self {
        Self {
            sessions,
            ..Self::default()
        }
    }

    /// Notes that somebody asks over a connection.
    fn heard(&self, client: ClientId, asker: &Asker) {
        let Some(caller) = &asker.caller else { return };
        let mut heard = self.heard.borrow_mut();
        heard.retain(|_, heard| !heard.clients.is_empty() || self.stands(&heard.asker));
        let entry = heard
            .entry(caller.instance.clone())
            .or_insert_with(|| Heard {
                asker: asker.clone(),
                clients: HashSet::new(),
            });
        if caller.process.is_some() {
            entry.clients.insert(client);
        }
    }

    /// Notes that a connection ended.
    pub(super) fn part(&self, client: ClientId) {
        let mut gone = Vec::new();
        self.heard.borrow_mut().retain(|instance, heard| {
            if heard.clients.remove(&client) && heard.clients.is_empty() {
                gone.push(instance.clone());
            }
            !heard.clients.is_empty() || self.stands(&heard.asker)
        });
        let mut departed = self.departed.borrow_mut();
        for instance in gone {
            if departed.len() >= DEPARTED {
                departed.clear();
            }
            departed.insert(instance, clock::now());
        }
    }

    fn stands(&self, asker: &Asker) -> bool {
        let caller = asker.caller.as_ref();
        caller.is_some_and(|caller| {
            caller.process.is_none() && self.sessions.stands(&caller.instance)
        })
    }
}

impl Presence for Callers {
    fn is_present(&self, instance: &str) -> bool {
        let heard = self.heard.borrow();
        heard
            .get(instance)
            .is_some_and(|heard| !heard.clients.is_empty())
            || self.sessions.stands(instance)
    }

    fn any_present(&self, fits: &mut dyn FnMut(&Asker) -> bool) -> bool {
        let heard = self.heard.borrow();
        let present = |heard: &&Heard| !heard.clients.is_empty() || self.stands(&heard.asker);
        heard
            .values()
            .filter(present)
            .any(|heard| fits(&heard.asker))
    }

    fn departed_at(&self, instance: &str) -> Option<Time> {
        self.departed.borrow().get(instance).copied()
    }
}

impl Machine for Callers {
    fn runs(&self, process: Process) -> bool {
        process::runs(process)
    }

    fn session_stands(&self, instance: &str) -> bool {
        self.sessions.stands(instance)
    }
}

impl Desk {
    /// Who asks over a connection: what the machine knows of the process at its other end, whatever
    /// that says of itself. A connection of the hub's own HTTP side says it for its agents.
    pub(super) fn identified(&self, client: ClientId, asker: Asker) -> Asker {
        let own = {
            let clients = self.clients.borrow();
            clients.get(&client).map(|client| client.caller.clone())
        };
        let caller = match own {
            Some(Some(caller)) => Some(caller),
            Some(None) | None => asker
                .caller
                .clone()
                .filter(|caller| caller.process.is_none()),
        };
        let asker = Asker { caller, ..asker };
        self.callers.heard(client, &asker);
        asker
    }

    /// Whether a call may take up a record, or be given its outcome, without naming its id.
    pub(super) fn may_have(&self, client: ClientId, record: &Record, by: &Asker) -> bool {
        match (&record.asker.caller, &by.caller) {
            (Some(_), Some(_)) => callers::may_have(record, by, &self.callers, &self.callers),
            // One of them is not known: whose connection asked it last is all there is to go by.
            _ => !self.is_another_s(client, &record.id),
        }
    }
}

/// The program at the other end of a connection.
pub(crate) fn of_peer(pid: Option<i32>) -> Option<Caller> {
    process::caller(u32::try_from(pid?).ok()?)
}
