//! What a campaign knows for certain: what was asked, what people said and whether
//! it was taken, what reached whom. Written as it happens, read at the end.

use std::collections::BTreeMap;

use tokio::time::Instant;

use crate::callers::Callers;

/// What somebody who tried to close an ask heard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing, or not yet: it may have closed the ask, or not.
    Unknown,
    /// It was taken.
    Won,
    /// It was not, and for what reason.
    Refused(String),
}

/// Somebody's try to close an ask with words of their own.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The ask.
    pub ask: String,
    /// Its number in the campaign.
    pub tag: u64,
    /// The way.
    pub way: &'static str,
    /// What they heard.
    pub verdict: Verdict,
}

/// How words reached an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// As the reply to its ask, or as one that it had not been told yet.
    Told,
    /// Because it wanted to read this very ask again.
    Read,
    /// As the reply to a call that its client had given up without a word: nothing on the wire
    /// tells such a call from one that waits (decision 4).
    GivenUp,
    /// As the reply to a call, while the word that it is cancelled was on its way.
    Cancelled,
    /// They were in its pipe when it was killed or had gone: nobody read them.
    Unread,
    /// They were in its socket when it closed or reset its stream: nobody read them.
    Closed,
}

/// Words that came out at an agent.
#[derive(Clone, Debug)]
pub struct Receipt {
    /// The agent's process.
    pub process: u64,
    /// Whether it has none, and they came from the hub itself.
    pub over_http: bool,
    /// How they came.
    pub how: How,
    /// When.
    pub at: Instant,
    /// From a stream that its client had come back for.
    pub resumed: bool,
    /// When the stream was reset that they had come from.
    pub reset_at: Option<Instant>,
    /// Whether each word is as it was said.
    pub whole: bool,
    /// The ask that it was the reply to, if it was to one.
    pub reply_to: Option<u64>,
    /// When the call was made that it was the reply to, if it was to one.
    pub called: Option<Instant>,
    /// Whether that named the id of the ask.
    pub by_id: bool,
}

/// Everything.
#[derive(Default)]
pub struct Ledger {
    /// Who asks.
    pub callers: Callers,
    /// By nonce.
    pub attempts: BTreeMap<u64, Attempt>,
    /// By nonce.
    pub receipts: BTreeMap<u64, Vec<Receipt>>,
    /// How agents' processes were left.
    pub ends: BTreeMap<u64, &'static str>,
    /// When agents' processes were killed.
    pub killed: BTreeMap<u64, Instant>,
    /// What befell hubs and disks, and when.
    pub of_hubs: Vec<(Instant, &'static str)>,
    /// When hubs were killed.
    pub hub_kills: Vec<Instant>,
    /// Ids under which an ask was seen.
    pub ids: BTreeMap<u64, Vec<String>>,
    /// Which caller asked an ask, by the ask's id.
    pub askers: BTreeMap<String, u64>,
    /// Faults by kind.
    pub faults: BTreeMap<&'static str, u64>,
    /// Everything else that is counted.
    pub counts: BTreeMap<&'static str, u64>,
    /// From a killed hub to the next answered request, in milliseconds.
    pub recoveries: Vec<u64>,
    /// Calls that had no reply for far too long.
    pub stuck: Vec<String>,
    tags: u64,
    nonces: u64,
}

impl Ledger {
    /// The number of a new ask.
    pub fn new_ask(&mut self) -> u64 {
        self.tags += 1;
        self.tags
    }

    /// How many asks there were.
    pub fn asks(&self) -> u64 {
        self.tags
    }

    /// A new try to close an ask: its nonce.
    pub fn attempt(&mut self, ask: &str, tag: u64, way: &'static str) -> u64 {
        self.nonces += 1;
        let attempt = Attempt {
            ask: ask.to_owned(),
            tag,
            way,
            verdict: Verdict::Unknown,
        };
        self.attempts.insert(self.nonces, attempt);
        self.nonces
    }

    /// What became of it, as far as whoever tried heard.
    pub fn judged(&mut self, nonce: u64, verdict: Verdict) {
        if let Some(attempt) = self.attempts.get_mut(&nonce) {
            attempt.verdict = verdict;
        }
    }

    /// Words came out.
    pub fn received(&mut self, nonce: u64, receipt: Receipt) {
        self.receipts.entry(nonce).or_default().push(receipt);
    }

    /// An agent resets a stream that it has had the reply to an ask from.
    pub fn reset(&mut self, process: u64, tag: Option<u64>) {
        let now = Some(Instant::now());
        let all = self.receipts.values_mut().flatten();
        for receipt in all.filter(|one| one.process == process && one.reply_to == tag) {
            receipt.reset_at = receipt.reset_at.or(now);
        }
    }

    /// A hub is about to end; killed, or asked to.
    pub fn hub_goes(&mut self, killed: bool) {
        let now = Instant::now();
        self.callers.hub_goes(now);
        if killed {
            self.hub_kills.push(now);
        }
    }

    /// An ask is kept under this id.
    pub fn seen(&mut self, tag: u64, id: &str) {
        let ids = self.ids.entry(tag).or_default();
        if !ids.iter().any(|known| known == id) {
            ids.push(id.to_owned());
        }
    }

    /// The answers to an ask that an agent waits for and has not been told. An earlier one of it may have
    /// asked the same and have left it behind for this one; where this one's call opened another, as it
    /// does beside a twin, what people answer to the first is not its own.
    pub fn kept_from(&self, agent: u64, tag: u64, is_twin: bool) -> Vec<String> {
        let is_its_own = |ask: &str| self.askers.get(ask) == Some(&agent);
        let ids = self.ids.get(&tag);
        let has_opened = ids.is_some_and(|ids| ids.iter().any(|id| is_its_own(id)));
        let undelivered = self.attempts.iter().filter(|(nonce, attempt)| {
            attempt.tag == tag
                && attempt.verdict == Verdict::Won
                && (is_its_own(&attempt.ask) || !(has_opened || is_twin))
                && !self.receipts.contains_key(nonce)
        });
        let undelivered = undelivered
            .map(|(nonce, attempt)| format!("ask {tag} ({}), answer {nonce}", attempt.ask));
        undelivered.collect()
    }

    /// A fault happened.
    pub fn fault(&mut self, kind: &'static str) {
        *self.faults.entry(kind).or_default() += 1;
        if kind.starts_with("hub") || kind.starts_with("disk") {
            self.of_hubs.push((Instant::now(), kind));
        }
    }

    /// Something else happened.
    pub fn count(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::{Ledger, Verdict};

    #[test]
    fn who_waits_is_kept_from_what_its_own_ask_was_answered() {
        let mut ledger = Ledger::default();
        let answered = |ledger: &mut Ledger, ask: &str, asker| {
            ledger.seen(1, ask);
            ledger.askers.insert(ask.to_owned(), asker);
            let nonce = ledger.attempt(ask, 1, "a command");
            ledger.judged(nonce, Verdict::Won);
        };
        answered(&mut ledger, "a_left", 7);
        assert_eq!(
            ledger.kept_from(8, 1, false),
            ["ask 1 (a_left), answer 1"],
            "it took it up"
        );
        assert_eq!(ledger.kept_from(8, 1, true).len(), 0, "it is its twin's");

        ledger.seen(1, "a_other");
        ledger.askers.insert("a_other".to_owned(), 8);
        assert_eq!(
            ledger.kept_from(8, 1, false).len(),
            0,
            "its call opened another"
        );
        answered(&mut ledger, "a_other", 8);
        assert_eq!(ledger.kept_from(8, 1, false), ["ask 1 (a_other), answer 2"]);
    }
}
