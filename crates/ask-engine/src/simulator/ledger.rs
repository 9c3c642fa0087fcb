//! What really happened, written down beside the world: who asked what, what a person was told was
//! taken, what each agent read. It judges and knows nothing of how the engine decides.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use ask_core::{AskId, Asker, Outcome, Process, Record, Time};

use crate::callers::Machine;

/// What a run came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Asks that were kept.
    pub asks: u64,
    /// Answers that a person was told were taken.
    pub answers: u64,
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
            "{} asks ({} beside a twin, {} over HTTP), {} answers, {} read, {} of them by a successor; {} hubs died, {} connections broke; nothing lost, doubled, invented or misdelivered",
            self.asks,
            self.twins,
            self.over_http,
            self.answers,
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
}

/// How a call learned of an ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Through<'a> {
    /// It asked with these words.
    Words(&'a str),
    /// It named the id, which it had been told.
    Id,
    /// It fetched what is its own.
    Fetch,
}

#[derive(Debug, Default)]
pub(crate) struct Ledger {
    asked: BTreeMap<AskId, Asked>,
    /// By ask: the outcome that a person was told was taken.
    accepted: BTreeMap<AskId, Outcome>,
    /// Everything that a person ever sent for an ask.
    sent: BTreeMap<AskId, Vec<Outcome>>,
    /// By ask: the instances that read what a person said.
    readers: BTreeMap<AskId, BTreeSet<String>>,
    forgotten: BTreeSet<AskId>,
    /// Outcomes of which this hub has heard that they were read.
    delivered: BTreeSet<(AskId, u64)>,
    pub counts: Counts,
}

impl Ledger {
    pub fn asks(&mut self, record: &Record, at: Time) {
        let words = record.ask.headline().to_owned();
        let asked = Asked {
            asker: record.asker.clone(),
            words,
            at,
        };
        self.asked.insert(record.id.clone(), asked);
    }

    pub fn sends(&mut self, id: &AskId, outcome: Outcome) {
        self.sent.entry(id.clone()).or_default().push(outcome);
    }

    /// A person was told that this was taken.
    pub fn accepted(&mut self, record: &Record) -> Result<(), String> {
        let Some(settlement) = record.settlement() else {
            return Err(format!("{} was taken, and is open", record.id));
        };
        let outcome = settlement.outcome.clone();
        match self.accepted.insert(record.id.clone(), outcome.clone()) {
            Some(first) if first != outcome && !self.forgotten.contains(&record.id) => {
                Err(format!(
                    "{}: two different answers were taken: {first:?}, {outcome:?}",
                    record.id
                ))
            }
            Some(_) => Ok(()),
            None => {
                self.counts.answers += 1;
                Ok(())
            }
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

    /// The hub sends an outcome to a call. The machine says which processes and sessions there really
    /// are.
    pub fn hands(
        &self,
        record: &Record,
        to: &Asker,
        through: Through<'_>,
        machine: &dyn Machine,
    ) -> Result<(), String> {
        let id = &record.id;
        let Some(asked) = self.asked.get(id) else {
            return Err(format!("{id} was never asked"));
        };
        if let Through::Words(words) = through
            && words != asked.words
        {
            return Err(format!(
                "{id} asked {:?}, and goes to {words:?}",
                asked.words
            ));
        }
        if through == Through::Id {
            return Ok(());
        }
        let (Some(theirs), Some(ours)) = (&asked.asker.caller, &to.caller) else {
            return Err(format!("{id}: a caller is not known"));
        };
        if theirs.instance == ours.instance {
            return Ok(());
        }
        let attempt = record.settlement().map(|settlement| settlement.attempt);
        if attempt.is_some_and(|attempt| self.delivered.contains(&(id.clone(), attempt))) {
            return Err(format!("{id} was read, and is given out once more"));
        }
        let wrong = |why: &str| {
            Err(format!(
                "{id} of {} goes to {}: {why}",
                theirs.instance, ours.instance
            ))
        };
        if asked.asker.client != to.client || asked.asker.directory != to.directory {
            return wrong("another client, or another folder");
        }
        let runs = |process: Process| machine.runs(process);
        if theirs.process.is_none() && machine.session_exists(&theirs.instance) {
            return wrong("its asker's session still stands");
        }
        if theirs.process.is_some_and(runs) {
            return wrong("its asker still runs");
        }
        if theirs.client.is_some() && theirs.client == ours.client {
            return Ok(());
        }
        if theirs.client.is_some_and(runs) {
            return wrong("its asker's client still runs");
        }
        if asked.asker.directory.is_none() {
            return wrong("it has no folder");
        }
        // The rule allows a tenth of a second for coarse clocks.
        if ours.started_at.plus_ms(100) < asked.at {
            return wrong("it was there beside the asker");
        }
        Ok(())
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
