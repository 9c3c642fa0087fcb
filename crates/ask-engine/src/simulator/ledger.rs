//! What really happened, written down beside the world: who asked what, what a person was told was
//! taken, what each agent read. It judges and knows nothing of how the engine decides.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use ask_core::{AskId, Asker, Caller, Outcome, Process, Record, Time};

use crate::callers::Machine;

/// What a run came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Asks that were kept.
    pub asks: u64,
    /// Answers that a person was told were taken.
    pub answers: u64,
    /// Asks that an agent was told were withdrawn.
    pub withdrawn: u64,
    /// Outcomes that an agent read.
    pub read: u64,
    /// Of them, by another program than the one that asked, after that had ended.
    pub taken_up: u64,
    /// Hubs that were killed, or lost their power.
    pub hubs: u64,
    /// Connections that broke otherwise.
    pub cuts: u64,
    /// Asks with the same words as another one that was open.
    pub twins: u64,
    /// Asks over HTTP.
    pub over_http: u64,
}

impl Counts {
    /// Adds another run.
    pub fn add(&mut self, other: Self) {
        self.asks += other.asks;
        self.answers += other.answers;
        self.withdrawn += other.withdrawn;
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
            "{} asks ({} beside a twin, {} over HTTP), {} answers, {} withdrawn, {} read, {} of them by a successor; {} hubs died, {} connections broke; nothing lost, doubled, invented or misdelivered",
            self.asks,
            self.twins,
            self.over_http,
            self.answers,
            self.withdrawn,
            self.read,
            self.taken_up,
            self.hubs,
            self.cuts
        )
    }
}

/// One ask, as its agent sent it.
#[derive(Debug)]
struct Asked {
    asker: Asker,
    words: String,
    at: Time,
    /// Callers that took it up in place of the one that asked, in this order.
    successors: Vec<Asker>,
}

/// A caller of which a hub knows, and how many calls that hub had received before it did.
#[derive(Debug)]
struct Known {
    asker: Asker,
    since: u64,
}

/// How a call learned of an ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lookup<'a> {
    /// It asked with these words.
    Words(&'a str),
    /// It named the id, which it had been told.
    Id,
    /// It fetched what is its own.
    Fetch,
}

/// A call that the hub received.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReceivedCall<'a> {
    pub asker: &'a Asker,
    pub lookup: Lookup<'a>,
    /// Its number among the calls of this hub, by [`Ledger::receives`].
    pub number: u64,
}

#[derive(Debug, Default)]
pub(crate) struct Ledger {
    asked: BTreeMap<AskId, Asked>,
    /// By ask: the outcome that a person was told was taken, or that its agent has withdrawn it.
    accepted: BTreeMap<AskId, Outcome>,
    /// Everything that a person ever sent for an ask.
    sent: BTreeMap<AskId, Vec<Outcome>>,
    /// By ask: the instances that read what a person said.
    readers: BTreeMap<AskId, BTreeSet<String>>,
    forgotten: BTreeSet<AskId>,
    /// Outcomes of which this hub has heard that they were read.
    delivered: BTreeSet<(AskId, u64)>,
    /// By instance: the callers of which this hub knows. Some have ended.
    known: BTreeMap<String, Known>,
    /// How many calls this hub has received.
    received: u64,
    /// When callers ended, by their instances.
    ended: BTreeMap<String, Time>,
    /// Whether the calendar is set now and then. Then no time tells whether a caller came after another.
    has_set_clocks: bool,
    pub counts: Counts,
}

impl Ledger {
    pub fn new(has_set_clocks: bool) -> Self {
        Self {
            has_set_clocks,
            ..Self::default()
        }
    }

    /// A hub starts. It knows the callers that its store names.
    pub fn hub_starts<'a>(&mut self, named: impl Iterator<Item = &'a Asker>) {
        self.known.clear();
        self.received = 0;
        named.for_each(|asker| self.learns_of(asker));
    }

    /// The hub receives a call, and so knows its caller. The number of the call.
    pub fn receives(&mut self, from: &Asker) -> u64 {
        self.learns_of(from);
        self.received += 1;
        self.received
    }

    fn learns_of(&mut self, asker: &Asker) {
        let Some(caller) = &asker.caller else { return };
        let since = self.received;
        let known = self.known.entry(caller.instance.clone());
        known.or_insert_with(|| Known {
            asker: asker.clone(),
            since,
        });
    }

    /// A caller ended: its process, or its session.
    pub fn caller_ends(&mut self, instance: &str, at: Time) {
        self.ended.insert(instance.to_owned(), at);
    }

    /// When that caller ended, if it did.
    pub fn ended_at(&self, instance: &str) -> Option<Time> {
        self.ended.get(instance).copied()
    }

    pub fn asks(&mut self, record: &Record, at: Time) {
        let words = record.ask.headline().to_owned();
        let asked = Asked {
            asker: record.asker.clone(),
            words,
            at,
            successors: Vec::new(),
        };
        self.asked.insert(record.id.clone(), asked);
    }

    pub fn sends(&mut self, id: &AskId, outcome: Outcome) {
        self.sent.entry(id.clone()).or_default().push(outcome);
    }

    /// A person was told that this was taken.
    pub fn accepted(&mut self, record: &Record) -> Result<(), String> {
        let is_first = self.keeps(record)?;
        self.counts.answers += u64::from(is_first);
        Ok(())
    }

    /// An agent was told that this was withdrawn.
    pub fn withdrawn(&mut self, record: &Record) -> Result<(), String> {
        let outcome = record.settlement().map(|settlement| &settlement.outcome);
        if outcome != Some(&Outcome::Withdrawn) {
            return Err(format!("{} was withdrawn, and is {outcome:?}", record.id));
        }
        let is_first = self.keeps(record)?;
        self.counts.withdrawn += u64::from(is_first);
        Ok(())
    }

    /// Somebody was told of an outcome that it is the one: no other may take its place. Whether nobody was
    /// told before.
    fn keeps(&mut self, record: &Record) -> Result<bool, String> {
        let Some(settlement) = record.settlement() else {
            return Err(format!("{} was taken, and is open", record.id));
        };
        let outcome = settlement.outcome.clone();
        match self.accepted.insert(record.id.clone(), outcome.clone()) {
            Some(first) if first != outcome && !self.forgotten.contains(&record.id) => {
                Err(format!(
                    "{}: two different outcomes were taken: {first:?}, {outcome:?}",
                    record.id
                ))
            }
            first => Ok(first.is_none()),
        }
    }

    pub fn forgets(&mut self, id: &AskId) {
        self.forgotten.insert(id.clone());
    }

    /// The hub hears that an outcome was read.
    pub fn delivered(&mut self, id: &AskId, attempt: Option<u64>) {
        if let Some(attempt) = attempt {
            self.delivered.insert((id.clone(), attempt));
        }
    }

    /// What the hub has heard and not kept yet, it may have forgotten.
    pub fn deliveries_lost(&mut self) {
        self.delivered.clear();
    }

    /// The hub stores another caller in place of the one before. From then on the ask is that caller's.
    pub fn takes_over(
        &mut self,
        id: &AskId,
        caller: &Caller,
        machine: &dyn Machine,
    ) -> Result<(), String> {
        let (Some(known), Some(asked)) = (self.known.get(&caller.instance), self.asked.get(id))
        else {
            return Err(format!(
                "{id} is given to {}, which never called",
                caller.instance
            ));
        };
        let call = ReceivedCall {
            asker: &known.asker,
            lookup: Lookup::Fetch,
            number: self.received,
        };
        self.may_have(id, call, machine)?;
        let successor = known.asker.clone();
        if !asked.callers().any(|caller| are_one(caller, &successor))
            && let Some(asked) = self.asked.get_mut(id)
        {
            asked.successors.push(successor);
        }
        Ok(())
    }

    /// The hub sends an outcome to a call. The machine says which processes and sessions there really
    /// are.
    pub fn hands(
        &self,
        record: &Record,
        call: ReceivedCall<'_>,
        machine: &dyn Machine,
    ) -> Result<(), String> {
        let id = &record.id;
        let is_own = |asked: &Asked| are_one(&asked.asker, call.asker);
        let attempt = record.settlement().map(|settlement| settlement.attempt);
        if call.lookup != Lookup::Id
            && !self.asked.get(id).is_some_and(is_own)
            && attempt.is_some_and(|attempt| self.delivered.contains(&(id.clone(), attempt)))
        {
            return Err(format!("{id} was read, and is given out once more"));
        }
        self.may_have(id, call, machine)
    }

    /// Whether a call may wait for an ask, or have its outcome: it names the id, or its caller asked or
    /// succeeds one that did.
    pub fn may_have(
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
        // A power failure may have lost who took it up. Then the next caller succeeds the one before.
        let mut succeeds = Ok(());
        for caller in asked.callers() {
            succeeds = self
                .may_succeed(caller, asked.at, call, machine)
                .map_err(|problem| format!("{id} {problem}"));
            if succeeds.is_ok() {
                break;
            }
        }
        succeeds
    }

    /// Whether a call is of the same caller as this asker, or of the only one that can be its successor.
    fn may_succeed(
        &self,
        asker: &Asker,
        asked_at: Time,
        call: ReceivedCall<'_>,
        machine: &dyn Machine,
    ) -> Result<(), String> {
        let to = call.asker;
        let (Some(theirs), Some(ours)) = (&asker.caller, &to.caller) else {
            return Err("is of a caller that is not known, or goes to one".to_owned());
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
            return wrong("its asker's session still stands");
        }
        if theirs.process.is_some_and(runs) {
            return wrong("its asker still runs");
        }
        let is_of_one_program = theirs.client.is_some() && theirs.client == ours.client;
        if !is_of_one_program && theirs.client.is_some_and(runs) {
            return wrong("its asker's client still runs");
        }
        if !is_of_one_program && asker.directory.is_none() {
            return wrong("it has no folder");
        }
        // The rule allows a tenth of a second for coarse clocks.
        if ours.started_at.plus_ms(100) < asked_at {
            return wrong("it was there beside the asker");
        }
        match self.rival(asker, call, machine) {
            Some(rival) => wrong(&format!("{rival} could be the successor as well")),
            None => Ok(()),
        }
    }

    /// Another caller that could be the successor: it runs, it came after the asker had ended, and the hub
    /// knew of it when it received the call. Of sub-agents of one program, only another one of that
    /// program could be meant.
    fn rival(&self, asker: &Asker, call: ReceivedCall<'_>, machine: &dyn Machine) -> Option<&str> {
        let to = call.asker;
        let (theirs, ours) = (asker.caller.as_ref()?, to.caller.as_ref()?);
        let ended = self.ended_at(&theirs.instance)?;
        if self.has_set_clocks {
            return None;
        }
        let is_rival = |known: &&Known| {
            let other = &known.asker;
            other.caller.as_ref().is_some_and(|caller| {
                let is_alive = match caller.process {
                    Some(process) => machine.runs(process),
                    None => machine.session_exists(&caller.instance),
                };
                let is_fit = match theirs.client.is_some() && theirs.client == ours.client {
                    true => caller.client == theirs.client,
                    false => other.client == asker.client && other.directory == asker.directory,
                };
                let is_third = !are_one(other, to) && !are_one(other, asker);
                is_third && is_fit && is_alive && caller.started_at >= ended
            })
        };
        let mut rivals = self.known.iter();
        let rival = rivals.find(|(_, known)| known.since < call.number && is_rival(known));
        rival.map(|(instance, _)| instance.as_str())
    }

    /// An agent read an outcome.
    pub fn reads(&mut self, record: &Record, by: &Asker) -> Result<(), String> {
        let Some(settlement) = record.settlement() else {
            return Err(format!("{} was read, and is open", record.id));
        };
        self.counts.read += 1;
        if !settlement.outcome.is_human() {
            return Ok(());
        }
        let sent = self.sent.get(&record.id).into_iter().flatten();
        if !sent.into_iter().any(|sent| *sent == settlement.outcome) {
            return Err(format!(
                "{}: nobody said {:?}",
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

    /// At the end, when everything has come to rest: what the disk has against what people were told.
    pub fn close(&mut self, disk: &BTreeMap<AskId, Record>) -> Result<(), String> {
        self.counts.asks = disk.len() as u64;
        for (id, outcome) in &self.accepted {
            if self.forgotten.contains(id) {
                continue;
            }
            let kept = disk.get(id).and_then(Record::settlement);
            if kept.map(|kept| &kept.outcome) != Some(outcome) {
                return Err(format!("{id}: {outcome:?} was taken, and {kept:?} is kept"));
            }
        }
        for (id, record) in disk {
            let human = record.settlement().filter(|end| end.outcome.is_human());
            if let Some(settlement) = human {
                let sent = self.sent.get(id).into_iter().flatten();
                if !sent.into_iter().any(|sent| *sent == settlement.outcome) {
                    return Err(format!("{id}: nobody said what is kept: {settlement:?}"));
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
    /// Whose it was, one after another.
    fn callers(&self) -> impl Iterator<Item = &Asker> {
        std::iter::once(&self.asker).chain(&self.successors)
    }
}

fn are_one(one: &Asker, other: &Asker) -> bool {
    let instance = |asker: &Asker| asker.caller.as_ref().map(|caller| caller.instance.clone());
    instance(one).is_some() && instance(one) == instance(other)
}
