//! The account: every answer that was taken is followed to its one agent, and
//! every word that came out is traced to whoever said it.
//!
//! Exactly once can be promised to an agent that lives. One that is killed may die
//! between reading its reply and its process telling the hub so; then the answer
//! is kept and told to the one that comes after it, rather than to nobody. Such an
//! answer is no doubled one only if every agent that had it before the last was
//! killed, and within a breath of having it; the table counts these by themselves.
//! Two calls of one agent that both seem to wait for an ask are both told (decision
//! 4); that one of them was given up is known to the campaign alone, and counted.
//! An agent over HTTP has its reply from the hub itself: where that is killed between
//! the reply and its own note of it, or the stream is reset, the answer is told again
//! as well, and counted by itself. So is one that was told to another while its client had
//! lost the stream, and to that client when it came back for the reply (decision 6). What
//! a client's socket held when it closed or reset its stream was read by nobody: it counts
//! for nothing if the answer is kept or told to another, and has its own line where the hub
//! took it for delivered.
//! What lay unread in the pipe of an agent that was killed was read from that pipe
//! by the campaign: it is counted as told to the dead, never presumed.

use std::collections::BTreeMap;
use std::time::Duration;

use ask_core::{Outcome, Record};
use ask_protocol::{native, to_json};

use crate::callers::{self, Callers};
use crate::end;
use crate::log::{Attempt, How, Ledger, Receipt, Verdict};
use crate::words;

/// An agent that lived longer than this after its reply had time to say so, though it and its hub may
/// have stood still for a second and a half each in that time, or the disk have had no room for one,
/// or the whole machine have done something else.
const BREATH: Duration = Duration::from_secs(8);

/// A hub that lived longer than this after a reply over HTTP had time to note it: its note waits
/// for a sync that is on its way, and a disk that others keep busy takes half a second for one. A
/// machine that stands still for a second kills at once afterwards, what was due meanwhile.
const BLINK: Duration = Duration::from_secs(2);

/// What an account comes to.
#[derive(Default)]
pub struct Account {
    /// Answers that count: taken, or found to be.
    pub answers: u64,
    /// Came out at the successor of the one that asked.
    pub taken_up: u64,
    /// Told to exactly one living agent.
    pub told: u64,
    /// Only read by its id.
    pub read: u64,
    /// Told only to a call that its client had given up without a word.
    pub given_up: u64,
    /// Told only to a call that was being cancelled at that moment.
    pub cancelled: u64,
    /// Told to an agent that was killed, or had gone, before it read it.
    pub unread: u64,
    /// In the socket of a client that had not read it when it closed.
    pub closed: u64,
    /// Told to another while its client was gone, and to that client when it came back for it.
    pub came_back: u64,
    /// Told over HTTP by a hub that was killed at once, or in a stream that was reset at once,
    /// and then again.
    pub hub_again: u64,
    /// How long those lived after the reply had come, in milliseconds at most.
    pub hub_lived: u128,
    /// Told to an agent that was killed at once, and to the next.
    pub again: u64,
    /// How long those lived who had it before, in milliseconds at most.
    pub lived: u128,
    /// Each with what is wrong.
    pub lost: Vec<String>,
    /// Each with what is wrong.
    pub doubled: Vec<String>,
    /// Each with what is wrong.
    pub invented: Vec<String>,
    /// Each with what is wrong.
    pub changed: Vec<String>,
    /// Each with what is wrong.
    pub misdelivered: Vec<String>,
}

impl Account {
    /// Whether nothing is wrong.
    pub fn is_clean(&self) -> bool {
        let Self {
            lost,
            doubled,
            invented,
            changed,
            misdelivered,
            ..
        } = self;
        let mut wrong = [lost, doubled, invented, changed, misdelivered].into_iter();
        wrong.all(|wrong| wrong.is_empty())
    }
}

/// Draws the account up.
pub fn of(ledger: &Ledger, records: &[Record]) -> Account {
    let mut account = Account::default();
    let mut closed: BTreeMap<u64, &Record> = BTreeMap::new();
    let by_id: BTreeMap<&str, &Record> = records
        .iter()
        .map(|record| (record.id.as_str(), record))
        .collect();
    for record in records {
        account.outcome(ledger, record, &mut closed);
    }
    for (nonce, attempt) in &ledger.attempts {
        let receipts = ledger.receipts.get(nonce).map_or(&[][..], Vec::as_slice);
        let record = closed.get(nonce).copied();
        match (&attempt.verdict, record) {
            (Verdict::Refused(why), _) if record.is_some() || !receipts.is_empty() => {
                let what = format!("refused ({why}), and yet there");
                account
                    .invented
                    .push(told(ledger, *nonce, attempt, &what, receipts));
            }
            (Verdict::Refused(_), _) => {}
            (Verdict::Won, None) => {
                let there = by_id.contains_key(attempt.ask.as_str());
                let what = if there {
                    "its ask has another end"
                } else {
                    "its ask is gone"
                };
                account
                    .lost
                    .push(told(ledger, *nonce, attempt, what, receipts));
            }
            (Verdict::Unknown, None) if receipts.is_empty() => {}
            (Verdict::Unknown, None) => {
                let what = "told, but not kept";
                account
                    .invented
                    .push(told(ledger, *nonce, attempt, what, receipts));
            }
            (Verdict::Won | Verdict::Unknown, Some(record)) => {
                account.follow(ledger, *nonce, attempt, receipts, record);
            }
        }
    }
    let unsaid = ledger.receipts.keys();
    for nonce in unsaid.filter(|nonce| !ledger.attempts.contains_key(nonce)) {
        account
            .invented
            .push(format!("answer {nonce} was said by nobody"));
    }
    account
}

impl Account {
    /// The words that a record was closed with are somebody's, word by word.
    fn outcome<'all>(
        &mut self,
        ledger: &Ledger,
        record: &'all Record,
        closed: &mut BTreeMap<u64, &'all Record>,
    ) {
        let Some(settlement) = record.settlement() else {
            let said = format!("{} still waits", record.id);
            self.lost.push(said);
            return;
        };
        if matches!(settlement.outcome, Outcome::Expired | Outcome::Withdrawn) {
            return;
        }
        let value = to_json(&native::Record::from(record));
        let found = words::nonces_in(&value["outcome"].to_string());
        match found.as_slice() {
            [(nonce, true)] => {
                closed.insert(*nonce, record);
                let said = ledger.attempts.get(nonce);
                if said.is_none_or(|attempt| attempt.ask != record.id.as_str()) {
                    let what = format!("{} holds answer {nonce}, said to another", record.id);
                    self.changed.push(what);
                }
            }
            [(_, false)] => self.changed.push(value.to_string()),
            _ => self.invented.push(value.to_string()),
        }
    }

    fn follow(
        &mut self,
        ledger: &Ledger,
        nonce: u64,
        attempt: &Attempt,
        receipts: &[Receipt],
        record: &Record,
    ) {
        self.answers += 1;
        let wrong = |receipt: &&Receipt| {
            !receipt.whole || receipt.reply_to.is_some_and(|tag| tag != attempt.tag)
        };
        if receipts.iter().any(|receipt| wrong(&receipt)) {
            let what = "not word by word, or to another ask";
            self.changed
                .push(told(ledger, nonce, attempt, what, receipts));
        }
        self.whose(ledger, nonce, attempt, receipts, record);
        let receipts = &once_each(&ledger.callers, receipts)[..];
        let of = |how: How| receipts.iter().filter(move |receipt| receipt.how == how);
        let times = of(How::Told).count();
        if times > 1 {
            // How long each but the last had it.
            let before = || of(How::Told).take(times - 1);
            let lived = before().map(|receipt| lived(ledger, receipt)).max();
            let lived = lived.unwrap_or(Duration::MAX);
            if of(How::Told).any(|receipt| receipt.resumed) {
                self.came_back += 1;
            } else if before().any(|receipt| receipt.over_http) && lived < BLINK {
                self.hub_again += 1;
                self.hub_lived = self.hub_lived.max(lived.as_millis());
            } else if lived < BREATH && before().all(|receipt| !receipt.over_http) {
                self.again += 1;
                self.lived = self.lived.max(lived.as_millis());
            } else {
                let what = "told more than once";
                self.doubled
                    .push(told(ledger, nonce, attempt, what, receipts));
            }
        } else if times == 1 {
            self.told += 1;
        } else if of(How::Read).count() > 0 {
            self.read += 1;
        } else if of(How::GivenUp).count() > 0 && record.is_delivered() {
            self.given_up += 1;
        } else if of(How::Cancelled).count() > 0 && record.is_delivered() {
            self.cancelled += 1;
        } else if of(How::Unread).count() > 0 && record.is_delivered() {
            self.unread += 1;
        } else if of(How::Closed).count() > 0 && record.is_delivered() {
            self.closed += 1;
        } else {
            let what = if end::is_kept(record) {
                "kept, but not to be had"
            } else {
                "marked as delivered, and nobody has it"
            };
            self.lost.push(told(ledger, nonce, attempt, what, receipts));
        }
    }
}

/// Several calls of one caller that wait for the same ask are all told (decision 4): that is once.
fn once_each(callers: &Callers, receipts: &[Receipt]) -> Vec<Receipt> {
    let mut kept: Vec<Receipt> = Vec::new();
    for receipt in receipts {
        let is_told_already = |one: &Receipt| {
            let waited = |call: &Receipt, at| call.called.is_some_and(|called| called <= at);
            let both_waited = waited(receipt, one.at) && waited(one, receipt.at);
            let are_told = one.how == How::Told && receipt.how == How::Told;
            are_told && both_waited && callers.are_one(one.process, receipt.process)
        };
        if !kept.iter().any(is_told_already) {
            kept.push(receipt.clone());
        }
    }
    kept
}

impl Account {
    /// Each that had the answer is its caller, or has taken its caller's place, or named the ask.
    fn whose(
        &mut self,
        ledger: &Ledger,
        nonce: u64,
        attempt: &Attempt,
        receipts: &[Receipt],
        record: &Record,
    ) {
        let asker = callers::number_in(record.asker.project.as_deref());
        for receipt in receipts.iter().filter(|receipt| !receipt.by_id) {
            let Receipt {
                process,
                called,
                at,
                ..
            } = *receipt;
            let judged = match asker {
                Some(asker) => {
                    let callers = &ledger.callers;
                    callers.may_have(asker, attempt.tag, process, called, at)
                }
                None => Err("nobody of the campaign has asked it"),
            };
            match judged {
                Ok(()) if asker == Some(process) => {}
                Ok(()) => self.taken_up += 1,
                Err(why) => {
                    let names = |number| ledger.callers.describe(number);
                    let asker = asker.map_or("nobody".to_owned(), names);
                    let what = format!("asked by {asker}, told to {}: {why}", names(process));
                    self.misdelivered
                        .push(told(ledger, nonce, attempt, &what, receipts));
                }
            }
        }
    }
}

/// How long whoever had words lived after that: an agent's process, or the hub that told it.
fn lived(ledger: &Ledger, receipt: &Receipt) -> Duration {
    let mut kills = ledger.hub_kills.iter();
    let killed = match receipt.over_http {
        // One that is killed may have said more than was read by then.
        true => kills
            .find(|at| **at + BLINK >= receipt.at)
            .into_iter()
            .chain(&receipt.reset_at)
            .min(),
        false => ledger.killed.get(&receipt.process),
    };
    killed.map_or(Duration::MAX, |at| at.saturating_duration_since(receipt.at))
}

/// From how long before words came, and until when after it, the faults of hubs are named with them.
const AROUND: Duration = Duration::from_secs(12);

fn told(
    ledger: &Ledger,
    nonce: u64,
    attempt: &Attempt,
    what: &str,
    receipts: &[Receipt],
) -> String {
    let Attempt {
        ask,
        tag,
        way,
        verdict,
    } = attempt;
    let mut said = format!("answer {nonce} to {ask} (ask #{tag}#), by {way}, {verdict:?}: {what}");
    for receipt in receipts {
        let Receipt {
            process,
            over_http,
            resumed,
            reset_at: _,
            how,
            whole,
            reply_to,
            at,
            called: _,
            by_id: _,
        } = receipt;
        let killed = lived(ledger, receipt);
        let way = match (*over_http, *resumed) {
            (true, true) => " over HTTP, resumed",
            (true, false) => " over HTTP",
            (false, _) => "",
        };
        let end = ledger.ends.get(process).unwrap_or(&"");
        said.push_str(&format!(
            "\n    agent {process}{way}: {how:?}, whole: {whole}, reply to: {reply_to:?}, \
             killed after: {killed:?}, {end}, at {at:?}"
        ));
        for (when, what) in &ledger.of_hubs {
            let before = at.saturating_duration_since(*when);
            let after = when.saturating_duration_since(*at);
            if before.max(after) < AROUND {
                let (sign, apart) = match after.is_zero() {
                    true => ('-', before),
                    false => ('+', after),
                };
                said.push_str(&format!("\n        {sign}{apart:?} {what}"));
            }
        }
    }
    said
}

#[cfg(test)]
mod tests;
