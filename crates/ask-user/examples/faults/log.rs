//! The facts of a campaign: what was asked, what people answered and whether it was accepted, and
//! what reached which agent. Written as it happens, judged at the end.

use std::collections::BTreeMap;

use tokio::time::Instant;

use crate::callers::Callers;

/// The result of an attempt to settle an ask, as its person was told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Not known: it may have settled the ask.
    Unknown,
    /// The attempt settled the ask.
    Won,
    /// The attempt was refused, for this reason.
    Refused(String),
}

/// An attempt to settle an ask with a unique text.
#[derive(Clone, Debug)]
pub(crate) struct Attempt {
    /// The ask's id.
    pub ask: String,
    /// The ask's number in the campaign.
    pub tag: u64,
    /// The interface that was used.
    pub interface: &'static str,
    /// The result.
    pub verdict: Verdict,
    /// When the result was known.
    pub judged_at: Option<Instant>,
}

/// How an answer reached an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Route {
    /// As the reply to its ask, or as an undelivered outcome.
    Reply,
    /// Because it read this ask again.
    Read,
    /// As the reply to a call that its client had given up silently. In the protocol such a call
    /// looks like a waiting one (decision 4).
    GivenUp,
    /// As the reply to a call whose cancellation was on its way.
    Cancelled,
    /// Unread in the pipe of a process that was killed or had ended.
    Unread,
    /// Unread in the socket of a client that closed or reset its stream.
    Closed,
}

/// An answer that reached an agent.
#[derive(Clone, Debug)]
pub(crate) struct Receipt {
    /// The agent's number.
    pub process: u64,
    /// Whether it has no process and receives replies from the hub directly.
    pub over_http: bool,
    /// How it reached the agent.
    pub route: Route,
    /// When it reached the agent.
    pub at: Instant,
    /// Whether it came in a resumed stream.
    pub resumed: bool,
    /// When the stream was reset after it had arrived.
    pub reset_at: Option<Instant>,
    /// Whether the text is unchanged.
    pub whole: bool,
    /// The number of the ask that it replied to, if it was a reply to one.
    pub reply_to: Option<u64>,
    /// When the call was made that it replied to, if it was a reply to one.
    pub called: Option<Instant>,
    /// Whether that call named the ask's id.
    pub by_id: bool,
}

/// All facts.
#[derive(Default)]
pub(crate) struct Log {
    /// The callers.
    pub callers: Callers,
    /// Attempts by nonce.
    pub attempts: BTreeMap<u64, Attempt>,
    /// Receipts by nonce.
    pub receipts: BTreeMap<u64, Vec<Receipt>>,
    /// How each agent's process ended.
    pub ends: BTreeMap<u64, &'static str>,
    /// When agents' processes were killed.
    pub killed: BTreeMap<u64, Instant>,
    /// The faults of hubs and disks, with their times.
    pub of_hubs: Vec<(Instant, &'static str)>,
    /// When hubs were killed.
    pub hub_kills: Vec<Instant>,
    /// The ids under which each ask was seen.
    pub ids: BTreeMap<u64, Vec<String>>,
    /// The caller of each ask, by the ask's id.
    pub askers: BTreeMap<String, u64>,
    /// The number of faults of each kind.
    pub faults: BTreeMap<&'static str, u64>,
    /// Other counts.
    pub counts: BTreeMap<&'static str, u64>,
    /// The times from a hub's kill to the next answered request, in milliseconds.
    pub recoveries: Vec<u64>,
    /// When a recovery ended last that took longer than [`crate::report::REPORT_GRACE`].
    pub slow_recovery: Option<Instant>,
    /// Calls without a reply for too long.
    pub stuck: Vec<String>,
    tags: u64,
    nonces: u64,
}

impl Log {
    /// A new ask's number.
    pub(crate) fn new_ask(&mut self) -> u64 {
        self.tags += 1;
        self.tags
    }

    /// The number of asks.
    pub(crate) fn asks(&self) -> u64 {
        self.tags
    }

    /// Records a new attempt; returns its nonce.
    pub(crate) fn attempt(&mut self, ask: &str, tag: u64, interface: &'static str) -> u64 {
        self.nonces += 1;
        let attempt = Attempt {
            ask: ask.to_owned(),
            tag,
            interface,
            verdict: Verdict::Unknown,
            judged_at: None,
        };
        self.attempts.insert(self.nonces, attempt);
        self.nonces
    }

    /// Records the result of an attempt.
    pub(crate) fn judged(&mut self, nonce: u64, verdict: Verdict) {
        if let Some(attempt) = self.attempts.get_mut(&nonce) {
            attempt.verdict = verdict;
            attempt.judged_at = Some(Instant::now());
        }
    }

    /// Records that an answer reached an agent.
    pub(crate) fn received(&mut self, nonce: u64, receipt: Receipt) {
        self.receipts.entry(nonce).or_default().push(receipt);
    }

    /// Records that an agent reset a stream after the reply to an ask.
    pub(crate) fn reset(&mut self, process: u64, tag: Option<u64>) {
        let now = Some(Instant::now());
        let all = self.receipts.values_mut().flatten();
        for receipt in all.filter(|one| one.process == process && one.reply_to == tag) {
            receipt.reset_at = receipt.reset_at.or(now);
        }
    }

    /// Records that a hub is about to end.
    pub(crate) fn record_hub_end(&mut self, killed: bool) {
        let now = Instant::now();
        self.callers.record_hub_end(now);
        if killed {
            self.hub_kills.push(now);
        }
    }

    /// Records that the hub has stored an ask under this id.
    pub(crate) fn seen(&mut self, tag: u64, id: &str) {
        let ids = self.ids.entry(tag).or_default();
        if !ids.iter().any(|known| known == id) {
            ids.push(id.to_owned());
        }
    }

    /// The asks with this number that surfaces have seen, with their agents.
    pub(crate) fn asks_of(&self, tag: u64) -> Vec<String> {
        let ids = self.ids.get(&tag).into_iter().flatten();
        ids.map(|id| match self.askers.get(id) {
            Some(agent) => format!("{id} of agent {agent}"),
            None => id.clone(),
        })
        .collect()
    }

    /// The answers that were accepted before a moment, and that an agent waits for and hasn't
    /// received. They may belong to an ask that an earlier agent left behind for this one. If this
    /// agent's own call opened another ask, as it does beside a twin, answers to the first one
    /// aren't its own.
    pub(crate) fn missing_answers(
        &self,
        agent: u64,
        tag: u64,
        is_twin: bool,
        before: Instant,
    ) -> Vec<String> {
        let is_its_own = |ask: &str| self.askers.get(ask) == Some(&agent);
        let ids = self.ids.get(&tag);
        let has_opened = ids.is_some_and(|ids| ids.iter().any(|id| is_its_own(id)));
        let undelivered = self.attempts.iter().filter(|(nonce, attempt)| {
            attempt.tag == tag
                && attempt.verdict == Verdict::Won
                && attempt.judged_at.is_some_and(|at| at <= before)
                && (is_its_own(&attempt.ask) || !(has_opened || is_twin))
                && !self.receipts.contains_key(nonce)
        });
        let undelivered = undelivered
            .map(|(nonce, attempt)| format!("ask {tag} ({}), answer {nonce}", attempt.ask));
        undelivered.collect()
    }

    /// Counts a fault.
    pub(crate) fn fault(&mut self, kind: &'static str) {
        *self.faults.entry(kind).or_default() += 1;
        if kind.starts_with("hub") || kind.starts_with("disk") {
            self.of_hubs.push((Instant::now(), kind));
        }
    }

    /// Counts something else.
    pub(crate) fn count(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::{Instant, Log, Verdict};

    #[test]
    fn missing_answers_are_those_of_the_agents_own_ask() {
        let begun = Instant::now();
        let missing_answers = |log: &Log, agent, tag, is_twin| {
            log.missing_answers(agent, tag, is_twin, Instant::now())
        };
        let mut log = Log::default();
        let answered = |log: &mut Log, ask: &str, asker| {
            log.seen(1, ask);
            log.askers.insert(ask.to_owned(), asker);
            let nonce = log.attempt(ask, 1, "a command");
            log.judged(nonce, Verdict::Won);
        };
        answered(&mut log, "a_left", 7);
        assert_eq!(
            missing_answers(&log, 8, 1, false),
            ["ask 1 (a_left), answer 1"],
            "it took it up"
        );
        assert_eq!(
            log.missing_answers(8, 1, false, begun).len(),
            0,
            "it is new"
        );
        assert_eq!(
            missing_answers(&log, 8, 1, true).len(),
            0,
            "it is its twin's"
        );

        log.seen(1, "a_other");
        log.askers.insert("a_other".to_owned(), 8);
        assert_eq!(
            missing_answers(&log, 8, 1, false).len(),
            0,
            "its call opened another"
        );
        answered(&mut log, "a_other", 8);
        assert_eq!(
            missing_answers(&log, 8, 1, false),
            ["ask 1 (a_other), answer 2"]
        );
    }
}
