//! Closed asks: the filter of a history, and the facts about each ask that search and statistics
//! use. Whether an answer was late is decided here.

use serde::{Deserialize, Serialize};

use crate::ask::{Input, Question};
use crate::draft::Answer;
use crate::outcome::Outcome;
use crate::record::{Record, State};
use crate::time::Time;

/// A filter of a history. A field that is left out excludes nothing.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Filter {
    /// Words that must occur.
    pub search: Option<String>,
    /// A client's name, or the agent's name for itself.
    pub agent: Option<String>,
    /// A project's name or directory.
    pub project: Option<String>,
    /// A git branch.
    pub branch: Option<String>,
    /// How the ask ended.
    pub end: Option<End>,
    /// Only outcomes of a person that no agent has received yet.
    pub undelivered: bool,
    /// The surface on which it was closed.
    pub surface: Option<String>,
    /// Whether the agent's recommendation was taken, among asks that have one.
    pub recommended: Option<bool>,
    /// Only asks that were opened since, in milliseconds since the epoch.
    pub since_ms: Option<i64>,
    /// Only asks that were opened before, in milliseconds since the epoch.
    pub until_ms: Option<i64>,
    /// Only rows before this one, for the next page.
    pub before: Option<u64>,
    /// The most rows that are returned.
    pub limit: Option<u64>,
    /// Waiting asks, too. Only if no other field than a period is set.
    pub open: bool,
}

impl Filter {
    /// Whether it excludes nothing. Its page doesn't count.
    pub fn is_wide(&self) -> bool {
        let bare = Self {
            before: None,
            limit: None,
            open: false,
            ..self.clone()
        };
        bare == Self::default()
    }

    /// Whether it must not select what is removed: it selects everything, or searches for nothing.
    pub fn is_too_wide_to_remove(&self) -> bool {
        let has_word = |text: &String| text.chars().any(char::is_alphanumeric);
        let search = self.search.clone().filter(has_word);
        let is_blank = self.search.is_some() && search.is_none();
        let filter = Self {
            search,
            ..self.clone()
        };
        is_blank || filter.is_wide()
    }
}

/// How an ask ended, as a history shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum End {
    /// The person answered the ask.
    Answered,
    /// The person answered when the agent no longer waited.
    Late,
    /// The person declined to answer.
    Declined,
    /// The person asked back instead.
    AskedBack,
    /// The agent's time limit passed.
    Expired,
    /// The agent withdrew the ask.
    Withdrawn,
}

impl End {
    /// Each with its word in commands, in `--json` and in the hub's messages.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::Answered, "answered"),
        (Self::Late, "late"),
        (Self::Declined, "declined"),
        (Self::AskedBack, "ask-back"),
        (Self::Expired, "expired"),
        (Self::Withdrawn, "withdrawn"),
    ];

    /// Its word in [`Self::ALL`].
    pub fn word(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// The end with this word. `clarify` is the word of records for asking back.
    pub fn find(word: &str) -> Option<Self> {
        if word == "clarify" {
            return Some(Self::AskedBack);
        }
        let row = Self::ALL.iter().find(|(_, known)| *known == word);
        row.map(|(end, _)| *end)
    }
}

/// A word, besides those of [`End`], for outcomes of a person that no agent has received yet.
pub const UNDELIVERED: &str = "undelivered";

/// An answer that reaches its agent later than this is late: a call that still waited would have
/// got it at once.
const LATE_DELIVERY_MS: u64 = 60 * 1_000;

/// The facts about a closed ask that are counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// When it was opened.
    pub asked_at: Time,
    /// How long it was open.
    pub took_ms: u64,
    /// How it ended. A late answer is [`End::Late`].
    pub end: End,
    /// Who asked: the client, otherwise the agent's name for itself.
    pub agent: Option<String>,
    /// The project that the ask was for.
    pub project: Option<String>,
    /// The surface on which it was closed.
    pub surface: String,
    /// How its questions were answered.
    pub how: How,
}

/// How the questions of an ask were answered. Each field counts questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct How {
    /// Questions that have choices to pick.
    pub offered: u32,
    /// Questions with a choice that the agent recommends.
    pub recommending: u32,
    /// Answered by the recommended choices and nothing else.
    pub recommended: u32,
    /// Answered by other choices.
    pub another: u32,
    /// Answered in own words, although there were choices.
    pub own: u32,
    /// Answers with a note, and the note for all answers.
    pub noted: u32,
}

impl Facts {
    /// The facts of a record; `None` while it waits.
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

    /// Whether the agent's recommendation was taken; `None` if there was none, or no answers.
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

/// How an outcome ended its ask, whenever its agent received it.
pub fn plain_end(outcome: &Outcome) -> End {
    match outcome {
        Outcome::Answered(_) => End::Answered,
        Outcome::Declined { .. } => End::Declined,
        Outcome::Clarify { .. } => End::AskedBack,
        Outcome::Expired => End::Expired,
        Outcome::Withdrawn => End::Withdrawn,
    }
}

/// Whether a person closed it when its agent no longer waited: its time had passed, or the agent
/// received the outcome later, or has not received it yet. If the agent was to come back by itself,
/// it doesn't matter when it does.
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

/// Whether a person closed it after its deadline.
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
