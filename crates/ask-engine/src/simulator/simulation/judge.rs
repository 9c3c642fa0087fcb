//! What is judged while it happens: who is given what, and who must be. What it came to in the end is the
//! ledger's.

use std::sync::Arc;

use ask_core::{AskId, Record, lifecycle};

use super::{Judged, Party, SETTINGS, SentCall, Simulation};
use crate::callers::Machine;
use crate::engine::Engine;
use crate::event::{ConnectionId, Reply, Request, RequestId, TakeUp};
use crate::simulator::agent::{Agent, Call};
use crate::simulator::ledger::{Counts, Lookup, ReceivedCall};

/// A call to which an outcome is on its way.
#[derive(Clone, Debug)]
pub(super) struct Receiver {
    /// Of which caller.
    instance: String,
    connection: ConnectionId,
    request: RequestId,
}

impl Simulation {
    pub(super) fn judge_reply(
        &mut self,
        connection: ConnectionId,
        request: RequestId,
        reply: &Reply,
    ) -> Judged {
        self.judge_opening(connection, request, reply)?;
        let Some(link) = self.links.get(&connection) else {
            return Ok(());
        };
        let Some(SentCall {
            call,
            asker,
            received,
        }) = link.calls.get(&request)
        else {
            return Ok(());
        };
        let lookup = match call {
            Call {
                words: Some(words), ..
            } => Lookup::Words(words),
            Call { is_fetch: true, .. } => Lookup::Fetch,
            Call { .. } => Lookup::Id,
        };
        let call_of = ReceivedCall {
            asker,
            lookup,
            number: *received,
        };
        let records: Vec<&Record> = match reply {
            Reply::Opened(id) => return self.ledger.may_have(id, call_of, &self.processes),
            Reply::Outcome { record, .. } => vec![&**record],
            Reply::Fetched(records, _) => records.iter().map(|record| &**record).collect(),
            _ => return Ok(()),
        };
        for record in &records {
            self.ledger.hands(record, call_of, &self.processes)?;
        }
        let ids = records.iter().map(|record| record.id.clone());
        self.sent.extend(ids);
        let caller = asker.caller.as_ref();
        if let Some(caller) = caller
            && self.plan.strict
            && lookup != Lookup::Id
            && call.takes
        {
            let to = Receiver {
                instance: caller.instance.clone(),
                connection,
                request,
            };
            for record in records {
                self.judge_receivers(record, to.clone())?;
            }
        }
        Ok(())
    }

    /// What a person said is not on its way to two callers at the same time.
    fn judge_receivers(&mut self, record: &Record, to: Receiver) -> Judged {
        let settlement = record.settlement().filter(|end| end.outcome.is_human());
        let Some(settlement) = settlement else {
            return Ok(());
        };
        let key = (record.id.clone(), settlement.attempt);
        let handed = self.handed.entry(key).or_default();
        let other = handed.iter().find(|other| other.instance != to.instance);
        if let Some(other) = other {
            return Err(format!(
                "{} goes to {} while it is on its way to {}",
                record.id, to.instance, other.instance
            ));
        }
        handed.push(to);
        Ok(())
    }

    /// Nothing is on its way any more to calls that fit.
    pub(super) fn takes_back(&mut self, fits: impl Fn(&AskId, ConnectionId, RequestId) -> bool) {
        self.handed.retain(|(id, _), handed| {
            handed.retain(|to| !fits(id, to.connection, to.request));
            !handed.is_empty()
        });
    }

    /// A call whose ask is left behind, by nobody else's doing, opens no second one.
    fn judge_opening(
        &mut self,
        connection: ConnectionId,
        request: RequestId,
        reply: &Reply,
    ) -> Judged {
        let Some((sent, left)) = self.successors.remove(&(connection, request)) else {
            return Ok(());
        };
        match reply {
            Reply::Opened(id) if *id == sent && self.is_left(&left) => Err(format!(
                "{id} was opened, and {left} asked the same and was left to that caller"
            )),
            _ => Ok(()),
        }
    }

    fn is_left(&self, id: &AskId) -> bool {
        let record = self.hub.as_ref().and_then(|hub| hub.engine.record(id));
        record.is_some_and(|record| record.is_open() || !record.is_delivered())
    }

    /// The ask that a call must take up: the same client asked it in the same folder, is gone as the
    /// machine and the hub know, and there is no other that could be meant.
    fn left_to(&self, at: usize, connection: ConnectionId, asking: &Record) -> Option<AskId> {
        let (agent, hub) = (&self.agents[at], self.hub.as_ref()?);
        let place = agent.place();
        let is_judged = self.plan.strict || self.plan.http == 0;
        let is_fit = is_judged && !self.plan.clocks && place.1.is_some();
        let ours = agent.asker.caller.as_ref()?;
        if asking.asker.caller.as_ref() != Some(ours) {
            // It was sent by a process that has ended meanwhile, over the connection of the HTTP side.
            return None;
        }
        let is_other = |agent: &Agent| agent.place() == place && agent.is_up;
        let mut others = self.agents.iter().enumerate();
        let has_rival = others.any(|(other, agent)| other != at && is_other(agent));
        let mut sessions = self.processes.sessions.iter();
        let has_session = sessions.any(|(name, of)| *of == place && *name != ours.instance);
        let mut links = self.links.iter();
        let has_link = links.any(|(known, link)| match link.party {
            Party::Agent(other) => *known != connection && self.agents[other].place() == place,
            Party::Http | Party::Surface(_) => false,
        });
        let mut calls = agent.calls.values();
        let is_first = calls
            .by_ref()
            .filter(|call| call.words.as_deref() == Some(asking.ask.headline()))
            .count()
            == 1;
        if !is_fit || has_rival || has_session || has_link || !is_first || self.disk.is_busy() {
            return None;
        }
        let is_old = |record: &Record| {
            let age = self.wall().0 - record.asked_at.0;
            age > SETTINGS.take_up_ms as i64 / 2
        };
        let left = hub.engine.records().find(|record| {
            let theirs = record.asker.caller.as_ref();
            let is_gone = theirs.is_some_and(|caller| {
                let mut processes = [caller.process, caller.client].into_iter().flatten();
                let ended = self.ledger.ended_at(&caller.instance);
                ended.is_some_and(|ended| ended <= ours.started_at)
                    && processes.all(|one| !self.processes.runs(one))
            });
            let human = record.settlement().map(|end| end.outcome.is_human());
            let is_to_be_had = human.is_none_or(|human| {
                human && !record.is_delivered() && !self.sent.contains(&record.id)
            });
            lifecycle::is_same(record, asking) && is_gone && is_to_be_had && !is_old(record)
        })?;
        Some(left.id.clone())
    }

    /// What a request means to whoever judges.
    pub(super) fn note_request(
        &mut self,
        connection: ConnectionId,
        request: RequestId,
        body: &Request,
    ) {
        if let Request::Open { .. } | Request::Fetch { .. } = body
            && let Some(link) = self.links.get_mut(&connection)
            && let Some(sent) = link.calls.get_mut(&request)
        {
            sent.received = self.ledger.receives(&sent.asker);
        }
        match body {
            Request::Delivered { id, attempt } => self.ledger.delivered(id, *attempt),
            Request::NotDelivered(id) => {
                self.takes_back(|of, over, _| of == id && over == connection)
            }
            Request::Leave { request, .. } => {
                self.takes_back(|_, over, call| over == connection && call == *request);
            }
            Request::Open {
                record,
                take_up: TakeUp::Always,
                ..
            } => {
                let at = match self.links.get(&connection).map(|link| link.party) {
                    Some(Party::Agent(at)) => Some(at),
                    Some(Party::Http) => self.shared.get(&request).map(|(at, ..)| *at),
                    Some(Party::Surface(_)) | None => None,
                };
                let left = at.and_then(|at| self.left_to(at, connection, record));
                let is_new = !self.disk.written.records.contains_key(&record.id);
                if let Some(left) = left.filter(|_| is_new) {
                    let sent = record.id.clone();
                    self.successors.insert((connection, request), (sent, left));
                }
            }
            _ => {}
        }
    }

    /// What an engine held and what the next one begins with are the same.
    pub(super) fn compare_rebuilt(&mut self, lived: &Engine) -> Judged {
        let now = self.wall();
        let kept = self.disk.written.working_set(now, SETTINGS.take_up_ms);
        let rebuilt = Engine::new(SETTINGS, kept, [], false, 1);
        let is_lost = |record: &&Arc<Record>| {
            // One whose time had passed was retired, and then the calendar was set back.
            let is_retired = self.plan.clocks && !record.is_open() && record.is_answerable();
            !is_retired && lived.record(&record.id).is_none()
        };
        if let Some(record) = rebuilt.records().find(is_lost) {
            return Err(format!("rebuilt: {record:?}; not held before"));
        }
        for record in lived.records() {
            let bare = Record {
                waiters: 0,
                in_client: None,
                ..(**record).clone()
            };
            match rebuilt.record(&record.id) {
                Some(again) if *again == bare => {}
                // It is only held while its outcome is on the way.
                None if !bare.is_open() => {}
                again => {
                    return Err(format!("lived on: {bare:?}; rebuilt: {again:?}"));
                }
            }
        }
        Ok(())
    }

    /// Everything has come to rest: nothing breaks any more, and what was open is answered.
    pub(super) fn end(mut self) -> Result<Counts, String> {
        for (at, agent) in self.agents.iter().enumerate() {
            let waits = agent.client.pending.iter().find(|(_, body)| {
                matches!(body, Request::Open { .. } | Request::Wait(_)) && agent.is_up
            });
            if let Some((request, body)) = waits {
                return Err(format!("agent {at} hangs in call {request:?}: {body:?}"));
            }
        }
        let Some(hub) = &self.hub else {
            return Err("there is no hub at the end".to_owned());
        };
        for record in self.disk.written.records.values() {
            let human = record.settlement().filter(|end| end.outcome.is_human());
            if human.is_some() && !record.is_delivered() && hub.engine.record(&record.id).is_none()
            {
                return Err(format!("{} is undelivered, and not shown", record.id));
            }
        }
        let is_needed = |record: &Record| {
            let human = record.settlement().map(|end| end.outcome.is_human());
            match human {
                None => true,
                Some(true) => !record.is_delivered(),
                Some(false) => record.is_answerable(),
            }
        };
        if let Some(record) = hub.engine.records().find(|record| !is_needed(record)) {
            return Err(format!("{} is held for nothing", record.id));
        }
        for (at, surface) in self.surfaces.iter().enumerate() {
            if let Some(id) = surface.shown.keys().next() {
                return Err(format!("surface {at} still shows {id} as open"));
            }
        }
        let records = std::mem::take(&mut self.disk.written.records);
        self.ledger.close(&records)?;
        Ok(self.ledger.counts)
    }
}
