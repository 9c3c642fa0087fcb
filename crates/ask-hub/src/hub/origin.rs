//! Who closes an ask, as this machine can tell, and whether the person's settings take that. This is
//! evidence, not a wall: programs of one account can disguise themselves before each other.

use std::rc::Rc;
use std::sync::Arc;

use ask_config::config::{AnswersFrom, BelowAgents};
use ask_config::{clock, process};
use ask_core::draft::Draft;
use ask_core::record::BELOW;
use ask_core::{Ancestry, AskId, Origin, Record};
use ask_engine::{Request as Body, Signature, Verdict};
use ask_protocol::ipc::{Fault, Response};

use super::clients::Client;
use super::problem::Problem;
use super::{ClientId, Hub};

/// What only the hub's own HTTP side signs with. Anybody of this account can connect to the socket.
const HTTP_ONLY: [&str; 2] = ["api", "web"];

/// What an agent's server signs with that brings what a person has written into a pending file.
const PENDING: &str = "pending";

/// What becomes of a person's word.
pub(super) enum Admission {
    /// It is taken, signed so.
    Taken(Signature),
    /// It is kept as a draft, signed so, until the person sends it on another surface.
    Unconfirmed(Signature),
    /// It is refused, with the reason.
    Refused(Problem),
}

impl Hub {
    /// Whether a connection may sign with a surface, for a device.
    pub(super) fn may_sign(
        &self,
        client: ClientId,
        surface: &str,
        device: Option<&str>,
    ) -> Result<(), Problem> {
        let clients = self.clients.borrow();
        let is_within = clients.get(client).is_some_and(|client| client.is_within);
        match is_within || (device.is_none() && !HTTP_ONLY.contains(&surface)) {
            true => Ok(()),
            false => Err(not_allowed(format!(
                "only the hub's own HTTP side may sign with \"{surface}\" or for a device"
            ))),
        }
    }

    /// Whether a connection may close an ask so, and who that is. `sender` is the process at the other
    /// end of the HTTP connection that it came over, where it did.
    pub(super) fn admit(
        &self,
        client: ClientId,
        id: &AskId,
        verdict: &Verdict,
        (surface, device): (String, Option<String>),
        sender: Option<Arc<Ancestry>>,
    ) -> Admission {
        if let Err(problem) = self.may_sign(client, &surface, device.as_deref()) {
            return Admission::Refused(problem);
        }
        if matches!(verdict, Verdict::Withdraw) {
            return Admission::Taken(Signature {
                surface,
                device,
                origin: None,
            });
        }
        let settings = self.answers.get();
        if device.is_none() && settings.only_from == AnswersFrom::Devices {
            return Admission::Refused(not_allowed(
                "answers are taken from paired devices only (answers.only_from in config.toml)",
            ));
        }
        let ancestry = sender.or_else(|| self.clients.borrow().get(client)?.ancestry());
        let origin = match (&device, &ancestry) {
            // A program of this machine that passes on what a device sends is not who answers.
            (Some(_), _) | (None, None) => None,
            (None, Some(ancestry)) => Some(Box::new(self.origin(id, ancestry))),
        };
        let agent = origin
            .as_ref()
            .and_then(|origin| origin.below_agent.clone());
        let signature = Signature {
            surface,
            device,
            origin,
        };
        let is_contestable = || {
            let ancestry = ancestry.as_deref();
            self.is_contestable(id, &signature.surface, ancestry)
        };
        let Some(agent) = agent.filter(|_| is_contestable()) else {
            return Admission::Taken(signature);
        };
        match settings.below_agents {
            BelowAgents::Mark => Admission::Taken(signature),
            BelowAgents::Refuse => Admission::Refused(not_allowed(format!(
                "this program was started below {agent}, and what comes from there is refused (answers.below_agents in config.toml)"
            ))),
            BelowAgents::Ask if self.is_open_elsewhere(client, id) => {
                Admission::Unconfirmed(signature)
            }
            BelowAgents::Ask => Admission::Taken(signature),
        }
    }

    /// Whether an ask still waits, and is answered elsewhere than in its client's own dialog, of which a
    /// hook tells: what was said there has reached the agent already. Pending files are brought by
    /// whichever agent's server comes first.
    fn is_contestable(&self, id: &AskId, surface: &str, sender: Option<&Ancestry>) -> bool {
        let record = self.known(id.as_str());
        let is_of_client = |record: &Record| record.asker.client.as_deref() == Some(surface);
        let is_brought = surface == PENDING
            && sender.is_some_and(|sender| self.engine.borrow().is_server(sender));
        record.is_some_and(|record| record.is_waiting() && !is_of_client(&record)) && !is_brought
    }

    /// A key that opens the page, once and soon. Whoever signs in by it counts as below the agent that has
    /// had it fetched, if one has.
    pub(super) fn page_key(&self, client: ClientId) -> Response {
        let ancestry = self.clients.borrow().get(client).and_then(Client::ancestry);
        let engine = self.engine.borrow();
        let agent =
            ancestry.and_then(|ancestry| engine.agent_above(None, &ancestry, &self.machine));
        Response::PageKey {
            key: self.beside.keys.make(clock::now(), agent),
            port: self.port.get().map(|(port, _)| port),
        }
    }

    fn origin(&self, id: &AskId, ancestry: &Ancestry) -> Origin {
        let engine = self.engine.borrow();
        Origin {
            pid: ancestry.processes.first().map_or(0, |process| process.pid),
            program: ancestry.program.clone(),
            terminal: ancestry.terminal.clone(),
            below_agent: engine.agent_above(Some(id), ancestry, &self.machine),
        }
    }

    /// Whether a person can answer on another surface that no agent has started.
    fn is_open_elsewhere(&self, client: ClientId, id: &AskId) -> bool {
        let clients = self.clients.borrow();
        let engine = self.engine.borrow();
        let is_persons = |surface: &Client| match surface.ancestry() {
            Some(ancestry) => engine
                .agent_above(Some(id), &ancestry, &self.machine)
                .is_none(),
            None => true,
        };
        clients
            .surfaces()
            .any(|(other, surface)| other != client && is_persons(surface))
    }

    /// Fills the form in with what was answered below an agent, unless somebody has begun to, and says
    /// that the person has to send it.
    pub(super) async fn ask_for_confirmation(
        self: Rc<Self>,
        id: AskId,
        verdict: Verdict,
        signature: Signature,
    ) -> Result<Response, Problem> {
        let agent = signature.origin.and_then(|origin| origin.below_agent);
        let agent = agent.unwrap_or_default();
        let kept = match verdict {
            Verdict::Answer { draft, .. } => self.suggest(id, draft, &agent).await,
            Verdict::Decline { .. } | Verdict::Clarify { .. } | Verdict::Withdraw => false,
        };
        let form = match kept {
            true => "the form is filled in there with this answer",
            false => "nothing was kept of this",
        };
        Err(not_allowed(format!(
            "this program was started below {agent}, so the person has to confirm it on the surface that is open elsewhere; {form} (answers.below_agents in config.toml)"
        )))
    }

    async fn suggest(self: &Rc<Self>, id: AskId, draft: Draft, agent: &str) -> bool {
        let saved = self.ask(Body::SaveDraft {
            id,
            draft: Box::new(draft),
            surface: format!("{BELOW}{agent}"),
            built_on: Some(0),
        });
        matches!(saved.await, Ok(ask_engine::Reply::Done(1..)))
    }
}

fn not_allowed(text: impl Into<String>) -> Problem {
    Problem {
        kind: Fault::NotAllowed,
        text: text.into(),
    }
}

impl Client {
    /// The process at its other end, and those above it. It is looked up once: what started a process
    /// is gone sooner than the process.
    pub(super) fn ancestry(&self) -> Option<Arc<Ancestry>> {
        let look = || Some(Arc::new(process::ancestry(self.pid?)?));
        self.ancestry.get_or_init(look).clone()
    }
}
