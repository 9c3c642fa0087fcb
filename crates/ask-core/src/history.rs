//! Asks that are over: how a history is narrowed down, and the few facts about each that
//! a search and the statistics go by. Whether an answer came late is decided here.

use serde::{Deserialize, Serialize};

use crate::ask::{Input, Question};
use crate::draft::Answer;
use crate::outcome::Outcome;
use crate::record::{Record, State};
use crate::time::Time;

/// How to narrow a history down. What is left out narrows nothing.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Filter {
    /// Words that must occur.
    pub search: Option<String>,
    /// A client's name, or what an agent calls itself.
    pub agent: Option<String>,
    /// A project's name or directory.
    pub project: Option<String>,
    /// A git branch.
    pub branch: Option<String>,
    /// How it ended.
    pub end: Option<End>,
    /// Only what a person decided and no agent has been told yet.
    pub undelivered: bool,
    /// The surface it was closed on.
    pub surface: Option<String>,
    /// Whether what the agent recommended was taken, where it recommended something.
    pub recommended: Option<bool>,
    /// Only asks opened since, in milliseconds since the epoch.
    pub since_ms: Option<i64>,
    /// Only asks opened before, likewise.
    pub until_ms: Option<i64>,
    /// Only rows before this one, for the next page.
    pub before: Option<u64>,
    /// At most so many.
    pub limit: Option<u64>,
    /// Waiting asks too; only where nothing else narrows it down but a period.
    pub open: bool,
}

impl Filter {
    /// Whether it narrows anything down, whatever its page.
    pub fn is_wide(&self) -> bool {
        let bare = Self {
            before: None,
            limit: None,
            open: false,
            ..self.clone()
        };
        bare == Self::default()
    }
}

/// How an ask ended, as a history tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum End {
    /// With answers.
    Answered,
    /// With answers that the agent was not there to hear.
    Late,
    /// Without answers.
    Declined,
    /// By asking back.
    AskedBack,
    /// By the agent's time limit.
    Expired,
    /// By the agent.
    Withdrawn,
}

impl End {
    /// Each with its word, as commands, `--json` and the hub's messages write it.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::Answered, "answered"),
        (Self::Late, "late"),
        (Self::Declined, "declined"),
        (Self::AskedBack, "ask-back"),
        (Self::Expired, "expired"),
        (Self::Withdrawn, "withdrawn"),
    ];

    /// The word for it.
    pub fn word(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// What a word stands for. `clarify` is how records word asking back.
    pub fn find(word: &str) -> Option<Self> {
        if word == "clarify" {
            return Some(Self::AskedBack);
        }
        let row = Self::ALL.iter().find(|(_, known)| *known == word);
        row.map(|(end, _)| *end)
    }
}

/// The word, among those of [`End`], for what a person decided and no agent has been told yet.
pub const UNDELIVERED: &str = "undelivered";

/// An answer that takes longer than this to its agent is late: a call that still stood would have
/// been told at once.
const LATE_DELIVERY_MS: u64 = 60 * 1_000;

/// What is counted of a closed ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// When it was opened.
    pub asked_at: Time,
    /// How long it was open.
    pub took_ms: u64,
    /// How it ended; answered late is [`End::Late`].
    pub end: End,
    /// Who asked: the client, else what the agent calls itself.
    pub agent: Option<String>,
    /// For which project.
    pub project: Option<String>,
    /// Where it was closed.
    pub surface: String,
    /// How its questions were answered.
    pub how: How,
}

/// How the questions of an ask were answered: each number counts questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct How {
    /// With options to pick from.
    pub offered: u32,
    /// With an option that the agent recommends.
    pub recommending: u32,
    /// By what was recommended and nothing else.
    pub recommended: u32,
    /// By other options.
    pub another: u32,
    /// In own words, though there were options.
    pub own: u32,
    /// With a note.
    pub noted: u32,
}

impl Facts {
    /// Those of a record; `None` while it waits.
    pub fn from_record(record: &Record) -> Option<Self> {
        let settlement = record.settlement()?;
        let asker = &record.asker;
        Some(Self {
            asked_at: record.asked_at,
            took_ms: settlement.at.since_ms(record.asked_at),
            end: end(record)?,
            agent: asker.client.clone().or_else(|| asker.agent.clone()),
            project: asker.project.clone(),
            surface: settlement.surface.clone(),
            how: how(record),
        })
    }

    /// Whether what the agent recommended was taken; `None` where it recommended nothing, or got
    /// no answers.
    pub fn recommended(&self) -> Option<bool> {
        let How {
            recommending,
            recommended,
            another,
            own,
            ..
        } = self.how;
        (recommending > 0 && recommended + another + own > 0).then_some(recommended == recommending)
    }
}

/// How a record ended; `None` while it waits.
pub fn end(record: &Record) -> Option<End> {
    let settlement = record.settlement()?;
    if matches!(settlement.outcome, Outcome::Answered(_)) && is_late(record) {
        return Some(End::Late);
    }
    Some(plain_end(&settlement.outcome))
}

/// How an outcome ended its ask, whenever its agent heard of it.
pub fn plain_end(outcome: &Outcome) -> End {
    match outcome {
        Outcome::Answered(_) => End::Answered,
        Outcome::Declined { .. } => End::Declined,
        Outcome::Clarify { .. } => End::AskedBack,
        Outcome::Expired => End::Expired,
        Outcome::Withdrawn => End::Withdrawn,
    }
}

/// Whether a person closed it and its agent was not there to hear it: its time had passed, or it
/// was told later, or has not been told yet. Where the agent was to come back by itself, it makes no
/// difference when it does.
pub fn is_late(record: &Record) -> bool {
    match &record.state {
        State::Open => false,
        State::Closed {
            settlement,
            delivered_at,
        } => {
            let told_late =
                delivered_at.is_none_or(|at| at.since_ms(settlement.at) > LATE_DELIVERY_MS);
            settlement.outcome.is_human()
                && (told_late && !settlement.awaited || had_expired(record))
        }
    }
}

/// Whether a person closed it after its time had passed.
pub fn had_expired(record: &Record) -> bool {
    let closed = record.settlement();
    closed.is_some_and(|ended| {
        ended.outcome.is_human() && record.deadline_at.is_some_and(|at| ended.at > at)
    })
}

fn how(record: &Record) -> How {
    let mut how = How::default();
    let Some(Outcome::Answered(answered)) = record.settlement().map(|ended| &ended.outcome) else {
        return how;
    };
    how.noted += u32::from(answered.note().is_some());
    for (question, answer) in record.ask.questions.iter().zip(answered.answers()) {
        how.noted += u32::from(answer.note.is_some());
        if question.input.is_empty() {
            continue;
        }
        let recommends = recommends(question);
        how.offered += 1;
        how.recommending += u32::from(recommends.contains(&true));
        match kind(&recommends, answer) {
            None => {}
            Some(AnswerKind::Recommended) => how.recommended += 1,
            Some(AnswerKind::Another) => how.another += 1,
            Some(AnswerKind::Own) => how.own += 1,
        }
    }
    how
}

fn recommends(question: &Question) -> Vec<bool> {
    match &question.input {
        Input::Text | Input::Confirm => Vec::new(),
        Input::One(choices) | Input::Many(choices) => choices
            .iter()
            .map(|choice| choice.recommended().1)
            .collect(),
    }
}

enum AnswerKind {
    Recommended,
    Another,
    Own,
}

fn kind(recommends: &[bool], answer: &Answer) -> Option<AnswerKind> {
    if answer.own.is_some() {
        return Some(AnswerKind::Own);
    }
    if !answer.is_given() {
        return None;
    }
    let picked = |at: usize| answer.picks.contains(&at);
    let as_recommended = recommends.contains(&true)
        && recommends
            .iter()
            .enumerate()
            .all(|(at, recommended)| picked(at) == *recommended);
    Some(match as_recommended {
        true => AnswerKind::Recommended,
        false => AnswerKind::Another,
    })
}
