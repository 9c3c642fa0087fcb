//! The checks of a simulation: those during the run, of which call receives which ask and which ask
//! a call must take up, and those at the end. The ledger has the records that they need.

use std::sync::Arc;

use ask_core::{AskId, Record, lifecycle};

use super::{CheckResult, Party, SETTINGS, SentCall, Simulation};
use crate::callers::Machine;
use crate::engine::Engine;
use crate::event::{ConnectionId, Reply, Request, RequestId, TakeUp};
use crate::simulator::agent::{Agent, Call};
use crate::simulator::ledger::{Counts, Lookup, ReceivedCall};

/// A call to which an outcome is in flight.
#[derive(Clone, Debug)]
pub(super) struct Receiver {
    /// The instance of the caller.
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
    ) -> CheckResult {
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
            Reply::Opened(id) => return self.ledger.check_access(id, call_of, &self.processes),
            Reply::Outcome { record, .. } => vec![&**record],
            Reply::Fetched(records, _) => records.iter().map(|record| &**record).collect(),
            _ => return Ok(()),
        };
        for record in &records {
            self.ledger
                .check_delivery(record, call_of, &self.processes)?;
        }
        let ids = records.iter().map(|record| record.id.clone());
        self.sent.extend(ids);
        let caller = asker.caller.as_ref();
        if let Some(caller) = caller
            && self.plan.strict
            && lookup != Lookup::Id
            && call.takes_outcome
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

    /// Checks that the outcome of a person is not in flight to two callers at the same time.
    fn judge_receivers(&mut self, record: &Record, to: Receiver) -> CheckResult {
        let settlement = record.settlement().filter(|end| end.outcome.is_human());
        let Some(settlement) = settlement else {
            return Ok(());
        };
        let key = (record.id.clone(), settlement.attempt);
        let receivers = self.receivers.entry(key).or_default();
        let other = receivers.iter().find(|other| other.instance != to.instance);
        if let Some(other) = other {
            return Err(format!(
                "{} goes to {} while it is in flight to {}",
                record.id, to.instance, other.instance
            ));
        }
        receivers.push(to);
        Ok(())
    }

    /// Ends the deliveries to the calls that `fits` selects.
    pub(super) fn clear_receivers(
        &mut self,
        fits: impl Fn(&AskId, ConnectionId, RequestId) -> bool,
    ) {
        self.receivers.retain(|(id, _), receivers| {
            receivers.retain(|to| !fits(id, to.connection, to.request));
            !receivers.is_empty()
        });
    }

    /// Checks that a call which must take up an ask doesn't open one of its own.
    fn judge_opening(
        &mut self,
        connection: ConnectionId,
        request: RequestId,
        reply: &Reply,
    ) -> CheckResult {
        let Some((sent, left)) = self.must_take_up.remove(&(connection, request)) else {
            return Ok(());
        };
        match reply {
            Reply::Opened(id) if *id == sent && self.is_available(&left) => Err(format!(
                "{id} was opened, although the caller had to take up the equal ask {left}"
            )),
            _ => Ok(()),
        }
    }

    fn is_available(&self, id: &AskId) -> bool {
        let record = self.hub.as_ref().and_then(|hub| hub.engine.record(id));
        record.is_some_and(|record| record.is_open() || !record.is_delivered())
    }

    /// The ask that a call must take up: an equal one whose caller, of the same client and folder,
    /// has ended, as the machine and the hub know, and that no other caller could succeed.
    fn ask_left_to(&self, at: usize, connection: ConnectionId, asking: &Record) -> Option<AskId> {
        let (agent, hub) = (&self.agents[at], self.hub.as_ref()?);
        let place = agent.place();
        let is_judged = self.plan.strict || self.plan.http == 0;
        let is_fit = is_judged && !self.plan.clocks && place.1.is_some();
        let ours = agent.asker.caller.as_ref()?;
        if asking.asker.caller.as_ref() != Some(ours) {
            // An earlier process of the agent sent the call, over the connection of the HTTP
            // server.
            return None;
        }
        let is_other = |agent: &Agent| agent.place() == place && agent.is_up;
        let mut others = self.agents.iter().enumerate();
        let has_rival = others.any(|(other, agent)| other != at && is_other(agent));
        let mut sessions = self.processes.sessions.iter();
        let has_session = sessions.any(|(name, other)| *other == place && *name != ours.instance);
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
                let ended = self.ledger.gone_at(caller);
                ended.is_some_and(|ended| ended <= ours.started_at)
                    && processes.all(|one| !self.processes.runs(one))
            });
            let human = record.settlement().map(|end| end.outcome.is_human());
            let is_available = human.is_none_or(|human| {
                human && !record.is_delivered() && !self.sent.contains(&record.id)
            });
            lifecycle::is_same(record, asking) && is_gone && is_available && !is_old(record)
        })?;
        Some(left.id.clone())
    }

    /// Updates the state of the checks before the hub receives a request.
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
            sent.received = self.ledger.record_call(&sent.asker);
        }
        match body {
            Request::Delivered { id, attempt } => self.ledger.record_delivered(id, *attempt),
            Request::NotDelivered(id) => {
                self.clear_receivers(|ask, by, _| ask == id && by == connection)
            }
            Request::Leave { request, .. } => {
                self.clear_receivers(|_, by, call| by == connection && call == *request);
            }
            Request::Open {
                record,
                take_up: TakeUp::Always,
                ..
            } => {
                let at = match self.links.get(&connection).map(|link| link.party) {
                    Some(Party::Agent(at)) => Some(at),
                    Some(Party::Http) => self.http_requests.get(&request).map(|(at, ..)| *at),
                    Some(Party::Surface(_)) | None => None,
                };
                let left = at.and_then(|at| self.ask_left_to(at, connection, record));
                let is_new = !self.disk.written.records.contains_key(&record.id);
                if let Some(left) = left.filter(|_| is_new) {
                    let sent = record.id.clone();
                    self.must_take_up
                        .insert((connection, request), (sent, left));
                }
            }
            _ => {}
        }
    }

    /// Checks that the next engine starts with the same records that the killed engine held.
    pub(super) fn compare_rebuilt(&mut self, killed: &Engine) -> CheckResult {
        let now = self.wall();
        let stored = self.disk.written.working_set(now, SETTINGS.take_up_ms);
        let rebuilt = Engine::new(SETTINGS, stored, [], false, 1);
        let is_missing = |record: &&Arc<Record>| {
            // An expired ask may have been dropped before the wall clock was set back.
            let may_be_dropped = self.plan.clocks && !record.is_open() && record.is_answerable();
            !may_be_dropped && killed.record(&record.id).is_none()
        };
        if let Some(record) = rebuilt.records().find(is_missing) {
            return Err(format!("rebuilt: {record:?}; not held before"));
        }
        for record in killed.records() {
            let bare = Record {
                waiters: 0,
                in_client: None,
                held_until: None,
                ..(**record).clone()
            };
            match rebuilt.record(&record.id) {
                Some(record) if *record == bare => {}
                // The killed engine held a closed ask only while its outcome was in flight.
                None if !bare.is_open() => {}
                record => {
                    return Err(format!("held: {bare:?}; rebuilt: {record:?}"));
                }
            }
        }
        Ok(())
    }

    /// Checks the state at the end, when no faults are injected any more and all asks are answered.
    pub(super) fn check_end(mut self) -> Result<Counts, String> {
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
                return Err(format!("{} is undelivered, and not held", record.id));
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
            return Err(format!("{} is held, and not needed", record.id));
        }
        for (at, surface) in self.surfaces.iter().enumerate() {
            if let Some(id) = surface.shown.keys().next() {
                return Err(format!("surface {at} still shows {id} as open"));
            }
        }
        let records = std::mem::take(&mut self.disk.written.records);
        self.ledger.check_end(&records)?;
        Ok(self.ledger.counts)
    }
}
