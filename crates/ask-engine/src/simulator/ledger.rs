//! The ledger records what really happened in a simulation: which caller asked what, which answers
//! were accepted, and which agent read which outcome. It checks the results against the rules, and
//! knows nothing of how the engine decides.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use ask_core::{AskId, Asker, Caller, Outcome, Process, Record, Time};

use crate::callers::Machine;
use crate::event::RequestId;

/// Counts of what happened in a simulation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Asks that are stored at the end.
    pub asks: u64,
    /// Outcomes of people whose surface got the reply that they were accepted.
    pub answers: u64,
    /// Asks whose agent got the reply that they were withdrawn.
    pub withdrawn: u64,
    /// Outcomes whose surface got the reply that they were taken back.
    pub taken_back: u64,
    /// Outcomes that an agent read.
    pub read: u64,
    /// Outcomes of people that were read by another caller than the one that asked.
    pub taken_up: u64,
    /// Hubs that were killed or lost power.
    pub hubs: u64,
    /// Connections that broke while the hub ran on.
    pub cuts: u64,
    /// Asks whose question another caller of the same client and folder asked before.
    pub twins: u64,
    /// Asks over HTTP.
    pub over_http: u64,
}

impl Counts {
    /// Adds the counts of another simulation.
    pub fn add(&mut self, other: Self) {
        self.asks += other.asks;
        self.answers += other.answers;
        self.withdrawn += other.withdrawn;
        self.taken_back += other.taken_back;
        self.read += other.read;
        self.taken_up += other.taken_up;
        self.hubs += other.hubs;
        self.cuts += other.cuts;
        self.twins += other.twins;
        self.over_http += other.over_http;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{} asks ({} with a twin, {} over HTTP), {} answers, {} taken back, {} withdrawn, {} read, \
             {} of them by a successor; {} hubs were killed, {} connections broke; \
             nothing was lost, doubled, invented or misdelivered",
            self.asks,
            self.twins,
            self.over_http,
            self.answers,
            self.taken_back,
            self.withdrawn,
            self.read,
            self.taken_up,
            self.hubs,
            self.cuts
        )
    }
}

/// An ask, as its agent sent it.
#[derive(Debug)]
struct Asked {
    asker: Asker,
    words: String,
    at: Time,
    /// Callers that took the ask over, in this order.
    successors: Vec<Asker>,
}

/// A caller that a hub knows.
#[derive(Debug)]
struct Known {
    asker: Asker,
    /// How many calls the hub had received before it knew the caller.
    since: u64,
}

/// How a call refers to an ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lookup<'a> {
    /// The call asks this question.
    Words(&'a str),
    /// The call names the id, which its agent had received.
    Id,
    /// The call fetches the caller's own outcomes.
    Fetch,
}

/// A call that the hub received.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReceivedCall<'a> {
    pub asker: &'a Asker,
    pub lookup: Lookup<'a>,
    /// The number of the call, from [`Ledger::record_call`].
    pub number: u64,
}

#[derive(Debug, Default)]
pub(crate) struct Ledger {
    asked: BTreeMap<AskId, Asked>,
    /// The outcome that a person or an agent got the reply was accepted, by ask, with its attempt.
    accepted: BTreeMap<AskId, (u64, Outcome)>,
    /// The attempts that people wanted to take back.
    take_backs: BTreeSet<(AskId, u64)>,
    /// Those of them whose surface got the reply that they were taken back.
    taken_back: BTreeSet<(AskId, u64)>,
    /// All outcomes that people sent, by ask.
    sent: BTreeMap<AskId, Vec<Outcome>>,
    /// The instances that read a person's outcome, by ask.
    readers: BTreeMap<AskId, BTreeSet<String>>,
    /// The outcomes of people that an instance over stdio read without naming the ask's id, with
    /// the newest request that the instance had sent by then.
    told: BTreeMap<(AskId, u64, String), RequestId>,
    forgotten: BTreeSet<AskId>,
    /// The asks and attempts whose delivery was confirmed to this hub.
    delivered: BTreeSet<(AskId, u64)>,
    /// The callers that this hub knows, by instance. Some have ended.
    known: BTreeMap<String, Known>,
    /// How many calls this hub has received.
    received: u64,
    /// When callers ended, by instance.
    ended: BTreeMap<String, Time>,
    /// When clients ended, and the number of the hub that ran then.
    ended_clients: BTreeMap<Process, (Time, Option<u64>)>,
    pub counts: Counts,
}

impl Ledger {
    /// Records that a hub starts. It knows the callers of stored asks.
    pub(super) fn start_hub<'a>(&mut self, named: impl Iterator<Item = &'a Asker>) {
        self.known.clear();
        self.received = 0;
        named.for_each(|asker| self.add_known(asker));
    }

    /// Records that the hub receives a call and so knows its caller. Returns the number of the
    /// call.
    pub(super) fn record_call(&mut self, from: &Asker) -> u64 {
        self.add_known(from);
        self.received += 1;
        self.received
    }

    fn add_known(&mut self, asker: &Asker) {
        let Some(caller) = &asker.caller else { return };
        let since = self.received;
        let known = self.known.entry(caller.instance.clone());
        known.or_insert_with(|| Known {
            asker: asker.clone(),
            since,
        });
    }

    /// Records that the process or the session of a caller ended.
    pub(super) fn record_end(&mut self, instance: &str, at: Time) {
        self.ended.insert(instance.to_owned(), at);
    }

    /// Records that the client of callers ended.
    pub(super) fn record_client_end(&mut self, client: Process, at: Time, has_hub: bool) {
        let hub = has_hub.then_some(self.counts.hubs);
        self.ended_clients.insert(client, (at, hub));
    }

    /// When a caller ended. `None` while it runs.
    pub(super) fn ended_at(&self, instance: &str) -> Option<Time> {
        self.ended.get(instance).copied()
    }

    /// When a caller and its client had both ended. `None` while the caller runs.
    pub(super) fn gone_at(&self, caller: &Caller) -> Option<Time> {
        let ended = self.ended_at(&caller.instance)?;
        let client = caller
            .client
            .and_then(|client| self.ended_clients.get(&client));
        Some(client.map_or(ended, |(at, _)| ended.max(*at)))
    }

    pub(super) fn record_ask(&mut self, record: &Record, at: Time) {
        let words = record.ask.headline().to_owned();
        let asked = Asked {
            asker: record.asker.clone(),
            words,
            at,
            successors: Vec::new(),
        };
        self.asked.insert(record.id.clone(), asked);
    }

    pub(super) fn record_sent(&mut self, id: &AskId, outcome: Outcome) {
        self.sent.entry(id.clone()).or_default().push(outcome);
    }

    /// Records that a person got the reply that this outcome was accepted.
    pub(super) fn record_accepted(&mut self, record: &Record) -> Result<(), String> {
        let is_first = self.record_final(record)?;
        self.counts.answers += u64::from(is_first);
        Ok(())
    }

    /// Records that an agent got the reply that this ask was withdrawn.
    pub(super) fn record_withdrawn(&mut self, record: &Record) -> Result<(), String> {
        let outcome = record.settlement().map(|settlement| &settlement.outcome);
        if outcome != Some(&Outcome::Withdrawn) {
            return Err(format!("{} was withdrawn, and is {outcome:?}", record.id));
        }
        let is_first = self.record_final(record)?;
        self.counts.withdrawn += u64::from(is_first);
        Ok(())
    }

    /// Records that an outcome was accepted, so that no other may replace it. Returns whether it is
    /// the first reply that says so.
    fn record_final(&mut self, record: &Record) -> Result<bool, String> {
        let id = &record.id;
        let settlement = record.settlement();
        let Some(settlement) = settlement.filter(|one| one.outcome != Outcome::Expired) else {
            // The reply to a retry may come after the outcome was taken back, and the ask has expired.
            return match self
                .take_backs
                .iter()
                .any(|(taken_back, _)| taken_back == id)
            {
                true => Ok(false),
                false => Err(format!("{id} was accepted, and is open")),
            };
        };
        let accepted = (settlement.attempt, settlement.outcome.clone());
        let may_be_replaced = |(attempt, _): &(u64, Outcome)| {
            self.forgotten.contains(id) || self.take_backs.contains(&(id.clone(), *attempt))
        };
        match self.accepted.get(id) {
            Some(first) if first.1 != accepted.1 && may_be_replaced(first) => {
                self.accepted.insert(id.clone(), accepted);
                Ok(true)
            }
            // The reply for the outcome before comes late.
            Some(first) if first.1 != accepted.1 && may_be_replaced(&accepted) => Ok(false),
            Some(first) if first.1 != accepted.1 => Err(format!(
                "{id}: two different outcomes were accepted: {first:?}, {accepted:?}"
            )),
            Some(_) => Ok(false),
            None => {
                self.accepted.insert(id.clone(), accepted);
                Ok(true)
            }
        }
    }

    /// Records that a person wants to take back an outcome.
    pub(super) fn record_take_back(&mut self, id: &AskId, attempt: u64) {
        self.take_backs.insert((id.clone(), attempt));
    }

    /// Records that a person got the reply that an outcome was taken back.
    pub(super) fn record_taken_back(&mut self, id: &AskId, attempt: u64) {
        self.counts.taken_back += u64::from(self.taken_back.insert((id.clone(), attempt)));
    }

    pub(super) fn record_forgotten(&mut self, id: &AskId) {
        self.forgotten.insert(id.clone());
    }

    /// Records that the hub receives the confirmation of a delivery.
    pub(super) fn record_delivered(&mut self, id: &AskId, attempt: Option<u64>) {
        if let Some(attempt) = attempt {
            self.delivered.insert((id.clone(), attempt));
        }
    }

    /// Forgets all confirmations, because the hub may have lost those that were not stored yet.
    pub(super) fn clear_delivered(&mut self) {
        self.delivered.clear();
    }

    /// Records that the hub stores another caller as the owner of an ask.
    ///
    /// # Errors
    /// The caller may not have the ask.
    pub(super) fn record_takeover(
        &mut self,
        id: &AskId,
        caller: &Caller,
        machine: &dyn Machine,
    ) -> Result<(), String> {
        let (Some(known), Some(asked)) = (self.known.get(&caller.instance), self.asked.get(id))
        else {
            return Err(format!(
                "{id} is taken over by {}, which never called",
                caller.instance
            ));
        };
        let call = ReceivedCall {
            asker: &known.asker,
            lookup: Lookup::Fetch,
            number: self.received,
        };
        self.check_access(id, call, machine)?;
        let successor = known.asker.clone();
        if !asked
            .owners()
            .any(|owner| are_same_instance(owner, &successor))
            && let Some(asked) = self.asked.get_mut(id)
        {
            asked.successors.push(successor);
        }
        Ok(())
    }

    /// Checks that the hub may send an outcome to a call. `machine` has the processes and sessions
    /// that really exist.
    ///
    /// # Errors
    /// The outcome was read before, or the call may not have the ask.
    pub(super) fn check_delivery(
        &self,
        record: &Record,
        call: ReceivedCall<'_>,
        machine: &dyn Machine,
    ) -> Result<(), String> {
        let id = &record.id;
        let is_own = |asked: &Asked| are_same_instance(&asked.asker, call.asker);
        let attempt = record.settlement().map(|settlement| settlement.attempt);
        if call.lookup != Lookup::Id
            && !self.asked.get(id).is_some_and(is_own)
            && attempt.is_some_and(|attempt| self.delivered.contains(&(id.clone(), attempt)))
        {
            return Err(format!("{id} was read, and is delivered again"));
        }
        self.check_access(id, call, machine)
    }

    /// Checks that a call may wait for an ask or receive its outcome: it names the id, or its
    /// caller asked or succeeds an owner of the ask.
    pub(super) fn check_access(
        &self,
        id: &AskId,
        call: ReceivedCall<'_>,
        machine: &dyn Machine,
    ) -> Result<(), String> {
        let Some(asked) = self.asked.get(id) else {
            return Err(format!("{id} was never asked"));
        };
        if let Lookup::Words(words) = call.lookup
            && words != asked.words
        {
            return Err(format!(
                "{id} asked {:?}, and goes to {words:?}",
                asked.words
            ));
        }
        if call.lookup == Lookup::Id {
            return Ok(());
        }
        // A power loss may have undone a takeover. Then the next caller succeeds an earlier owner.
        let mut result = Ok(());
        for owner in asked.owners() {
            result = self
                .check_succession(owner, asked.at, call, machine)
                .map_err(|problem| format!("{id} {problem}"));
            if result.is_ok() {
                break;
            }
        }
        result
    }

    /// Checks that the caller is this asker, or the only caller that can be its successor.
    fn check_succession(
        &self,
        asker: &Asker,
        asked_at: Time,
        call: ReceivedCall<'_>,
        machine: &dyn Machine,
    ) -> Result<(), String> {
        let to = call.asker;
        let (Some(theirs), Some(ours)) = (&asker.caller, &to.caller) else {
            return Err("is of an unknown caller, or goes to one".to_owned());
        };
        if theirs.instance == ours.instance {
            return Ok(());
        }
        let wrong = |why: &str| {
            Err(format!(
                "of {} goes to {}: {why}",
                theirs.instance, ours.instance
            ))
        };
        if asker.client != to.client || asker.directory != to.directory {
            return wrong("another client, or another folder");
        }
        let runs = |process: Process| machine.runs(process);
        if theirs.process.is_none() && machine.session_exists(&theirs.instance) {
            return wrong("its asker's session still exists");
        }
        if theirs.process.is_some_and(runs) {
            return wrong("its asker still runs");
        }
        let is_of_one_program = theirs.client.is_some() && theirs.client == ours.client;
        if !is_of_one_program && theirs.client.is_some_and(runs) {
            return wrong("its asker's client still runs");
        }
        // The hub that ran then knows it.
        let client_ended = theirs
            .client
            .and_then(|client| self.ended_clients.get(&client))
            .filter(|(_, hub)| *hub == Some(self.counts.hubs));
        let ran_beside = client_ended.is_some_and(|(at, _)| ours.started_at.plus_ms(500) < *at);
        if !is_of_one_program && ran_beside {
            return wrong("it ran beside its asker's client");
        }
        if !is_of_one_program && asker.directory.is_none() {
            return wrong("it has no folder");
        }
        // Start times of processes are coarse.
        if ours.started_at.plus_ms(20) < asked_at {
            return wrong("it ran before the ask was opened");
        }
        match self.rival(asker, call, machine) {
            Some(rival) => wrong(&format!("{rival} could be the successor as well")),
            None => Ok(()),
        }
    }

    /// Another caller that could be the asker's successor: it runs, it started after the asker had
    /// ended, and the hub knew it before it received the call. If the asker and the caller are
    /// sub-agents of one program, only another sub-agent of that program can be a rival.
    fn rival(&self, asker: &Asker, call: ReceivedCall<'_>, machine: &dyn Machine) -> Option<&str> {
        let to = call.asker;
        let (theirs, ours) = (asker.caller.as_ref()?, to.caller.as_ref()?);
        let is_of_one_program = theirs.client.is_some() && theirs.client == ours.client;
        let ended = match is_of_one_program {
            true => self.ended_at(&theirs.instance)?,
            false => self.gone_at(theirs)?,
        };
        let is_rival = |known: &&Known| {
            let other = &known.asker;
            other.caller.as_ref().is_some_and(|caller| {
                let is_alive = match caller.process {
                    Some(process) => machine.runs(process),
                    None => machine.session_exists(&caller.instance),
                };
                let is_fit = match is_of_one_program {
                    true => caller.client == theirs.client,
                    false => other.client == asker.client,
                } && other.directory == asker.directory;
                let is_third = !are_same_instance(other, to) && !are_same_instance(other, asker);
                is_third && is_fit && is_alive && caller.started_at >= ended
            })
        };
        let mut rivals = self.known.iter();
        let rival = rivals.find(|(_, known)| known.since < call.number && is_rival(known));
        rival.map(|(instance, _)| instance.as_str())
    }

    /// Records that an agent read an outcome. With `takes`, it was delivered and not only listed.
    ///
    /// # Errors
    /// The ask is open, no person sent this outcome, or a person took it back.
    pub(super) fn record_read(
        &mut self,
        record: &Record,
        by: &Asker,
        takes: bool,
    ) -> Result<(), String> {
        let Some(settlement) = record.settlement() else {
            return Err(format!("{} was read, and is open", record.id));
        };
        self.counts.read += 1;
        if takes
            && self
                .taken_back
                .contains(&(record.id.clone(), settlement.attempt))
        {
            return Err(format!("{} was read after it was taken back", record.id));
        }
        if !settlement.outcome.is_human() {
            return Ok(());
        }
        let sent = self.sent.get(&record.id).into_iter().flatten();
        if !sent.into_iter().any(|sent| *sent == settlement.outcome) {
            return Err(format!(
                "{}: nobody sent {:?}",
                record.id, settlement.outcome
            ));
        }
        let instance = |asker: &Asker| asker.caller.as_ref().map(|caller| caller.instance.clone());
        if let (Some(reader), Some(asked)) = (instance(by), self.asked.get(&record.id)) {
            if instance(&asked.asker).is_some_and(|asker| asker != reader) {
                self.counts.taken_up += 1;
            }
            self.readers
                .entry(record.id.clone())
                .or_default()
                .insert(reader);
        }
        Ok(())
    }

    /// Records that an instance read an outcome whose id it didn't name. It repeats a confirmation
    /// until the hub has stored it, so no later call of the instance receives the outcome again.
    /// `last` is the newest request that it has sent.
    ///
    /// # Errors
    /// The instance had read this outcome before it sent `request`.
    pub(super) fn record_told(
        &mut self,
        record: &Record,
        by: &Asker,
        request: RequestId,
        last: RequestId,
    ) -> Result<(), String> {
        let human = record.settlement().filter(|end| end.outcome.is_human());
        let (Some(settlement), Some(caller)) = (human, &by.caller) else {
            return Ok(());
        };
        let instance = caller.instance.clone();
        let told = (record.id.clone(), settlement.attempt, instance);
        if self.told.get(&told).is_some_and(|before| request > *before) {
            return Err(format!("{} was told twice to {}", told.0, told.2));
        }
        self.told.entry(told).or_insert(last);
        Ok(())
    }

    /// The power failed, and the hub may not know of the last confirmations.
    pub(super) fn clear_told(&mut self) {
        self.told.clear();
    }

    /// Compares the records on the disk at the end with the outcomes that were accepted.
    ///
    /// # Errors
    /// An outcome was lost or invented, or was marked as delivered without a reader.
    pub(super) fn check_end(&mut self, disk: &BTreeMap<AskId, Record>) -> Result<(), String> {
        self.counts.asks = disk.len() as u64;
        for (id, (attempt, outcome)) in &self.accepted {
            if self.forgotten.contains(id) {
                continue;
            }
            let record = disk.get(id);
            let was_taken_back = record.is_some_and(|record| record.was_taken_back(*attempt));
            if was_taken_back && self.take_backs.contains(&(id.clone(), *attempt)) {
                continue;
            }
            let stored = record.and_then(Record::settlement);
            if stored.map(|stored| &stored.outcome) != Some(outcome) {
                return Err(format!(
                    "{id}: {outcome:?} was accepted, and {stored:?} is stored"
                ));
            }
        }
        for (id, record) in disk {
            let human = record.settlement().filter(|end| end.outcome.is_human());
            if let Some(settlement) = human {
                let sent = self.sent.get(id).into_iter().flatten();
                if !sent.into_iter().any(|sent| *sent == settlement.outcome) {
                    return Err(format!("{id}: nobody sent what is stored: {settlement:?}"));
                }
                if record.is_delivered() && !self.readers.contains_key(id) {
                    return Err(format!("{id} counts as delivered, and nobody has read it"));
                }
            }
        }
        Ok(())
    }
}

impl Asked {
    /// The owners of the ask, in order.
    fn owners(&self) -> impl Iterator<Item = &Asker> {
        std::iter::once(&self.asker).chain(&self.successors)
    }
}

fn are_same_instance(one: &Asker, other: &Asker) -> bool {
    let instance = |asker: &Asker| asker.caller.as_ref().map(|caller| caller.instance.clone());
    instance(one).is_some() && instance(one) == instance(other)
}
