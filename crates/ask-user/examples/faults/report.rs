//! The judgement of a campaign: every accepted answer is followed to the one agent that received
//! it, and every answer that reached an agent is traced to the person who gave it.
//!
//! Delivery exactly once can be promised only to an agent that lives. These cases aren't faults,
//! and each is counted by itself:
//!
//! - An agent is killed between reading its reply and its process reporting that. The answer stays
//!   undelivered and goes to the next agent. This counts only if every agent that had it before was
//!   killed within [`REPORT_GRACE`].
//! - Two calls of one agent seem to wait for the same ask, and both receive the answer (decision
//!   4). Only the campaign knows that one of them was given up.
//! - A hub is killed between sending a reply over HTTP and storing the delivery, or the stream is
//!   reset. The answer is delivered again.
//! - An answer went to another agent while its client had lost the stream, and to that client when
//!   it resumed (decision 6).
//! - A client closed or reset its socket with an answer unread in it. That receipt is ignored if
//!   the answer stays undelivered or goes to another agent. It is counted if the hub took it for
//!   delivered.
//! - A killed agent had an answer unread in its pipe. The campaign has read it from that pipe, so
//!   it is known and not assumed.

use std::collections::BTreeMap;
use std::time::Duration;

use ask_core::{Outcome, Record};
use ask_protocol::{native, to_json};

use crate::callers::{self, Callers};
use crate::end;
use crate::log::{Attempt, Log, Receipt, Route, Verdict};
use crate::words;

/// An agent that lived longer than this after its reply had time to report it. In this time it and
/// its hub may each have been frozen for a second and a half, the disk may have been full, and the
/// machine may have been busy.
pub(crate) const REPORT_GRACE: Duration = Duration::from_secs(8);

/// A hub that lived longer than this after a reply over HTTP had time to store the delivery: it
/// waits for a running sync, which takes half a second on a busy disk. A machine that pauses for a
/// second runs the kills that are due right afterwards.
const STORE_GRACE: Duration = Duration::from_secs(2);

/// The result of a campaign.
#[derive(Default)]
pub(crate) struct Report {
    /// Answers that count: accepted, or found in a record.
    pub answers: u64,
    /// Answers that a successor of the caller received.
    pub taken_up: u64,
    /// Answers delivered to exactly one living agent.
    pub delivered: u64,
    /// Answers that were only read by their id.
    pub read: u64,
    /// Answers delivered only to a call that its client had given up silently.
    pub given_up: u64,
    /// Answers delivered only to a call that was being cancelled.
    pub cancelled: u64,
    /// Answers delivered to an agent that was killed or had ended before it read them.
    pub unread: u64,
    /// Answers unread in the socket of a client when it closed.
    pub closed: u64,
    /// Answers that went to another agent while their client was gone, and to that client when it
    /// resumed.
    pub came_back: u64,
    /// Answers delivered again, because the hub was killed or the stream was reset right after
    /// their reply over HTTP.
    pub hub_again: u64,
    /// The longest time that such a hub or stream lived after the reply, in milliseconds.
    pub hub_lived: u128,
    /// Answers delivered again, because their agent was killed right after its reply.
    pub again: u64,
    /// The longest time that such an agent lived after the reply, in milliseconds.
    pub lived: u128,
    /// Answers that nobody can receive, each with the reason.
    pub lost: Vec<String>,
    /// Answers delivered more than once, each with the reason.
    pub doubled: Vec<String>,
    /// Answers that nobody gave, each with the reason.
    pub invented: Vec<String>,
    /// Answers with another text or at another ask, each with the reason.
    pub changed: Vec<String>,
    /// Answers that the wrong agent received, each with the reason.
    pub misdelivered: Vec<String>,
}

impl Report {
    /// Whether no fault was found.
    pub(crate) fn is_clean(&self) -> bool {
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

/// Judges a campaign by its log and the final records.
pub(crate) fn judge(log: &Log, records: &[Record]) -> Report {
    let mut report = Report::default();
    let mut closed: BTreeMap<u64, &Record> = BTreeMap::new();
    let by_id: BTreeMap<&str, &Record> = records
        .iter()
        .map(|record| (record.id.as_str(), record))
        .collect();
    for record in records {
        report.outcome(log, record, &mut closed);
    }
    for (nonce, attempt) in &log.attempts {
        let receipts = log.receipts.get(nonce).map_or(&[][..], Vec::as_slice);
        let record = closed.get(nonce).copied();
        match (&attempt.verdict, record) {
            (Verdict::Refused(why), _) if record.is_some() || !receipts.is_empty() => {
                let what = format!("refused ({why}), and yet there");
                report
                    .invented
                    .push(describe(log, *nonce, attempt, &what, receipts));
            }
            (Verdict::Refused(_), _) => {}
            (Verdict::Won, None) => {
                let there = by_id.contains_key(attempt.ask.as_str());
                let what = if there {
                    "its ask has another end"
                } else {
                    "its ask is gone"
                };
                report
                    .lost
                    .push(describe(log, *nonce, attempt, what, receipts));
            }
            (Verdict::Unknown, None) if receipts.is_empty() => {}
            (Verdict::Unknown, None) => {
                let what = "told, but not kept";
                report
                    .invented
                    .push(describe(log, *nonce, attempt, what, receipts));
            }
            (Verdict::Won | Verdict::Unknown, Some(record)) => {
                report.follow(log, *nonce, attempt, receipts, record);
            }
        }
    }
    let unsaid = log.receipts.keys();
    for nonce in unsaid.filter(|nonce| !log.attempts.contains_key(nonce)) {
        report
            .invented
            .push(format!("answer {nonce} was said by nobody"));
    }
    report
}

impl Report {
    /// Checks that a record's outcome is an answer that somebody gave to this ask, unchanged.
    fn outcome<'all>(
        &mut self,
        log: &Log,
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
                let said = log.attempts.get(nonce);
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
        log: &Log,
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
                .push(describe(log, nonce, attempt, what, receipts));
        }
        self.check_receivers(log, nonce, attempt, receipts, record);
        let receipts = &merge_shared(&log.callers, receipts)[..];
        let via = |route: Route| {
            receipts
                .iter()
                .filter(move |receipt| receipt.route == route)
        };
        let times = via(Route::Reply).count();
        if times > 1 {
            // How long each receiver but the last one lived.
            let before = || via(Route::Reply).take(times - 1);
            let lived = before().map(|receipt| survived(log, receipt)).max();
            let lived = lived.unwrap_or(Duration::MAX);
            if via(Route::Reply).any(|receipt| receipt.resumed) {
                self.came_back += 1;
            } else if before().any(|receipt| receipt.over_http) && lived < STORE_GRACE {
                self.hub_again += 1;
                self.hub_lived = self.hub_lived.max(lived.as_millis());
            } else if lived < REPORT_GRACE && before().all(|receipt| !receipt.over_http) {
                self.again += 1;
                self.lived = self.lived.max(lived.as_millis());
            } else {
                let what = "told more than once";
                self.doubled
                    .push(describe(log, nonce, attempt, what, receipts));
            }
        } else if times == 1 {
            self.delivered += 1;
        } else if via(Route::Read).count() > 0 {
            self.read += 1;
        } else if via(Route::GivenUp).count() > 0 && record.is_delivered() {
            self.given_up += 1;
        } else if via(Route::Cancelled).count() > 0 && record.is_delivered() {
            self.cancelled += 1;
        } else if via(Route::Unread).count() > 0 && record.is_delivered() {
            self.unread += 1;
        } else if via(Route::Closed).count() > 0 && record.is_delivered() {
            self.closed += 1;
        } else {
            let what = if end::is_kept(record) {
                "kept, but not to be had"
            } else {
                "marked as delivered, and nobody has it"
            };
            self.lost
                .push(describe(log, nonce, attempt, what, receipts));
        }
    }
}

/// Merges the receipts of calls of one caller that waited for the same ask at the same time: they
/// count as one delivery (decision 4).
fn merge_shared(callers: &Callers, receipts: &[Receipt]) -> Vec<Receipt> {
    let mut kept: Vec<Receipt> = Vec::new();
    for receipt in receipts {
        let is_told_already = |one: &Receipt| {
            let waited = |call: &Receipt, at| call.called.is_some_and(|called| called <= at);
            let both_waited = waited(receipt, one.at) && waited(one, receipt.at);
            let are_told = one.route == Route::Reply && receipt.route == Route::Reply;
            are_told && both_waited && callers.are_indistinguishable(one.process, receipt.process)
        };
        if !kept.iter().any(is_told_already) {
            kept.push(receipt.clone());
        }
    }
    kept
}

impl Report {
    /// Checks that each receiver is the caller, its successor, or named the ask's id.
    fn check_receivers(
        &mut self,
        log: &Log,
        nonce: u64,
        attempt: &Attempt,
        receipts: &[Receipt],
        record: &Record,
    ) {
        let asker = callers::caller_in(record.asker.project.as_deref());
        for receipt in receipts.iter().filter(|receipt| !receipt.by_id) {
            let Receipt {
                process,
                called,
                at,
                ..
            } = *receipt;
            let judged = match asker {
                Some(asker) => {
                    let callers = &log.callers;
                    callers.may_have(asker, attempt.tag, process, called, at)
                }
                None => Err("nobody of the campaign has asked it"),
            };
            match judged {
                Ok(()) if asker == Some(process) => {}
                Ok(()) => self.taken_up += 1,
                Err(why) => {
                    let names = |number| log.callers.describe(number);
                    let asker = asker.map_or("nobody".to_owned(), names);
                    let what = format!("asked by {asker}, told to {}: {why}", names(process));
                    let mut said = describe(log, nonce, attempt, &what, receipts);
                    said.push_str(&log.callers.describe_calls(attempt.tag, at));
                    said.push_str(&format!("\n        kept caller: {:?}", record.asker.caller));
                    self.misdelivered.push(said);
                }
            }
        }
    }
}

/// How long the receiver of an answer lived afterwards: the agent's process, or the hub that
/// replied over HTTP.
fn survived(log: &Log, receipt: &Receipt) -> Duration {
    let mut kills = log.hub_kills.iter();
    let killed = match receipt.over_http {
        // A killed hub may have sent more than the client had read by then.
        true => kills
            .find(|at| **at + STORE_GRACE >= receipt.at)
            .into_iter()
            .chain(&receipt.reset_at)
            .min(),
        false => log.killed.get(&receipt.process),
    };
    killed.map_or(Duration::MAX, |at| at.saturating_duration_since(receipt.at))
}

/// The faults of hubs within this time before and after a receipt are reported with it.
const CONTEXT: Duration = Duration::from_secs(12);

fn describe(log: &Log, nonce: u64, attempt: &Attempt, what: &str, receipts: &[Receipt]) -> String {
    let Attempt {
        ask,
        tag,
        interface,
        verdict,
        judged_at: _,
    } = attempt;
    let mut said =
        format!("answer {nonce} to {ask} (ask #{tag}#), by {interface}, {verdict:?}: {what}");
    for receipt in receipts {
        let Receipt {
            process,
            over_http,
            resumed,
            reset_at: _,
            route,
            whole,
            reply_to,
            at,
            called: _,
            by_id: _,
        } = receipt;
        let killed = survived(log, receipt);
        let transport = match (*over_http, *resumed) {
            (true, true) => " over HTTP, resumed",
            (true, false) => " over HTTP",
            (false, _) => "",
        };
        let end = log.ends.get(process).unwrap_or(&"");
        said.push_str(&format!(
            "\n    agent {process}{transport}: {route:?}, whole: {whole}, reply to: {reply_to:?}, \
             killed after: {killed:?}, {end}, at {at:?}"
        ));
        for (when, what) in &log.of_hubs {
            let before = at.saturating_duration_since(*when);
            let after = when.saturating_duration_since(*at);
            if before.max(after) < CONTEXT {
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
