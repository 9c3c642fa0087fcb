//! An ask with its status, and how it was closed.

use std::borrow::Cow;
use std::collections::HashSet;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_with::{DeserializeAs, SerializeAs, skip_serializing_none};
use utoipa::ToSchema;

use super::ask::{Asker, Question};
use super::draft::{Draft, EarlierAnswer};
use super::outcome::Outcome;
use super::text::{How, Moment, Until};
use super::{Malformed, Read, lenient, malformed, needed};
use ask_core::record::{self, Saved, Shown, State};
use ask_core::{Ask, AskId, Json, Time, json};

/// An ask with its state. Absent values are left out.
#[skip_serializing_none]
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Record<'a> {
    pub(crate) ask_id: Cow<'a, str>,
    pub(crate) state: AskState,
    /// Whether the outcome was delivered to the agent.
    pub(crate) delivered: Option<bool>,
    pub(crate) title: Option<Cow<'a, str>>,
    /// The background that the person needs to decide, in Markdown.
    pub(crate) context: Option<Cow<'a, str>>,
    pub(crate) questions: Vec<Question<'a>>,
    /// The agent's time limit, in milliseconds.
    pub(crate) timeout: Option<u64>,
    #[serde(default)]
    #[schema(required)]
    pub(crate) asker: Asker<'a>,
    pub(crate) dialect: Cow<'a, str>,
    /// When the ask was opened.
    pub(crate) asked_at: Moment,
    /// When the agent asked, on the steady clock. Only agents' servers send it, and only to the hub.
    #[schema(ignore)]
    pub(crate) asked_at_steady: Option<Moment>,
    /// When the ask expires.
    pub(crate) deadline_at: Option<Moment>,
    pub(crate) outcome: Option<Outcome<'a>>,
    /// The surface on which the ask was closed.
    pub(crate) answered_by: Option<Cow<'a, str>>,
    /// The name of the paired device that closed it, if one did.
    pub(crate) answered_device: Option<Cow<'a, str>>,
    /// The program of this machine that closed it, if the hub could see it.
    pub(crate) answered_from: Option<Origin<'a>>,
    /// When the ask was closed.
    pub(crate) answered_at: Option<Moment>,
    /// The number of the attempt that closed it.
    pub(crate) attempt: Option<u64>,
    /// True if a person closed the ask while no call waited, but the agent still had time to fetch the
    /// outcome. It then counts as in time.
    pub(crate) awaited: Option<bool>,
    /// When the outcome was delivered to the agent.
    pub(crate) delivered_at: Option<Moment>,
    pub(crate) draft: Option<Draft<'a>>,
    pub(crate) earlier_answer: Option<EarlierAnswer<'a>>,
    /// The surface on which it was last shown. Not for agents.
    pub(crate) shown_on: Option<Cow<'a, str>>,
    /// When it was last shown. Not for agents.
    pub(crate) shown_at: Option<Moment>,
    /// How many calls wait for the outcome. 1 also while the agent has no call, but counts as waiting.
    pub(crate) waiters: Option<u32>,
    #[serde(default, deserialize_with = "lenient")]
    pub(crate) snoozed_until: Option<Until>,
    /// When the agent last asked the same again.
    pub(crate) asked_again_at: Option<Moment>,
    #[serde(default, deserialize_with = "lenient")]
    pub(crate) in_client: Option<How>,
    /// Until when the hub keeps the outcome from the agent, so that the person can take it back.
    pub(crate) held_until: Option<Moment>,
    /// The outcomes that the person took back before the agent had them, the newest last.
    #[serde(default, deserialize_with = "lenient")]
    pub(crate) taken_back: Option<Vec<TakenBack<'a>>>,
    /// Data that the agent wants back unchanged.
    #[schema(value_type = Option<Value>)]
    pub(crate) metadata: Option<Json>,
}

/// The state of an ask: `waiting`, or its outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum AskState {
    Waiting,
    Answered,
    Declined,
    Clarify,
    Expired,
    Withdrawn,
}

impl From<&State> for AskState {
    fn from(state: &State) -> Self {
        use ask_core::Outcome;
        match state {
            State::Open => Self::Waiting,
            State::Closed { settlement, .. } => match settlement.outcome {
                Outcome::Answered(_) => Self::Answered,
                Outcome::Declined { .. } => Self::Declined,
                Outcome::Clarify { .. } => Self::Clarify,
                Outcome::Expired => Self::Expired,
                Outcome::Withdrawn => Self::Withdrawn,
            },
        }
    }
}

impl<'a> From<&'a ask_core::Record> for Record<'a> {
    fn from(record: &'a ask_core::Record) -> Self {
        let (settlement, delivered_at) = match &record.state {
            State::Open => (None, None),
            State::Closed {
                settlement,
                delivered_at,
            } => (Some(settlement), *delivered_at),
        };
        let metadata = record.ask.metadata.as_deref();
        // What was sent is in the outcome. What is offered was for the time before.
        let draft = record.draft.as_ref().filter(|_| record.is_answerable());
        let shown_draft = draft.or_else(|| record.unsent());
        let shown_offer = record.earlier_answer.as_ref();
        let shown_offer = shown_offer.filter(|_| record.is_answerable());
        Self {
            ask_id: record.id.as_str().into(),
            state: AskState::from(&record.state),
            delivered: settlement.map(|_| delivered_at.is_some()),
            title: record.ask.title.as_deref().map(Cow::from),
            context: record.ask.context.as_deref().map(Cow::from),
            questions: record.ask.questions.iter().map(Question::from).collect(),
            timeout: record.ask.limit_ms,
            asker: Asker::from(&record.asker),
            dialect: (&record.dialect).into(),
            asked_at: Moment(record.asked_at),
            asked_at_steady: None,
            deadline_at: record.deadline_at.map(Moment),
            outcome: Outcome::of_record(record),
            answered_by: settlement.map(|settlement| (&settlement.surface).into()),
            answered_device: settlement
                .and_then(|settlement| settlement.device.as_deref())
                .map(Cow::from),
            answered_from: settlement
                .and_then(|settlement| settlement.origin.as_deref())
                .map(Origin::from),
            answered_at: settlement.map(|settlement| Moment(settlement.at)),
            attempt: settlement.map(|settlement| settlement.attempt),
            awaited: settlement.and_then(|settlement| settlement.awaited.then_some(true)),
            delivered_at: delivered_at.map(Moment),
            draft: shown_draft.map(Draft::from),
            earlier_answer: shown_offer.map(EarlierAnswer::from),
            shown_on: record.shown.as_ref().map(|shown| (&shown.surface).into()),
            shown_at: record.shown.as_ref().map(|shown| Moment(shown.at)),
            waiters: (record.waiters > 0).then_some(record.waiters),
            snoozed_until: record.snoozed.map(Until),
            asked_again_at: record.asked_again.map(Moment),
            in_client: record.in_client.map(How),
            held_until: record.held_until.map(Moment),
            taken_back: taken_back(record),
            metadata: metadata.map(parse_metadata),
        }
    }
}

impl<'a> Record<'a> {
    /// The record in an agent's request to open it.
    fn opened(record: &'a ask_core::Record) -> Self {
        Self {
            asked_at_steady: record.caller_seen.map(Moment),
            ..Self::from(record)
        }
    }
}

impl Record<'_> {
    /// The same record, as open while its outcome is held.
    pub(crate) fn without_held_outcome(self, record: &ask_core::Record) -> Self {
        if record.held_until.is_none() {
            return self;
        }
        Self {
            state: AskState::Waiting,
            delivered: None,
            outcome: None,
            answered_by: None,
            answered_device: None,
            answered_from: None,
            answered_at: None,
            attempt: None,
            awaited: None,
            ..self
        }
    }
}

/// Makes `serde_as` write a record as [`Record::opened`] has it.
pub(crate) struct Opened;

impl SerializeAs<ask_core::Record> for Opened {
    fn serialize_as<S: Serializer>(
        record: &ask_core::Record,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        Record::opened(record).serialize(serializer)
    }
}

impl<'de> DeserializeAs<'de, ask_core::Record> for Opened {
    fn deserialize_as<D: Deserializer<'de>>(deserializer: D) -> Result<ask_core::Record, D::Error> {
        Record::deserialize_as(deserializer)
    }
}

fn taken_back(record: &ask_core::Record) -> Option<Vec<TakenBack<'_>>> {
    let outcomes = record.taken_back.iter();
    let outcomes = outcomes.map(|one| TakenBack::new(record, one));
    (!record.taken_back.is_empty()).then(|| outcomes.collect())
}

/// The metadata of a record. What a reader of the record could not read stays text: earlier versions
/// stored it.
fn parse_metadata(text: &str) -> Json {
    let parsed = text.parse().ok();
    parsed
        .filter(|metadata| !json::is_too_deep(metadata))
        .unwrap_or_else(|| text.into())
}

impl TryFrom<Record<'_>> for ask_core::Record {
    type Error = Malformed;

    fn try_from(record: Record<'_>) -> Read<Self> {
        let Some(id) = AskId::parse(&record.ask_id) else {
            return malformed("askId", "is not an id");
        };
        let questions = record.questions.into_iter();
        let ask = Ask {
            title: record.title.map(Cow::into_owned),
            context: record.context.map(Cow::into_owned),
            questions: questions.map(ask_core::Question::from).collect(),
            limit_ms: record.timeout,
            metadata: record.metadata.map(|metadata| metadata.to_string()),
        };
        require_distinct_ids(&ask)?;
        let taken_back = record.taken_back.into_iter().flatten();
        let taken_back: Vec<_> = taken_back.map(|one| one.read(&ask)).collect::<Read<_>>()?;
        let state = match record.state {
            AskState::Waiting => State::Open,
            AskState::Answered
            | AskState::Declined
            | AskState::Clarify
            | AskState::Expired
            | AskState::Withdrawn => State::Closed {
                settlement: ask_core::Settlement {
                    outcome: needed(record.outcome, "outcome")?.read(&ask)?,
                    surface: needed(record.answered_by, "answeredBy")?.into_owned(),
                    device: record.answered_device.map(Cow::into_owned),
                    origin: record.answered_from.map(|origin| Box::new(origin.into())),
                    at: needed(record.answered_at, "answeredAt")?.0,
                    attempt: record.attempt.unwrap_or(0),
                    awaited: record.awaited.unwrap_or(false),
                },
                delivered_at: record.delivered_at.map(|at| at.0),
            },
        };
        let shown = match record.shown_on {
            None => None,
            Some(surface) => Some(Shown {
                surface: surface.into_owned(),
                at: needed(record.shown_at, "shownAt")?.0,
            }),
        };
        Ok(Self {
            id,
            dialect: record.dialect.into_owned(),
            asker: record.asker.into(),
            asked_at: record.asked_at.0,
            deadline_at: record.deadline_at.map(|at| at.0),
            state,
            draft: record.draft.map(Saved::try_from).transpose()?,
            earlier_answer: record.earlier_answer.map(record::EarlierAnswer::from),
            shown,
            waiters: record.waiters.unwrap_or(0),
            snoozed: record.snoozed_until.map(|until| until.0),
            asked_again: record.asked_again_at.map(|at| at.0),
            in_client: record.in_client.map(|how| how.0),
            caller_seen: record.asked_at_steady.map(|at| at.0),
            agent_seen: None,
            held_until: record.held_until.map(|at| at.0),
            taken_back,
            ask,
        })
    }
}

/// Refuses two questions with the same id. Answers are stored by the ids of their questions, so the
/// answers to both couldn't be read again.
fn require_distinct_ids(ask: &Ask) -> Read<()> {
    let mut ids = HashSet::new();
    let mut questions = ask.questions.iter();
    match questions.position(|question| !ids.insert(&question.id)) {
        None => Ok(()),
        Some(at) => malformed(
            &format!("questions[{at}].questionId"),
            "is the id of a question before it",
        ),
    }
}

/// An outcome that the person took back before the agent had it.
#[skip_serializing_none]
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TakenBack<'a> {
    outcome: Outcome<'a>,
    /// The surface on which the ask was closed.
    answered_by: Cow<'a, str>,
    /// The name of the paired device that closed it, if one did.
    answered_device: Option<Cow<'a, str>>,
    /// The program of this machine that closed it, if the hub could see it.
    answered_from: Option<Origin<'a>>,
    /// When the ask was closed.
    answered_at: Moment,
    /// The number of the attempt that closed it.
    attempt: u64,
    awaited: Option<bool>,
    /// The surface on which the outcome was taken back.
    taken_back_by: Cow<'a, str>,
    /// The name of the paired device on which it was taken back, if it was one.
    taken_back_device: Option<Cow<'a, str>>,
    /// When it was taken back.
    taken_back_at: Moment,
}

impl<'a> TakenBack<'a> {
    /// An outcome that was taken back.
    pub fn new(record: &'a ask_core::Record, taken_back: &'a record::TakenBack) -> Self {
        let settlement = &taken_back.settlement;
        Self {
            outcome: Outcome::from_record(record, &settlement.outcome),
            answered_by: (&settlement.surface).into(),
            answered_device: settlement.device.as_deref().map(Cow::from),
            answered_from: settlement.origin.as_deref().map(Origin::from),
            answered_at: Moment(settlement.at),
            attempt: settlement.attempt,
            awaited: settlement.awaited.then_some(true),
            taken_back_by: (&taken_back.surface).into(),
            taken_back_device: taken_back.device.as_deref().map(Cow::from),
            taken_back_at: Moment(taken_back.at),
        }
    }

    pub(super) fn read(self, ask: &Ask) -> Read<record::TakenBack> {
        Ok(record::TakenBack {
            settlement: ask_core::Settlement {
                outcome: self.outcome.read(ask)?,
                surface: self.answered_by.into_owned(),
                device: self.answered_device.map(Cow::into_owned),
                origin: self.answered_from.map(|origin| Box::new(origin.into())),
                at: self.answered_at.0,
                attempt: self.attempt,
                awaited: self.awaited.unwrap_or(false),
            },
            at: self.taken_back_at.0,
            surface: self.taken_back_by.into_owned(),
            device: self.taken_back_device.map(Cow::into_owned),
        })
    }
}

/// How an ask was closed, as the store has it.
#[skip_serializing_none]
#[derive(Debug, Serialize, Deserialize)]
pub struct Settlement<'a> {
    outcome: Outcome<'a>,
    surface: Cow<'a, str>,
    #[serde(default)]
    at: i64,
    #[serde(default)]
    attempt: u64,
    device: Option<Cow<'a, str>>,
    origin: Option<Origin<'a>>,
    awaited: Option<bool>,
}

/// The program that closed an ask, as the hub saw it: evidence, not proof.
#[skip_serializing_none]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Origin<'a> {
    /// The process id of the program.
    #[serde(default)]
    pid: u32,
    /// The file name of the program.
    program: Option<Cow<'a, str>>,
    /// The controlling terminal, as in `pts/3`.
    terminal: Option<Cow<'a, str>>,
    /// The client of the agent that started it, directly or through other programs.
    below_agent: Option<Cow<'a, str>>,
}

impl<'a> From<&'a ask_core::Origin> for Origin<'a> {
    fn from(origin: &'a ask_core::Origin) -> Self {
        Self {
            pid: origin.pid,
            program: origin.program.as_deref().map(Cow::from),
            terminal: origin.terminal.as_deref().map(Cow::from),
            below_agent: origin.below_agent.as_deref().map(Cow::from),
        }
    }
}

impl From<Origin<'_>> for ask_core::Origin {
    fn from(origin: Origin<'_>) -> Self {
        Self {
            pid: origin.pid,
            program: origin.program.map(Cow::into_owned),
            terminal: origin.terminal.map(Cow::into_owned),
            below_agent: origin.below_agent.map(Cow::into_owned),
        }
    }
}

impl<'a> Settlement<'a> {
    /// How an ask was closed.
    pub fn from_settlement(
        record: &'a ask_core::Record,
        settlement: &'a ask_core::Settlement,
    ) -> Self {
        Self {
            outcome: Outcome::from_record(record, &settlement.outcome),
            surface: (&settlement.surface).into(),
            at: settlement.at.0,
            attempt: settlement.attempt,
            device: settlement.device.as_deref().map(Cow::from),
            origin: settlement.origin.as_deref().map(Origin::from),
            awaited: settlement.awaited.then_some(true),
        }
    }

    pub(super) fn read(self, ask: &Ask) -> Read<ask_core::Settlement> {
        Ok(ask_core::Settlement {
            outcome: self.outcome.read(ask)?,
            surface: self.surface.into_owned(),
            device: self.device.map(Cow::into_owned),
            origin: self.origin.map(|origin| Box::new(origin.into())),
            at: Time(self.at),
            attempt: self.attempt,
            awaited: self.awaited.unwrap_or(false),
        })
    }
}
