//! An ask with its status: what the store keeps and every surface shows.

use crate::ask::{Ask, Question};
use crate::caller::Caller;
use crate::draft::{Answer, Answered, Draft};
use crate::id::AskId;
use crate::lifecycle::Settlement;
use crate::outcome::Outcome;
use crate::sanitize::SafeText;
use crate::time::Time;

/// Who asks, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Asker {
    /// The client's name, as its protocol sent it.
    pub client: Option<String>,
    /// The client's version.
    pub version: Option<String>,
    /// The agent's name for itself, which is only a claim.
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
    /// The program that asks, as the machine knows it; `None` if an older version stored the ask.
    pub caller: Option<Caller>,
}

/// The client's name in asks that a shell sends with `ask-user ask`.
pub const SHELL: &str = "ask-user";

impl Asker {
    /// Whether it is `ask-user ask` in a shell, and not the client of an agent.
    pub fn is_shell(&self) -> bool {
        self.client.as_deref() == Some(SHELL)
    }
}

/// One ask, as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The id of the ask.
    pub id: AskId,
    /// The dialect in which it was asked and is answered.
    pub dialect: String,
    /// What is asked.
    pub ask: Ask,
    /// Who asks.
    pub asker: Asker,
    /// When the hub opened it.
    pub asked_at: Time,
    /// When the clock closes it; `None` for never.
    pub deadline_at: Option<Time>,
    /// Whether it is open or closed.
    pub state: State,
    /// What a person has filled in so far.
    pub draft: Option<Saved>,
    /// What they answered when the same was asked shortly before. It is only offered: nothing of it
    /// is in the draft until they take it.
    pub earlier_answer: Option<EarlierAnswer>,
    /// Where and when it was last shown to a person.
    pub shown: Option<Shown>,
    /// How many calls wait for it right now.
    pub waiters: u32,
    /// Until when the person has snoozed it, if they have.
    pub snoozed: Option<Snooze>,
    /// When its agent last asked the same again.
    pub asked_again: Option<Time>,
    /// How its client asks it as well, if it does right now.
    pub in_client: Option<InClient>,
    /// When its caller still ran by the steady clock, as far as a hub has stored that: a caller that started
    /// before is no successor. In a request to open the ask, when the agent asked. No client gets it.
    pub caller_seen: Option<Time>,
    /// When the agent of its caller still ran, as far as a hub has stored that. It may outlive the caller,
    /// and may start that again: another agent that started before is no successor. No client gets it.
    pub agent_seen: Option<Time>,
    /// Until when the hub keeps the outcome from the agent, so that the person can take it back.
    pub held_until: Option<Time>,
    /// The outcomes that the person took back, the newest last: at most [`MAX_TAKEN_BACK`].
    pub taken_back: Vec<TakenBack>,
}

/// How many outcomes that the person took back are kept with an ask.
pub const MAX_TAKEN_BACK: usize = 8;

/// An outcome that the person took back before any agent had it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakenBack {
    /// The outcome, with who, where and when.
    pub settlement: Settlement,
    /// When it was taken back.
    pub at: Time,
    /// The surface on which it was taken back.
    pub surface: String,
    /// The name of the paired device on which it was taken back, if it was one.
    pub device: Option<String>,
}

/// How long a person snoozes an ask. Its agent notices nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Snooze {
    /// Until this time is reached.
    Until(Time),
    /// Until its agent asks again.
    AskedAgain,
}

/// How a client asks the same itself, besides our surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InClient {
    /// In its own dialog, which disappears when the ask is closed here.
    Dialog,
    /// The client took the question: it comes back with the answer, or finds ours.
    Handed,
}

/// Whether an ask is open or closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// Nobody has closed it. Stored and sent as `waiting`.
    Open,
    /// Somebody has closed it, in this way.
    Closed {
        /// The outcome that won.
        settlement: Settlement,
        /// When a waiter that was still connected got it.
        delivered_at: Option<Time>,
    },
}

/// A draft as the hub stores it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// The form as filled in.
    pub draft: Draft,
    /// When it was saved.
    pub at: Time,
    /// The surface that saved it.
    pub surface: String,
    /// How often it was saved. By this, surfaces notice what was filled in elsewhere meanwhile.
    pub revision: u64,
}

/// What the person answered when the same was asked shortly before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlierAnswer {
    /// The answers, as a form that has them filled in.
    pub draft: Draft,
    /// When they were given.
    pub at: Time,
}

/// The beginning, before the name of a client, of the surface of a draft that was filled in by a
/// program which an agent of that client started: it is the agent's statement until the person
/// sends it.
pub const BELOW: &str = "below ";

/// The surface of the card in a chat client, which the person has named in their settings.
pub const CARD: &str = "app";

/// The name of an agent from whose files an outcome was taken after it had ended.
pub const ENDED_AGENT: &str = "an agent that has ended";

/// Where and when a person could see an ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The surface that showed it.
    pub surface: String,
    /// When it was shown.
    pub at: Time,
}

impl Record {
    /// How many bytes the texts of the ask and of its answers have together.
    pub fn bytes(&self) -> usize {
        let draft = self.draft.as_ref().map_or(0, |saved| saved.draft.bytes());
        let earlier = &self.earlier_answer;
        let earlier = earlier.as_ref().map_or(0, |earlier| earlier.draft.bytes());
        let outcome = self.settlement().map_or(0, |ended| ended.outcome.bytes());
        self.ask.bytes() + draft + earlier + outcome
    }

    /// Brings its draft and its earlier answer into the form in which all surfaces have them:
    /// [`Draft::normalized`]. Of what a program below an agent has filled in, only what forms show is
    /// kept: [`Draft::as_shown`].
    pub fn normalize_forms(&mut self) {
        let is_filled_in = self.filled_in_below().is_some();
        if let Some(saved) = &mut self.draft {
            let draft = std::mem::take(&mut saved.draft);
            saved.draft = match is_filled_in {
                true => draft.as_shown(&self.ask),
                false => draft.normalized(&self.ask),
            };
        }
        if let Some(earlier) = &mut self.earlier_answer {
            earlier.draft = std::mem::take(&mut earlier.draft).normalized(&self.ask);
        }
    }

    /// The form of a closed ask, if the person typed or attached something that isn't in the outcome.
    pub fn unsent(&self) -> Option<&Saved> {
        let outcome = &self.settlement()?.outcome;
        let saved = self.draft.as_ref();
        saved.filter(|saved| match outcome {
            Outcome::Expired => false,
            Outcome::Answered(answered) => saved.draft.has_more_than(&answered.draft()),
            Outcome::Declined { .. } | Outcome::Clarify { .. } | Outcome::Withdrawn => {
                saved.draft.is_touched()
            }
        })
    }

    /// The words and the names of files in [`Self::unsent`] that the outcome doesn't have, in the order
    /// of the form.
    pub fn unsent_words(&self) -> Vec<&str> {
        let Some(form) = self.unsent().map(|saved| &saved.draft) else {
            return Vec::new();
        };
        let sent = self.answered().map(Answered::draft).unwrap_or_default();
        let nothing = Answer::default();
        let mut words = Vec::new();
        for (at, answer) in form.answers.iter().enumerate() {
            let theirs = sent.answers.get(at).unwrap_or(&nothing);
            let files = answer.attachments.iter();
            let files = files.filter(|file| !theirs.attachments.contains(file));
            words.extend(
                answer
                    .own
                    .as_deref()
                    .filter(|own| theirs.own.as_deref() != Some(own)),
            );
            words.extend(
                answer
                    .note
                    .as_deref()
                    .filter(|note| theirs.note.as_deref() != Some(note)),
            );
            words.extend(files.map(|file| file.name.as_str()));
        }
        words.extend(
            form.note
                .as_deref()
                .filter(|note| sent.note.as_deref() != Some(note)),
        );
        words.retain(|words| !words.trim().is_empty());
        words
    }

    /// Whether the person took this attempt back.
    pub fn was_taken_back(&self, attempt: u64) -> bool {
        let mut taken_back = self.taken_back.iter();
        taken_back.any(|earlier| earlier.settlement.attempt == attempt)
    }

    /// Resets it to open, as if nothing had happened to it yet. The draft stays, and when its agent asked.
    pub fn reset_status(&mut self) {
        self.state = State::Open;
        self.shown = None;
        self.waiters = 0;
        self.snoozed = None;
        self.asked_again = None;
        self.in_client = None;
        self.agent_seen = None;
        self.held_until = None;
        self.taken_back = Vec::new();
    }

    /// How it ended, once it has.
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

    /// Whether nobody has closed it. It may have a waiting call or none.
    pub fn is_open(&self) -> bool {
        matches!(self.state, State::Open)
    }

    /// Whether a person can still answer it: it is open, or has only expired.
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

    /// The client of the agent below which the form was filled in; see [`BELOW`].
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

/// An ask and its outcome in one paragraph, for a session's summary: what the user was asked and
/// what they said, safe to show.
pub fn summary(record: &Record) -> String {
    match record.settlement() {
        Some(settlement) => outcome_summary(&record.ask, &settlement.outcome),
        None => format!(
            "User was asked {} and has not answered yet.",
            subjects(&record.ask)
        ),
    }
}

/// One outcome of an ask in one paragraph, safe to show.
pub fn outcome_summary(ask: &Ask, outcome: &Outcome) -> String {
    let end = match outcome {
        Outcome::Answered(answered) => return sentences(ask, answered),
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
    format!("User was asked {}{end}.", subjects(ask))
}

/// The summary, with a sentence about an outcome that may be an agent's own.
pub fn marked_summary(record: &Record) -> String {
    let settlement = record.settlement();
    let origin = settlement.and_then(|settlement| settlement.origin.as_ref());
    match origin.and_then(|origin| origin.below_agent.as_deref()) {
        Some(agent) => format!(
            "{} This came from a program that was started below {}.",
            summary(record),
            quoted(agent)
        ),
        None => summary(record),
    }
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
    let questions: Vec<String> = ask.questions.iter().map(subject).collect();
    questions.join(" and ")
}

fn subject(question: &Question) -> String {
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
        subject(question),
        note.unwrap_or_default()
    )
}

fn quoted(text: &str) -> String {
    format!("'{}'", SafeText::line(text))
}
