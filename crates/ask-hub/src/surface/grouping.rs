//! The list of asks, as every surface shows it: its groups, their order, and the texts that a
//! filter searches.

use std::borrow::Borrow;
use std::collections::HashSet;

use ask_core::lifecycle::LIST_LATE_MS;
use ask_core::{Record, SafeText, Settlement, Time};

/// A group of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// An agent waits for it.
    Waiting,
    /// The person has snoozed it.
    Snoozed,
    /// The agent stopped waiting, or the deadline has passed.
    Late,
    /// Answered, but not delivered yet.
    Undelivered,
    /// Answered a moment ago: its agent gets the answer in a moment, unless it is taken back.
    Sent,
}

impl Group {
    /// The group of an ask.
    pub fn for_record(record: &Record) -> Self {
        match record.settlement() {
            Some(_) if record.held_until.is_some() && record.waiters > 0 => Self::Sent,
            Some(settlement) if settlement.outcome.is_human() => Self::Undelivered,
            Some(_) => Self::Late,
            None if record.snoozed.is_some() => Self::Snoozed,
            None if record.waiters > 0 => Self::Waiting,
            None => Self::Late,
        }
    }
}

/// Whether the list shows an ask: it is open, it expired recently, or its answer was given recently
/// and is undelivered.
pub fn is_listed(record: &Record, now: Time) -> bool {
    match Group::for_record(record) {
        Group::Waiting | Group::Snoozed | Group::Sent => true,
        Group::Late if record.is_open() => true,
        Group::Late => record.is_answerable() && now.since_ms(record.asked_at) <= LIST_LATE_MS,
        Group::Undelivered => {
            let is_recent = |end: &Settlement| now.since_ms(end.at) <= LIST_LATE_MS;
            record.waiters == 0
                && !record.is_delivered()
                && record.settlement().is_some_and(is_recent)
        }
    }
}

/// Sorts by group; within a group by deadline, then by age.
pub fn sort(records: &mut [Record]) {
    records.sort_by(|one, other| {
        let key = |record: &Record| {
            let deadline = record.deadline_at.unwrap_or(Time(i64::MAX));
            (Group::for_record(record), deadline, record.asked_at)
        };
        key(one)
            .cmp(&key(other))
            .then_with(|| one.id.cmp(&other.id))
    });
}

/// Keeps only the `first` most urgent open asks. Returns how many were removed.
pub fn keep_most_urgent<R: Borrow<Record>>(records: &mut Vec<R>, first: usize) -> u64 {
    let mut waiting: Vec<_> = (records.iter().map(Borrow::borrow).enumerate())
        .filter(|(_, record)| record.is_open())
        .map(|(at, record)| {
            let deadline = record.deadline_at.unwrap_or(Time(i64::MAX));
            (record.snoozed.is_some(), deadline, at)
        })
        .collect();
    waiting.sort_unstable();
    let missing = waiting.split_off(first.min(waiting.len()));
    let missing: HashSet<usize> = missing.into_iter().map(|(_, _, at)| at).collect();
    let mut at = 0..;
    records.retain(|_| at.next().is_none_or(|at| !missing.contains(&at)));
    missing.len() as u64
}

/// The parts of an ask that a filter searches, in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchText {
    /// Agent, place and title.
    names: Vec<String>,
    questions: Vec<String>,
}

impl SearchText {
    /// The searched parts of an ask.
    pub fn from_record(record: &Record) -> Self {
        let asker = &record.asker;
        let names = [
            asker.client.as_deref(),
            asker.agent.as_deref(),
            asker.project.as_deref(),
            asker.branch.as_deref(),
            Some(record.ask.headline()),
        ];
        let questions = record.ask.questions.iter();
        Self {
            names: names.into_iter().flatten().map(fold).collect(),
            questions: questions.map(|question| fold(&question.text)).collect(),
        }
    }

    /// Whether every wanted word matches: as a substring of a question, or as a sequence of letters
    /// in agent, place or title. The words must be in lower case.
    pub fn matches(&self, wanted: &[&str]) -> bool {
        wanted.iter().all(|word| {
            self.names.iter().any(|name| contains_in_order(name, word))
                || self.questions.iter().any(|text| text.contains(word))
        })
    }
}

/// How many characters of a text are searched.
const MAX_CHARACTERS: usize = 2_000;

fn fold(text: &str) -> String {
    let beginning: String = text.chars().take(MAX_CHARACTERS).collect();
    SafeText::line(&beginning).as_str().to_lowercase()
}

fn contains_in_order(text: &str, word: &str) -> bool {
    let mut letters = text.chars();
    word.chars()
        .all(|wanted| letters.any(|letter| letter == wanted))
}
