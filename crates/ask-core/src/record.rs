//! An ask with where it stands: what the store keeps and every surface shows.

use crate::ask::{Ask, Question};
use crate::caller::Caller;
use crate::draft::{Answer, Answered, Draft};
use crate::id::AskId;
use crate::lifecycle::Settlement;
use crate::outcome::Outcome;
use crate::sanitize::SafeText;
use crate::time::Time;

/// Who asks, as far as it can be known.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Asker {
    /// The client's name, as its protocol sent it.
    pub client: Option<String>,
    /// The client's version.
    pub version: Option<String>,
    /// What the agent calls itself: a claim.
    pub agent: Option<String>,
    /// The client's session.
    pub session: Option<String>,
    /// The window of a desktop app that the agent works for.
    pub instance: Option<String>,
    /// A short name for the project.
    pub project: Option<String>,
    /// The directory the agent works in.
    pub directory: Option<String>,
    /// The git branch checked out there.
    pub branch: Option<String>,
    /// The program that asks, as the machine knows it; none where an older version kept the ask.
    pub caller: Option<Caller>,
}

/// The client's name of asks that a shell sends with `ask-user ask`.
pub const SHELL: &str = "ask-user";

impl Asker {
    /// Whether it is `ask-user ask` in a shell, and no client of an agent.
    pub fn is_shell(&self) -> bool {
        self.client.as_deref() == Some(SHELL)
    }
}

/// One ask, kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Which.
    pub id: AskId,
    /// The dialect that it was asked in and is answered in.
    pub dialect: String,
    /// What is asked.
    pub ask: Ask,
    /// Who asks.
    pub asker: Asker,
    /// When the hub opened it.
    pub asked_at: Time,
    /// When the clock closes it.
    pub deadline_at: Option<Time>,
    /// Where it stands.
    pub state: State,
    /// What a person has filled in so far.
    pub draft: Option<Saved>,
    /// Where and when it was last shown to a person.
    pub shown: Option<Shown>,
    /// How many calls wait for it right now.
    pub waiters: u32,
    /// Whether the person has put it aside.
    pub snoozed: Option<Snooze>,
    /// When its agent last asked the same again.
    pub asked_again: Option<Time>,
    /// Where its client asks it as well, if it does right now.
    pub in_client: Option<InClient>,
}

/// For how long a person puts an ask aside. Its agent notices nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Snooze {
    /// Until then.
    Until(Time),
    /// Until its agent asks again.
    AskedAgain,
}

/// How a client asks the same itself, beside our surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InClient {
    /// In a dialog of its own, which goes when the ask is closed here.
    Dialog,
    /// The question was handed to it: it comes back with the answer, or finds ours.
    Handed,
}

/// Open, or closed once and for all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// Nobody has closed it. Stored and sent as `waiting`.
    Open,
    /// Somebody has, and this is how.
    Closed {
        /// The outcome that won.
        settlement: Settlement,
        /// When a waiter that still stood was given it.
        delivered_at: Option<Time>,
    },
}

/// A draft as the hub keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// The form.
    pub draft: Draft,
    /// When it was saved.
    pub at: Time,
    /// The surface that saved it.
    pub surface: String,
    /// How often it was saved, to notice what was filled in elsewhere meanwhile.
    pub revision: u64,
}

/// Signs a draft that nobody has filled in for this ask: it is what the person answered when the
/// same was asked shortly before.
pub const EARLIER: &str = "earlier answer";

/// Signs a draft, before the name of a client, that a program has filled in which an agent of that
/// client has started: it is the agent's word until the person sends it.
pub const BELOW: &str = "below ";

/// That a person could see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Where.
    pub surface: String,
    /// Since when.
    pub at: Time,
}

impl Record {
    /// Makes it open, as if nothing had happened to it yet. A draft stays.
    pub fn reset_status(&mut self) {
        self.state = State::Open;
        self.shown = None;
        self.waiters = 0;
        self.snoozed = None;
        self.asked_again = None;
        self.in_client = None;
    }

    /// The outcome, once there is one.
    pub fn settlement(&self) -> Option<&Settlement> {
        match &self.state {
            State::Open => None,
            State::Closed { settlement, .. } => Some(settlement),
        }
    }

    /// The answers, if it ended with some.
    pub fn answered(&self) -> Option<&Answered> {
        match &self.settlement()?.outcome {
            Outcome::Answered(answered) => Some(answered),
            Outcome::Declined { .. }
            | Outcome::Clarify { .. }
            | Outcome::Expired
            | Outcome::Withdrawn => None,
        }
    }

    /// Whether nobody has closed it, with a call that waits or without.
    pub fn is_open(&self) -> bool {
        matches!(self.state, State::Open)
    }

    /// Whether a person can still answer it: it is open, or only its time has passed.
    pub fn is_answerable(&self) -> bool {
        match &self.state {
            State::Open => true,
            State::Closed { settlement, .. } => settlement.outcome == Outcome::Expired,
        }
    }

    /// `waiting`, or the outcome's word.
    pub fn state_word(&self) -> &'static str {
        match self.settlement() {
            None => "waiting",
            Some(settlement) => settlement.outcome.word(),
        }
    }

    /// When the person gave the answer that the form is filled in with, if it is an [`EARLIER`] one.
    pub fn repeats(&self) -> Option<Time> {
        let saved = self.draft.as_ref()?;
        (saved.surface == EARLIER).then_some(saved.at)
    }

    /// The client of the agent below which the form was filled in, see [`BELOW`].
    pub fn filled_in_below(&self) -> Option<&str> {
        self.draft.as_ref()?.surface.strip_prefix(BELOW)
    }

    /// Whether its outcome has reached the asker.
    pub fn is_delivered(&self) -> bool {
        matches!(
            self.state,
            State::Closed {
                delivered_at: Some(_),
                ..
            }
        )
    }
}

/// What an ask came to in one paragraph, for a session's summary: what the user
/// was asked and what they said, safe to show.
pub fn summary(record: &Record) -> String {
    let asked = subjects(&record.ask);
    let Some(settlement) = record.settlement() else {
        return format!("User was asked {asked} and has not answered yet.");
    };
    let end = match &settlement.outcome {
        Outcome::Answered(answered) => return sentences(&record.ask, answered),
        Outcome::Declined { reason: None } => " and declined to answer".to_owned(),
        Outcome::Declined {
            reason: Some(reason),
        } => format!(" and declined to answer, saying {}", quoted(reason)),
        Outcome::Clarify { words } if words.trim().is_empty() => {
            " and asked for more before answering".to_owned()
        }
        Outcome::Clarify { words } => {
            format!(" and asked back before answering: {}", quoted(words))
        }
        Outcome::Expired => " and did not answer in time".to_owned(),
        Outcome::Withdrawn => ", but the agent took it back before an answer came".to_owned(),
    };
    format!("User was asked {asked}{end}.")
}

fn sentences(ask: &Ask, answered: &Answered) -> String {
    let answers = ask.questions.iter().zip(answered.answers());
    let mut sentences: Vec<String> = answers.map(sentence).collect();
    if let Some(note) = answered.note() {
        sentences.push(format!("User added: {}.", quoted(note)));
    }
    sentences.join(" ")
}

fn subjects(ask: &Ask) -> String {
    let questions: Vec<String> = ask.questions.iter().map(question_bytes).collect();
    questions.join(" and ")
}

fn question_bytes(question: &Question) -> String {
    format!("about {}", quoted(&question.text))
}

fn sentence((question, answer): (&Question, &Answer)) -> String {
    let labels: Vec<String> = answer
        .picks
        .iter()
        .filter_map(|&pick| question.input.label(pick))
        .map(|label| SafeText::line(label).to_string())
        .collect();
    let chose = (!labels.is_empty()).then(|| format!("chose {}", labels.join(", ")));
    let none = answer.none.then(|| "chose none of the options".to_owned());
    let said = answer
        .own
        .as_deref()
        .filter(|words| answer.only_files().as_deref() != Some(*words))
        .map(|words| format!("said {}", quoted(words)));
    let names: Vec<&str> = answer
        .attachments
        .iter()
        .map(|attachment| attachment.name.as_str())
        .collect();
    let attached = (!names.is_empty()).then(|| format!("attached {}", names.join(", ")));
    let actions: Vec<String> = chose
        .into_iter()
        .chain(none)
        .chain(said)
        .chain(attached)
        .collect();
    let actions = match actions.is_empty() {
        true => "gave no answer".to_owned(),
        false => actions.join(" and "),
    };
    let note = answer
        .note
        .as_deref()
        .map(|words| format!(" (note: {})", quoted(words)));
    format!(
        "User was asked {} and {actions}{}.",
        question_bytes(question),
        note.unwrap_or_default()
    )
}

fn quoted(text: &str) -> String {
    format!("'{}'", SafeText::line(text))
}
